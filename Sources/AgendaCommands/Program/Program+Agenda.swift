internal import AgendaCore
internal import CommandLineOptions
internal import Platform

extension AgendaCommand {
  /// Every command, in the order in which help lists them.
  static var all: [AgendaCommand] {
    [
      show, today, tomorrow, week, month, next, tasks, calendar, search, event, explain, attachment,
      free, alarms, `import`, refresh, calendars, add, remove, export, changes, undo, check,
      doctor, completions, help,
    ]
  }
}

extension Program {
  static var agenda: Program {
    Program(
      name: "agenda", version: agendaVersion, date: "November 21, 2026",
      summary: "what happens from today on, from .ics files",
      discussion: [
        "Without a command it prints the coming year from the store, from the start of today.",
        "A SOURCE is an .ics file, a folder of .ics files, - for standard input, or an https, http or webcal address, which agenda-fetch fetches. A REF is the id of an entry, or its place in the listing of the same options: 3.2 is the second entry of the third section.",
      ],
      sections: [environmentSection, fileSection, exitStatusSection],
      commands: AgendaCommand.all.map(\.declaration), defaultCommandName: "show",
      relatedPages: ["agenda-fetch"])
  }
}

private let environmentSection = Program.Section(
  "ENVIRONMENT",
  [
    ("AGENDA_STORE", "the store, where --store does not name one"),
    (
      "XDG_DATA_HOME, XDG_CONFIG_HOME",
      "where the store and the configuration are, else below ~/.local/share and ~/.config"
    ),
    ("TZ", "the zone in which days begin and times are shown, else that of /etc/localtime"),
    ("TZDIR", "the folder of the time zone database, else /usr/share/zoneinfo"),
    ("LC_ALL, LC_TIME, LANG", "the language and habits of dates and times, in this order"),
    (
      "PAGER",
      "the program that shows long text on a terminal, less if it is not set; none if it is empty or cat"
    ),
    ("NO_COLOR", "if it is set and not empty, no colours"),
    ("COLORTERM", "truecolor or 24bit, for calendars in exactly their colours"),
  ])

private let fileSection = Program.Section(
  "FILES",
  [
    ("~/.local/share/agenda/agenda.sqlite", "the store"),
    (
      "~/.config/agenda/config",
      "defaults for options by their long names, one to a line: timezone = Europe/Berlin. Flags are yes or no. Options that a command takes from the command line alone, such as --output or the --calendar of import, have none. Nothing needs this file, and what is typed wins."
    ),
  ])

private let exitStatusSection = Program.Section(
  "EXIT STATUS",
  [
    ("0", "done; warnings may stand on standard error"),
    (
      "1",
      "something was rejected or failed: a component, a source, the store. What could be done was done, and the message says what was not."
    ),
    ("2", "the command line was wrong; nothing was done"),
  ])
