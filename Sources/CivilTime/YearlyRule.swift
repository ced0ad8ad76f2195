/// A footer made ready for look-ups: what it does in each of the fourteen kinds of year (leap or
/// not, by the weekday of 1 January), so that any year costs the same and none is walked through.
final class YearlyRule: Sendable {
  let footer: ZoneFooter
  /// The offset of every instant, where the clocks never change.
  let constant: LocalTimeType?
  /// By kind of year; empty if a change can be in another year than its rule, or if the two can
  /// change places.
  let patterns: [Pattern]

  /// One kind of year, in which the clocks change twice. Seconds count from its 1 January, 00:00
  /// UTC. Numbers alone, so that a look-up counts no references.
  struct Pattern {
    fileprivate let first: Int32
    fileprivate let second: Int32
    /// The first local times that are surely past the changes.
    fileprivate let firstLocalEnd: Int32
    fileprivate let secondLocalEnd: Int32
    fileprivate let offsetOutside: Int32
    fileprivate let offsetBetween: Int32
    fileprivate let isDaylightBetween: Bool
  }

  private struct Change {
    let instant: Int
    let before: Int
    let after: Int
    let isDaylightAfter: Bool

    var localEnd: Int { instant + max(before, after) }
    var localStart: Int { instant + min(before, after) }
  }

  private static let secondsPerDay = TimeOfDay.secondsPerCivilDay
  private static let shortestYear = 365 * secondsPerDay

  init(_ footer: ZoneFooter) {
    self.footer = footer
    guard let daylight = footer.daylight else {
      constant = footer.standard
      patterns = []
      return
    }
    var patterns: [Pattern] = []
    patterns.reserveCapacity(14)
    for kind in 0..<14 {
      let leap = kind >= 7
      let weekday = Weekday(rawValue: UInt8(kind % 7 + 1)) ?? .monday
      let changes = Self.changes(of: footer, daylight, leap: leap, firstWeekday: weekday)
      let first = changes.first
      let second = changes.second
      // Strictly inside, with every local time they touch, and in the same order in every year.
      guard first.isDaylightAfter == patterns.first?.isDaylightBetween ?? first.isDaylightAfter,
        min(first.instant, first.localStart) > 0, first.localEnd < second.localStart,
        max(second.instant, second.localEnd) < Self.shortestYear
      else {
        patterns = []
        break
      }
      patterns.append(
        Pattern(
          first: Int32(first.instant), second: Int32(second.instant),
          firstLocalEnd: Int32(first.localEnd), secondLocalEnd: Int32(second.localEnd),
          offsetOutside: Int32(first.before), offsetBetween: Int32(first.after),
          isDaylightBetween: first.isDaylightAfter))
    }
    self.patterns = patterns
    if daylight.type == footer.standard {
      constant = footer.standard
    } else if patterns.isEmpty, Self.isAlwaysDaylight(footer, daylight) {
      constant = daylight.type
    } else {
      constant = nil
    }
  }

  /// The two changes of a kind of year, in order.
  private static func changes(
    of footer: ZoneFooter, _ daylight: ZoneFooter.Daylight, leap: Bool, firstWeekday: Weekday
  ) -> (first: Change, second: Change) {
    let standard = footer.standard.utcOffset
    let saving = daylight.type.utcOffset
    let start = Change(
      instant: daylight.start.seconds(leap: leap, firstWeekday: firstWeekday) - standard,
      before: standard, after: saving, isDaylightAfter: true)
    let end = Change(
      instant: daylight.end.seconds(leap: leap, firstWeekday: firstWeekday) - saving,
      before: saving, after: standard, isDaylightAfter: false)
    return start.instant <= end.instant ? (start, end) : (end, start)
  }

