import Foundation
import Platform
import TestSupport
import Testing

@Suite("waiting for files") struct FileWatchTests {
  /// How long a watch waits for a file that is written to, in milliseconds. Its writer closes it after a
  /// while, or keeps it open.
  private func wait(longestPause: Int32, closesAfter milliseconds: Int?) throws -> Int {
    let folder = try ScratchFolder()
    let path = try folder.write("a.ics", "")
    let watch = try FileWatch(files: [path], longestPause: longestPause)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.write(contentsOf: Data("x".utf8))
    let start = ContinuousClock.now
    if let milliseconds {
      Thread.detachNewThread {
        usleep(UInt32(milliseconds) * 1000)
        try? file.close()
      }
    }
    let event = try watch.wait(pause: 20)
    let passed = ContinuousClock.now - start
    if milliseconds == nil { try file.close() }
    #expect(event == .files)
    return Int(passed / .milliseconds(1))
  }

  #if os(Linux)
    // Checks limit: FileWatch.longestPause
    @Test("a file that stays open is awaited for the longest pause, and not longer if it is closed")
    func longestPause() throws {
      #expect(FileWatch.longestPause == 2000)
      #expect(try wait(longestPause: 400, closesAfter: nil) >= 400)
      #expect(try wait(longestPause: 60_000, closesAfter: 100) < 30_000)
    }
  #endif
}
