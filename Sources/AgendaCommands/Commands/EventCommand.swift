internal import AgendaCore
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions
internal import Recurrence

extension AgendaCommand {
  static let event = AgendaCommand(
    Command(
      "event", summary: "show all details of an entry",
      operands: [.reference, .sources],
      options: Options.entryOptions,
      examples: [
        Command.Example("agenda event 3.2", "show the second entry of the third day"),
        Command.Example("agenda event 3f9a2c71 calendar.ics", "show an entry of a file by its id"),
      ], group: "One entry"),
    arguments: EntryArguments.init
  ) { arguments, run in
    let request = arguments.request
    let isJSON = request.presentation.format == .json
    let found = try run.entry(arguments.reference, request, isPlaced: isJSON)
    let description = try EntryDescription(found, request: request)
    try run.write { sink in
      if isJSON {
        description.writeJSON(to: &sink)
      } else {
        description.writeText(to: &sink)
      }
    }
  }
}
