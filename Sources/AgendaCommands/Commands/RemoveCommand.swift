internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CommandLineOptions

extension AgendaCommand {
  static let remove = AgendaCommand(
    Command(
      "remove", summary: "remove a calendar, one of its sources, or an event from the store",
      discussion: [
        "--event removes the event from its folder or from the local calendar. agenda does not change single files and addresses: it hides their events, also in later imports, until agenda undo. A series needs --only, --following or --all.",
        "--source keeps events that another source of the calendar contains too.",
        "The options under Selection and Window choose the listing in which an index path such as 3.1 counts.",
      ],
      operands: [
        Operand(
          Value("CALENDAR", .listed("calendars")), help: "the calendar to remove",
          isOptional: true)
      ],
      options: [Options.eventReference, Options.removedSource] + Options.windowOptions
        + Options.selectionOptions + Options.scopeOptions
        + [Options.groupBy, Options.dryRunOfEvent, Options.quiet, Options.store],
      examples: [
        Command.Example("agenda remove work", "remove a calendar"),
        Command.Example("agenda remove --source old.ics", "remove one source of a calendar"),
        Command.Example("agenda remove --event 3f9a2c71", "remove an event by its id"),
        Command.Example(
          "agenda remove --event 3.1 --only", "remove one occurrence of a series"),
      ], group: "Store"),
    isPaged: false,
    arguments: RemoveArguments.init
  ) { arguments, run in
    let request = arguments.request
    let store = try run.filledStore(request.input.store, for: request.viewer)
    var message: String
    switch arguments.target {
    case .event(let reference):
      let occurrence = try run.entry(reference, request).entry.occurrence
      let written = try run.writing(reference) {
        try store.write(isDryRun: arguments.isDryRun) {
          try $0.remove(occurrence, scope: arguments.scope)
        }
      }
      if arguments.isDryRun { return try run.printChangedLines(of: written) }
      let event = occurrence.event
      run.warnOfCopies(written, of: event)
      message = "removed \(event.title.isEmpty ? event.identity.uid : event.title)"
      if let scope = arguments.scope, occurrence.recurrenceID != nil {
        let words = TimeWords(
          wording: request.presentation.wording, zone: request.viewer.zone)
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
    case .source(let name):
      let count = try store.write {
        name == "-" ? try $0.removeStandardInput() : try $0.remove(source: name)
      }
      message = "removed \(name): \(count) \(count == 1 ? "entry" : "entries")"
    case .calendar(let name):
      let count = try store.write { try $0.remove(calendar: name) }
      message = "removed \(name): \(count) \(count == 1 ? "entry" : "entries")"
    }
    if !arguments.isQuiet { try run.environment.print(SafeText.line(message) + "\n") }
  }

  static let undo = AgendaCommand(
    Command(
      "undo", summary: "undo the last change of the store",
      discussion: [
        "It reverts everything that the last import, refresh or change of an event did, also to files of folders. Run it again to revert the change before that. If another program has changed a file since, nothing is undone."
      ],
      options: [Options.quiet, Options.store] + Options.momentOptions, group: "Store"),
    isPaged: false,
    arguments: UndoArguments.init
  ) { arguments, run in
    let store = try run.store(arguments.store, for: arguments.viewer)
    let undone = try run.writing { try store.write { try $0.undo() } }
    if arguments.isQuiet { return }
    try run.write { sink in
      let calendars = UndoneCalendar.all(of: undone)
      let changed = calendars.filter { !$0.changes.isEmpty }
      for one in changed.isEmpty ? calendars : changed {
        sink.write(SafeText.line(one.summary) + "\n")
      }
      if undone.isEmpty {
        sink.write("the messages of the last import are forgotten; no event changed\n")
      }
    }
  }
}

/// What `undo` did to a calendar: the sum of all of its sources.
private struct UndoneCalendar {
  let calendar: String
  let previousCalendar: String?
  var added = 0
  var updated = 0
  var removed = 0

  static func all(of imports: [UndoneImport]) -> [UndoneCalendar] {
    var calendars: [UndoneCalendar] = []
    for one in imports {
      let known = calendars.firstIndex {
        $0.calendar == one.calendar && $0.previousCalendar == one.previousCalendar
      }
      let index = known ?? calendars.count
      if known == nil {
        calendars.append(
          UndoneCalendar(calendar: one.calendar, previousCalendar: one.previousCalendar))
      }
      calendars[index].added += one.added
      calendars[index].updated += one.updated
      calendars[index].removed += one.removed
    }
    return calendars
  }

  /// `Work: 3 entries removed, 1 changed back, 9 restored`
  var summary: String {
    "\(calendar): \(changes.isEmpty ? "no entries changed" : changes.joined(separator: ", "))"
  }

  var changes: [String] {
    var parts: [String] = []
    func entries(_ count: Int) -> String {
      parts.isEmpty ? "\(count) \(count == 1 ? "entry" : "entries")" : "\(count)"
    }
    if added > 0 { parts.append("\(entries(added)) removed") }
    if updated > 0 { parts.append("\(entries(updated)) changed back") }
    if removed > 0 { parts.append("\(entries(removed)) restored") }
    if let previousCalendar { parts.append("moved back to \(previousCalendar)") }
    return parts
  }
}

private struct RemoveArguments {
  enum Target {
    case calendar(String)
    case source(String)
    case event(EntryReference)
  }

  let target: Target
  let request: AgendaRequest
  let scope: SeriesScope?
  let isQuiet: Bool
  let isDryRun: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    let source = line.value(of: Options.removedSource)
    switch (line.operands.first, source, line.value(of: Options.eventReference)) {
    case (let calendar?, nil, nil): target = .calendar(calendar)
    case (nil, let source?, nil): target = .source(source)
    case (nil, nil, let reference?): target = .event(try EntryReference(reference))
    default: throw .wrongUsage("expected CALENDAR, --source SOURCE or --event REF")
    }
    request = try AgendaRequest(invocation, sources: [])
    scope = SeriesScope(line)
    isQuiet = line.has(Options.quiet)
    isDryRun = line.has(Options.dryRunOfEvent)
    guard line.has(Options.eventReference) || scope == nil && !isDryRun else {
      throw .wrongUsage("--only, --following, --all and --dry-run can only be used with --event")
    }
  }
}

private struct UndoArguments {
  let viewer: Viewer
  let store: StoreArgument
  let isQuiet: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    viewer = try Viewer(invocation)
    store = try StoreArgument(invocation)
    isQuiet = invocation.line.has(Options.quiet)
  }
}
