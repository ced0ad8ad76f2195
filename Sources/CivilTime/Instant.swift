/// A point on the world's time line, to the second, counted as POSIX does: without leap seconds.
public struct Instant: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  public let secondsSinceEpoch: Int

  @inlinable
  public init(secondsSinceEpoch: Int) {
    self.secondsSinceEpoch = secondsSinceEpoch
  }

  /// The instant at which a clock on UTC shows this civil time.
  @inlinable
  public init(utc civil: CivilDateTime) {
    secondsSinceEpoch = civil.civilSeconds
  }

  /// What a clock on UTC shows, held to the years 1 to 9999.
  @inlinable
  public var utc: CivilDateTime {
    if let civil = CivilDateTime(civilSeconds: secondsSinceEpoch) { return civil }
    return secondsSinceEpoch < 0
      ? CivilDateTime(.first, .midnight)
      : CivilDateTime(.last, TimeOfDay(uncheckedSecondOfDay: 24 * 60 * 60 - 1))
  }

  /// The instant `seconds` later, held to what an `Int` can count.
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
