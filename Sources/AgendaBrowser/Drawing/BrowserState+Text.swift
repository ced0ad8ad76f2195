internal import AgendaCore
internal import AgendaRendering
internal import CivilTime

extension BrowserState {
  /// Screens with fewer rows have no line of hints.
  static let rowsWithHints = 6

  /// The rows above the last lines.
  var bodyRows: Int { max(0, rows - (rows >= Self.rowsWithHints ? 2 : 1)) }

  var calendarColors: [String: String] {
    CalendarColors.distinct(calendars.map { ($0.name, $0.color) })
  }

  func title(_ text: String) -> String {
    let title = SafeText.line(text)
    return title.isEmpty ? "(\(wording.words.entries.noTitle))" : title
  }

  /// The title of an entry, with a box for a task.
  func title(of event: Event) -> String {
    guard event.kind == .task else { return title(event.title) }
    return (event.isOpen ? "☐ " : "☑ ") + title(event.title)
  }

  func texts(of entry: Entry, _ times: EntryWording.Times) -> String {
    let text = wording.text(of: times)
    guard columns < 40 else { return text }
    return switch times {
    case .allDay: "·"
    case .unstated: ""
    case .at(let begin), .span(let begin, _), .from(let begin): wording.time(begin)
    case .until(let end): wording.dash + wording.time(end)
    }
  }

  func isOver(_ entry: Entry) -> Bool {
    entry.finish <= now && !entry.occurrence.isUndated
      && (entry.begin < entry.finish || entry.begin < now)
      && !(entry.kind == .task && entry.event.isOpen)
  }

  func isOverdue(_ entry: Entry) -> Bool {
    guard entry.kind == .task, entry.event.isOpen, entry.occurrence.listing == .onItsDays,
      entry.event.due != nil
    else { return false }
    return entry.occurrence.allDay.map { $0.lowerBound < today } ?? (entry.begin < now)
  }

  /// The title of the selected entry, and when it is.
  var statusText: (title: String, rest: String) {
    guard let target else {
      return (wording.fullDate(date), isLoading && !days.knows(date) ? " · " + texts.loading : "")
    }
    guard let position else {
      let heading = tasks?.first { $0.target == target }.map { " · " + $0.time } ?? ""
      return (title(target.title), heading)
    }
    let entry = entries[position]
    // Short, because it is written again with each key.
    let window = DateWindow.day(date, in: settings.zone)
    let times = EntryWording(wording, window: window, options: days.options).times(of: entry)
    let text = wording.text(of: times)
    let notes = serverNotes(on: entry.event).map { " · " + $0 }.joined()
    return (
      title(target.title),
      " · " + wording.shortDateWithoutYear(date) + (text.isEmpty ? "" : ", " + text) + notes
    )
  }

  /// `conflict`, `not sent yet`: what is not settled with the server of an event.
  func serverNotes(on event: Event) -> [String] {
    guard let calendar = calendars.first(where: { $0.name == event.calendar }) else { return [] }
    return (calendar.conflictingEvents.contains(event.reference) ? [texts.conflict] : [])
      + (calendar.waitingEvents.contains(event.reference) ? [texts.unsent] : [])
  }

  /// The same of a calendar in the legend: `conflict: 1`, `not sent yet: 2`.
  func serverNotes(on calendar: BrowserCalendar) -> [String] {
    [(calendar.conflicts, texts.conflict), (calendar.waiting, texts.unsent)]
      .filter { $0.0 > 0 }
      .map { $0.1 + wording.words.lists.colon + wording.number($0.0) }
  }

  // MARK: Tasks

  var firstVisibleTask: Int {
    guard let tasks, let position = taskPosition else { return 0 }
    let rows = max(1, bodyRows)
    let step = max(1, rows / 2)
    return max(0, min(tasks.count - rows, position / step * step - step / 2))
  }

  var visibleTasks: ArraySlice<BrowserTask> {
    (tasks ?? []).dropFirst(firstVisibleTask).prefix(bodyRows)
  }

  // MARK: Help

