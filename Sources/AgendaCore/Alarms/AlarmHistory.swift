package import CivilTime

/// Which alarms were shown, so that each is shown once: also if the program was not running, the computer
/// slept, or its clock was set.
package struct AlarmHistory: Equatable, Sendable {
  /// An alarm of an occurrence. If the event moves, its alarms are others.
  package struct Key: Hashable, Sendable {
    package let occurrence: String
    package let moment: Instant

    package init(occurrence: String, moment: Instant) {
      self.occurrence = occurrence
      self.moment = moment
    }

    package init(_ alarm: DueAlarm) {
      self.init(
        occurrence: OccurrenceID(of: alarm.occurrence).description, moment: alarm.moment)
    }
  }

  /// When it was last asked what to show; `nil` before the first time.
  package private(set) var lastCheck: Instant?
  /// The alarms that were shown.
  package private(set) var shown: Set<Key> = []
  /// When to show alarms again that the user put off.
  package private(set) var snoozed: [Key: Instant] = [:]

  package init(
    lastCheck: Instant? = nil, shown: Set<Key> = [], snoozed: [Key: Instant] = [:]
  ) {
    self.lastCheck = lastCheck
    self.shown = shown
    self.snoozed = snoozed
  }

  /// How far back alarms are shown late. A computer that slept longer has more important news.
  package static let longestDelay = 24 * 60 * 60

  /// The alarms to ask for at a moment: those that may be late or put off, and the next ones.
  package func span(at now: Instant, lookingAhead seconds: Int) -> Range<Instant> {
    let first = snoozed.keys.map(\.moment).min() ?? now
    return min(first, now.adding(seconds: -Self.longestDelay))..<now.adding(seconds: seconds)
  }

  /// The alarms to show now. They count as shown from then on.
  ///
  /// A late alarm is shown if its event is not over, or if it went off since the last time.
  package mutating func due(among alarms: [DueAlarm], at now: Instant) -> [DueAlarm] {
    let latest = now.adding(seconds: -Self.longestDelay)
    var due: [DueAlarm] = []
    // Two alarms of an event at one time are one to a person.
    var keys: Set<Key> = []
    for alarm in alarms where alarm.moment <= now {
      let key = Key(alarm)
      if let moment = snoozed[key] {
        guard moment <= now else { continue }
      } else {
        guard alarm.moment > latest, !shown.contains(key) else { continue }
        let isOver = max(alarm.occurrence.begin, alarm.occurrence.finish) <= now
        // An alarm at the start of an event without a length goes off when the event is over.
        let isNews = lastCheck.map { $0 < alarm.moment } ?? (alarm.moment == now)
        guard !isOver || isNews else { continue }
      }
      if keys.insert(key).inserted { due.append(alarm) }
    }
    shown.formUnion(keys)
    for key in keys { snoozed[key] = nil }
    lastCheck = now
    forgetOld(at: now)
    return due
  }

  /// Forgets what can't be shown again, and what a clock left that was far ahead.
  private mutating func forgetOld(at now: Instant) {
    let delay = Self.longestDelay
    let span = now.adding(seconds: -delay)..<now.adding(seconds: 7 * delay)
    snoozed = snoozed.filter { span.contains($0.value) }
    shown = shown.filter { span.contains($0.moment) || snoozed[$0] != nil }
  }

  /// Shows an alarm again later.
  package mutating func snooze(_ key: Key, until moment: Instant) { snoozed[key] = moment }

  /// When there is something to show next, after `due` was asked at `now`.
  package func next(among alarms: [DueAlarm], after now: Instant) -> Instant? {
    let others = alarms.lazy.filter { $0.moment > now && !shown.contains(Key($0)) }.map(\.moment)
    return (Array(others) + snoozed.values).min()
  }
}
