internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions
internal import Phrases
internal import Recurrence

extension AgendaCommand {
  static let add = AgendaCommand(
    Command(
      "add", summary: "add an event or a task of your own",
      discussion: [
        "agenda reads the first words as a date, a time, a length or an end, and a repetition. The order does not matter, and what does not match is the title. They can also come after the title. With --at no word is read as a date. One quoted argument means the same as several. agenda prints how it understood the words; agenda undo removes the event again.",
        "Dates: today, day after tomorrow, mon, next fri, next week, in 2 weeks, +3d, 24 dec, dec 24 2027, 24.12., 24.12.2027, 2027-12-24. Also on the 24th, end of may, first monday of december, two weeks from monday, this weekend. A date without a year is the next such date. next fri is in next week, Monday to Sunday, and next week is its Monday. 3/4 is an error, because some people write the day first.",
        "Times: 12:30, 12.30, 9am, 2:30 p.m., 14h30, at 9, at half past nine, ten past nine, seven thirty, noon, midnight, in 2 hours. An hour alone from 1 to 6 is in the afternoon: at 5 is 17:00, but 5am, 05:00 and at 5 in the morning are not. tonight at 8 and friday night at 8 are 20:00. A time without a date is today, or tomorrow if it has passed; a weekday is today only while its time is ahead. A number alone is not a time.",
        "Repetitions: every tuesday and thursday, every 2 weeks, every other friday, every 2nd monday of the month. Also the 1st of every month, every may 3rd, every weekday except friday, every day except 24 dec. every second monday is an error, because it can be every two weeks or once a month. With a time also tuesdays 9:30, weekdays at 9 and daily 7:00. until june, until 3 may, until the end of the year, for 10 weeks or 10 times after them says how long they go on; until june includes June. After the title and a time, weekly is a repetition too. All that --repeat takes is in its help.",
        "Lengths: 1h, 1h30, 45 min, 1.5 hours, for an hour and a half, for 2 days. Ends: 9-10, 12-1, 9-5, 2-3pm, 22:00 - 1:00, from 9 to 11, mon - wed, 24-26 dec, mon 9:00 - wed 17:00. A date alone at the end is the last day. The words before the title of a task say when it is due.",
        "A date or time that does not exist, such as 30 feb or 25:00, is an error. Of several arguments, one with spaces is read as a whole: \"24 dec\" is a date, and \"1h walk\" belongs to the title. Nothing is misread in silence: a warning names words that look like a time and were not used. Next to the words that were used they are an error, such as wendesday 9:00 or 10am PST.",
        "In a calendar imported from a folder, each event becomes an .ics file. Without --calendar the event goes to the default-calendar of the configuration, otherwise to the calendar local of your own; agenda calendars new NAME begins another. A date alone makes an all-day event. Times are in the zone of --in-zone or --timezone, and keep their hour there when the clocks change.",
        "--calendar with the path of an empty folder begins a calendar there. A series begins with the first date of its rule: --repeat weekdays on a Saturday begins on Monday.",
      ],
      operands: [
        Operand(
          Value("TITLE"), help: "the title, after any words for the date, time and length",
          isOptional: true, isRepeatable: true)
      ],
      options: [Options.eventTitle.typedOnly] + Options.eventOptions + [
        Options.asTask, Options.likeReference,
      ]
        + [Options.targetCalendar, Options.defaultCalendar, Options.dryRunOfEvent]
        + [Options.quiet, Options.send, Options.locale, Options.store] + Options.momentOptions,
      examples: [
        Command.Example(
          "agenda add tomorrow 12:30 1h Lunch with Ana --location \"Café Central\"",
          "add an appointment in plain words"),
        Command.Example(
          "agenda add every tuesday and thursday at 9:30 for 45 minutes until june Stand-up",
          "add a series in plain words"),
        Command.Example(
          "agenda add mon 9-9:15 Stand-up --repeat weekdays", "add a series with a rule"),
        Command.Example(
          "agenda add Holiday --at 2026-12-24 --until 2026-12-31",
          "add an all-day event; the last day is included"),
        Command.Example(
          "agenda add --task \"Pay the rent\" --due \"1 dec\" --priority 1", "add a task"),
        Command.Example(
          "agenda add \"Summit\" --photo summit.jpg",
          "add an event when and where the picture was taken"),
        Command.Example(
          "agenda add --like 3f9a2c71 --calendar home", "copy somebody else's event"),
      ], group: "Store"),
    isPaged: false,
    arguments: AddArguments.init
  ) { arguments, run in
    let viewer = arguments.viewer
    let store = try run.store(arguments.request.input.store, for: viewer)
    let original = try arguments.like.map { try run.entry($0, arguments.request).entry.occurrence }
    let written = try run.adding(arguments) { begins in
      try store.write(isDryRun: arguments.isDryRun) { writer in
        if let original {
          return try writer.add(
            like: original, arguments.edit, to: arguments.calendar, begins: begins)
        }
        return try writer.add(
          arguments.edit, kind: arguments.kind, to: arguments.calendar, begins: begins)
      }
    }
    if !arguments.isQuiet {
      for warning in arguments.warnings { run.messages.warn(warning) }
    }
    guard arguments.isDryRun || !arguments.isQuiet, let occurrence = written.occurrence else {
      return try run.send(
        changesOf: arguments.isDryRun ? [] : written.serverCalendars, store, now: arguments.sends,
        isQuiet: true)
    }
    run.warnOfDroppedOverrides(written)
    run.environment.noteWritten(occurrence)
    let added = occurrence.event
    let words = TimeWords(wording: arguments.request.presentation.wording, zone: viewer.zone)
    if let skipped = written.skippedStart, let start = added.start, arguments.namesStart {
      run.messages.warn(
        (arguments.hasRepeat ? "--repeat: " : "")
          + "\(words.time(skipped)) is not a date of the rule; "
          + "the series begins on \(words.time(start))")
    }
    let verb = WritingVerb.added.text(isDryRun: arguments.isDryRun)
    if arguments.isDryRun {
      // The id of a new entry is made when it is added.
      return try run.printChangedLines(
        written.changedLines,
        after: words.sentence(
          verb, occurrence, exceptions: added.exceptions, showsID: false,
          isOnScreen: run.environment.isOnScreen))
    }
    try run.environment.print(
      words.sentence(
        verb, occurrence, exceptions: added.exceptions, isOnScreen: run.environment.isOnScreen)
        + "\n")
    try run.send(
      changesOf: written.serverCalendars, store, now: arguments.sends, isQuiet: false)
  }
}

