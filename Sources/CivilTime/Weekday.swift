/// A day of the week, numbered as ISO 8601 does: Monday is 1, Sunday is 7.
public enum Weekday: UInt8, CaseIterable, Hashable, Sendable {
  case monday = 1
  case tuesday, wednesday, thursday, friday, saturday, sunday

  @inlinable
  package init(ofDayNumber dayNumber: Int) {
    // 1970-01-01 was a Thursday.
    let fromMonday = (dayNumber % 7 + 7 + 3) % 7
    self = Weekday(rawValue: UInt8(fromMonday + 1)) ?? .monday
  }

  /// Days from `start` to this weekday, 0 to 6: how far into a week that begins on `start`.
  @inlinable
  public func days(after start: Weekday) -> Int {
    (Int(rawValue) - Int(start.rawValue) + 7) % 7
  }
}
