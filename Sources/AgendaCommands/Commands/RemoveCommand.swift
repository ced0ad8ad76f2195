internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CommandLineOptions

extension AgendaCommand {
  static let remove = AgendaCommand(
    Command(
      "remove", summary: "remove a calendar, one of its sources, or an event from the store",
      discussion: [
        "If no calendar has the name, it is an event, as with --event. An event is removed from its folder or from the local calendar. agenda does not change single files and addresses: it hides their events, also in later imports, until agenda undo. A series needs --only, --following or --all.",
        "--source keeps events that another source of the calendar contains too. The address of an account on a CalDAV server means all of its calendars.",
        "The options under Selection and Window choose the listing in which an index path such as 3.1 counts.",
      ],
      operands: [
        Operand(
          Value("CALENDAR|REF", .listed("calendars")),
          help: "the calendar to remove, or an entry: words of its title, its id or index path",
          isOptional: true, isRepeatable: true)
      ],
      options: [Options.eventReference, Options.removedSource, Options.userOfSource]
        + Options.windowOptions
        + Options.selectionOptions + Options.scopeOptions
        + [Options.groupBy, Options.dryRunOfEvent, Options.quiet, Options.send, Options.store],
      examples: [
        Command.Example("agenda remove work", "remove a calendar"),
        Command.Example("agenda remove --source old.ics", "remove one source of a calendar"),
        Command.Example("agenda remove dentist", "remove the event with this word in its title"),
        Command.Example("agenda remove 3f9a2c71", "remove an event by its id"),
        Command.Example(
          "agenda remove --event 3.1 --only", "remove one occurrence of a series"),
      ], group: "Store"),
    isPaged: false,
    arguments: RemoveArguments.init
  ) { arguments, run in
    let request = arguments.request
    let store = try run.filledStore(request.input.store, for: request.viewer)
    var message: String
    var serverCalendars: [String] = []
    let unsentBefore = try run.unsentChanges(store)
    switch try arguments.target(among: store.read { try $0.calendarNames() }) {
    case .event(let reference):
      let occurrence = try arguments.explaining {
        try run.entry(reference, request).entry.occurrence
      }
      var scope = arguments.scope
      let written = try run.writing(reference) {
        try run.withScope(&scope) { scope in
          try store.write(isDryRun: arguments.isDryRun) {
            try $0.remove(occurrence, scope: scope)
          }
        }
      }
      let event = occurrence.event
      run.warnOfCopies(written, of: event)
      message = WritingVerb.removed.text(isDryRun: arguments.isDryRun)
      message += " \(event.title.isEmpty ? event.identity.uid : event.title)"
      let words = TimeWords(
        wording: request.presentation.wording, zone: request.viewer.zone)
      if run.environment.isOnScreen, scope == nil || occurrence.recurrenceID == nil {
        message += ": \(words.span(of: occurrence)), \(event.calendar)"
      }
      if let scope, occurrence.recurrenceID != nil {
        switch scope {
        case .all: message += ", the whole series"
        case .only:
          message += ": \(words.span(of: occurrence))"
          if written.events.isEmpty, written.unchangedSource == nil {
            message += "; no other occurrence was left, so the whole event is removed"
          }
        case .following: message += ", from \(words.span(of: occurrence)) on"
        }
      }
      if let source = written.unchangedSource {
        message += "; \(source) still has it, and later imports leave it out until agenda undo"
      }
      if arguments.isDryRun {
        return try run.printChangedLines(of: written, after: SafeText.line(message))
      }
      serverCalendars = written.serverCalendars
    case .source(let name):
      let count: Int
      do {
        count = try store.write {
          try $0.remove(source: ImportedSource.libraryName(of: name), user: arguments.user)
        }
      } catch CalendarError.severalAccounts(let address, let users) {
        throw CommandError.wrongUsage(
          "\(CalendarError.severalAccounts(address: address, users: users)); "
            + "--user NAME chooses one")
      }
      message = "removed \(name): \(count) \(count == 1 ? "entry" : "entries")"
    case .calendar(let name):
      let count = try store.write { try $0.remove(calendar: name) }
      message = "removed \(name): \(count) \(count == 1 ? "entry" : "entries")"
    }
    // What waits because of this command is no loss.
    let unsent = unsentBefore - (try run.unsentChanges(store))
    if unsent > 0 {
      run.messages.warn(
        "\(unsent == 1 ? "1 change was" : "\(unsent) changes were") not sent to the server; "
          + "agenda undo brings the calendar back")
    }
    if !arguments.isQuiet { try run.environment.print(SafeText.line(message) + "\n") }
    try run.send(
      changesOf: serverCalendars, store, now: arguments.sends, isQuiet: arguments.isQuiet)
  }
}

private struct RemoveArguments {
  enum Target {
    case calendar(String)
    case source(String)
    case event(EntryReference)
  }

  private let operand: String
  private let source: String?
  /// Whose account `source` is.
  let user: String?
  private let reference: EntryReference?
  let request: AgendaRequest
  let scope: SeriesScope?
  let isQuiet: Bool
  let isDryRun: Bool
  let sends: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    let source = line.value(of: Options.removedSource)
    let event = line.value(of: Options.eventReference)
    operand = line.operands.joined(separator: " ")
    guard [!operand.isEmpty, source != nil, event != nil].count(where: { $0 }) == 1 else {
      throw .wrongUsage("expected CALENDAR, REF, --source SOURCE or --event REF")
    }
    self.source = source
    user = line.value(of: Options.userOfSource)
    guard user == nil || source != nil else {
      throw .wrongUsage("--user: expected --source ADDRESS too, the address of an account")
    }
    reference = try event.map { (text) throws(CommandError) in try EntryReference(text) }
    request = try AgendaRequest(invocation, sources: [])
    scope = SeriesScope(line)
    isQuiet = line.has(Options.quiet)
    isDryRun = line.has(Options.dryRunOfEvent)
    sends = line.has(Options.send)
  }

  /// Says of an operand that names no entry that it names no calendar either.
  func explaining<Answer>(_ search: () throws -> Answer) throws -> Answer {
    do {
      return try search()
    } catch CommandError.unknownEntry(let message) where !operand.isEmpty {
      throw CommandError.failed("\(message); no calendar has this name")
    }
  }

  /// What is removed. The name of a calendar is that calendar, also if entries have the same title.
  func target(among calendars: [String]) throws -> Target {
    if let reference { return .event(reference) }
    let calendar = calendars.calendar(named: operand)
    if source == nil, calendar == nil { return .event(try EntryReference(operand)) }
    guard scope == nil, !isDryRun else {
      throw CommandError.wrongUsage(
        "--only, --following, --all and --dry-run are for events; --event \(operand) names one")
    }
    return source.map(Target.source) ?? .calendar(calendar ?? operand)
  }
}
