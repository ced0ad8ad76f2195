import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

@Suite("--also")
struct SecondZoneTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  private func show(_ options: String...) -> InMemoryRun {
    fixture.run(["show"] + fixture.sources + options)
  }

  @Test("a second column has the times of the zone, and the weekday if the date differs")
  func column() {
    let eastern = show("--days", "1", "--also", "America/New_York")
    #expect(
      eastern.output == """
        Saturday, 21 November 2026 · today
          all day                       Trip (day 2 of 3) · Work
          08:30–09:30      02:30–03:30  Running · Park · Work
          16:00–17:00      10:00–11:00  Later · Work
          16:30–17:30      10:30–11:30  Dentist · Work
          20:00–21:00      14:00–15:00  Cake · Home

        """)
    let tokyo = show("--days", "1", "--also", "Asia/Tokyo", "--search", "a")
    #expect(tokyo.output.contains("  16:00–17:00  Sun 00:00–01:00  Later · Work\n"))
    #expect(tokyo.output.contains("  08:30–09:30      16:30–17:30  Running"))
    let american = show("--days", "1", "--also", "Asia/Tokyo", "--locale", "en_US")
    #expect(american.output.contains("   4:00 – 5:00 PM      Sun 12:00 – 1:00 AM      Later"))
  }

  @Test(
    "a narrow terminal shows both starts, and no line is too wide", arguments: [40, 59, 60, 80])
  func narrow(columns: Int) {
    for grouping in ["day", "month", "none"] {
      let run = fixture.run(
        ["show"] + fixture.sources
          + ["--days", "9", "--also", "Asia/Tokyo", "--group-by", grouping],
        columns: columns)
      for line in run.output.replacing(/\u{1b}\[[0-9;]*m/, with: "").split(separator: "\n") {
        #expect(line.count <= columns, "\(line)")
      }
      #expect(run.output.contains("Sun 00:00"))
    }
  }

  @Test("JSON and TSV have the same moments in the second zone", .requiresPython)
  func moments() throws {
    let zones = ["America/New_York", "Asia/Kathmandu", "Pacific/Apia", "UTC", "Europe/Dublin"]
    for zone in zones {
      let rows = fixture.rows(["show"] + fixture.sources + ["--also", zone])
      #expect(rows.count > 50)
      let starts = rows.map { $0["start"] ?? "" } + rows.map { $0["end"] ?? "" }
      let also = rows.map { $0["alsoStart"] ?? "" } + rows.map { $0["alsoEnd"] ?? "" }
      let script = """
        import sys, zoneinfo, datetime
        zone = zoneinfo.ZoneInfo(sys.argv[1])
        for line in sys.stdin.read().split():
            if "T" in line:
                line = datetime.datetime.fromisoformat(line).astimezone(zone).isoformat()
            print(line)
        """
      let oracle = try Python.run(["-c", script, zone], input: starts.joined(separator: "\n"))
      #expect(oracle.status == 0, "\(oracle.errors)")
      // RFC 3339 of UTC is written with Z.
      let expected = oracle.output.replacing("+00:00", with: "Z").split(separator: "\n")
      #expect(also.map { $0.replacing("+00:00", with: "Z") } == expected.map(String.init))

      let json = show("-f", "jsonl", "--also", zone).output
      let found = json.matches(of: /"alsoStart":"([^"]+)","alsoEnd":"([^"]+)"/)
      #expect(found.map { String($0.1) } + found.map { String($0.2) } == also)
      let template = show("--template", "{alsoStart} {alsoEnd}", "--also", zone).output
      #expect(
        template.split(separator: "\n").map(String.init)
          == zip(also.prefix(rows.count), also.suffix(rows.count)).map { "\($0) \($1)" })
    }
    #expect(
      show("--template", "{alsoStart:%H:%M}", "--also", "Asia/Tokyo", "--days", "1").output
        == "\n16:30\n00:00\n00:30\n04:00\n")
  }

  @Test("the last line has each change of the difference within the window", .requiresPython)
  func note() throws {
    // Every quarter of an hour of the window, in two zones.
    let script = """
      import sys, zoneinfo, datetime
      own, also = zoneinfo.ZoneInfo("Europe/Berlin"), zoneinfo.ZoneInfo(sys.argv[1])
      moment = datetime.datetime(2026, 11, 21, tzinfo=own).astimezone(datetime.timezone.utc)
      end = datetime.datetime(2027, 11, 21, tzinfo=own)
      last = None
      while moment < end:
          difference = moment.astimezone(also).utcoffset() - moment.astimezone(own).utcoffset()
          if difference != last:
              print(moment.astimezone(own).date(), int(difference.total_seconds()))
          last = difference
          moment += datetime.timedelta(minutes=15)
      """
    for zone in [
      "America/New_York", "Australia/Lord_Howe", "Europe/London", "Asia/Tokyo", "Africa/Casablanca",
    ] {
      let oracle = try Python.run(["-c", script, zone])
      #expect(oracle.status == 0, "\(oracle.errors)")
      let changes = oracle.output.split(separator: "\n").map { line in
        let words = line.split(separator: " ")
        return (date: String(words[0]), seconds: Int(words[1]) ?? 0)
      }
      let output = show("--also", zone, "--locale", "sv").output
      let last = String(output.split(separator: "\n").last ?? "")
      guard changes.count > 1 else {
        #expect(!last.hasPrefix("Tokyo"))
        continue
      }
      let parts = last.split(separator: ": ", maxSplits: 1).last?.split(separator: "; ") ?? []
      #expect(parts.count == changes.count, "\(last)")
      for (part, change) in zip(parts, changes) {
        let numbers = part.matches(of: /\d+/).compactMap { Int($0.0) }
        let (hours, minutes) = (abs(change.seconds) / 3600, abs(change.seconds) / 60 % 60)
        let length = [hours, minutes].filter { $0 > 0 }
        #expect(Array(numbers.suffix(length.count)) == length, "\(part), \(change)")
        if part != parts.first {
          let date = change.date.split(separator: "-").compactMap { Int($0) }
          #expect(Array(numbers.prefix(2)) == [date[2], date[0]], "\(part), \(change)")
        }
      }
    }
    let english = show("--also", "America/New_York", "--months", "6").output
    #expect(
      english.hasSuffix(
        """

        New York: 6 h behind; from Sun, 14 Mar 2027: 5 h behind; from Sun, 28 Mar 2027: 6 h behind

        """))
  }

  @Test("Markdown, pages and mails name the zone")
  func documents() {
    let markdown = show("--days", "1", "-f", "markdown", "--also", "Asia/Tokyo").output
    #expect(markdown.contains("- **16:00–17:00** (Sun 00:00–01:00 Tokyo) Later"))
    #expect(markdown.contains("- **all day** Trip"))
    let page = show("-f", "html", "--also", "America/New_York").output
    #expect(page.contains("<br><small>10:00–11:00 New York</small></p>"))
    #expect(page.contains("<p>New York: 6 h behind; from Sun, 14 Mar 2027: 5 h behind; "))
    // French has a no-break space before these signs.
    let french = show("--also", "America/New_York", "--locale", "fr").output
    #expect(french.contains("New York\u{a0}: 6 h de retard\u{202f}; à partir du dim. 14 mars"))
    #expect(french.contains("mars 2027\u{a0}: 5 h de retard"))
    let mail = show("--days", "1", "--mail", "ana@example.com", "--also", "Asia/Tokyo").output
    #expect(mail.contains("Sun 00:00"))
    #expect(mail.contains("01:00 Tokyo"))
  }

  @Test("the store prints the same as the files, and nothing is added without the option")
  func store() {
    #expect(fixture.run(["import"] + fixture.sources, isPinned: false).status == .done)
    for format in ["text", "markdown", "html", "json", "jsonl", "tsv"] {
      let options = ["-f", format, "--months", "5", "--also", "America/New_York"]
      let fromFiles = fixture.run(["show"] + fixture.sources + options).output
      #expect(fixture.run(["show"] + options).output == fromFiles)
      let without = show("-f", format, "--months", "5").output
      #expect(without != fromFiles)
      #expect(!without.contains("also"))
    }
  }

  @Test("unknown zones and fields without a zone are usage errors")
  func errors() {
    let unknown = show("--also", "Europe/Berln")
    #expect(unknown.status == .wrongCommandLine)
    #expect(unknown.errors.hasPrefix("agenda: --also: "))
    #expect(unknown.errors.contains("did you mean Europe/Berlin?"))
    let field = show("--template", "{title} {alsoEnd:%H}")
    #expect(field.status == .wrongCommandLine)
    #expect(field.errors == "agenda: --template: {alsoEnd} needs --also ZONE\n")
  }
}
