import AgendaCore
import CSQLite
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaStore

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

  @Test("what a foreign file is, is guessed from its first bytes")
  func foreignKinds() throws {
    let kinds: [(bytes: [UInt8], kind: String)] = [
      (Array("a text\twith lines\r\n".utf8), "a text file"),
      (Array("text".utf8) + [0, 0x0B], "not an SQLite database"),
      (Array("Grüße\n".utf8), "a text file"), ([1, 2, 3], "not an SQLite database"),
    ]
    for (bytes, kind) in kinds {
      let session = try StoreSession()
      try Data(bytes).write(to: URL(fileURLWithPath: session.path))
      #expect(throws: StoreError.foreign(path: session.path, is: kind)) { try session.store() }
    }
  }

  // Checks Decisions: Small decisions/15
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
      try Store.open(writing: session.folder.path)
    }
  }

  @Test("a FIFO, a socket and a device are refused with what they are, and not read")
  func specialFiles() throws {
    let session = try StoreSession()
    #expect(mkfifo(session.path, 0o600) == 0)
    #expect(throws: StoreError.wrongKind(path: session.path, is: "a FIFO")) {
      try session.store()
    }
    #expect(throws: StoreError.wrongKind(path: "/dev/null", is: "a device")) {
      try Store.open(reading: "/dev/null")
    }
    let path = "\(session.folder.path)/socket"
    let made = try Tool("python3").run([
      "-c", "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])", path,
    ])
    #expect(made.status == 0, "\(made.errors)")
    #expect(throws: StoreError.wrongKind(path: path, is: "a socket")) {
      try Store.open(writing: path)
    }
  }

  /// A file system that was not unmounted can leave a file whose content was never written.
  @Test("a file of zeros is an empty store to a reader, and no store to a writer, who leaves it")
  func zeros() throws {
    let session = try StoreSession()
    let file = URL(fileURLWithPath: session.path)
    try Data(count: 4096).write(to: file)
    #expect(try Store.open(reading: session.path).map { _ in true } == nil)
    #expect(throws: StoreError.foreign(path: session.path, is: "not an SQLite database")) {
      try session.store()
    }
    #expect(try Data(contentsOf: file) == Data(count: 4096))
  }

  @Test("a store without a version is damaged")
  func noVersion() throws {
    let session = try StoreSession()
    try session.importing(calendar(event("a", "DTSTART:20261124T100000Z")))
    let file = URL(fileURLWithPath: session.path)
    var bytes = [UInt8](try Data(contentsOf: file))
    // The user_version of SQLite's header.
    bytes.replaceSubrange(60..<64, with: [0, 0, 0, 0])
    try Data(bytes).write(to: file)
    #expect(
      throws: StoreError.damaged(path: session.path, what: "its schema version is 0")
    ) { try session.store() }
  }

  @Test("a path with characters that have a meaning in a URI is opened as it is")
  func percent() throws {
    let session = try StoreSession()
    try session.importing(calendar(event("a", "DTSTART:20261124T100000Z")))
    let path = session.folder.appendingPathComponent("100%25?mode=memory#é.sqlite").path
    try FileManager.default.moveItem(atPath: session.path, toPath: path)
    let connection = try Connection(path: path, access: .immutable)
    #expect(try connection.integer("SELECT count(*) FROM component") == 1)
    #expect(throws: StoreError.self) { try connection.run("DELETE FROM component WHERE id = 1") }
  }

  @Test("a file that is gone when it is opened is reported with the system's reason")
  func vanished() throws {
    let session = try StoreSession()
    #expect(
      throws: StoreError.system(path: session.path, what: "cannot open the file", number: ENOENT)
    ) { try Connection(path: session.path, access: .reading) }
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

  // Checks Decisions: Small decisions/16
  @Test("a store that was emptied while somebody used it is damaged, and no new one is begun in it")
  func emptied() throws {
    for end in ["-wal", "-shm"] {
      let session = try StoreSession()
      try Data().write(to: URL(fileURLWithPath: session.path))
      try Data([1]).write(to: URL(fileURLWithPath: session.path + end))
      for open in [Store.open(reading:), { try Store.open(writing: $0) as Store? }] {
        do {
          _ = try open(session.path)
          Issue.record("it was opened")
        } catch {
          #expect("\(error)".contains("is empty, but its log \(session.path)\(end) is there"))
        }
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: session.path)).isEmpty)
    }
  }

  @Test("an empty file is an empty store to a reader, which leaves it empty, and becomes one")
  func empty() throws {
    let session = try StoreSession()
    try Data().write(to: URL(fileURLWithPath: session.path))
    let opened = try Store.open(reading: session.path)
    #expect(opened.map { _ in true } == nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: session.path)).isEmpty)
    try session.importing(calendar(event("a", "DTSTART:20261124T100000Z")))
    #expect(try session.store().allEvents().count == 1)
  }

  @Test("the file is the user's alone, as are the folders made for it")
  func permissions() throws {
    let session = try StoreSession()
    let path = session.folder.appendingPathComponent("one/two/agenda.sqlite").path
    _ = try Store.open(writing: path)
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
      try Store.open(reading: session.path)
    }
    #expect(try Data(contentsOf: file) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: session.folder.path).count == 1)
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
      try Store.open(reading: session.path)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: session.folder.path).count == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: session.path)) == bytes)
  }

  @Test("readers see the state before an import as long as it goes on, and need not wait")
  func readersDuringImport() throws {
    let session = try StoreSession()
    try session.importing(calendar(event("a", "DTSTART:20261124T100000Z")))
    let writer = try session.store()
    let writing = try StoreChange(writer, StoreCommand("import", at: session.now))
    let reader = try #require(try Store.open(reading: session.path))
    let event = try #require(try reader.allEvents().first)
    try writing.remove(components: [event.reference.component])
    #expect(try reader.allEvents().map(\.identity.uid) == ["a"])
    try writing.commit()
    #expect(try reader.allEvents().isEmpty)
  }

  @Test("no file stays open or next to the store when the last command ends")
  func noTrace() throws {
    let session = try StoreSession()
    for version in 0..<3 {
      try session.importing(
        calendar(event("a", "DTSTART:20261124T100000Z", "SUMMARY:\(version)")))
    }
    _ = try session.undo()
    _ = try Store.open(reading: session.path)?.allEvents()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: session.folder.path)
        == ["agenda.sqlite"])
  }
}

