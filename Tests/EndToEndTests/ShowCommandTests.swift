import Foundation
import TestSupport
import Testing

/// What each option of `show` and its relatives does, on a calendar written for it.
@Suite("show")
struct ShowCommandTests {
  /// Saturday, 21 November 2026, 09:00 in Berlin is now.
  static let calendar = TestSupport.calendar(
    [
      event(
        "early", "DTSTART;TZID=Europe/Berlin:20261121T080000",
        "DTEND;TZID=Europe/Berlin:20261121T083000", "SUMMARY:Early bird", "CATEGORIES:birds"),
      event(
        "running", "DTSTART;TZID=Europe/Berlin:20261121T083000",
        "DTEND;TZID=Europe/Berlin:20261121T093000", "SUMMARY:Running", "LOCATION:Park"),
      event(
        "later", "DTSTART;TZID=America/New_York:20261121T100000",
        "DTEND;TZID=America/New_York:20261121T110000", "SUMMARY:Later Café", "STATUS:CONFIRMED",
        "DESCRIPTION:about the zebra"),
      event("trip", "DTSTART;VALUE=DATE:20261120", "DTEND;VALUE=DATE:20261123", "SUMMARY:Trip"),
      event(
        "off", "DTSTART;TZID=Europe/Berlin:20261122T100000", "SUMMARY:Called off",
        "STATUS:CANCELLED"),
      event(
        "declined", "DTSTART;TZID=Europe/Berlin:20261122T120000", "SUMMARY:Not for me",
        "ATTENDEE;PARTSTAT=DECLINED;CN=Me:mailto:Me@example.com"),
      component("VTODO", "task", ["DUE;VALUE=DATE:20261122", "SUMMARY:Water the plants"]),
      event(
        "weekly", "DTSTART;TZID=Europe/Berlin:20261105T140000",
        "DTEND;TZID=Europe/Berlin:20261105T150000", "RRULE:FREQ=WEEKLY;BYDAY=TH", "SUMMARY:Weekly"),
    ],
    ["X-WR-CALNAME:Work"])

  private let folder: ScratchFolder
  private let file: String

  init() throws {
    folder = try ScratchFolder()
    file = try folder.write("work.ics", Self.calendar)
  }

  /// The titles in the order of the table, with their days.
  private func titles(_ arguments: String...) throws -> [String] {
    try titles(arguments)
  }

  private func titles(_ arguments: [String], errors: String = "") throws -> [String] {
    let run = try AgendaRun(arguments + [file, "-f", "tsv"] + AgendaRun.pinned)
    #expect(run.status == 0)
    #expect(run.errors == errors)
    return run.rows.map { "\($0["section"]?.suffix(2) ?? "") \($0["title"] ?? "")" }
  }

  @Test("the window: from, to, days, weeks, months, years")
  func window() throws {
    let today = ["21 Trip", "21 Early bird", "21 Running", "21 Later Café"]
    let sunday = ["22 Trip", "22 Not for me"]
    #expect(try titles("show", "--days", "1") == today)
    #expect(try titles("show", "--to", "today") == today)
    #expect(try titles("show", "--days", "2") == today + sunday)
    #expect(try titles("show", "--from", "tomorrow", "--to", "2026-11-22") == sunday)
    #expect(try titles("show", "--from", "-1d", "--days", "1") == ["20 Trip"])
    #expect(try titles("show", "--weeks", "1") == today + sunday + ["26 Weekly"])
    #expect(try titles("show", "--months", "1").filter { $0.hasSuffix("Weekly") }.count == 4)
    #expect(try titles("show", "--years", "1").filter { $0.hasSuffix("Weekly") }.count == 52)
    #expect(try titles("show").filter { $0.hasSuffix("Weekly") }.count == 52)
  }

  // Checks Decisions: Windows and days/1
  @Test(
    "the first day of the window, and the first one after it",
    arguments: [
      ("", "2026-11-21T00:00:00+01:00", "2027-11-21T00:00:00+01:00"),
      ("--from monday --days 1", "2026-11-23T00:00:00+01:00", "2026-11-24T00:00:00+01:00"),
      ("--to saturday", "2026-11-21T00:00:00+01:00", "2026-11-22T00:00:00+01:00"),
      ("--from +3d --weeks 1", "2026-11-24T00:00:00+01:00", "2026-12-01T00:00:00+01:00"),
      ("--from -1w --to today", "2026-11-14T00:00:00+01:00", "2026-11-22T00:00:00+01:00"),
      ("--from 2028-02-29", "2028-02-29T00:00:00+01:00", "2029-02-28T00:00:00+01:00"),
      (
        "--from 2026-12-31 --months 2", "2026-12-31T00:00:00+01:00", "2027-02-28T00:00:00+01:00"
      ),
      ("--years 2", "2026-11-21T00:00:00+01:00", "2028-11-21T00:00:00+01:00"),
      ("--from 2027-03-28 --days 1", "2027-03-28T00:00:00+01:00", "2027-03-29T00:00:00+02:00"),
    ])
  func edges(options: String, start: String, end: String) throws {
    let run = try AgendaRun(
      ["show", file, "-f", "json"] + options.split(separator: " ").map(String.init)
        + AgendaRun.pinned)
    #expect(run.status == 0)
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let window = try #require(document?["window"] as? [String: String])
    #expect(window == ["start": start, "end": end, "timeZone": "Europe/Berlin"])
  }

