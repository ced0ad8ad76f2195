internal import CommandLineOptions

/// Every option of `agenda`, each declared once; commands list those they take.
enum Options {
  // MARK: Window

  static let from = Option(
    "from", value: Value("DATE"),
    help: "first day of the window: 2026-11-21, today, tomorrow, monday, +3d, -1w",
    group: window, default: "today")
  static let to = Option(
    "to", value: Value("DATE"), help: "last day of the window, that day included",
    group: window, exclusiveSet: length)
  static let days = Option(
    "days", value: Value("N", .number(1...maximumDays)), help: "length of the window in days",
    group: window, exclusiveSet: length)
  static let weeks = Option(
    "weeks", value: Value("N", .number(1...maximumDays / 7)),
    help: "length of the window in weeks", group: window, exclusiveSet: length)
  static let months = Option(
    "months", value: Value("N", .number(1...maximumYears * 12)),
    help: "length of the window in months of the calendar", group: window, exclusiveSet: length)
  static let years = Option(
    "years", value: Value("N", .number(1...maximumYears)),
    help: "length of the window in years of the calendar", group: window, default: "1",
    exclusiveSet: length)
  static let now = Option(
    "now", value: Value("INSTANT"),
    help: "take this RFC 3339 instant for the current time: 2026-11-21T09:00:00+01:00",
    group: window, default: "the clock")
  static let timezone = Option(
    "timezone", value: Value("ZONE", .listed("zones")),
    help: "the zone in which days begin and times are shown", group: window,
    default: "TZ, then /etc/localtime")

  // MARK: Selection

  static let calendar = Option(
    "calendar", value: Value("NAME", .listed("calendars")), help: "only this calendar",
    group: selection, default: "all", isRepeatable: true)
  static let notCalendar = Option(
    "not-calendar", value: Value("NAME", .listed("calendars")),
    help: "all calendars except this one", group: selection, isRepeatable: true)
  static let search = Option(
    "search", value: Value("WORDS"), help: "only entries that match all of these words",
    group: selection)
  static let limit = Option(
    "limit", value: Value("N", .number(0...Int(Int32.max))), help: "at most so many entries",
    group: selection)
  static let once = Option(
    "once", help: "a multi-day entry only on its first day in the window", group: selection)
  static let notStarted = Option(
    "not-started", help: "leave out timed entries that have begun", group: selection)
  static let timed = Option(
    "timed", help: "only timed entries", group: selection, exclusiveSet: "timed"
  )
  .typedOnly
  static let onlyAllDay = Option(
    "all-day", help: "only all-day entries", group: selection, exclusiveSet: "timed"
  )
  .typedOnly
  static let condition = Option(
    "where", value: Value("CONDITION"),
    help: "only entries that match: location ~ \"room 2\" and not category = private",
    group: selection)
  static let notDeclined = Option(
    "not-declined", value: Value("EMAIL"), help: "leave out what that attendee has declined",
    group: selection)
  static let includeCancelled = Option(
    "include-cancelled", help: "show cancelled entries, marked", group: selection)
  static let tasks = Option(
    "tasks", help: "show tasks too, under the day they are due", group: selection)

  // MARK: Output

