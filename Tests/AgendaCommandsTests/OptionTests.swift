import Foundation
import Testing

@testable import AgendaCommands
@testable import CommandLineOptions

/// Every option of every command does what help says of it, and a new one needs its case here.
@Suite("options")
struct OptionTests {
  /// How each option is typed where listings are compared.
  private static let typed: [String: [String]] = [
    "from": ["--from", "tomorrow"], "to": ["--to", "+2d"], "days": ["--days", "3"],
    "weeks": ["--weeks", "1"], "months": ["--months", "1"], "years": ["--years", "2"],
    "now": ["--now", "2026-11-21T16:10:00+01:00"], "timezone": ["--timezone", "Asia/Tokyo"],
    "calendar": ["--calendar", "work"], "search": ["--search", "dentist"],
    "not-calendar": ["--not-calendar", "home"], "timed": ["--timed"], "all-day": ["--all-day"],
    "where": ["--where", "not title ~ trip and duration >= 1h"],
    "limit": ["--limit", "2"], "once": ["--once"], "not-started": ["--not-started"],
    "not-declined": ["--not-declined", "me@example.com"],
    "include-cancelled": ["--include-cancelled"], "tasks": ["--tasks"],
    "journal": ["--journal"],
    "format": ["--format", "jsonl"], "group-by": ["--group-by", "calendar"],
    "locale": ["--locale", "de"], "zones": ["--zones"],
    "also": ["--also", "Asia/Tokyo"], "ids": ["--ids"],
    "toc": ["--toc", "-f", "markdown"], "if-any": ["--if-any", "--search", "nothing"],
    "color": ["--color", "always"],
  ]

  /// Those that are asked of a command at which nothing can be compared with `show`.
  private static let own: [String: Set<String>] = [
    "calendar": ["from", "months", "grid", "locale", "color"],
    "free": [
      "from", "to", "days", "weeks", "months", "years", "between", "at-least", "weekdays",
      "all-day", "conflicts", "calendar", "search", "not-declined", "format", "locale", "if-any",
    ],
    "alarms": [
      "within", "calendar", "not-calendar", "timed", "all-day", "where", "search", "not-started",
      "not-declined", "include-cancelled", "tasks",
      "format", "locale", "if-any",
    ],
    "tasks": ["calendar", "search", "limit", "format", "locale", "ids", "if-any"],
    "import": ["calendar", "dry-run", "strict", "allow-shrink", "quiet", "format", "encoding"],
    "refresh": ["dry-run", "strict", "allow-shrink", "quiet", "format"],
    "calendars": ["format", "locale"],
    "add": writing,
    "edit": writing.union(found),
    "reply": found.union([
      "accept", "decline", "tentative", "as", "comment", "mail", "output", "locale",
    ]),
    "done": found.union(["dry-run", "quiet", "locale"]),
    "remove": ["quiet", "event", "source", "only", "following", "all", "dry-run"],
    "export": ["output"], "undo": ["quiet"],
    "watch": ["calendar"],
    "changes": ["since", "calendar", "format", "locale", "if-any"],
    "check": ["format", "quiet", "calendar", "strict", "encoding"], "doctor": ["format"],
    "help": ["man", "into"], "attachment": ["output"], "search": ["source"],
    "event": ["format", "locale", "color"], "explain": ["format", "locale", "color"],
  ]

  /// WritingTests cover these.
  private static let writing: Set<String> = [
    "title", "at", "for", "until", "location", "note", "category", "url", "repeat", "quiet",
    "locale", "in-zone", "event-color", "status", "alarm", "geo", "attach", "photo", "due",
    "priority", "task", "like", "calendar", "dry-run", "only", "following", "all",
  ]
  /// How a REF is looked up.
  private static let found: Set<String> = [
    "from", "to", "days", "weeks", "months", "years", "search", "group-by",
  ]
  private static let listings = ["show", "today", "tomorrow", "week", "month", "next", "search"]
  private static let references = ["event", "explain", "attachment", "remove"]
  /// Taken by every command, so that a script pins them all alike; `zones` tests what they do.
  private static let everywhere: Set<String> = ["now", "timezone", "help", "version", "store"]

