internal import CivilTime
internal import Recurrence
internal import Synchronization

/// A zone of stored times: its name in the zone database, or all of its changes.
enum StoredZone {
  /// A digest of the zone's name or content, which is the same in every store.
  static func id(of zone: Zone) -> Int {
    switch zone.origin {
    case .utc: return 0
    // Two threads that import would wait for the lock longer than the digest of a name takes.
    case .database, .posixRule: return id(of: zone, definition: nil)
    case .fixedOffset, .definition: break
    }
    if let known = knownZones.withLock({ $0.id(of: zone) }) { return known }
    let id = id(of: zone, definition: definition(of: zone))
    knownZones.withLock { $0.add(zone, id) }
    return id
  }

  /// The zones that were used before. The next one is usually the last one again.
  private struct KnownZones {
    private var ids: [Zone: Int] = [:]
    private var last: (zone: Zone, id: Int)?

    mutating func id(of zone: Zone) -> Int? {
      if let last, last.zone === zone { return last.id }
      guard let id = ids[zone] else { return nil }
      last = (zone, id)
      return id
    }

    mutating func add(_ zone: Zone, _ id: Int) {
      ids[zone] = id
      last = (zone, id)
    }
  }

  private static let knownZones = Mutex(KnownZones())

  private static func id(of zone: Zone, definition: [UInt8]?) -> Int {
    var digest = ContentDigest(key: 0)
    digest.add(StoredOrigin(zone.origin).rawValue)
    digest.add(zone.name)
    if let definition { digest.add(definition) }
    // 48 bits are six bytes in a row, and enough to distinguish some thousand zones.
    return digest.value & 0xffff_ffff_ffff | 1
  }

  /// The data that is needed in addition to the name to make the zone again; `nil` if the name is
  /// enough.
  static func definition(of zone: Zone) -> [UInt8]? {
    switch zone.origin {
    case .fixedOffset:
      var writer = PackedBytesWriter()
      writer.add(zone.utcOffset(at: Instant(secondsSinceEpoch: 0)))
      return writer.bytes
    case .definition: return changes(of: zone)
    case .utc, .database, .posixRule: return nil
    }
  }

  static func zone(
    name: String, origin: Int, definition: [UInt8]?, database: ZoneDatabase
  ) -> Zone? {
    switch StoredOrigin(rawValue: origin) {
    case .utc: return .utc
    case .database: return database.zone(named: name)
    case .fixedOffset:
      var reader = PackedBytesReader(definition ?? [])
      return reader.number().flatMap { Zone(name: name, fixedOffset: $0) }
    case .definition: return zone(name: name, changes: definition ?? [])
    case .posixRule, nil: return nil
    }
  }
}

// MARK: Zones that a source defined itself

extension StoredZone {
  /// Clock changes are stored for these years.
  private static let firstChange = Instant(utc: CivilDateTime(.first, .midnight))
  private static let lastYear = 2200

  private static func changes(of zone: Zone) -> [UInt8] {
    var writer = PackedBytesWriter()
    var moment = firstChange
    writer.add(zone.localTimeType(at: moment))
    while let change = zone.nextTransition(after: moment),
      change.instant.utc.date.year <= lastYear
    {
      writer.add(change.instant.secondsSinceEpoch - moment.secondsSinceEpoch)
      writer.add(change.after)
      moment = change.instant
    }
    return writer.bytes
  }

  private static func zone(name: String, changes bytes: [UInt8]) -> Zone? {
    var reader = PackedBytesReader(bytes)
    guard let initial = reader.localTimeType() else { return nil }
    var changes: [(instant: Instant, type: LocalTimeType)] = []
    var moment = firstChange
    while !reader.isAtEnd {
      guard let seconds = reader.number(), seconds > 0, let type = reader.localTimeType() else {
        return nil
      }
      moment = moment.adding(seconds: seconds)
      changes.append((moment, type))
    }
    return Zone(name: name, origin: .definition, initial: initial, changes: changes, footer: nil)
  }
}

extension PackedBytesWriter {
  fileprivate mutating func add(_ type: LocalTimeType) {
    add(type.utcOffset)
    add(type.isDaylight ? 1 : 0)
    add(type.abbreviation)
  }
}

extension PackedBytesReader {
  fileprivate mutating func localTimeType() -> LocalTimeType? {
    guard let offset = number(), LocalTimeType.possibleOffsets.contains(offset),
      let isDaylight = number(), let abbreviation = text()
    else { return nil }
    return LocalTimeType(
      utcOffset: offset, isDaylight: isDaylight == 1, abbreviation: abbreviation)
  }
}

/// `Zone.Origin` as a column holds it.
enum StoredOrigin: Int {
  case utc, fixedOffset, database, posixRule, definition

  init(_ origin: Zone.Origin) {
    switch origin {
    case .utc: self = .utc
    case .fixedOffset: self = .fixedOffset
    case .database: self = .database
    case .posixRule: self = .posixRule
    case .definition: self = .definition
    }
  }
}
