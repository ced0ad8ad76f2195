import AgendaSources
import CivilTime
import Foundation
import Synchronization
import TestSupport
import Testing

/// What wakes a program that follows calendars.
@Suite("watching sources", .timeLimit(.minutes(5)))
struct SourceWatchTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private struct Reports {
    let watch: SourceWatch
    var stream: AsyncStream<Date>.Iterator

    init(
      _ places: SourceWatch.Places, zoneFile: String = "/etc/localtime",
      wakeAt: @escaping @Sendable () -> Instant? = { nil }
    ) {
      let (stream, continuation) = AsyncStream.makeStream(of: Date.self)
      watch = SourceWatch(places, zoneFile: zoneFile, wakeAt: wakeAt) { isOver in
        if isOver { continuation.finish() } else { continuation.yield(Date()) }
      }
      self.stream = stream.makeAsyncIterator()
    }
  }

  @Test("a moment that has come, such as midnight, is reported once")
  func midnight() async throws {
    // The clock of the test: midnight is in two seconds, and the next one far away.
    let start = Int(Date().timeIntervalSince1970)
    let asked = Mutex(0)
    var reports = Reports(.nothing) {
      let isFirst = asked.withLock { count in
        count += 1
        return count == 1
      }
      return Instant(secondsSinceEpoch: isFirst ? start + 2 : start + 1_000_000)
    }
    let report = try #require(await reports.stream.next())
    #expect(report.timeIntervalSince1970 >= Double(start + 2))
    reports.watch.stop()
    #expect(await reports.stream.next() == nil)
    #expect(asked.withLock { $0 } == 2)
  }

  @Test("another zone of the system is reported")
  func zone() async throws {
    let zones = folder.url.appendingPathComponent("etc")
    try FileManager.default.createDirectory(at: zones, withIntermediateDirectories: true)
    let link = zones.appendingPathComponent("localtime").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/a")
    var reports = Reports(.nothing, zoneFile: link)
    // As timedatectl does it: a new link takes the place of the old one.
    let new = zones.appendingPathComponent("new").path
    try FileManager.default.createSymbolicLink(atPath: new, withDestinationPath: "/b")
    #expect(rename(new, link) == 0)
    #expect(await reports.stream.next() != nil)
    reports.watch.stop()
    #expect(await reports.stream.next() == nil)
  }

  @Test("a file that is written in place is reported when its writer has closed it")
  func unfinishedFile() async throws {
    let path = try folder.write("calendars/a.ics", "old")
    let calendars = folder.url.appendingPathComponent("calendars").path
    var reports = Reports(.files([calendars]))
    let file = try #require(FileHandle(forWritingAtPath: path))
    let begun = Date()
    try file.write(contentsOf: Data("first ".utf8))
    // Longer than the pause between two writes that ends a wait for closed files.
    try await Task.sleep(for: .milliseconds(300))
    try file.write(contentsOf: Data("second".utf8))
    let closed = Date()
    try file.close()
    let report = try #require(await reports.stream.next())
    // A writer that pauses for two seconds, as this one can on a busy machine, is not waited for.
    #expect(report >= closed || report.timeIntervalSince(begun) >= 2)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "first second")
    reports.watch.stop()
  }

  @Test("only the database and its log wake who follows a store")
  func databaseOnly() async throws {
    let path = try folder.write("data/agenda.sqlite", "database")
    try folder.write("data/agenda.sqlite-wal", "log")
    var reports = Reports(.store(path))
    for number in 0..<50 { try folder.write("data/other \(number)", "content") }
    let log = try #require(FileHandle(forWritingAtPath: path + "-wal"))
    let before = Date()
    try log.write(contentsOf: Data("commit".utf8))
    #expect(try #require(await reports.stream.next()) >= before)
    // A database that takes the place of the old one, and one that comes again.
    try folder.replace("data/agenda.sqlite", "another database")
    #expect(await reports.stream.next() != nil)
    try FileManager.default.removeItem(atPath: path)
    #expect(await reports.stream.next() != nil)
    reports.watch.stop()
  }
}
