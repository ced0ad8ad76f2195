import CivilTime
import Foundation
import TestSupport
import Testing

/// Every zone against Python's zoneinfo, which shares no code with this.
@Suite struct ZoneinfoTests {
  // Checks RFC 5545: 3.3.5/6, 3.3.5/7
  // Checks Decisions: Time zones/1, Time zones/12
  @Test(
    "every zone of the system answers as Python's zoneinfo, 1900 to 2200", .requiresPython)
  func systemZones() throws {
    try compare(folder: ZoneDatabase.systemFolder)
  }

  @Test(
    "every zone of the tzdata package answers as Python's zoneinfo, 1900 to 2200",
    .requiresPythonPackages)
  func packagedZones() throws {
    let code = "import os, tzdata; print(os.path.dirname(tzdata.__file__) + '/zoneinfo', end='')"
    try compare(folder: Python.output(of: ["-c", code]))
  }

  private func compare(folder: String) throws {
    let database = ZoneDatabase(folder: folder)
    let names = database.names
    #expect(names.count > 300)
    let oracle = try Python.run(
      [Repository.oracles.appending(path: "zoneinfo_runs.py").path, folder],
      input: names.joined(separator: "\n"))
    #expect(oracle.status == 0, "\(oracle.errors)")
    var comparison = ZoneComparison(database: database, folder: folder)
    for line in Array(oracle.outputBytes).split(separator: UInt8(ascii: "\n")) {
      comparison.check(line)
    }
    #expect(comparison.zones == names.count)
    #expect(comparison.differences.count == 0, "\(comparison.differences.prefix(20))")
    #expect(comparison.contradictions <= 2)
    #expect(comparison.years == comparison.files.count * 301)
    // At the very least 1,200 months for each zone, and some instants for each other name of it.
    #expect(comparison.files.count > 300)
    #expect(comparison.instants > comparison.files.count * 1200 + names.count)
    Tally.report(
      "zones against zoneinfo",
      [
        "zones": comparison.zones, "years": comparison.years, "instants": comparison.instants,
        "local times": comparison.locals, "differences": comparison.differences.count,
      ])
    print(
      "\(comparison.zones) zones, \(comparison.instants) instants, \(comparison.locals) local times: \(comparison.differences.count) differences from zoneinfo"
    )
  }
}

private struct ZoneComparison {
  let database: ZoneDatabase
  let folder: String
  /// What the files of the zones hold: a zone with several names is compared in full once.
  var files: Set<Data> = []
  private var isRepeated = false
  var zone = Zone.utc
  var name = ""
  var zones = 0
  /// Years of zones with months that were compared.
  var years = 0
  var instants = 0
  var locals = 0
  /// Local times for which zoneinfo names an instant that does not show them.
  var contradictions = 0
  var differences: [String] = []
  /// Place in `months` of the first one that the zone's runs have not reached.
  private var month = 0

  /// The first moments of months from 1900 to 2200, in UTC: four a year, each month of the year every
  /// three years. With more rounds all of them. The ends of zoneinfo's stretches are compared anyway.
  private static let months: [Int] = (1900...2200).flatMap { year in
    (1...12).filter { TestSettings.rounds > 1 || ($0 + year) % 3 == 0 }.compactMap { month in
      CivilDate(year: year, month: month, day: 1).map { Int($0.dayNumber) * 86_400 }
    }
  }

  private static let monthsOfYear = months.count / 301

  init(database: ZoneDatabase, folder: String) {
    self.database = database
    self.folder = folder
  }

  mutating func check(_ line: ArraySlice<UInt8>) {
    let words = line.split(separator: UInt8(ascii: " "))
    switch words[0].first {
    case UInt8(ascii: "Z"):
      name = String(decoding: words[1], as: UTF8.self)
      zones += 1
      month = 0
      let file = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
      isRepeated = !files.insert(file).inserted
      if let found = database.zone(named: name) {
        zone = found
      } else {
        differences.append("\(name): not there")
      }
    case UInt8(ascii: "R"):
      let first = integer(words[1])
      let last = integer(words[2])
      let offset = integer(words[3])
      let abbreviation = String(decoding: words[4], as: UTF8.self)
      check(first, offset, abbreviation)
      if isRepeated { return }
      check(last, offset, abbreviation)
      while month < Self.months.count, Self.months[month] <= last {
        check(Self.months[month], offset, abbreviation)
        month += 1
        if month % Self.monthsOfYear == 0 { years += 1 }
      }
    case UInt8(ascii: "C"):
      contradictions += 1
    default:
      checkLocal(integer(words[1]), first: integer(words[2]), second: integer(words[3]))
    }
  }

  private mutating func check(_ seconds: Int, _ offset: Int, _ abbreviation: String) {
    instants += 1
    let instant = Instant(secondsSinceEpoch: seconds)
    let type = zone.localTimeType(at: instant)
    let civil = zone.civil(at: instant)
    if zone.utcOffset(at: instant) != offset || type.utcOffset != offset
      || type.abbreviation != abbreviation
      || civil != Instant(secondsSinceEpoch: seconds + offset).utc
    {
      differences.append("\(name) \(instant): \(type), zoneinfo \(offset) \(abbreviation)")
    }
    // There and back again, but for the second pass of a fold.
    let back = zone.instant(of: civil)
    if back != instant {
      guard case .fold(back, instant) = zone.resolution(of: civil) else {
        differences.append("\(name) \(instant): back as \(back)")
        return
      }
    }
  }

  private mutating func checkLocal(_ local: Int, first: Int, second: Int) {
    locals += 1
    let civil = Instant(secondsSinceEpoch: local).utc
    let resolution = zone.resolution(of: civil)
    let expected: Bool =
      switch resolution {
      case .unique(let instant):
        first == second && instant.secondsSinceEpoch == first
      case .fold(let one, let two):
        first < second && one.secondsSinceEpoch == first && two.secondsSinceEpoch == second
      case .gap(let transition, let before, let after):
        // With fold=1 zoneinfo reads a gap by the offset after it.
        first > second && local - before == first && local - after == second
          && second < transition.secondsSinceEpoch && transition.secondsSinceEpoch <= first
      }
    if !expected || zone.instant(of: civil).secondsSinceEpoch != first {
      differences.append("\(name) local \(civil): \(resolution), zoneinfo \(first) \(second)")
    }
  }

  private func integer(_ digits: ArraySlice<UInt8>) -> Int {
    let negative = digits.first == UInt8(ascii: "-")
    let value = digits.dropFirst(negative ? 1 : 0).reduce(0) { $0 * 10 + Int($1) - 48 }
    return negative ? -value : value
  }
}