  @Test("today is the day of --now in the zone, and a window has one length")
  func today() throws {
    let late = ["--now", "2026-11-21T23:30:00Z", "-f", "jsonl", "--days", "1", "--timezone"]
    #expect(
      try AgendaRun(["show", file] + late + ["Europe/Berlin"]).output
        .contains("\"section\":\"2026-11-22\""))
    #expect(
      try AgendaRun(["show", file] + late + ["America/New_York"]).output
        .contains("\"section\":\"2026-11-21\""))
    for two in [["--to", "today", "--days", "2"], ["--weeks", "1", "--months", "1"]] {
      let run = try AgendaRun(["show", file] + two)
      #expect(run.status == 2)
      #expect(run.output == "")
    }
  }

  @Test("a source is read as the encoding that is named")
  func encoding() throws {
    let path = folder.url.appendingPathComponent("latin.ics")
    var bytes = Data("BEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261121T120000Z\r\nSUMMARY:5 ".utf8)
    bytes.append(0xa4)
    bytes.append(contentsOf: "\r\nEND:VEVENT\r\n".utf8)
    try bytes.write(to: path)
    for (name, title) in [("ISO-8859-15", "5 €"), ("iso-8859-1", "5 ¤"), ("Windows-1252", "5 ¤")] {
      let run = try AgendaRun(
        ["show", path.path, "--encoding", name, "-f", "tsv"] + AgendaRun.pinned)
      #expect(run.status == 0)
      #expect(run.rows.compactMap { $0["title"] } == [title])
    }
    let run = try AgendaRun(["show", path.path, "--encoding", "klingon"])
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("agenda: --encoding: expected one of UTF-8, "))
    #expect(run.errors.contains(", KOI8-R, Shift_JIS, "))
    #expect(run.errors.contains(", or another that iconv converts, got \"klingon\"\n"))
  }

  /// A C library without converters, as in a small container.
  private static let withoutConverters: URL? = {
    #if os(Linux)
      let source = """
        #include <errno.h>
        void *iconv_open(char *to, char *from) { errno = EINVAL; return (void *)-1; }
        """
      let library = Repository.build.appendingPathComponent("oracles/no-iconv.so")
      try? FileManager.default.createDirectory(
        at: library.deletingLastPathComponent(), withIntermediateDirectories: true)
      let run = try? Tool("cc").run(
        ["-shared", "-fPIC", "-w", "-x", "c", "-o", library.path, "-"], input: source)
      return run?.status == 0 ? library : nil
    #else
      return nil
    #endif
  }()

  @Test(
    "a message names the packages of a converter that is not installed",
    .enabled("no C compiler, or no LD_PRELOAD") { withoutConverters != nil })
  func missingConverter() throws {
    let environment = ["LD_PRELOAD": try #require(Self.withoutConverters).path]
    let named = try AgendaRun(
      ["show", file, "--encoding", "koi8-r"] + AgendaRun.pinned, environment: environment)
    #expect(named.status == 1)
    #expect(named.errors.contains("work.ics: no converter for KOI8-R is installed; "))
    #expect(named.errors.contains("libc-gconv-modules-extra"))
    let old = try folder.write(
      "old.ics",
      """
      BEGIN:VCALENDAR
      VERSION:1.0
      BEGIN:VEVENT
      UID:a
      DTSTART:20261121T120000Z
      SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=KOI8-R:=EF=C2=C5=C4
      END:VEVENT
      END:VCALENDAR
      """)
    let check = try AgendaRun(["check", old], environment: environment)
    #expect(
      check.output.contains("no converter for CHARSET=KOI8-R is installed"), "\(check)")
    #expect(check.output.contains("read as Windows-1252"), "\(check)")
  }

  @Test(
    "each command of the agenda has its options, and only its own window",
    arguments: ["show", "next", "week", "month", "today", "tomorrow"])
  func options(command: String) throws {
    let help = try AgendaRun([command, "--help"]).output
    func takes(_ option: String) -> Bool {
      help.contains(" --\(option) ") || help.contains(" --\(option)\n")
    }
    for option in [
      "now", "timezone", "locale", "format", "group-by", "calendar", "search", "limit", "media",
      "once", "not-started", "not-declined", "include-cancelled", "tasks", "if-any", "color",
      "store",
    ] {
      #expect(takes(option), "\(option)")
    }
    let hasLength = ["show", "next"].contains(command)
    for option in ["to", "days", "weeks", "months", "years"] {
      #expect(takes(option) == hasLength, "\(option)")
    }
    #expect(takes("from") == (hasLength || ["week", "month"].contains(command)))
  }

  // Checks Decisions: Small decisions/10
  @Test("today, tomorrow, week and month are show with that window")
  func relatives() throws {
    #expect(try titles("today") == titles("show", "--days", "1"))
    #expect(try titles("tomorrow") == titles("show", "--from", "tomorrow", "--days", "1"))
    #expect(try titles("week") == titles("show", "--weeks", "1"))
    #expect(try titles("month") == titles("show", "--months", "1"))
    #expect(
      try titles("week", "--from", "monday")
        == titles("show", "--from", "monday", "--weeks", "1"))
  }

  @Test("next: the running ones included, multi-day entries once, as many as asked for")
  func next() throws {
    #expect(try titles("next") == ["21 Trip"])
    #expect(try titles("next", "3") == ["21 Trip", "21 Running", "21 Later Café"])
    #expect(try titles("next", "4").last == "22 Not for me")
    #expect(try titles("next", "2", "--not-started") == ["21 Trip", "21 Later Café"])
  }

  @Test("show times and days in this time zone")
  func timezone() throws {
    let run = try AgendaRun([
      "show", file, "--days", "1", "--now", "2026-11-21T09:00:00+01:00", "--timezone",
      "Pacific/Auckland", "-f", "tsv", "--search", "running",
    ])
    #expect(run.rows.map { $0["start"] } == ["2026-11-21T20:30:00+13:00"])
    #expect(run.status == 0)
    let fromTZ = try AgendaRun(
      ["show", file, "--days", "1", "--now", "2026-11-21T09:00:00+01:00", "-f", "tsv"],
      environment: ["TZ": ":Pacific/Auckland"])
    #expect(fromTZ.rows.contains { $0["start"] == "2026-11-21T20:30:00+13:00" })
  }

  @Test("the selection: search, calendars, cancelled, declined, tasks, begun, once, limit")
  func selection() throws {
    #expect(try titles("show", "--search", "CAFE") == ["21 Later Café"])
    #expect(try titles("show", "--search", "zebra later") == ["21 Later Café"])
    #expect(try titles("show", "--search", "zebra trip") == [])
    #expect(try titles("show", "--calendar", "work", "--days", "1").count == 4)
    let warning = "agenda: warning: unknown calendar \"home\"\n"
    #expect(try titles(["show", "--calendar", "home", "--days", "1"], errors: warning) == [])
    let both = ["show", "--calendar", "home", "--calendar", "Work", "--days", "1"]
    #expect(try titles(both, errors: warning).count == 4)
    #expect(
      try titles(
        ["show", "--calendar", "wrok", "--days", "1"],
        errors: "agenda: warning: unknown calendar \"wrok\"; did you mean Work?\n") == [])
    #expect(try titles("show", "--days", "2", "--include-cancelled").contains("22 Called off"))
    #expect(try !titles("show", "--days", "2").contains("22 Called off"))
    #expect(
      try !titles("show", "--days", "2", "--not-declined", "me@EXAMPLE.com")
        .contains("22 Not for me"))
    #expect(try titles("show", "--days", "2", "--tasks").contains("22 Water the plants"))
    #expect(
      try titles("show", "--days", "1", "--not-started") == ["21 Trip", "21 Later Café"])
    #expect(
      try titles("show", "--days", "2", "--once").filter { $0.hasSuffix("Trip") } == ["21 Trip"])
    #expect(try titles("show", "--limit", "2") == ["21 Trip", "21 Early bird"])
  }

  @Test(
    "sections by each key",
    arguments: [
      ("day", ["2026-11-21", "2026-11-22"]), ("week", ["2026-W47"]), ("month", ["2026011"]),
      ("year", ["2026"]), ("calendar", ["Work"]), ("category", ["birds", ""]),
      ("location", ["Park", ""]), ("status", ["confirmed", ""]),
      ("initial", ["E", "L", "N", "R", "T"]), ("none", [""]),
    ])
  func groups(key: String, sections: [String]) throws {
    let run = try AgendaRun(
      ["show", file, "--days", "2", "--group-by", key, "-f", "tsv"] + AgendaRun.pinned)
    #expect(run.status == 0)
    var found: [String] = []
    for row in run.rows where found.last != row["section"] { found.append(row["section"] ?? "?") }
    #expect(found == sections)
  }

  @Test("formats: one document, lines, a table, Markdown, text")
  func formats() throws {
    let arguments = ["show", file, "--days", "1"] + AgendaRun.pinned
    let json = try AgendaRun(arguments + ["--format", "json"])
    #expect(json.status == 0)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(document["version"] as? Int == 1)
    #expect(document["groupedBy"] as? String == "day")
    let sections = try #require(document["sections"] as? [[String: Any]])
    #expect(sections.count == 1)
    let lines = try AgendaRun(arguments + ["-fjsonl"]).output.split(separator: "\n")
    #expect(lines.count == 4)
    for line in lines {
      let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(entry?["section"] as? String == "2026-11-21")
    }
    try AgendaRun(arguments + ["-f", "markdown"]).expect(
      0,
      output: """
        ## Saturday, 21 November 2026

        - **all day** Trip (day 2 of 3) · *Work*
        - **08:00–08:30** Early bird · *Work*
        - **08:30–09:30** Running · Park · *Work*
        - **16:00–17:00** Later Café · *Work*

        """)
    #expect(
      try AgendaRun(arguments + ["-f", "markdown", "--toc"]).output
        .hasPrefix("- November 2026: [21](#saturday-21-november-2026)\n\n## Saturday"))
    try AgendaRun(arguments).expect(
      0,
      output: """
        Saturday, 21 November 2026 · today
          all day      Trip (day 2 of 3) · Work
          08:00–08:30  Early bird · Work
          08:30–09:30  Running · Park · Work
          16:00–17:00  Later Café · Work

        """)
    #expect(
      try AgendaRun(arguments + ["--zones"]).output
        .contains("Later Café (10:00 America/New_York) · Work\n"))
    let table = try AgendaRun(arguments + ["-f", "tsv"]).rows
    let identifiers = table.compactMap { $0["id"] }
    let text = try AgendaRun(arguments + ["--ids"]).output
    #expect(identifiers.count == 4)
    for identifier in identifiers { #expect(text.contains(" · \(identifier)\n")) }
  }

  @Test("the language: --locale, then LC_ALL, LC_TIME, LANG")
  func locale() throws {
    let arguments = ["show", file, "--days", "1"] + AgendaRun.pinned
    let german = "Samstag, 21. November 2026 · heute\n"
    #expect(try AgendaRun(arguments + ["--locale", "de"]).output.hasPrefix(german))
    #expect(
      try AgendaRun(arguments, environment: ["LANG": "de_DE.UTF-8"]).output.hasPrefix(german))
    #expect(
      try AgendaRun(arguments, environment: ["LANG": "fr_FR", "LC_TIME": "de_DE"]).output
        .hasPrefix(german))
    #expect(
      try AgendaRun(arguments, environment: ["LC_ALL": "de_AT", "LC_TIME": "fr_FR"]).output
        .hasPrefix(german))
    #expect(
      try AgendaRun(arguments, environment: ["LANG": "C.UTF-8"]).output
        .hasPrefix("Saturday, 21 November 2026"))
  }

  @Test("an empty window is one friendly line, and nothing with --if-any")
  func empty() throws {
    let arguments =
      ["show", file, "--from", "2030-01-01", "--days", "1", "--search", "Running"]
      + AgendaRun.pinned
    try AgendaRun(arguments).expect(0, output: "Tuesday, 1 January 2030: nothing that matches\n")
    let all = arguments.filter { !["--search", "Running"].contains($0) }
    try AgendaRun(all).expect(0, output: "Nothing on Tuesday, 1 January 2030.\n")
    for format in ["text", "markdown", "json", "jsonl", "tsv"] {
      try AgendaRun(arguments + ["--if-any", "-f", format]).expect(0, output: "")
    }
    #expect(try !AgendaRun(["today", file, "--if-any"] + AgendaRun.pinned).output.isEmpty)
  }

  @Test(
    "colours only where asked for, or on a terminal without NO_COLOR", .requires("script"))
  func color() throws {
    let arguments = ["show", file, "--days", "1"] + AgendaRun.pinned
    let escape = "\u{1b}["
    #expect(try !AgendaRun(arguments).output.contains(escape))
    #expect(try AgendaRun(arguments + ["--color", "always"]).output.contains(escape))
    #expect(try !AgendaRun(arguments + ["--color", "never"]).output.contains(escape))
    let line = (["agenda"] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let inTerminal = "script -qec \"\(line)\" /dev/null"
    #expect(
      try AgendaRun(shell: inTerminal, environment: ["TERM": "xterm"]).output.contains(escape))
    for environment in [["TERM": "xterm", "NO_COLOR": "1"], ["TERM": "dumb"], [:]] {
      #expect(
        try !AgendaRun(shell: inTerminal, environment: environment).output.contains(escape))
    }
  }

  @Test("several sources are one agenda, and the same one twice is one")
  func severalSources() throws {
    let other = try folder.write(
      "home.ics", Self.calendar.replacing("X-WR-CALNAME:Work\r\n", with: ""))
    let copy = try folder.write("copy.ics", Self.calendar)
    let link = folder.url.appendingPathComponent("link.ics")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: URL(fileURLWithPath: file))
    let today = ["show", "--days", "1", "-f", "tsv"] + AgendaRun.pinned
    #expect(try AgendaRun(today + [file]).rows.count == 4)
    #expect(try AgendaRun(today + [file, file, copy, link.path]).rows.count == 4)
    let both = try AgendaRun(today + [file, other]).rows
    #expect(both.count == 8)
    #expect(Set(both.compactMap { $0["calendar"] }) == ["Work", "home"])
    #expect(Set(both.compactMap { $0["id"] }).count == 4)
  }

  @Test("standard input, folders, FIFOs, missing files, URLs")
  func sources() throws {
    let arguments = ["--days", "1", "-f", "tsv"] + AgendaRun.pinned
    let input = try AgendaRun(["show", "-"] + arguments, input: Self.calendar)
    #expect(input.status == 0)
    #expect(input.rows.count == 4)
    try folder.write("vdir/one.ics", Self.calendar)
    try folder.write("vdir/not-a-calendar.txt", "x")
    let vdir = try AgendaRun(["show", "vdir"] + arguments, in: folder.url)
    #expect(vdir.status == 0)
    #expect(vdir.rows.count == 4)

    let fifo = try AgendaRun(
      shell: "mkfifo fifo.ics vdir/fifo.ics; agenda show fifo.ics; echo $?; mkdir empty;"
        + " agenda show empty; echo $?; agenda show vdir --days 1 \(AgendaRun.pinned.joined(separator: " ")) -f jsonl | wc -l",
      in: folder.url)
    #expect(fifo.output == "1\n1\n4\n")
    #expect(
      fifo.errors == """
        agenda: fifo.ics: a FIFO, not a file
        agenda: empty: no .ics file in this folder
        vdir/fifo.ics: error: a FIFO, not a file; file skipped

        """)
    try AgendaRun(["show", "none.ics"]).expect(
      1, output: "", errors: "agenda: none.ics: No such file or directory\n")
    let url = try AgendaRun(["show", "http://me:pass@127.0.0.1:1/secret/token.ics?key=1"])
    #expect(url.status == 1)
    #expect(url.output == "")
    #expect(url.errors.hasPrefix("agenda: http://127.0.0.1:1/…#"))
    #expect(url.errors.contains("Failed to connect to 127.0.0.1 port 1"))
    for secret in ["me", "pass", "secret", "token", "key"] {
      #expect(!url.errors.contains(secret + "/") && !url.errors.contains("\(secret)@"))
    }
  }

  @Test("problems of a source go to standard error, and its valid events are shown")
  func findings() throws {
    let bad = try folder.write(
      "bad.ics",
      Self.calendar.replacing(
        "DTSTART;TZID=Europe/Berlin:20261121T080000", with: "DTSTART:20261131T080000"
      )
      .replacing("TZID=America/New_York", with: "TZID=Eastern Standard Time"))
    let run = try AgendaRun(["show", bad, "--days", "1", "-f", "tsv"] + AgendaRun.pinned)
    #expect(run.status == 1)
    #expect(run.rows.count == 3)
    #expect(
      run.errors == """
        \(bad):8: error: VEVENT early: invalid DTSTART \"20261131T080000\": no such date; event rejected

        """)
    let html = try folder.write("login.ics", "<!DOCTYPE html><html><body>Log in</body></html>")
    try AgendaRun(["show", html]).expect(
      1, output: "", errors: "agenda: \(html): not an iCalendar file: this is HTML\n")
  }
}

extension AgendaRun {
  /// The rows of a table with a header row.
  var rows: [[String: String]] {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: true).map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let header = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
  }
}
