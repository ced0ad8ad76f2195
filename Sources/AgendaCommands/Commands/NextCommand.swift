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
        Command.Example("agenda next --format tsv --not-started", "for the prompt of a shell"),
      ], group: "Agenda")
  ) { invocation in
    var sources = invocation.line.operands
    var count = 1
    if let first = sources.first, let number = Value.number(first) {
      guard (1...mostNextEntries).contains(number) else {
        throw CommandError.wrongUsage("N: \"\(first)\" is no number from 1 to \(mostNextEntries)")
      }
      count = number
      sources.removeFirst()
    }
    var request = try AgendaRequest(invocation)
    request.selection.notOverAt = request.viewer.now
    request.grouping.limit = count
    request.grouping.once = true
    try invocation.show(request, sources: sources)
  }
}

private let mostNextEntries = 1_000_000
