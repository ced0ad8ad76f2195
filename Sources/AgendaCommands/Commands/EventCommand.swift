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
    let found = try run.entry(arguments.reference, request)
    let description = try EntryDescription(found, request: request)
    guard request.presentation.format == .json else {
      return try run.write { description.writeText(to: &$0) }
    }
    let path = try run.path(of: found, in: request)
    try run.write { description.writeJSON(at: path, to: &$0) }
  }
}
