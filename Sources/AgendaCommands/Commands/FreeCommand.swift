internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions
internal import Phrases

extension AgendaCommand {
  static let free = AgendaCommand(
    Command(
      "free", summary: "list free time within working hours, or entries that overlap",
      discussion: [
        "The default window is one week from today. Past times are never listed as free. Entries that are marked as free (TRANSP:TRANSPARENT), cancelled entries, tasks and invitations that you have declined (address in the configuration) count as free time. All-day entries do too, unless --all-day is given. The busy times that somebody publishes without details (VFREEBUSY) are busy.",
        "A date in words in place of a SOURCE is the first day: free next week.",
        "With --conflicts it lists pairs of timed entries that overlap instead, at any time of the day.",
        "On a terminal, a bar shows the working hours of each day: free time is light, busy time is dark.",
        "If a source cannot be read or a calendar is unknown, nothing is listed.",
      ],
      operands: [.sources],
      options: Options.windowOptions
        + [
          Options.between, Options.atLeast, Options.weekdays, Options.allDay, Options.conflicts,
          Options.calendar, Options.notCalendar, Options.search, Options.condition,
          Options.notDeclined, Options.linesFormat, Options.safe, Options.locale, Options.ifAny,
          Options.color, Options.ownAddress,
        ] + Options.sourceOptions,
      examples: [
        Command.Example(
          "agenda free --weekdays --at-least 1h --between 09:00-17:00 --weeks 2",
          "find an hour for a meeting"),
        Command.Example("agenda free --conflicts --months 1", "list double bookings"),
      ], group: "Time"),
    arguments: FreeArguments.init
  ) { arguments, run in
    let request = arguments.request
    let calendars = try run.calendars(of: request.input, for: request.viewer)
    try run.checkCompleteness(of: calendars, request)
    var problems: [SourceFinding] = []
    let agenda = try calendars.agenda(in: request.window, of: request.selection) {
      problems.append($0)
    }
    run.messages.report(listing: problems)
    let declined = calendars.declined(by: arguments.ownAddresses, among: agenda.occurrences)
    let occurrences = agenda.occurrences.filter { !declined.contains($0.event.reference) }
    if arguments.listsConflicts {
      let (pairs, wasCut) = Conflict.all(among: occurrences)
      if wasCut {
        run.messages.warn("more than \(pairs.count) pairs overlap; only these are listed")
      }
      if pairs.isEmpty, request.presentation.printsNothingIfEmpty { return }
      try run.write { ConflictList(pairs, request).write(to: &$0) }
    } else {
      let busy = try calendars.busyTimes(in: agenda.window, of: request.selection)
      let slots = arguments.freeTime.slots(in: agenda.window, around: occurrences, busy: busy)
      if slots.isEmpty, request.presentation.printsNothingIfEmpty { return }
      try run.write { SlotList(slots, of: arguments.freeTime, request).write(to: &$0) }
    }
  }
}

extension CommandRun {
  /// Free time is a claim about all calendars. Without one of them it would be wrong, and somebody would
  /// accept an appointment.
  fileprivate func checkCompleteness(
    of calendars: Calendars, _ request: AgendaRequest
  ) throws {
    guard calendars.readings.allSatisfy({ $0.error == nil }) else {
      throw CommandError.failed("nothing is listed, because a source could not be read; see above")
    }
    let names = try calendars.calendarNames()
    for wanted in request.input.calendars where names.calendar(named: wanted.name) == nil {
      throw CommandError.wrongValue(
        wanted.option, "nothing is listed, because calendar \"\(wanted.name)\" is unknown")
    }
  }
}

private struct FreeArguments {
  let request: AgendaRequest
  let freeTime: FreeTime
  let listsConflicts: Bool
  /// The user's addresses in the configuration.
  let ownAddresses: [String]

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    let (sources, firstDay) = try line.sourcesAndFirstDay(today: Viewer(invocation).today)
    request = try AgendaRequest(
      invocation, window: .week, firstDay: firstDay, sources: sources)
    listsConflicts = line.has(Options.conflicts)
    let ofFreeTime = [Options.between, Options.atLeast, Options.weekdays, Options.allDay]
    if listsConflicts, let other = ofFreeTime.first(where: line.isTyped) {
      throw .wrongUsage(
        "--conflicts and \(other.spelling) cannot be used together, because \(other.spelling) is about "
          + "free time")
    }
    ownAddresses = line.values(of: Options.ownAddress)
    let between = line.value(of: Options.between) ?? "09:00-17:00"
    guard let hours = WorkingHours(between) else {
      throw .wrongValue(
        Options.between, "expected two times in their order such as 09:00-17:00, got \"\(between)\""
      )
    }
    let atLeast = line.value(of: Options.atLeast) ?? "1m"
    guard let shortest = LengthText(atLeast) else {
      throw .wrongValue(Options.atLeast, "expected a length such as 30m or 1h, got \"\(atLeast)\"")
    }
    freeTime = FreeTime(
      begin: hours.begin, finish: hours.finish, isOnWeekdaysOnly: line.has(Options.weekdays),
      shortest: shortest.days * TimeOfDay.secondsPerCivilDay + shortest.seconds,
      earliest: request.viewer.now, countsWholeDays: line.has(Options.allDay))
  }
}

