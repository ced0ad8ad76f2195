import TestSupport
import Testing

@testable import AgendaCommands

/// The options of lists that are not agendas.
@Suite("options of free, alarms and tasks")
struct TimeOptionTests: OptionSuite {
  static let covered: [String: Set<String>] = [
    "free": [
      "from", "to", "days", "weeks", "months", "years", "between", "at-least", "weekdays",
      "all-day", "conflicts", "calendar", "not-calendar", "search", "where", "not-declined",
      "format",
      "locale", "if-any", "color",
    ],
    "alarms": [
      "within", "calendar", "not-calendar", "timed", "all-day", "where", "search", "not-started",
      "not-declined", "include-cancelled", "tasks", "format", "locale", "if-any",
      "color",
    ],
    "tasks": [
      "calendar", "search", "done", "limit", "format", "locale", "ids", "if-any", "color",
    ],
  ]

  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  @Test("free: hours, lengths, days, what counts, and the window")
  func free() {
    func slots(_ options: String...) -> [String] {
      fixture.rows(["free", fixture.path("work.ics")] + options).map {
        "\($0["start"]?.dropFirst(8).prefix(8) ?? "") \($0["minutes"] ?? "")"
      }
    }
    let saturday = ["21T09:30 390"]
    #expect(slots("--days", "1") == saturday)
    #expect(slots("--to", "today") == saturday)
    #expect(slots("--from", "tomorrow", "--days", "1") == ["22T09:00 180", "22T13:00 240"])
    #expect(slots().count == slots("--weeks", "1").count)
    #expect(slots("--months", "1").last?.hasPrefix("20T") == true)
    #expect(slots("--years", "1").last?.hasPrefix("20T") == true)
    #expect(slots("--years", "1").count > 300)
    #expect(slots("--days", "1", "--between", "15:00-18:00") == ["21T15:00 60", "21T17:30 30"])
    #expect(slots("--days", "2", "--at-least", "4h") == ["21T09:30 390", "22T13:00 240"])
    #expect(slots("--days", "2", "--weekdays") == [])
    #expect(slots("--days", "2", "--all-day") == [])
    #expect(
      slots("--days", "1", fixture.path("home.ics"), "--calendar", "home") == ["21T09:00 480"])
    #expect(
      slots("--days", "1", fixture.path("home.ics"), "--not-calendar", "work") == ["21T09:00 480"])
    #expect(slots("--days", "1", "--search", "running") == ["21T09:30 450"])
    #expect(slots("--days", "1", "--where", "location = Park") == ["21T09:30 450"])
    #expect(
      slots("--from", "tomorrow", "--days", "1", "--not-declined", "me@example.com")
        == ["22T09:00 480"])
    let free = ["free", fixture.path("work.ics"), "--days", "1"]
    #expect(fixture.run(free + ["--conflicts"]).output.contains("16:30–17:30  Dentist"))
    for option in [["--between", "9-10"], ["--at-least", "1h"], ["--weekdays"], ["--all-day"]] {
      let run = fixture.run(free + ["--conflicts"] + option)
      #expect(
        run.errors.hasPrefix("agenda: --conflicts and \(option[0]) cannot be used together"),
        "\(run)")
    }
    #expect(fixture.run(free + ["-f", "json"]).output.hasPrefix("{\"version\":1,"))
    #expect(fixture.run(free + ["--locale", "de"]).output.hasPrefix("Samstag"))
    #expect(fixture.run(free + ["--weekdays"]).output == "No free time.\n")
    #expect(fixture.run(free + ["--weekdays", "--if-any"]).output == "")
  }

  @Test("alarms: how far ahead, and of what")
  func alarms() {
    func listed(_ options: String...) -> [String] {
      fixture.rows(["alarms", fixture.path("work.ics"), "--within", "2d"] + options).map {
        $0["title"] ?? ""
      }
    }
    #expect(listed() == ["Dentist", "Not for me"])
    #expect(listed("--within", "10m") == [])
    #expect(
      fixture.rows(["alarms", fixture.path("work.ics")]).count == listed("--within", "1d").count)
    #expect(listed("--within", "8h") == ["Dentist"])
    #expect(listed("--calendar", "home") == [])
    #expect(listed("--search", "not") == ["Not for me"])
    #expect(listed("--not-declined", "me@example.com") == ["Dentist"])
    #expect(listed("--include-cancelled") == ["Dentist", "Called off", "Not for me"])
    #expect(listed("--tasks") == ["Dentist", "Not for me", "Plants"])
    #expect(listed("--now", "2026-11-22T12:00:00+01:00") == ["Not for me"])
    #expect(listed("--now", "2026-11-22T12:00:00+01:00", "--not-started") == [])
    let alarms = ["alarms", fixture.path("work.ics"), "--within", "8h"]
    #expect(fixture.run(alarms).output == "16:15  Dentist · 16:30\n")
    #expect(fixture.run(alarms + ["--locale", "en_US"]).output == "4:15 PM  Dentist · 4:30 PM\n")
    #expect(fixture.run(alarms + ["-f", "json"]).output.hasPrefix("{\"version\":1,"))
    let none = ["alarms", fixture.path("work.ics"), "--within", "10m", "--if-any", "-f", "json"]
    #expect(fixture.run(none).output == "")
  }

  @Test("tasks: of which calendar, with which words, how many, and in which form")
  func tasks() throws {
    let undated = "BEGIN:VTODO\r\nUID:rent\r\nSUMMARY:Rent\r\nEND:VTODO\r\nBEGIN:VTODO"
    try fixture.write(
      "work.ics", OptionFixture.work.replacing("BEGIN:VTODO", with: undated))
    let tasks = ["tasks"] + fixture.sources
    func titles(_ options: String...) -> [String] {
      fixture.rows(tasks + options).map { $0["title"] ?? "" }
    }
    #expect(titles() == ["Plants", "Rent"])
    #expect(titles("--calendar", "work") == ["Plants", "Rent"])
    #expect(titles("--calendar", "home") == [])
    #expect(titles("--search", "rent") == ["Rent"])
    #expect(titles("--limit", "1") == ["Plants"])
    #expect(
      fixture.run(tasks).output == "Plants · Sun, 22 Nov 2026, 18:00\nRent · No date\n")
    #expect(fixture.run(tasks + ["--locale", "de"]).output.hasPrefix("Plants · So"))
    #expect(fixture.run(tasks + ["-f", "json"]).output.hasPrefix("{\"version\":1,"))
    let none = tasks + ["--calendar", "home", "-f", "json"]
    #expect(fixture.run(none).output.contains("\"tasks\":[]"))
    #expect(fixture.run(none + ["--if-any"]).output == "")
  }

  @Test("tasks --done: completed tasks and occurrences, the latest first")
  func completedTasks() throws {
    func task(_ uid: String, _ lines: String...) -> String {
      component("VTODO", uid, ["SUMMARY:\(uid)"] + lines)
    }
    try fixture.write(
      "done.ics",
      calendar(
        [
          task("unknown", "STATUS:COMPLETED"),
          task("early", "COMPLETED:20261101T100000Z", "STATUS:COMPLETED", "PRIORITY:2"),
          task("late", "COMPLETED:20261102T100000Z", "DUE:20261101T100000Z"),
          task("open", "DUE:20261101T100000Z"), task("off", "STATUS:CANCELLED"),
          task("weekly", "DTSTART:20261101T090000Z", "RRULE:FREQ=WEEKLY"),
          task(
            "weekly", "RECURRENCE-ID:20261108T090000Z", "DTSTART:20261108T090000Z",
            "STATUS:COMPLETED", "COMPLETED:20261109T100000Z"),
        ], ["X-WR-CALNAME:done"]))
    let tasks = ["tasks", fixture.path("done.ics"), "--done"]
    let rows = fixture.rows(tasks)
    #expect(rows.map { $0["title"] } == ["weekly", "late", "early", "unknown"])
    #expect(rows[0]["completed"] == "2026-11-09T11:00:00+01:00")
    #expect(
      fixture.run(tasks).output == """
        weekly · done: Mon, 9 Nov 2026, 11:00
        late · done: Mon, 2 Nov 2026, 11:00
        early · done: Sun, 1 Nov 2026, 11:00 · priority 2
        unknown · completed

        """)
    #expect(fixture.run(tasks + ["-f", "markdown"]).output.hasPrefix("- [x] weekly"))
    #expect(
      fixture.run(tasks + ["-f", "jsonl", "--limit", "1"]).output.hasPrefix("{\"completed\":"))
    let wide = fixture.run(tasks, columns: 80, variables: ["NO_COLOR": "1"]).output
    let lines = wide.split(separator: "\n")
    #expect(lines[0].hasPrefix("  Mon, 9 Nov, 11:00  weekly   "))
    #expect(lines[2].hasPrefix("  Sun, 1 Nov, 11:00  early    priority 2 · "))
    // Each id is the one in the agenda.
    let id = rows[0]["id"] ?? "?"
    #expect(fixture.run(["event", id, fixture.path("done.ics")]).status == .done)
  }

  @Test("on a terminal, tasks are in columns, overdue ones red, and an empty list has a sentence")
  func taskColumns() throws {
    try fixture.write(
      "todo.ics",
      calendar(
        [
          component("VTODO", "a", ["SUMMARY:Pay\u{1b}[31m", "DUE:20261120T170000Z", "PRIORITY:1"]),
          component("VTODO", "b", ["SUMMARY:Water the plants", "DUE;VALUE=DATE:20270102"]),
          component("VTODO", "c", ["SUMMARY:Someday", "LOCATION:Home"]),
        ], ["X-WR-CALNAME:todo"]))
    let tasks = ["tasks", fixture.path("todo.ics")]
    let plain = fixture.run(tasks, columns: 80, variables: ["NO_COLOR": "1"]).output
      .split(separator: "\n")
    #expect(plain[0].hasPrefix("  Fri, 20 Nov, 18:00  Pay�[31m          overdue · priority 1 · "))
    #expect(plain[1].hasPrefix("  Sat, 2 Jan 2027     Water the plants  "))
    #expect(plain[2].hasPrefix("  No date             Someday           Home · "))
    let colored = fixture.run(tasks, columns: 40).output
    #expect(colored.contains("\u{1b}[31mFri, 20 Nov, 18:00\u{1b}[0m"))
    #expect(!colored.contains("todo"))
    #expect(fixture.run(tasks + ["--color", "always"]).output.contains("\u{1b}[31moverdue"))
    let none = tasks + ["--search", "nothing"]
    #expect(fixture.run(none, columns: 80).output == "No open tasks.\n")
    #expect(fixture.run(none + ["--done"], columns: 80).output == "No completed tasks.\n")
    #expect(fixture.run(none).output == "")
  }

  @Test("on a terminal, alarms say when they ring and how soon, and free time has a bar")
  func terminal() {
    let alarms = ["alarms", fixture.path("work.ics"), "--within", "2d"]
    let plain = ["NO_COLOR": "1"]
    let lines = fixture.run(alarms, columns: 80, variables: plain).output.split(separator: "\n")
    let id = fixture.rows(alarms)[0]["id"] ?? "?"
    #expect(lines[0] == "16:15               in 7 h 15 min  Dentist · 16:30 · \(id)")
    let conflicts = ["free", fixture.path("work.ics"), "--conflicts", "--days", "1"]
    #expect(
      fixture.run(conflicts, columns: 80, variables: plain).output.contains(
        "Dentist · Work · \(id)\n"))
    #expect(fixture.run(conflicts).output.contains("Dentist · Work\n"))
    #expect(lines[1].hasPrefix("Sun, 22 Nov, 12:00  in 1 d 3 h"))
    #expect(fixture.run(alarms + ["--color", "always"]).output.contains("\u{1b}[1m16:15"))
    let free = ["free", fixture.path("work.ics"), "--now", "2026-11-21T10:00:00+01:00"]
    let page = fixture.run(free + ["--days", "2"], columns: 80, variables: plain).output
    let bar = "····" + String(repeating: "░", count: 24) + "████"
    #expect(page.contains("\n  09:00 \(bar) 17:00\n  10:00–16:00  6 h\n"), "\(page)")
    for columns in [20, 40] {
      let narrow = fixture.run(free, columns: columns, variables: plain).output
      for line in narrow.split(separator: "\n") where line.contains("░") {
        #expect(line.count <= columns)
      }
    }
    #expect(fixture.run(free + ["--color", "always"]).output.contains("\u{1b}[1mSat"))
    #expect(!fixture.run(free).output.contains("░"))
  }

  @Test(
    "words that are neither files nor dates are named as that",
    arguments: [["next"], ["next", "3"], ["tasks"], ["alarms"], ["invitations", "--as", "a@b.c"]])
  func words(command: [String]) {
    for (word, message, status) in [
      (
        "foo", "\"foo\" is neither a file nor a date; agenda search foo",
        ExitStatus.wrongCommandLine
      ),
      ("friday", "\"friday\" is a date, and this command has none", .wrongCommandLine),
      ("foo.ics", "foo.ics: No such file", .failed),
      ("a/foo", "a/foo: No such file", .failed),
    ] {
      let run = fixture.run(command + [word])
      #expect(run.status == status && run.errors.contains(message), "\(run)")
    }
  }

  @Test("lists other than agendas have no HTML format")
  func noPage() throws {
    for command in [["tasks"], ["alarms"], ["free"], ["free", "--conflicts"]] {
      let run = fixture.run(command + fixture.sources + ["-f", "html"])
      #expect(run.status == .wrongCommandLine && run.output.isEmpty)
      #expect(run.errors.hasPrefix("agenda: --format: "), "\(run.errors)")
    }
    #expect(fixture.run(["changes", "-f", "html"]).status == .wrongCommandLine)
  }

  @Test("alarms of other days have their date, and a narrow terminal shows their texts below")
  func alarmsOfOtherDays() throws {
    try fixture.write(
      "alarms.ics",
      calendar(
        [
          event(
            "a", "DTSTART:20261122T080000Z", "SUMMARY:Breakfast with everybody",
            "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT30M", "END:VALARM")
        ], ["X-WR-CALNAME:alarms"]))
    let alarms = ["alarms", fixture.path("alarms.ics"), "--within", "2d"]
    #expect(fixture.run(alarms).output.hasPrefix("Sun, 22 Nov, 08:30  Breakfast"))
    #expect(
      fixture.run(alarms + ["-f", "markdown"]).output.hasPrefix("- **Sun, 22 Nov, 08:30** Br"))
    for columns in [40, 50] {
      let lines = fixture.run(alarms + ["--color", "never"], columns: columns).output
        .split(separator: "\n")
      #expect(lines[0].hasSuffix(" min"), "\(lines)")
      #expect(lines[1].hasPrefix("  Breakfast with everybody"), "\(lines)")
      #expect(lines.allSatisfy { $0.count <= columns })
    }
  }
}
