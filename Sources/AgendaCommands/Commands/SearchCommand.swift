internal import AgendaCore
internal import CommandLineOptions

extension AgendaCommand {
  static let search = AgendaCommand(
    Command(
      "search", summary: "print the entries that have all of the words",
      discussion: [
        "Without a window it looks through the whole store: each event that matches stands where it is next, or was last."
      ],
      operands: [Operand(Value("WORDS"), help: "what to look for", isRepeatable: true)],
      options: Options.windowOptions
        + Options.selectionOptions.filter { $0 != Options.search }
        + Options.presentationOptions + Options.sourceOptions,
      examples: [Command.Example("agenda search dentist", "when is it, and when was it")],
      group: "Agenda")
  ) { invocation in
    var request = try AgendaRequest(invocation)
    request.selection.words = invocation.line.operands.flatMap(Selection.words)
    try invocation.show(request, sources: [])
  }
}
