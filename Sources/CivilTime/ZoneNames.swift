internal import Synchronization

/// The meaning of the zone names in calendars, if the name alone identifies a zone: IANA names,
/// Windows names, Outlook's labels, offsets. Each distinct name is resolved once.
public final class ZoneNames: Sendable {
  public let database: ZoneDatabase
  private let known = Mutex<[String: ZoneResolution]>([:])

  /// Distinct names that are remembered.
  private static let mostNames = 20_000
  private static let longestName = 256

  public init(database: ZoneDatabase) {
    self.database = database
  }

  /// The zone of a name; `.unresolved` if the name alone does not identify one.
  ///
  /// `Europe/Berlin`, `/mozilla.org/20070129_1/Europe/Berlin`, `W. Europe Standard Time`,
  /// `(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna` and `GMT+01:00` all do.
  public func resolution(of name: String) -> ZoneResolution {
    if let remembered = known.withLock({ $0[name] }) { return remembered }
    let found = find(name)
    known.withLock { known in
      if known.count < Self.mostNames { known[name] = found }
    }
    return found
  }

  private func find(_ name: String) -> ZoneResolution {
    guard name.utf8.count <= Self.longestName else { return .unresolved }
    return exact(name) ?? cleaned(name) ?? .unresolved
  }

  /// Whether the name is known only without the number that Outlook puts after a name: a file that
  /// defines such a zone can mean another one.
  package func hasCopyNumber(_ name: String) -> Bool {
    guard name.utf8.count <= Self.longestName else { return false }
    let trimmed = Self.trimmed(name)
    return Self.withoutCopyNumber(trimmed) != trimmed && exact(name) == nil
      && exact(trimmed) == nil
  }

  /// Whether a VTIMEZONE with this name can mean another zone than the name does.
  package func yieldsToDefinition(_ name: String) -> Bool {
    hasCopyNumber(name) || isOfFixedTime(name)
  }

  /// Whether a name is that of a clock time without daylight time, and not that of a place: `GMT`,
  /// `EST`, `Etc/GMT+5`, `UTC+01:00`. Programs name zones with daylight time so, too.
  package func isOfFixedTime(_ name: String) -> Bool {
    guard let zone = resolution(of: name).zone else { return false }
    switch zone.origin {
    case .utc, .fixedOffset: return true
    case .database:
      let name = zone.name.uppercased()
      return Self.fixedTimes.contains(name) || name.hasPrefix("ETC/")
    case .posixRule, .definition: return false
    }
  }

  /// The names of the database without an area that have no daylight time and are none of a country.
  private static let fixedTimes: Set<String> = [
    "GMT", "GMT0", "GMT+0", "GMT-0", "GREENWICH", "UTC", "UCT", "UNIVERSAL", "ZULU", "EST", "MST",
    "HST",
  ]

  private func exact(_ name: String) -> ZoneResolution? {
    if let zone = database.zone(named: name) ?? withoutVendorPrefix(name) {
      return ZoneResolution(zone: zone, source: .database)
    }
    if let found = windowsZone(name) ?? fixedOffset(name) { return found }
    if let zone = withSlashes(name) {
      return ZoneResolution(zone: zone, source: .similarName)
    }
    return nil
  }

  private func cleaned(_ name: String) -> ZoneResolution? {
    let trimmed = Self.trimmed(name)
    for candidate in [trimmed, Self.withoutCopyNumber(trimmed)] where candidate != name {
      if let zone = database.zone(named: candidate) ?? withoutVendorPrefix(candidate) {
        return ZoneResolution(zone: zone, source: .similarName)
      }
      if let found = windowsZone(candidate) ?? fixedOffset(candidate) { return found }
    }
    for separator: Character in [" ", "-"] where trimmed.contains("/") {
      let underscored = trimmed.underscored(separator)
      if underscored != trimmed, let zone = database.zone(named: underscored) {
        return ZoneResolution(zone: zone, source: .similarName)
      }
    }
    return nil
  }

  /// The longest end of a path that the database has. After a leading slash, with which no IANA
  /// name begins, it can be the whole path (`/Europe/London`) or a single part.
  private func withoutVendorPrefix(_ name: String) -> Zone? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: true)
    let hasLeadingSlash = name.hasPrefix("/")
    let first = hasLeadingSlash ? 0 : 1
    let fewest = hasLeadingSlash ? 1 : 2
    guard parts.count >= first + fewest, parts.count <= 16 else { return nil }
    for start in first...(parts.count - fewest) {
      if let zone = database.zone(named: parts[start...].joined(separator: "/")) { return zone }
    }
    return nil
  }

  /// The zone of a name whose slashes were replaced: `America_New_York`, `US-Eastern`,
  /// `America-Argentina-Buenos-Aires`, with or without a slash before it. Areas have one or two
  /// parts. Underscores may have become hyphens, too.
  private func withSlashes(_ name: String) -> Zone? {
    let name = name.hasPrefix("/") ? name.dropFirst() : name[...]
    guard !name.contains("/") else { return nil }
    var candidate = Array(name.utf8)
    for _ in 0..<2 {
      let separators = [UInt8(ascii: "_"), UInt8(ascii: "-")]
      guard let place = candidate.firstIndex(where: separators.contains) else { return nil }
      candidate[place] = UInt8(ascii: "/")
      let text = String(decoding: candidate, as: UTF8.self)
      let zone = database.zone(named: text) ?? database.zone(named: text.underscored("-"))
      if let zone { return zone }
    }
    return nil
  }

  private func windowsZone(_ name: String) -> ZoneResolution? {
    let zone =
      zone(ofWindowsName: name)
      ?? WindowsZoneLabels.windowsName(of: name).flatMap(zone(ofWindowsName:))
    return zone.map { ZoneResolution(zone: $0, source: .otherName) }
  }

  private func zone(ofWindowsName name: String) -> Zone? {
    WindowsZones.zones(of: name).lazy.compactMap(self.database.zone(named:)).first
  }

  private func fixedOffset(_ name: String) -> ZoneResolution? {
    FixedOffsetName.offset(of: name).flatMap(database.zone(fixedOffset:)).map {
      ZoneResolution(zone: $0, source: .fixedOffset)
    }
  }

  /// Without blanks and quotes around it.
  private static func trimmed(_ name: String) -> String {
    let isOutside = { (character: Character) in
      character == " " || character == "\t" || character == "\"" || character == "'"
    }
    var rest = name.drop(while: isOutside)
    while let last = rest.last, isOutside(last) { rest.removeLast() }
    return String(rest)
  }

  /// Without the number that Outlook puts after a name that it has met before:
  /// `GMT Standard Time 1`.
  private static func withoutCopyNumber(_ name: String) -> String {
    let end = name.utf8.reversed().prefix(while: \.isASCIIDigit)
    let start = name.utf8.dropLast(end.count)
    guard !end.isEmpty, start.last == UInt8(ascii: " ") else { return name }
    return trimmed(String(decoding: start, as: UTF8.self))
  }
}

extension String {
  /// The text with underscores instead of another character.
  fileprivate func underscored(_ character: Character) -> String {
    String(map { $0 == character ? "_" : $0 })
  }
}
