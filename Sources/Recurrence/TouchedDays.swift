package import CivilTime

/// The weekdays, days of the month and months that occurrences can touch, as one number: an index
/// on it dismisses most series that have nothing on a day.
///
/// Dates are those of the series' own clock. If they are always those of UTC too, a flag says so, and
/// a day needs no margin for zones. They are kept without their combinations: a series on the 1st of
/// May and on Sundays in June also seems to touch Sunday, 1 June.
package struct TouchedDays: Hashable, Sendable {
  /// Bits 0 to 6 are the weekdays from Monday, 7 to 37 the days of the month, 38 to 49 the months, and
  /// bit 50 is the flag. With the flag, bits 51 to 55 and 56 to 60 are the first and the last hour of UTC.
  package private(set) var bits: Int

  private static let firstMonthDay = 7
  private static let firstMonth = 38

  package static let weekdays = 0x7F
  package static let monthDays = 0x7FFF_FFFF << firstMonthDay
  package static let months = 0xFFF << firstMonth
  /// Set if each occurrence is on one date in UTC, and on the same date in its own zone.
  package static let isOnDateOfUTC = 1 << 50
  /// With this flag, the hours of UTC between which each occurrence is, at the shifts.
  package static let firstHour = 31 << firstHourShift
  package static let lastHour = 31 << lastHourShift
  private static let firstHourShift = 51
  private static let lastHourShift = 56
  package static let all = TouchedDays(bits: weekdays | monthDays | months)

  private init(bits: Int) { self.bits = bits }

  private mutating func insert(_ date: CivilDate) {
    let components = date.components
    bits |= 1 << (Int(date.weekday.rawValue) - 1)
    bits |= 1 << (Self.firstMonthDay + components.day - 1)
    bits |= 1 << (Self.firstMonth + components.month - 1)
  }

  /// What a set that recurs by its rules alone touches; `all` where more than the date of a rule
  /// decides.
  package init(_ set: RecurrenceSet) {
    self = .all
    guard set.dates.isEmpty, set.overrides.isEmpty, !set.rules.isEmpty, set.staysOnItsDay else {
      return
    }
    var touched = TouchedDays(bits: 0)
    let first = set.start.civil.date
    touched.insert(first)
    var calendar = RuleCalendar(nil)
    let month = calendar.month(containing: Int(first.dayNumber))
    for rule in set.rules {
      guard rule.calendar == nil, rule.skip == .omit, rule.frequency >= .daily,
        rule.byHour.isEmpty, rule.byMinute.isEmpty, rule.bySecond.isEmpty
      else { return }
      let days = DayRule(rule, start: first, in: month).touched
      touched.bits |= Int(days.weekdays)
      touched.bits |= Int(days.monthDays >> 1) << Self.firstMonthDay
      touched.bits |= Int(days.months >> 1) << Self.firstMonth
    }
    if let seconds = set.secondsOfDateOfUTC {
      touched.bits |= Self.isOnDateOfUTC
      touched.bits |= seconds.lowerBound / 3600 << Self.firstHourShift
      touched.bits |= min(23, seconds.upperBound / 3600) << Self.lastHourShift
    }
    self = touched
  }

  /// Further from UTC no zone of tzdata has ever been: America/Juneau was at +15:02.
  private static let widestOffset = 16 * 60 * 60

  /// Some days; `all` for a longer span, which touches every day of some month, and of most weeks.
  private init(days: Range<Int>) {
    self = .all
    guard days.count <= 31 else { return }
    var touched = TouchedDays(bits: 0)
    for day in days {
      guard let date = CivilDate(dayNumber: day) else { return }
      touched.insert(date)
    }
    self = touched
  }

  /// What an occurrence that touches a window touches.
  package struct Window: Sendable {
    /// Whatever the zone of the occurrence.
    package var days = TouchedDays.all
    /// If the occurrence is on one date of UTC: the dates of the window, those after the first, and those
    /// before the last one.
    package var datesOfUTC = TouchedDays.all
    package var laterDates = TouchedDays.all
    package var earlierDates = TouchedDays.all
    /// The hour of the first date in which the window begins, and that of the last date in which it
    /// ends, at the shifts of `firstHour` and `lastHour`. An occurrence that is on the first date only
    /// has a last hour that is at least `beginHour`; one on the last date only, a first hour that is at
    /// most `endHour`.
    package var beginHour = 0
    package var endHour = TouchedDays.firstHour

    package init(_ window: Range<Instant>) {
      let (begin, end) = (
        window.lowerBound.secondsSinceEpoch, window.upperBound.secondsSinceEpoch
      )
      guard begin.magnitude < 1 << 60, end.magnitude < 1 << 60 else { return }
      let last = max(begin, end - 1)
      let margin = TouchedDays.widestOffset
      func day(_ seconds: Int) -> Int { floorDivide(seconds, ClockTimes.secondsPerDay) }
      func hour(_ seconds: Int) -> Int {
        (seconds - day(seconds) * ClockTimes.secondsPerDay) / 3600
      }
      days = TouchedDays(days: day(begin - margin)..<day(last + margin) + 1)
      let dates = day(begin)..<day(last) + 1
      datesOfUTC = TouchedDays(days: dates)
      laterDates = TouchedDays(days: dates.dropFirst())
      earlierDates = TouchedDays(days: dates.dropLast())
      beginHour = hour(begin) << TouchedDays.lastHourShift
      endHour = hour(last) << TouchedDays.firstHourShift
    }
  }
}

extension RecurrenceSet {
  /// How much further from UTC than ever a zone may be moved before a store is imported again.
  private static let newOffset = 2 * 60 * 60

  /// The seconds of UTC in which each occurrence, which stays on its day, is on the same date of UTC.
  /// `nil` if it can be on another date.
  fileprivate var secondsOfDateOfUTC: ClosedRange<Int>? {
    let begin = Int(start.civil.time.secondOfDay)
    var length: Int?
    if case .exact(let seconds) = OccurrenceLength(from: start, extent, viewer: .utc) {
      length = seconds
    }
    switch start {
    case .utc: return begin...(length.map { begin + $0 } ?? ClockTimes.secondsPerDay)
    case .zoned(_, let zone):
      let (lowest, highest) = (
        zone.offsets.lowerBound - Self.newOffset, zone.offsets.upperBound + Self.newOffset
      )
      // What begins at the end of the date has no length, and is on the next one.
      guard let length, begin >= highest, begin - lowest < ClockTimes.secondsPerDay,
        begin + length - lowest <= ClockTimes.secondsPerDay
      else { return nil }
      return begin - highest...begin + length - lowest
    case .date, .floating: return nil
    }
  }

  /// Whether each occurrence ends on the date on which it begins, on the clock of its zone.
  fileprivate var staysOnItsDay: Bool {
    switch (start, extent) {
    // The zones of a file can have any offset.
    case (.zoned(_, let zone), _) where zone.origin != .database && zone.origin != .utc:
      return false
    // How long it lasts depends on the viewer's zone.
    case (.floating, .end(.zoned)), (.floating, .end(.utc)): return false
    default: break
    }
    return switch OccurrenceLength(from: start, extent, viewer: .utc) {
    case .days(let days): days == 1
    case .exact(let seconds):
      Int(start.civil.time.secondOfDay) + seconds <= ClockTimes.secondsPerDay
    case .nominal: false
    }
  }
}
