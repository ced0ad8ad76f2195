internal import CivilTime
internal import Recurrence

/// A zone that stored times name: by its name in the zone database, or with its own definition.
struct StoredZone {
  /// The same for the same zone in every store: a digest of what names it.
  static func id(of zone: Zone) -> Int {
    if zone.origin == .utc { return 0 }
    var digest = ContentDigest(key: 0)
    digest.add(StoredOrigin(zone.origin).rawValue)
    digest.add(zone.name)
    if let definition = definition(of: zone) { digest.add(definition) }
    // 48 bits are six bytes in a row, and enough to tell some thousand zones apart.
    return digest.value & 0xffff_ffff_ffff | 1
  }

  /// What beside its name makes the zone again; `nil` where the name is enough.
  static func definition(of zone: Zone) -> [UInt8]? {
    switch zone.origin {
    case .fixedOffset:
      var writer = PackedBytesWriter()
      writer.add(zone.utcOffset(at: Instant(secondsSinceEpoch: 0)))
      return writer.bytes
    default: return nil
    }
  }

  static func zone(name: String, origin: Int, definition: [UInt8]?, database: ZoneDatabase) -> Zone?
  {
    switch StoredOrigin(rawValue: origin) {
    case .utc: return .utc
    case .database: return database.zone(named: name)
    case .fixedOffset:
      var reader = PackedBytesReader(definition ?? [])
      return reader.number().flatMap { Zone(name: name, fixedOffset: $0) }
    case .posixRule, .definition, nil: return nil
    }
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
