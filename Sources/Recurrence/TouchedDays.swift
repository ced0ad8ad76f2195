package import CivilTime

/// The weekdays, days of the month and months that occurrences can touch, as one number: an index
/// on it dismisses most series that have nothing on a day.
///
/// Dates are those of the series' own clock. They are kept without their combinations: a series on
/// the 1st of May and on Sundays in June also seems to touch Sunday, 1 June.
package struct TouchedDays: Hashable, Sendable {
  /// Bits 0 to 6 are the weekdays from Monday, 7 to 37 the days of the month, 38 to 49 the months.
  package private(set) var bits: Int

  private static let firstMonthDay = 7
  private static let firstMonth = 38

  package static let weekdays = 0x7F
  package static let monthDays = 0x7FFF_FFFF << firstMonthDay
  package static let months = 0xFFF << firstMonth
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
    touched.insert(set.start.civil.date)
    for rule in set.rules {
      guard rule.calendar == nil, rule.skip == .omit, rule.frequency >= .daily,
        rule.byHour.isEmpty, rule.byMinute.isEmpty, rule.bySecond.isEmpty
      else { return }
      let days = DayFilter(rule, start: set.start.civil.date).touched
      touched.bits |= Int(days.weekdays)
      touched.bits |= Int(days.monthDays >> 1) << Self.firstMonthDay
      touched.bits |= Int(days.months >> 1) << Self.firstMonth
    }
    self = touched
  }

  /// Further from UTC no zone of tzdata has ever been: America/Juneau was at +15:02.
  private static let widestOffset = 16 * 60 * 60

  /// What an occurrence that touches the window touches, whatever its zone.
  package init(_ window: Range<Instant>) {
    self = .all
    let first = window.lowerBound.secondsSinceEpoch.subtractingReportingOverflow(Self.widestOffset)
    let last = window.upperBound.secondsSinceEpoch.addingReportingOverflow(Self.widestOffset - 1)
    guard !first.overflow, !last.overflow else { return }
    let firstDay = floorDivide(first.partialValue, ClockTimes.secondsPerDay)
    let lastDay = floorDivide(last.partialValue, ClockTimes.secondsPerDay)
    // A longer window touches every day of some month, and of most weeks.
    guard lastDay - firstDay < 31 else { return }
    var touched = TouchedDays(bits: 0)
    for day in firstDay...max(firstDay, lastDay) {
      guard let date = CivilDate(dayNumber: day) else { return }
      touched.insert(date)
    }
    self = touched
  }
}

extension RecurrenceSet {
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
