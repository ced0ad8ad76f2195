/// A moment, to the second. Leap seconds do not count, as in POSIX.
public struct Instant: Hashable, Comparable, Sendable {
  /// The number of seconds since 1970-01-01T00:00:00Z; negative for earlier moments.
  public let secondsSinceEpoch: Int

  /// The instant at a number of seconds after 1970-01-01T00:00:00Z, or before it if negative.
  @inlinable
  public init(secondsSinceEpoch: Int) {
    self.secondsSinceEpoch = secondsSinceEpoch
  }

  /// The moment at which clocks in UTC show this date and time.
  @inlinable
  package init(utc civil: CivilDateTime) {
    secondsSinceEpoch = civil.civilSeconds
  }

  /// The date and time in UTC, limited to the years 1 to 9999.
  @inlinable
  package var utc: CivilDateTime {
    if let civil = CivilDateTime(civilSeconds: secondsSinceEpoch) { return civil }
    return secondsSinceEpoch < 0
      ? CivilDateTime(.first, .midnight)
      : CivilDateTime(.last, TimeOfDay(uncheckedSecondOfDay: 24 * 60 * 60 - 1))
  }

  /// The moment that is a number of seconds later, limited to the range of `Int`.
  @inlinable
  public func adding(seconds: Int) -> Instant {
    let (sum, overflow) = secondsSinceEpoch.addingReportingOverflow(seconds)
    return Instant(secondsSinceEpoch: overflow ? (seconds < 0 ? .min : .max) : sum)
  }

  @inlinable
  public static func < (left: Instant, right: Instant) -> Bool {
    left.secondsSinceEpoch < right.secondsSinceEpoch
  }
}

extension Instant: CustomStringConvertible {
  /// RFC 3339 in UTC: `2026-11-21T08:30:00Z`.
  public var description: String { "\(utc)Z" }
}