extension CommandRun {
  /// Adds to the calendar of the arguments. On a terminal, a person can begin one that does not exist. A
  /// default that cannot be used is a mistake in the configuration.
  fileprivate func adding<Result>(
    _ arguments: AddArguments, _ add: (_ begins: Bool) throws -> Result
  ) throws -> Result {
    try writing {
      do {
        return try add(false)
      } catch let failure as CalendarError {
        guard let error = failure.origin as? WritingError else { throw failure }
        switch error {
        case .unknownCalendar(let name, _):
          if arguments.usesDefaultCalendar { throw Self.unusableDefault(error) }
          guard let ask = environment.ask, !name.contains("/") else { throw failure }
          let question = "no calendar is called \(name); begin one of your own? [y/N]"
          guard let answer = ask(SafeText.line(question) + " "),
            ["y", "yes"].contains(answer.lowercased())
          else { throw CommandError.failed("nothing was added; only y begins a calendar") }
          return try add(true)
        case .notOwn, .readOnly:
          if arguments.usesDefaultCalendar { throw Self.unusableDefault(error) }
        default: break
        }
        throw failure
      }
    }
  }

  private static func unusableDefault(_ error: WritingError) -> CommandError {
    .wrongValue(
      Options.defaultCalendar,
      "\(ErrorWording.text(of: error)); nothing was added: set another calendar here, or use "
        + "--calendar")
  }
}

