import Foundation
import TestSupport
import Testing

/// The program on a system that has no libical. An empty file of its name stands in its way.
@Suite("without libical")
final class LibicalTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "libical-\(UUID())")
  private let environment: [String: String]

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: folder.appending(path: "libical.so.3"))
    environment = ["LD_LIBRARY_PATH": folder.path]
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  @Test(
    "every command says what it says with it",
    arguments: [
      "numbers_out_of_range", "malformed_and_negative_durations", "rfc7986_conference_image_color",
      "attachments_inline_and_by_reference", "apple_structured_location",
    ])
  func same(name: String) throws {
    let file = AgendaRun.fixtures.appending(path: "quirks/\(name).ics").path
    for arguments in [
      ["check", file], ["show", "-f", "json", file] + AgendaRun.pinned,
      ["event", "1.1", file] + AgendaRun.pinned, ["explain", "1.1", file] + AgendaRun.pinned,
    ] {
      let with = try AgendaRun(arguments)
      let without = try AgendaRun(arguments, environment: environment)
      #expect(!with.output.isEmpty)
      without.expect(with.status, output: with.output, errors: with.errors)
    }
  }

  #if os(Linux)
    @Test("doctor says that it is missing, and finds nothing wrong with that")
    func doctor() throws {
      let store = ["--store", folder.appending(path: "none.sqlite").path]
      let run = try AgendaRun(["doctor"] + store, environment: environment)
      #expect(run.status == 0)
      #expect(run.output.contains("not installed; nothing is lost without it"))
      #expect(run.output.hasSuffix("all is well\n"))
    }
  #endif
}
