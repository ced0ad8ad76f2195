internal import CivilTime
internal import Foundation
internal import Platform

/// The cost of a look-up in a loaded zone and of loading a zone, next to the C library.
enum ZoneBenchmarks {
  private static let rounds = 15
  private static let count = 1_000_000

  static func run() {
    let database = ZoneDatabase.system(TZDIR: nil)
    // 1990 to 2050: listed transitions and the rule after them.
    let seconds = randomNumbers(count).map { 631_152_000 + Int($0 % 1_893_456_000) }
    let instants = seconds.map(Instant.init(secondsSinceEpoch:))
    let civils = instants.map(\.utc)
    let inOrder = civils.sorted()
    for name in ["Europe/Berlin", "America/New_York", "Africa/Casablanca", "Asia/Tokyo"] {
      guard let zone = database.zone(named: name) else { continue }
      report("\(name): local to instant", per: count) {
        civils.reduce(0) { $0 &+ zone.instant(of: $1).secondsSinceEpoch }
      }
      report("\(name): local to instant, in the order of time", per: count) {
        inOrder.reduce(0) { $0 &+ zone.instant(of: $1).secondsSinceEpoch }
      }
      report("\(name): instant to offset", per: count) {
        instants.reduce(0) { $0 &+ zone.utcOffset(at: $1) }
      }
      report("\(name): instant to local", per: count) {
        instants.reduce(0) { $0 &+ zone.civil(at: $1).civilSeconds }
      }
      report("\(name): start of day", per: count) {
        civils.reduce(0) { $0 &+ zone.startOfDay($1.date).secondsSinceEpoch }
      }
    }
    benchmarkCLibrary(seconds: seconds)

    let names = database.names
    report("load a zone file (mean of \(names.count))", per: names.count) {
      let fresh = ZoneDatabase(folder: database.folder)
      return names.reduce(0) { $0 &+ (fresh.zone(named: $1)?.name.utf8.count ?? 0) }
    }
    report("load Europe/Berlin", per: 1) {
      ZoneDatabase(folder: database.folder).zone(named: "Europe/Berlin")?.name.utf8.count ?? 0
    }
    report("load Europe/Berlin and ask for a time after the listed ones", per: 1) {
      let zone = ZoneDatabase(folder: database.folder).zone(named: "Europe/Berlin")
      return zone?.utcOffset(at: Instant(secondsSinceEpoch: 9_000_000_000)) ?? 0
    }
    let zoneNames = ZoneNames(database: database)
    let TZIDs = ["Europe/Berlin", "W. Europe Standard Time", "America/New_York"]
    report("TZID to zone", per: count) {
      (0..<count).reduce(0) { sum, index in
        sum &+ (zoneNames.resolution(of: TZIDs[index % 3]).zone?.name.utf8.count ?? 0)
      }
    }
  }

  private static func benchmarkCLibrary(seconds: [Int]) {
    setenv("TZ", "Europe/Berlin", 1)
    tzset()
    let few = Array(seconds.prefix(count / 10))
    report("C library, Europe/Berlin: localtime_r", per: few.count) {
      few.reduce(0) { sum, second in
        var parts = tm()
        var time = time_t(second)
        localtime_r(&time, &parts)
        return sum &+ Int(parts.tm_gmtoff)
      }
    }
    report("C library, Europe/Berlin: mktime", per: few.count) {
      few.reduce(0) { sum, second in
        var parts = tm()
        var time = time_t(second)
        gmtime_r(&time, &parts)
        parts.tm_isdst = -1
        return sum &+ mktime(&parts)
      }
    }
  }

  /// The median of some rounds, in nanoseconds of processor time for each item: what else the
  /// machine does counts less that way.
  private static func report(_ what: String, per items: Int, _ body: () -> Int) {
    var sum = 0
    var times: [Double] = []
    for _ in 0..<rounds {
      let before = processorTime()
      sum = sum &+ body()
      times.append(Double(processorTime() - before) / Double(items))
    }
    times.sort()
    let median = (times[rounds / 2] * 10).rounded() / 10
    let least = (times[0] * 10).rounded() / 10
    // The sum is looked at, so that no work can be left out.
    print("\(what): \(median) ns (least \(least))\(sum == 0 ? " " : "")")
  }

  private static func processorTime() -> Int {
    Int(SystemClock.processorTime / .nanoseconds(1))
  }

  /// The same numbers in every run.
  private static func randomNumbers(_ count: Int) -> [UInt64] {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }
}
