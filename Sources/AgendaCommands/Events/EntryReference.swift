internal import AgendaCore
internal import CommandLineOptions

/// How a user names an entry: its id, its place in the list with the same options, or the UID of its
/// event.
enum EntryReference {
  case id(OccurrenceID)
  case place(IndexPath)
  case uid(String)

  init(_ text: String) throws(CommandError) {
    if let path = IndexPath(text) {
      self = .place(path)
    } else if let id = OccurrenceID(text) {
      self = .id(id)
    } else if text.contains(where: { $0 == "@" || $0 == "-" }) || text.utf8.count > 12 {
      self = .uid(text)
    } else {
      throw .wrongUsage(
        "REF: expected an id such as 3f9a2c71 or an index path such as 3.2, got \"\(text)\"")
    }
  }
}

extension EntryReference: CustomStringConvertible {
  /// As the user wrote it, for messages.
  var description: String {
    switch self {
    case .id(let id): "\(id)"
    case .place(let path): "\(path)"
    case .uid(let uid): uid
    }
  }
}

extension Operand {
  /// `REF`
  static let reference = Operand(
    Value("REF"),
    help: "an entry: its id, or its index path such as 3.2 in the list with the same options")
}
