package import CivilTime

/// The weekdays, days of the month and months that occurrences can touch, as one number: an index
/// on it dismisses most series that have nothing on a day.
///
/// Dates are those of the series' own clock. If they are always those of UTC too, a flag says so, and
/// a day needs no margin for zones. They are kept without their combinations: a series on the 1st of
/// May and on Sundays in June also seems to touch Sunday, 1 June.
package struct TouchedDays: Hashable, Sendable {
  /// Bits 0 to 6 are the weekdays from Monday, 7 to 37 the days of the month, 38 to 49 the months, and
  /// bit 50 is the flag.
  package private(set) var bits: Int

  private static let firstMonthDay = 7
  private static let firstMonth = 38

  package static let weekdays = 0x7F
  package static let monthDays = 0x7FFF_FFFF << firstMonthDay
  package static let months = 0xFFF << firstMonth
  /// Set if each occurrence is on one date in UTC, and on the same date in its own zone.
  package static let isOnDateOfUTC = 1 << 50
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
    if set.staysOnDateOfUTC { touched.bits |= Self.isOnDateOfUTC }
    self = touched
  }

  /// Further from UTC no zone of tzdata has ever been: America/Juneau was at +15:02.
  private static let widestOffset = 16 * 60 * 60

  /// What an occurrence that touches the window touches, whatever its zone.
  package init(_ window: Range<Instant>) {
    self.init(window, margin: Self.widestOffset)
  }

  /// The same for occurrences on dates of UTC.
  package init(datesOfUTCIn window: Range<Instant>) {
    self.init(window, margin: 0)
  }

  private init(_ window: Range<Instant>, margin: Int) {
    self = .all
    let first = window.lowerBound.secondsSinceEpoch.subtractingReportingOverflow(margin)
    let last = window.upperBound.secondsSinceEpoch.addingReportingOverflow(margin - 1)
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
  /// How much further from UTC than ever a zone may be moved before a store is imported again.
  private static let newOffset = 2 * 60 * 60

  /// Whether each occurrence, which stays on its day, is on the same date of UTC.
  fileprivate var staysOnDateOfUTC: Bool {
    guard case .zoned(let civil, let zone) = start else {
      if case .utc = start { return true }
      return false
    }
    let seconds: Int
    switch OccurrenceLength(from: start, extent, viewer: .utc) {
    case .exact(let length): seconds = length
    case .days, .nominal: return false
    }
    let begin = Int(civil.time.secondOfDay)
    let (lowest, highest) = (
      zone.offsets.lowerBound - Self.newOffset, zone.offsets.upperBound + Self.newOffset
    )
    // What begins at the end of the date has no length, and is on the next one.
    return begin >= highest && begin - lowest < ClockTimes.secondsPerDay
      && begin + seconds - lowest <= ClockTimes.secondsPerDay
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
