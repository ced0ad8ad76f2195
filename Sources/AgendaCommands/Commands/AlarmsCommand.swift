internal import AgendaCore
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let alarms = AgendaCommand(
    Command(
      "alarms", summary: "print the alarms due in the next time, for cron",
      discussion: [
        "An alarm is due if it goes off from now on and before --within is over, so that a run every ten minutes tells each alarm once. Repeated alarms come again."
      ],
      operands: [.sources],
      options: [Options.within] + Options.momentOptions
        + Options.selectionOptions.filter { $0 != Options.once && $0 != Options.limit }
        + [Options.format, Options.locale, Options.ifAny] + Options.sourceOptions,
      examples: [
        Command.Example(
          "agenda alarms --within 10m --if-any | xargs -r -d '\\n' -n 1 notify-send",
          "every ten minutes, from cron")
      ], group: "Time")
  ) { invocation in
    let request = try AgendaRequest(invocation)
    let text = invocation.line.value(of: Options.within) ?? "10m"
    guard let length = LengthText(text) else {
      throw CommandError.wrongUsage("--within: \"\(text)\" is no length, such as 10m, 2h or 1d")
    }
    let viewer = request.viewer
    let span = viewer.now..<viewer.later(by: length)
    let events = try invocation.events(
      of: invocation.line.operands, viewer: viewer, window: nil)
    let due = try events.dueAlarms(in: span, request)
    if due.isEmpty, request.presentation.printsNothingIfEmpty { return }
    if due.isEmpty, request.presentation.format == .text, request.presentation.columns != nil {
      // For a person at a terminal; what cron mails would be noise.
      return try invocation.environment.print("No alarms from now on for \(text).\n")
    }
    try invocation.write { sink in
      AlarmList(due, span: span, request: request).write(to: &sink)
    }
  }
}

extension Viewer {
  /// The moment so much later: days by the calendar, the rest exact.
  func later(by length: LengthText) -> Instant {
    let civil = zone.civil(at: now)
    let moved =
      length.days == 0
      ? now
      : zone.instant(
        of: CivilDateTime(civil.date.adding(days: length.days) ?? .last, civil.time))
    return moved.adding(seconds: length.seconds)
  }
}

extension EventProvider {
  /// The alarms that go off in a span, in the order of their moments.
  fileprivate func dueAlarms(in span: Range<Instant>, _ request: AgendaRequest) throws
    -> [DueAlarm]
  {
    var found: [DueAlarm] = []
    let zone = request.viewer.zone
    let selection = request.selection
    for series in try series(ringing: span, selection: selection) {
      let all = ([series.master] + series.overrides).flatMap { alarms(of: $0.reference) }
      func occurrences(_ window: Range<Instant>) -> Occurrences {
        series.occurrences(
          touching: window, viewer: zone, includingCancelled: selection.includesCancelled)
      }
      func due(_ alarms: [Alarm], of occurrence: Occurrence) -> [DueAlarm] {
        DueAlarm.all(of: occurrence, alarms: alarms, in: span, viewer: zone)
      }
      if let reach = DueAlarm.reach(of: all) {
        let around =
          span.lowerBound.adding(
            seconds: -reach.after)..<span.upperBound.adding(seconds: reach.before)
        for occurrence in occurrences(around) where selection.admits(occurrence, details: details) {
          let moving = alarms(of: occurrence.event.reference).filter {
            DueAlarm.span(ofFixed: $0) == nil
          }
          found += due(moving, of: occurrence)
        }
      }
      // An alarm at a moment of its own says nothing about where its event is, and goes off once
      // for the series.
      var fixed = Set(
        all.filter { alarm in
          DueAlarm.span(ofFixed: alarm).map {
            $0.lowerBound < span.upperBound && $0.upperBound >= span.lowerBound
          } ?? false
        })
      if fixed.isEmpty { continue }
      for occurrence in occurrences(zone.startOfDay(.first)..<zone.startOfDay(.afterLast))
      where selection.admits(occurrence, details: details) {
        let own = alarms(of: occurrence.event.reference).filter { fixed.remove($0) != nil }
        found += due(own, of: occurrence)
        if fixed.isEmpty { break }
      }
    }
    return found.sorted { $0.order < $1.order }
  }
}

