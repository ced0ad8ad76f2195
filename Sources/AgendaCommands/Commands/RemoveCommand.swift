internal import AgendaCore
internal import AgendaRendering
internal import CommandLineOptions

extension AgendaCommand {
  static let remove = AgendaCommand(
    Command(
      "remove", summary: "remove a calendar, one of its sources, or an event from the store",
      discussion: [
        "With --event, the event is removed with all of its occurrences. Importing its source again or agenda undo brings it back.",
        "With --source, events that another source of the calendar has too remain in the version of that source.",
      ],
      operands: [
        Operand(
          Value("CALENDAR", .listed("calendars")), help: "the calendar to remove",
          isOptional: true)
      ],
      options: [Options.eventReference, Options.removedSource] + Options.windowOptions
        + Options.selectionOptions + [Options.groupBy, Options.quiet, Options.store],
      examples: [
        Command.Example("agenda remove work", "a calendar"),
        Command.Example("agenda remove --source old.ics", "one source of a calendar"),
        Command.Example("agenda remove --event 3f9a2c71", "an event, by its id"),
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
      "undo", summary: "take the last import back",
      discussion: [
        "It takes back all that the last command which changed the store did. Used again, it takes back the one before."
      ],
      options: [Options.quiet, Options.store] + Options.momentOptions, group: "Store"),
    isPaged: false,
    arguments: UndoArguments.init
  ) { arguments, run in
    let undone = try run.filledStore(arguments.store, zones: arguments.viewer.database).undo()
    if arguments.isQuiet { return }
    try run.write { sink in
      for one in undone {
        let move = one.formerCalendar.map { "moved from \($0), " } ?? ""
        sink.write(
          SafeText.line(
            "\(one.calendar): taken back: \(move)\(one.added) added, \(one.updated) updated, "
              + "\(one.removed) removed") + "\n")
      }
    }
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
    default: throw .wrongUsage("expected one of CALENDAR, --source SOURCE and --event REF")
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
