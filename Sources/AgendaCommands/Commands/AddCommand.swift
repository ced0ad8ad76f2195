internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let add = AgendaCommand(
    Command(
      "add", summary: "add an event or a task of your own",
      discussion: [
        "agenda reads the first words as a date, a time and a length, as far as they match; the rest is the title. With --at, or with the title as one quoted argument, no word is read as a date. agenda prints how it understood the words; agenda undo removes the event again.",
        "In a calendar imported from a folder, each event becomes an .ics file. Without --calendar the event goes into the store's local calendar. A date alone makes an all-day event. Times are in the zone of --in-zone or --timezone, and keep their hour there when the clocks change.",
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
        + [Options.quiet, Options.locale, Options.store] + Options.momentOptions,
      examples: [
        Command.Example(
          "agenda add tomorrow 12:30 1h Lunch with Ana --location \"Café Central\"",
          "add an appointment in plain words"),
        Command.Example(
          "agenda add mon 9-9:15 Stand-up --repeat weekdays", "add a series"),
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
    let store = CalendarStore(at: try arguments.request.input.store.path, zones: viewer.database)
    let options = run.writingOptions(viewer, isDryRun: arguments.isDryRun)
    let written = try run.writing {
      if let like = arguments.like {
        let occurrence = try run.entry(like, arguments.request).entry.occurrence
        return try store.add(
          like: occurrence, arguments.edit, to: arguments.calendar, options)
      }
      return try store.add(
        arguments.edit, kind: arguments.kind, to: arguments.calendar, options)
    }
    if arguments.isDryRun { return try run.printChangedLines(of: written) }
    guard !arguments.isQuiet, let added = written.events.first else { return }
    let words = TimeWords(wording: arguments.request.presentation.wording, zone: viewer.zone)
    if let skipped = written.skippedStart, let start = added.start {
      run.messages.warn(
        "--repeat: \(words.time(skipped)) is not a date of the rule; "
          + "the series begins on \(words.time(start))")
    }
    try run.environment.print(words.sentence("added", added) + "\n")
  }
}

private struct AddArguments {
  let viewer: Viewer
  let edit: EventEdit
  let kind: Event.Kind
  let like: EntryReference?
  let calendar: String?
  /// Where `--like` is looked up, and how the result is worded.
  let request: AgendaRequest
  let isQuiet: Bool
  let isDryRun: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    let viewer = try Viewer(invocation)
    self.viewer = viewer
    var edit = try EventEdit(invocation, viewer: viewer)
    kind = line.has(Options.asTask) ? .task : .event
    like = try line.value(of: Options.likeReference).map { (text) throws(CommandError) in
      try EntryReference(text)
    }
    try edit.read(line.operands, viewer: viewer, isAt: line.has(Options.at))
    try edit.adoptMetadata(ofPhoto: line.value(of: Options.photo), viewer: viewer)
    if like == nil {
      guard edit.title?.isEmpty == false else { throw .wrongUsage("TITLE: a title is missing") }
      if kind == .event, edit.start == nil {
        throw .wrongUsage(
          "the time is missing: begin with it, such as agenda add tomorrow 12:30 Lunch, "
            + "or give --at 2026-11-24T12:30")
      }
    }
    if kind == .event, edit.due != nil { throw .wrongUsage("--due can only be used with --task") }
    self.edit = edit
    calendar = line.value(of: Options.targetCalendar) ?? line.value(of: Options.defaultCalendar)
    request = try AgendaRequest(invocation, sources: []).inAllCalendars
    isQuiet = line.has(Options.quiet)
    isDryRun = line.has(Options.dryRunOfEvent)
  }
}

extension EventEdit {
  /// Reads the words of `add`: when it is, as far as they match, then the title.
  fileprivate mutating func read(
    _ operands: [String], viewer: Viewer, isAt: Bool
  ) throws(CommandError) {
    guard let first = operands.first else { return }
    let hasTitle = title != nil
    if !hasTitle, isAt || operands.count == 1 {
      title = operands.joined(separator: " ")
      return
    }
    let words = operands.flatMap { $0.split(separator: " ").map(String.init) }
    let typed = zone ?? viewer.zone
    let phrase = WhenPhrase(words, now: typed.civil(at: viewer.now))
    // With --title all words say when it is.
    if hasTitle, isAt || phrase?.wordCount != words.count {
      throw .wrongUsage("--title and TITLE cannot be used together")
    }
    guard let phrase else {
      title = operands.joined(separator: " ")
      if first.isEmpty { title = nil }
      return
    }
    start = When(phrase)
    if length == nil, let found = phrase.length {
      length = .length(EventDuration(days: found.days, seconds: found.seconds))
    }
    if !hasTitle { title = words.dropFirst(phrase.wordCount).joined(separator: " ") }
  }
}