  /// RFC 8536 3.3.1: daylight saving time that ends when it begins anew is kept all year.
  private static func isAlwaysDaylight(
    _ footer: ZoneFooter, _ daylight: ZoneFooter.Daylight
  ) -> Bool {
    // The calendar repeats every 400 years.
    var latestEnd: Int?
    for year in 2000...2400 {
      let firstDay = CivilDate.dayNumber(year: year, month: 1, day: 1)
      let weekday = Weekday(ofDayNumber: firstDay)
      let leap = CivilDate.isLeapYear(year)
      let base = firstDay * secondsPerDay
      let start =
        base + daylight.start.seconds(leap: leap, firstWeekday: weekday)
        - footer.standard.utcOffset
      let end =
        base + daylight.end.seconds(leap: leap, firstWeekday: weekday)
        - daylight.type.utcOffset
      if let latestEnd, latestEnd < start { return false }
      guard start < end else { return false }
      latestEnd = end
    }
    return true
  }

  // MARK: Look-ups

  /// The first day of the year of a day number, and which of the fourteen kinds it is.
  @inline(__always)
  private static func year(ofDayNumber dayNumber: Int) -> (firstDay: Int, kind: Int) {
    // Counted in spans of 400 years (146097 days, whole weeks) from 1 January 2000.
    let shifted = dayNumber - 10_957
    let span = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfSpan = shifted - span * 146_097
    // Leap days push the guess at most one year too far.
    var year = dayOfSpan / 365
    if firstDay(ofYearOfSpan: year) > dayOfSpan { year -= 1 }
    let firstDay = firstDay(ofYearOfSpan: year)
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year == 0)
    // 1 January 2000 was a Saturday.
    return (firstDay + span * 146_097 + 10_957, (firstDay + 5) % 7 + (isLeap ? 7 : 0))
  }

  @inline(__always)
  private static func firstDay(ofYearOfSpan year: Int) -> Int {
    year * 365 + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400
  }

  @inline(__always)
  private static func floorDay(_ seconds: Int) -> Int {
    let day = seconds / secondsPerDay
    return seconds % secondsPerDay < 0 ? day - 1 : day
  }

  func type(at instant: Int) -> LocalTimeType {
    if let constant { return constant }
    return isDaylight(at: instant) ? footer.daylight?.type ?? footer.standard : footer.standard
  }

  func utcOffset(at instant: Int) -> Int {
    guard constant == nil, !patterns.isEmpty else { return type(at: instant).utcOffset }
    return Self.utcOffset(at: instant, patterns)
  }

  /// The same where a rule has patterns.
  @inline(__always)
  static func utcOffset(at instant: Int, _ patterns: [Pattern]) -> Int {
    let year = year(ofDayNumber: floorDay(instant))
    let seconds = instant - year.firstDay * secondsPerDay
    let pattern = patterns[year.kind]
    return Int(
      seconds < pattern.first || seconds >= pattern.second
        ? pattern.offsetOutside : pattern.offsetBetween)
  }

  private func isDaylight(at instant: Int) -> Bool {
    guard !patterns.isEmpty else {
      let near = changes(near: instant)
      return near.last { $0.instant <= instant }?.isDaylightAfter ?? false
    }
    let year = Self.year(ofDayNumber: Self.floorDay(instant))
    let seconds = instant - year.firstDay * Self.secondsPerDay
    let pattern = patterns[year.kind]
    return pattern.isDaylightBetween != (seconds < pattern.first || seconds >= pattern.second)
  }

  /// The offset by which a local time is read: in a gap or a fold the one before.
  func utcOffset(ofLocal local: Int) -> Int {
    if let constant { return constant.utcOffset }
    guard patterns.isEmpty else { return Self.utcOffset(ofLocal: local, patterns) }
    switch resolution(ofLocal: local) {
    case .unique(let instant), .fold(let instant, _): return local - instant.secondsSinceEpoch
    case .gap(_, let before, _): return before
    }
  }

  /// The same where a rule has patterns.
  @inline(__always)
  static func utcOffset(ofLocal local: Int, _ patterns: [Pattern]) -> Int {
    let year = year(ofDayNumber: floorDay(local))
    let seconds = local - year.firstDay * secondsPerDay
    let pattern = patterns[year.kind]
    return Int(
      seconds < pattern.firstLocalEnd || seconds >= pattern.secondLocalEnd
        ? pattern.offsetOutside : pattern.offsetBetween)
  }

  func resolution(ofLocal local: Int) -> LocalResolution {
    if let constant { return .unique(Instant(secondsSinceEpoch: local - constant.utcOffset)) }
    let near = changes(near: local)
    return LocalResolution(
      ofLocal: local, offsetBeforeAll: near.first?.before ?? footer.standard.utcOffset,
      changes: near.lazy.map { (instant: $0.instant, offset: $0.after) })
  }

  func transition(after instant: Int) -> ZoneTransition? {
    guard constant == nil else { return nil }
    return changes(near: instant).first { $0.instant > instant }.map(transition)
  }

  func transition(before instant: Int) -> ZoneTransition? {
    guard constant == nil else { return nil }
    return changes(near: instant).last { $0.instant < instant }.map(transition)
  }

  private func transition(_ change: Change) -> ZoneTransition {
    let daylight = footer.daylight?.type ?? footer.standard
    return ZoneTransition(
      instant: Instant(secondsSinceEpoch: change.instant),
      before: change.isDaylightAfter ? footer.standard : daylight,
      after: change.isDaylightAfter ? daylight : footer.standard)
  }

  /// The real changes of the years around an instant or a local time, in order; those that cancel
  /// each other out at one instant are left out.
  private func changes(near seconds: Int) -> [Change] {
    guard let daylight = footer.daylight else { return [] }
    let middle = Self.year(ofDayNumber: Self.floorDay(seconds)).firstDay
    var all: [Change] = []
    // A change can lie a week outside of its year.
    let year = CivilDate.components(ofDayNumber: middle).year
    for year in year - 2...year + 2 {
      let firstDay = CivilDate.dayNumber(year: year, month: 1, day: 1)
      let pair = Self.changes(
        of: footer, daylight, leap: CivilDate.isLeapYear(year),
        firstWeekday: Weekday(ofDayNumber: firstDay))
      for change in [pair.first, pair.second] {
        let placed = Change(
          instant: change.instant + firstDay * Self.secondsPerDay, before: change.before,
          after: change.after, isDaylightAfter: change.isDaylightAfter)
        let place = all.lastIndex { $0.instant <= placed.instant }.map { $0 + 1 } ?? 0
        all.insert(placed, at: place)
      }
    }
    var kept: [Change] = []
    for (index, change) in all.enumerated() {
      let next = index + 1 < all.count ? all[index + 1] : nil
      if next?.instant == change.instant { continue }
      if kept.last?.isDaylightAfter == change.isDaylightAfter { continue }
      kept.append(change)
    }
    return kept
  }
}

