internal import AgendaRendering
internal import AgendaStore
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let calendars = AgendaCommand(
    Command(
      "calendars", summary: "say what is in the store: calendars, sources, counts, last import",
      options: [Options.listFormat, Options.locale, Options.store] + Options.momentOptions,
      group: "Store")
  ) { invocation in
    let viewer = try Viewer(invocation)
    let presentation = try Presentation(invocation)
    let calendars = try invocation.openStore(viewer)?.calendars() ?? []
    let words = TimeWords(wording: presentation.wording, zone: viewer.zone)
    try invocation.write { sink in
      CalendarList(calendars, presentation.format, words).write(to: &sink)
    }
  }
}

/// The calendars of a store in each format.
private struct CalendarList {
  private let calendars: [CalendarSummary]
  private let format: AgendaFormat
  private let words: TimeWords

  init(_ calendars: [CalendarSummary], _ format: AgendaFormat, _ words: TimeWords) {
    self.calendars = calendars
    self.format = format
    self.words = words
  }

  func write(to sink: inout ByteSink) {
    switch format {
    case .json: writeJSON(to: &sink)
    case .tsv: writeTable(to: &sink)
    case .text, .markdown, .jsonl: writeText(to: &sink)
    }
  }

  private func writeText(to sink: inout ByteSink) {
    if calendars.isEmpty {
      sink.write("No calendars yet: agenda import SOURCE reads one in.\n")
    }
    for calendar in calendars {
      sink.write(SafeText.line(calendar.name) + ": ")
      sink.write(Self.count(calendar.events, "event"))
      if calendar.tasks > 0 { sink.write(", " + Self.count(calendar.tasks, "task")) }
      sink.write("\n")
      for source in calendar.sources {
        sink.write("  " + SafeText.line(source.source.displayName))
        if let moment = source.lastImport {
          sink.write(
            (source.source.kind == .local ? ", last added " : ", imported ")
              + words.times([.utc(moment.utc)]))
        }
        sink.write("\n")
        if let error = source.lastError {
          sink.write("    last refused: " + SafeText.line(error) + "\n")
        }
      }
    }
  }

  private func writeTable(to sink: inout ByteSink) {
    var table = TableText(["calendar", "source", "events", "tasks", "lastImport", "lastError"])
    for calendar in calendars {
      for source in calendar.sources {
        table.add([
          calendar.name, source.source.displayName, String(source.events), String(source.tasks),
          source.lastImport?.rfc3339(in: words.zone) ?? "", source.lastError ?? "",
        ])
      }
    }
    table.write(to: &sink)
  }

  private func writeJSON(to sink: inout ByteSink) {
    sink.write(document: "calendars", of: calendars) { calendar, sink in
      sink.write("{\"name\":")
      sink.write(json: calendar.name)
      sink.write(",\"color\":")
      sink.write(json: calendar.color)
      sink.write(",\"events\":")
      sink.write(json: calendar.events)
      sink.write(",\"tasks\":")
      sink.write(json: calendar.tasks)
      sink.write(",\"sources\":")
      sink.write(jsonArray: calendar.sources) { sink, source in
        sink.write("{\"source\":")
        sink.write(json: source.source.displayName)
        sink.write(",\"events\":")
        sink.write(json: source.events)
        sink.write(",\"tasks\":")
        sink.write(json: source.tasks)
        sink.write(",\"journals\":")
        sink.write(json: source.journals)
        sink.write(",\"lastImport\":")
        sink.write(json: source.lastImport?.rfc3339(in: words.zone))
        sink.write(",\"lastError\":")
        sink.write(json: source.lastError)
        sink.write("}")
      }
      sink.write("}")
    }
  }

  private static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }
}
