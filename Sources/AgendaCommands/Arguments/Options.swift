internal import AgendaBrowser
internal import AgendaKit
internal import CommandLineOptions

/// All options of `agenda`, each declared once; each command lists the options that it accepts.
enum Options {
  // MARK: Window

  static let from = Option(
    "from", value: Value("DATE"),
    help: "first day of the window: 2026-11-21, today, monday, next week, 24 dec, +3d, -1w",
    group: window, default: "today")
  static let to = Option(
    "to", value: Value("DATE"), help: "last day of the window (inclusive)",
    group: window, exclusiveSet: length)
  static let days = Option(
    "days", value: Value("N", .number(1...maximumDays)), help: "length of the window in days",
    group: window, exclusiveSet: length)
  static let weeks = Option(
    "weeks", value: Value("N", .number(1...maximumDays / 7)),
    help: "length of the window in weeks", group: window, exclusiveSet: length)
  static let months = Option(
    "months", value: Value("N", .number(1...maximumYears * 12)),
    help: "length of the window in calendar months", group: window, exclusiveSet: length)
  static let years = Option(
    "years", value: Value("N", .number(1...maximumYears)),
    help: "length of the window in calendar years", group: window, default: "1",
    exclusiveSet: length)
  static let now = Option(
    "now", value: Value("INSTANT"),
    help: "use this time as the current time: 2026-11-21T09:00:00+01:00",
    group: Option.rareGroup, default: "the system clock")
  static let timezone = Option(
    "timezone", value: Value("ZONE", .listed("zones")),
    help: "show times and days in this time zone", group: window,
    default: "TZ, then /etc/localtime")

  // MARK: Selection