private struct AddArguments {
  let viewer: Viewer
  let edit: EventEdit
  let kind: Event.Kind
  let like: EntryReference?
  let calendar: String?
  /// Whether the calendar is the default of the configuration.
  let usesDefaultCalendar: Bool
  /// Where `--like` is looked up, and how the result is worded.
  let request: AgendaRequest
  /// About words of the title that look like a time.
  let warnings: [String]
  /// Whether a date was typed, and not only a rule or a time.
  let namesStart: Bool
  let hasRepeat: Bool
  let isQuiet: Bool
  let isDryRun: Bool
  let sends: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    let viewer = try Viewer(invocation)
    self.viewer = viewer
    var edit = try EventEdit(invocation, viewer: viewer)
    kind = line.has(Options.asTask) ? .task : .event
    like = try line.value(of: Options.likeReference).map { (text) throws(CommandError) in
      try EntryReference(text)
    }
    request = try AgendaRequest(invocation, sources: []).inAllCalendars.forWriting
    func propose(_ words: [String], _ asTask: Bool) -> String? {
      Self.command(words, asTask: asTask, invocation)
    }
    let entry = try edit.read(
      line.operands, TypedTimes(line), viewer: viewer,
      dialect: viewer.dialect(request.presentation.wording), isAt: line.has(Options.at),
      isTask: kind == .task, propose)
    namesStart = entry?.phrase?.namesDate ?? true
    hasRepeat = line.has(Options.repeatRule)
    if edit.due != nil, edit.length != nil {
      throw .wrongUsage(
        "--due cannot be used with a length or an end before the title, because both set when a "
          + "task ends: leave one of them out")
    }
    if kind == .task, !line.has(Options.at) { edit.readStartAsDue() }
    try edit.adoptMetadata(ofPhoto: line.value(of: Options.photo), viewer: viewer)
    if like == nil {
      guard let title = edit.title, !title.isEmpty,
        edit.start != nil || edit.due != nil || title != entry?.unread.first?.text
      else {
        throw .wrongUsage("TITLE: a title is missing")
      }
      if kind == .event, edit.start == nil {
        throw .wrongUsage(
          entry?.missingTime(propose)
            ?? "the time is missing: begin with it, such as tomorrow 12:30, or give --at 2026-11-24T12:30"
        )
      }
    }
    let skipped = [edit.start, edit.due].compactMap(\.self)
      .compactMap { viewer.skippedTime($0, zone: edit.zone) }
    warnings =
      skipped
      + (line.has(Options.due) ? [] : entry?.warnings(isTask: kind == .task, propose) ?? [])
    if kind == .event, edit.due != nil { throw .wrongUsage("--due can only be used with --task") }
    self.edit = edit
    let target = line.value(of: Options.targetCalendar)
    calendar = target ?? line.value(of: Options.defaultCalendar)
    usesDefaultCalendar = target == nil
    isQuiet = line.has(Options.quiet)
    isDryRun = line.has(Options.dryRunOfEvent)
    sends = line.has(Options.send)
  }

  /// The command with these words and the options that were typed, if it adds what they say.
  private static func command(
    _ words: [String], asTask: Bool, _ invocation: Invocation
  ) -> String? {
    let text = words.joined(separator: " ")
    var line = invocation.line
    line.operands = words
    if asTask { try? line.add("", for: Options.asTask) }
    let proposed = Invocation(
      line: line, environment: invocation.environment, messages: invocation.messages)
    guard !text.contains(where: { "\"$`\\!".contains($0) }),
      let arguments = try? AddArguments(proposed), arguments.warnings.isEmpty
    else { return nil }
    if case .length(let length) = arguments.edit.length, length.seconds > 0,
      case .date = arguments.edit.start ?? arguments.edit.due
    {
      // `--for 2h` needs a time.
      return nil
    }
    let isPlain = words.allSatisfy { $0.asArgument == $0 }
    // On the screen nobody typed options.
    let typed = invocation.environment.isOnScreen ? [] : invocation.line.typedOptions
    let command = "agenda add\(asTask ? " --task" : "") \(isPlain ? text : text.asArgument)"
    return ([command] + typed.map(\.asArgument)).joined(separator: " ")
  }
}