  static let format = Option(
    "format", short: "f",
    value: Value(
      "FORMAT",
      .choice([
        Value.Choice("text", "for people"), Value.Choice("markdown", "for documents"),
        Value.Choice("html", "a web page"),
        Value.Choice("json", "one document"), Value.Choice("jsonl", "one entry a line"), table,
      ])),
    help: "how the result is written", group: output, default: "text")
  /// Of lists with entries that are no agenda: there is no page of them.
  static let linesFormat = Option(
    "format", short: "f",
    value: Value(
      "FORMAT",
      .choice([
        Value.Choice("text", "for people"), Value.Choice("markdown", "for documents"),
        Value.Choice("json", "one document"), Value.Choice("jsonl", "one entry a line"), table,
      ])),
    help: "how the list is written", group: output, default: "text")
  private static let table = Value.Choice("tsv", "tab-separated, with a header row")
  private static let forPeopleOrPrograms = [
    Value.Choice("text", "for people"), Value.Choice("json", "for programs"),
  ]
  /// Of commands whose result is a report, not an agenda.
  static let reportFormat = Option(
    "format", short: "f",
    value: Value("FORMAT", .choice(forPeopleOrPrograms)),
    help: "how the report is written", group: output, default: "text")
  /// Of lists that are no agenda.
  static let listFormat = Option(
    "format", short: "f",
    value: Value("FORMAT", .choice(forPeopleOrPrograms + [table])),
    help: "how the list is written", group: output, default: "text")
  /// The same, of one entry.
  static let entryFormat = Option(
    "format", short: "f",
    value: Value("FORMAT", .choice(forPeopleOrPrograms)),
    help: "how the result is written", group: output, default: "text")
  static let groupBy = Option(
    "group-by",
    value: Value(
      "KEY",
      .choice(
        [
          "day", "week", "month", "year", "calendar", "category", "location", "status", "initial",
          "none",
        ].map { Value.Choice($0) })),
    help: "what makes a section", group: output, default: "day")
  static let locale = Option(
    "locale", value: Value("LOCALE"), help: "language and habits of dates and times",
    group: output, default: "LC_ALL, LC_TIME, LANG")
  static let media = Option(
    "media", value: Value("FOLDER", .folder),
    help:
      "write thumbnails of the entries' pictures to this folder; Markdown and HTML show them, JSON names them in \"thumbnail\"",
    group: output, default: "no pictures")
  static let mail = Option(
    "mail", value: Value("ADDRESS"),
    help: "print a complete mail to this address, for sendmail -t, whatever --format says",
    group: output, isRepeatable: true, exclusiveSet: "template"
  )
  .typedOnly
  static let template = Option(
    "template", value: Value("TEXT"),
    help: "print one line per entry, such as \"{start:%H:%M} {title}\", whatever --format says",
    group: output, exclusiveSet: "template"
  )
  .typedOnly
  static let subject = Option(
    "subject", value: Value("TEXT"), help: "the subject of the mail", group: output,
    default: "what the window holds"
  )
  .typedOnly
  static let grid = Option(
    "grid", value: Value("SPAN", .choice(GridSpan.allCases.map { Value.Choice($0.rawValue) })),
    help: "show the entries in a grid of a month, a week or a year", group: output
  )
  .typedOnly
  static let ifAny = Option(
    "if-any", help: "print nothing at all where there is no entry", group: output)
  static let color = Option(
    "color",
    value: Value(
      "WHEN",
      .choice([Value.Choice("auto"), Value.Choice("always"), Value.Choice("never")])),
    help: "colours and bold", group: output, default: "auto")
  static let tableOfContents = Option(
    "toc", help: "begin Markdown with a table of contents", group: output)
  static let showZones = Option(
    "zones", help: "say the zone where an entry was written in another one", group: output)
  static let secondZone = Option(
    "also", value: Value("ZONE", .listed("zones")),
    help: "show each time in a second zone too, and when the difference changes", group: output)
  static let showIdentifiers = Option(
    "ids", help: "say the id of each entry, for agenda event and agenda explain", group: output)
  static let quiet = Option("quiet", short: "q", help: "print nothing on success", group: output)

  // MARK: Sources and the store

  static let store = Option(
    "store", value: Value("PATH", .file(endings: [".sqlite"])), help: "the store", group: sources,
    default: "AGENDA_STORE, then $XDG_DATA_HOME/agenda/agenda.sqlite")
  static let source = Option(
    "source", value: Value("SOURCE", .file(endings: [".ics"])),
    help: "look through this file or folder instead of the store", group: sources,
    isRepeatable: true)
  static let encoding = Option(
    "encoding", value: Value("NAME"),
    help: "read the source as this encoding: UTF-8, UTF-16, Windows-1252, ISO-8859-1, ISO-8859-15",
    group: sources, default: "found out")
  /// No default: a filter by the same name must not decide where imports go.
  static let intoCalendar = Option(
    "calendar", value: Value("NAME", .listed("calendars")),
    help: "the calendar the source goes into", group: sources,
    default: "the source's own name, else the file's"
  )
  .typedOnly
  static let dryRun = Option(
    "dry-run", help: "say what would change, write nothing", group: sources)
  static let strict = Option(
    "strict", help: "refuse a source as a whole if any component of it is rejected",
    group: sources)
  static let allowShrink = Option(
    "allow-shrink", help: "let a source take away most or all of its calendar's events",
    group: sources)

  // MARK: Addresses

  static let addressesFrom = Option(
    "url-from", value: Value("FILE", .file(endings: [])),
    help: "read addresses from this file, one per line, to keep them out of the process list",
    group: addresses, isRepeatable: true)
  static let timeout = Option(
    "timeout", value: Value("SECONDS", .number(1...3_600)),
    help: "give up on an address after this long", group: addresses, default: "60")
  static let maxSize = Option(
    "max-size", value: Value("BYTES"), help: "refuse a larger answer: 64M, 10K", group: addresses,
    default: "64M")
  static let certificates = Option(
    "cacert", value: Value("FILE", .file(endings: [".pem", ".crt"])),
    help: "trust the certificates in this file instead of the system's", group: addresses)
  static let passwordCommand = Option(
    "password-command", value: Value("COMMAND"),
    help:
      "run this command for the password: its first line, and a line \"login: NAME\" for the user",
    group: addresses)
  static let jobs = Option(
    "jobs", value: Value("N", .number(1...16)),
    help: "ask at most N addresses at once, and at most 4 of one host", group: addresses,
    default: "16")
  static let force = Option(
    "force", help: "ask addresses even if their last answer is still current", group: addresses)
  /// No default: the same name is the age at which `today` warns.
  static let staleReport = Option(
    "stale", value: Value("LENGTH"),
    help: "report a failing address only if its calendar is older than this, and once a day",
    group: addresses
  )
  .typedOnly
  static let staleWarning = Option(
    "stale", value: Value("LENGTH"),
    help: "warn if a calendar was not refreshed for this long: 6h, 2d", group: addresses)
  static let fetchOptions = [timeout, maxSize, certificates, passwordCommand]

