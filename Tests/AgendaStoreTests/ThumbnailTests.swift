import AgendaCore
import CSQLite
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaStore

@Suite struct ThumbnailTests {
  private static let picture = PictureSample.png(40, 20)
  private static let thumbnail = Thumbnail(
    picture: "0123456789abcdef0123456789abcdef", format: .png, bytes: PictureSample.png(8, 4))

  private static func event(title: String, stamp: Int = 1) -> String {
    AgendaStoreTests.event(
      "a", "DTSTAMP:2026010\(stamp)T000000Z", "DTSTART:20261124T100000Z", "SUMMARY:\(title)",
      PictureSample.line(picture, mediaType: "image/png").replacingOccurrences(
        of: "\r\n", with: "\n"),
      PictureSample.line(Array("<html>".utf8), mediaType: "image/png"),
      PictureSample.line(picture, mediaType: "text/plain"))
  }

  private static func keepAll(_ store: Store) throws {
    try store.keep(store.pendingThumbnails().map { ($0, thumbnail) })
  }

  private static func counts(_ session: StoreSession) throws -> [Int] {
    let connection = try session.store().connection
    return try ["thumbnail", "pending_thumbnail"].map {
      try connection.integer("SELECT count(*) FROM \($0)") ?? -1
    }
  }

  @Test("pictures alone are pending, kept under their event, and go with it")
  func lifeOfThumbnails() throws {
    let session = try StoreSession()
    try session.importing(calendar(Self.event(title: "One")))
    var store = try session.store()
    let pending = try store.pendingThumbnails()
    #expect(pending.map(\.attachment.number) == [1])
    #expect(try store.thumbnail(of: pending[0].event, number: 1) == .pending)
    try Self.keepAll(store)
    #expect(try store.thumbnail(of: pending[0].event, number: 1) == .made(Self.thumbnail))
    #expect(try store.thumbnail(of: pending[0].event, number: 2) == .none)
    #expect(try Self.counts(session) == [1, 0])

    // Nothing new, not even with another DTSTAMP.
    try session.importing(calendar(Self.event(title: "One", stamp: 2)))
    #expect(try Self.counts(session) == [1, 0])
    // A new version has a separate thumbnail; undo finds the old one again.
    try session.importing(calendar(Self.event(title: "Two")))
    #expect(try Self.counts(session) == [1, 1])
    store = try session.store()
    try Self.keepAll(store)
    #expect(try Self.counts(session) == [2, 0])
    _ = try store.undo()
    #expect(try Self.counts(session) == [1, 0])
    #expect(try store.thumbnail(of: pending[0].event, number: 1) == .made(Self.thumbnail))
    _ = try store.undo()
    #expect(try Self.counts(session) == [0, 0])
    #expect(try store.health().problems.filter { !$0.contains("may read") } == [])
  }

  @Test("a thumbnail of an attachment that was replaced meanwhile is dropped")
  func replacedMeanwhile() throws {
    let session = try StoreSession()
    try session.importing(calendar(Self.event(title: "One")))
    let store = try session.store()
    let pending = try store.pendingThumbnails()
    _ = try store.undo()
    let other = PictureSample.line(PictureSample.png(5, 5), mediaType: "image/png")
    try session.importing(
      calendar(AgendaStoreTests.event("b", "DTSTART:20261124T100000Z", other)))
    try store.keep(pending.map { ($0, Self.thumbnail) })
    #expect(try Self.counts(session) == [0, 1])
  }

  @Test("every flipped byte of a thumbnail is found by doctor")
  func flippedBytes() throws {
    let session = try StoreSession()
    try session.importing(calendar(Self.event(title: "One")))
    try Self.keepAll(try session.store())
    let reference = try #require(try session.store().allEvents().first).reference
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: session.path)))
    let begin = try #require(
      whole.firstRange(of: Array(Self.thumbnail.picture.utf8))?.lowerBound)
    let length = Self.thumbnail.picture.utf8.count + 1 + Self.thumbnail.bytes.count
    var changed = 0
    // Also the lengths and the number of the row before it.
    for offset in begin - 16..<begin + length {
      var bytes = whole
      bytes[offset] ^= UInt8(1) << UInt8(offset % 8)
      try Data(bytes).write(to: URL(fileURLWithPath: session.path))
      let shown = try? session.store().thumbnail(of: reference, number: 1)
      if shown == .made(Self.thumbnail) { continue }
      changed += 1
      let problems = (try? session.store().health().problems) ?? ["unreadable"]
      #expect(problems.contains { !$0.contains("may read") }, "byte \(offset - begin)")
    }
    #expect(changed > length / 2)
  }

  /// What SQLite was asked to read, by table and column.
  private final class Reads {
    var columns: Set<String> = []
  }

  @Test("only the bytes of an attachment that is asked for are read")
  func readColumns() throws {
    let session = try StoreSession()
    try session.importing(calendar(Self.event(title: "One")))
    try Self.keepAll(try session.store())
    let store = try session.store()
    let reads = Reads()
    sqlite3_set_authorizer(
      store.connection.handle,
      { context, action, table, column, _, _ in
        if action == SQLITE_READ, let table, let column, let context {
          let name = String(cString: table) + "." + String(cString: column)
          Unmanaged<Reads>.fromOpaque(context).takeUnretainedValue().columns.insert(name)
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(reads).toOpaque())
    defer { sqlite3_set_authorizer(store.connection.handle, nil, nil) }
    func touched(_ table: String, _ body: () throws -> Void) rethrows -> [String] {
      reads.columns = []
      try body()
      return reads.columns.filter { $0.hasPrefix(table + ".") }.sorted()
    }
    let year = Instant(secondsSinceEpoch: 1_795_000_000)..<Instant(secondsSinceEpoch: 1_826_000_000)
    // What a listing reads.
    let event = try #require(try store.events(touching: year, viewer: .utc).first)
    for table in ["attachment", "thumbnail", "text", "detail"] {
      let columns = try touched(table) {
        _ = try store.events(touching: year, viewer: .utc)
        _ = try store.calendarColors()
        _ = try store.findings()
      }
      #expect(columns == [], "\(table)")
    }
    // What JSON reads of each entry, and the search.
    let described = try touched("attachment") {
      _ = try store.details(of: event.reference)
      _ = try store.events(withWords: ["one"])
      _ = try store.origin(of: event.reference)
    }
    #expect(!described.isEmpty)
    #expect(!described.contains("attachment.bytes"))
    #expect(
      try !touched("attachment") { _ = try store.thumbnail(of: event.reference, number: 1) }
        .contains("attachment.bytes"))
    // What `agenda attachment` reads.
    #expect(
      try touched("attachment") {
        _ = try store.attachmentBytes(of: event.reference, number: 1)
      }.contains("attachment.bytes"))
  }
}
