/// A date and a time of day without a time zone.
public struct CivilDateTime: Hashable, Comparable, Sendable {
  /// The date.
  public let date: CivilDate
  /// The time of day.
  public let time: TimeOfDay

  /// A time of day on a date.
  @inlinable
  public init(_ date: CivilDate, _ time: TimeOfDay) {
    self.date = date
    self.time = time
  }

  /// `nil` outside of the years 1 to 9999.
  @inlinable
  package init?(civilSeconds: Int) {
    let day = 24 * 60 * 60
    var dayNumber = civilSeconds / day
    var second = civilSeconds % day
    if second < 0 {
      dayNumber -= 1
      second += day
    }
    guard let date = CivilDate(dayNumber: dayNumber) else { return nil }
    self.init(date, TimeOfDay(uncheckedSecondOfDay: Int32(second)))
  }

  /// Seconds since 1970-01-01T00:00:00 on a clock that never changes: the measure for arithmetic
  /// on civil time. It is not an instant.
  @inlinable
  package var civilSeconds: Int {
    Int(date.dayNumber) * (24 * 60 * 60) + Int(time.secondOfDay)
  }

  @inlinable
  public static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
    (left.date, left.time) < (right.date, right.time)
  }
}

extension CivilDateTime: CustomStringConvertible {
  /// ISO 8601: `2026-11-21T09:30:00`.
  public var description: String { "\(date)T\(time)" }
}
