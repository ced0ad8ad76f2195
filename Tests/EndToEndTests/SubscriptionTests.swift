import Foundation
import TestSupport
import Testing

/// `agenda import` and `agenda refresh` of addresses, against a loopback server.
@Suite("subscriptions", .serialized, .requires("python3", "openssl"))
struct SubscriptionTests {
  private let folder: ScratchFolder
  private let server: CalendarServer

  init() throws {
    folder = try ScratchFolder()
    server = try CalendarServer()
  }

  private var store: [String: String] {
    ["AGENDA_STORE": folder.url.appendingPathComponent("s.sqlite").path]
  }

  /// Runs `agenda` at a time on 21 November 2026.
  private func agenda(_ time: String, _ arguments: [String]) throws -> AgendaRun {
    try AgendaRun(
      process: arguments + ["--now", "2026-11-21T\(time):00+01:00"], environment: store,
      in: folder.url)
  }

  private func agenda(_ time: String, _ arguments: String...) throws -> AgendaRun {
    try agenda(time, arguments)
  }

  @Test("an unchanged calendar is not sent again, from the first refresh on")
  func conditional() throws {
    #expect(
      try agenda("09:00", "import", server.url("ok.ics"), server.url("dated.ics")).status == 0)
    _ = server.newRequests()
    let run = try agenda("10:00", "refresh")
    #expect(run.status == 0)
    #expect(run.output.components(separatedBy: ": 1 unchanged\n").count == 3)
    #expect(
      Set(server.newRequests()) == [
        "GET /dated.ics If-Modified-Since=Sat, 21 Nov 2026 08:00:00 GMT 304",
        #"GET /ok.ics If-None-Match="v1" 304"#,
      ])
    // An explicit import is conditional too, but not if it reads the calendar in another way.
    _ = try agenda("10:01", "import", server.url("ok.ics"))
    _ = try agenda("10:02", "import", server.url("ok.ics"), "--calendar", "other")
    #expect(
      server.newRequests() == [#"GET /ok.ics If-None-Match="v1" 304"#, "GET /ok.ics 200"])
  }

  @Test("after undo the content is fetched again")
  func undo() throws {
    _ = try agenda("09:00", "import", server.url("many/0"))
    try server.setState("new")
    #expect(try agenda("10:00", "refresh").output.contains("1 updated"))
    #expect(try AgendaRun(process: ["undo"], environment: store, in: folder.url).status == 0)
    _ = server.newRequests()
    #expect(try agenda("11:00", "refresh").output.contains("1 updated"))
    #expect(server.newRequests() == ["GET /many/0 200"])
  }

  @Test("max-age and the calendar's own interval are respected, except by force and import")
  func freshness() throws {
    _ = try agenda("09:00", "import", server.url("fresh"), server.url("hourly"))
    _ = server.newRequests()
    let early = try agenda("09:05", "refresh")
    #expect(early.status == 0)
    #expect(early.output.components(separatedBy: ": still current; ").count == 3, "\(early.output)")
    #expect(server.newRequests().isEmpty)
    _ = try agenda("09:10", "refresh")
    #expect(server.newRequests() == ["GET /fresh 200"])
    _ = try agenda("10:00", "refresh")
    #expect(Set(server.newRequests()) == ["GET /fresh 200", "GET /hourly 200"])
    _ = try agenda("10:01", "refresh", "--force")
    #expect(server.newRequests().count == 2)
    _ = try agenda("10:02", "import", server.url("fresh"))
    #expect(server.newRequests() == ["GET /fresh 200"])
  }

  @Test("stamps and order that differ with every fetch do not count as a change")
  func noFalseChanges() throws {
    _ = try agenda("09:00", "import", server.url("restless"))
    for hour in ["10", "11", "12"] {
      #expect(try agenda("\(hour):00", "refresh").output.hasSuffix(": 12 unchanged\n"))
    }
    #expect(server.newRequests().count == 4)
  }

  @Test("a failure names the calendar, keeps its events, and does not stop the next refresh")
  func failure() throws {
    let url = server.url("flip?key=secret")
    try server.setState("good")
    #expect(try agenda("09:00", "import", url, "--calendar", "work").status == 0)
    try server.setState("bad")
    _ = server.newRequests()
    let failed = try agenda("10:00", "refresh")
    #expect(failed.status == 1)
    #expect(failed.errors.hasPrefix("agenda: work: not found (404) at \(server.origin)/…#"))
    #expect(failed.errors.hasSuffix("; keeping 1 event as of today\n"), "\(failed.errors)")
    #expect(!failed.errors.contains("secret"))
    for minute in 1...8 { #expect(try agenda("10:0\(minute)", "refresh").status == 1) }
    #expect(server.newRequests().count == 9)
    let calendars = try agenda("10:17", "calendars")
    for fact in ["last success", "last attempt", "9 failures", "not found (404)"] {
      #expect(calendars.output.contains(fact), "\(fact): \(calendars.output)")
    }
    #expect(!calendars.output.contains("next attempt"))
    // The tenth failure of the host begins a pause. A named calendar is asked all the same.
    #expect(try agenda("10:09", "refresh").status == 1)
    let waiting = try agenda("10:10", "refresh")
    #expect(waiting.status == 0 && waiting.errors == "")
    #expect(waiting.output.contains(": not fetched before 2026-11-21T10:1"), "\(waiting.output)")
    #expect(
      waiting.output.hasSuffix(
        ": waiting after a failure; agenda refresh --force fetches it now\n"))
    let json = try agenda("10:10", "refresh", "-f", "json").output
    #expect(json.contains("\"advice\":\"agenda refresh --force fetches it now\""), "\(json)")
    #expect(json.contains("\"pausedUntil\":\"2026-11-21T10:1"))
    #expect(json.contains("\"pauseReason\":\"waiting after a failure\""))
    #expect(server.newRequests().count == 1)
    #expect(try agenda("10:10", "refresh", "work").status == 1)
    #expect(try agenda("10:10", "refresh", "--allow-shrink").status == 1)
    #expect(try agenda("10:10", "refresh", "--force").status == 1)
    #expect(server.newRequests().count == 3)
    try server.setState("good")
    #expect(try agenda("12:00", "refresh").status == 0)
    #expect(!(try agenda("12:01", "calendars").output.contains("not found")))
    // `calendars` shows no secret, but what it shows is enough to remove the address.
    let shown = try #require(
      calendars.output.firstMatch(of: #/https?:\S*(?<end>#[0-9a-f]{4})/#)?.output)
    try agenda("12:02", "remove", "--source", String(shown.0)).expect(0)
    #expect(try AgendaRun(process: ["undo"], environment: store, in: folder.url).status == 0)
    let removed = try agenda("12:03", "remove", "--source", String(shown.end))
    #expect(removed.output.contains(": 1 entry; "), "\(removed)")
  }

  @Test("Retry-After is respected; 410 is asked once a day, and is an error each time")
  func serverWishes() throws {
    try server.setState("good")
    _ = try agenda("09:00", "import", server.url("flip"), "--calendar", "work")
    try server.setState("busy")
    #expect(try agenda("10:00", "refresh").errors.contains("too many requests (429)"))
    _ = server.newRequests()
    let waiting = try agenda("10:59", "refresh")
    #expect(waiting.status == 0)
    #expect(waiting.output.contains("the server asked to wait"))
    #expect(server.newRequests().isEmpty)
    #expect(try agenda("10:59", "refresh", "--force").status == 1)
    #expect(server.newRequests().count == 1)
    try server.setState("gone")
    #expect(try agenda("12:01", "refresh").errors.contains("gone for good (410)"))
    _ = server.newRequests()
    let gone = try agenda("23:00", "refresh")
    #expect(gone.status == 1 && gone.output == "")
    #expect(gone.errors.contains("work: gone for good (410) at \(server.origin)"))
    #expect(gone.errors.contains("; asked again after 2026-11-22T12:01:00"), "\(gone.errors)")
    #expect(gone.errors.contains("--force fetches it now; keeping 1 event"))
    #expect(server.newRequests().isEmpty)
    try server.setState("good")
    #expect(try agenda("23:30", "refresh", "--force").status == 0)
  }

  @Test("a permanent redirect is remembered until the new address fails")
  func permanentRedirect() throws {
    _ = try agenda("09:00", "import", server.url("moved"))
    _ = server.newRequests()
    _ = try agenda("10:00", "refresh")
    #expect(server.newRequests() == [#"GET /ok.ics If-None-Match="v1" 304"#])
  }

  @Test("with --stale a failing address is reported once a day, and today warns")
  func stale() throws {
    try server.setState("good")
    _ = try agenda("00:00", "import", server.url("flip"), "--calendar", "work")
    try server.setState("bad")
    var reports = 0
    for hour in 1..<24 {
      let run = try agenda(
        hour < 10 ? "0\(hour):30" : "\(hour):30", "refresh", "--quiet", "--stale", "6h")
      #expect(run.output == "")
      if !run.errors.isEmpty { reports += 1 }
    }
    #expect(reports == 1)
    let today = try agenda("23:50", "today", "--stale", "6h")
    #expect(today.errors == "agenda: warning: work was not refreshed for 6h\n")
    #expect(try agenda("05:00", "today", "--stale", "6h").errors == "")
  }

  @Test("addresses from a file; settings are remembered; other schemes are refused by name")
  func settings() throws {
    let secure = try CalendarServer(certified: true)
    try folder.write("addresses", "# mine\n\n  \(secure.url("ok.ics"))  \n")
    let import1 = try agenda("09:00", "import", "--url-from", "addresses")
    #expect(import1.status == 1)
    #expect(import1.errors.contains("the certificate is not trusted"), "\(import1.errors)")
    let import2 = try agenda(
      "09:01", "import", "--url-from", "addresses", "--cacert", secure.certificatePath,
      "--timeout", "30")
    #expect(import2.status == 0, "\(import2.errors)")
    #expect(try agenda("10:00", "refresh").status == 0)
    // The options of refresh replace what is remembered, and are remembered too.
    let small = try agenda(
      "10:01", "refresh", "--force", "--max-size", "10", "--cacert", "/dev/null")
    #expect(small.status == 1)
    let again = try agenda("11:00", "refresh")
    #expect(again.status == 1)
    #expect(again.errors.contains("certificate"), "\(again.errors)")
    for scheme in ["ftp", "file"] {
      try agenda("10:00", "import", "\(scheme)://example.com/a.ics").expect(
        2, output: "",
        errors: "agenda: \(scheme): addresses are not supported; use https, http or webcal\n")
    }
  }

  @Test("a password comes from a command, also for refresh, and is in no list of processes")
  func password() throws {
    let secret = "hunter2hunter2"
    let command = "printf 'hunter2'; printf 'hunter2\\nlogin: ana\\n'"
    let run = try AgendaRun(
      shell: """
        agenda import --password-command "$COMMAND" --url-from addresses >out 2>err & job=$!
        while kill -0 $job 2>/dev/null; do
          cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null >>seen
        done
        wait $job; echo $?
        """,
      environment: store.merging([
        "COMMAND": command,
        "PATH": "\(AgendaRun.program.deletingLastPathComponent().path):/usr/bin:/bin",
      ]) { $1 }, in: preparedFolder(server.url("slow-login?key=verysecretkey")))
    #expect(run.output == "0\n", "\(run.errors)")
    let seen = try Data(contentsOf: folder.url.appendingPathComponent("seen"))
    #expect(!seen.isEmpty)
    for word in [secret, "verysecretkey"] {
      #expect(seen.range(of: Data(word.utf8)) == nil, "\(word)")
    }
    _ = server.newRequests()
    let refreshed = try agenda("10:00", "refresh")
    #expect(refreshed.status == 0, "\(refreshed.errors)")
    #expect(server.newRequests().last?.contains("Authorization") == true)
    let failing = try agenda(
      "11:00", "import", server.url("login"), "--password-command", "exit 3")
    #expect(failing.errors.contains("the password command failed with status 3"))
  }

  @Test("a password command that does not end is ended after the timeout")
  func endlessPasswordCommand() throws {
    let run = try agenda(
      "09:00", "import", server.url("login"), "--password-command", "exec sleep 600", "--timeout",
      "1")
    #expect(run.status == 1)
    #expect(
      run.errors.contains("the password command did not end within 1 s"), "\(run.errors)")
  }

  @Test("refresh names what a calendar lacks each time, and the rest and for cron once")
  func oldProblems() throws {
    try server.setState("1")
    let first = try agenda("09:00", "import", server.url("flawed"), server.url("flawed-plain"))
    #expect(first.status == 1)
    #expect(first.errors.contains("bad1") && first.errors.contains("Nowhere"), "\(first.errors)")
    for _ in 1...2 {
      let again = try agenda("10:00", "refresh")
      #expect(again.status == 1)
      #expect(again.errors.contains("bad1") && !again.errors.contains("Nowhere"), "\(again.errors)")
      try agenda("10:30", "refresh", "--quiet").expect(1)
      #expect(again.output.components(separatedBy: "1 rejected").count == 3, "\(again.output)")
    }
    let imported = try agenda("11:00", "import", server.url("flawed"))
    #expect(server.newRequests().last?.hasSuffix(" 304") == true)
    #expect(imported.status == 1)
    #expect(imported.errors.contains("bad1") && imported.errors.contains("Nowhere"))
    try server.setState("2")
    let changed = try agenda("12:00", "refresh", "--quiet")
    #expect(changed.status == 1)
    #expect(changed.errors.contains("bad2") && !changed.errors.contains("Nowhere"))
  }

  @Test("on a terminal, import shows how many addresses have answered and which has not")
  func progress() throws {
    let screen = try TerminalRun(
      "agenda import '\(server.url("ok.ics"))' '\(server.url("late?key=secret"))'",
      environment: store.merging([
        "PATH": "\(AgendaRun.program.deletingLastPathComponent().path):/usr/bin:/bin"
      ]) { $1 }, in: folder
    ).screen
    #expect(screen.contains("1 of 2 fetched, waiting for \(server.origin)/…#"), "\(screen)")
    #expect(!screen.contains("secret"))
  }

  private func preparedFolder(_ address: String) throws -> URL {
    try folder.write("addresses", address + "\n")
    return folder.url
  }

  /// Ways in which an address can be bad.
  private static let bad = [
    "none", "gone", "login", "broken", "loop", "to-file", "short", "reset", "cut", "html", "json",
    "empty", "nothing", "big", "endless", "bomb", "to-escape", "busy", "slow", "drip",
  ]

  @Test(
    "many calendars, 20 of which turn bad: nothing is lost, and a failure does not stop the next refresh"
  )
  func many() throws {
    let count = TestSettings.includesLongTests ? 200 : 40
    let refreshes = TestSettings.includesLongTests ? 50 : 4
    let good = (0..<count - Self.bad.count).map { server.url("many/\($0)") }
    let bad = Self.bad.map { server.url("turns/\($0)") }
    try server.setState("v0")
    try agenda("00:00", ["import", "--quiet"] + good + bad).expect(0, output: "")
    try server.setBad(true)
    // Only the bad ones get little time: the good ones get what a busy machine needs.
    let limits = ["--timeout", "1", "--max-size", "100K", "--quiet"]
    let turned = try agenda("00:01", ["import"] + bad + limits)
    #expect(turned.status == 1)
    #expect(turned.errors.split(separator: "\n").count == Self.bad.count, "\(turned.errors)")
    _ = server.newRequests()
    var attempts: [String: Int] = [:]
    for refresh in 1...refreshes {
      try server.setState("v\(refresh)")
      let minute = refresh * 25
      let time = String(format: "%02d:%02d", minute / 60, minute % 60)
      let run = try agenda(time, "refresh", "--quiet")
      let requests = server.newRequests()
      let answers = requests.filter { $0.contains("GET /many/") }
      #expect(answers.count == good.count)
      #expect(answers.count { $0.hasSuffix(" 200") } == (good.count + 9) / 10)
      let asked = Set(
        requests.compactMap {
          $0.firstMatch(of: /GET \/turns\/([^ ]*)/).map { String($0.output.1) }
        })
      let messages = run.errors.split(separator: "\n")
      // The one that is gone is reported each time.
      #expect(messages.count == asked.count + 1, "\(run.errors)")
      for way in asked {
        attempts[way, default: 0] += 1
        #expect(
          messages.contains {
            $0.hasPrefix("agenda: \(way): ") && $0.hasSuffix("; keeping 1 event as of today")
          }, "\(way): \(run.errors)")
      }
      #expect(run.status == 1)
    }
    // Each refresh asks again: Retry-After of the busy one is two minutes. One is gone.
    for way in Self.bad {
      #expect(attempts[way] == (way == "gone" ? nil : refreshes), "\(way)")
    }
    try server.setBad(false)
    // Force ends the pause of the one that is gone.
    try AgendaRun(
      process: ["refresh", "--quiet", "--force", "--now", "2026-11-23T12:00:00+01:00"],
      environment: store
    ).expect(0, output: "")
    let fresh = ["AGENDA_STORE": folder.url.appendingPathComponent("fresh.sqlite").path]
    let pinned = AgendaRun.pinned
    _ = try AgendaRun(
      process: ["import", "--quiet"] + good + bad + pinned.prefix(2), environment: fresh)
    let shown = try AgendaRun(process: ["show", "-f", "json"] + pinned, environment: store).output
    #expect(
      shown == (try AgendaRun(process: ["show", "-f", "json"] + pinned, environment: fresh).output))
    #expect(shown.components(separatedBy: "\"title\":").count > count)
    #expect(try AgendaRun(process: ["doctor"], environment: store).status == 0)
  }

  @Test("killed at any moment, a refresh leaves the store whole and the next one completes it")
  func killed() throws {
    let good = (0..<20).map { server.url("many/\($0)") }
    _ = try agenda("00:00", ["import", "--quiet"] + good)
    for round in 1...3 * TestSettings.rounds {
      try server.setState("k\(round)")
      let delay = Double((round * 7) % 20) / 50
      _ = try AgendaRun(
        shell: "agenda refresh --force >/dev/null 2>&1 & sleep \(delay); kill -9 $!; wait",
        environment: store.merging([
          "PATH": "\(AgendaRun.program.deletingLastPathComponent().path):/usr/bin:/bin"
        ]) { $1 }, in: folder.url)
    }
    let last = try agenda("12:00", "refresh", "--force", "--quiet")
    last.expect(0, output: "")
    #expect(try AgendaRun(process: ["doctor"], environment: store).status == 0)
    let titles = try agenda("12:01", "show", "-f", "tsv").rows.compactMap { $0["title"] }
    #expect(titles.count { $0.hasSuffix("k\(3 * TestSettings.rounds)") } == 2)
    #expect(titles.count == 20)
  }
}
