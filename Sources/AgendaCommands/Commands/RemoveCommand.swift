internal import AgendaCore
internal import AgendaRendering
internal import AgendaStore
internal import CommandLineOptions

extension AgendaCommand {
  static let remove = AgendaCommand(
    Command(
      "remove", summary: "take a calendar, or one event, out of the store",
      discussion: [
        "With --event it takes out an event with all of its occurrences. Importing its source again brings it back. agenda undo does so too."
      ],
      operands: [
        Operand(
          Value("CALENDAR", .listed("calendars")), help: "the calendar to take out",
          isOptional: true)
      ],
      options: [Options.eventReference] + Options.windowOptions
        + Options.selectionOptions + [Options.groupBy, Options.quiet, Options.store],
      examples: [
        Command.Example("agenda remove work", "a calendar"),
        Command.Example("agenda remove --event 3f9a2c71", "an event, by its id"),
      ], group: "Store"),
    isPaged: false
  ) { invocation in
    let line = invocation.line
    let calendar = line.operands.first
    let reference = line.value(of: Options.eventReference)
    guard (calendar == nil) != (reference == nil) else {
      throw CommandError.wrongUsage("name either a CALENDAR or --event REF")
    }
    let request = try AgendaRequest(invocation)
    _ = try invocation.filledStore(request.viewer.database)
    var told: String
    if let reference {
      let found = try invocation.entry(EntryReference(reference), request, sources: [])
      let store = try invocation.writableStore(request.viewer)
      let event = found.entry.occurrence.event
      try store.remove(
        event: event.reference, run: store.nextRun(), now: request.viewer.now)
      told = "removed \(event.title.isEmpty ? event.identity.uid : event.title)"
      // An id is that of one occurrence; what is removed is all that its source calls one event.
      if event.recurrence != nil || event.identity.recurrenceID != nil {
        told += ", the whole series"
      }
    } else {
      let name = calendar ?? ""
      let store = try invocation.writableStore(request.viewer)
      let count = try store.remove(
        calendar: name, run: store.nextRun(), now: request.viewer.now)
      told = "removed \(name): \(count) \(count == 1 ? "entry" : "entries")"
    }
    if !line.has(Options.quiet) { try invocation.environment.print(SafeText.line(told) + "\n") }
  }

  static let undo = AgendaCommand(
    Command(
      "undo", summary: "take the last import back",
      discussion: [
        "It takes back all that the last command which changed the store did. Used again, it takes back the one before."
      ],
      options: [Options.quiet, Options.store] + Options.momentOptions, group: "Store"),
    isPaged: false
  ) { invocation in
    let viewer = try Viewer(invocation)
    _ = try invocation.filledStore(viewer.database)
    let undone = try invocation.writableStore(viewer).undo()
    if invocation.line.has(Options.quiet) { return }
    try invocation.write { sink in
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
