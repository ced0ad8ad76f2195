import AgendaKit
import Foundation
import Synchronization
import TestSupport
import Testing

/// Results that follow files, a store, a program's events and the clock.
@Suite("live results", .timeLimit(.minutes(5)))
struct LiveResultsTests {
  private let folder: ScratchFolder
  private static let now = Instant(rfc3339: "2026-11-01T08:00:00Z")

  init() throws { folder = try ScratchFolder() }

  private func calendar(_ titles: [String]) -> String {
    let events = titles.map {
      "BEGIN:VEVENT\r\nUID:\($0)\r\nDTSTART:20261103T090000Z\r\nSUMMARY:\($0)\r\nEND:VEVENT\r\n"
    }
    return "BEGIN:VCALENDAR\r\n\(events.joined())END:VCALENDAR\r\n"
  }

  private func request(
    _ source: ResultsRequest<String>.Source, clock: Mutable<Instant>? = nil
  ) throws -> ResultsRequest<String> {
    let now = try #require(Self.now)
    return ResultsRequest(
      source, .fromToday(.days(7)), ResultsLayout(sectionedBy: \.date.description),
      zone: { .utc }, clock: { clock?.value ?? now })
  }

  private func titles(_ results: AgendaResults<String>) -> [[String]] {
    results.sections.map { $0.entries.map(\.title) }
  }

  /// Applies changes to rows until they are as expected.
  private func follow(
    _ changes: inout AsyncStream<ResultsChanges<String>>.Iterator, _ rows: inout [[String]],
    until expected: [[String]]
  ) async {
    while rows != expected {
      guard let change = await changes.next() else {
        Issue.record("the changes ended at \(rows)")
        return
      }
      change.apply(to: &rows) { $0.title }
      #expect(rows == change.snapshot.sections.map { $0.entries.map(\.title) })
    }
  }

  @Test("a folder: files that are written, replaced and deleted")
  func folderChanges() async throws {
    try folder.write("calendar/a.ics", calendar(["Choir"]))
    let path = folder.url.appendingPathComponent("calendar").path
    let results = try await AgendaResults(request(.files([path])))
    var rows = titles(results)
    #expect(rows == [["Choir"]])
    var changes = results.changes.makeAsyncIterator()
    try folder.write("calendar/b.ics", calendar(["Dentist"]))
    await follow(&changes, &rows, until: [["Choir", "Dentist"]])
    try folder.write("calendar/a.ics", calendar(["Book club"]))
    await follow(&changes, &rows, until: [["Book club", "Dentist"]])
    try FileManager.default.removeItem(atPath: path + "/b.ics")
    await follow(&changes, &rows, until: [["Book club"]])
    let entry = try #require(results.entry(at: IndexPath(section: 0, entry: 0)))
    #expect(results.indexPath(of: entry) == IndexPath(section: 0, entry: 0))
  }

  @Test("a store that another process fills and undoes")
  func storeChanges() async throws {
    let now = try #require(Self.now)
    let path = folder.url.appendingPathComponent("data/agenda.sqlite").path
    let results = try await AgendaResults(request(.store(at: path)))
    var rows = titles(results)
    #expect(rows == [])
    var changes = results.changes.makeAsyncIterator()
    let store = SharedStore(at: path)
    let file = try folder.write("work.ics", calendar(["Choir", "Dentist"]))
    let reports = try await store.perform {
      try $0.importSources([file], CalendarStore.ImportOptions(now: now))
    }
    #expect(reports.map(\.added) == [2])
    await follow(&changes, &rows, until: [["Choir", "Dentist"]])
    try await store.perform { store in _ = try store.remove(calendar: "work", now: now) }
    await follow(&changes, &rows, until: [])
  }

  @Test("events of a program, and a new day")
  func programAndDay() async throws {
    let clock = Mutable(try #require(Self.now))
    var source = RandomEvents(seed: 5)
    let events = source.events(10)
    let results = try await AgendaResults(request(.events(events), clock: clock))
    var rows = titles(results)
    var changes = results.changes.makeAsyncIterator()
    try await results.update(events: Array(events.dropFirst(3)))
    var change = try #require(await changes.next())
    change.apply(to: &rows) { $0.title }
    #expect(rows == titles(results))
    clock.value = try #require(Instant(rfc3339: "2026-11-04T00:00:00Z"))
    try await results.refresh()
    change = try #require(await changes.next())
    change.apply(to: &rows) { $0.title }
    #expect(rows == titles(results))
    #expect(results.sections.first.map { $0.id >= "2026-11-04" } ?? true)
  }

  @Test("another zone of the system moves entries to other days, and then the window")
  func zoneChange() async throws {
    let now = try #require(Self.now)
    let zones = ZoneDatabase.system(TZDIR: nil)
    let zone = Mutable(Zone.utc)
    let clock = Mutable(now)
    let late = try #require(Instant(rfc3339: "2026-11-03T23:30:00Z")).utc
    let events = [Event(uid: "1", title: "Late", start: .utc(late), calendar: "own")]
    var request = try request(.events(events), clock: clock)
    request.zone = { zone.value }
    let results = try await AgendaResults(request)
    #expect(results.sections.map(\.id) == ["2026-11-03"])
    var rows = titles(results)
    var changes = results.changes.makeAsyncIterator()
    zone.value = try zones.loadZone(named: "Europe/Berlin")
    try await results.refresh()
    let moved = try #require(await changes.next())
    #expect(moved.snapshot.sections.map(\.id) == ["2026-11-04"])
    moved.apply(to: &rows) { $0.title }
    #expect(rows == [["Late"]])
    // The clock is set back to before the window that has the event.
    clock.value = now.adding(seconds: -30 * 24 * 60 * 60)
    try await results.refresh()
    let left = try #require(await changes.next())
    left.apply(to: &rows) { $0.title }
    #expect(rows == [] && left.snapshot.sections.isEmpty)
  }

  @Test("a description that changes is an update, although lists show the same")
  func detailsChange() async throws {
    let text = calendar(["Choir"])
    let path = try folder.write("a.ics", text)
    let results = try await AgendaResults(request(.files([path])))
    var changes = results.changes.makeAsyncIterator()
    try folder.replace(
      "a.ics", text.replacing("SUMMARY", with: "DESCRIPTION:Bring the notes\r\nSUMMARY"))
    let change = try #require(await changes.next())
    guard case .updated(let entry, let before, let after) = change.entries.first else {
      Issue.record("\(change.entries)")
      return
    }
    #expect(before == after)
    #expect(try await results.details(of: entry).description == "Bring the notes")
  }

  @Test("several tasks use results and a store at once")
  func manyTasks() async throws {
    let now = try #require(Self.now)
    let path = folder.url.appendingPathComponent("agenda.sqlite").path
    let store = SharedStore(at: path)
    let results = try await AgendaResults(request(.store(at: path)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        let file = try folder.write(
          "\(number).ics", calendar((0...number).map { "\(number).\($0)" }))
        group.addTask {
          _ = try await store.perform {
            try $0.importSources([file], CalendarStore.ImportOptions(now: now))
          }
          try await results.refresh()
          for section in results.sections {
            for entry in section.entries {
              _ = results.indexPath(of: entry)
              _ = try await results.details(of: entry)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try await results.refresh()
    #expect(results.snapshot.entryCount == 10)
  }
}

final class Mutable<Value: Sendable>: Sendable {
  private let content: Mutex<Value>
  init(_ value: Value) { content = Mutex(value) }
  var value: Value {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
}
