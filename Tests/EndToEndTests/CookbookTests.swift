import Foundation
import TestSupport
import Testing

/// Every recipe of the cookbook, word for word, in a temporary home.
@Suite("cookbook", .requires("git", "jq", "python3"))
struct CookbookTests {
  /// In addition to the household: a flight, two overlapping meetings, an alarm.
  private static let work = """
    BEGIN:VCALENDAR
    VERSION:2.0
    BEGIN:VEVENT
    UID:flight
    DTSTART;TZID=Europe/Berlin:20261210T071500
    DTEND;TZID=Europe/Berlin:20261210T090000
    SUMMARY:Flight LH 174
    LOCATION:Gate 12
    END:VEVENT
    BEGIN:VEVENT
    UID:planning
    DTSTART;TZID=Europe/Berlin:20261123T093000
    DTEND;TZID=Europe/Berlin:20261123T113000
    SUMMARY:Planning
    END:VEVENT
    BEGIN:VEVENT
    UID:lunch
    DTSTART;TZID=Europe/Berlin:20261121T123000
    DTEND;TZID=Europe/Berlin:20261121T133000
    SUMMARY:Lunch
    END:VEVENT
    END:VCALENDAR

    """.replacingOccurrences(of: "\n", with: "\r\n")

  private static let morning = "2026-11-21T08:00:00+01:00"

  /// What each recipe must do, by its heading.
  private static let recipes: [String: @Sendable (CookbookTests) throws -> Void] = [
    "Calendars from the network": { try $0.network() },
    "Calendars of your own": { try $0.ownCalendars() },
    "A mail every morning": { try $0.morningMail() },
    "What changed since yesterday": { try $0.changes() },
    "A web page of the next three months": { try $0.page() },
    "A page for Obsidian, committed every day": { try $0.obsidian() },
    "The next appointment in the prompt": { try $0.prompt() },
    "A status bar: waybar": { try $0.statusBar() },
    "conky": { try $0.conky() },
    "Busy hours per week": { try $0.busyHours() },
    "The next flight": { try $0.flight() },
    "Calls with people in another zone": { try $0.calls() },
    "Alarms on the desktop": { try $0.alarms() },
    "A timer of systemd": { try $0.timer() },
    "Free time into a mail": { try $0.freeTime() },
    "What is double-booked": { try $0.conflicts() },
    "Calendars that need a look": { try $0.check() },
    "A year for a spreadsheet": { try $0.spreadsheet() },
    "Back up and move to a new computer": { try $0.export() },
  ]

  private let document: CommandDocument
  private let home: CommandHome

  /// A week ago two calendars were imported.
  init() throws {
    document = try CommandDocument("Docs/Cookbook.md")
    home = try CommandHome()
    try home.setNow("2026-11-14T08:00:00+01:00")
    try home.folder.write("calendars/work.ics", Self.work)
    let household = AgendaRun.fixtures.appendingPathComponent("calendars/household.ics")
    try FileManager.default.copyItem(
      at: household, to: home.folder.url.appendingPathComponent("calendars/household.ics"))
    let imported = try home.run("agenda import calendars/household.ics calendars/work.ics")
    #expect(imported.status == 0)
    try home.setNow(Self.morning)
  }

  @Test("every recipe does what it says", arguments: recipes.keys.sorted())
  func recipe(heading: String) throws {
    #expect(document.headings.sorted() == Self.recipes.keys.sorted())
    let run = try #require(Self.recipes[heading])
    try run(self)
  }

