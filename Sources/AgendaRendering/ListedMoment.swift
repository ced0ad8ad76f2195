package import AgendaCore
internal import CivilTime

/// The current moment in a listing: what is over, in progress, next or overdue, and what overlaps.
struct ListedMoment {
  private let now: Instant
  private let today: CivilDate
  private let isGroupedByDay: Bool
  /// When the next events begin; `nil` if none begins soon.
  private let next: Instant?
  /// The occurrences that overlap another one.
  private let overlapping: Set<OccurrenceID>

  /// What is further away is better read in the heading of its day.
  private static let soon = 24 * 60 * 60

  init(_ now: Instant, in agenda: Agenda) {
    self.now = now
    today = agenda.window.zone.day(holding: now)
    isGroupedByDay = agenda.options.groupedBy == .day
    let occurrences = agenda.occurrences
    next =
      occurrences.lazy.filter { $0.isTimedEvent && $0.begin > now }.map(\.begin).min()
      .flatMap { $0.secondsSinceEpoch - now.secondsSinceEpoch < Self.soon ? $0 : nil }
    let declined = agenda.options.declined
    let attended =
      declined.isEmpty
      ? occurrences : occurrences.filter { !declined.contains($0.event.reference) }
    overlapping = Set(
      Conflict.overlapping(among: attended).map { OccurrenceID(of: attended[$0]) })
  }

  /// The time until the next event begins.
  var untilNext: TimeUntil? { next.map { TimeUntil($0, from: now) } }

  func isNext(_ entry: Entry) -> Bool {
    entry.occurrence.isTimedEvent && entry.begin == next && entry.day == 1
  }

  /// Whether a timed entry goes on now.
  func isInProgress(_ entry: Entry) -> Bool {
    entry.occurrence.isTimedEvent && entry.begin <= now && now < entry.finish
      && (!isGroupedByDay || entry.date == today)
  }

  /// Whether a timed entry has ended.
  func isOver(_ entry: Entry) -> Bool {
    !entry.isAllDay && entry.finish <= now && !entry.occurrence.isUndated
      && (entry.begin < entry.finish || entry.begin < now)
  }

  func isPastOfToday(_ entry: Entry) -> Bool {
    entry.date == today && isOver(entry) && !entry.event.isOpenTask
  }

  func overlaps(_ entry: Entry) -> Bool {
    !overlapping.isEmpty && !entry.isAllDay && overlapping.contains(entry.id)
  }

  /// Whether a task should be done by now.
  func isOverdue(_ entry: Entry) -> Bool {
    guard entry.event.isOpenTask, !entry.occurrence.isUndated, entry.event.hasDueTime else {
      return false
    }
    return entry.occurrence.allDay.map { $0.lowerBound < today } ?? (entry.begin < now)
  }
}

extension TimeUntil {
  package func duration(_ wording: DateWording) -> String { wording.duration(seconds: seconds) }
}

extension Occurrence {
  /// Whether it is an event with a time that takes place.
  fileprivate var isTimedEvent: Bool {
    event.kind == .event && allDay == nil && event.status != .cancelled
  }
}

extension Event {
  fileprivate var isOpenTask: Bool { kind == .task && isOpen }
}
