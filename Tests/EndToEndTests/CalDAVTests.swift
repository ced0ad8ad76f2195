import TestSupport
import Testing

/// `agenda` in folders that vdirsyncer synchronises with a real server, Radicale, on this machine.
@Suite("calendars on a CalDAV server", .requiresPythonPackages)
struct CalDAVTests {
  @Test("the commands of the document work as they are written")
  func document() throws {
    let document = Repository.root.appendingPathComponent("Docs/CalDAV.md").path
    let output = try Python.output(
      of: [script("caldav_document.py"), AgendaRun.program.path, document])
    #expect(output == "the commands work as written\n")
  }

  @Test("after random edits in three places, all have the same events")
  func roundTrip() throws {
    // Each round has three edits and two synchronisations.
    let rounds = TestSettings.includesLongTests ? 67 : 2
    let output = try Python.output(
      of: [script("caldav_round_trip.py"), AgendaRun.program.path, "\(rounds)", "1"])
    #expect(output == "\(rounds) rounds, 3 edits each: the same in three places\n")
  }

  private func script(_ name: String) -> String {
    Repository.oracles.appendingPathComponent(name).path
  }
}