  @Test("systemd understands when the timer runs", .requires("systemd-analyze"))
  func timerCalendar() throws {
    let timer = try #require(
      blocks("A timer of systemd", "ini").first { $0.contains("OnCalendar") })
    let times = try #require(timer.firstMatch(of: #/OnCalendar=(.*)/#)?.output.1)
    #expect(try home.run("systemd-analyze calendar '\(times)'").status == 0)
  }

  private func blocks(_ heading: String, _ language: String = "sh") -> [String] {
    document.blocks.filter { $0.heading == heading && $0.language == language }.map(\.text)
  }

  private func shell(_ heading: String) throws -> String { try #require(blocks(heading).first) }

  /// The command of a crontab's line, behind five fields of time.
  private func cron(_ heading: String, _ number: Int = 0) throws -> String {
    let lines = blocks(heading, "cron")
    try #require(lines.indices.contains(number))
    let fields = lines[number].split(separator: " ", maxSplits: 5)
    try #require(fields.count == 6)
    #expect(fields[..<5].allSatisfy { $0.allSatisfy { "0123456789*/-,".contains($0) } })
    return String(fields[5])
  }

  private func network() throws {
    let server = try CalendarServer()
    let home = try CommandHome()
    try home.setNow(Self.morning)
    let text = try shell("Calendars from the network").replacing(
      "https://calendar.example.com/private-4f1c/basic.ics", with: server.url("ok.ics"))
    let run = try home.run(text)
    #expect(run.status == 0)
    #expect(run.output.hasSuffix(": 1 component, calendar work: 1 added\n"))
    let line = try cron("Calendars from the network")
    _ = server.newRequests()
    try home.run(line).expect(0, output: "")
    #expect(server.newRequests() == [#"GET /ok.ics If-None-Match="v1" 304"#])
  }

  private func ownCalendars() throws {
    let home = try CommandHome()
    try home.setNow(Self.morning)
    try home.folder.write(
      "old.ics",
      calendar(
        event("a", "DTSTART:20261124T100000Z", "SUMMARY:Choir"),
        event("b", "DTSTART;TZID=Asia/Tokyo:20261125T100000", "SUMMARY:Swim")))
    let text = try shell("Calendars of your own")
    let run = try home.run("set -e\n\(text)")
    #expect(run.status == 0 && run.output.hasSuffix("calendar home: 2 added\n"), "\(run)")
    let again = try home.run("agenda import old.ics --into home")
    #expect(again.output == "old.ics: 2 components, calendar home: 2 unchanged\n")
    #expect(try home.run("agenda calendars").output.contains("home: 3 events\n"))
    #expect(try home.run("agenda edit swim --title Dive").status == 0)
    let export = try home.run("agenda export home").output
    #expect(export.contains("DTSTART;TZID=Asia/Tokyo:20261125T100000"), "\(export)")
    #expect(export.contains("SUMMARY:Dive"))
    #expect(try home.run("agenda remove --calendar home").status == 0)
    #expect(try home.run("agenda undo && agenda calendars").output.contains("home: 3 events\n"))
    // The whole copy is one step.
    #expect(
      try home.run("agenda undo 2 --yes && agenda calendars").output.contains("home: 1 event\n"))
  }

  private func morningMail() throws {
    let heading = "A mail every morning"
    for number in 0..<2 {
      try home.run(cron(heading, number)).expect(0, output: "")
      let mail = try home.record()
      #expect(
        mail.hasPrefix(
          """
          sendmail [-t]
          To: ana@example.com
          Subject: Today: 3 entries, first at 12:30
          Date: Sat, 21 Nov 2026 08:00:00 +0100

          """))
      #expect(mail.contains("Concert: St Matthew Passion"))
    }
    #expect(try home.run(cron(heading, 2)).output.contains("Concert"))
    // A day without entries.
    try home.setNow("2026-11-29T08:00:00+01:00")
    for number in 0..<3 { try home.run(cron(heading, number)).expect(0, output: "") }
    #expect(try home.record() == "")
  }

  private func page() throws {
    try home.run(shell("A web page of the next three months")).expect(0, output: "")
    let page = try #require(home.content("agenda.html"))
    #expect(page.contains("<section id=\"2026-11-21\">"))
    #expect(page.matches(of: #/<table/#).count == 4)
  }

  private func changes() throws {
    let line = try cron("What changed since yesterday")
    try home.run(line).expect(0, output: "")
    try home.folder.write(
      "calendars/work.ics",
      Self.work.replacing("20261123T093000", with: "20261125T150000")
        .replacing("20261123T113000", with: "20261125T170000"))
    let run = try home.run(line)
    #expect(
      run.output == """
        work
          moved      Planning: Mon, 23 Nov 2026, 09:30 → Wed, 25 Nov 2026, 15:00

        """)
  }

  private func obsidian() throws {
    let text = try shell("A page for Obsidian, committed every day")
    try home.run("git init --quiet notes").expect(0)
    for _ in 0..<2 { try home.run(text).expect(0, output: "") }
    let page = try #require(home.content("notes/Agenda.md"))
    #expect(
      page.hasPrefix(
        """
        ## Saturday, 21 November 2026

        - [ ] Tax return (overdue: Sun, 31 May 2026) · *Household*
        - **all day** Grandparents visit
        """
      ))
    let log = try home.run("git -C notes log --format=%s").output
    #expect(log.split(separator: "\n").count == 1)
    #expect(log.hasPrefix("Agenda of 2"))
    #expect(try home.run("git -C notes status --short").output == "")
    try home.setNow("2026-11-22T08:00:00+01:00")
    try home.run(text).expect(0, output: "")
    #expect(try home.run("git -C notes log --format=%s").output.split(separator: "\n").count == 2)
  }

  private func prompt() throws {
    let text = try shell("The next appointment in the prompt")
    func prompt() throws -> String { try home.run("\(text)\nagenda_prompt").output }
    #expect(try prompt() == "12:30 Lunch\n")
    try home.setNow("2026-11-24T08:00:00+01:00")
    #expect(try prompt() == "11:00 Stand-up (moved)\n")
    try home.setNow("2026-11-29T08:00:00+01:00")
    #expect(try prompt() == "")
    for name in ["bash", "zsh"] where try home.run("command -v \(name)").status == 0 {
      let ended = try home.run("\(name) -c '\(text.replacing("'", with: "'\\''"))\nagenda_prompt'")
      #expect(ended.status == 0)
      #expect(ended.errors == "")
    }
    guard try home.run("command -v zsh").status == 0 else { return }
    try home.setNow("2026-11-24T08:00:00+01:00")
    try home.run("agenda add --at 9:00 '100%n $(id) %# sure'").expect(0)
    let zsh = try #require(blocks("The next appointment in the prompt", "zsh").first)
    try home.folder.write("prompt.zsh", "\(text)\n\(zsh)\nprint -P -- $PS1\n")
    let shown = try home.run("zsh -f prompt.zsh").output
    #expect(shown.hasPrefix("09:00 100%n $(id) %# sure "), "\(shown)")
  }

  private func statusBar() throws {
    let text = try shell("A status bar: waybar")
    func answer() throws -> [String: String] {
      let run = try home.run(text)
      #expect(run.status == 0)
      #expect(run.errors == "")
      #expect(run.output.split(separator: "\n").count == 1)
      return try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: String])
    }
    try home.setNow("2026-11-24T08:00:00+01:00")
    let busy = try answer()
    #expect(busy["text"] == "11:00 Stand-up (moved)")
    #expect(busy["class"] == "busy")
    #expect(busy["tooltip"]?.contains("\n2026-11-25 09:30 Stand-up") == true)
    try home.setNow("2026-11-28T08:00:00+01:00")
    #expect(try answer() == ["text": "", "tooltip": "", "class": "free"])
  }

  private func conky() throws {
    let text = try #require(blocks("conky", "conky").first)
    let command = try #require(text.firstMatch(of: #/\$\{execi \d+ (.*)\}/#)?.output.1)
    let run = try home.run(String(command))
    #expect(run.status == 0)
    #expect(run.output.contains("12:30–13:30  Lunch"))
  }

  private func busyHours() throws {
    let run = try home.run(shell("Busy hours per week"))
    #expect(run.errors == "")
    // This week has a concert and lunch; the next one four short stand-ups, a moved one, planning
    // and a call of 45 minutes.
    #expect(run.output.hasPrefix("2026-W47\t3.5\n2026-W48\t4\n"), "\(run.output)")
  }

  private func flight() throws {
    try home.run(shell("The next flight")).expect(
      0, output: "2026-12-10 07:15  Flight LH 174, Gate 12\n")
  }

  private func calls() throws {
    let run = try home.run(shell("Calls with people in another zone"))
    #expect(run.output.contains("\n  16:00–16:45      10:00–10:45  Call with New York"))
    // In the two weeks in which only New York has changed its clocks.
    #expect(run.output.contains("\n  15:00–15:45      10:00–10:45  Call with New York"))
    #expect(
      run.output.hasSuffix(
        """

        New York: 6 h behind; from Sun, 14 Mar 2027: 5 h behind; from Sun, 28 Mar 2027: 6 h behind

        """))
  }

  private func alarms() throws {
    try home.run(shell("Alarms on the desktop")).expect(0, output: "")
    #expect(try home.record() == "systemctl [--user] [enable] [--now] [agenda-notify]\n")
    let line = try cron("Alarms on the desktop")
    try home.run(line).expect(0, output: "")
    #expect(try home.record() == "")
    try home.setNow("2026-11-21T19:00:00+01:00")
    for _ in 0..<2 { try home.run(line).expect(0, output: "") }
    #expect(
      try home.record()
        == "notify-send [Concert: St Matthew Passion] [20:00] [Philharmonie]\n")
  }

  private func timer() throws {
    let heading = "A timer of systemd"
    for unit in blocks(heading, "ini") {
      let path = try #require(unit.split(separator: "\n").first?.dropFirst("# ~/".count))
      try home.folder.write(String(path), unit + "\n")
    }
    try home.run(shell(heading)).expect(0, output: "")
    #expect(
      try home.record() == """
        systemctl [--user] [daemon-reload]
        systemctl [--user] [enable] [--now] [agenda-refresh.timer]

        """)
    let service = try #require(home.content(".config/systemd/user/agenda-refresh.service"))
    #expect(
      home.content(".config/systemd/user/agenda-refresh.timer")?.contains("OnCalendar") == true)
    let command = try #require(
      service.firstMatch(of: #/ExecStart=%h\/.local\/bin\/(.*)/#)?.output.1)
    try home.run(String(command)).expect(0, output: "")
  }

  private func freeTime() throws {
    try home.run(shell("Free time into a mail")).expect(0, output: "")
    let mail = try home.record()
    #expect(mail.hasPrefix("mail [-s] [When I have an hour] [bo@example.com]\nMonday, 23 November"))
    #expect(mail.contains("  11:30–17:00  5 h 30 min\n"))
    #expect(!mail.contains("Saturday"))
  }

  private func conflicts() throws {
    let run = try home.run(cron("What is double-booked"))
    #expect(run.output.contains("09:30–11:30  Planning · work"))
  }

  private func check() throws {
    let text = try shell("Calendars that need a look")
    try home.run(text).expect(0, output: "")
    try home.folder.write(
      "calendars/work.ics", Self.work.replacing("20261123T093000", with: "20261131T093000"))
    try home.folder.write("calendars/login.ics", "<html></html>")
    let run = try home.run(text)
    #expect(
      run.output == """
        \(home.folder.url.path)/calendars/login.ics: not an iCalendar file: this is HTML
        \(home.folder.url.path)/calendars/work.ics: 1 rejected

        """)
  }

  private func spreadsheet() throws {
    try home.run(shell("A year for a spreadsheet")).expect(0, output: "")
    let rows = try #require(home.content("year.tsv")).split(separator: "\n")
    #expect(rows.first?.hasPrefix("start\tend\ttitle") == true)
    #expect(rows.count > 300)
    #expect(rows.count { $0.contains("\tGrandparents visit\t") } == 1)
  }

  private func export() throws {
    let steps = blocks("Back up and move to a new computer")
    #expect(steps.count == 2)
    for step in steps { try home.run(step).expect(0, output: "") }
    let shown = try home.run("agenda show --format tsv")
    let copied = try home.run("agenda show --store ~/backup/agenda.sqlite --format tsv")
    #expect(copied.output == shown.output && !shown.rows.isEmpty)
    let run = try home.run("agenda show backup/calendars-*.ics --format tsv")
    // One file is one calendar to show.
    func entries(_ run: AgendaRun) -> [String] {
      run.rows.map { "\($0["start"] ?? "") \($0["title"] ?? "") \($0["uid"] ?? "")" }
    }
    #expect(entries(run) == entries(shown))
  }
}

