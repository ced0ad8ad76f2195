import Testing

@testable import AgendaCommands

/// The options of lists that are not agendas.
@Suite("options of free, alarms and tasks")
struct TimeOptionTests: OptionSuite {
  static let covered: [String: Set<String>] = [
    "free": [
      "from", "to", "days", "weeks", "months", "years", "between", "at-least", "weekdays",
      "all-day", "conflicts", "calendar", "search", "not-declined", "format", "locale", "if-any",
    ],
    "alarms": [
      "within", "calendar", "not-calendar", "timed", "all-day", "where", "search", "not-started",
      "not-declined", "include-cancelled", "tasks", "format", "locale", "if-any",
    ],
    "tasks": ["calendar", "search", "limit", "format", "locale", "ids", "if-any"],
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
    #expect(slots("--days", "1", "--search", "running") == ["21T09:30 450"])
    #expect(
      slots("--from", "tomorrow", "--days", "1", "--not-declined", "me@example.com")
        == ["22T09:00 480"])
    let free = ["free", fixture.path("work.ics"), "--days", "1"]
    #expect(fixture.run(free + ["--conflicts"]).output.contains("16:30–17:30  Dentist"))
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
    let none = ["alarms", fixture.path("work.ics"), "--if-any", "-f", "json"]
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

  @Test("lists other than agendas have no HTML format")
  func noPage() throws {
    for command in [["tasks"], ["alarms"], ["free"], ["free", "--conflicts"]] {
      let run = fixture.run(command + fixture.sources + ["-f", "html"])
      #expect(run.status == .wrongCommandLine && run.output.isEmpty)
      #expect(run.errors.hasPrefix("agenda: --format: "), "\(run.errors)")
    }
    #expect(fixture.run(["changes", "-f", "html"]).status == .wrongCommandLine)
  }
}
