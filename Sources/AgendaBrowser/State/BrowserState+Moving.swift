internal import AgendaCore
internal import CivilTime

extension BrowserState {
  /// The entries of the day.
  var entries: [Entry] { days.entries(on: date) }

  /// The position of the selected entry among those of its day.
  var position: Int? {
    guard let target else { return nil }
    let entries = entries
    // Several occurrences can have one id.
    return entries.firstIndex { target.names($0.occurrence) && $0.begin == target.begin }
      ?? entries.firstIndex { target.names($0.occurrence) }
  }

  /// The timed entry of the day that goes on, otherwise the next one.
  var presentEntry: Entry? {
    let now = now
    let entries = entries
    return entries.first { !$0.isAllDay && $0.finish > now } ?? entries.last
  }

  mutating func select(_ entry: Entry?) {
    target = entry.map { BrowserTarget($0.occurrence, on: date) }
  }

  mutating func go(to date: CivilDate, entry position: Int? = 0) {
    self.date = date
    goal = nil
    let entries = entries
    if !days.knows(date) || generation != loadedGeneration, entries.isEmpty { target = nil }
    if let position {
      select(entries.isEmpty ? nil : entries[min(max(0, position), entries.count - 1)])
    } else {
      select(entries.last)
    }
  }

  /// After days were read: the selection stays on its entry, also if it moved to another day.
  mutating func keepTarget() {
    guard days.knows(date) else { return }
    if let position {
      select(entries[position])
      return
    }
    if let target, let moved = days.date(of: target, near: date) {
      date = moved
      if let position { select(entries[position]) }
      return
    }
    guard target != nil || date != today else { return select(presentEntry) }
    // It is gone: the one that was below it is selected.
    guard view != .tasks else { return }
    let begin = target?.begin
    select(entries.first { entry in begin.map { entry.begin >= $0 } ?? true } ?? entries.last)
  }

  /// Selects the entry that comes so many later, or before.
  mutating func move(entries count: Int) {
    if view == .tasks { return moveTask(count) }
    goal = .entries((goalCount) + count)
    reachGoal()
  }

  private var goalCount: Int {
    if case .entries(let count) = goal { count } else { 0 }
  }

  /// Goes as far towards the goal as days are known.
  mutating func reachGoal() {
    if case .lastEntryOfDay = goal, days.knows(date) {
      goal = nil
      select(entries.last)
      return
    }
    guard case .entries(var count) = goal, generation == loadedGeneration else { return }
    while count != 0 {
      guard days.knows(date) else { break }
      let forward = count > 0
      let entries = entries
      let position = position ?? (forward ? -1 : entries.count)
      let next = position + (forward ? 1 : -1)
      if entries.indices.contains(next) {
        select(entries[next])
        count -= forward ? 1 : -1
        continue
      }
      switch days.step(from: date, forward: forward) {
      case .found(let found):
        date = found
        select(forward ? self.entries.first : self.entries.last)
        count -= forward ? 1 : -1
      case .unknown:
        goal = .entries(count)
        return
      case .end:
        say(forward ? texts.nothingLater : texts.nothingEarlier)
        count = 0
      }
    }
    goal = count == 0 ? nil : .entries(count)
  }

  mutating func move(days count: Int) {
    guard view != .tasks else { return }
    guard let next = view == .year ? date.adding(months: count) : date.adding(days: count) else {
      return say(count > 0 ? texts.nothingLater : texts.nothingEarlier)
    }
    go(to: next)
  }

  /// A page: a week, a month or a year in the views of them, otherwise as many entries as fit.
  mutating func move(pages count: Int) {
    let next: CivilDate?
    switch view {
    case .list, .tasks: return move(entries: count * max(1, bodyRows - 2))
    case .day: next = date.adding(days: count)
    case .week: next = date.adding(days: 7 * count)
    case .month: next = date.adding(months: count)
    case .year: next = date.adding(months: 12 * count)
    }
    guard let next else {
      return say(count > 0 ? texts.nothingLater : texts.nothingEarlier)
    }
    go(to: next)
  }

  mutating func show(_ view: BrowserView) {
    guard view != self.view else { return }
    // Among the tasks, the day and its selected entry wait: most tasks are due on another day.
    if view == .tasks { targetBeforeTasks = target }
    if self.view == .tasks { target = targetBeforeTasks }
    self.view = view
    panel = nil
    if view == .tasks {
      if tasks != nil { keepTask() }
    } else {
      if position == nil { select(entries.first) }
      top = ListPosition(date: date, line: 0)
    }
  }

  // MARK: Tasks

  var taskPosition: Int? {
    guard let target else { return nil }
    return tasks?.firstIndex { $0.target.id == target.id && $0.target.calendar == target.calendar }
  }

