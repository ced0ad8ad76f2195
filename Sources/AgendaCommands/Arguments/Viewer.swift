internal import CivilTime
internal import CommandLineOptions

/// The viewer of the calendar: the current moment, and the zone in which days begin.
struct Viewer {
  var now: Instant
  let zone: Zone
  let database: ZoneDatabase

  var today: CivilDate { zone.civil(at: now).date }

  /// From `--now` and `--timezone`, otherwise from the clock and `TZ`.
  init(_ invocation: Invocation) throws(CommandError) {
    let environment = invocation.environment
    database = ZoneDatabase.system(TZDIR: environment.filled("TZDIR"))
    zone = try Self.zone(
      named: invocation.line.value(of: Options.timezone), environment: environment,
      database: database)
    now = try Self.now(invocation)
  }

  /// `--now`, otherwise the clock.
  static func now(_ invocation: Invocation) throws(CommandError) -> Instant {
    guard let text = invocation.line.value(of: Options.now) else {
      return invocation.environment.clock()
    }
    guard let instant = Instant(rfc3339: text) else {
      throw .wrongValue(
        Options.now, "expected a time such as 2026-11-21T09:00:00+01:00, got \"\(text)\"")
    }
    return instant
  }

  /// The zone of `--also`.
  static func secondZone(_ invocation: Invocation) throws(CommandError) -> Zone? {
    guard let name = invocation.line.value(of: Options.secondZone) else { return nil }
    let database = ZoneDatabase.system(TZDIR: invocation.environment.filled("TZDIR"))
    do throws(ZoneError) {
      return try zone(named: name, database: database)
    } catch {
      throw wrongZone(error, in: Options.secondZone, database: database)
    }
  }

  /// An IANA name, otherwise another name that calendars use: a Windows name or an offset.
  private static func zone(
    named name: String, database: ZoneDatabase
  ) throws(ZoneError) -> Zone {
    do throws(ZoneError) {
      return try database.loadZone(named: name)
    } catch {
      let found = ZoneNames(database: database).resolution(of: name)
      switch found.source {
      case .otherName, .fixedOffset: if let zone = found.zone { return zone }
      default: break
      }
      throw error
    }
  }

  /// The zone that an option names.
  static func zone(
    named name: String, option: Option, in database: ZoneDatabase
  ) throws(CommandError) -> Zone {
    do throws(ZoneError) {
      return try zone(named: name, database: database)
    } catch {
      throw wrongZone(error, in: option, database: database)
    }
  }

  private static func zone(
    named name: String?, environment: Environment, database: ZoneDatabase
  ) throws(CommandError) -> Zone {
    do throws(ZoneError) {
      if let name { return try zone(named: name, database: database) }
      return try database.localZone(TZ: environment.variable("TZ"))
    } catch {
      throw wrongZone(error, in: name == nil ? nil : Options.timezone, database: database)
    }
  }

  /// Without an option, the variable `TZ` names the zone.
  private static func wrongZone(
    _ error: ZoneError, in option: Option?, database: ZoneDatabase
  ) -> CommandError {
    let hint = hint(about: error, database: database)
    return option.map { .wrongValue($0, "\(error)\(hint)") } ?? .wrongUsage("TZ: \(error)\(hint)")
  }

  /// The zone that is probably meant, or an example; empty if the zone's file is the problem.
  private static func hint(about error: ZoneError, database: ZoneDatabase) -> String {
    let missing: String
    switch error.problem {
    case .notFound(let name, _), .notAName(let name): missing = name
    default: return ""
    }
    let likely = ZoneAbbreviations.likelyZone(of: missing, among: database.names)
    // EST is one letter away from PST, and three hours.
    let nearest =
      ZoneAbbreviations.isAbbreviation(missing)
      ? nil : nearestName(to: missing, among: database.names)
    return (likely ?? nearest).map { "; did you mean \($0)?" }
      ?? "; time zones have names like Europe/Berlin"
  }
}
