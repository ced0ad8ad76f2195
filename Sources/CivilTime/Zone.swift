/// A time zone: which offset from UTC its clocks kept at each instant.
///
/// Zones are compared by identity of their rules' origin: a zone database gives the same object
/// for the same name.
public final class Zone: Sendable {
  /// Where a zone's rules came from.
  public enum Origin: Hashable, Sendable {
    /// UTC itself.
    case utc
    /// An offset that never changes, such as `GMT+05:30`.
    case fixedOffset
    /// The time zone database of the system or of `TZDIR`.
    case database
    /// A POSIX rule in `TZ`, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
    case posixRule
    /// A VTIMEZONE of the calendar itself.
    case definition
  }

  /// An IANA name, `UTC`, an offset such as `+05:30`, or the TZID of a definition.
  public let name: String
  public let origin: Origin
  let fixedOffset: Int

  public static let utc = Zone(name: "UTC", origin: .utc, fixedOffset: 0)

  init(name: String, origin: Origin, fixedOffset: Int) {
    self.name = name
    self.origin = origin
    self.fixedOffset = fixedOffset
  }

  /// Seconds east of UTC at that instant.
  public func utcOffset(at instant: Instant) -> Int { fixedOffset }

  /// What a clock of the zone shows at that instant.
  public func civil(at instant: Instant) -> CivilDateTime {
    instant.adding(seconds: utcOffset(at: instant)).utc
  }

  /// The instant at which a clock of the zone shows this; in a gap by the offset before it, in a
  /// fold the first of the two (RFC 5545 3.3.5).
  public func instant(of civil: CivilDateTime) -> Instant {
    Instant(utc: civil).adding(seconds: -fixedOffset)
  }

  /// The first instant of that date, which is not midnight everywhere; for a date that the zone
  /// left out, the instant at which the next one begins.
  public func startOfDay(_ date: CivilDate) -> Instant {
    instant(of: CivilDateTime(date, .midnight))
  }
}

extension Zone: Hashable {
  public static func == (left: Zone, right: Zone) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
