import AgendaKit
import Foundation
import TestSupport
import Testing

/// `agenda` with real servers on this machine, Radicale, Xandikos, DAViCal and Cyrus: by itself, and in
/// folders that vdirsyncer synchronises.
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

  // Checks RFC 4791: 1.2/1, 1.2/2, 4.1/1, 4.1/2, 4.1/3, 4.1/4, 4.1/5, 4.1/6, 4.2/2, 5.3/1
  // Checks RFC 4791: 5.3.1/4, 5.3.2/1, 5.3.2/2, 5.3.2/3, 5.3.2/4, 5.3.2.1/1, 5.3.2.1/2, 5.3.2.1/3
  // Checks RFC 4791: 5.3.2.1/5, 7.9/2, 7.9/3, 7.9/5, 8.6/2, 8.6/4, 8.6/6, 8.6/7, 11/3
  // Checks RFC 6578: 3.2/2, 3.2/4, 3.2/5, 3.2/6, 3.2/17, 3.3/2, 6.2/1, 6.3/1
  @Test("what agenda sends is what the specifications ask of a client")
  func requests() throws {
    let output = try Python.output(of: [script("caldav_requests.py"), AgendaRun.program.path])
    #expect(output == "the requests are as RFC 4791 and RFC 6578 ask\n")
  }

  // Checks limit: XMLReading.deepest, WebTransfer.mostRedirects, Reception.longestValue
  // Checks limit: ServerImporter.mostRounds
  @Test(
    "elements 64 deep, five redirects, tags of 1,024 bytes and five changes during uploads, and no more"
  )
  func limits() throws {
    let output = try Python.output(of: [script("caldav_limits.py"), AgendaRun.program.path])
    #expect(output == "the limits are where they are said to be\n")
  }

  // Checks limit: XMLReading.mostElements, WebTransfer.longestConnect, Transfer.longestConnect
  @Test(
    "five million elements are read, a connection is awaited for 20 seconds, and no more", .long)
  func longLimits() throws {
    let output = try Python.output(
      of: [script("caldav_limits.py"), AgendaRun.program.path, "--long"])
    #expect(output == "the limits are where they are said to be\n")
  }

  // Checks RFC 4791: 3.1/1
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

  @Test(
    "with servers of Debian, random steps and python-caldav have the same results", .long,
    .enabled("DAViCal and Cyrus are not installed") {
      ["/usr/share/davical/dba/create-database.sh", "/usr/lib/cyrus/bin/httpd"].allSatisfy {
        FileManager.default.fileExists(atPath: $0)
      }
    }, arguments: ["davical", "cyrus"])
  func serversOfDebian(server: String) throws {
    let program = AgendaRun.program.path
    let client = try Python.output(of: [script("caldav_client.py"), program, server])
    #expect(client == "python-caldav and agenda have the same\n")
    let model = try Python.output(of: [script("caldav_model.py"), program, server, "300", "1"])
    #expect(model == "300 steps, the same everywhere\n")
  }

  @Test(
    "with sabre/dav, which gives no tokens, random steps have the same results",
    .enabled("sabre/dav is not installed") {
      ["/usr/share/php/Sabre/autoload.php", "/usr/bin/php"].allSatisfy {
        FileManager.default.fileExists(atPath: $0)
      }
    })
  func sabre() throws {
    let steps = TestSettings.includesLongTests ? 2_000 : 60
    let output = try Python.output(
      of: [script("caldav_model.py"), AgendaRun.program.path, "sabre", "\(steps)", "1"])
    #expect(output == "\(steps) steps, the same everywhere\n")
  }

  @Test("python-caldav reads what agenda has sent, and agenda receives what it writes")
  func otherClient() throws {
    for server in TestSettings.includesLongTests ? ["radicale-tls", "xandikos"] : ["radicale-tls"] {
      let output = try Python.output(
        of: [script("caldav_client.py"), AgendaRun.program.path, server])
      #expect(output == "python-caldav and agenda have the same\n")
    }
  }

  @Test(
    "the keyring of the desktop has the password",
    .requires("dbus-run-session", "gnome-keyring-daemon", "secret-tool"))
  func keyring() throws {
    let output = try Python.output(of: [script("caldav_keyring.py"), AgendaRun.program.path])
    #expect(output == "the keyring has the password\n")
  }

  @Test("nothing is lost with a server that breaks, and each fault has its message")
  func faults() throws {
    let rounds = TestSettings.includesLongTests ? 100 : 1
    let output = try Python.output(
      of: [script("caldav_faults.py"), AgendaRun.program.path, "\(rounds)"])
    #expect(output == "nothing was lost\n")
  }

  // Checks RFC 4791: 5.3.4/5
  @Test(
    "no event is lost between two programs, accounts, calendars or halves of a series",
    arguments: [
      "versions", "paths", "pages", "undelivered", "members", "origins", "shrinking", "accounts",
      "moves", "unique", "other_accounts", "following",
    ])
  func losses(test: String) throws {
    let output = try Python.output(
      of: [script("caldav_losses.py"), AgendaRun.program.path, test])
    #expect(output == "nothing was lost\n")
  }

  @Test("a connection that breaks at any byte loses nothing")
  func cuts() throws {
    let step = TestSettings.includesLongTests ? 1 : 97
    let output = try Python.output(
      of: [script("caldav_cuts.py"), AgendaRun.program.path, "\(step)"])
    #expect(output.hasPrefix("nothing was lost at "))
  }

  @Test("a conflict is settled in each of three ways, and --send sends at once")
  func resolving() throws {
    let output = try Python.output(of: [script("caldav_resolve.py"), AgendaRun.program.path])
    #expect(output == "settled in three ways, and sent at once\n")
  }

  @Test("a refresh that merged and sent, and a settled conflict, are undone and redone")
  func undoing() throws {
    let output = try Python.output(of: [script("caldav_undo.py"), AgendaRun.program.path])
    #expect(output == "undone, redone, and in agreement\n")
  }

  @Test("browse marks what waits and what is in conflict, and settles it")
  func browsing() throws {
    let output = try Python.output(of: [script("caldav_browse.py"), AgendaRun.program.path])
    #expect(output == "marked and settled\n")
  }

  @Test("a program lists a conflict with both versions, and settles it")
  func conflictsOfPrograms() throws {
    let folder = try ScratchFolder()
    _ = try Python.output(
      of: [script("caldav_conflict.py"), AgendaRun.program.path, folder.url.path])
    let now = try #require(Instant(rfc3339: "2026-11-21T09:00:00Z"))
    let path = folder.url.appendingPathComponent("store.sqlite").path
    let store = CalendarStore(.init(at: path, zone: { .utc }, clock: { now }))
    let day = DateWindow.window(
      .days(1), from: try #require(CivilDate(rfc3339: "2026-12-07")), in: .utc)
    func titles() throws -> [String] {
      try store.read { try $0.agenda(in: day).entries.map(\.title) }
    }
    func work() throws -> [Int] {
      try store.calendars().filter { $0.name == "Work" }.flatMap { [$0.conflicts, $0.waiting] }
    }

    let conflict = try #require(try store.conflicts().first)
    #expect(conflict.calendar == "Work" && conflict.title == "Their party")
    #expect(conflict.mine.map(\.title) == ["My party"])
    #expect(conflict.theirs.map(\.title) == ["Their party"])
    for event in conflict.mine + conflict.theirs {
      #expect(try store.read { $0.details(of: event).description } == "Bring a cake")
    }
    #expect(
      conflict.properties.filter { $0.name == "SUMMARY" }.map { [$0.mine, $0.theirs] }
        == [["My party", "Their party"]])
    #expect(!conflict.properties.contains { ["LOCATION", "DESCRIPTION"].contains($0.name) })
    #expect(try store.conflicts() == [conflict])
    #expect(try work() == [1, 0] && titles() == ["Their party"])

    let tried = try store.write(isDryRun: true) { try $0.resolve(conflict, .mine) }
    #expect(tried.serverCalendars == ["Work"])
    #expect(try work() == [1, 0] && store.conflicts() == [conflict])

    #expect(try store.write { try $0.resolve(conflict, .mine) }.serverCalendars == ["Work"])
    #expect(try work() == [0, 1] && titles() == ["My party"])
    #expect(throws: CalendarError.self) { try store.write { try $0.resolve(conflict, .mine) } }
    let sent = try store.write { try $0.exchange(calendars: ["Work"]) }
    #expect(sent.count == 1 && sent.allSatisfy { $0.error != nil }, "the server is gone")
    #expect(try work() == [0, 1])
    try store.write { try $0.undo() }
    #expect(try work() == [1, 0] && store.conflicts().count == 1)

    let text = try store.write { try $0.editableText(of: conflict) }
    #expect(text.contains("SUMMARY:My party\n") && text.contains("SUMMARY:Their party"))
    let both = text.replacing("SUMMARY:My party", with: "SUMMARY:Our party")
    try store.write { try $0.resolve(conflict, .text(both)) }
    #expect(try work() == [0, 1] && titles() == ["Our party"])
    try store.write { try $0.undo() }

    try store.write { try $0.resolve(conflict, .theirs) }
    #expect(try work() == [0, 0] && titles() == ["Their party"])
  }

  private func script(_ name: String) -> String {
    Repository.oracles.appendingPathComponent(name).path
  }
}