  mutating func keepTask() {
    if let taskPosition {
      target = tasks?[taskPosition].target
    } else {
      target = tasks?.first?.target
    }
  }

  private mutating func moveTask(_ count: Int) {
    guard let tasks, !tasks.isEmpty else { return }
    let next = (taskPosition ?? -1) + count
    target = tasks[min(max(0, next), tasks.count - 1)].target
  }

  // MARK: The list

  /// A line of the list.
  enum ListLine: Hashable, Sendable {
    case heading(CivilDate)
    case entry(CivilDate, Int)
    /// The day has no entries, and is shown because it is selected or today.
    case nothing(CivilDate)
    /// The current time, between the entries that have begun and the others.
    case now
    case blank
  }

  /// The lines of a day.
  func lines(of date: CivilDate) -> [ListLine] {
    let entries = days.entries(on: date)
    var lines: [ListLine] = [.heading(date)]
    if entries.isEmpty {
      lines.append(.nothing(date))
    } else {
      // Entries of all days come first.
      let later =
        date == today
        ? entries.firstIndex { !$0.isAllDay && !$0.occurrence.isUndated && $0.begin > now } : nil
      for index in entries.indices {
        if index == later, index > 0 { lines.append(.now) }
        lines.append(.entry(date, index))
      }
    }
    return lines + [.blank]
  }

  /// The next day that the list shows.
  func nextListed(_ date: CivilDate, forward: Bool) -> LoadedDays.Step {
    let step = days.step(from: date, forward: forward)
    // Days that are shown although they have no entries.
    let extra = [self.date, today].filter { forward ? $0 > date : $0 < date }
    guard let near = forward ? extra.min() : extra.max() else { return step }
    switch step {
    case .found(let found): return .found(forward ? min(found, near) : max(found, near))
    case .unknown(let edge, _): return (forward ? near < edge : near > edge) ? .found(near) : step
    case .end: return .found(near)
    }
  }

  /// The lines that fit, from `top` on, and what comes after them.
  func visibleLines(from top: ListPosition, count: Int) -> (lines: [ListLine], end: LoadedDays.Step)
  {
    var lines = Array(lines(of: top.date).dropFirst(top.line))
    var last = top.date
    while lines.count < count {
      let step = nextListed(last, forward: true)
      guard case .found(let next) = step else { return (lines, step) }
      lines += self.lines(of: next)
      last = next
    }
    return (Array(lines.prefix(count)), .found(last))
  }

  var listEnd: LoadedDays.Step { visibleLines(from: top, count: bodyRows).end }

  /// The days that the list shows.
  var listedDays: Range<Int> {
    let dates = visibleLines(from: top, count: bodyRows).lines.compactMap { line -> CivilDate? in
      switch line {
      case .heading(let date), .entry(let date, _), .nothing(let date): date
      case .now, .blank: nil
      }
    }
    let numbers = (dates + [date]).map { Int($0.dayNumber) }
    return (numbers.min() ?? 0)..<((numbers.max() ?? 0) + 1)
  }

  /// The line of the selection within its day.
  private var selectedLine: Int {
    let wanted = position.map { ListLine.entry(date, $0) }
    return lines(of: date).firstIndex { $0 == wanted } ?? 1
  }

  /// Scrolls the list so that the selection is in it.
  mutating func settle() {
    guard view == .list else { return }
    let rows = bodyRows
    let selected = ListPosition(date: date, line: selectedLine)
    // The heading of the day is shown with its first entry.
    let hasRoom = rows > 1
    let first = ListPosition(date: date, line: hasRoom && selected.line <= 1 ? 0 : selected.line)
    if top.date > date || top.date == date && top.line > first.line {
      top = first
      return
    }
    var distance = 0
    var day = top.date
    while day < date, distance < 2 * rows {
      distance += lines(of: day).count
      guard case .found(let next) = nextListed(day, forward: true) else { break }
      day = next
    }
    distance += selected.line - top.line
    if day == date, distance < rows { return }
    if day != date || distance >= 2 * rows {
      // It is far away.
      top = rows > 2 ? first : selected
      return
    }
    // The line becomes the last one.
    var position = selected
    var above = rows - 1
    while above > 0 {
      if position.line >= above {
        position.line -= above
        break
      }
      above -= position.line
      guard case .found(let previous) = nextListed(position.date, forward: false) else {
        position.line = 0
        break
      }
      position = ListPosition(date: previous, line: lines(of: previous).count)
    }
    top = position
  }
}

extension LoadedDays {
  /// The known day nearest to a date on which the entry is listed.
  func date(of target: BrowserTarget, near date: CivilDate) -> CivilDate? {
    for distance in 0...366 {
      for day in [date.adding(days: distance), date.adding(days: -distance)] {
        if let day, entries(on: day).contains(where: { target.names($0.occurrence) }) { return day }
      }
    }
    return nil
  }
}
