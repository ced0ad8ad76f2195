/// A time on the clock face, to the second, in no zone.
public struct TimeOfDay: Hashable, Comparable, Sendable {
  /// Seconds on the clock since 00:00:00; always less than `secondsPerCivilDay`.
  public let secondOfDay: Int32

  /// A day of the clock face. A day in a zone can be shorter or longer: see `Zone.startOfDay`.
  @inlinable package static var secondsPerCivilDay: Int { 24 * 60 * 60 }

  public static let midnight = TimeOfDay(uncheckedSecondOfDay: 0)

  @usableFromInline
  init(uncheckedSecondOfDay: Int32) {
    secondOfDay = uncheckedSecondOfDay
  }

  /// `nil` if the clock shows no such time. A leap second (`second` 60, RFC 5545 3.3.12) is read as
  /// the second before it, as that section asks of clocks without leap seconds.
  @inlinable
  public init?(hour: Int, minute: Int, second: Int = 0) {
    guard hour >= 0, hour <= 23, minute >= 0, minute <= 59, second >= 0, second <= 60 else {
      return nil
    }
    self.init(uncheckedSecondOfDay: Int32((hour * 60 + minute) * 60 + min(second, 59)))
  }

  @inlinable
  public init?(secondOfDay: Int) {
    guard secondOfDay >= 0, secondOfDay < 24 * 60 * 60 else { return nil }
    self.init(uncheckedSecondOfDay: Int32(secondOfDay))
  }

  @inlinable public var hour: Int { Int(secondOfDay) / 3600 }
  @inlinable public var minute: Int { Int(secondOfDay) / 60 % 60 }
  @inlinable public var second: Int { Int(secondOfDay) % 60 }

  @inlinable
  public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
    left.secondOfDay < right.secondOfDay
  }
}

extension TimeOfDay: CustomStringConvertible {
  /// ISO 8601: `09:30:00`.
  public var description: String {
    "\(padded(hour, to: 2)):\(padded(minute, to: 2)):\(padded(second, to: 2))"
  }
}
