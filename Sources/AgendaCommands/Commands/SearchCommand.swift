internal import AgendaCore
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let search = AgendaCommand(
    Command(
      "search", summary: "print the entries that have all of the words",
      discussion: [
        "Without a window it looks through everything, and each event that matches stands where it is next, or where it was last.",
        "Words that end in .ics or begin with http://, https:// or webcal:// are sources, like those of --source.",
        "Words are found in titles, locations, categories, descriptions and the names of people, in any letter case and with or without accents.",
      ],
      operands: [Operand(Value("WORDS"), help: "what to look for", isRepeatable: true)],
      options: Options.typedWindowOptions
        + Options.selectionOptions.filter { $0 != Options.search }
        + Options.presentationOptions + [Options.source] + Options.sourceOptions,
      examples: [Command.Example("agenda search dentist", "when is it, and when was it")],
      group: "Agenda"),
    arguments: SearchArguments.init
  ) { arguments, run in
    var request = arguments.request
    if request.hasTypedWindow { return try run.show(request) }
    let calendars = try run.calendars(of: request.input, zones: request.viewer.database)
    let events = calendars.source
    let occurrences = try calendars.search(
      request.selection, now: request.viewer.now, zone: request.viewer.zone)
    if occurrences.isEmpty, request.presentation.saysIfNothingIsFound, events.isReadable {
      // The window of an agenda says nothing here.
      if request.presentation.printsNothingIfEmpty { return }
      return try run.write { sink in
        sink.write(request.presentation.wording.words.entries.nothingFound + "\n")
      }
    }
    if let window = DateWindow(around: occurrences, zone: request.viewer.zone) {
      request.window = window
    }
    request.grouping.once = true
    let agenda = Agenda(
      occurrences, in: request.window, options: request.grouping,
      wording: request.presentation.wording)
    try run.render(agenda, request, events: events)
  }
}

private struct SearchArguments {
  let request: AgendaRequest

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    let sources = line.operands.filter(Self.isSource)
    var request = try AgendaRequest(
      invocation, sources: line.values(of: Options.source) + sources)
    request.selection.words =
      line.operands.filter { !Self.isSource($0) }.flatMap(Selection.words)
    guard !request.selection.words.isEmpty else {
      throw .wrongUsage("WORDS: nothing to look for")
    }
    self.request = request
  }

  private static func isSource(_ operand: String) -> Bool {
    let text = operand.lowercased()
    return text.hasSuffix(".ics")
      || ["http://", "https://", "webcal://"].contains { text.hasPrefix($0) }
  }
}

extension DateWindow {
  /// From the first day that any of them touches to the last one; `nil` where there are none.
  init?(around occurrences: [Occurrence], zone: Zone) {
    guard let begin = occurrences.map(\.begin).min(), let finish = occurrences.map(\.finish).max()
    else { return nil }
    let first = zone.civil(at: begin).date
    guard let end = zone.civil(at: finish).date.adding(days: 1) else {
      self.init(from: first, zone: zone)
      return
    }
    self.init(firstDay: first, dayAfterLast: end, zone: zone)
  }
}
