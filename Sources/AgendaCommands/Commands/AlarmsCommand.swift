internal import AgendaCore
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions
internal import Phrases

extension AgendaCommand {
  static let alarms = AgendaCommand(
    Command(
      "alarms", summary: "list alarms that are due soon",
      discussion: [
        "On a terminal it shows when each alarm goes off and how long that is from now.",
        "It lists the alarms that go off between now and the end of --within. If you run it every ten minutes with --within 10m, it lists each alarm once. Repeated alarms are listed each time they go off.",
      ],
      operands: [.sources],
      options: [Options.within] + Options.momentOptions + Options.alarmSelectionOptions
        + [Options.linesFormat, Options.safe, Options.locale, Options.ifAny, Options.color]
        + Options.sourceOptions,
      examples: [
        Command.Example(
          "agenda alarms --within 10m --if-any | xargs -r -d '\\n' -n 1 notify-send",
          "show alarms as desktop notifications; run it from cron every ten minutes")
      ], group: "Time"),
    arguments: AlarmsArguments.init
  ) { arguments, run in
    let request = arguments.request
    let calendars = try run.calendars(of: request.input, for: request.viewer)
    var problems: [SourceFinding] = []
    let due = try calendars.alarms(
      in: arguments.span, of: request.selection, zone: request.viewer.zone
    ) { problems.append($0) }
    run.messages.report(problems)
    if due.isEmpty, request.presentation.printsNothingIfEmpty { return }
    if due.isEmpty, request.presentation.format == .text, request.presentation.isOnTerminal {
      // For a person at a terminal; cron would mail it every time.
      let wording = request.presentation.wording
      let span = arguments.span
      let seconds = span.upperBound.secondsSinceEpoch - span.lowerBound.secondsSinceEpoch
      let sentence = wording.words.time.noAlarms(wording.duration(seconds: seconds))
      return try run.environment.print(sentence + "\n")
    }
    try run.write { sink in
      AlarmList(due, span: arguments.span, request: request).write(to: &sink)
    }
  }
}

private struct AlarmsArguments {
  let request: AgendaRequest
  let span: Range<Instant>

  init(_ invocation: Invocation) throws(CommandError) {
    request = try AgendaRequest(
      ofAlarms: invocation, sources: invocation.line.sources(of: invocation))
    let within = invocation.line.value(of: Options.within) ?? "1d"
    guard let length = LengthText(within) else {
      throw .wrongValue(
        Options.within, "expected a length such as 10m, 2h or 1d, got \"\(within)\"")
    }
    span = request.viewer.now..<request.viewer.later(by: length)
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

/// Due alarms in each format.
private struct AlarmList {
  private let alarms: [DueAlarm]
  private let span: Range<Instant>
  private let request: AgendaRequest
  private let zone: Zone
  private let words: TimeWords
  private let text: AlarmText

  init(_ alarms: [DueAlarm], span: Range<Instant>, request: AgendaRequest) {
    self.alarms = alarms
    self.span = span
    self.request = request
    zone = request.viewer.zone
    words = TimeWords(wording: request.presentation.wording, zone: zone)
    text = AlarmText(words, today: request.viewer.today)
  }

  func write(to sink: inout ByteSink) {
    switch request.presentation.format {
    case .text, .html:
      var layout = TextLayout(
        width: request.presentation.columns, color: request.presentation.color)
      let isOnTerminal = request.presentation.isOnTerminal
      let times = alarms.map(moment(of:))
      let delays = alarms.map { isOnTerminal ? delay(of: $0) : "" }
      let widths = [times, delays].map { $0.map(DisplayWidth.of).max() ?? 0 }
      // In a narrow terminal the text begins on the next line.
      let left = (request.presentation.columns ?? .max) - widths[0] - widths[1] - 4
      let isBelow = left < Self.leastColumnsOfText
      for (index, alarm) in alarms.enumerated() {
        layout.write(times[index], .strong, to: &sink)
        if isOnTerminal {
          layout.space(widths[0] - DisplayWidth.of(times[index]) + 2, to: &sink)
          layout.write(delays[index], .good, to: &sink)
          layout.space(widths[1] - DisplayWidth.of(delays[index]), to: &sink)
        }
        if isBelow { layout.newLine(to: &sink) }
        layout.space(2, to: &sink)
        layout.hang()
        layout.write(text.line(alarm), to: &sink)
        if request.presentation.listsIdentifiers(in: request.presentation.columns) {
          layout.write(" · \(OccurrenceID(of: alarm.occurrence))", .weak, to: &sink)
        }
        layout.newLine(to: &sink)
      }
    case .markdown:
      for alarm in alarms {
        sink.write("- **\(MarkdownText.inline(moment(of: alarm)))** ")
        sink.write("\(MarkdownText.inline(text.line(alarm)))\n")
      }
    case .json, .jsonl, .tsv, .csv:
      text.list.write(
        alarms, as: request.presentation.format, safe: request.presentation.isSafe, to: &sink
      ) { sink in
        sink.field("from", span.lowerBound.rfc3339(in: zone))
        sink.field("to", span.upperBound.rfc3339(in: zone))
      }
    }
  }

  private static let leastColumnsOfText = 24

  /// `09:20`, with the date if it is not today: `Sun 22 Nov, 09:20`
  private func moment(of alarm: DueAlarm) -> String {
    let civil = zone.civil(at: alarm.moment)
    return text.withDate(civil.date, words.wording.time(civil.time))
  }

  /// `in 5 min`
  private func delay(of alarm: DueAlarm) -> String {
    let until = TimeUntil(alarm.moment, from: request.viewer.now)
    return until.seconds == 0
      ? words.words.entries.now : words.words.entries.inTime(until.duration(words.wording))
  }
}
