public import AgendaCore
public import AgendaSources
public import CivilTime

/// A task that is not completed, and how urgent it is.
public struct OpenTask: Sendable {
  /// How urgent a task is. The most urgent tasks come first.
  public enum Urgency: String, Hashable, Sendable, CaseIterable {
    /// The task was due before the present moment.
    case overdue
    /// The task is due today, or it has begun and has no due time.
    case today
    /// The task is due, or starts, after today.
    case upcoming
    /// The task has no date.
    case undated
  }

  /// The task at the time at which it is due, or at which it starts if it has no DUE; undated if it has no
  /// date. Of a series, this is the occurrence to do next.
  public let occurrence: Occurrence
  /// The urgency at the present moment.
  public let urgency: Urgency
  /// The priority, 1 (highest) to 9; `nil` if it has none.
  fileprivate let priority: Int?
}

extension Calendars {
  /// The tasks that are completed, the latest first. Those without the time of their completion, which
  /// `EventDetails.completed` has, come last. Of a series, each occurrence that was completed is listed.
  public func completedTasks(
    _ selection: Selection = Selection(), zone: Zone
  ) throws(CalendarError) -> [Occurrence] {
    var selection = selection
    selection.includesTasks = true
    return try tasks(of: selection, zone).flatMap { series in
      ([series.master] + series.overrides).compactMap { event in
        CompletedTask(event, selection: selection, zone: zone, details: source.details)
      }
    }.sorted { $0.order < $1.order }.map(\.occurrence)
  }

  /// The tasks that are not completed: overdue ones first, then those of today, upcoming ones and those
  /// without a date, each group sorted by priority and time. A series is listed once.
  public func openTasks(
    _ selection: Selection = Selection(), now: Instant, zone: Zone
  ) throws(CalendarError) -> [OpenTask] {
    openTasks(of: try tasks(of: selection, zone), selection, now: now, zone: zone)
  }

  private func tasks(
    of selection: Selection, _ zone: Zone
  ) throws(CalendarError) -> [Series] {
    var selection = selection
    selection.includesTasks = true
    let query = SeriesQuery(.all(.task), viewer: zone, of: selection)
    return try CalendarError.catching { try source.series(query) }
  }

  private func openTasks(
    of tasks: [Series], _ selection: Selection, now: Instant, zone: Zone
  ) -> [OpenTask] {
    var selection = selection
    selection.includesTasks = true
    return tasks.compactMap { series in
      OpenTask(series, selection: selection, now: now, zone: zone, details: source.details)
    }.sorted { $0.order < $1.order }
  }

  /// Adds tasks and journals that are on no day of an agenda: those without a date, and overdue
  /// tasks, which move to today if it is in the window. With `includesCompleted`, also adds
  /// completed tasks without a date, which agendas do not list.
  func addUndated(
    to occurrences: inout [Occurrence], in window: DateWindow, of selection: Selection,
    today: CivilDate?, includesCompleted: Bool = false
  ) throws {
    try addTasks(
      to: &occurrences, in: window, of: selection, today: today,
      includesCompleted: includesCompleted)
    guard selection.includesJournals else { return }
    let query = SeriesQuery(.all(.journal), viewer: window.zone, of: selection)
    var admitted = SeriesSelection(selection, details: source.details)
    for series in try source.series(query) where series.master.start == nil {
      let occurrence = Occurrence(undated: series.master)
      if admitted.admits(occurrence) { occurrences.append(occurrence) }
    }
  }

  private func addTasks(
    to occurrences: inout [Occurrence], in window: DateWindow, of selection: Selection,
    today: CivilDate?, includesCompleted: Bool
  ) throws {
    guard selection.includesTasks else { return }
    let zone = window.zone
    // Tasks of today that were due in the morning are in today's section anyway.
    let now = zone.startOfDay(today ?? window.firstDay)
    let showsToday = today.map { window.firstDay <= $0 && $0 < window.dayAfterLast } ?? false
    var overdue: Set<OccurrenceID> = []
    var added: [Occurrence] = []
    var admitted = SeriesSelection(selection, details: source.details)
    let tasks = try tasks(of: selection, zone)
    let open = openTasks(of: tasks, selection, now: now, zone: zone)
    for task in open {
      var occurrence = task.occurrence
      if task.urgency == .overdue, showsToday, let today {
        overdue.insert(OccurrenceID(of: occurrence))
        occurrence.listing = .on(today)
      } else if task.urgency != .undated {
        continue
      }
      if admitted.admits(occurrence) { added.append(occurrence) }
    }
    if !overdue.isEmpty {
      occurrences.removeAll {
        $0.event.kind == .task && overdue.contains(OccurrenceID(of: $0))
      }
    }
    occurrences += added
    guard includesCompleted else { return }
    let listed = Set(open.map { OccurrenceID(of: $0.occurrence) })
    occurrences += tasks.filter { $0.master.start == nil }.map { Occurrence(undated: $0.master) }
      .filter { !listed.contains(OccurrenceID(of: $0)) }
  }
}

