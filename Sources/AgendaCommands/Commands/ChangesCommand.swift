internal import AgendaCore
internal import AgendaRendering
internal import AgendaStore
internal import CivilTime
internal import CommandLineOptions
internal import Recurrence

extension AgendaCommand {
  static let changes = AgendaCommand(
    Command(
      "changes", summary: "say what imports changed: added, moved, changed, cancelled, removed",
      discussion: [
        "All imports since then are told together: what came and went again is not told."
      ],
      options: [
        Options.since, Options.calendar, Options.format, Options.locale, Options.ifAny,
        Options.store,
      ] + Options.momentOptions,
      examples: [
        Command.Example("agenda changes --if-any", "what the last import brought, for cron"),
        Command.Example("agenda changes --since 7d -f markdown", "the changes of a week"),
      ], group: "Store")
  ) { invocation in
    let viewer = try Viewer(invocation)
    let presentation = try Presentation(invocation)
    let since = try invocation.line.value(of: Options.since).map { try viewer.moment(since: $0) }
    let selection = Selection(calendars: invocation.line.values(of: Options.calendar))
    let changes = try invocation.filledStore(viewer.database).changes(since: since).filter {
      change in
      guard let event = change.after ?? change.before else { return false }
      return selection.admitsCalendar(named: event.calendar)
    }
    if changes.isEmpty, presentation.printsNothingIfEmpty { return }
    let words = TimeWords(wording: presentation.wording, zone: viewer.zone)
    try invocation.write { sink in
      ChangeList(changes, presentation.format, words).write(to: &sink)
    }
  }
}

extension Viewer {
  /// `2026-11-20`, `yesterday`, `-1w`; or so long ago: `24h`, `7d`; or an RFC 3339 instant.
  fileprivate func moment(since text: String) throws(CommandError) -> Instant {
    if let instant = Instant(rfc3339: text) { return instant }
    if let length = LengthText(text) {
      let civil = zone.civil(at: now)
      let date = civil.date.adding(days: -length.days) ?? .first
      let day = length.days == 0 ? now : zone.instant(of: CivilDateTime(date, civil.time))
      return day.adding(seconds: -length.seconds)
    }
    do throws(DatePhraseError) {
      return zone.startOfDay(try DatePhrase.parse(text, today: today))
    } catch {
      throw .wrongUsage("--since: \(error)")
    }
  }
}

/// Changes in each format.
private struct ChangeList {
  private let changes: [Change]
  private let format: AgendaFormat
  private let words: TimeWords

  init(_ changes: [Change], _ format: AgendaFormat, _ words: TimeWords) {
    self.changes = changes
    self.format = format
    self.words = words
  }

  func write(to sink: inout ByteSink) {
    switch format {
    case .json: sink.write(document: "changes", of: changes, item: writeObject)
    case .jsonl: sink.write(linesOf: changes, item: writeObject)
    case .tsv:
      var table = TableText(["change", "title", "calendar", "from", "to", "properties", "uid"])
      for change in changes {
        let event = change.after ?? change.before
        table.add([
          change.kind.rawValue, event?.title ?? "", event?.calendar ?? "",
          start(of: change.before), start(of: change.after),
          change.properties.joined(separator: ","), event?.identity.uid ?? "",
        ])
      }
      table.write(to: &sink)
    case .text, .markdown: writeText(to: &sink)
    }
  }

  private func writeText(to sink: inout ByteSink) {
    if changes.isEmpty { sink.write("Nothing changed.\n") }
    var calendar: String?
    for change in changes {
      guard let event = change.after ?? change.before else { continue }
      if event.calendar != calendar {
        if calendar != nil { sink.write("\n") }
        sink.write(
          format == .markdown
            ? "## \(MarkdownText.inline(event.calendar))\n\n" : SafeText.line(event.calendar) + "\n"
        )
        calendar = event.calendar
      }
      let title = event.title.isEmpty ? "(no title)" : event.title
      let line = sentence(change, event)
      sink.write(
        format == .markdown
          ? "- **\(change.kind.rawValue)** \(MarkdownText.inline(title)): \(MarkdownText.inline(line))\n"
          : "  \(change.kind.rawValue)  \(SafeText.line(title)): \(SafeText.line(line))\n")
    }
  }

  /// `from Tue, 24 Nov 2026 10:00 to Wed, 25 Nov 2026 11:00`
  private func sentence(_ change: Change, _ event: Event) -> String {
    let was = change.before?.start.map { words.times([$0]) } ?? "no time"
    let now = change.after?.start.map { words.times([$0]) } ?? "no time"
    let others = change.properties.filter { !["DTSTART", "DTEND", "DUE"].contains($0) }
    switch change.kind {
    case .added: return now
    case .removed, .cancelled: return was
    case .moved:
      let more = others.isEmpty ? "" : "; also \(others.joined(separator: ", "))"
      return (was == now ? "\(now), another length" : "from \(was) to \(now)") + more
    case .changed: return "\(now): \(change.properties.joined(separator: ", "))"
    }
  }

  private func start(of event: Event?) -> String {
    event?.start.map { $0.json(in: words.zone) } ?? ""
  }

  private func writeObject(_ change: Change, to sink: inout ByteSink) {
    let event = change.after ?? change.before
    sink.write("{\"change\":")
    sink.write(json: change.kind.rawValue)
    sink.write(",\"calendar\":")
    sink.write(json: event?.calendar)
    sink.write(",\"uid\":")
    sink.write(json: event?.identity.uid)
    sink.write(",\"title\":")
    sink.write(json: event?.title)
    sink.write(",\"from\":")
    sink.write(json: change.before?.start?.json(in: words.zone))
    sink.write(",\"to\":")
    sink.write(json: change.after?.start?.json(in: words.zone))
    sink.write(",\"properties\":")
    sink.write(jsonArray: change.properties) { sink, name in sink.write(json: name) }
    sink.write("}")
  }
}
