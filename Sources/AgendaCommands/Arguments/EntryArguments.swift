internal import CommandLineOptions

/// The arguments of commands about one entry: REF [SOURCE…].
struct EntryArguments {
  let reference: EntryReference
  let request: AgendaRequest

  init(_ invocation: Invocation) throws(CommandError) {
    let operands = invocation.line.operands
    request = try AgendaRequest(invocation, sources: Array(operands.dropFirst()))
    reference = try EntryReference(operands[0])
  }
}
