/// What a zone's clocks keep between two transitions: RFC 8536's "local time type".
public struct LocalTimeType: Hashable, Sendable {
  /// Seconds east of UTC.
  public let utcOffset: Int
  /// Whether the zone calls it daylight saving time.
  public let isDaylight: Bool
  /// `CET`, or a number such as `+03` where people use no letters.
  public let abbreviation: String

  /// What offsets RFC 8536 3.2 expects, in seconds; nothing further from UTC is accepted.
  package static let possibleOffsets = -89_999...93_599

  package init(utcOffset: Int, isDaylight: Bool, abbreviation: String) {
    self.utcOffset = utcOffset
    self.isDaylight = isDaylight
    self.abbreviation = abbreviation
  }
}
