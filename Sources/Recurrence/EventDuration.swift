/// A length as RFC 5545 3.3.6 writes it: weeks and days are nominal (the same time on a later
/// day, even if the clocks change in between), hours, minutes and seconds are exact.
public struct EventDuration: Hashable, Sendable {
  /// Days, weeks counted as seven of them; negative for what comes before (an alarm's trigger).
  public let days: Int
  /// The exact part, with the same sign.
  public let seconds: Int

  public init(days: Int, seconds: Int) {
    self.days = days
    self.seconds = seconds
  }
}

/// How long something lasts, as its source wrote it.
public enum Extent: Hashable, Sendable {
  /// Neither an end nor a duration: a date lasts that day, a moment has no length (RFC 5545
  /// 3.6.1).
  case unstated
  /// DTEND (or DUE): every occurrence lasts the same elapsed time.
  case end(EventTime)
  /// DURATION.
  case duration(EventDuration)
}
