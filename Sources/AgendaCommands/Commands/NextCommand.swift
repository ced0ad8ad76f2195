internal import AgendaCore
internal import CommandLineOptions

extension AgendaCommand {
  static let next = AgendaCommand(
    Command(
      "next", summary: "print the next entries from now, the running ones included",
      discussion: [
        "A source whose name is a number is given as ./3. --limit is N."
      ],
      operands: [
        Operand(Value("N"), help: "how many entries, 1 if not given", isOptional: true), .sources,
      ],
      options: Options.typedWindowOptions + Options.selectionOptions.filter { $0 != Options.limit }
        + Options.presentationOptions + Options.sourceOptions,
      examples: [
        Command.Example("agenda next 3", "the next three"),
        Command.Example(
          "agenda next --timed --not-started --template '{title} in {in}'",
          "for the prompt of a shell"),
      ], group: "Agenda"),
    arguments: NextArguments.init,
    run: { arguments, run in try run.show(arguments.request) })
}

private struct NextArguments {
  let request: AgendaRequest

  private static let mostEntries = 1_000_000

  init(_ invocation: Invocation) throws(CommandError) {
    var sources = invocation.line.operands
    var count = 1
    if let first = sources.first, let number = Value.number(first) {
      guard (1...Self.mostEntries).contains(number) else {
        throw .wrongUsage("N: \"\(first)\" is no number from 1 to \(Self.mostEntries)")
      }
      count = number
      sources.removeFirst()
    }
    var request = try AgendaRequest(invocation, sources: sources)
    request.selection.notOverAt = request.viewer.now
    request.grouping.limit = count
    request.grouping.once = true
    self.request = request
  }
}
