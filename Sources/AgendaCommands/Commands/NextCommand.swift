internal import AgendaCore
internal import CommandLineOptions

extension AgendaCommand {
  static let next = AgendaCommand(
    Command(
      "next", summary: "show the next entries from now, including those in progress",
      discussion: [
        "On a terminal, timed entries come before the all-day entries of their day.",
        "N and --limit mean the same. If the name of a source is a number, write ./3.",
      ],
      operands: [
        Operand(Value("N"), help: "how many entries to show (default: 1)", isOptional: true),
        .sources,
      ],
      options: Options.typedWindowOptions
        + Options.options(
          Options.selectionOptions.filter { $0 != Options.limit } + Options.presentationOptions,
          unlisting: [Options.tableOfContents])
        + Options.sourceOptions,
      examples: [
        Command.Example("agenda next 3", "show the next three entries"),
        Command.Example(
          "agenda next --timed --not-started --template '{title} in {in}'",
          "print one line for a shell prompt"),
      ], group: "Agenda"),
    arguments: NextArguments.init,
    run: { arguments, run in try run.show(arguments.request) })
}

private struct NextArguments {
  let request: AgendaRequest

  /// As many as a listing has at most.
  private static let mostEntries = 1_000_000

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    var count = 1
    let number = line.operands.first.flatMap(Value.number)
    let sources = try line.sources(of: invocation, after: number == nil ? 0 : 1)
    if let number {
      guard (1...Self.mostEntries).contains(number) else {
        throw .wrongUsage("N: expected a number from 1 to \(Self.mostEntries), got \(number)")
      }
      count = number
    }
    var request = try AgendaRequest(invocation, sources: sources)
    request.selection.notOverAt = request.viewer.now
    request.grouping.limit = count
    request.grouping.once = true
    // A person wants to know what begins soon. Programs get the order of all other lists.
    request.grouping.listsTimedFirst = request.presentation.isForTerminal
    self.request = request
  }
}
