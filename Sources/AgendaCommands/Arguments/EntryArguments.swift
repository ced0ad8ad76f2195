internal import CommandLineOptions

/// The arguments of commands about one entry: REF [SOURCE…]. Words of a title need no quotes.
struct EntryArguments {
  let reference: EntryReference
  let request: AgendaRequest

  init(_ invocation: Invocation) throws(CommandError) {
    let operands = invocation.line.operands
    let count = try EntryReference.wordCount(in: operands)
    request = try AgendaRequest(invocation, sources: Array(operands.dropFirst(count)))
    reference = try EntryReference(operands.prefix(count).joined(separator: " "))
  }
}

extension EntryReference {
  /// How many operands are the reference, where sources or what `ends` recognizes can come after it. An id
  /// or an index path is one, and of a title, each word that is not a source.
  static func wordCount(
    in operands: [String], until ends: (String) -> Bool = { _ in false }
  ) throws(CommandError) -> Int {
    guard let first = operands.first, case .uid = try EntryReference(first) else { return 1 }
    return 1 + operands.dropFirst().prefix { !ends($0) && !$0.namesSource }.count
  }
}
