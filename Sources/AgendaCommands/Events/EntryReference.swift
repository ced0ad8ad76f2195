internal import AgendaCore
internal import CommandLineOptions

/// How a user names an entry: words of its title, its id, its place in the list with the same options, or the UID of its
/// event. `home/3f9a2c71` is the entry of one calendar.
indirect enum EntryReference {
  /// `text` is how the user wrote it.
  case id(OccurrenceID, text: String)
  case place(EntryPath)
  case uid(String)
  case inCalendar(String, EntryReference)

  init(_ text: String) throws(CommandError) {
    if let path = EntryPath(text) {
      self = .place(path)
    } else if let slash = text.lastIndex(of: "/"), slash > text.startIndex,
      let id = OccurrenceID(text[text.index(after: slash)...])
    {
      let name = String(text[text.index(after: slash)...])
      self = .inCalendar(String(text[..<slash]), .id(id, text: name))
    } else if let id = OccurrenceID(text) {
      self = .id(id, text: text)
    } else if !text.isEmpty {
      self = .uid(text)
    } else {
      throw Self.unreadable(text)
    }
  }

  static func unreadable(_ text: String) -> CommandError {
    .wrongUsage(
      "REF: expected an id such as 3f9a2c71, an index path such as 3.2, or a UID, got \"\(text)\"")
  }

  /// The entry if the text is not the id of an entry, but the UID of an event.
  var readAsUID: EntryReference? {
    guard case .id(_, let text) = self else { return nil }
    return .uid(text)
  }

  /// Whether a text without an entry is more likely a mistake than a UID.
  var isUnlikelyUID: Bool {
    guard case .uid(let text) = self else { return false }
    return text.utf8.count <= 12 && !text.contains { "@-/".contains($0) }
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
    case .id(let id, _): "\(id)"
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
      "an entry: words of its title, its id, CALENDAR/ID, CALENDAR/UID, or its index path such as 3.2 in the list with the same options; with \"next\" or \"last\" before the words, only the next or the last occurrence counts"
  )
  /// The same, with words that need no quotes.
  static let referenceWords = Operand(reference.value, help: reference.help, isRepeatable: true)
}
