import AgendaCore
import AgendaStore
import CSQLite
import CivilTime
import Foundation
import TestSupport
import Testing

@Suite struct OpeningTests {
  @Test("a foreign file is refused with what it is, and not changed")
  func refusals() throws {
    let contents: [(name: String, bytes: [UInt8])] = [
      ("text", Array("BEGIN:VCALENDAR\n".utf8) + [UInt8](repeating: 0x20, count: 600)),
      ("garbage", (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }),
      ("cut short", Array("SQLite format 3\0".utf8)),
    ]
    for content in contents {
      let session = try StoreSession()
      try Data(content.bytes).write(to: URL(fileURLWithPath: session.path))
      #expect(throws: StoreError.self, "\(content.name)") { try session.store() }
      let after = [UInt8](try Data(contentsOf: URL(fileURLWithPath: session.path)))
      #expect(after == content.bytes, "\(content.name)")
    }
  }

  @Test("a symbolic link and a folder are refused with what they are")
  func wrongKinds() throws {
    let session = try StoreSession()
    let target = session.folder.appendingPathComponent("target").path
    try FileManager.default.createSymbolicLink(
      atPath: session.path, withDestinationPath: target)
    #expect(throws: StoreError.wrongKind(path: session.path, is: "a symbolic link")) {
      try session.store()
    }
    #expect(!FileManager.default.fileExists(atPath: target))
    #expect(throws: StoreError.wrongKind(path: session.folder.path, is: "a folder")) {
      try Store.open(writing: session.folder.path, zones: session.zones)
    }
  }

  @Test("a trigger that somebody wrote into a store does nothing, and doctor names it")
  func trigger() throws {
    let session = try StoreSession()
    try session.importing(calendar(event("a", "DTSTART:20261124T100000Z")))
    var handle: OpaquePointer?
    try #require(sqlite3_open(session.path, &handle) == SQLITE_OK)
    let trigger = "CREATE TRIGGER gone AFTER INSERT ON component BEGIN DELETE FROM component; END"
    #expect(sqlite3_exec(handle, trigger, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(handle)
    try session.importing(
      calendar(
        event("a", "DTSTART:20261124T100000Z"), event("b", "DTSTART:20261125T100000Z")))
    let store = try session.store()
    #expect(try store.allEvents().count == 2)
    #expect(try store.health().problems == ["the trigger gone was added outside agenda"])
  }

  @Test("a store of a newer agenda is refused by its version and left as it is")
  func newer() throws {
    let session = try StoreSession()
    try session.importing(calendar(event("a", "DTSTART:20261124T100000Z")))
    let file = URL(fileURLWithPath: session.path)
    var bytes = [UInt8](try Data(contentsOf: file))
    // The user_version of SQLite's header: the next version.
    let newer = bytes[63] + 1
    bytes[63] = newer
    try Data(bytes).write(to: file)
    #expect(throws: StoreError.self) { try session.store() }
    do {
      _ = try session.store()
    } catch StoreError.newer(_, let version, _) {
      #expect(version == newer)
    }
    #expect([UInt8](try Data(contentsOf: file)) == bytes)
  }

  @Test("an empty file is an empty store to a reader, which leaves it empty, and becomes one")
  func empty() throws {
    let session = try StoreSession()
    try Data().write(to: URL(fileURLWithPath: session.path))
    let opened = try Store.open(reading: session.path, zones: session.zones)
    #expect(opened.map { _ in true } == nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: session.path)).isEmpty)
    try session.importing(calendar(event("a", "DTSTART:20261124T100000Z")))
    #expect(try session.store().allEvents().count == 1)
  }

  @Test("the file is the user's alone, as are the folders made for it")
  func permissions() throws {
    let session = try StoreSession()
    let path = session.folder.appendingPathComponent("one/two/agenda.sqlite").path
    _ = try Store.open(writing: path, zones: session.zones)
    let files = FileManager.default
    for (path, expected) in [
      (path, 0o600), (session.folder.appendingPathComponent("one/two").path, 0o700),
    ] {
      let attributes = try files.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == expected, "\(path)")
    }
  }

  @Test("a store from before version 1 is refused with a way out, and not changed")
  func retired() throws {
    let session = try StoreSession()
    let file = URL(fileURLWithPath: session.path)
    try FileManager.default.copyItem(
      at: Fixtures.folder.appendingPathComponent("stores/retired.sqlite"), to: file)
    let bytes = try Data(contentsOf: file)
    #expect(throws: StoreError.retired(path: session.path)) { try session.store() }
    #expect(throws: StoreError.retired(path: session.path)) {
      try Store.open(reading: session.path, zones: session.zones)
    }
    #expect("\(StoreError.retired(path: "x"))".contains("agenda import"))
    #expect(try Data(contentsOf: file) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: session.folder.path).count == 1)
  }

  @Test("a store of a version whose tables still changed is refused with what to do")
  func unreleased() throws {
    let session = try StoreSession()
    try session.importing(calendar(event("1", "DTSTART:20261121T090000Z")))
    var handle: OpaquePointer?
    try #require(sqlite3_open(session.path, &handle) == SQLITE_OK)
    #expect(sqlite3_exec(handle, "PRAGMA user_version = 1", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(handle)
    #expect(throws: StoreError.retired(path: session.path)) { try session.store() }
    #expect(throws: StoreError.retired(path: session.path)) {
      try Store.open(reading: session.path, zones: session.zones)
    }
  }

  @Test("another program's database in WAL mode is left without a trace")
  func foreignLog() throws {
    let session = try StoreSession()
    var handle: OpaquePointer?
    try #require(sqlite3_open(session.path, &handle) == SQLITE_OK)
    let sql = "PRAGMA journal_mode = WAL; CREATE TABLE other (a); INSERT INTO other VALUES (1)"
    #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(handle)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: session.path))
    #expect(throws: StoreError.self) { try session.store() }
    #expect(throws: StoreError.self) {
      try Store.open(reading: session.path, zones: session.zones)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: session.folder.path).count == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: session.path)) == bytes)
  }

  @Test("readers see the state before an import as long as it goes on, and need not wait")
  func readersDuringImport() throws {
    let session = try StoreSession()
    try session.importing(calendar(event("a", "DTSTART:20261124T100000Z")))
    let writer = try session.store()
    let writing = try writer.beginImport(
      of: ImportedSource(kind: .file, location: "/b.ics", calendar: "b"),
      run: try writer.nextRun(), SourceImport.Options(now: session.now))
    let known = try writing.begin(ImportedDocument(components: 1))
    #expect(known.isEmpty)
    try writing.take(
      .read(try session.record(event("b", "DTSTART:20261124T100000Z"), writer), line: 1))
    let reader = try #require(try Store.open(reading: session.path, zones: session.zones))
    #expect(try reader.allEvents().map(\.identity.uid) == ["a"])
    #expect(try writing.finish().added == 1)
    #expect(try reader.allEvents().map(\.identity.uid).sorted() == ["a", "b"])
  }

  @Test("no file stays open or next to the store when the last command ends")
  func noTrace() throws {
    let session = try StoreSession()
    for version in 0..<3 {
      try session.importing(
        calendar(event("a", "DTSTART:20261124T100000Z", "SUMMARY:\(version)")))
    }
    _ = try session.store().undo()
    _ = try Store.open(reading: session.path, zones: session.zones)?.allEvents()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: session.folder.path)
        == ["agenda.sqlite"])
  }
}

