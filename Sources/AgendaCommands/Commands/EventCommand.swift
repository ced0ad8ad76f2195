internal import AgendaCore
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions
internal import Recurrence

extension AgendaCommand {
  static let event = AgendaCommand(
    Command(
      "event", summary: "say everything about one entry",
      operands: [.reference, .sources],
      options: Options.entryOptions,
      examples: [
        Command.Example("agenda event 3.2", "the second entry of the third day"),
        Command.Example("agenda event 3f9a2c71 calendar.ics", "an entry of a file, by its id"),
      ], group: "One entry")
  ) { invocation in
    let request = try AgendaRequest(invocation)
    let found = try invocation.entry(request)
    let description = try EntryDescription(found, request: request)
    try invocation.write { sink in
      if request.presentation.format == .json {
        description.writeJSON(to: &sink)
      } else {
        description.writeText(to: &sink)
      }
    }
  }
}
