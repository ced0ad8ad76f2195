package import CivilTime

/// How the times of a series are compared with each other: by instant, or by date where the
/// series is of whole days.
package struct TimeMatcher: Sendable {
  package let isDate: Bool
  /// The zone of the series; for whole days UTC, in which their dates are counted.
  let zone: Zone
  private let viewer: Zone

  package init(start: EventTime, viewer: Zone) {
    isDate = start.isDate
    zone = start.isDate ? .utc : start.zone ?? viewer
    self.viewer = viewer
  }

  /// Seconds since 1970: of the instant, or of the date's midnight in a whole-day series.
  package func key(_ time: EventTime) -> Int {
    if isDate { return Int(time.date(onClockOf: nil).dayNumber) * ClockTimes.secondsPerDay }
    switch time {
    case .date(let date):
      return zone.instant(of: CivilDateTime(date, .midnight)).secondsSinceEpoch
    case .floating(let civil): return zone.instant(of: civil).secondsSinceEpoch
    case .zoned, .utc: return time.instant(for: viewer).secondsSinceEpoch
    }
  }

  /// A RECURRENCE-ID in the form of the series' DTSTART, so that the same occurrence is named in the same
  /// way whatever its override wrote. A date in a timed series gets DTSTART's time.
  func written(_ time: EventTime, as start: EventTime) -> EventTime {
    if isDate { return .date(time.date(onClockOf: nil)) }
    var civil = CivilDateTime(civilSeconds: civil(ofKey: key(time))) ?? time.civil
    if case .date(let date) = time { civil = CivilDateTime(date, start.civil.time) }
    if time.zone == start.zone, !time.isDate { civil = time.civil }
    return start.at(civil)
  }

  /// Seconds of civil time in the zone of the series.
  func civil(ofKey key: Int) -> Int {
    zone == .utc ? key : zone.civil(at: Instant(secondsSinceEpoch: key)).civilSeconds
  }

  /// No earlier civil time has this key or a greater one. Times in a gap have keys after the gap, so
  /// that after a gap this is before what the clocks show.
  func civilLowest(ofKey key: Int) -> Int {
    let civil = civil(ofKey: key)
    let day = ClockTimes.secondsPerDay
    func previous(before key: Int) -> ZoneTransition? {
      zone.previousTransition(before: Instant(secondsSinceEpoch: key))
        .flatMap { $0.instant.secondsSinceEpoch > key - day ? $0 : nil }
    }
    // A time in a gap is moved by less than a day.
    guard zone != .utc, let last = previous(before: key + 1) else { return civil }
    if previous(before: last.instant.secondsSinceEpoch) != nil { return civil - day }
    return civil - max(0, last.after.utcOffset - last.before.utcOffset)
  }

  /// What begins before this key does not reach into the window, if nothing lasts longer than
  /// `reach` seconds.
  func lowestKey(touching window: Range<Instant>, reach: Int) -> Int {
    let low = isDate ? midnight(window.lowerBound) : window.lowerBound.secondsSinceEpoch
    let (key, overflow) = low.subtractingReportingOverflow(reach)
    return overflow ? .min : key
  }

  /// What has this key, or a greater one, begins after the window.
  func endKey(of window: Range<Instant>) -> Int {
    isDate
      ? midnight(window.upperBound) + ClockTimes.secondsPerDay
      : window.upperBound.secondsSinceEpoch
  }

  private func midnight(_ instant: Instant) -> Int {
    Int(viewer.civil(at: instant).date.dayNumber) * ClockTimes.secondsPerDay
  }
}

/// The occurrences that exceptions and overrides of a series remove.
struct Exclusions: Sendable {
  private let keys: [Int]
  /// Day numbers in the zone of a timed series.
  private let days: [Int]

  init(_ set: RecurrenceSet, _ matcher: TimeMatcher) {
    if set.exceptionDates.isEmpty, set.overrides.isEmpty {
      (keys, days) = ([], [])
      return
    }
    var keys: [Int] = []
    var days: [Int] = []
    func add(_ time: EventTime) {
      if case .date(let date) = time, !matcher.isDate {
        days.append(Int(date.dayNumber))
      } else {
        keys.append(matcher.key(time))
      }
    }
    for time in set.exceptionDates { add(time) }
    for override in set.overrides { add(override.recurrenceID) }
    self.keys = keys.sorted()
    self.days = days.sorted()
  }

  func contains(_ candidate: Candidate) -> Bool {
    contains(key: candidate.key)
      || (!days.isEmpty && contains(day: floorDivide(candidate.civil, ClockTimes.secondsPerDay)))
  }

  func contains(key: Int) -> Bool { Self.contains(keys, key) }

  func contains(day: Int) -> Bool { Self.contains(days, day) }

  private static func contains(_ sorted: [Int], _ number: Int) -> Bool {
    if sorted.isEmpty { return false }
    let place = sorted.partitioningIndex { $0 >= number }
    return place < sorted.count && sorted[place] == number
  }
}