  static let calendar = Option(
    "calendar", value: Value("NAME", .listed("calendars")), help: "only entries of this calendar",
    group: selection, default: "all", isRepeatable: true)
  static let notCalendar = Option(
    "not-calendar", value: Value("NAME", .listed("calendars")),
    help: "no entries of this calendar", group: selection, isRepeatable: true)
  static let search = Option(
    "search", value: Value("WORDS"), help: "only entries that match all of these words",
    group: selection)
  static let limit = Option(
    "limit", value: Value("N", .number(1...Int(Int32.max))), help: "at most N entries",
    group: selection)
  static let once = Option(
    "once", help: "a multi-day entry only on its first day in the window", group: selection)
  static let notStarted = Option(
    "not-started", help: "no timed entries that have already started", group: selection)
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
    help:
      "only entries that match: location ~ \"room 2\" and not category = private (agenda(1) lists the fields)",
    group: selection)
  static let notDeclined = Option(
    "not-declined", value: Value("EMAIL"), help: "no entries that this attendee has declined",
    group: selection)
  static let includeCancelled = Option(
    "include-cancelled", help: "cancelled entries too, marked as cancelled", group: selection)
  static let tasks = Option(
    "tasks",
    help: "tasks too: on the day they are due, overdue ones today, undated ones last",
    group: selection)
  static let journal = Option(
    "journal", help: "journal entries (VJOURNAL) too, undated ones last", group: selection)

  // MARK: Output

  static let format = Option(
    "format", short: "f",
    value: Value(
      "FORMAT",
      .choice([
        Value.Choice("text", "for people"), Value.Choice("markdown", "for documents"),
        Value.Choice("html", "a web page"),
        Value.Choice("json", "one document"), Value.Choice("jsonl", "one entry per line"), table,
      ])),
    help: "set the output format", group: output, default: "text")
  /// For lists of entries without a web page.
  static let linesFormat = Option(
    "format", short: "f",
    value: Value(
      "FORMAT",
      .choice([
        Value.Choice("text", "for people"), Value.Choice("markdown", "for documents"),
        Value.Choice("json", "one document"), Value.Choice("jsonl", "one entry per line"), table,
      ])),
    help: "set the format of the list", group: output, default: "text")
  private static let table = Value.Choice("tsv", "tab-separated, with a header row")
  private static let forPeopleOrPrograms = [
    Value.Choice("text", "for people"), Value.Choice("json", "for programs"),
  ]
  /// For commands that print a report instead of an agenda.
  static let reportFormat = Option(
    "format", short: "f",
    value: Value("FORMAT", .choice(forPeopleOrPrograms)),
    help: "set the format of the report", group: output, default: "text")
  /// For commands that print a list other than an agenda.
  static let listFormat = Option(
    "format", short: "f",
    value: Value("FORMAT", .choice(forPeopleOrPrograms + [table])),
    help: "set the format of the list", group: output, default: "text")
  /// For commands that show one entry.
  static let entryFormat = Option(
    "format", short: "f",
    value: Value("FORMAT", .choice(forPeopleOrPrograms)),
    help: "set the output format", group: output, default: "text")
  /// For grids.
  static let gridFormat = Option(
    "format", short: "f",
    value: Value(
      "FORMAT",
      .choice([
        Value.Choice("text", "for a terminal"), Value.Choice("html", "a page to print"),
      ])),
    help: "set the format; html needs --grid month", group: output, default: "text"
  )
  .typedOnly
  static let groupBy = Option(
    "group-by",
    value: Value(
      "KEY",
      .choice(
        [
          "day", "week", "month", "year", "calendar", "category", "location", "status", "initial",
          "none",
        ].map { Value.Choice($0) })),
    help: "group entries into sections by", group: output, default: "day")
  static let locale = Option(
    "locale", value: Value("LOCALE"), help: "set the language and conventions for dates and times",
    group: output, default: "LC_ALL, LC_TIME, LANG")
  static let media = Option(
    "media", value: Value("FOLDER", .folder),
    help:
      "write thumbnails of pictures to this folder; Markdown and HTML show them, JSON names them in \"thumbnail\"",
    group: output, default: "no pictures")
  static let mail = Option(
    "mail", value: Value("ADDRESS"),
    help: "print a complete mail to this address, for sendmail -t; --format is ignored",
    group: output, isRepeatable: true, exclusiveSet: "template"
  )
  .typedOnly
  static let template = Option(
    "template", value: Value("TEXT"),
    help:
      "print one line per entry, such as \"{start:%H:%M} {title}\"; --format is ignored (agenda(1) lists the fields)",
    group: output, exclusiveSet: "template"
  )
  .typedOnly
  static let subject = Option(
    "subject", value: Value("TEXT"), help: "set the subject of the mail", group: output,
    default: "the number of entries and the first one"
  )
  .typedOnly
  static let grid = Option(
    "grid", value: Value("SPAN", .choice(CalendarGrid.allCases.map { Value.Choice($0.rawValue) })),
    help: "show the entries in a grid of a month, a week or a year", group: output
  )
  .typedOnly
  /// For lists of several days.
  static let printedGrid = Option(
    "grid", value: Value("SPAN", .choice([Value.Choice(CalendarGrid.month.rawValue)])),
    help: "with -f html, print only the months, each on one sheet of paper", group: output
  )
  .typedOnly
  /// Of the full screen.
  static let firstView = Option(
    "view",
    value: Value("VIEW", .choice(BrowserView.allCases.map { Value.Choice($0.rawValue) })),
    help: "begin with this view", group: output, default: "list")
  static let linear = Option(
    "linear", help: "show and ask line by line, for screen readers", group: output)
  static let browserKey = Option(
    "key", value: Value("ACTION=KEYS"),
    help: "set the keys of an action, such as \"done = D, F2\"", group: output,
    isRepeatable: true)
  static let ifAny = Option(
    "if-any", help: "print nothing at all if there are no entries", group: output)
  static let color = Option(
    "color",
    value: Value(
      "WHEN",
      .choice([Value.Choice("auto"), Value.Choice("always"), Value.Choice("never")])),
    help: "set when to use colours and bold", group: output, default: "auto")
  static let tableOfContents = Option(
    "toc", help: "begin Markdown with a table of contents", group: output)
  static let showZones = Option(
    "zones", help: "show the time zone of entries written in another zone", group: output)
  static let secondZone = Option(
    "also", value: Value("ZONE", .listed("zones")),
    help: "show each time in a second zone too, and when the difference changes", group: output)
  static let showIdentifiers = Option(
    "ids", help: "show the id of each entry, for agenda event and agenda explain", group: output)
  static let showIndexPaths = Option(
    "numbers", help: "show the index path of each entry in text: 3.2", group: output)
  static let undoList = Option(
    "list", help: "list the changes that can be undone, the newest first", group: output)
  static let yes = Option("yes", short: "y", help: "do not ask", group: output)
  static let quiet = Option("quiet", short: "q", help: "print nothing on success", group: output)

  // MARK: Sources and the store

  static let store = Option(
    "store", value: Value("PATH", .file(endings: [".sqlite"])), help: "use this store",
    group: sources,
    default: "AGENDA_STORE, then $XDG_DATA_HOME/agenda/agenda.sqlite")
  static let source = Option(
    "source", value: Value("SOURCE", .file(endings: [".ics", ".eml"])),
    help: "search this file or folder instead of the store", group: sources,
    isRepeatable: true)
  static let encoding = Option(
    "encoding", value: Value("NAME"),
    help: "read the source as this encoding, such as Windows-1251 or Shift_JIS (see iconv -l)",
    group: sources, default: "detected automatically")
  /// Not configurable: `calendar` in a configuration filters, and must not decide where imports go.
  static let intoCalendar = Option(
    "calendar", value: Value("NAME", .listed("calendars")),
    help: "import the source into this calendar", group: sources,
    default: "its previous --calendar, otherwise the name in the source or of the file"
  )
  .typedOnly
  static let copiedInto = Option(
    "into", value: Value("NAME", .listed("calendars")),
    help: "copy the events into this calendar of your own, a folder or a server, once",
    group: sources
  )
  .typedOnly
  static let dryRun = Option(
    "dry-run", help: "show what would change without writing anything", group: sources)
  static let strict = Option(
    "strict", help: "refuse the whole source if any of its components is rejected",
    group: sources)
  static let allowShrink = Option(
    "allow-shrink",
    help: "let a source remove all of its events, or more than half of them if it had more than 10",
    group: sources)

  static let rebuild = Option(
    "rebuild",
    help: "first make the store's index of times and words again from the text of its calendars",
    group: sources
  )
  .typedOnly

  // MARK: Addresses

  static let addressesFrom = Option(
    "url-from", value: Value("FILE", .file(endings: [])),
    help: "read addresses from this file, one per line, to keep them out of the process list",
    group: addresses, isRepeatable: true)
  static let timeout = Option(
    "timeout", value: Value("SECONDS", .number(1...3_600)),
    help: "give up on an address after this long", group: addresses, default: "60")
  static let maxSize = Option(
    "max-size", value: Value("BYTES"), help: "refuse larger answers: 64M, 10K", group: addresses,
    default: "64M")
  static let certificates = Option(
    "cacert", value: Value("FILE", .file(endings: [".pem", ".crt"])),
    help: "trust the certificates in this file instead of the system's", group: addresses)
  static let passwordCommand = Option(
    "password-command", value: Value("COMMAND"),
    help:
      "run this command to get the password: its first line is the password, a line \"login: NAME\" the user name",
    group: addresses)
  static let jobs = Option(
    "jobs", value: Value("N", .number(1...16)),
    help: "fetch at most N addresses at once, and at most 4 from one host", group: addresses,
    default: "16")
  static let force = Option(
    "force", help: "fetch addresses also if they would wait", group: addresses)
  /// Not configurable: `stale` in a configuration is the age at which `today` warns.
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

  // MARK: Servers

  private static let servers = "CalDAV servers"
  static let user = Option(
    "user", value: Value("NAME"), help: "your name on a CalDAV server", group: servers
  )
  .typedOnly
  static let tokenCommand = Option(
    "token-command", value: Value("COMMAND"),
    help: "run this command to get a token in place of a password: its first line is the token",
    group: servers
  )
  .typedOnly
  static let onlyCalendar = Option(
    "only", value: Value("NAME"),
    help: "import only this calendar of a CalDAV server; the default is all", group: servers,
    isRepeatable: true
  )
  .typedOnly
  static let trust = Option(
    "trust", value: Value("ORIGIN"),
    help:
      "send the password also to this origin, if the server redirects there: https://p42.example.com",
    group: servers, isRepeatable: true
  )
  .typedOnly
  static let mine = Option(
    "mine", help: "put your version in place of the server's at the next refresh", group: event
  )
  .typedOnly
  static let theirs = Option("theirs", help: "drop your version", group: event).typedOnly
  static let serverOptions = [user, tokenCommand, onlyCalendar, trust]
  static let send = Option(
    "send", help: "if the calendar is on a CalDAV server, send the change at once", group: servers
  )
  .typedOnly

  // MARK: For single commands

  /// Not configurable: `months` in a configuration is the length of an agenda.
  static let shownMonths = Option(
    "months", value: Value("N", .number(1...120)), help: "show N months",
    group: window, default: "1"
  )
  .typedOnly
  static let whole = Option(
    "whole", help: "show the whole calendar week or month that holds the day", group: window
  )
  .typedOnly
  static let within = Option(
    "within", value: Value("LENGTH"), help: "look this far ahead: 10m, 2h, 1d",
    group: window, default: "10m")
  static let alarmCommand = Option(
    "command", value: Value("CMD"),
    help: "run this command for each alarm instead of notify-send", group: output
  )
  .typedOnly
  static let defaultAlarm = Option(
    "default", value: Value("LENGTH"),
    help: "show timed events without an alarm this long before they start", group: selection
  )
  .typedOnly
  static let snooze = Option(
    "snooze", value: Value("LENGTH"), help: "show an alarm again after this time if it is put off",
    group: output, default: "5m"
  )
  .typedOnly
  static let dueOnce = Option("once", help: "show what is due now, and end", group: output)
    .typedOnly
  static let between = Option(
    "between", value: Value("HH:MM-HH:MM"),
    help: "set the working hours of a day: 09:00-17:00, 9-17, 9am-5pm",
    group: selection, default: "09:00-17:00")
  static let atLeast = Option(
    "at-least", value: Value("LENGTH"), help: "hide free time shorter than this: 30m, 1h",
    group: selection, default: "1m")
  static let completedTasks = Option(
    "done", help: "list the completed tasks, the latest first", group: selection
  )
  .typedOnly
  static let weekdays = Option(
    "weekdays", help: "use Monday to Friday only", group: selection)
  static let conflicts = Option(
    "conflicts", help: "list entries that overlap instead of free time", group: selection)
  static let allDay = Option(
    "all-day", help: "treat the days of all-day entries as busy", group: selection)
  static let manual = Option(
    "man", help: "print a manual page, for man -l -", group: output)
  static let into = Option(
    "into", value: Value("FOLDER", .folder),
    help: "write all manual pages to this folder, which is created if it is missing",
    group: output)
  static let offeredWords = Option(
    "words",
    value: Value(
      "WHAT", .choice(["calendars", "commands", "zones"].map { Value.Choice($0) })),
    help: "print the words that a completion offers", isHidden: true)
  static let outputFile = Option(
    "output", short: "o", value: Value("FILE", .file(endings: [])), help: "write to this file",
    group: output, default: "standard output", exclusiveSet: "output"
  )
  .typedOnly
  static let outputFolder = Option(
    "into", value: Value("FOLDER", .folder),
    help: "write a file for each calendar into this folder", group: output, exclusiveSet: "output"
  )
  .typedOnly
  static let at = Option(
    "at", value: Value("WHEN"),
    help: "set when it starts: 2026-11-24T12:30, \"mon 12:30\", or a date for an all-day event",
    group: event
  )
  .typedOnly
  static let until = Option(
    "until", value: Value("WHEN"), help: "set when it ends; a date is the last day",
    group: event, exclusiveSet: "extent")
  static let forLength = Option(
    "for", value: Value("LENGTH"), help: "set how long it lasts: 45m, 1h30m, 2d", group: event,
    default: "1h, or one day", exclusiveSet: "extent")
  static let location = Option(
    "location", value: Value("TEXT"), help: "set the location", group: event)
  static let note = Option(
    "note", value: Value("TEXT"), help: "set the description", group: event)
  static let category = Option(
    "category", value: Value("NAME"), help: "set a category", group: event, isRepeatable: true)
  static let link = Option("url", value: Value("URL"), help: "set a link", group: event)
  static let repeatRule = Option(
    "repeat", value: Value("RULE"),
    help:
      "set how it repeats: weekdays, every 2nd tuesday until june, weekly for 10 weeks, weekly except 24 dec",
    group: event)
  static let eventColor = Option(
    "event-color", value: Value("COLOUR"), help: "set the colour, by its name in CSS", group: event)
  static let eventStatus = Option(
    "status", value: Value("STATUS"),
    help: "set the status: confirmed, tentative or cancelled; of a task also needs-action",
    group: event)
  static let eventZone = Option(
    "in-zone", value: Value("ZONE", .listed("zones")),
    help: "read and write the times in this zone", group: event)
  static let eventTitle = Option(
    "title", value: Value("TEXT"), help: "set the title", group: event)
  static let alarm = Option(
    "alarm", value: Value("LENGTH"), help: "add an alarm this long before: 10m, 1d", group: event,
    isRepeatable: true)
  static let coordinates = Option(
    "geo", value: Value("LAT,LON"), help: "set the coordinates: 52.52,13.40", group: event)
  static let attach = Option(
    "attach", value: Value("FILE", .file(endings: [])), help: "store this file in the event",
    group: event, isRepeatable: true)
  static let photo = Option(
    "photo", value: Value("FILE", .file(endings: [".jpg", ".jpeg", ".png", ".webp", ".gif"])),
    help: "store this picture in the event; a new event takes its time and place", group: event)
  static let due = Option(
    "due", value: Value("WHEN"), help: "set when a task is due", group: event)
  static let priority = Option(
    "priority", value: Value("N", .number(0...9)),
    help: "set the priority of a task: 1 is the highest, 0 removes it", group: event)
  static let asTask = Option("task", help: "add a task instead of an event", group: event)
    .typedOnly
  static let likeReference = Option(
    "like", value: Value("REF"), help: "copy this event, without organizer and attendees",
    group: event
  )
  .typedOnly
  static let targetCalendar = Option(
    "calendar", value: Value("NAME", .listed("calendars")),
    help: "add the event to this calendar: your own, a folder or one on a server", group: event,
    default: "default-calendar in the configuration file, otherwise local"
  )
  .typedOnly
  static let newCalendar = Option(
    "calendar", value: Value("NAME", .listed("calendars")),
    help: "move the event to this calendar: your own, a folder or one on a server", group: event
  )
  .typedOnly
  static let editor = Option(
    "editor", help: "edit the text of the event in $VISUAL or $EDITOR", group: event
  )
  .typedOnly
  /// Only for the configuration.
  static let defaultCalendar = Option(
    "default-calendar", value: Value("NAME", .listed("calendars")),
    help: "add new events to this calendar", group: event, isHidden: true)
  static let only = Option(
    "only", help: "change only this occurrence of a series", group: selection, exclusiveSet: "scope"
  )
  .typedOnly
  static let following = Option(
    "following", help: "change this occurrence and all later ones", group: selection,
    exclusiveSet: "scope"
  )
  .typedOnly
  static let allOccurrences = Option(
    "all", help: "change all occurrences of the series", group: selection, exclusiveSet: "scope"
  )
  .typedOnly
  static let dryRunOfEvent = Option(
    "dry-run", help: "print the lines that would change, write nothing", group: output
  )
  .typedOnly
  static let eventReference = Option(
    "event", value: Value("REF"), help: "remove this event, given by its id or index path",
    group: selection
  )
  .typedOnly
  static let removedSource = Option(
    "source", value: Value("SOURCE"),
    help: "remove this source, as agenda calendars lists it", group: selection
  )
  .typedOnly
  static let since = Option(
    "since", value: Value("WHEN"),
    help: "list changes since this day or time, or since this long ago: monday, 24h, 7d",
    group: window, default: "the last import")

  // MARK: Groups

  static let accept = Option(
    "accept", help: "accept the invitation", group: event, exclusiveSet: "answer"
  )
  .typedOnly
  static let decline = Option(
    "decline", help: "decline it", group: event, exclusiveSet: "answer"
  )
  .typedOnly
  static let tentative = Option(
    "tentative", help: "accept it tentatively", group: event, exclusiveSet: "answer"
  )
  .typedOnly
  static let answerAs = Option(
    "as", value: Value("ADDRESS"), help: "answer for this attendee", group: event,
    default: "address in the configuration file, otherwise the only attendee", isRepeatable: true
  )
  .typedOnly
  /// Of an answer.
  static let onlyThis = Option("only", help: "answer for this occurrence only", group: event)
    .typedOnly
  static let invitedAs = Option(
    "as", value: Value("ADDRESS"), help: "list the invitations of this address", group: selection,
    default: "address in the configuration file", isRepeatable: true
  )
  .typedOnly
  /// Only for the configuration.
  static let ownAddress = Option(
    "address", value: Value("ADDRESS"), help: "set an address of yours", group: event,
    isRepeatable: true, isHidden: true)
  static let comment = Option(
    "comment", value: Value("TEXT"), help: "add a comment for the organizer", group: event
  )
  .typedOnly
  static let replyMail = Option(
    "mail", help: "print a complete mail to the organizer, for sendmail -t", group: output
  )
  .typedOnly
  /// What sets the properties of an event.
  static let eventOptions = [
    at, until, forLength, eventZone, location, note, link, category, eventColor, eventStatus,
    repeatRule, alarm, coordinates, attach, photo, due, priority,
  ].map(\.typedOnly)
  static let scopeOptions = [only, following, allOccurrences]
  static let windowOptions = [from, to, days, weeks, months, years, timezone, now]
  /// For commands that choose their own window unless the command line sets one.
  static let typedWindowOptions =
    [from, to, days, weeks, months, years].map(\.typedOnly) + momentOptions
  static let momentOptions = [timezone.rarelyNeeded, now]
  static let selectionOptions = [
    calendar, notCalendar, search, condition, timed, onlyAllDay, limit, once, notStarted,
    notDeclined, includeCancelled, tasks, journal, ownAddress,
  ]
  /// Alarms are one by one, and journals have none.
  static let alarmSelectionOptions = selectionOptions.filter {
    ![once, limit, journal].contains($0)
  }
  static let presentationOptions = [
    format, groupBy, locale, showZones, secondZone, showIdentifiers, showIndexPaths,
    tableOfContents, media, mail, subject, template, ifAny, color,
  ]
  static let sourceOptions = [encoding, store]
  /// The options of a command for which some of them are of little use: it accepts these, but help does
  /// not list them.
  static func options(_ options: [Option], unlisting rare: [Option]) -> [Option] {
    options.map { rare.contains($0) ? $0.unlisted : $0 }
  }
  /// For commands about one entry. All of them can change what an index path means, but few people need
  /// that, so help lists only some.
  static let entryLookupOptions =
    windowOptions
    + options(
      selectionOptions,
      unlisting: selectionOptions.filter {
        ![calendar, search, tasks, includeCancelled].contains($0)
      }) + [groupBy] + sourceOptions
  /// For commands that show one entry.
  static let entryOptions = entryLookupOptions + [entryFormat, locale, color]

  /// Headings.
  private static let window = "Window"
  private static let selection = "Selection"
  private static let output = "Output"
  private static let sources = "Sources and store"
  private static let addresses = "Addresses"
  private static let event = "Event"
  /// The options that set the length of the window.
  private static let length = "length"

  /// The years 1 to 9999.
  private static let maximumYears = 9_999
  private static let maximumDays = 3_652_059
}
