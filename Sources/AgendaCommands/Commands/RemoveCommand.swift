internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CommandLineOptions

extension AgendaCommand {
  static let remove = AgendaCommand(
    Command(
      "remove", summary: "remove a calendar, one of its sources, or an event from the store",
      discussion: [
        "If no calendar has the name, it is an event, as with --event. If both have it, say which one you mean with --event or --calendar. An event is removed from its folder or from your own calendar. agenda does not change single files and addresses: it hides their events, also in later imports, until agenda undo. A series needs --only, --following or --all.",
        "A calendar that has entries is removed after a question. Without a terminal it is removed if --calendar names it, or with --yes. Its files stay, and refresh does not bring it back; agenda undo does. What you decided about its events ends with it.",
        "--source keeps events that another source of the calendar contains too. The address of an account on a CalDAV server means all of its calendars. With REF, --calendar says where to look for it.",
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
        + [
          Options.groupBy, Options.dryRunOfEvent, Options.yes, Options.quiet, Options.send,
          Options.locale,
          Options.store,
        ],
      examples: [
        Command.Example("agenda remove --calendar work", "remove a calendar"),
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
    // What waits is lost with a calendar or a source, not with an event.
    var unsentBefore = 0
    let target = try arguments.target(among: store.read { try $0.calendarNames() }) { reference in
      try run.hasEntry(reference, request)
    }
    switch target {
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
      if run.environment.isOnScreen, written.scope == nil {
        message += ": \(words.span(of: occurrence)), \(event.calendar)"
      } else if written.scope == nil, occurrence.recurrenceID != nil || !written.events.isEmpty {
        message += ": \(words.span(of: occurrence))"
      }
      if let scope = written.scope {
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
      } else if !arguments.isDryRun, !run.environment.isOnScreen {
        message += undoHint
      }
      if arguments.isDryRun {
        return try run.printChangedLines(
          written.changedLines, after: SafeText.line(message))
      }
      serverCalendars = written.serverCalendars
    case .source(let name):
      unsentBefore = try run.unsentChanges(store)
      let count: Int
      do {
        count = try store.write(isDryRun: arguments.isDryRun) {
          try $0.remove(source: ImportedSource.libraryName(of: name), user: arguments.user)
        }
      } catch CalendarError.severalAccounts(let address, let users) {
        throw CommandError.wrongUsage(
          "\(CalendarError.severalAccounts(address: address, users: users)); "
            + "--user NAME chooses one")
      }
      message = arguments.sentence(name, count)
    case .calendar(let name):
      unsentBefore = try run.unsentChanges(store)
      try run.confirm(store.calendars().first { $0.name == name }, arguments)
      let count = try store.write(isDryRun: arguments.isDryRun) { try $0.remove(calendar: name) }
      message = arguments.sentence(name, count)
    }
    // What waits because of this command is not lost.
    let unsent = unsentBefore == 0 ? 0 : unsentBefore - (try run.unsentChanges(store))
    if unsent > 0, !arguments.isDryRun {
      run.messages.warn(
        "\(unsent == 1 ? "1 change was" : "\(unsent) changes were") not sent to the server; "
          + "agenda undo brings the calendar back")
    }
    if !arguments.isQuiet { try run.environment.print(SafeText.line(message) + "\n") }
    try run.send(
      changesOf: serverCalendars, store, now: arguments.sends, isQuiet: arguments.isQuiet)
  }
}

extension CommandRun {
  /// Whether a word that is the name of a calendar names entries, too.
  fileprivate func hasEntry(_ reference: EntryReference, _ request: AgendaRequest) throws -> Bool {
    var environment = environment
    environment.ask = nil
    do {
      _ = try CommandRun(environment: environment, messages: messages).entry(reference, request)
      return true
    } catch CommandError.unknownEntry, CommandError.failed {
      return false
    } catch CommandError.wrongUsage {
      // Several entries.
      return true
    }
  }

  /// Makes sure that a person means a calendar with all of its entries.
  fileprivate func confirm(_ calendar: CalendarSummary?, _ arguments: RemoveArguments) throws {
    guard let calendar, !arguments.isConfirmed, !arguments.isDryRun else { return }
    let count = calendar.events + calendar.tasks + calendar.journals
    if count == 0 { return }
    let entries = "calendar \(calendar.name) with \(count) \(count == 1 ? "entry" : "entries")"
    if let ask = environment.ask {
      let answer = ask(SafeText.line("remove \(entries)? [y/N]") + " ")
      guard let answer, ["y", "yes"].contains(answer.lowercased()) else {
        throw CommandError.failed("nothing was removed; --yes answers the question")
      }
    } else if !arguments.namesCalendar {
      throw CommandError.wrongUsage(
        "this would remove \(entries); agenda remove --calendar \(calendar.name.asArgument) does it"
      )
    }
  }
}

private let undoHint = "; agenda undo brings it back"

private struct RemoveArguments {
  enum Target {
    case calendar(String)
    case source(String)
    case event(EntryReference)
  }

  private let operand: String
  /// Whether `--calendar` says where the entry is looked for.
  private let narrowsSearch: Bool
  private let source: String?
  /// Whose account `source` is.
  let user: String?
  private let reference: EntryReference?
  let request: AgendaRequest
  let scope: SeriesScope?
  let isQuiet: Bool
  let isDryRun: Bool
  let isConfirmed: Bool
  let sends: Bool
  /// Whether the calendar is named by `--calendar`.
  let namesCalendar: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    let source = line.value(of: Options.removedSource)
    let event = line.value(of: Options.eventReference)
    let words = line.operands.joined(separator: " ")
    let calendars = line.typedValues(of: Options.calendar)
    let given = [!words.isEmpty, source != nil, event != nil].count(where: { $0 })
    namesCalendar = given == 0 && calendars.count == 1
    guard given == 1 || namesCalendar else {
      throw .wrongUsage("expected CALENDAR, REF, --calendar NAME, --source SOURCE or --event REF")
    }
    operand = namesCalendar ? calendars[0] : words
    narrowsSearch = given == 1 && !calendars.isEmpty
    self.source = source
    user = line.value(of: Options.userOfSource)
    guard user == nil || source != nil else {
      throw .wrongUsage("--user: expected --source ADDRESS too, the address of an account")
    }
    reference = try event.map { (text) throws(CommandError) in try EntryReference(text) }
    request = try AgendaRequest(invocation, sources: []).forWriting
    scope = SeriesScope(line)
    isQuiet = line.has(Options.quiet)
    isDryRun = line.has(Options.dryRunOfEvent)
    isConfirmed = line.has(Options.yes)
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

  /// What is removed: with `--calendar` next to a word, an entry; otherwise the calendar of that name, unless
  /// `hasEntry` says that it names an entry, too.
  func target(
    among calendars: [String], hasEntry: (EntryReference) throws -> Bool
  ) throws -> Target {
    if let reference { return .event(reference) }
    if let source {
      try checkOptions()
      return .source(source)
    }
    let calendar = calendars.calendar(named: operand)
    if namesCalendar {
      guard let calendar else { throw StoreError.unknown(what: "calendar", name: operand) }
      try checkOptions()
      return .calendar(calendar)
    }
    let reference = try EntryReference(operand)
    guard let calendar, !narrowsSearch else { return .event(reference) }
    if try hasEntry(reference) {
      throw CommandError.wrongUsage(
        "\(operand) is a calendar and an entry; choose agenda remove --calendar "
          + "\(calendar.asArgument) or agenda remove --event \(operand.asArgument)")
    }
    try checkOptions()
    return .calendar(calendar)
  }

  private func checkOptions() throws {
    guard scope == nil else {
      throw CommandError.wrongUsage(
        "--only, --following and --all are for events; use them with --event REF")
    }
  }

  /// `removed work: 3 entries; agenda undo brings it back`
  func sentence(_ name: String, _ count: Int) -> String {
    WritingVerb.removed.text(isDryRun: isDryRun)
      + " \(name): \(count) \(count == 1 ? "entry" : "entries")" + (isDryRun ? "" : undoHint)
  }
}