extension EventEdit {
  /// The date and time before the title of a task are when it is due, unless they have a length or
  /// an end: then the task begins and is due at them.
  fileprivate mutating func readStartAsDue() {
    guard let typed = start, length == nil, due == nil else { return }
    (start, due) = (nil, typed)
  }

  /// Reads the words of `add`: when it is, as far as they match, then the title. With `--at` no word is read.
  fileprivate mutating func read(
    _ operands: [String], _ typed: TypedTimes, viewer: Viewer, dialect: TimeLikeWords.Dialect,
    isAt: Bool, isTask: Bool, _ propose: EntryWords.Proposal
  ) throws(CommandError) -> EntryWords? {
    guard let first = operands.first else { return nil }
    let hasTitle = title != nil
    if !hasTitle, isAt {
      title = operands.joined(separator: " ")
      return nil
    }
    // One quoted argument means the same as several.
    let operands =
      operands.count == 1 ? first.split(separator: " ").map(String.init) : operands
    let now = (zone ?? viewer.zone).civil(at: viewer.now)
    let read: EntryWords
    do throws(WhenPhraseError) {
      read = try EntryWords(
        Self.words(operands, now: now), now: now, dialect: dialect, isTask: isTask,
        hasTitle: hasTitle)
      if let error = read.error, read.obstacle != nil || read.phrase == nil && !isTask {
        throw error
      }
    } catch {
      let commands = EntryWords.replacing(
        in: operands, error, now: now, dialect: dialect, isTask: isTask, hasTitle: hasTitle
      ).compactMap { propose($0, false) }
      throw .wrongUsage(
        "\(error)"
          + commands.enumerated().map {
            ($0 == 0 ? ": " : ", or ") + $1
          }.joined()
          + "; give the time of such a title with --at")
    }
    // With --title, all words must be a date or time.
    if hasTitle, isAt || read.phrase?.wordCount != read.words.count {
      throw .wrongUsage("--title and TITLE cannot be used together")
    }
    if let mistake = read.mistake(isTask: isTask, propose) { throw .wrongUsage(mistake) }
    if let phrase = read.phrase { try take(phrase, typed, viewer: viewer) }
    if !hasTitle { title = read.title.joined(separator: " ") }
    return read
  }

  private mutating func take(
    _ phrase: WhenPhrase, _ typed: TypedTimes, viewer: Viewer
  ) throws(CommandError) {
    start = When(phrase)
    try readEnds(typed, viewer: viewer, start: phrase.date)
    if let extent = phrase.extent {
      if length != nil {
        throw .wrongUsage(
          "--for and --until cannot be used with a length or an end in the words of the title: "
            + "leave one of them out")
      }
      length = Length(extent)
    }
    guard let rule = phrase.repetition else { return }
    if typed.repetition != nil {
      throw .wrongUsage(
        "--repeat cannot be used with a repetition in the words of the title: leave one of them out"
      )
    }
    repetition = .rule(rule.rule, except: rule.exceptions)
  }

  /// The words of the arguments. An argument with spaces is a date or time as a whole, or belongs to
  /// the title as a whole.
  private static func words(
    _ operands: [String], now: CivilDateTime
  ) throws(WhenPhraseError) -> [String] {
    var all: [String] = []
    for (index, operand) in operands.enumerated() {
      let words = operand.split(separator: " ").map(String.init)
      // Nothing explains an impossible date better than its own error.
      let isTime =
        index == 0
        ? try WhenPhrase.readsAll(words, now: now)
        : (try? WhenPhrase.readsAll(words, now: now)) ?? false
      all += isTime ? words : [operand]
    }
    return all
  }
}
