import CSQLite
import Foundation
import TestSupport
import Testing

@testable import AgendaStore

/// A store that another process has locked for writing.
@Suite struct LockedStoreTests {
  private static let program = """
    import sqlite3, sys
    connection = sqlite3.connect(sys.argv[1], isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    print("locked", flush=True)
    sys.stdin.read()
    """

  /// Does something while another process changes the store, whose name and number it gets.
  private func whileLocked(
    _ path: String, _ work: (_ holder: String) throws -> Void
  ) throws {
    let process = Process()
    process.executableURL = try Tool("python3").url
    process.arguments = ["-c", Self.program, path]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    defer {
      input.fileHandleForWriting.closeFile()
      process.waitUntilExit()
    }
    let answer = output.fileHandleForReading.readData(ofLength: 7)
    #expect(String(decoding: answer, as: UTF8.self) == "locked\n")
    let name = try String(
      contentsOfFile: "/proc/\(process.processIdentifier)/comm", encoding: .utf8)
    try work("process \(process.processIdentifier) (\(name.dropLast()))")
  }

  /// A store gets a log with its first component, and writers then lock another file.
  @Test(
    "a writer says which process has locked a store", .requires("python3"),
    arguments: [false, true])
  func holder(hasLog: Bool) throws {
    let session = try StoreSession()
    if hasLog { try session.importing(calendar(event("a", "DTSTART:20261124T100000Z"))) }
    let store = try session.store()
    #expect(StoreHeader.usesWriteAheadLog(store.connection) == hasLog)
    sqlite3_busy_timeout(store.connection.handle, 0)
    try whileLocked(session.path) { holder in
      let error = StoreError.busy(
        path: session.path, seconds: Connection.waitingSeconds, holder: holder)
      #expect(throws: error) { try store.connection.begin() }
      #expect(
        "\(error)" == "\(session.path) was in use for 30 s, by \(holder); nothing was done")
    }
    #expect(LockHolder.description(of: session.path) == nil)
    try store.connection.begin()
    store.connection.rollBack()
  }
}