extension LocalResolution {
  /// Looks at every stretch between changes, which need no minimum distance: for the rare zones
  /// whose changes lie closer together than they move the clocks.
  init(
    ofLocal local: Int, offsetBeforeAll: Int,
    changes: some Sequence<(instant: Int, offset: Int)>
  ) {
    var offset = offsetBeforeAll
    var begin = Int.min
    var first: Instant?
    var gap: LocalResolution?
    for change in changes {
      let instant = local - offset
      if instant >= begin, instant < change.instant {
        if let first {
          self = .fold(first: first, second: Instant(secondsSinceEpoch: instant))
          return
        }
        first = Instant(secondsSinceEpoch: instant)
      }
      if gap == nil, change.instant + offset <= local, local < change.instant + change.offset {
        gap = .gap(
          transition: Instant(secondsSinceEpoch: change.instant), offsetBefore: offset,
          offsetAfter: change.offset)
      }
      offset = change.offset
      begin = change.instant
    }
    let instant = local - offset
    if instant >= begin {
      let last = Instant(secondsSinceEpoch: instant)
      self = first.map { .fold(first: $0, second: last) } ?? .unique(last)
    } else if let first {
      self = .unique(first)
    } else {
      self = gap ?? .unique(Instant(secondsSinceEpoch: instant))
    }
  }
}
