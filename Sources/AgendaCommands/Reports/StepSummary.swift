internal import AgendaKit
internal import AgendaRendering
internal import CivilTime

/// What `undo` or `redo` did to a calendar: the sum of all of its sources.
struct StepSummary {
  enum Direction { case undone, redone }

  private let calendar: String
  private let previousCalendar: String?
  private var added = 0
  private var updated = 0
  private var removed = 0

  private init(_ effect: CommandEffect) {
    calendar = effect.calendar
    previousCalendar = effect.previousCalendar
  }

  /// A line for each calendar that changed; if none did, for each that the command was about.
  static func lines(of effects: [CommandEffect], as direction: Direction) -> [String] {
    var calendars: [StepSummary] = []
    for effect in effects {
      let known = calendars.firstIndex {
        $0.calendar == effect.calendar && $0.previousCalendar == effect.previousCalendar
      }
      let index = known ?? calendars.count
      if known == nil { calendars.append(StepSummary(effect)) }
      calendars[index].added += effect.added
      calendars[index].updated += effect.updated
      calendars[index].removed += effect.removed
    }
    let changed = calendars.filter { !$0.changes(direction).isEmpty }
    return (changed.isEmpty ? calendars : changed).map { $0.line(direction) }
  }

  /// `Work: 3 entries removed, 1 changed back, 9 restored`
  private func line(_ direction: Direction) -> String {
    let changes = changes(direction)
    return
      "\(calendar): \(changes.isEmpty ? "no entries changed" : changes.joined(separator: ", "))"
  }

  private func changes(_ direction: Direction) -> [String] {
    let isUndone = direction == .undone
    var parts: [String] = []
    func add(_ count: Int, _ what: String) {
      guard count > 0 else { return }
      let noun = parts.isEmpty ? (count == 1 ? " entry" : " entries") : ""
      parts.append("\(count)\(noun) \(what)")
    }
    add(added, isUndone ? "removed" : "added")
    add(updated, isUndone ? "changed back" : "changed")
    add(removed, isUndone ? "restored" : "removed")
    if let previousCalendar {
      parts.append(
        isUndone ? "moved back to \(previousCalendar)" : "moved from \(previousCalendar)")
    }
    return parts
  }
}

extension UndoStep {
  /// `import of 21:23 (work.ics, home.ics)`, `edit of "Dentist" of 09:37 (local)`, and with the date if that
  /// is not today.
  func sentence(_ words: TimeWords, today: CivilDate) -> String {
    let civil = words.zone.civil(at: moment)
    let time = words.wording.time(civil.time)
    let when =
      civil.date == today
      ? time : words.wording.dateAndTime(words.wording.shortDate(civil.date), time)
    let isImport = command == "import" || command == "refresh"
    var names = isImport ? sources.map(Self.fileName) : calendars
    if names.count > Self.mostNames {
      let rest = names.count - Self.mostNames
      names = names.prefix(Self.mostNames) + ["\(rest) more"]
    }
    let what = isImport || titles.isEmpty ? "" : " of \(quotedTitles)"
    return "\(command)\(what) of \(when)"
      + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))")
  }

  /// `sentence`, with the titles of an import, too.
  func listed(_ words: TimeWords, today: CivilDate) -> String {
    let isNamed = command != "import" && command != "refresh" || titles.isEmpty
    return sentence(words, today: today) + (isNamed ? "" : ": \(quotedTitles)")
  }

  private var quotedTitles: String {
    titles.prefix(Self.mostTitles).map { "\"\($0)\"" }.joined(separator: ", ")
      + (titles.count > Self.mostTitles ? ", …" : "")
  }

  static let mostTitles = 3

  /// They fit into a line.
  private static let mostNames = 5

  /// The last part of a path. An address is shown as it is.
  private static func fileName(_ source: String) -> String {
    guard source.hasPrefix("/"), let name = source.split(separator: "/").last else {
      return source
    }
    return String(name)
  }
}
