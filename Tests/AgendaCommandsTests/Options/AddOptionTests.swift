import Testing

@testable import AgendaCommands

/// The options of `add`; `WritingTests` try those of the other commands that change events.
@Suite("options of add")
struct AddOptionTests: OptionSuite {
  private static let writing: Set<String> = [
    "title", "at", "for", "until", "location", "note", "category", "url", "repeat", "quiet",
    "locale", "in-zone", "event-color", "status", "alarm", "geo", "attach", "photo", "due",
    "priority", "task", "like", "calendar", "dry-run", "only", "following", "all", "editor",
  ]
  /// Options of the list in which a REF is found.
  private static let found: Set<String> = [
    "from", "to", "days", "weeks", "months", "years", "search", "group-by",
  ]

  static let covered: [String: Set<String>] = [
    "add": writing, "edit": writing.union(found),
    "reply": found.union([
      "accept", "decline", "tentative", "only", "as", "comment", "mail", "output", "locale",
    ]),
    "done": found.union(["dry-run", "quiet", "locale"]),
    "remove": ["quiet", "event", "source", "only", "following", "all", "dry-run", "yes"],
  ]

  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  @Test("add: when, how long, where, what else")
  func adding() {
    func run(_ options: String...) -> InMemoryRun { fixture.run(["add", "Tea"] + options) }
    func row() -> [String: String] { fixture.rows(["show", "--search", "tea"]).first ?? [:] }
    #expect(run("--at", "2026-11-24T12:30", "--quiet").output == "")
    #expect(row()["start"] == "2026-11-24T12:30:00+01:00")
    #expect(row()["end"] == "2026-11-24T13:30:00+01:00")
    func added(_ options: String...) -> [String: String] {
      _ = fixture.run(["remove", "local", "--quiet", "--yes"])
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
}
