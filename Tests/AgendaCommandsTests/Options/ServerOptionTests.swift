import Foundation
import Testing

@testable import AgendaCommands

/// Options about CalDAV servers. `Tests/Oracles/caldav_faults.py` tries them with a server.
@Suite("options about servers")
struct ServerOptionTests: OptionSuite {
  static let covered: [String: Set<String>] = [
    "import": ["only"],
    "resolve": ["mine", "theirs", "editor", "format", "quiet", "locale"],
  ]

  @Test(
    "wrong uses have their message and change nothing",
    arguments: [
      (["resolve", "--mine"], "--mine: expected REF"),
      (["resolve", "lunch"], "expected one of --mine, --theirs and --editor"),
      (["resolve", "lunch", "--mine", "--theirs"], "cannot be used together"),
      (["import", "https://example.com/", "--only", ""], "--only: expected a value"),
      (
        ["import", "https://example.com/", "--trust", "example.com"], "--trust: expected an origin"
      ),
      (
        [
          "import", "https://example.com/", "--token-command", "a", "--password-command", "b",
        ], "cannot be used together"
      ),
    ])
  func wrongUse(arguments: [String], message: String) {
    let run = InMemoryRun(arguments)
    #expect(run.status == .wrongCommandLine)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test("without a store there is nothing to settle")
  func nothing() throws {
    let fixture = try OptionFixture()
    try? FileManager.default.removeItem(atPath: fixture.store)
    #expect(fixture.run(["resolve"], isPinned: false).output.hasPrefix("nothing to settle"))
    #expect(
      fixture.run(["resolve", "-f", "json"], isPinned: false).output.filter { $0 != "\n" }
        == #"{"version":1,"conflicts":[]}"#)
    let unknown = fixture.run(["resolve", "lunch", "--theirs"], isPinned: false)
    #expect(unknown.status == .failed)
    #expect(unknown.errors.contains("lunch: no event of agenda resolve"))
  }
}
