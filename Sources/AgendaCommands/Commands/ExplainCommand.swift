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
    var facts = try calendars.explanation(
      of: entry.occurrence, in: agenda.window, zones: request.viewer.database,
      locale: wording.locale
    ).map { (heading: $0.heading, text: $0.text) }
    if entry.occurrence.event.status == .cancelled,
      let status = facts.lastIndex(where: { $0.heading == words.words.labels.status })
    {
      let hint = words.words.explanation.isHidden(Options.includeCancelled.spelling)
      facts[status].text += " (\(hint))"
    }
    if request.presentation.format == .json {
      let own = [ListFormat<Occurrence>.Field].ofAgenda(
        [.id, .title, .start], in: request.viewer.zone)
      Self.factList.write(facts, as: .json, to: &sink) {
        ListFormat.write(own, of: entry.occurrence, to: &$0)
      }
    } else {
      var page = FactPage(request.presentation)
      page.writeTitle(entry.occurrence.event.title, to: &sink)
      page.writeLine(words.span(of: entry.occurrence), to: &sink)
      page.write(facts, to: &sink)
    }
  }

  private static var factList: ListFormat<(heading: String, text: String)> {
    ListFormat(
      name: "facts",
      fields: [
        .init("heading") { .text($0.heading) },
        .init("text") { .text($0.text) },
      ])
  }
}
