internal import AgendaCommands
internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the store costs: `import STORE FILE`, `events STORE DAYS`.
enum StoreBenchmarks {
  static func run(_ arguments: [String]) {
    guard arguments.count == 3 else { return print("import STORE FILE | events STORE DAYS") }
    do {
      switch arguments[0] {
      case "import": try importing(arguments[2], into: arguments[1])
      default: try events(of: arguments[1], days: Int(arguments[2]) ?? 1)
      }
    } catch {
      print("\(error)")
      exit(1)
    }
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
      getrusage(RUSAGE_SELF, &usage)
    #endif
    print("peak memory \(usage.ru_maxrss / 1024) MiB")
  }

  private static func importing(_ path: String, into storePath: String) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    let zones = ZoneDatabase.system(TZDIR: nil)
    let store = try Store.open(writing: storePath, zones: zones)
    let session = try store.beginImport(
      of: ImportedSource(kind: .file, location: path, calendar: "benchmark"),
      run: try store.nextRun(),
      SourceImport.Options(now: Instant(secondsSinceEpoch: 1_795_219_200)))
    let source = try SourceBytes(contentsOf: path)
    let opened = clock.now
    let digest = session.digest(of: UnsafeRawBufferPointer(source.bytes))
    let digested = clock.now
    if try !session.keepsUnchanged(fingerprint: nil, digest: digest, interpretation: 1) {
      let file = try CalendarReader(zones: zones).read(source, name: "benchmark")
      let scanned = clock.now
      let known = try session.begin(
        file.importedDocument(fingerprint: nil, digest: digest, interpretation: 1))
      try session.takeAll(file.eventCount, of: known) { file.importedComponents($0, known: $1) }
      print("scan \(scanned - digested), components \(clock.now - scanned)")
    }
    let taken = clock.now
    let report = try session.finish()
    print(
      "open \(opened - begin), digest \(digested - opened), finish \(clock.now - taken), all"
        + " \(clock.now - begin): \(report.components) components, \(report.added) added,"
        + " \(report.updated) updated, \(report.removed) removed, \(report.unchanged) unchanged,"
        + " \(report.superseded) superseded, \(report.rejected) rejected")
  }

  private static func events(of storePath: String, days: Int) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    let zones = ZoneDatabase.system(TZDIR: nil)
    guard let berlin = zones.zone(named: "Europe/Berlin"),
      let today = CivilDate(year: 2026, month: 11, day: 21),
      let window = DateWindow(firstDay: today, length: .days(days), zone: berlin),
      let store = try Store.open(reading: storePath, zones: zones)
    else { return }
    let opened = clock.now
    let events = try store.events(touching: window.start..<window.end, viewer: berlin)
    let read = clock.now
    var count = 0
    for series in SeriesAssembly(events).series {
      for _ in series.occurrences(touching: window.start..<window.end, viewer: berlin) {
        count += 1
      }
    }
    print(
      "open \(opened - begin), \(events.count) events \(read - opened), \(count) occurrences"
        + " \(clock.now - read), all \(clock.now - begin)")
  }
}