extension OpenTask {
  /// `nil` if the series has no open task.
  fileprivate init?(
    _ series: Series, selection: Selection, now: Instant, zone: Zone,
    details: (EventReference) -> EventDetails
  ) {
    guard series.hasOpenPart else { return nil }
    let occurrence = Self.next(of: series, now: now, zone: zone)
    guard occurrence != nil || series.master.start == nil else { return nil }
    let event = occurrence?.event ?? series.master
    guard event.kind == .task, event.isOpen, selection.admits(event, details: details) else {
      return nil
    }
    let details = event.details(details)
    guard details.completed == nil || series.master.repeats else { return nil }
    self.occurrence = occurrence ?? Occurrence(undated: event)
    urgency = occurrence.map { Self.urgency(of: $0, now: now, zone: zone) } ?? .undated
    priority = details.priority
  }

  /// The last occurrence up to today if it is open, otherwise the first open one after it. One that was
  /// cancelled or removed needs nothing more, as one that was completed.
  private static func next(of series: Series, now: Instant, zone: Zone) -> Occurrence? {
    let today = zone.civil(at: now).date
    let tomorrow = zone.startOfDay(today.adding(days: 1) ?? .afterLast)
    var master = series.master
    let hasRemoved = master.recurrence?.exceptionDates.isEmpty == false
    master.recurrence?.exceptionDates = []
    let withRemoved = Series(master, overrides: series.overrides)
    if let last = PreparedSeries(withRemoved, viewer: zone).lastOccurrence(
      before: tomorrow, includingCancelled: true), last.event.isOpen
    {
      func isPresent() -> Bool {
        let span = last.begin..<last.begin.adding(seconds: 1)
        return series.occurrences(touching: span, viewer: zone, includingCancelled: true)
          .contains { $0.recurrenceID == last.recurrenceID }
      }
      if !hasRemoved || isPresent() { return last }
    }
    let open = PreparedSeries(series.openPart, viewer: zone)
    for span in NearbySpan.spans(of: open.series) {
      let last = span.moment(after: tomorrow, today, in: zone)
      guard tomorrow < last else { break }
      // The first of a few is the first of all, unless they are completed.
      for limit in [Self.mostAtFirst, .max] {
        var coming = open.occurrences(
          touching: tomorrow..<last, includingCancelled: false, atMost: limit)
        while let task = coming.next() {
          if task.event.isOpen { return task }
        }
        if !coming.wasCutByLimit { break }
      }
    }
    return nil
  }

  /// The next open occurrence of a task is nearly always among these.
  private static let mostAtFirst = 10

  /// A task without DUE is never overdue: it belongs to each day from its start until it is
  /// completed (RFC 5545 3.6.2).
  private static func urgency(of occurrence: Occurrence, now: Instant, zone: Zone) -> Urgency {
    let today = zone.civil(at: now).date
    let day = occurrence.allDay?.lowerBound ?? zone.civil(at: occurrence.begin).date
    if day > today { return .upcoming }
    let isPast = occurrence.allDay == nil ? occurrence.begin < now : day < today
    return isPast && occurrence.event.hasDueTime ? .overdue : .today
  }

  /// By urgency, priority, time, title and UID, so that files and the store list the same.
  fileprivate var order: (Int, Int, Int, String, String) {
    (
      Urgency.allCases.firstIndex(of: urgency) ?? 0, priority ?? 10,
      occurrence.isUndated ? 0 : occurrence.begin.secondsSinceEpoch, occurrence.event.title,
      occurrence.event.identity.uid
    )
  }
}

private struct CompletedTask {
  let occurrence: Occurrence
  private let completed: Instant?

  /// `nil` if the task is open, or of no interest.
  init?(
    _ event: Event, selection: Selection, zone: Zone, details: (EventReference) -> EventDetails
  ) {
    guard event.kind == .task, event.status != .cancelled,
      selection.admits(event, details: details)
    else { return nil }
    let found = event.details(details)
    guard event.status == .completed || found.completed != nil && !event.repeats else {
      return nil
    }
    let last =
      event.start == nil
      ? nil
      : PreparedSeries(Series(event), viewer: zone).lastOccurrence(
        before: zone.startOfDay(.afterLast), includingCancelled: true)
    occurrence = last ?? Occurrence(undated: event)
    completed = found.completed
  }

  /// By the time of completion, then by title and UID, so that files and the store list the same.
  var order: (Int, String, String) {
    (
      completed.map { -$0.secondsSinceEpoch } ?? .max, occurrence.event.title,
      occurrence.event.identity.uid
    )
  }
}

extension Series {
  /// Whether any occurrence can be open: the master or an override.
  fileprivate var hasOpenPart: Bool {
    if master.status == .cancelled { return false }
    return master.isOpen || overrides.contains(where: \.isOpen)
  }

  /// The series with fewer occurrences, but with all those that are open.
  fileprivate var openPart: Series {
    if master.isOpen { return self }
    let open = overrides.filter(\.isOpen)
    return open.contains(where: \.identity.includesFollowing) ? self : with(only: open)
  }
}
