package import CivilTime

/// A duration of days and seconds (RFC 5545 3.3.6). Days are nominal: they end at the same local time
/// of a later day, even if the clocks change in between. Seconds are exact.
public struct EventDuration: Hashable, Sendable {
  /// The number of days; a week counts as seven. Negative for a time before, as in an alarm.
  public let days: Int
  /// The number of seconds in addition to the days, with the same sign.
  public let seconds: Int

  /// A duration of days and seconds, which must have the same sign.
  public init(days: Int, seconds: Int) {
    self.days = days
    self.seconds = seconds
  }
}

extension CivilDateTime {
  /// So much later on the clock, whatever the clocks of a zone do; `nil` outside of the years 1 to 9999.
  package func adding(_ duration: EventDuration) -> CivilDateTime? {
    date.adding(days: duration.days).flatMap { date in
      CivilDateTime(civilSeconds: CivilDateTime(date, time).civilSeconds + duration.seconds)
    }
  }
}

/// How long an event lasts, as its source states it.
public enum Extent: Hashable, Sendable {
  /// Neither an end nor a duration: a date lasts one day, a time has no length (RFC 5545 3.6.1).
  case unstated
  /// An end (DTEND or DUE). All occurrences last the same time.
  case end(EventTime)
  /// A duration (DURATION).
  case duration(EventDuration)
}