extension DueAlarm {
  /// By moment, then by what it belongs to, so that sources and the store list the same.
  fileprivate var order: (Int, Int, String, String, String, Int) {
    (
      moment.secondsSinceEpoch, occurrence.begin.secondsSinceEpoch, occurrence.event.title,
      occurrence.event.identity.uid, alarm.action, repetition
    )
  }
}

/// Due alarms in each format.
private struct AlarmList {
  private let alarms: [DueAlarm]
  private let span: Range<Instant>
  private let request: AgendaRequest
  private let zone: Zone
  private let words: TimeWords

  init(_ alarms: [DueAlarm], span: Range<Instant>, request: AgendaRequest) {
    self.alarms = alarms
    self.span = span
    self.request = request
    zone = request.viewer.zone
    words = TimeWords(wording: request.presentation.wording, zone: zone)
  }

  func write(to sink: inout ByteSink) {
    switch request.presentation.format {
    case .text:
      var layout = TextLayout(
        width: request.presentation.columns, color: request.presentation.color)
      for alarm in alarms {
        layout.write(time(of: alarm), to: &sink)
        layout.space(2, to: &sink)
        layout.hang()
        layout.write(text(of: alarm), to: &sink)
        layout.newLine(to: &sink)
      }
    case .markdown:
      for alarm in alarms {
        sink.write("- **\(MarkdownText.inline(time(of: alarm)))** ")
        sink.write("\(MarkdownText.inline(text(of: alarm)))\n")
      }
    case .json:
      sink.write(document: "alarms", of: alarms) { sink in
        sink.write(",\"from\":")
        sink.write(json: span.lowerBound.rfc3339(in: zone))
        sink.write(",\"to\":")
        sink.write(json: span.upperBound.rfc3339(in: zone))
      } item: {
        writeObject($0, to: &$1)
      }
    case .jsonl: sink.write(linesOf: alarms) { writeObject($0, to: &$1) }
    case .tsv:
      var table = TableText(["alarm", "start", "title", "location", "calendar", "action", "id"])
      for alarm in alarms {
        table.add([
          alarm.moment.rfc3339(in: zone), start(of: alarm), alarm.occurrence.event.title,
          alarm.occurrence.event.location ?? "", alarm.occurrence.event.calendar,
          alarm.alarm.action, OccurrenceID(of: alarm.occurrence).description,
        ])
      }
      table.write(to: &sink)
    }
  }

  /// `09:20`
  private func time(of alarm: DueAlarm) -> String {
    words.wording.time(zone.civil(at: alarm.moment).time)
  }

  /// `Stand-up · 09:30, Room 2`
  private func text(of alarm: DueAlarm) -> String {
    let event = alarm.occurrence.event
    let title = SafeText.line(event.title)
    var line = title.isEmpty ? "(no title)" : title
    line += " · "
    let begin = zone.civil(at: alarm.occurrence.begin)
    if begin.date != request.viewer.today {
      line += words.wording.shortDateWithoutYear(begin.date) + " "
    }
    line += alarm.occurrence.allDay == nil ? words.wording.time(begin.time) : "all day"
    if let location = event.location { line += ", " + SafeText.line(location) }
    return line
  }

  private func start(of alarm: DueAlarm) -> String {
    alarm.occurrence.allDay.map { $0.lowerBound.description }
      ?? alarm.occurrence.begin.rfc3339(in: zone)
  }

  private func writeObject(_ alarm: DueAlarm, to sink: inout ByteSink) {
    sink.write("{\"alarm\":")
    sink.write(json: alarm.moment.rfc3339(in: zone))
    sink.write(",\"action\":")
    sink.write(json: alarm.alarm.action)
    sink.write(",\"description\":")
    sink.write(json: alarm.alarm.description)
    sink.write(",\"repetition\":")
    sink.write(json: alarm.repetition)
    sink.write(",\"id\":")
    sink.write(json: OccurrenceID(of: alarm.occurrence).description)
    sink.write(",\"uid\":")
    sink.write(json: alarm.occurrence.event.identity.uid)
    sink.write(",\"title\":")
    sink.write(json: alarm.occurrence.event.title)
    sink.write(",\"start\":")
    sink.write(json: start(of: alarm))
    sink.write(",\"location\":")
    sink.write(json: alarm.occurrence.event.location)
    sink.write(",\"calendar\":")
    sink.write(json: alarm.occurrence.event.calendar)
    sink.write("}")
  }
}
