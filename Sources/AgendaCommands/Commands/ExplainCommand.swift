internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let explain = AgendaCommand(
    Command(
      "explain", summary: "explain why an entry is at that time",
      discussion: [
        "It shows the dates as the source wrote them, and the time zone with the origin of its rules. For a series it adds the rule in words, the number of this occurrence, the override that moved it and the excluded dates. It also shows clock changes during the entry."
      ],
      operands: [.reference, .sources],
      options: Options.entryOptions,
      examples: [
        Command.Example("agenda explain 3.2", "explain the second entry of the third day"),
        Command.Example(
          "agenda explain 3f9a2c71 calendar.ics", "explain an entry of a file by its id"),
      ], group: "One entry"),
    arguments: EntryArguments.init
  ) { arguments, run in
    let request = arguments.request
    let found = try run.entry(arguments.reference, request)
    try run.write { try found.writeExplanation(request, to: &$0) }
  }
}

extension FoundEntry {
  /// Why the entry is at its time.
  func writeExplanation(_ request: AgendaRequest, to sink: inout ByteSink) throws {
    // JSON is the same in every language.
    let wording =
      request.presentation.format == .json
      ? DateWording(.plain) : request.presentation.wording
    let words = TimeWords(wording: wording, zone: request.viewer.zone)
    let explanation = try calendars.explanation(
      of: entry.occurrence, in: agenda.window, zones: request.viewer.database,
      locale: wording.locale, shownBy: Options.includeCancelled.spelling)
    if request.presentation.format == .json {
      explanation.writeJSON(of: self, zone: request.viewer.zone, to: &sink)
    } else {
      var page = FactPage(request.presentation)
      page.writeTitle(entry.occurrence.event.title, to: &sink)
      page.writeLine(words.span(of: entry.occurrence), to: &sink)
      page.write(explanation.facts, to: &sink)
    }
  }
}

extension Explanation {
  fileprivate func writeJSON(of found: FoundEntry, zone: Zone, to sink: inout ByteSink) {
    sink.beginObject()
    sink.field("version", 1)
    sink.field("id", found.entry.id.description)
    sink.field("title", found.entry.occurrence.event.title)
    let occurrence = found.entry.occurrence
    sink.field(
      "start",
      occurrence.allDay.map { "\($0.lowerBound)" } ?? occurrence.begin.rfc3339(in: zone))
    sink.array("facts", facts) { sink, fact in
      sink.write("\n")
      sink.beginObject()
      sink.field("heading", fact.heading)
      sink.field("text", fact.text)
      sink.endObject()
    }
    sink.endObject()
    sink.write("\n")
  }
}
