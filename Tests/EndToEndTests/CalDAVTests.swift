import TestSupport
import Testing

/// `agenda` with real servers on this machine, Radicale and Xandikos: by itself, and in folders that
/// vdirsyncer synchronises.
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

  @Test(
    "two agendas, another client and a server agree with a model after each random step",
    arguments: ["radicale-tls", "xandikos"])
  func model(server: String) throws {
    let steps = TestSettings.includesLongTests ? 2_000 : 60
    for seed in 1...(TestSettings.includesLongTests ? 3 : 1) {
      let output = try Python.output(
        of: [
          script("caldav_model.py"), AgendaRun.program.path, server, "\(steps)", "\(seed)",
        ])
      #expect(output == "\(steps) steps, the same everywhere\n", "seed \(seed)")
    }
  }

  @Test("nothing is lost with a server that breaks, and each fault has its message")
  func faults() throws {
    let rounds = TestSettings.includesLongTests ? 100 : 1
    let output = try Python.output(
      of: [script("caldav_faults.py"), AgendaRun.program.path, "\(rounds)"])
    #expect(output == "nothing was lost\n")
  }

  @Test("a conflict is settled in each of three ways, and --send sends at once")
  func resolving() throws {
    let output = try Python.output(of: [script("caldav_resolve.py"), AgendaRun.program.path])
    #expect(output == "settled in three ways, and sent at once\n")
  }

  @Test("browse marks what waits and what is in conflict, and settles it")
  func browsing() throws {
    let output = try Python.output(of: [script("caldav_browse.py"), AgendaRun.program.path])
    #expect(output == "marked and settled\n")
  }

  private func script(_ name: String) -> String {
    Repository.oracles.appendingPathComponent(name).path
  }
}
