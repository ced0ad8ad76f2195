internal import AgendaCore
internal import CommandLineOptions

/// How a user names an entry: its id, its place in the list with the same options, or the UID of its
/// event. `home/3f9a2c71` is the entry of one calendar.
indirect enum EntryReference {
  case id(OccurrenceID)
  case place(IndexPath)
  case uid(String)
  case inCalendar(String, EntryReference)

  init(_ text: String) throws(CommandError) {
    if let path = IndexPath(text) {
      self = .place(path)
    } else if let slash = text.lastIndex(of: "/"), slash > text.startIndex,
      let id = OccurrenceID(String(text[text.index(after: slash)...]))
    {
      self = .inCalendar(String(text[..<slash]), .id(id))
    } else if let id = OccurrenceID(text) {
      self = .id(id)
    } else if text.contains(where: { "@-/".contains($0) }) || text.utf8.count > 12 {
      self = .uid(text)
    } else {
      throw .wrongUsage(
        "REF: expected an id such as 3f9a2c71 or an index path such as 3.2, got \"\(text)\"")
    }
  }

  /// A UID with a slash as CALENDAR/UID.
  var splitAtCalendar: EntryReference? {
    guard case .uid(let text) = self, let slash = text.firstIndex(of: "/"),
      slash > text.startIndex
    else { return nil }
    return .inCalendar(String(text[..<slash]), .uid(String(text[text.index(after: slash)...])))
  }
}

extension EntryReference: CustomStringConvertible {
  /// As the user wrote it, for messages.
  var description: String {
    switch self {
    case .id(let id): "\(id)"
    case .place(let path): "\(path)"
    case .uid(let uid): uid
    case .inCalendar(let calendar, let entry): "\(calendar)/\(entry)"
    }
  }
}

extension Operand {
  /// `REF`
  static let reference = Operand(
    Value("REF"),
    help:
      "an entry: its id, CALENDAR/ID, CALENDAR/UID, or its index path such as 3.2 in the list with the same options"
  )
}