/// Free times in each format.
private struct SlotList {
  private let slots: [FreeTime.Slot]
  private let freeTime: FreeTime
  private let request: AgendaRequest
  private let zone: Zone

  init(_ slots: [FreeTime.Slot], of freeTime: FreeTime, _ request: AgendaRequest) {
    self.slots = slots
    self.freeTime = freeTime
    self.request = request
    zone = request.viewer.zone
  }

  func write(to sink: inout ByteSink) {
    let wording = request.presentation.wording
    switch request.presentation.format {
    case .text, .markdown, .html:
      let isMarkdown = request.presentation.format == .markdown
      if slots.isEmpty { sink.write(wording.words.time.noFreeTime + "\n") }
      var layout = TextLayout(
        width: request.presentation.columns, color: request.presentation.color)
      var day: CivilDate?
      for slot in slots {
        if slot.day != day {
          if day != nil { sink.write("\n") }
          let heading = wording.fullDate(slot.day)
          if isMarkdown {
            sink.write("## \(MarkdownText.inline(heading))\n\n")
          } else {
            layout.write(heading, .strong, to: &sink)
            layout.newLine(to: &sink)
            if request.presentation.isOnTerminal { writeBar(of: slot.day, &layout, to: &sink) }
          }
          day = slot.day
        }
        let times = wording.timeRange(
          zone.civil(at: slot.begin).time, zone.civil(at: slot.finish).time)
        let length = wording.duration(seconds: slot.seconds)
        if isMarkdown {
          sink.write("- **\(MarkdownText.inline(times))** (\(MarkdownText.inline(length)))\n")
        } else {
          sink.write("  \(times)  \(length)\n")
        }
      }
    case .json, .jsonl, .tsv, .csv:
      list.write(
        slots, as: request.presentation.format, safe: request.presentation.isSafe, to: &sink
      ) { sink in
        sink.key("window")
        request.window.writeJSON(to: &sink)
      }
    }
  }

  private var list: ListFormat<FreeTime.Slot> {
    ListFormat(
      name: "free",
      fields: [
        .init("start") { [zone] in FieldValue($0.begin, in: zone) },
        .init("end") { [zone] in FieldValue($0.finish, in: zone) },
        .init("minutes") { .number($0.seconds / 60) },
      ],
      columns: ["start", "end", "minutes"])
  }

  /// `09:00 ██░░░░████ 17:00`: the working hours, in which free time is light and busy time is dark.
  /// What is over is a dotted line.
  private func writeBar(of day: CivilDate, _ layout: inout TextLayout, to sink: inout ByteSink) {
    let wording = request.presentation.wording
    let begin = zone.instant(of: CivilDateTime(day, freeTime.begin))
    let next = zone.startOfDay(day.adding(days: 1) ?? .afterLast)
    let finish = freeTime.finish.map { zone.instant(of: CivilDateTime(day, $0)) } ?? next
    let ends = [freeTime.begin, freeTime.finish ?? .midnight].map(wording.time)
    let room = (request.presentation.columns ?? 80) - 4 - ends.map(DisplayWidth.of).reduce(0, +)
    let seconds = finish.secondsSinceEpoch - begin.secondsSinceEpoch
    guard seconds > 0, room >= 8 else { return }
    // A column is a quarter of an hour, or the shortest length that fits.
    let quarter = 15 * 60
    let columns = min(room, (seconds + quarter - 1) / quarter)
    let free = slots.filter { $0.day == day }
    layout.space(2, to: &sink)
    layout.write(ends[0] + " ", .weak, to: &sink)
    for column in 0..<columns {
      let moment = begin.adding(seconds: (2 * column + 1) * seconds / (2 * columns))
      if free.contains(where: { $0.begin <= moment && moment < $0.finish }) {
        layout.write("░", .good, to: &sink)
      } else {
        layout.write(moment < request.viewer.now ? "·" : "█", .weak, to: &sink)
      }
    }
    layout.write(" " + ends[1], .weak, to: &sink)
    layout.newLine(to: &sink)
  }
}

