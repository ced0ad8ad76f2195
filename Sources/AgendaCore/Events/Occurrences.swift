internal import CivilTime
internal import Recurrence

/// The occurrences of a series in a window, computed on demand.
///
/// For a single event only its occurrence is computed. A copy shares the state of the original, so
/// go through one of them only.
public struct Occurrences: Sequence, IteratorProtocol {
  /// By reference, so that a single event has no memory for the values of a series.
  private final class Recurring {
    var instances: RecurrenceSet.Instances

    init(_ instances: RecurrenceSet.Instances) {
      self.instances = instances
    }
  }

  private let series: Series
  private let viewer: Zone
  private let includesCancelled: Bool
  private let recurs: Bool
  private var single: Occurrence?
  private var recurring: Recurring?
  private var tasks: DueTasks?
  /// The reason if not all of the window is returned; known after the last occurrence.
  private var cut: RecurrenceSet.Cut?
  private let limit: Int
  private let mostExcluded: Int

  /// `prepared` are the occurrences of a series for any window; `nil` if they are to be prepared.
  init(
    _ series: Series, _ prepared: PreparedRecurrence?, window: Range<Instant>, viewer: Zone,
    includingCancelled: Bool, atMost limit: Int, mostExcluded: Int
  ) {
    self.series = series
    self.limit = limit
    self.mostExcluded = mostExcluded
    self.viewer = viewer
    includesCancelled = includingCancelled
    recurs = series.recurs
    let master = series.master
    guard let start = master.start, includingCancelled || master.status != .cancelled else {
      return
    }
    if master.kind == .task {
      tasks = (prepared ?? series.prepared(viewer: viewer)).map { prepared in
        let ends = series.ends(ofTasksDueIn: window, viewer: viewer)
        return DueTasks(prepared.instances(ending: ends, atMost: limit), window: window)
      }
    } else if series.isSingle {
      let instance = RecurrenceSet.place(
        start, master.extent, recurrenceID: start, viewer: viewer)
      guard instance.touches(window) else { return }
      var occurrence = Occurrence(event: master, instance)
      occurrence.recurrenceID = master.identity.recurrenceID
      single = occurrence
    } else if let prepared = prepared ?? series.prepared(viewer: viewer) {
      recurring = Recurring(
        prepared.instances(touching: window, atMost: limit, mostExcluded: mostExcluded))
    }
  }

  /// Whether the window has more occurrences than were returned; known after the last one.
  public var wasCut: Bool { cut != nil }

  /// How many occurrences of rules were gone through, with those that are excluded or duplicates.
  package var steps: Int { recurring?.instances.steps ?? 0 }

  /// Whether the window holds more than is given because of a limit below that of every series; known
  /// once all have been asked for.
  package var wasCutByLimit: Bool { cutByLimit != nil }

  /// The reason if not all of the window is returned because of a limit below that of every series;
  /// known after the last occurrence.
  var cutByLimit: RecurrenceSet.Cut? {
    switch cut {
    case .tooMany, .tooManyExcluded: limit < RecurrenceSet.ceiling ? cut : nil
    case .outsideTable, .startOutsideTable, nil: nil
    }
  }

  /// The finding that the window has more occurrences than can be shown; known after the last one.
  public var finding: Finding? {
    guard let cut else { return nil }
    let finding: Finding =
      switch cut {
      case .tooMany: .tooManyOccurrences(limit: RecurrenceSet.ceiling)
      case .tooManyExcluded:
        mostExcluded < RecurrenceSet.excludedCeiling
          ? .tooManySkippedEntries(limit: mostExcluded)
          : .tooManyExcluded(limit: RecurrenceSet.excludedCeiling)
      case .outsideTable(let calendar): .windowOutsideTable(calendar)
      case .startOutsideTable(let calendar):
        .repetitionOutsideTable(calendar, of: series.master.kind)
      }
    return finding.about(series.master, "RRULE")
  }

  public mutating func next() -> Occurrence? {
    if let occurrence = single {
      single = nil
      return occurrence
    }
    if let recurring {
      while let instance = recurring.instances.next() {
        if let occurrence = occurrence(instance) { return occurrence }
      }
      cut = recurring.instances.cut
    }
    return nextTask()
  }

  /// `nil` for a cancelled occurrence that the caller does not ask for.
  private func occurrence(_ instance: RecurrenceSet.Instance) -> Occurrence? {
    var event = instance.override.map { series.overrides[$0] } ?? series.master
    if event.status == .cancelled, !includesCancelled { return nil }
    if series.master.status == .cancelled { event.status = .cancelled }
    var occurrence = Occurrence(event: event, instance)
    occurrence.recurrenceID = instance.recurrenceID
    // If nothing recurs, an override of the only time has no RECURRENCE-ID: the UID identifies it.
    if !recurs, instance.recurrenceID == series.master.start { occurrence.recurrenceID = nil }
    return occurrence
  }

  private mutating func nextTask() -> Occurrence? {
    guard let tasks else { return nil }
    while let instance = tasks.next, !tasks.hasFirst {
      tasks.advance()
      guard var task = occurrence(instance) else { continue }
      if series.isSingle { task.recurrenceID = series.master.identity.recurrenceID }
      task.moveToDue(viewer: viewer)
      tasks.add(task)
    }
    if tasks.next == nil { cut = tasks.cut }
    return tasks.takeFirst()
  }
}