  /// The most useful keys of what is shown.
  var hints: [(key: String, text: String)] {
    let actions: [(BrowserAction, String)]
    if case .line(let line) = prompt {
      guard case .add = line.purpose, writableCalendars.count > 1 else { return [] }
      return [("Tab", texts.otherCalendar)]
    }
    switch panel {
    case .calendars: return [("Space", texts.onOff), ("Esc", texts.close)]
    case .page, .help: return [("Esc", texts.close)]
    case nil:
      actions = [
        (.help, texts.help), (.details, texts.details), (.add, texts.add), (.edit, texts.edit),
        (.remove, texts.remove), (.search, texts.search), (.goTo, texts.goTo),
        (.today, wording.locale.today), (.undo, texts.undo), (.quit, texts.quit),
      ]
    }
    return actions.compactMap { action, text in
      settings.keys.keys(of: action).first.map { ("\($0)", text) }
    }
  }

  /// All keys with what they do.
  package var helpLines: [BrowserPage.Line] {
    let groups: [([BrowserAction], String)] = [
      ([.previousEntry, .nextEntry], texts.entries),
      ([.previousDay, .nextDay], view == .year ? texts.months : texts.days),
      ([.pageUp, .pageDown], texts.pages), ([.firstEntry, .lastEntry], texts.ends),
      ([.list, .day, .week, .month, .year, .tasks], texts.views), ([.today], wording.locale.today),
      ([.goTo], texts.goTo), ([.details], texts.details), ([.explain], texts.explain),
      ([.open], texts.open), ([.search, .nextMatch, .previousMatch], texts.searches),
      ([.calendars], texts.calendars), ([.add], texts.add), ([.edit], texts.edit),
      ([.editor], texts.editor), ([.remove], texts.remove), ([.later, .earlier], texts.quarters),
      ([.dayLater, .dayEarlier], texts.dayShifts), ([.done], texts.done), ([.reply], texts.reply),
      ([.undo, .redo], texts.undoAndRedo), ([.refresh], texts.refresh), ([.settle], texts.settle),
      ([.help], texts.help), ([.quit], texts.quit),
    ]
    let rows =
      groups.map { actions, text in
        (
          actions.flatMap { settings.keys.keys(of: $0).map(\.description) }.joined(separator: " "),
          text
        )
      } + [("Esc", texts.close)]
    let widest = min(28, rows.map { DisplayWidth.of($0.0) }.max() ?? 0)
    var lines: [BrowserPage.Line] = []
    for (keys, text) in rows where !keys.isEmpty {
      let width = DisplayWidth.of(keys)
      if width > widest {
        lines.append(.text(keys))
        lines.append(.text(String(repeating: " ", count: widest + 2) + text))
      } else {
        lines.append(.text(keys + String(repeating: " ", count: widest - width + 2) + text))
      }
    }
    return lines
  }

  // MARK: Pages

  func pageLineCount(_ page: BrowserPage) -> Int { lines(of: page).count }

  /// The lines of a page, wrapped at spaces.
  func lines(of page: BrowserPage) -> [BrowserPage.Line] {
    page.lines.flatMap { line -> [BrowserPage.Line] in
      guard case .text(let text) = line, DisplayWidth.of(text) > columns else { return [line] }
      return wrapped(text).map(BrowserPage.Line.text)
    }
  }

  func wrapped(_ text: String) -> [String] {
    let indent = text.prefix { $0 == " " }.count
    let margin = String(repeating: " ", count: min(indent, max(0, columns / 2)))
    var lines: [String] = []
    var line = ""
    var width = 0
    for character in text {
      let columns = DisplayWidth.of(character)
      if width + columns > self.columns, width > margin.count {
        if let blank = line.lastIndex(of: " "), line[..<blank].contains(where: { $0 != " " }) {
          let rest = String(line[line.index(after: blank)...])
          lines.append(String(line[..<blank]))
          line = margin + rest
        } else {
          lines.append(line)
          line = margin
        }
        width = DisplayWidth.of(line)
        if character == " ", width == margin.count { continue }
      }
      line.append(character)
      width += columns
    }
    lines.append(line)
    return lines
  }
}