  private static let coveredElsewhere: Set<String> = [
    "media", "encoding", "mail", "subject", "template", "timeout", "max-size", "cacert",
    "password-command", "url-from", "jobs", "force", "stale",
  ]

  @Test("no option is without a case")
  func nothingIsForgotten() {
    for command in AgendaCommand.all.map(\.declaration) {
      for option in command.visibleOptions where !Self.everywhere.contains(option.name) {
        let isCompared =
          (Self.listings + Self.references).contains(command.name)
          && Self.typed[option.name] != nil
        let isOwn = Self.own[command.name]?.contains(option.name) ?? false
        let isSelection =
          command.name == "calendar" && Self.gridSelection.contains(option.name)
        // MediaTests, PageOptionTests, FetchTests and SubscriptionTests cover these.
        let isElsewhere = Self.coveredElsewhere.contains(option.name)
        #expect(
          isCompared || isOwn || isSelection || isElsewhere,
          "\(command.name) \(option.spelling) has no case")
      }
    }
  }

  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private func importAll() {
    let run = fixture.run(["import"] + fixture.sources, isPinned: false)
    #expect(run.status == .done, "\(run.errors)")
  }

  // MARK: show

  @Test("show: what each option changes", arguments: typed.keys.sorted())
  func show(option: String) throws {
    let typed = try #require(Self.typed[option])
    let show = ["show"] + fixture.sources
    let today = show + ["--days", "2"]
    let both = ["21 Trip", "21 Running", "21 Later", "21 Dentist", "21 Cake"]
    let sunday = ["22 Trip", "22 Not for me"]
    func text(_ more: [String] = []) -> String { fixture.run(today + more + typed).output }
    #expect(fixture.titles(today) == both + sunday)
    switch option {
    case "from": #expect(fixture.titles(show + ["--days", "1"] + typed) == sunday)
    case "to", "days": #expect(fixture.titles(show + typed) == both + sunday)
    case "weeks": #expect(fixture.titles(show + typed) == both + sunday + ["26 Weekly"])
    case "months":
      #expect(fixture.titles(show + typed).suffix(4).allSatisfy { $0.hasSuffix("Weekly") })
      #expect(fixture.rows(show + typed).last?["section"] == "2026-12-17")
    case "years": #expect(fixture.rows(show + typed).last?["section"] == "2028-11-16")
    case "now":
      #expect(fixture.titles(today + typed + ["--not-started"]).first == "21 Trip")
      #expect(fixture.titles(today + typed + ["--not-started"])[1] == "21 Dentist")
    case "timezone":
      #expect(
        fixture.rows(today + typed).first { $0["title"] == "Later" }?["start"]
          == "2026-11-22T00:00:00+09:00")
    case "calendar": #expect(fixture.titles(today + typed) == both.dropLast() + sunday)
    case "not-calendar": #expect(fixture.titles(today + typed) == both.dropLast() + sunday)
    case "timed":
      #expect(
        fixture.rows(today + typed).map { $0["title"] }
          == ["Running", "Later", "Dentist", "Cake", "Not for me"])
    case "all-day": #expect(fixture.rows(today + typed).allSatisfy { $0["allDay"] == "true" })
    case "where":
      #expect(
        fixture.titles(today + typed).filter { !$0.hasSuffix("Cake") }
          == ["21 Running", "21 Later", "21 Dentist", "22 Not for me"])
    case "search": #expect(fixture.titles(today + typed) == ["21 Dentist"])
    case "limit": #expect(fixture.titles(today + typed) == Array(both.prefix(2)))
    case "once": #expect(fixture.titles(today + typed) == both + ["22 Not for me"])
    case "not-started": #expect(!fixture.titles(today + typed).contains("21 Running"))
    case "not-declined": #expect(fixture.titles(today + typed) == both + ["22 Trip"])
    case "include-cancelled":
      #expect(fixture.titles(today + typed).contains("22 Called off"))
      #expect(text().contains("Called off (cancelled)"), "\(text())")
    case "journal":
      #expect(
        fixture.titles(today + typed) == both + ["22 Trip", "22 Diary", "22 Not for me"])
    case "tasks": #expect(fixture.titles(today + typed).last == "22 Plants")
    case "format": #expect(text().split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
    case "group-by":
      #expect(fixture.rows(today + typed).map { $0["section"] ?? "" }.first == "Home")
    case "locale": #expect(text().hasPrefix("Samstag, 21. November 2026 · heute\n"))
    case "zones": #expect(text().contains("Later (10:00 America/New_York)"))
    case "also": #expect(text().contains("  16:00–17:00  Sun 00:00–01:00  Later"))
    case "ids":
      for row in fixture.rows(today) { #expect(text().contains(" · \(row["id"] ?? "?")\n")) }
    case "toc": #expect(text().hasPrefix("- November 2026: [21](#"))
    case "if-any":
      #expect(text() == "")
      #expect(!fixture.run(today + typed.dropFirst()).output.isEmpty)
    case "color":
      #expect(text().contains("\u{1b}["))
      #expect(!fixture.run(today + ["--color", "never"], columns: 80).output.contains("\u{1b}["))
      #expect(fixture.run(today + ["--color", "auto"], columns: 80).output.contains("\u{1b}["))
      #expect(!fixture.run(today + ["--color", "auto"]).output.contains("\u{1b}["))
    default: Issue.record("no case for \(option)")
    }
  }

  // MARK: What is show with something fixed

  @Test("the relatives of show take each option as show does", arguments: typed.keys.sorted())
  func relatives(option: String) throws {
    let typed = try #require(Self.typed[option])
    let windows: [(command: [String], window: [String])] = [
      (["today"], ["--days", "1"]), (["tomorrow"], ["--from", "tomorrow", "--days", "1"]),
      (["week"], ["--weeks", "1"]), (["month"], ["--months", "1"]),
      (["next", "50"], ["--once", "--limit", "50"]),
      (["search", "kin"], ["--search", "kin"]),
    ]
    for (command, window) in windows {
      let declared = AgendaCommand.all.first { $0.declaration.name == command[0] }?.declaration
      guard declared?.option(named: option) != nil else { continue }
      var mine = command
      var shows = ["show"] + window
      switch command[0] {
      case "search":
        for source in fixture.sources { mine += ["--source", source] }
        // Without a window it looks through all time.
        if !["days", "weeks", "months", "years", "to"].contains(option) {
          mine += ["--days", "9"]
          shows += ["--days", "9"]
        }
        if option == "if-any" { mine[1] = "nothing" }
        shows += fixture.sources
        let plain = option == "if-any" ? ["--if-any"] : typed
        let run = fixture.run(mine + plain)
        #expect(run.status == .done, "\(mine) \(run.errors)")
        #expect(run.output == fixture.run(shows + typed).output, "\(mine)")
        continue
      case "next":
        // Nothing is over yet.
        mine += ["--now", "2026-11-21T00:00:00+01:00"]
        shows += ["--now", "2026-11-21T00:00:00+01:00"]
      default: break
      }
      mine += fixture.sources + typed
      shows += fixture.sources + typed
      // A later --now may begin another selection for next, which leaves out what is over.
      if command[0] == "next", option == "now" { shows += ["--search", "d"] }
      if command[0] == "next", option == "now" { mine += ["--search", "d"] }
      let run = fixture.run(mine)
      #expect(run.status == .done, "\(mine) \(run.errors)")
      #expect(run.output == fixture.run(shows).output, "\(mine)")
    }
  }

  // MARK: An entry by its place

  @Test("a place is that of the listing of the same options", arguments: typed.keys.sorted())
  func places(option: String) throws {
    guard let options = Self.typed[option],
      AgendaCommand.event.declaration.option(named: option) != nil, option != "format"
    else { return }
    let typed = option == "limit" ? ["--limit", "4"] : options
    let sources = fixture.sources
    let rows = fixture.rows(["show"] + sources + typed)
    let row = try #require(rows.last { $0["title"] == "Dentist" } ?? rows.last)
    let place = try #require(row["indexPath"])
    let event = fixture.run(["event", place] + sources + typed + ["-f", "json"])
    #expect(event.output.contains("\"id\":\"\(row["id"] ?? "?")\""), "\(event.errors)")
    let explained = fixture.run(["explain", place] + sources + typed + ["-f", "json"])
    #expect(explained.status == .done)
    #expect(explained.output.contains(row["title"] ?? "?"))
    guard row["title"] == "Dentist" else { return }
    if AgendaCommand.attachment.declaration.option(named: option) != nil {
      #expect(fixture.run(["attachment", place] + sources + typed).output == "hello")
    }
    importAll()
    let inStore = try #require(
      fixture.rows(["show"] + typed).last { $0["title"] == "Dentist" }?["indexPath"])
    if AgendaCommand.remove.declaration.option(named: option) != nil {
      let removed = fixture.run(["remove", "--event", inStore] + typed)
      #expect(removed.output == "removed Dentist\n", "\(removed.errors)")
      #expect(!fixture.titles(["show"]).contains { $0.hasSuffix("Dentist") })
    }
  }

  @Test("event and explain: format, language, colours")
  func entryPages() {
    for command in ["event", "explain"] {
      let page = [command, "1.4"] + fixture.sources
      #expect(fixture.run(page + ["-f", "json"]).output.hasPrefix("{\"version\":1,"))
      #expect(fixture.run(page + ["--locale", "de"]).output.contains("Samstag, 21. November 2026"))
      #expect(!fixture.run(page).output.contains("\u{1b}["))
      #expect(fixture.run(page + ["--color", "always"]).output.contains("\u{1b}["))
    }
  }

  @Test("attachment --output")
  func attachmentFile() throws {
    let run = fixture.run(
      ["attachment", "1.4"] + fixture.sources + ["--output", fixture.path("out")])
    #expect(run.status == .done)
    #expect(run.output == "")
    #expect(try String(contentsOfFile: fixture.path("out"), encoding: .utf8) == "hello")
  }

  // MARK: The month

  private static let gridSelection = [
    "calendar", "not-calendar", "timed", "all-day", "where", "search", "not-started",
    "not-declined", "include-cancelled", "tasks", "journal",
  ]

  @Test("calendar: each selection decides which days are marked")
  func gridSelection() {
    func marks(_ options: [String]) -> Bool {
      fixture.run(["calendar", "--search", "kin"] + fixture.sources + options).output
        .contains("22•")
    }
    let lone = ["--calendar", "work", "--search"]
    #expect(!marks(lone + ["off"]))
    #expect(marks(lone + ["off", "--include-cancelled"]))
    #expect(!marks(lone + ["plants"]))
    #expect(marks(lone + ["plants", "--tasks"]))
    #expect(!marks(lone + ["diary"]))
    #expect(marks(lone + ["diary", "--journal"]))
    #expect(marks(lone + ["not"]))
    #expect(!marks(lone + ["not", "--not-declined", "me@example.com"]))
    #expect(!marks(["--calendar", "home", "--search", "not"]))
    #expect(!marks(lone + ["not", "--not-started", "--now", "2026-11-22T12:01:00+01:00"]))
    let grid = ["calendar"] + fixture.sources
    #expect(fixture.run(grid).output.contains("[21•]"))
    #expect(fixture.run(grid + ["--from", "2026-11-26"]).output.contains("[26•]"))
    #expect(fixture.run(grid + ["--months", "2"]).output.contains("December 2026"))
    #expect(fixture.run(grid + ["--locale", "de"]).output.contains("Samstag, 21. November"))
    #expect(!fixture.run(grid).output.contains("\u{1b}["))
    #expect(fixture.run(grid + ["--color", "always"]).output.contains("\u{1b}[7m21\u{1b}[0m"))
  }

  // MARK: Time

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
    #expect(slots("--days", "1", "--calendar", "home") == ["21T09:00 480"])
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

  // MARK: The store

  @Test("import: name, rehearsal, strictness, shrinking, quiet, report, encoding")
  func importing() throws {
    let file = fixture.path("work.ics")
    func calendars() -> [String] { fixture.rows(["calendars"]).compactMap { $0["calendar"] } }
    func run(_ options: String...) -> InMemoryRun {
      fixture.run(["import", file] + options, isPinned: false)
    }
    #expect(run("--dry-run").output.hasSuffix("8 to add\n"))
    #expect(calendars() == [])
    #expect(run("--calendar", "mine", "--quiet").output == "")
    #expect(calendars() == ["mine"])
    #expect(run("--calendar", "mine", "-f", "json").output.hasPrefix("{\"version\":1,"))
    try fixture.write(
      "work.ics", OptionFixture.work.replacing("20261121T083000", with: "20261131T083000"))
    let strict = run("--calendar", "mine", "--strict")
    #expect(strict.status == .failed)
    #expect(fixture.titles(["show"]).contains("21 Running"))
    try fixture.write("work.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n")
    #expect(run("--calendar", "mine").status == .failed)
    #expect(fixture.titles(["show"]).contains("21 Running"))
    #expect(run("--calendar", "mine", "--allow-shrink").status == .done)
    #expect(fixture.titles(["show"]) == [])
    let latin = fixture.run(
      ["import", fixture.path("latin.ics"), "--encoding", "ISO-8859-15"], isPinned: false)
    #expect(latin.errors == "")
    #expect(fixture.titles(["show"]).contains("21 Café"))
  }

  @Test("refresh: rehearsal, strictness, shrinking, quiet, report")
  func refreshing() throws {
    importAll()
    func run(_ options: String...) -> InMemoryRun {
      fixture.run(["refresh"] + options, isPinned: false)
    }
    #expect(run("--quiet").output == "")
    #expect(run("-f", "json").output.hasPrefix("{\"version\":1,"))
    let bad = OptionFixture.work.replacing("20261121T163000", with: "20261131T163000")
    try fixture.write("work.ics", bad)
    #expect(run("--strict").status == .failed)
    #expect(fixture.titles(["show"]).contains("21 Dentist"))
    try fixture.write("work.ics", OptionFixture.work.replacing("Running", with: "Walking"))
    #expect(run("--dry-run").output.contains("1 to update"))
    #expect(fixture.titles(["show"]).contains("21 Running"))
    #expect(run().output.contains("1 updated"))
    try fixture.write("work.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n")
    #expect(run().status == .failed)
    #expect(run("--allow-shrink").status == .done)
    #expect(fixture.titles(["show"]) == ["21 Cake"])
  }

  @Test("calendars, changes, undo, export, remove: formats, languages, files, quiet")
  func storeReports() throws {
    importAll()
    #expect(fixture.run(["calendars", "-f", "json"]).output.hasPrefix("{\"version\":1,"))
    let german = fixture.run(["calendars", "--locale", "de"]).output
    #expect(german != fixture.run(["calendars"]).output)
    try fixture.write("work.ics", OptionFixture.work.replacing("Running", with: "Walking"))
    let later = ["--now", "2026-11-22T09:00:00+01:00"]
    #expect(fixture.run(["refresh"] + later, isPinned: false).status == .done)
    func changes(_ options: String...) -> String {
      fixture.run(["changes"] + options + later).output
    }
    #expect(changes().split(separator: "\n").count == 2, "\(changes())")
    #expect(changes("--since", "2020-01-01").split(separator: "\n").count > 5)
    #expect(changes("--since", "1h", "--calendar", "home", "--if-any") == "")
    #expect(changes("--calendar", "work").contains("Walking"))
    #expect(changes("-f", "json").hasPrefix("{\"version\":1,"))
    let narrow = fixture.run(["changes", "--since", "2020-01-01"] + later, columns: 30).output
    #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 30 })
    #expect(narrow.contains("\n             "))
    let since = ["changes", "--since", "2020-01-01"] + later
    #expect(fixture.run(since + ["--locale", "de"]).output != fixture.run(since).output)
    #expect(fixture.run(["export", "--output", fixture.path("all.ics")]).output == "")
    #expect(
      try String(contentsOfFile: fixture.path("all.ics"), encoding: .utf8)
        == fixture.run(["export"]).output)
    #expect(fixture.run(["undo", "--quiet"]).output == "")
    #expect(fixture.titles(["show"]).contains("21 Running"))
    #expect(fixture.run(["remove", "Home", "--quiet"]).output == "")
    #expect(!fixture.titles(["show"]).contains("21 Cake"))
    #expect(fixture.run(["doctor", "-f", "json"]).output.hasPrefix("{\"version\":1,"))
  }

  @Test("add: when, how long, where, what else")
  func adding() {
    func run(_ options: String...) -> InMemoryRun { fixture.run(["add", "Tea"] + options) }
    func row() -> [String: String] { fixture.rows(["show", "--search", "tea"]).first ?? [:] }
    #expect(run("--at", "2026-11-24T12:30", "--quiet").output == "")
    #expect(row()["start"] == "2026-11-24T12:30:00+01:00")
    #expect(row()["end"] == "2026-11-24T13:30:00+01:00")
    func added(_ options: String...) -> [String: String] {
      _ = fixture.run(["remove", "local", "--quiet"])
      let run = fixture.run(["add", "Tea", "--at", "2026-11-24T12:30"] + options)
      #expect(run.status == .done, "\(run.errors)")
      return row()
    }
    #expect(added("--for", "1h30m")["end"] == "2026-11-24T14:00:00+01:00")
    #expect(added("--until", "2026-11-25T08:00")["end"] == "2026-11-25T08:00:00+01:00")
    #expect(added("--location", "Café")["location"] == "Café")
    #expect(added("--category", "a", "--category", "b")["categories"] == "a, b")
    _ = added("--note", "bring cups", "--url", "https://example.com/")
    let json = fixture.run(["show", "--search", "cups", "-f", "jsonl"]).output
    #expect(json.contains("\"description\":\"bring cups\""))
    #expect(json.contains("\"url\":\"https://example.com/\""))
    _ = added("--repeat", "FREQ=DAILY;COUNT=3")
    #expect(fixture.rows(["show", "--search", "tea"]).count == 3)
    _ = added("--timezone", "Asia/Tokyo")
    #expect(row()["timeZone"] == "Asia/Tokyo")
    #expect(
      run("--at", "2026-11-24", "--locale", "de").output.contains(
        " Tea: Dienstag, 24. November 2026"))
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

  /// It is Saturday, 09:00.
  @Test(
    "add: --at in words",
    arguments: [
      ("19:00", "2026-11-21T19:00:00+01:00"), ("08:00", "2026-11-22T08:00:00+01:00"),
      ("+3d 9:30", "2026-11-24T09:30:00+01:00"), ("monday 19:00", "2026-11-23T19:00:00+01:00"),
      ("24 dec noon", "2026-12-24T12:00:00+01:00"), ("tomorrow", "2026-11-22"),
    ])
  func startInWords(words: String, start: String) {
    let run = fixture.run(["add", "Tea", "--at", words])
    #expect(run.status == .done, "\(run.errors)")
    #expect(fixture.rows(["show", "--search", "tea"]).first?["start"] == start)
    for wrong in ["\(words) tea", "\(words) 1h", ""] {
      #expect(fixture.run(["add", "Tea", "--at", wrong]).status == .wrongCommandLine, "\(wrong)")
    }
  }

  @Test("check: report, quiet, name, strictness, encoding")
  func checking() throws {
    let file = fixture.path("work.ics")
    #expect(fixture.run(["check", file, "-f", "json"]).output.hasPrefix("{\"version\":1,"))
    #expect(fixture.run(["check", file, "--quiet"]).output == "")
    #expect(fixture.run(["check", file, "--calendar", "x"]).output.contains("calendar x"))
    #expect(fixture.run(["check", fixture.path("latin.ics")]).output.contains("warning"))
    #expect(
      !fixture.run(["check", fixture.path("latin.ics"), "--encoding", "Windows-1252"]).output
        .contains("warning"))
    try fixture.write(
      "work.ics", OptionFixture.work.replacing("20261121T083000", with: "20261131T083000"))
    #expect(fixture.run(["check", file]).output.contains("1 rejected"))
    #expect(fixture.run(["check", file, "--strict"]).output.contains("refused"))
  }

  // MARK: Everywhere

  @Test("--encoding, wherever sources are read")
  func encoding() {
    let latin = fixture.path("latin.ics")
    let without = fixture.run(["show", latin, "--days", "1"])
    #expect(without.errors.contains("Windows-1252"))
    let commands = [
      ["show", latin], ["today", latin], ["tomorrow", latin], ["week", latin], ["month", latin],
      ["next", latin], ["search", "kin", "--source", latin], ["event", "1.2", latin],
      ["explain", "1.2", latin], ["calendar", latin], ["free", latin], ["alarms", latin],
      ["tasks", latin], ["attachment", "1.4", latin],
    ]
    for command in commands {
      let run = fixture.run(command + ["--encoding", "ISO-8859-1"])
      #expect(run.status == .done, "\(command) \(run.errors)")
      #expect(run.errors == "", "\(command)")
      #expect(fixture.run(command + ["--encoding", "klingon"]).status == .wrongCommandLine)
    }
  }

  @Test("--store, wherever there is one; AGENDA_STORE without it")
  func store() {
    importAll()
    let other = ["--store", fixture.path("other.sqlite")]
    #expect(
      fixture.run(["import", fixture.path("home.ics")] + other, isPinned: false).status == .done)
    #expect(fixture.titles(["show"] + other) == ["21 Cake"])
    for command in AgendaCommand.all.map(\.declaration)
    where command.option(named: "store") != nil {
      var line = [command.name]
      switch command.name {
      case "event", "explain": line.append("1.1")
      case "search": line.append("kin")
      case "attachment", "remove", "add", "edit", "done", "reply", "import", "undo", "completions",
        // `watch` waits for a signal.
        "watch":
        continue
      default: break
      }
      let nowhere = ["--store", fixture.path("nowhere.sqlite")]
      let isPinned = command.option(named: "timezone") != nil
      let here = fixture.run(line + other, isPinned: isPinned)
      let there = fixture.run(line + nowhere, isPinned: isPinned)
      #expect(here.status == .done, "\(line) \(here.errors)")
      #expect(
        here.output != there.output || here.status != there.status, "\(line) \(here.output)")
    }
    #expect(fixture.run(["attachment", "1.1"] + other).errors.contains("no attachments"))
    _ = fixture.run(["add", "Tea", "--at", "today"] + other)
    #expect(fixture.titles(["show"] + other) == ["21 Tea", "21 Cake"])
    #expect(!fixture.titles(["show"]).contains("21 Tea"))
    _ = fixture.run(["undo"] + other)
    _ = fixture.run(["remove", "Home"] + other)
    #expect(fixture.titles(["show"] + other) == [])
    #expect(
      fixture.run(["completions", "--list", "calendars"], isPinned: false).output
        == "Home\nWork\n")
    #expect(
      fixture.run(["completions", "--list", "calendars"] + other, isPinned: false).output == "")
  }

  @Test("--now and --timezone are understood by every command that looks at the time")
  func everywhere() {
    importAll()
    let pins = ["--now", "2026-11-21T09:00:00+01:00", "--timezone", "Europe/Berlin"]
    for command in AgendaCommand.all.map(\.declaration)
    where command.option(named: "now") != nil {
      let run = fixture.run(
        [command.name, "--now", "noon"] + Self.operands(of: command), isPinned: false)
      #expect(run.status == .wrongCommandLine, "\(command.name)")
      #expect(
        run.errors.hasPrefix("agenda: --now: expected a time such as 2026"), "\(run.errors)")
      if command.option(named: "timezone") != nil {
        let zone = fixture.run(
          [command.name] + pins + ["--timezone", "Nowhere"] + Self.operands(of: command),
          isPinned: false)
        #expect(zone.status == .wrongCommandLine, "\(command.name)")
        #expect(zone.errors.hasPrefix("agenda: --timezone: "), "\(zone.errors)")
      }
    }
  }

  /// Enough for the command to begin.
  private static func operands(of command: Command) -> [String] {
    let required = command.operands.filter { !$0.isOptional }.map { operand in
      operand.value.name == "REF" ? "1.1" : "x"
    }
    return required + (command.name == "add" ? ["--at", "today"] : [])
      + (["remove", "import"].contains(command.name) ? ["x"] : [])
  }

  @Test("help: as a manual page, and all of them into a folder")
  func help() throws {
    #expect(fixture.run(["help", "--man"], isPinned: false).output.hasPrefix(".Dd "))
    let run = fixture.run(["help", "--into", fixture.folder.path], isPinned: false)
    #expect(run.status == .done)
    #expect(run.output == "")
    for command in AgendaCommand.all.map(\.declaration.name) {
      #expect(
        try String(contentsOfFile: fixture.path("agenda-\(command).1"), encoding: .utf8)
          == fixture.run(["help", "--man", command], isPinned: false).output)
    }
    #expect(
      fixture.run(["help", "--into", fixture.path("none")], isPinned: false).status == .failed)
    for command in AgendaCommand.all.map(\.declaration.name) {
      let run = fixture.run([command, "--version"], isPinned: false)
      #expect(run.output == fixture.run(["--version"], isPinned: false).output)
    }
  }

  @Test("options can be shortened, attached, combined, and before or after the command")
  func spellings() {
    let sources = fixture.sources
    let plain = fixture.run(["show"] + sources + ["--format", "json", "--days", "3"])
    #expect(plain.status == .done)
    for line in [
      ["show", "--format=json", "--days=3"] + sources,
      ["show", "-f", "json", "--days", "3"] + sources,
      ["show", "-fjson", "--da", "3"] + sources, ["show", "--fo", "json", "--day=3"] + sources,
      ["show", sources[0], "--days", "3", sources[1], "-fjson"],
      ["show", "--days", "3", "-f", "json", "--"] + sources,
      ["show", "-f", "text", "--days", "3", "-f", "json"] + sources,
    ] { #expect(fixture.run(line).output == plain.output, "\(line)") }
    let ambiguous = fixture.run(["show", "--not"] + sources)
    #expect(ambiguous.status == .wrongCommandLine)
    #expect(
      ambiguous.errors
        == "agenda: ambiguous option --not: it can mean --not-calendar, --not-started, --not-declined\n"
    )
    #expect(
      fixture.run(["show", "--once", "--no-once"] + sources).output
        == fixture.run(["show"] + sources).output)
    #expect(
      fixture.run(["show", "-days"]).errors
        == "agenda: unknown option -days; did you mean --days?\n")
    for (typed, meant) in [("-V", "--version"), ("-d", "--days"), ("version", "--version")] {
      let run = fixture.run([typed], isPinned: false)
      #expect(run.status == .wrongCommandLine)
      #expect(run.errors.hasSuffix("; did you mean \(meant)?\n"), "\(run.errors)")
    }
    #expect(
      fixture.run(["show", "-c"]).errors
        == "agenda: unknown option -c; agenda show --help lists all options\n")
    #expect(
      fixture.run(["show", "--once=yes"]).errors
        == "agenda: --once: this option does not take a value\n")
    #expect(
      fixture.run(["show", "--days"]).errors == "agenda: --days: missing value; write --days N\n")
    #expect(fixture.run(["show", "--", "--days"]).errors.contains("--days: No such file"))
  }
}