/// The tasks of a series in the order in which they are due. An override can be due before an earlier
/// occurrence, so a task waits until no later instance can be due before it.
private final class DueTasks {
  private let window: Range<Instant>
  private var instances: RecurrenceSet.Instances
  /// The next instance, in the order of their begin.
  private(set) var next: RecurrenceSet.Instance?
  /// In the order in which they are due; those before `first` are taken.
  private var waiting: [Occurrence] = []
  private var first = 0

  /// No task is due so long before its instance begins: one of the two can be a date, and dates are in
  /// the zone of the viewer.
  private static let margin = 3 * TimeOfDay.secondsPerCivilDay

  init(_ instances: RecurrenceSet.Instances, window: Range<Instant>) {
    self.instances = instances
    self.window = window
    next = self.instances.next()
  }

  var cut: RecurrenceSet.Cut? { instances.cut }

  func advance() { next = instances.next() }

  func add(_ task: Occurrence) {
    guard window.contains(task.begin) else { return }
    // Nearly always the last place.
    var (low, high) = (first, waiting.count)
    if let last = waiting.last, last.begin <= task.begin { low = high }
    while low < high {
      let middle = (low + high) / 2
      if waiting[middle].begin <= task.begin { low = middle + 1 } else { high = middle }
    }
    waiting.insert(task, at: low)
  }

  /// Whether no later instance can be due before the first task that waits.
  var hasFirst: Bool {
    guard first < waiting.count, let next else { return false }
    return waiting[first].begin < next.begin.adding(seconds: -Self.margin)
  }

  func takeFirst() -> Occurrence? {
    guard first < waiting.count else { return nil }
    let task = waiting[first]
    first += 1
    if first > 64, first > waiting.count / 2 {
      waiting.removeFirst(first)
      first = 0
    }
    return task
  }
}

extension Series {
  /// When occurrences can end that are due in a window: then, unless dates or a change of the clocks
  /// move one of the two.
  fileprivate func ends(ofTasksDueIn window: Range<Instant>, viewer: Zone) -> Range<Instant> {
    var (begin, end) = (window.lowerBound, window.upperBound)
    let day = TimeOfDay.secondsPerCivilDay
    for task in [master] + overrides {
      for time in [task.start, task.due] {
        guard let time else { continue }
        if time.isDate {
          return window.lowerBound.adding(
            seconds: -3 * day)..<window.upperBound.adding(seconds: 3 * day)
        }
        // Of a time that occurs twice, a task is due at the first one.
        let zone = time.zone ?? viewer
        guard let change = zone.previousTransition(before: window.upperBound.adding(seconds: day)),
          change.instant >= window.lowerBound.adding(seconds: -day)
        else { continue }
        let repeated = max(0, change.before.utcOffset - change.after.utcOffset)
        end = max(end, window.upperBound.adding(seconds: repeated))
        begin = min(begin, window.lowerBound.adding(seconds: -repeated))
      }
    }
    return begin..<end
  }
}

extension Occurrence {
  /// The name of its zone, if it has a time and the name means the same zone everywhere.
  package var timeZoneName: String? {
    allDay != nil || isUndated ? nil : start.zone?.standardName
  }

  fileprivate init(event: Event, _ instance: RecurrenceSet.Instance) {
    self.init(
      event: event, start: instance.start, begin: instance.begin, finish: instance.finish,
      allDay: instance.allDay, recurrenceID: nil)
  }

  /// Moves a task to the day, or the time, at which it is due.
  fileprivate mutating func moveToDue(viewer: Zone) {
    start = due(viewer: viewer)
    begin = start.instant(for: viewer)
    if case .date(let date) = start {
      let end = date.adding(days: 1) ?? .afterLast
      allDay = date..<end
      finish = max(begin, viewer.startOfDay(end))
    } else {
      allDay = nil
      finish = begin
    }
  }

  private func due(viewer: Zone) -> EventTime {
    guard case .end(let due) = event.spannedExtent, let first = event.start else {
      guard case .duration = event.extent else { return start }
      // An all-day task is due on its last day.
      if let allDay { return .date(allDay.upperBound.adding(days: -1) ?? allDay.lowerBound) }
      return start.moved(to: finish, viewer: viewer)
    }
    switch (start, due) {
    case (.date(let date), .date(let dueDate)):
      let days = max(0, first.civil.date.days(until: dueDate))
      return .date(date.adding(days: days) ?? date)
    case (_, .date(let dueDate)):
      let days = max(0, first.civil.date.days(until: dueDate))
      return .date(start.civil.date.adding(days: days) ?? start.civil.date)
    case (.date(let date), _):
      let days = max(0, first.civil.date.days(until: due.civil.date))
      return due.at(CivilDateTime(date.adding(days: days) ?? date, due.civil.time))
    default:
      return due.moved(to: finish, viewer: viewer)
    }
  }
}

extension EventTime {
  fileprivate func moved(to instant: Instant, viewer: Zone) -> EventTime {
    at((zone ?? viewer).civil(at: instant))
  }
}

extension Event.Kind {
  /// `VEVENT`.
  package var component: String {
    switch self {
    case .event: "VEVENT"
    case .task: "VTODO"
    case .journal: "VJOURNAL"
    }
  }

  /// What people call several of them.
  var plural: String {
    switch self {
    case .event: "events"
    case .task: "tasks"
    case .journal: "journals"
    }
  }

  /// What people call one of them.
  package var noun: String {
    switch self {
    case .event: "event"
    case .task: "task"
    case .journal: "journal"
    }
  }
}