/// Overlaps in each format.
private struct ConflictList {
  private let conflicts: [Conflict]
  private let request: AgendaRequest
  private let zone: Zone
  private let words: TimeWords

  init(_ conflicts: [Conflict], _ request: AgendaRequest) {
    self.conflicts = conflicts
    self.request = request
    zone = request.viewer.zone
    words = TimeWords(wording: request.presentation.wording, zone: zone)
  }

  func write(to sink: inout ByteSink) {
    switch request.presentation.format {
    case .text, .markdown, .html:
      let isMarkdown = request.presentation.format == .markdown
      if conflicts.isEmpty { sink.write(words.words.time.nothingOverlaps + "\n") }
      var layout = TextLayout(
        width: request.presentation.columns, color: request.presentation.color)
      for conflict in conflicts {
        let length = words.wording.duration(
          seconds: conflict.finish.secondsSinceEpoch - conflict.begin.secondsSinceEpoch)
        let heading = "\(words.time(.utc(conflict.begin.utc))) (\(length))"
        let both = [conflict.first, conflict.second]
        if isMarkdown {
          sink.write("- **\(MarkdownText.inline(heading))**\n")
          for one in both {
            sink.write("  - **\(MarkdownText.inline(times(of: one)))** ")
            sink.write("\(MarkdownText.inline(text(of: one)))\n")
          }
        } else {
          layout.write(heading, .strong, to: &sink)
          layout.newLine(to: &sink)
          for one in both {
            layout.space(2, to: &sink)
            layout.write(times(of: one), to: &sink)
            layout.space(2, to: &sink)
            layout.hang()
            layout.write(text(of: one), to: &sink)
            if request.presentation.listsIdentifiers(in: request.presentation.columns) {
              layout.write(" · \(OccurrenceID(of: one))", .weak, to: &sink)
            }
            layout.newLine(to: &sink)
          }
        }
      }
    case .json, .jsonl, .tsv, .csv:
      list.write(
        conflicts, as: request.presentation.format, safe: request.presentation.isSafe, to: &sink
      ) { sink in
        sink.key("window")
        request.window.writeJSON(to: &sink)
      }
    }
  }

  private var list: ListFormat<Conflict> {
    let entries = ListFormat<Occurrence>(
      name: "entries", fields: .ofAgenda([.id, .title, .start, .end, .calendar], in: zone))
    return ListFormat(
      name: "conflicts",
      fields: [
        .init("start") { [zone] in FieldValue($0.begin, in: zone) },
        .init("end") { [zone] in FieldValue($0.finish, in: zone) },
        .init(entries) { [$0.first, $0.second] },
        .init(column: "first") { .text($0.first.event.title) },
        .init(column: "second") { .text($0.second.event.title) },
        .init(column: "firstId") { .id(OccurrenceID(of: $0.first)) },
        .init(column: "secondId") { .id(OccurrenceID(of: $0.second)) },
      ],
      columns: ["start", "end", "first", "second", "firstId", "secondId"])
  }

  /// `09:30–10:30`, or with the dates if they differ.
  private func times(of occurrence: Occurrence) -> String {
    let (begin, finish) = (zone.civil(at: occurrence.begin), zone.civil(at: occurrence.finish))
    guard begin.date != finish.date else {
      return words.wording.timeRange(begin.time, finish.time)
    }
    let ends = [begin, finish].map {
      words.wording.dateAndTime(words.wording.shortDate($0.date), words.wording.time($0.time))
    }
    return ends.joined(separator: " – ")
  }

  /// `Stand-up · work`
  private func text(of occurrence: Occurrence) -> String {
    "\(words.title(of: occurrence.event)) · \(SafeText.line(occurrence.event.calendar))"
  }
}

extension DateWindow {
  /// `{"start":…,"end":…,"timeZone":…}`, as every document has it.
  func writeJSON(to sink: inout ByteSink) {
    sink.beginObject()
    sink.field("start", start.rfc3339(in: zone))
    sink.field("end", end.rfc3339(in: zone))
    sink.field("timeZone", zone.name)
    sink.endObject()
  }
}
