public import CivilTime
internal import Synchronization

/// A VTIMEZONE (RFC 5545 3.6.5): observances, each with the moments at which it begins.
///
/// Only for TZIDs that no database knows. The onsets of all rules are worked out once: until only rules
/// without end are left, and then for 400 years, after which they repeat.
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

  /// The zone of the definition and its problems. There is no zone if not a single observance can
  /// be used.
  public func zone() -> (zone: Zone?, problems: [ZoneDefinitionProblem]) {
    if let known = Self.known.withLock({ $0[self] }) { return (known.zone, known.problems) }
    var reading = ZoneDefinitionReading(self)
    let zone = reading.zone()
    let known = Known(zone: zone, problems: reading.problems)
    Self.known.withLock { if $0.count < Self.mostKnown { $0[self] = known } }
    return (zone, known.problems)
  }

  private struct Known {
    let zone: Zone?
    let problems: [ZoneDefinitionProblem]
  }

  /// The files of a folder repeat a definition. Each is worked out once.
  private static let known = Mutex<[ZoneDefinition: Known]>([:])
  /// Folders have few that differ.
  private static let mostKnown = 100
}