@Suite("documents")
struct DocumentTests {
  @Test("the other documents have the keys that are written down")
  func otherDocuments() throws {
    let home = try CommandHome()
    // One week ago a calendar came in, and an hour ago it changed.
    try home.setNow("2026-11-14T08:00:00+01:00")
    let fixture = AgendaRun.fixtures.appendingPathComponent("calendars/household.ics")
    let text = try String(contentsOf: fixture, encoding: .utf8)
    let second = text.replacing("UID:visit@", with: "UID:clash@")
      .replacing("DTSTART;VALUE=DATE:20261121", with: "DTSTART;TZID=Europe/Berlin:20261121T210000")
      .replacing("DTEND;VALUE=DATE:20261124", with: "DTEND;TZID=Europe/Berlin:20261121T220000")
    try home.folder.write("a.ics", text)
    try home.folder.write("b.ics", second)
    let invitation = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:plan", "SUMMARY:Plan",
      "DTSTAMP:20261101T000000Z", "DTSTART:20261201T100000Z", "ORGANIZER:mailto:boss@example.com",
      "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:me@example.com", "END:VEVENT", "END:VCALENDAR", "",
    ]
    try home.folder.write("c.ics", invitation.joined(separator: "\r\n"))
    #expect(try home.run("agenda import -q a.ics b.ics c.ics").status == 0)
    try home.setNow("2026-11-21T18:55:00+01:00")
    try home.folder.write("a.ics", text.replacing("T200000", with: "T201500"))
    #expect(try home.run("agenda refresh -q").status == 0)
    try home.setNow("2026-11-21T19:10:00+01:00")

