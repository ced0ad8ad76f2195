internal import AgendaCore
internal import CommandLineOptions

/// What a user calls an entry: its id, its place in the listing that the same options give, or the
/// UID of its event.
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
        "REF: \"\(text)\" is neither an id such as 3f9a2c71 nor a place such as 3.2")
    }
  }
}

extension Operand {
  /// `REF`
  static let reference = Operand(
    Value("REF"),
    help: "an entry: its id, or its place such as 3.2 in the listing of the same options")
}
