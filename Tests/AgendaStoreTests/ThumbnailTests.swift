import AgendaCore
import CSQLite
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaStore

@Suite struct ThumbnailTests {
  private static let picture = PictureSample.png(40, 20)
  private static let digest = "0123456789abcdef0123456789abcdef"
  private static let small = PictureSample.png(8, 4)
  private static let thumbnail = StoredThumbnail.made(picture: digest, format: 1, bytes: small)

  private static func event(title: String, stamp: Int = 1) -> String {
    AgendaStoreTests.event(
      "a", "DTSTAMP:2026010\(stamp)T000000Z", "DTSTART:20261124T100000Z", "SUMMARY:\(title)",
      PictureSample.line(picture, mediaType: "image/png").replacingOccurrences(
        of: "\r\n", with: "\n"),
      PictureSample.line(Array("<html>".utf8), mediaType: "image/png"),
      PictureSample.line(picture, mediaType: "text/plain"))
  }

  private static func keepAll(_ store: Store) throws {
    try store.keep(store.pendingPictures().map { ($0, thumbnail) })
  }

  /// How many thumbnails are made, and how many are pending.
  private static func counts(_ session: StoreSession) throws -> [Int] {
    let connection = try session.store().connection
    return try ["state = 1", "state = 0"].map {
      try connection.integer("SELECT count(*) FROM thumbnail WHERE \($0)") ?? -1
    }
  }

  @Test("pictures alone are pending, kept under their component, and go with it")
  func lifeOfThumbnails() throws {
    let session = try StoreSession()
    try session.importing(calendar(Self.event(title: "One")))
    var store = try session.store()
    let pending = try store.pendingPictures()
    #expect(pending.map(\.number) == [1])
    let picture = try #require(pending.first)
    #expect(try store.thumbnail(of: picture) == .pending)
    try Self.keepAll(store)
    #expect(try store.thumbnail(of: picture) == Self.thumbnail)
    let other = StoredPicture(component: picture.component, number: 2)
    #expect(try store.thumbnail(of: other) == .none)
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
    try session.undo()
    #expect(try Self.counts(session) == [1, 0])
    #expect(try store.thumbnail(of: picture) == Self.thumbnail)
    try session.undo()
    #expect(try Self.counts(session) == [0, 0])
    #expect(try store.health().problems.filter { !$0.contains("may read") } == [])
  }

  @Test("a thumbnail of an attachment that was replaced meanwhile is dropped")
  func replacedMeanwhile() throws {
    let session = try StoreSession()
    try session.importing(calendar(Self.event(title: "One")))
    let store = try session.store()
    let pending = try store.pendingPictures()
    try session.undo()
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
    let event = try #require(try session.store().allEvents().first)
    let picture = StoredPicture(component: event.reference.component, number: 1)
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: session.path)))
    let begin = try #require(
      whole.firstRange(of: Array(Self.digest.utf8))?.lowerBound)
    let length = Self.digest.utf8.count + 1 + Self.small.count
    var changed = 0
    // Also the lengths and the number of the row before it.
    for offset in begin - 16..<begin + length {
      var bytes = whole
      bytes[offset] ^= UInt8(1) << UInt8(offset % 8)
      try Data(bytes).write(to: URL(fileURLWithPath: session.path))
      let shown = try? session.store().thumbnail(of: picture)
      if shown == Self.thumbnail { continue }
      changed += 1
      let problems = (try? session.store().health().problems) ?? ["unreadable"]
      #expect(problems.contains { !$0.contains("may read") }, "byte \(offset - begin)")
    }
    #expect(changed > length / 2)
  }
}
