internal import AgendaCore
internal import CommandLineOptions

extension AgendaCommand {
  /// Every command, in the order in which help lists them.
  static var all: [AgendaCommand] {
    [
      show, today, tomorrow, week, month, next, calendar, search, event, explain, attachment, free,
      alarms, `import`, refresh, calendars, add, remove, export, changes, undo, check, doctor,
      completions, help,
    ]
  }
}

extension Program {
  static var agenda: Program {
    Program(
      name: "agenda", version: agendaVersion, date: "November 21, 2026",
      summary: "what happens from today on, from .ics files",
      discussion: [
        "Without a command it prints the coming year from the store, from the start of today."
      ],
      sections: [],
      commands: AgendaCommand.all.map(\.declaration), defaultCommandName: "show")
  }
}
