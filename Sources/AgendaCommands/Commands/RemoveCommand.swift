internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import AgendaStore
internal import CommandLineOptions

extension AgendaCommand {
  static let remove = AgendaCommand(
    Command(
      "remove", summary: "remove a calendar, one of its sources, or an event from the store",
      discussion: [
        "--event removes an event with all of its occurrences. agenda undo brings it back, and so does importing its source again.",
        "--source keeps events that another source of the calendar contains too.",
      ],
      operands: [
        Operand(
          Value("CALENDAR", .listed("calendars")), help: "the calendar to remove",
          isOptional: true)
      ],
      options: [Options.eventReference, Options.removedSource] + Options.windowOptions
        + Options.selectionOptions + [Options.groupBy, Options.quiet, Options.store],
      examples: [
        Command.Example("agenda remove work", "remove a calendar"),
        Command.Example("agenda remove --source old.ics", "remove one source of a calendar"),
        Command.Example("agenda remove --event 3f9a2c71", "remove an event by its id"),
      ], group: "Store"),
    isPaged: false,
    arguments: RemoveArguments.init
  ) { arguments, run in
    let request = arguments.request
    let now = request.viewer.now
    let store = try run.filledStore(request.input.store, zones: request.viewer.database)
    var message: String
    switch arguments.target {
    case .event(let reference):
      let event = try run.entry(reference, request).entry.event
      try store.remove(event, now: now)
      message = "removed \(event.title.isEmpty ? event.identity.uid : event.title)"
      // The id names one occurrence, but the whole event was removed.
      if event.recurrence != nil || event.identity.recurrenceID != nil {
        message += ", the whole series"
      }
    case .source(let name):
      let count = try store.remove(source: name, now: now)
      message = "removed \(name): \(count) \(count == 1 ? "entry" : "entries")"
    case .calendar(let name):
      let count = try store.remove(calendar: name, now: now)
      message = "removed \(name): \(count) \(count == 1 ? "entry" : "entries")"
    }
    if !arguments.isQuiet { try run.environment.print(SafeText.line(message) + "\n") }
  }

  static let undo = AgendaCommand(
    Command(
      "undo", summary: "undo the last change of the store",
      discussion: [
        "It reverts everything that the last import, refresh, add or remove did. Run it again to revert the change before that."
      ],
      options: [Options.quiet, Options.store] + Options.momentOptions, group: "Store"),
    isPaged: false,
    arguments: UndoArguments.init
  ) { arguments, run in
    let store = CalendarStore(at: try arguments.store.path, zones: arguments.viewer.database)
    guard try store.hasSources else { throw StoreError.nothingToUndo }
    let undone = try store.undo()
    if arguments.isQuiet { return }
    try run.write { sink in
      for one in undone { sink.write(SafeText.line(one.summary) + "\n") }
    }
  }
}

extension UndoneImport {
  /// `Work: 3 entries removed, 1 changed back, 9 restored`
  fileprivate var summary: String {
    var parts: [String] = []
    func entries(_ count: Int) -> String {
      parts.isEmpty ? "\(count) \(count == 1 ? "entry" : "entries")" : "\(count)"
    }
    if added > 0 { parts.append("\(entries(added)) removed") }
    if updated > 0 { parts.append("\(entries(updated)) changed back") }
    if removed > 0 { parts.append("\(entries(removed)) restored") }
    if let formerCalendar { parts.append("moved back to \(formerCalendar)") }
    return "\(calendar): \(parts.isEmpty ? "no entries changed" : parts.joined(separator: ", "))"
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
  let isQuiet: Bool

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
    isQuiet = line.has(Options.quiet)
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