@Suite struct GuardTests {
  private static func calendarOf(_ count: Int) -> String {
    calendarText((0..<count).map { event("\($0)", "DTSTART:20261124T100000Z") })
  }

  @Test("a source that comes back with less than half, or with nothing, takes nothing away")
  func shrinking() throws {
    let session = try StoreSession()
    try session.importing(Self.calendarOf(12))
    for count in [5, 0] {
      let report = try session.importing(Self.calendarOf(count))
      #expect(report.error != nil)
      #expect(report.components == 0)
      #expect(try session.store().allEvents().count == 12)
    }
    #expect(try session.store().calendars().first?.sources.first?.lastError != nil)
    let half = try session.importing(Self.calendarOf(6))
    #expect(half.removed == 6)
    let allowed = try session.importing(Self.calendarOf(0)) { $0.allowsShrinking = true }
    #expect(allowed.removed == 6)
    #expect(try session.store().allEvents().isEmpty)
  }

  @Test("a dry run reports changes and writes nothing")
  func dryRun() throws {
    let session = try StoreSession()
    try session.importing(Self.calendarOf(3))
    let report = try session.importing(Self.calendarOf(5)) { $0.isDryRun = true }
    #expect(report.added == 2)
    #expect(try session.store().allEvents().count == 3)
  }

  @Test("a truncated source adds new events and removes none")
  func cutOff() throws {
    let session = try StoreSession()
    try session.importing(Self.calendarOf(3))
    let whole = calendar(
      event("new", "DTSTART:20261125T100000Z"), event("0", "DTSTART:20261125T100000Z"))
    let report = try session.importing(String(whole.prefix(whole.count - 20)))
    #expect(report.removed == 0)
    #expect(Set(try session.store().allEvents().map(\.identity.uid)) == ["0", "1", "2", "new"])
  }

  @Test("an added event stays next to imported ones, and undo removes it")
  func add() throws {
    let session = try StoreSession()
    try session.importing(Self.calendarOf(2))
    let store = try session.store()
    let own = try session.record(event("own", "DTSTART:20261124T123000Z", "SUMMARY:Lunch"), store)
    try session.add(own, uid: "own", to: store)
    let added = try #require(try store.allEvents().first { $0.identity.uid == "own" })
    #expect(try store.details(of: added.reference).attachments.isEmpty)
    #expect(try store.calendars().map(\.name) == ["local", "work"])
    #expect(try store.changes(since: nil).map(\.kind) == [.added])
    #expect(try store.health().problems == [])
    _ = try store.undo()
    #expect(try store.calendars().map(\.name) == ["work"])
  }

  @Test("trying to write changes nothing, and finds a full disk and a missing permission")
  func tryWriting() throws {
    try #require(FileFault.prepare())
    let session = try StoreSession()
    let zones = ZoneDatabase.system(TZDIR: nil)
    try Store.tryWriting(to: session.path, zones: zones)
    #expect(!FileManager.default.fileExists(atPath: session.path))
    #expect(throws: StoreError.self) {
      try Store.tryWriting(to: "/proc/agenda/agenda.sqlite", zones: zones)
    }
    try session.importing(calendar(event("a@example.com", "DTSTART:20261124T100000Z")))
    let exported = try session.export()
    try Store.tryWriting(to: session.path, zones: zones)
    #expect(try session.export() == exported)
    FileFault.fullDisk.begin(at: 0)
    #expect(throws: StoreError.noSpace(path: session.path)) {
      try Store.tryWriting(to: session.path, zones: zones)
    }
    #expect(FileFault.end())
    #expect(try session.export() == exported)
  }
}
