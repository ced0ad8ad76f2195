import CivilTime
import Testing

@Suite struct ZoneFileTests {
  /// A block of a TZif file, written from RFC 8536 3.1 and 3.2.
  private struct Block {
    var version: UInt8 = 0
    var times: [Int] = []
    var indexes: [UInt8] = []
    var types: [(offset: Int32, daylight: UInt8, name: UInt8)] = [(0, 0, 0)]
    var names = Array("UTC\0".utf8)
    var leapSeconds: [(Int, Int32)] = []
    var indicators = 0

    func bytes(wide: Bool) -> [UInt8] {
      func big<Word: FixedWidthInteger>(_ word: Word) -> [UInt8] {
        withUnsafeBytes(of: word.bigEndian, Array.init)
      }
      func time(_ seconds: Int) -> [UInt8] {
        wide ? big(Int64(seconds)) : big(Int32(truncatingIfNeeded: seconds))
      }
      var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
      for count in [
        indicators, indicators, leapSeconds.count, times.count, types.count, names.count,
      ] {
        bytes += big(UInt32(count))
      }
      bytes += times.flatMap(time) + indexes
      for type in types { bytes += big(type.offset) + [type.daylight, type.name] }
      bytes += names
      for (at, correction) in leapSeconds { bytes += time(at) + big(correction) }
      return bytes + [UInt8](repeating: 1, count: indicators * 2)
    }
  }

  private static func file(_ block: Block, version: Character, footer: String) -> [UInt8] {
    var block = block
    block.version = version.asciiValue ?? 0
    return Block(version: block.version).bytes(wide: false) + block.bytes(wide: true)
      + Array("\n\(footer)\n".utf8)
  }

  private static func zone(_ bytes: [UInt8]) throws -> Zone {
    Zone(name: "test", origin: .database, file: try ZoneFile(parsing: bytes))
  }

  private static func offsets(_ zone: Zone, _ instants: [Int]) -> [Int] {
    instants.map { zone.utcOffset(at: Instant(secondsSinceEpoch: $0)) }
  }

  private static let berlin = Block(
    times: [-1000, 1000], indexes: [1, 0],
    types: [(3600, 0, 0), (7200, 1, 4)], names: Array("CET\0CEST\0".utf8))

