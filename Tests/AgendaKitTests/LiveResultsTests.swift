import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AgendaKit

/// Results that follow files, a store, a program's events and the clock.
@Suite("live results", .timeLimit(.minutes(5)))
struct LiveResultsTests {
  private let folder: ScratchFolder
  private static let now = Instant(rfc3339: "2026-11-01T08:00:00Z")

  init() throws { folder = try ScratchFolder() }

  private func calendar(_ titles: [String]) -> String {
    TestSupport.calendar(titles.map { event($0, "DTSTART:20261103T090000Z", "SUMMARY:\($0)") })
  }

  private func request(
    _ source: ResultsRequest.Source, clock: Mutable<Instant>? = nil
  ) throws -> ResultsRequest {
    let now = try #require(Self.now)
    return ResultsRequest(
      source, .fromToday(.days(7)), SectionLayout(sectionedBy: \.date.description),
      zone: { .utc }, clock: { clock?.value ?? now })
  }

  private func titles(_ results: AgendaResults) -> [[String]] {
    results.agenda.sections.map { $0.entries.map(\.title) }
  }

  /// Applies changes to rows until they are as expected.
  private func follow(
    _ changes: inout AsyncStream<AgendaChanges>.Iterator, _ rows: inout [[String]],
    until expected: [[String]]
  ) async {
    while rows != expected {
      guard let change = await changes.next() else {
        Issue.record("the changes ended at \(rows)")
        return
      }
      change.apply(to: &rows) { $0.title }
      #expect(rows == change.agenda.sections.map { $0.entries.map(\.title) })
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
    let entry = try #require(results.agenda[EntryPath(section: 0, entry: 0)])
    #expect(results.agenda.path(of: entry) == EntryPath(section: 0, entry: 0))
  }

  @Test("a folder is empty before its first file and after its last one")
  func emptyFolder() async throws {
    let path = folder.url.appendingPathComponent("calendar").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let results = try await AgendaResults(request(.files([path])))
    var rows = titles(results)
    #expect(rows == [])
    var changes = results.changes.makeAsyncIterator()
    for title in ["Choir", "Dentist"] {
      try folder.write("calendar/a.ics", calendar([title]))
      await follow(&changes, &rows, until: [[title]])
      try FileManager.default.removeItem(atPath: path + "/a.ics")
      await follow(&changes, &rows, until: [])
    }
    // A folder that disappears is a failure, not an empty one. To remove it would first empty it.
    try folder.write("calendar/a.ics", calendar(["Choir"]))
    await follow(&changes, &rows, until: [["Choir"]])
    try FileManager.default.moveItem(atPath: path, toPath: path + "-gone")
    await #expect(throws: (any Error).self) { try await results.refresh() }
    #expect(titles(results) == [["Choir"]])
  }

  @Test("a store that another process fills and undoes")
  func storeChanges() async throws {
    let path = folder.url.appendingPathComponent("data/agenda.sqlite").path
    let results = try await AgendaResults(request(.store(CalendarStore(at: path))))
    var rows = titles(results)
    #expect(rows == [])
    var changes = results.changes.makeAsyncIterator()
    let store = CalendarStore(at: path)
    let file = try folder.write("work.ics", calendar(["Choir", "Dentist"]))
    let reports = try await store.write { try $0.importSources([file]) }
    #expect(reports.map(\.added) == [2])
    await follow(&changes, &rows, until: [["Choir", "Dentist"]])
    try await store.write { try $0.remove(calendar: "work") }
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
    #expect(results.agenda.sections.first.map { $0.id.description >= "2026-11-04" } ?? true)
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
    #expect(results.agenda.sections.map(\.id.description) == ["2026-11-03"])
    var rows = titles(results)
    var changes = results.changes.makeAsyncIterator()
    zone.value = try zones.loadZone(named: "Europe/Berlin")
    try await results.refresh()
    let moved = try #require(await changes.next())
    #expect(moved.agenda.sections.map(\.id.description) == ["2026-11-04"])
    moved.apply(to: &rows) { $0.title }
    #expect(rows == [["Late"]])
    // The clock is set back to before the window that has the event.
    clock.value = now.adding(seconds: -30 * 24 * 60 * 60)
    try await results.refresh()
    let left = try #require(await changes.next())
    left.apply(to: &rows) { $0.title }
    #expect(rows == [] && left.agenda.sections.isEmpty)
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

  @Test("changes between the first reading and the first use of the stream arrive")
  func changesBeforeTheStream() async throws {
    try folder.write("c/a.ics", calendar(["Choir"]))
    let path = folder.url.appendingPathComponent("c").path
    let results = try await AgendaResults(request(.files([path])))
    var rows = titles(results)
    try folder.write("c/b.ics", calendar(["Dentist"]))
    var changes = results.changes.makeAsyncIterator()
    await follow(&changes, &rows, until: [["Choir", "Dentist"]])
  }

  @Test("a stream keeps its results alive, and without a stream they end")
  func lifetime() async throws {
    try folder.write("c/a.ics", calendar(["Choir"]))
    let path = folder.url.appendingPathComponent("c").path
    func stream() async throws -> (AsyncStream<AgendaChanges>, WeakResults) {
      let results = try await AgendaResults(request(.files([path])))
      return (results.changes, WeakResults(results))
    }
    func read() async throws -> WeakResults {
      var rows = [["Choir"]]
      let (stream, results) = try await stream()
      var changes = stream.makeAsyncIterator()
      try folder.write("c/b.ics", calendar(["Dentist"]))
      await follow(&changes, &rows, until: [["Choir", "Dentist"]])
      return results
    }
    func wait() async throws -> (Task<Void, Never>, WeakResults) {
      let (stream, results) = try await stream()
      return (Task { for await _ in stream {} }, results)
    }
    try await read().expectEnd()
    let (waiting, results) = try await wait()
    #expect(results.value != nil)
    waiting.cancel()
    await waiting.value
    try await results.expectEnd()
  }

  @Test("details belong to their entry, although its file has another number by now")
  func detailsAfterRenumbering() async throws {
    let text = calendar(["Choir"]).replacing("SUMMARY", with: "DESCRIPTION:Notes\r\nSUMMARY")
    try folder.write("c/b.ics", text)
    let path = folder.url.appendingPathComponent("c").path
    let results = try await AgendaResults(request(.files([path])))
    let entry = try #require(results.agenda[EntryPath(section: 0, entry: 0)])
    // Nothing in the window changes.
    let later = calendar(["Party"]).replacing("20261103", with: "20271103")
      .replacing("SUMMARY", with: "DESCRIPTION:Presents\r\nSUMMARY")
    try folder.write("c/a.ics", later)
    #expect(try await results.refresh().isEmpty)
    #expect(try await results.details(of: entry).description == "Notes")
    let present = try #require(results.agenda[EntryPath(section: 0, entry: 0)])
    #expect(try await results.details(of: present).description == "Notes")
    // An entry that is gone does not get the details of another one.
    try FileManager.default.removeItem(atPath: path + "/b.ics")
    try await results.refresh()
    #expect(results.agenda.path(of: entry) == nil)
    #expect(try await results.details(of: entry).description == nil)
  }

  @Test("changes that several tasks cause at once arrive in order")
  func concurrentUpdates() async throws {
    var source = RandomEvents(seed: 11)
    let lists = (0..<40).map { _ in source.events(6) }
    let results = try await AgendaResults(request(.events([])))
    let (first, stream) = results.follow()
    let listener = Task {
      var rows = first.sections.map { $0.entries.map(\.title) }
      for await change in stream {
        change.apply(to: &rows) { $0.title }
        #expect(rows == change.agenda.sections.map { $0.entries.map(\.title) })
        if change.agenda.sections.first?.entries.first?.title == "The end" { break }
      }
      return rows
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for list in lists {
        group.addTask { _ = try await results.update(events: list) }
      }
      try await group.waitForAll()
    }
    let start = try #require(Self.now?.utc)
    let last = Event(uid: "end", title: "The end", start: .utc(start), calendar: "own")
    try await results.update(events: [last])
    #expect(await listener.value == [["The end"]])
    #expect(titles(results) == [["The end"]])
  }

  @Test("a source that can't be read for a while keeps its entries")
  func unreadable() async throws {
    let path = try folder.write("a.ics", calendar(["Choir"]))
    let results = try await AgendaResults(request(.files([path])))
    var rows = titles(results)
    try FileManager.default.removeItem(atPath: path)
    await #expect(throws: (any Error).self) { try await results.refresh() }
    #expect(titles(results) == [["Choir"]])
    try folder.write("a.ics", calendar(["Choir", "Dentist"]))
    let change = try await results.refresh()
    change.apply(to: &rows) { $0.title }
    #expect(rows == [["Choir", "Dentist"]])
  }

  @Test("several tasks use results and a store at once")
  func manyTasks() async throws {
    let path = folder.url.appendingPathComponent("agenda.sqlite").path
    let store = CalendarStore(at: path)
    let results = try await AgendaResults(request(.store(CalendarStore(at: path))))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        let file = try folder.write(
          "\(number).ics", calendar((0...number).map { "\(number).\($0)" }))
        group.addTask {
          try await store.write { try $0.importSources([file]) }
          try await results.refresh()
          for section in results.agenda.sections {
            for entry in section.entries {
              _ = results.agenda.path(of: entry)
              _ = try await results.details(of: entry)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try await results.refresh()
    #expect(results.agenda.entryCount == 10)
  }
}

private struct WeakResults: Sendable {
  weak let value: AgendaResults?

  init(_ results: AgendaResults) { value = results }

  /// A refresh can still be at work.
  func expectEnd() async throws {
    for _ in 0..<60_000 where value != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(value == nil)
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
