public import AgendaCore
public import CivilTime

extension Condition {
  /// Parses a condition. Dates are days in `zone`, and times without an offset are on its clocks.
  public init(_ text: String, zone: Zone) throws(ConditionError) {
    self.init(try ConditionParser.parse(text, zone: zone), text: text, zone: zone)
  }
}
