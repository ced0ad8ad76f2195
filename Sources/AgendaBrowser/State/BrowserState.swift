internal import AgendaCore
package import AgendaRendering
package import CivilTime

/// What a browser shows, and what its keys mean. `handle` is the only function that changes it; it
/// depends on nothing else.
package struct BrowserState: Sendable {
  package let settings: BrowserSettings
  package internal(set) var view: BrowserView
  package internal(set) var columns: Int
  package internal(set) var rows: Int
  package internal(set) var now: Instant
  /// The day that is looked at.
  package internal(set) var date: CivilDate
  /// The selected entry; `nil` on a day without entries.
  package internal(set) var target: BrowserTarget?
  package internal(set) var days = LoadedDays()
  /// `nil` until they are read.
  var tasks: [BrowserTask]?
  package internal(set) var calendars: [BrowserCalendar] = []
  /// The calendars that are switched off.
  package internal(set) var hidden: Set<String> = []
  /// The calendar of new entries.
  package internal(set) var calendarOfNewEntries: String
  /// The first line of the list.
  var top: ListPosition
  /// A movement that waits until days are read.
  var goal: Goal?
  package internal(set) var panel: Panel?
  package internal(set) var prompt: Prompt? {
    didSet { if prompt == nil { hasUnseenPrompt = false } }
  }
  /// Whether what is asked is not on the screen yet, so that no key was typed for it.
  package internal(set) var hasUnseenPrompt = false
  /// Counts keys, clicks and pastes.
  var inputs = 0
  /// What happened, until the next key.
  package internal(set) var message: String?
  var isAlert = false
  /// The fields that are being saved.
  var savedForm: Prompt.Form?
  var progress: String?
  /// The words of the last search.
  var words = ""
  /// Where a search began.
  var searchOrigin: (date: CivilDate, target: BrowserTarget?)?
  /// What was selected before the tasks were shown.
  var targetBeforeTasks: BrowserTarget?
  var drag: Drag?
  /// Counts the states of the calendars. What was read before a change is read again.
  var generation = 0
  var loadedGeneration = 0
  var isLoading = false
  /// Whether the days that are read now will be seen only after the next key.
  private var isReadingAhead = false
  /// Whether the picture lacks days that are being read.
  var awaitsDays: Bool { isLoading && !isReadingAhead }
  var isLoadingTasks = false
  var hasFailed = false
  private var lastNumber = 0
  /// The commands whose answers are waited for, and how many inputs there were before each.
  var waiting: [Int: (purpose: Purpose, inputs: Int)] = [:]
  var isOver = false

  struct ListPosition: Hashable, Sendable {
    var date: CivilDate
    var line: Int
  }

  enum Goal: Hashable, Sendable {
    case entries(Int)
    case lastEntryOfDay
  }

  /// What covers a part of the days.
  package enum Panel: Sendable {
    case page(BrowserPage, scroll: Int)
    case calendars(cursor: Int)
    case help(scroll: Int)
  }

  struct Drag: Sendable {
    let target: BrowserTarget
    let from: GridCanvas.Area.Target
    var to: GridCanvas.Area.Target?
  }

  /// What an answer is for.
  enum Purpose: Sendable {
    case page
    case fields(BrowserTarget)
    case check(Prompt.ScopedCommand)
    case invitation(BrowserTarget)
    case conflict
    case trial(BrowserTarget, SeriesScope?)
    case preview
    case find
    case write
    /// What was typed is shown again if it is wrong.
    case input(Prompt)
    case undo
    case link
    case launch
  }

  package init(_ settings: BrowserSettings, now: Instant, columns: Int, rows: Int) {
    self.settings = settings
    self.now = now
    view = settings.view
    calendarOfNewEntries = settings.calendarOfNewEntries
    (self.columns, self.rows) = (columns, rows)
    let today = settings.zone.day(holding: now)
    date = settings.firstDay ?? today
    top = ListPosition(date: date, line: 0)
    message = settings.notice.map(SafeText.line)
  }

  package var today: CivilDate { settings.zone.day(holding: now) }
  package var wording: DateWording { settings.wording }
  var texts: Words.Browser { settings.wording.words.browser }

  // MARK: Events

  /// The new state, and what is to be done.
  package mutating func handle(_ event: BrowserEvent) -> [BrowserRequest] {
    var requests: [BrowserRequest] = []
    switch event {
    case .input(.key(let key)): handle(key, &requests)
    case .input(.mouse(let mouse)): handle(mouse, &requests)
    case .input(.paste(let text)): paste(text, &requests)
    case .resized(let columns, let rows):
      (self.columns, self.rows) = (max(1, columns), max(1, rows))
      requests.append(.redraw)
    case .time(let now):
      let previous = today
      self.now = now
      // Overdue tasks move to the new day.
      if today != previous { outdate() }
    case .loaded(let part, let generation):
      isLoading = false
      hasFailed = false
      guard generation == self.generation else { break }
      if loadedGeneration != generation {
        days = LoadedDays(replacing: days)
        loadedGeneration = generation
      }
      days.insert(part, near: date, needed: neededDays)
      keepTarget()
      reachGoal()
    case .loadedBusy(let part, let generation):
      isLoading = false
      hasFailed = false
      if generation == self.generation { days.insert(part) }
    case .tasks(let tasks, let generation):
      isLoadingTasks = false
      guard generation == self.generation else { break }
      self.tasks = tasks
      if view == .tasks { keepTask() }
    case .calendars(let calendars): self.calendars = calendars
    case .changed: outdate()
    case .answered(let answer, let number):
      if let (purpose, before) = waiting.removeValue(forKey: number) {
        take(answer, for: purpose, isLate: inputs > before || prompt != nil, &requests)
      }
    case .drawn: hasUnseenPrompt = false
    case .progress(let line): progress = line
    case .failed(let reason), .lost(let reason):
      isLoading = false
      isLoadingTasks = false
      hasFailed = true
      alert(reason)
    }
    settle()
    requests += loads()
    return requests
  }

  /// What was read is from a former state of the calendars.
  mutating func outdate() {
    generation += 1
    isLoading = false
    isLoadingTasks = false
    hasFailed = false
    tasks = nil
  }

  mutating func run(_ command: BrowserCommand, for purpose: Purpose) -> BrowserRequest {
    lastNumber += 1
    waiting[lastNumber] = (purpose, inputs)
    return .run(command, number: lastNumber)
  }

  mutating func alert(_ text: String) {
    message = SafeText.line(text)
    isAlert = true
  }

  mutating func say(_ text: String) {
    message = SafeText.line(text)
    isAlert = false
  }

  // MARK: Loading

  /// The days whose entries the view needs; `nil` for a view that needs none. A year needs those of the
  /// selected day alone, and of all others the busy times; a very full month, of all others the first ones.
  var neededDays: Range<Int>? {
    let day = Int(date.dayNumber)..<Int(date.dayNumber) + 1
    return switch view {
    case .list, .year: day
    case .day, .week: window.map(Self.range)
    case .month: window.map(Self.range).map { days.exceedsLimit($0.count) ? day : $0 }
    case .tasks: nil
    }
  }

  /// The days of a month of which the first entries are enough.
  private var missingExcerpt: Range<Int>? {
    guard view == .month, let range = window.map(Self.range), days.exceedsLimit(range.count)
    else { return nil }
    return days.missingFirst(in: range)
  }

  static func range(_ window: DateWindow) -> Range<Int> {
    Int(window.firstDay.dayNumber)..<Int(window.dayAfterLast.dayNumber)
  }

  /// The days of a grid.
  var window: DateWindow? { window(holding: date) }

  private func window(holding date: CivilDate) -> DateWindow? {
    let zone = settings.zone
    let first: CivilDate?
    let length: DateWindow.Length
    switch view {
    case .list, .tasks, .day: (first, length) = (date, .days(1))
    case .week:
      first = date.adding(days: -date.weekday.days(after: wording.locale.firstWeekday))
      length = .weeks(1)
    case .month: (first, length) = (date.firstOfMonth, .months(1))
    case .year: (first, length) = (date.adding(days: 1 - date.dayOfYear), .years(1))
    }
    return first.flatMap { DateWindow(firstDay: $0, length: length, zone: zone) }
      ?? DateWindow(firstDay: date, length: .days(1), zone: zone)
  }

  /// An empty calendar is not searched further than this to fill a list.
  private static let longestGap = 800

  private mutating func loads() -> [BrowserRequest] {
    var requests: [BrowserRequest] = []
    if view == .tasks, tasks == nil, !isLoadingTasks, !hasFailed {
      isLoadingTasks = true
      requests.append(.loadTasks(hidden: hidden, generation: generation))
    }
    guard !isLoading, !hasFailed else { return requests }
    if let missing = missingDays {
      request(missing, isAhead: false) { .load($0, hidden: $1, generation: $2) }
    } else if let missing = missingExcerpt {
      // A cell has fewer lines than the screen.
      let most = rows
      request(missing, isAhead: false) { .load($0, hidden: $1, generation: $2, atMost: most) }
    } else if view == .year, let missing = window.flatMap({ days.missingBusy(in: Self.range($0)) })
    {
      request(missing, isAhead: false) { .loadBusy($0, hidden: $1, generation: $2) }
    } else if let next = nextDays {
      request(next, isAhead: true) { .load($0, hidden: $1, generation: $2) }
    }
    return requests

    func request(
      _ range: Range<Int>, isAhead: Bool,
      _ make: (DateWindow, Set<String>, Int) -> BrowserRequest
    ) {
      let end = CivilDate(dayNumber: range.upperBound) ?? .afterLast
      guard let first = CivilDate(dayNumber: range.lowerBound),
        let window = DateWindow(firstDay: first, dayAfterLast: end, zone: settings.zone)
      else { return }
      isReadingAhead = isAhead
      isLoading = true
      requests.append(make(window, hidden, generation))
    }
  }

  /// The days to read next.
  private var missingDays: Range<Int>? {
    if generation != loadedGeneration {
      // After a change, all that is seen is read at once, so that nothing flickers.
      let needed = view == .list ? listedDays : neededDays
      guard var needed else { return nil }
      if days.partLength > 1 || needed.count == 1 {
        needed = needed.lowerBound..<min(needed.upperBound, needed.lowerBound + 400)
        return needed
      }
      let day = Int(date.dayNumber)
      return day..<(day + 1)
    }
    if let goal, case .entries(let count) = goal {
      if case .unknown(let date, let gap) = days.step(from: self.date, forward: count > 0) {
        return part(from: date, gap: gap, forward: count > 0)
      }
    }
    let day = Int(date.dayNumber)
    if view != .tasks, !days.knows(date) { return days.missing(in: day..<(day + 1)) }
    if view == .list {
      switch listEnd {
      case .unknown(let date, let gap) where gap < Self.longestGap:
        return part(from: date, gap: gap, forward: true)
      default: return nil
      }
    }
    return neededDays.flatMap { days.missing(in: $0) }
  }

  /// The days of the next page and of the one before, which are read while nothing else is to be done.
  private var nextDays: Range<Int>? {
    guard days.canReadAhead, generation == loadedGeneration else { return nil }
    let (next, previous): (CivilDate?, CivilDate?)
    switch view {
    case .tasks, .year: return nil
    case .list:
      for forward in [true, false] {
        if case .unknown(let date, let gap) = days.step(from: date, forward: forward), gap < 90 {
          return part(from: date, gap: 0, forward: forward)
        }
      }
      return nil
    case .day: (next, previous) = (date.adding(days: 1), date.adding(days: -1))
    case .week: (next, previous) = (date.adding(days: 7), date.adding(days: -7))
    case .month: (next, previous) = (date.adding(months: 1), date.adding(months: -1))
    }
    for date in [next, previous] {
      guard let date, let window = window(holding: date) else { continue }
      if let missing = days.missing(in: Self.range(window)) { return missing }
    }
    return nil
  }

  /// Days from one on, as many as are read at once, and more after many days without entries.
  private func part(from date: CivilDate, gap: Int, forward: Bool) -> Range<Int> {
    let length = max(days.partLength, gap)
    let number = Int(date.dayNumber)
    let (first, end) = (Int(CivilDate.first.dayNumber), Int(CivilDate.last.dayNumber) + 1)
    return forward
      ? number..<min(end, number + length) : max(first, number + 1 - length)..<(number + 1)
  }
}
