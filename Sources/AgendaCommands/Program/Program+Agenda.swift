internal import AgendaBrowser
internal import AgendaCore
internal import AgendaRendering
internal import CommandLineOptions
internal import Platform

extension AgendaCommand {
  /// Every command, in the order in which help lists them.
  static var all: [AgendaCommand] {
    [
      show, today, tomorrow, week, month, browse, next, tasks, calendar, search, event, explain,
      attachment,
      open, free, alarms, notify, invitations, `import`, refresh, calendars, add, edit, done,
      reply, remove, resolve, export, changes, watch, undo, redo, check,
      doctor, completions, help,
    ]
  }
}

extension Program {
  static var agenda: Program {
    Program(
      name: "agenda", version: agendaVersion, date: "November 21, 2026",
      summary: "show upcoming events from .ics calendars",
      discussion: [
        "Without a command, agenda shows the events of the coming year from the calendars that you have imported, starting today.",
        "A SOURCE is an .ics file, a folder of .ics files, a mail with a calendar (.eml), - for standard input, or an https, http or webcal address, which agenda-fetch downloads. A REF names an entry by words of its title, by its id, or by its index path in the list that agenda show prints with the same options: 3.2 is the second entry of the third section.",
      ],
      examples: [
        Command.Example("agenda import ~/Downloads/work.ics", "import a calendar"),
        Command.Example("agenda", "show what is coming up"),
        Command.Example("agenda add tomorrow 12:30 1h Lunch with Ana", "add an event of your own"),
        Command.Example("agenda search dentist", "find the next appointment"),
      ],
      furtherReading: "The Cookbook (Docs/Cookbook.md of the project) has recipes.",
      sections: [
        conditionSection, templateSection, keySection, environmentSection, fileSection,
        exitStatusSection,
      ],
      commands: AgendaCommand.all.map(\.declaration), defaultCommandName: "show",
      synonyms: [
        "agenda": "show", "cal": "calendar", "cancel": "remove", "complete": "done",
        "conflicts": "free --conflicts", "create": "add", "del": "remove", "delete": "remove",
        "find": "search", "info": "event", "list": "show", "ls": "show", "modify": "edit",
        "move": "edit", "mv": "edit", "new": "add", "rm": "remove", "sync": "refresh",
        "todo": "tasks", "update": "refresh",
      ], relatedPages: ["agenda-fetch"])
  }
}

private let conditionSection = Program.Section(
  "CONDITIONS",
  [
    (
      "--where CONDITION",
      "Compares fields of an entry: location ~ \"room 2\" and duration >= 1h and not category = private. not binds tighter than and, and tighter than or. Brackets change the order. Put texts with spaces in double or single quotes."
    ),
    ("fields", "\(Condition.fieldNames.joined(separator: ", "))"),
    (
      "=, !=",
      "equal and not equal. location = null matches entries without a location."
    ),
    ("~", "contains, in any letter case"),
    (
      "<, <=, >, >=",
      "compare times (2026-12-01, 2026-12-01T09:00), lengths (45m, 1h30m, 2d) and numbers"
    ),
    (
      "geo.latitude, organizer.email, attendees.status, attachments.bytes",
      "a dot leads to the parts of a field. One matching attendee or attachment is enough."
    ),
  ])

private let templateSection = Program.Section(
  "TEMPLATES",
  [
    (
      "--template TEXT",
      "Prints one line per entry and replaces each {field} by its value. {{ prints a brace."
    ),
    ("fields", "\(EntryTemplate.fieldNames.joined(separator: ", "))"),
    ("{in}", "the time until the entry starts"),
    ("{duration}", "the time from start to end"),
    (
      "{start:FORMAT}",
      "a time with the conversions of strftime(3): {start:%a %d %b %H:%M}. It is empty for an all-day entry if FORMAT has a time of day."
    ),
  ])

private let keySection = Program.Section(
  "KEYS",
  [
    (
      "--key ACTION=KEYS",
      "Sets the keys of an action of agenda browse. Keys are letters and signs, Up, Down, Left, Right, PageUp, PageDown, Home, End, Enter, Tab, Space, Insert, Delete, F1 to F12, and these after Ctrl- or Alt-. Commas are between several."
    ),
    ("actions", BrowserAction.allCases.map(\.rawValue).joined(separator: ", ")),
  ])

private let environmentSection = Program.Section(
  "ENVIRONMENT",
  [
    ("AGENDA_STORE", "the store, unless --store is given; the configuration does not replace it"),
    (
      "XDG_DATA_HOME, XDG_CONFIG_HOME",
      "folders of the store and of the configuration; default: ~/.local/share and ~/.config"
    ),
    (
      "TZ",
      "the time zone for days and times, unless --timezone is given; the configuration does not replace it; default: the zone of /etc/localtime"
    ),
    ("TZDIR", "the folder of the time zone database; default: /usr/share/zoneinfo"),
    (
      "LC_ALL, LC_TIME, LANG",
      "the language and conventions for dates and times, unless --locale or the configuration sets them; the first that is set counts"
    ),
    (
      "PAGER",
      "the program that shows long text on a terminal; default: less -R. If it is empty or cat, no pager is used"
    ),
    (
      "BROWSER",
      "the command of agenda open, or several with colons between them; %s is the address; default: xdg-open"
    ),
    ("VISUAL, EDITOR", "the editor of agenda edit --editor; default: vi"),
    ("NO_COLOR", "turns colours off if it is set and not empty"),
    ("COLORTERM", "if truecolor or 24bit, calendars are shown in their exact colours"),
    (
      "COLUMNS",
      "the width of agenda calendar --grid if standard output is not a terminal; default: 80"
    ),
    (
      "TMPDIR",
      "the folder for copies of large files and for the text of agenda edit --editor; default: /tmp"
    ),
  ])

private let fileSection = Program.Section(
  "FILES",
  [
    ("~/.local/share/agenda/agenda.sqlite", "the store"),
    (
      "~/.config/agenda/config",
      "defaults for options by their long names, one per line: timezone = Europe/Berlin. Flags are yes or no. Options that only make sense for a single call, such as --output or the --calendar of import, cannot be set here. The file is optional, and options on the command line override it, and so do TZ and AGENDA_STORE. A wrong value is reported with the file and its line."
    ),
  ])

private let exitStatusSection = Program.Section(
  "EXIT STATUS",
  [
    ("0", "success; there may be warnings on standard error"),
    (
      "1",
      "something was rejected or failed: a component, a source, or the store. agenda did the rest, and the message names what is missing."
    ),
    ("2", "usage error: the command line was wrong, and nothing was done"),
  ])
