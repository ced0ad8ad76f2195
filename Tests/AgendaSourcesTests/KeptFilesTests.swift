import AgendaCore
import AgendaReader
import AgendaSources
import CivilTime
import Foundation
import TestSupport
import Testing

/// Folders that are read again and again, as live results do.
@Suite("files that are not read again")
struct KeptFilesTests {
  private let folder: ScratchFolder
  private let zones = ZoneDatabase.system(TZDIR: nil)
  /// Long after all files were written, so that their times are trusted.
  private static let later = Instant(secondsSinceEpoch: 4_000_000_000)

  init() throws { folder = try ScratchFolder() }

  private var path: String { folder.url.appendingPathComponent("c").path }

  private func read(_ previous: KeptFiles?, now: Instant = later) -> SourceLoader {
    var loader = SourceLoader(zones: zones, previous: previous, now: now)
    loader.load([.path(path)])
    return loader
  }

  /// `length` makes each text of a file different in size, because two changes within a tick of the
  /// clock give a file the same times.
  private func write(_ name: String, _ titles: [String], length: Int) throws {
    let events = titles.map {
      "BEGIN:VEVENT\r\nUID:\(name)-\($0)\r\nDTSTART:20261103T090000Z\r\nSUMMARY:\($0)\r\n"
        + "DESCRIPTION:About \($0)\r\nEND:VEVENT\r\n"
    }
    let padding = "X-PAD:\(String(repeating: "x", count: length))\r\n"
    try folder.replace(
      "c/\(name).ics", "BEGIN:VCALENDAR\r\n\(padding)\(events.joined())END:VCALENDAR\r\n")
  }

  private func files(_ loader: SourceLoader) -> [CalendarFile] {
    loader.sources.flatMap { $0.files.map(\.calendar) }
  }

  /// All that a listing and a detail view show.
  private func content(_ loader: SourceLoader) -> [String] {
    let events = FileEvents(loader.sources)
    let all = events.series(SeriesQuery(.complete, viewer: .utc, of: Selection()))
    let shown = all.map { series in
      let event = series.master
      let details = events.details(of: event.reference)
      return "\(event.title) \(event.calendar) \(details.description ?? "") "
        + (events.place(of: event.reference)?.name ?? "")
    }
    return shown + loader.sources.flatMap { $0.problems.map(\.source) }
  }

  @Test("only a changed file is read again, whether others are added, removed or grow")
  func identity() throws {
    try folder.write("c/a.ics", "")
    for (number, name) in ["a", "b", "d", "e"].enumerated() {
      try write(name, ["one", "two"], length: number)
    }
    let first = read(nil)
    let before = files(first)
    #expect(before.count == 4)
    // Nothing has changed.
    let same = read(first.kept)
    #expect(zip(before, files(same)).allSatisfy { $0 === $1 })
    // One file has a new event, and one is new between two others.
    try write("b", ["one", "two", "three"], length: 10)
    try write("c", ["new"], length: 11)
    let second = read(same.kept)
    let after = files(second)
    #expect(after.map(\.eventCount) == [2, 3, 1, 2, 2])
    #expect(after[0] === before[0] && after[3] === before[2] && after[4] === before[3])
    #expect(after[1] !== before[1])
    #expect(content(second) == content(read(nil)))
    // A file that was changed at about the time of reading is not trusted.
    let present = Instant(secondsSinceEpoch: Int(Date().timeIntervalSince1970))
    let fresh = read(nil, now: present)
    #expect(zip(files(fresh), files(read(fresh.kept))).allSatisfy { $0 !== $1 })
    // Another name of the calendar concerns all files.
    try folder.write("c/displayname", "Renamed\n")
    let renamed = read(second.kept)
    #expect(content(renamed) == content(read(nil)))
    #expect(files(renamed).allSatisfy { $0.name == "Renamed" })
  }

  @Test("a folder with random changes has the same content as if it is read anew")
  func random() throws {
    var random = SeededGenerator(seed: 31)
    try folder.write("c/a.ics", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")
    var kept = read(nil).kept
    var readAgain = 0
    for round in 1...120 * TestSettings.rounds {
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let name = "f\(Int.random(in: 0..<20, using: &random))"
        let file = folder.url.appendingPathComponent("c/\(name).ics")
        switch Int.random(in: 0..<8, using: &random) {
        case 0: try? FileManager.default.removeItem(at: file)
        case 1: try folder.replace("c/\(name).ics", String(repeating: "?", count: 9000 + round))
        default:
          let count = Int.random(in: 0..<4, using: &random)
          try write(name, (0..<count).map { "\($0) of \(round)" }, length: round)
        }
      }
      let previous = kept
      let again = read(previous)
      kept = again.kept
      #expect(content(again) == content(read(nil)), "\(round)")
      let old = Set(files(read(previous)).map { ObjectIdentifier($0) })
      readAgain += files(again).count { !old.contains(ObjectIdentifier($0)) }
    }
    // Two files at most change in a round.
    #expect(readAgain < 3 * 120 * TestSettings.rounds)
  }
}
