/// A time of day to the second, without a date and without a zone.
public struct TimeOfDay: Hashable, Comparable, Sendable {
  /// The number of seconds on the clock since 00:00:00, from 0 to 86399.
  @usableFromInline package let secondOfDay: Int32

  /// A day of the clock face. A day in a zone can be shorter or longer: see `Zone.startOfDay`.
  @inlinable package static var secondsPerCivilDay: Int { 24 * 60 * 60 }

  /// 00:00:00.
  public static let midnight = TimeOfDay(uncheckedSecondOfDay: 0)

  @usableFromInline
  init(uncheckedSecondOfDay: Int32) {
    secondOfDay = uncheckedSecondOfDay
  }

  /// `nil` if a number is out of range. A leap second (`second` 60) counts as the second before it
  /// (RFC 5545 3.3.12).
  @inlinable
  public init?(hour: Int, minute: Int, second: Int = 0) {
    guard hour >= 0, hour <= 23, minute >= 0, minute <= 59, second >= 0, second <= 60 else {
      return nil
    }
    self.init(uncheckedSecondOfDay: Int32((hour * 60 + minute) * 60 + min(second, 59)))
  }

  /// `nil` if the number is not from 0 to 86399.
  @inlinable
  package init?(secondOfDay: Int) {
    guard secondOfDay >= 0, secondOfDay < 24 * 60 * 60 else { return nil }
    self.init(uncheckedSecondOfDay: Int32(secondOfDay))
  }

  /// The hour, 0 to 23.
  @inlinable public var hour: Int { Int(secondOfDay) / 3600 }
  /// The minute, 0 to 59.
  @inlinable public var minute: Int { Int(secondOfDay) / 60 % 60 }
  /// The second, 0 to 59.
  @inlinable public var second: Int { Int(secondOfDay) % 60 }

  @inlinable
  public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
    left.secondOfDay < right.secondOfDay
  }
}

extension TimeOfDay {
  /// Whether an end that is only a time, and not after the start, is on the next day: 1:00 after
  /// 22:00 and 8:00 after 18:00, but not 5:00 after 9:00, 13:00 after 14:00 or 11:00 after 16:00. 0:00 ends
  /// every day.
  package func endsOnNextDay(after start: TimeOfDay) -> Bool {
    let seconds = Self.secondsPerCivilDay - Int(start.secondOfDay) + Int(secondOfDay)
    return self == .midnight || start.hour >= 13 && hour < 12 && seconds <= 14 * 60 * 60
  }
}

extension TimeOfDay: CustomStringConvertible {
  /// ISO 8601: `09:30:00`.
  public var description: String {
    "\(padded(hour, to: 2)):\(padded(minute, to: 2)):\(padded(second, to: 2))"
  }
}
