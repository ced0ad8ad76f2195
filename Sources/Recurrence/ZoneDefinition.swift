public import CivilTime

/// A VTIMEZONE (RFC 5545 3.6.5): observances, each with the moments at which it begins.
///
/// Only for TZIDs that no database knows. A pair of rules for every year, which is what nearly all
/// definitions end with, becomes a rule of the zone that costs the same for any year; everything
/// else is worked out once, as far as `mostOnsets` reaches.
public struct ZoneDefinition: Hashable, Sendable {
  /// STANDARD or DAYLIGHT.
  public struct Observance: Hashable, Sendable {
    public var isDaylight: Bool
    /// DTSTART, on clocks that keep TZOFFSETFROM.
    public var start: CivilDateTime?
    /// TZOFFSETFROM, in seconds.
    public var offsetFrom: Int?
    /// TZOFFSETTO, in seconds.
    public var offsetTo: Int?
    /// TZNAME.
    public var name: String?
    /// RRULE.
    public var rules: [Rule]
    /// RDATE.
    public var dates: [EventTime]

    public init(
      isDaylight: Bool, start: CivilDateTime?, offsetFrom: Int?, offsetTo: Int?,
      name: String? = nil, rules: [Rule] = [], dates: [EventTime] = []
    ) {
      self.isDaylight = isDaylight
      self.start = start
      self.offsetFrom = offsetFrom
      self.offsetTo = offsetTo
      self.name = name
      self.rules = rules
      self.dates = dates
    }

    /// Its name in a file.
    public var component: String { isDaylight ? "DAYLIGHT" : "STANDARD" }
  }

  /// TZID.
  public var identifier: String
  public var observances: [Observance]

  public init(identifier: String, observances: [Observance]) {
    self.identifier = identifier
    self.observances = observances
  }

  /// Moments at which observances begin that are looked at, of one definition. Fifty observances
  /// of every year since 1601 fit.
  public static let mostOnsets = 30_000
  /// The same for one rule.
  static let mostOnsetsOfRule = 1_000
  static let mostObservances = 1_000
  /// Rules that cannot be written as a yearly rule are expanded up to here.
  static let lastYear = 2200

  /// The zone of the definition and its problems. There is no zone if not a single observance can
  /// be used.
  public func zone() -> (zone: Zone?, problems: [ZoneDefinitionProblem]) {
    var building = ZoneDefinitionReading(self)
    let zone = building.zone()
    return (zone, building.problems)
  }
}
