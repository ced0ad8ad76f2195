internal import AgendaBrowser
internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CommandLineOptions

/// Turns the messages of commands into those of the full screen. Nobody typed a command there: options have
/// the names of the fields, commands are keys, and calendars have their names instead of addresses.
struct ScreenMessage {
  private let keys: KeyBindings
  private let labels: [(option: Option, label: String)]
  private let names: [(source: String, calendar: String)]

  init(keys: KeyBindings, words: Words, calendars: [CalendarState]) {
    self.keys = keys
    let all = words.labels
    labels = [
      (Options.eventTitle, all.title), (Options.at, all.start), (Options.until, all.end),
      (Options.forLength, words.browser.length), (Options.due, all.due),
      (Options.location, all.location), (Options.note, all.description),
      (Options.link, all.link), (Options.category, all.categories),
      (Options.repeatRule, all.repeats), (Options.eventStatus, all.status),
      (Options.newCalendar, all.calendar),
    ]
    var names: [(source: String, calendar: String)] = []
    for calendar in calendars {
      for source in calendar.sources {
        switch source.kind {
        case .file, .url, .server: names.append((source.displayName, calendar.name))
        case .folder, .local, .standardInput, .decisions: continue
        }
      }
    }
    // A path can be the beginning of another one.
    self.names = names.sorted { $0.source.utf8.count > $1.source.utf8.count }
  }

  private func key(_ action: BrowserAction) -> String {
    keys.keys(of: action).first?.description ?? action.rawValue
  }

  /// `entry` is what the command line called the entry, which a person sees.
  func text(_ line: String, entry: String? = nil) -> String {
    var text = line
    if text.hasPrefix("agenda: ") { text.removeFirst("agenda: ".count) }
    if let entry, text.hasPrefix(entry + ": ") { text.removeFirst(entry.count + 2) }
    for (source, calendar) in names where text.contains(source) {
      text.replace(source, with: "calendar \(calendar)")
    }
    // The screen begins no calendar.
    if let hint = text.firstRange(of: "; agenda calendars new ") {
      text.removeSubrange(hint.lowerBound...)
    }
    // What copies an event is a command line in full.
    if text.contains("agenda add --like ") { return text }
    for (part, other) in Self.parts where text.contains(part) { text.replace(part, with: other) }
    for (command, action) in Self.commands where text.contains(command) {
      text.replace(command, with: key(action))
    }
    for (option, label) in labels where text.contains(option.spelling) {
      text.replace(option.spelling, with: label)
    }
    return text
  }

  /// Parts of messages about options, and what they are on the screen.
  private static let parts: [(String, String)] = [
    // Words of a new entry.
    ("; give the time of such a title with --at", ""),
    (", or give --at 2026-11-24T12:30", ""),
    ("such as agenda add ", "such as "),
    ("write: agenda add --task ", "add it in the view of tasks: "),
    (", use --task", ", add it in the view of tasks"),
    ("write: agenda add ", "write: "),
    ("if it is a time zone, use --in-zone ", "times are those of the screen, not of "),
    ("if it should, use --repeat", "if it should, edit its repetition"),
    // Series.
    (": choose --only or --all", ": choose o or a"),
    (": choose --all or --following", ": choose a or f"),
    (": choose --only, --following or --all", ": choose o, f or a"),
    (": choose --only", ": choose o"), (": choose --all", ": choose a"),
    ("--repeat changes the whole series", "the repetition is that of the whole series"),
    ("--editor changes one", "the editor changes one"),
    (": use --editor --all", ": edit the text of all"),
    ("--all: the weekdays", "the weekdays"), ("--following: the weekdays", "the weekdays"),
    ("; --only moves one occurrence", "; o moves one occurrence"),
    ("--repeat: removed ", "removed "),
    // Fields.
    ("; open it again with agenda edit --status needs-action", "; set its status to needs-action"),
    (": cancel it with agenda edit --status cancelled", ": set its status to cancelled"),
    (": set --repeat too", ": change the repetition too"),
    ("; set when it is due with --due", "; set when it is due"),
    ("; set its start with --at", "; set its start"),
    ("; --until sets its end", ""),
    (": add --repeat \"\"", ": empty the repetition"),
    (": add --alarm \"\" to remove the alarms", ": remove the alarms in the editor"),
    ("; --alarm \"\" removes the alarms", "; the editor can remove it"),
    (": add --due or --at", ": set a date"), (": add --at", ": set a start"),
    ("; set the repetition with --repeat", "; the repetition has its own field"),
    ("; set the end with --until or --for", "; the length has its own field"),
    ("; --at moves it", "; another start moves it"),
    // Invitations.
    ("; choose one with --as:", "; set address in the configuration file to one of these:"),
    ("choose who answers with --as:", "set address in the configuration file to one of these:"),
  ]

  private static let commands: [(String, BrowserAction)] = [
    ("run agenda refresh", .refresh), ("agenda refresh", .refresh), ("agenda undo", .undo),
    ("agenda redo", .redo), ("agenda resolve", .settle),
  ]
}
