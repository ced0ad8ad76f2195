internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions
internal import Recurrence

extension AgendaCommand {
  static let edit = AgendaCommand(
    Command(
      "edit", summary: "change an event in its folder or in the local calendar",
      discussion: [
        "Each option sets a property of the event; an empty value removes it, and --alarm \"\" or --attach \"\" removes all of them. Every other line of the event stays as it is.",
        "--at alone keeps the length; a date alone keeps the time, and a time alone the date. A weekday is in the week of the occurrence. A date without a year is the closest one that is not in the past; today, tomorrow and next count from today.",
        "--at with a date and --for or --until in days makes the event all-day. An all-day event that gets a time lasts an hour. --in-zone alone keeps the time on the clock. A task with a start and a --due at a time begins at 0:00 if its start was a date.",
        "--at +1h, -30m and +1d move the entry from its start, and --due +1d moves a task from its due date. Hours and minutes count on the clock, also when the clocks change. In a series, --at is the new start of the occurrence that REF names. --only changes this occurrence. --all moves the whole series by the same difference; the day of its end stays if only the time moves. --following ends the series before it and continues with a new one. On a terminal agenda asks which of them you mean.",
        "agenda prints which occurrences it changed, and each value that changed as from → to. --dry-run prints the same, and then the lines that would change.",
        "--calendar moves the event to another calendar; a series moves as a whole. --editor opens the event's text, one property per line. If a line cannot be read, agenda opens the text again with the error above it. If you save the text unchanged, the event stays as it is.",
        "agenda does not change events that come from a single file or an address; agenda add --like copies them to a calendar of your own.",
      ],
      operands: [.referenceWords],
      options: [Options.eventTitle.typedOnly] + Options.eventOptions
        + [Options.newCalendar, Options.editor] + Options.scopeOptions
        + Options.windowOptions + [Options.search, Options.groupBy]
        + [Options.dryRunOfEvent, Options.quiet, Options.send, Options.locale, Options.store],
      examples: [
        Command.Example("agenda edit dentist --at \"tomorrow 15:00\"", "move an appointment"),
        Command.Example("agenda edit choir --at +1h", "move it to an hour later"),
        Command.Example(
          "agenda edit 3f9a2c71 --only --location \"Room 2\"", "change one occurrence of a series"),
        Command.Example("agenda edit 3.1 --note \"\"", "remove the description"),
        Command.Example("agenda edit 3.1 --calendar family", "move it to another calendar"),
        Command.Example("agenda edit 3f9a2c71 --all --editor", "edit the text of a series"),
      ], group: "Store"),
    isPaged: false,
    arguments: EditArguments.init
  ) { arguments, run in
    let request = arguments.request
    let viewer = request.viewer
    let store = try run.filledStore(request.input.store, for: viewer)
    let found = try run.entry(arguments.reference, request)
    let occurrence = found.entry.occurrence
    let previous = try EditReport.Previous(found)
    var scope = arguments.scope
    var written: StoreWriter.Written?
    if arguments.usesEditor {
      written = try run.editText(
        of: occurrence, named: arguments.reference, &scope, store, isDryRun: arguments.isDryRun)
    } else {
      var edit = arguments.edit ?? EventEdit()
      var date = occurrence.firstDay(in: edit.zone ?? viewer.zone)
      if let shift = arguments.shift { date = try shift.move(&edit, startOf: occurrence) }
      if let shift = arguments.dueShift { try shift.move(&edit, dueOf: occurrence) }
      try edit.read(arguments.times, viewer: viewer, date: date)
      written = try run.writing(arguments.reference, of: occurrence) {
        try run.withScope(&scope) { scope in
          try store.write(isDryRun: arguments.isDryRun) {
            try $0.edit(occurrence, edit, scope: scope, to: arguments.calendar)
          }
        }
      }
    }
    let words = TimeWords(wording: request.presentation.wording, zone: viewer.zone)
    let report = written.map {
      EditReport($0, previous, words, hasNewRule: arguments.edit?.repetition != nil)
    }
    if let report, !arguments.isQuiet, arguments.edit?.repetition == nil {
      run.warnOfOtherWeekdays(report, scope)
    }
    try run.report(
      written, .changed, occurrence, request, arguments,
      details: report?.line)
    try run.send(written, store, arguments)
  }

  static let done = AgendaCommand(
    Command(
      "done", summary: "mark a task as completed",
      discussion: [
        "If the task repeats, only this occurrence is completed. agenda tasks --ids lists the ids of the open tasks.",
        "A task from a single file or an address stays open there. agenda remembers that it is done, also in later imports; agenda undo takes it back.",
      ],
      operands: [.referenceWords],
      options: Options.windowOptions + [Options.search, Options.groupBy]
        + [Options.dryRunOfEvent, Options.quiet, Options.send, Options.locale, Options.store],
      examples: [
        Command.Example("agenda done rent", "complete the task with this word in its title"),
        Command.Example("agenda done 3f9a2c71", "complete a task by its id"),
      ],
      group: "Store"),
    isPaged: false,
    arguments: DoneArguments.init
  ) { arguments, run in
    let request = arguments.request
    let viewer = request.viewer
    let store = try run.filledStore(request.input.store, for: viewer)
    let occurrence = try run.entry(arguments.reference, request).entry.occurrence
    let written = try run.writing(arguments.reference, of: occurrence) {
      try store.write(isDryRun: arguments.isDryRun) { try $0.complete(occurrence) }
    }
    let source = written.unchangedSource.map {
      "\($0) stays as it is; later imports leave the task done until agenda undo"
    }
    try run.report(
      written, .completed, occurrence, request, arguments, details: source.map(SafeText.line))
    try run.send(written, store, arguments)
  }
}