  // MARK: Of one command each

  /// No default: the same name says how long an agenda is.
  static let shownMonths = Option(
    "months", value: Value("N", .number(1...120)), help: "how many months are shown",
    group: window, default: "1"
  )
  .typedOnly
  static let within = Option(
    "within", value: Value("LENGTH"), help: "how far to look ahead: 10m, 2h, 1d",
    group: window, default: "10m")
  static let between = Option(
    "between", value: Value("HH:MM-HH:MM"), help: "the working hours of a day",
    group: selection, default: "09:00-17:00")
  static let atLeast = Option(
    "at-least", value: Value("LENGTH"), help: "the shortest free time worth listing: 30m, 1h",
    group: selection, default: "1m")
  static let weekdays = Option(
    "weekdays", help: "Monday to Friday only", group: selection)
  static let conflicts = Option(
    "conflicts", help: "list entries that overlap instead of free time", group: selection)
  static let allDay = Option(
    "all-day", help: "whole-day entries take their days up", group: selection)
  static let manual = Option(
    "man", help: "as a manual page, for man -l -", group: output)
  static let into = Option(
    "into", value: Value("FOLDER", .folder),
    help: "write all manual pages into that folder, as agenda.1, agenda-show.1 and so on",
    group: output)
  static let list = Option(
    "list",
    value: Value(
      "WHAT", .choice(["calendars", "commands", "zones"].map { Value.Choice($0) })),
    help: "print the words that a completion offers", isHidden: true)
  static let outputFile = Option(
    "output", short: "o", value: Value("FILE", .file(endings: [])), help: "write it there",
    group: output, default: "standard output"
  )
  .typedOnly
  static let at = Option(
    "at", value: Value("WHEN"), help: "when it begins: 2026-11-24T12:30, or a date for a whole day",
    group: event
  )
  .typedOnly
  static let until = Option(
    "until", value: Value("WHEN"), help: "when it ends; of a whole-day event its last day",
    group: event, exclusiveSet: "extent")
  static let forLength = Option(
    "for", value: Value("LENGTH"), help: "how long it lasts: 45m, 1h30m, 2d", group: event,
    default: "1h, or a day", exclusiveSet: "extent")
  static let location = Option(
    "location", value: Value("TEXT"), help: "where it is", group: event)
  static let note = Option(
    "note", value: Value("TEXT"), help: "its description", group: event)
  static let category = Option(
    "category", value: Value("NAME"), help: "a category of it", group: event, isRepeatable: true)
  static let link = Option("url", value: Value("URL"), help: "a link", group: event)
  static let repeatRule = Option(
    "repeat", value: Value("RRULE"), help: "how it repeats: FREQ=WEEKLY;BYDAY=TU", group: event)
  static let eventReference = Option(
    "event", value: Value("REF"), help: "the event to remove, by its id or index path",
    group: selection
  )
  .typedOnly
  static let removedSource = Option(
    "source", value: Value("SOURCE"),
    help: "the source to remove, as agenda calendars lists it", group: selection
  )
  .typedOnly
  static let since = Option(
    "since", value: Value("WHEN"), help: "from this day on, or with 24h, 7d: so long ago",
    group: window, default: "the last import")

  // MARK: What belongs together

  static let windowOptions = [from, to, days, weeks, months, years, now, timezone]
  /// Of commands that look as far as they must, whatever window an agenda has by default.
  static let typedWindowOptions =
    [from, to, days, weeks, months, years].map(\.typedOnly) + momentOptions
  static let momentOptions = [now, timezone]
  static let selectionOptions = [
    calendar, notCalendar, search, condition, timed, onlyAllDay, limit, once, notStarted,
    notDeclined, includeCancelled, tasks,
  ]
  static let presentationOptions = [
    format, groupBy, locale, showZones, secondZone, showIdentifiers, tableOfContents, media, mail,
    subject, template, ifAny, color,
  ]
  static let sourceOptions = [encoding, store]
  /// Of commands that speak of one entry.
  static let entryOptions =
    windowOptions + selectionOptions + [entryFormat, groupBy, locale, color] + sourceOptions

  /// Headings.
  private static let window = "Window"
  private static let selection = "Selection"
  private static let output = "Output"
  private static let sources = "Sources and store"
  private static let addresses = "Addresses"
  private static let event = "Event"
  /// The options that say how long a window is.
  private static let length = "length"

  /// What fits into the years 1 to 9999.
  private static let maximumYears = 9_999
  private static let maximumDays = 3_652_059
}
