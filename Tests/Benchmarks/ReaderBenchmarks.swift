internal import AgendaReader
internal import AgendaSources
internal import CivilTime
internal import Foundation

/// How long it takes to read a file: the first pass, all of its events, and one year of them.
enum ReaderBenchmarks {
  /// One reading for `Tests/Benchmarks/reading`: `all FILE [THREADS]` or `year FILE`.
  static func readOnce(_ arguments: [String]) {
    guard arguments.count >= 2, let source = try? SourceBytes(contentsOf: arguments[1]) else {
      return
    }
    var options = CalendarReader.Options()
    if arguments.count > 2, let threads = Int(arguments[2]) { options.threads = threads }
    let reader = CalendarReader(zones: .system(TZDIR: nil), options: options)
    guard let file = try? reader.read(source, name: "benchmark") else { return }
    if arguments[0] == "all" {
      var count = 0
      file.forEachEvent { _, _ in count += 1 }
      print(count)
    } else {
      print(file.events(touching: year).count)
    }
  }

  /// One year from 21 November 2026.
  private static let year =
    Instant(secondsSinceEpoch: 1_795_219_200)..<Instant(secondsSinceEpoch: 1_826_755_200)

  /// Measures reading the details of all events.
  private static func measureDetails(of file: CalendarFile, _ clock: ContinuousClock) {
    var attendees = 0
    let references = file.allEvents.map(\.reference)
    let time = clock.measure {
      for reference in references { attendees += file.details(of: reference).attendees.count }
    }
    print("  details of \(references.count) events: \(time); \(attendees) attendees")
  }

  static func run(_ paths: [String]) {
    for path in paths {
      guard let source = try? SourceBytes(contentsOf: path) else {
        print("\(path): cannot be read")
        continue
      }
      let zones = ZoneDatabase.system(TZDIR: nil)
      for threads in [1, 2] {
        var options = CalendarReader.Options()
        options.threads = threads
        let reader = CalendarReader(zones: zones, options: options)
        let clock = ContinuousClock()
        var file: CalendarFile?
        let scan = clock.measure { file = try? reader.read(source, name: "benchmark") }
        guard let file else { continue }
        var count = 0
        let all = clock.measure { file.forEachEvent { _, _ in count += 1 } }
        var inYear = 0
        let one = clock.measure { inYear = file.events(touching: year).count }
        print(
          "\(path) threads=\(threads) bytes=\(source.count) components=\(file.componentCount)"
            + " rejected=\(file.rejectedCount) findings=\(file.findings.count)"
            + " first pass \(scan), all \(count) events \(all), \(inYear) of a year \(one)")
        if threads == 1 { measureDetails(of: file, clock) }
      }
    }
    var usage = rusage()
    #if os(Linux)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
      getrusage(RUSAGE_SELF, &usage)
    #endif
    print("peak memory \(usage.ru_maxrss / 1024) MiB")
  }
}