    let file = Repository.root.appendingPathComponent("Docs/Formats.md")
    let rows = try String(contentsOf: file, encoding: .utf8)
      .matches(of: #/\| `(agenda [^`]* -f json)` \| ([^|]*)\|([^|]*)\|/#)
    #expect(rows.count == 11)
    for row in rows {
      var line = String(row.output.1).replacing("REF", with: "1.2")
      if line.contains("alarms") { line += " --within 1h" }
      if line.contains("invitations") { line += " --as me@example.com" }
      if line.contains("free -f") { line += " --between 19:00-24:00" }
      func words(_ cell: Substring) -> Set<String> {
        Set(cell.matches(of: #/`(\w+)`/#).map { String($0.output.1) })
      }
      let run = try home.run(line)
      #expect(run.status == 0, "\(line) \(run.errors)")
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      #expect(Set(document.keys) == words(row.output.2).union(["version"]), "\(line)")
      guard !words(row.output.3).isEmpty else { continue }
      let list = document.values.compactMap { $0 as? [[String: Any]] }.first ?? []
      let first = try #require(list.first, "\(line): \(run.output)")
      #expect(Set(first.keys) == words(row.output.3), "\(line)")
    }
  }

  @Test("every link between the documents leads somewhere")
  func links() throws {
    let folder = Repository.root.appendingPathComponent("Docs")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    for name in names.filter({ $0.hasSuffix(".md") }).map({ "Docs/\($0)" }) + ["README.md"] {
      let file = Repository.root.appendingPathComponent(name)
      let text = try String(contentsOf: file, encoding: .utf8)
      for link in text.matches(of: #/\]\(([^)#:]+)(?:#[^)]*)?\)/#).map(\.output.1) {
        let target = file.deletingLastPathComponent().appendingPathComponent(String(link))
        #expect(FileManager.default.fileExists(atPath: target.path), "\(name): \(link)")
      }
      for path in text.matches(of: #/`((?:Sources|Tests|Fixtures|Docs)/[\w./-]+)`/#).map(\.output.1)
      {
        let target = Repository.root.appendingPathComponent(String(path))
        #expect(FileManager.default.fileExists(atPath: target.path), "\(name): \(path)")
      }
    }
  }
}
