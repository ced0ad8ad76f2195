public import AgendaCore
public import CivilTime

extension Condition {
  /// Parses a condition. Dates are days in `zone`, and times without an offset are on its clocks. With
  /// `now`, dates can be in words: `start < "next week"`.
  public init(_ text: String, zone: Zone, now: Instant? = nil) throws(ConditionError) {
    self.init(
      try ConditionParser.parse(text, zone: zone, now: now), text: text, zone: zone, now: now)
  }
}
