internal import AgendaCore
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let search = AgendaCommand(
    Command(
      "search", summary: "find entries that contain all of the words",
      discussion: [
        "It searches all entries, past and future, unless an option sets a window. A matching event is listed once: at its next time, or at its last time if it is over.",
        "Words that end in .ics or begin with http://, https:// or webcal:// are sources to search, like those of --source.",
        "It searches titles, locations, categories, descriptions and the names of people. It finds parts of words, and ignores letter case and accents.",
      ],
      operands: [Operand(Value("WORDS"), help: "the words to find", isRepeatable: true)],
      options: Options.typedWindowOptions
        + Options.selectionOptions.filter { $0 != Options.search }
        + Options.presentationOptions + [Options.source] + Options.sourceOptions,
      examples: [
        Command.Example("agenda search dentist", "find the next appointment, or the last one")
      ],
      group: "Agenda"),
    arguments: SearchArguments.init
  ) { arguments, run in
    var request = arguments.request
    if request.hasTypedWindow { return try run.show(request) }
    let calendars = try run.calendars(of: request.input, for: request.viewer)
    let occurrences = try calendars.search(
      request.selection, now: request.viewer.now, zone: request.viewer.zone)
    if let window = DateWindow(around: occurrences, zone: request.viewer.zone) {
      request.window = window
    }
    request.grouping.once = true
    let agenda = Agenda(
      occurrences, of: request.selection, in: request.window, options: request.grouping,
      wording: request.presentation.wording, details: calendars.details(of:))
    if agenda.isEmpty, request.presentation.saysIfNothingIsFound, !calendars.areUnreadable {
      // The sentence about an empty window does not apply to a search.
      if request.presentation.printsNothingIfEmpty { return }
      return try run.write { sink in
        sink.write(request.presentation.wording.words.entries.nothingFound + "\n")
      }
    }
    try run.render(agenda, request, calendars)
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
      throw .wrongUsage("WORDS: expected at least one word to find")
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
  /// From the first day that any of them touches to the last one; `nil` without any.
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
