internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let calendars = AgendaCommand(
    Command(
      "calendars", summary: "list the calendars and sources in the store",
      options: [Options.listFormat, Options.locale, Options.store] + Options.momentOptions,
      group: "Store"),
    arguments: CalendarsArguments.init
  ) { arguments, run in
    let viewer = arguments.viewer
    let store = try run.store(arguments.store, for: viewer)
    let calendars = try store.calendars()
    let mails = try store.mails()
    let states = try store.subscriptions()
    let words = TimeWords(wording: arguments.presentation.wording, zone: viewer.zone)
    try run.write { sink in
      CalendarList(calendars, mails, states, arguments.presentation.format, words)
        .write(to: &sink)
    }
  }
}

private struct CalendarsArguments {
  let viewer: Viewer
  let presentation: Presentation
  let store: StoreArgument

  init(_ invocation: Invocation) throws(CommandError) {
    viewer = try Viewer(invocation)
    presentation = try Presentation(invocation)
    store = try StoreArgument(invocation)
  }
}

/// The calendars of a store in each format.
private struct CalendarList {
  private let calendars: [CalendarSummary]
  /// The sources without a calendar.
  private let mails: [SourceSummary]
  /// What is known about addresses, by location.
  private let states: [String: Subscription]
  private let format: AgendaFormat
  private let words: TimeWords

  init(
    _ calendars: [CalendarSummary], _ mails: [SourceSummary], _ states: [String: Subscription],
    _ format: AgendaFormat, _ words: TimeWords
  ) {
    self.calendars = calendars
    self.mails = mails
    self.states = states
    self.format = format
    self.words = words
  }

  func write(to sink: inout ByteSink) {
    switch format {
    case .json: writeJSON(to: &sink)
    case .tsv: writeTable(to: &sink)
    case .text, .markdown, .html, .jsonl: writeText(to: &sink)
    }
  }

  private func writeText(to sink: inout ByteSink) {
    if calendars.isEmpty, mails.isEmpty {
      sink.write("No calendars imported yet. Run agenda import FILE.\n")
    }
    for calendar in calendars {
      sink.write(SafeText.line(calendar.name) + ": ")
      sink.write(Self.counts(calendar).joined(separator: ", ") + "\n")
      for source in calendar.sources { writeText(source, to: &sink) }
    }
    if mails.isEmpty { return }
    sink.write("mail about events of all calendars\n")
    for mail in mails { writeText(mail, to: &sink) }
  }

  private func writeText(_ source: SourceSummary, to sink: inout ByteSink) {
    sink.write("  " + SafeText.line(source.source.displayName))
    if let moment = source.lastImport {
      sink.write(
        (source.source.kind == .local ? ", last added " : ", imported ")
          + words.times([.utc(moment.utc)]))
    }
    sink.write("\n")
    if let state = states[source.source.location] {
      let facts = facts(about: state)
      if !facts.isEmpty { sink.write("    " + facts.joined(separator: ", ") + "\n") }
    }
    if source.hidden > 0 {
      let hidden = source.hidden == 1 ? "1 entry" : "\(source.hidden) entries"
      sink.write("    \(hidden) removed from the store, but not from the source\n")
    }
    if let error = source.lastError {
      sink.write("    last import refused: " + SafeText.line(error) + "\n")
    }
  }

  /// `last success Fri 20 Nov 09:00`, …
  private func facts(about state: Subscription) -> [String] {
    var facts: [String] = []
    func add(_ name: String, _ moment: Instant?) {
      if let moment { facts.append("\(name) \(words.times([.utc(moment.utc)]))") }
    }
    add("last success", state.lastSuccess)
    if state.lastAttempt != state.lastSuccess { add("last attempt", state.lastAttempt) }
    add("next attempt", state.nextAttempt)
    if state.failureCount > 1 { facts.append("\(state.failureCount) failures in a row") }
    if let size = state.size { facts.append("\(size) bytes") }
    return facts
  }

  private func writeTable(to sink: inout ByteSink) {
    var table = TableText([
      "calendar", "source", "events", "tasks", "lastImport", "lastError", "lastSuccess",
      "lastAttempt", "nextAttempt", "bytes", "journals", "freeBusy", "hidden",
    ])
    func text(_ moment: Instant?) -> String { moment?.rfc3339(in: words.zone) ?? "" }
    for (calendar, sources) in listed {
      for source in sources {
        let state = states[source.source.location]
        table.add([
          calendar?.name ?? "", source.source.displayName, String(source.events),
          String(source.tasks),
          text(source.lastImport), source.lastError ?? "", text(state?.lastSuccess),
          text(state?.lastAttempt), text(state?.nextAttempt), state?.size.map(String.init) ?? "",
          String(source.journals), String(source.freeBusy), String(source.hidden),
        ])
      }
    }
    table.write(to: &sink)
  }

  /// The sources by calendar; mails without a calendar come last, without a name.
  private var listed: [(calendar: CalendarSummary?, sources: [SourceSummary])] {
    calendars.map { ($0, $0.sources) } + (mails.isEmpty ? [] : [(nil, mails)])
  }

  private func writeJSON(to sink: inout ByteSink) {
    sink.write(document: "calendars", of: listed) { listed, sink in
      // Mails have messages, and no events.
      let calendar = listed.calendar
      sink.beginObject()
      sink.field("name", calendar?.name)
      sink.field("color", calendar?.color)
      sink.field("events", calendar?.events ?? 0)
      sink.field("tasks", calendar?.tasks ?? 0)
      sink.field("journals", calendar?.journals ?? 0)
      sink.field("freeBusy", calendar?.freeBusy ?? 0)
      sink.array("sources", listed.sources) { sink, source in
        sink.beginObject()
        sink.field("source", source.source.displayName)
        sink.field("events", source.events)
        sink.field("tasks", source.tasks)
        sink.field("journals", source.journals)
        sink.field("freeBusy", source.freeBusy)
        sink.field("lastImport", source.lastImport?.rfc3339(in: words.zone))
        sink.field("lastError", source.lastError)
        let state = states[source.source.location]
        sink.field("lastSuccess", state?.lastSuccess?.rfc3339(in: words.zone))
        sink.field("lastAttempt", state?.lastAttempt?.rfc3339(in: words.zone))
        sink.field("nextAttempt", state?.nextAttempt?.rfc3339(in: words.zone))
        sink.field("pause", state?.pause?.reason.name)
        sink.field("failures", state?.failureCount ?? 0)
        sink.field("bytes", state?.size)
        sink.field("hidden", source.hidden)
        sink.endObject()
      }
      sink.endObject()
    }
  }

  /// `3 events, 1 task`; a calendar without any entries has `0 events`.
  private static func counts(_ calendar: CalendarSummary) -> [String] {
    let counts = [
      (calendar.events, "event"), (calendar.tasks, "task"), (calendar.journals, "journal"),
      (calendar.freeBusy, "free/busy component"),
    ].filter { $0.0 > 0 }.map { count($0.0, $0.1) }
    return counts.isEmpty ? [count(0, "event")] : counts
  }

  private static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }
}