private protocol WritingArguments {
  /// The properties that options set.
  var edit: EventEdit? { get }
  var isQuiet: Bool { get }
  var isDryRun: Bool { get }
  /// Whether a change of a calendar on a server is sent at once.
  var sends: Bool { get }
}

private struct EditArguments: WritingArguments {
  let reference: EntryReference
  let request: AgendaRequest
  let edit: EventEdit?
  let times: TypedTimes
  /// How far the entry moves from its start.
  let shift: TypedShift?
  /// How far its due date moves.
  let dueShift: TypedShift?
  let scope: SeriesScope?
  /// Where the event moves.
  let calendar: String?
  let usesEditor: Bool
  let isQuiet: Bool
  let isDryRun: Bool
  let sends: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    request = try AgendaRequest(invocation, sources: []).inAllCalendars.forWriting
    reference = try EntryReference(line.operands.joined(separator: " "))
    let typed = ([Options.eventTitle] + Options.eventOptions + [Options.newCalendar])
      .filter(line.has)
    usesEditor = line.has(Options.editor)
    guard usesEditor || !typed.isEmpty else {
      throw .wrongUsage(
        "nothing to change; set a property with an option such as --at or --title, or use --editor")
    }
    if usesEditor, let other = typed.first {
      throw .wrongUsage("--editor and \(other.spelling) cannot be used together")
    }
    calendar = line.value(of: Options.newCalendar)
    var times = TypedTimes(line)
    shift = try times.start.flatMap { (text) throws(CommandError) in
      try TypedShift(text, Options.at)
    }
    if shift != nil { times.start = nil }
    dueShift = try times.due.flatMap { (text) throws(CommandError) in
      try TypedShift(text, Options.due)
    }
    if dueShift != nil { times.due = nil }
    self.times = times
    edit = try EventEdit(invocation, viewer: request.viewer, times: times)
    scope = SeriesScope(line)
    isQuiet = line.has(Options.quiet)
    isDryRun = line.has(Options.dryRunOfEvent)
    sends = line.has(Options.send)
  }
}

private struct DoneArguments: WritingArguments {
  var edit: EventEdit? { nil }
  let reference: EntryReference
  let request: AgendaRequest
  let isQuiet: Bool
  let isDryRun: Bool
  let sends: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    var request = try AgendaRequest(invocation, sources: []).inAllCalendars
    request.selection.includesTasks = true
    self.request = request
    reference = try EntryReference(line.operands.joined(separator: " "))
    isQuiet = line.has(Options.quiet)
    isDryRun = line.has(Options.dryRunOfEvent)
    sends = line.has(Options.send)
  }
}

extension Occurrence {
  /// `nil` without a date.
  func firstDay(in zone: Zone) -> CivilDate? {
    isUndated ? nil : allDay?.lowerBound ?? zone.civil(at: begin).date
  }
}

extension CommandRun {
  fileprivate func send(
    _ written: StoreWriter.Written?, _ store: CalendarStore, _ arguments: some WritingArguments
  ) throws {
    guard let written, !written.isUnchanged, !arguments.isDryRun else { return }
    try send(
      changesOf: written.serverCalendars, store, now: arguments.sends, isQuiet: arguments.isQuiet)
  }

  fileprivate func report(
    _ written: StoreWriter.Written?, _ verb: WritingVerb, _ occurrence: Occurrence,
    _ request: AgendaRequest, _ arguments: some WritingArguments, details: String? = nil
  ) throws {
    if arguments.isQuiet, !arguments.isDryRun { return }
    let words = TimeWords(wording: request.presentation.wording, zone: request.viewer.zone)
    guard let written, !written.isUnchanged else {
      let title = words.title(of: occurrence.event)
      return try environment.print("nothing to change in \(title)\n")
    }
    let master = written.events.first { $0.identity.recurrenceID == nil }
    if let master, arguments.edit?.repetition != nil { warnOfFirstDate(master, words) }
    warnOfDroppedOverrides(written)
    warnOfCopies(written, of: occurrence.event)
    for alarm in written.fixedAlarms {
      let time = words.time(.utc(alarm.utc))
      messages.warn(
        "an alarm with a fixed time stays at \(time); --alarm \"\" removes the alarms")
    }
    guard let changed = written.occurrence else { return }
    environment.noteWritten(changed)
    let exceptions = arguments.edit?.repetition == nil ? [] : changed.event.exceptions
    let sentence =
      words.sentence(
        verb.text(isDryRun: arguments.isDryRun), changed, exceptions: exceptions,
        isOnScreen: environment.isOnScreen)
      + (details.map { "\n  \($0)" } ?? "")
    if arguments.isDryRun {
      return try printChangedLines(
        written.changedLines, after: sentence)
    }
    try environment.print(sentence + "\n")
  }

  /// Whoever moves one occurrence with `--all` or `--following` may not think of the days of the
  /// others.
  fileprivate func warnOfOtherWeekdays(_ report: EditReport, _ scope: SeriesScope?) {
    guard let (old, new) = report.otherWeekdays else { return }
    let option = scope == .following ? Options.following : Options.allOccurrences
    messages.warn(
      "\(option.spelling): the weekdays of the series change too: \(old) → \(new); "
        + "--only moves one occurrence")
  }

  /// RFC 5545 counts the start as the first occurrence, even if the rule does not match it.
  private func warnOfFirstDate(_ event: Event, _ words: TimeWords) {
    guard let start = event.start, let rule = event.recurrence?.rules.first,
      rule.firstMatch(from: start, viewer: words.zone)?.civil != start.civil
    else { return }
    messages.warn(
      "--repeat: \(words.time(start)) is not a date of the rule, but stays the first occurrence; "
        + "--at moves it")
  }
}