  @Test("version 1 is read from its only block, and its last type stays")
  func version1() throws {
    let zone = try Self.zone(Self.berlin.bytes(wide: false))
    #expect(
      Self.offsets(zone, [-2000, -1000, 999, 1000, 1 << 40]) == [3600, 7200, 7200, 3600, 3600])
    #expect(zone.abbreviation(at: Instant(secondsSinceEpoch: 0)) == "CEST")
    #expect(zone.isDaylight(at: Instant(secondsSinceEpoch: 0)))
  }

  @Test(
    "versions 2 to 4 are read from their second block with its footer",
    arguments: ["2", "3", "4"] as [Character])
  func laterVersions(version: Character) throws {
    var block = Self.berlin
    block.leapSeconds = [(78_796_800, 1)]
    block.indicators = 2
    let zone = try Self.zone(
      Self.file(block, version: version, footer: "CET-1CEST,M3.5.0,M10.5.0/3"))
    let summer = 1_784_000_000
    #expect(Self.offsets(zone, [-2000, 0, 2000, summer]) == [3600, 7200, 3600, 7200])
  }

  @Test("an empty footer leaves the last type, none of transitions the footer")
  func footers() throws {
    let still = try Self.zone(Self.file(Self.berlin, version: "2", footer: ""))
    #expect(Self.offsets(still, [1 << 33]) == [3600])
    let rule = try Self.zone(Self.file(Block(), version: "2", footer: "XYZ4"))
    #expect(Self.offsets(rule, [.min, 0, .max]) == [-14400, -14400, -14400])
    #expect(rule.abbreviation(at: Instant(secondsSinceEpoch: 0)) == "XYZ")
  }

  // Checks limit: ZoneFile.longestFile
  @Test("a zone file has at most 256 KiB")
  func longFile() throws {
    let file = Self.file(Self.berlin, version: "2", footer: "")
    for count in [262_144, 262_145] {
      // What follows the footer is not read.
      let bytes = file + [UInt8](repeating: 0, count: count - file.count)
      if count > 262_144 {
        let message = "too large for a time zone file: \(count) bytes"
        #expect(throws: ZoneError(.invalid(message))) { try ZoneFile(parsing: bytes) }
      } else {
        #expect(throws: Never.self) { try ZoneFile(parsing: bytes) }
      }
    }
  }

  @Test("errors of zone files name the problem")
  func errors() throws {
    func check(_ bytes: [UInt8], _ message: String) {
      #expect(throws: ZoneError(.invalid(message))) { try ZoneFile(parsing: bytes) }
    }
    func check(_ change: (inout Block) -> Void, _ error: String) {
      var block = Self.berlin
      change(&block)
      check(Self.file(block, version: "2", footer: ""), error)
    }
    check([], "not a time zone file (TZif)")
    check(Array("TZif".utf8), "the file is cut off: expected 44 bytes, got 4")
    check([UInt8](repeating: 0, count: 300_000), "too large for a time zone file: 300000 bytes")
    check(
      {
        $0.types = []; $0.times = []; $0.indexes = []
      }, "the file contains no offset")
    check({ $0.types[0].offset = .min }, "invalid offset: -2147483648 seconds")
    check({ $0.types[0].offset = 93_600 }, "invalid offset: 93600 seconds")
    check({ $0.indexes[1] = 2 }, "a clock change refers to offset 2, which is missing")
    check({ $0.types[1].name = 9 }, "an offset refers to abbreviation 9, which is missing")
    check(
      { $0.names = Array("CET\0CEST".utf8) }, "an offset refers to abbreviation 4, which is missing"
    )
    check({ $0.times = [1000, 1000] }, "clock change 1 is not later than the one before it")
    check({ $0.times = [1000, -1000] }, "clock change 1 is not later than the one before it")
    check(
      Self.file(Self.berlin, version: "2", footer: "CET-25"),
      "invalid rule at the end of the file: hour 25 is not in 0…24")
    var bytes = Self.file(Self.berlin, version: "2", footer: "CET-1")
    bytes.removeLast()
    check(
      bytes, "the file is cut off: expected \(bytes.count + 1) bytes, got \(bytes.count)")
  }

  @Test("every file that is cut off is refused, wherever it is cut")
  func truncated() throws {
    for name in ["Europe/Berlin", "Asia/Gaza", "Etc/UTC"] {
      let bytes = try ZoneFolderFixture.bytes(name)
      for length in bytes.indices {
        #expect(throws: ZoneError.self) { try ZoneFile(parsing: Array(bytes[..<length])) }
      }
    }
  }

  @Test("changed bytes give an error or a zone that answers everything")
  func mutated() throws {
    let originals = try ["Europe/Berlin", "Africa/Casablanca", "America/Nuuk"].map {
      try ZoneFolderFixture.bytes($0)
    }
    var zones = 0
    for round in 0..<3_000 {
      var bytes = originals[round % originals.count]
      for _ in 0...Int.random(in: 0...4) {
        let place =
          Bool.random() ? Int.random(in: bytes.indices) : bytes.count - 1 - Int.random(in: 0..<40)
        bytes[place] = Bool.random() ? UInt8.random(in: 0...255) : bytes[place] ^ 1
      }
      guard let file = try? ZoneFile(parsing: bytes) else { continue }
      zones += 1
      ZoneTotality.check(Zone(name: "x", origin: .database, file: file))
    }
    #expect(zones > 100)
  }

  @Test("transitions closer together than they move the clocks are read one by one")
  func dense() throws {
    // Back and forth by ten hours within two hours.
    var block = Self.berlin
    block.times = [0, 3600, 7200, 10_800]
    block.indexes = [1, 0, 1, 0]
    block.types = [(0, 0, 0), (36_000, 1, 4)]
    let zone = try Self.zone(Self.file(block, version: "2", footer: ""))
    for local in stride(from: -48_000, to: 60_000, by: 600) {
      let civil = Instant(secondsSinceEpoch: local).utc
      // The instants that show it, found by looking at all.
      let shown = stride(from: -90_000, to: 90_000, by: 600).filter {
        zone.civil(at: Instant(secondsSinceEpoch: $0)) == civil
      }
      switch zone.resolution(of: civil) {
      case .unique(let instant): #expect(shown == [instant.secondsSinceEpoch])
      case .fold(let first, let second):
        #expect(Array(shown.prefix(2)) == [first.secondsSinceEpoch, second.secondsSinceEpoch])
      case .gap: #expect(shown == [])
      }
      if let first = shown.first {
        #expect(zone.instant(of: civil).secondsSinceEpoch == first)
      }
    }
  }
}

/// Asks a zone everything at awkward moments: nothing may trap or contradict itself.
enum ZoneTotality {
  static func check(_ zone: Zone) {
    var instants = [Int.min, .min + 1, -(1 << 60), -(1 << 55), 0, 1 << 55, 1 << 60, .max - 1, .max]
    instants += (0..<6).map { _ in Int.random(in: -5_000_000_000...50_000_000_000) }
    for seconds in instants {
      let instant = Instant(secondsSinceEpoch: seconds)
      let civil = zone.civil(at: instant)
      #expect(zone.localTimeType(at: instant).utcOffset == zone.utcOffset(at: instant))
      let back = zone.instant(of: civil)
      switch zone.resolution(of: civil) {
      case .unique(let only): #expect(back == only)
      case .fold(let first, let second): #expect(back == first && first < second)
      case .gap(let transition, let before, let after):
        #expect(before < after && back >= transition)
      }
      if let next = zone.nextTransition(after: instant) {
        #expect(next.instant > instant && next.before != next.after)
      }
      if let previous = zone.previousTransition(before: instant) {
        #expect(previous.instant < instant)
      }
      _ = zone.startOfDay(civil.date)
      _ = zone.day(holding: instant)
      _ = zone.hasDay(civil.date)
      _ = instant.rfc3339(in: zone)
    }
  }
}
