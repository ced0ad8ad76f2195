internal import AgendaCore
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let search = AgendaCommand(
    Command(
      "search", summary: "print the entries that have all of the words",
      discussion: [
        "Without a window it looks through everything, and each event that matches stands where it is next, or where it was last.",
        "Words are found in titles, locations, categories, descriptions and the names of people, in any letter case and with or without accents.",
      ],
      operands: [Operand(Value("WORDS"), help: "what to look for", isRepeatable: true)],
      options: Options.typedWindowOptions
        + Options.selectionOptions.filter { $0 != Options.search }
        + Options.presentationOptions + [Options.source] + Options.sourceOptions,
      examples: [Command.Example("agenda search dentist", "when is it, and when was it")],
      group: "Agenda")
  ) { invocation in
    var request = try AgendaRequest(invocation)
    request.selection.words = invocation.line.operands.flatMap(Selection.words)
    guard !request.selection.words.isEmpty else {
      throw CommandError.wrongUsage("WORDS: nothing to look for")
    }
    let sources = invocation.line.values(of: Options.source)
    if invocation.line.hasTypedWindow {
      return try invocation.show(request, sources: sources)
    }
    let events = try invocation.events(of: sources, viewer: request.viewer, window: nil)
    let selection = request.selection
    let occurrences = try events.series(withWords: selection.words, selection: selection)
      .compactMap { $0.nextOrLast(request, details: events.details) }
    if occurrences.isEmpty, [.text, .markdown].contains(request.presentation.format),
      events.isReadable
    {
      // The window of an agenda says nothing here.
      if request.presentation.printsNothingIfEmpty { return }
      return try invocation.write { sink in sink.write("Nothing found.\n") }
    }
    if let window = DateWindow(around: occurrences, zone: request.viewer.zone) {
      request.window = window
    }
    request.grouping.once = true
    let agenda = Agenda(
      occurrences, in: request.window, options: request.grouping,
      wording: request.presentation.wording)
    try invocation.render(agenda, request, events: events)
  }
}

extension Series {
  /// The first occurrence that is not over and that the selection admits, else the last one.
  fileprivate func nextOrLast(
    _ request: AgendaRequest, details: @escaping (EventReference) -> EventDetails
  ) -> Occurrence? {
    let zone = request.viewer.zone
    let now = request.viewer.now
    let cancelled = request.selection.includesCancelled
    var admitted = SeriesSelection(request.selection, details: details)
    var coming = occurrences(
      touching: now..<zone.startOfDay(.afterLast), viewer: zone, includingCancelled: cancelled)
    var tries = 0
    while tries < Self.mostTries, let occurrence = coming.next() {
      tries += 1
      if admitted.admits(occurrence) { return occurrence }
    }
    // Further and further back, so that the last one is found without all that came before it.
    var end = now
    for years in Self.yearsBack {
      let day = zone.civil(at: now).date.adding(years: -years) ?? .first
      let begin = min(zone.startOfDay(day), end)
      var last: Occurrence?
      for occurrence in occurrences(
        touching: begin..<end, viewer: zone, includingCancelled: cancelled)
      where admitted.admits(occurrence) {
        last = occurrence
      }
      if let last { return last }
      end = begin
    }
    return nil
  }

  /// An override may match where its series does not; further ahead than this nobody looks for it.
  private static var mostTries: Int { 1_000 }
  private static var yearsBack: [Int] { [1, 10, 100, 10_000] }
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