@Suite struct GuardTests {
  private static func calendarOf(_ count: Int) -> String {
    calendarText((0..<count).map { event("\($0)", "DTSTART:20261124T100000Z") })
  }

  // Checks Decisions: Importing/4
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
    #expect(try session.calendars().first?.sources.first?.lastError != nil)
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

  // Checks Decisions: Reading files/11, Importing/5
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

  @Test("trying to write changes nothing, and finds a full disk and a missing permission")
  func tryWriting() throws {
    try #require(FileFault.prepare())
    let session = try StoreSession()
    try Store.tryWriting(to: session.path)
    #expect(!FileManager.default.fileExists(atPath: session.path))
    try Data().write(to: URL(fileURLWithPath: session.path))
    try Store.tryWriting(to: session.path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: session.path)).isEmpty)
    #expect(throws: StoreError.self) {
      try Store.tryWriting(to: "/proc/agenda/agenda.sqlite")
    }
    try session.importing(calendar(event("a@example.com", "DTSTART:20261124T100000Z")))
    let exported = try session.export()
    try Store.tryWriting(to: session.path)
    #expect(try session.export() == exported)
    FileFault.fullDisk.begin(at: 0)
    #expect(throws: StoreError.noSpace(path: session.path)) {
      try Store.tryWriting(to: session.path)
    }
    #expect(FileFault.end())
    #expect(try session.export() == exported)
  }
}
