import Testing

@testable import AgendaCommands
@testable import CommandLineOptions

/// The options of `show` and of the commands that show the same list in another way.
@Suite("options of listings")
struct ListingOptionTests: OptionSuite {
  private static let listings = ["show", "today", "tomorrow", "week", "month", "next", "search"]
  /// Commands that find a REF in the list with the same options.
  private static let references = ["event", "explain", "attachment", "open", "remove"]

  static let covered: [String: Set<String>] = {
    let options = Set(ListingOption.all.map(\.name))
    var covered: [String: Set<String>] = [:]
    for command in listings + references { covered[command] = options }
    covered["search"]?.insert("source")
    covered["show"]?.insert("grid")
    for command in ["week", "month"] { covered[command]?.formUnion(["whole", "grid"]) }
    return covered
  }()

  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  @Test("show: what each option changes", arguments: ListingOption.all)
  func show(option: ListingOption) {
    let plain = Listing(fixture: fixture, typed: [])
    #expect(plain.titles() == Listing.saturday + Listing.sunday)
    option.check(Listing(fixture: fixture, typed: option.typed))
  }

  @Test("the relatives of show take each option as show does", arguments: ListingOption.all)
  func relatives(option: ListingOption) throws {
    let typed = option.typed
    let windows: [(command: [String], window: [String])] = [
      (["today"], ["--days", "1"]), (["tomorrow"], ["--from", "tomorrow", "--days", "1"]),
      (["week"], ["--weeks", "1"]), (["month"], ["--months", "1"]),
      (["next", "50"], ["--once", "--limit", "50"]),
      (["search", "kin"], ["--search", "kin"]),
    ]
    for (command, window) in windows {
      let declared = AgendaCommand.all.first { $0.declaration.name == command[0] }?.declaration
      guard declared?.option(named: option.name) != nil else { continue }
      var mine = command
      var shows = ["show"] + window
      switch command[0] {
      case "search":
        for source in fixture.sources { mine += ["--source", source] }
        // Without a window it looks through all time.
        if !["days", "weeks", "months", "years", "to"].contains(option.name) {
          mine += ["--days", "9"]
          shows += ["--days", "9"]
        }
        if option.name == "if-any" { mine[1] = "nothing" }
        shows += fixture.sources
        let plain = option.name == "if-any" ? ["--if-any"] : typed
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
      if command[0] == "next", option.name == "now" { shows += ["--search", "d"] }
      if command[0] == "next", option.name == "now" { mine += ["--search", "d"] }
      let run = fixture.run(mine)
      #expect(run.status == .done, "\(mine) \(run.errors)")
      #expect(run.output == fixture.run(shows).output, "\(mine)")
    }
  }

  @Test("--grid month makes a web page of the months of the window and nothing else")
  func printedMonths() {
    for command in ["show", "week", "month"] {
      let list = [command] + fixture.sources + ["--from", "2026-11-20", "-f", "html"]
      let page = fixture.run(list + ["--grid", "month"]).output
      #expect(page.contains("<h2>November 2026</h2>") && page.contains("Dentist"))
      #expect(page.contains("@page{size:landscape") && !page.contains("<section"))
      #expect(fixture.run(list).output.contains("<section"))
    }
    let month = ["month", "--whole"] + fixture.sources + ["--grid", "month"]
    let calendar = ["calendar"] + fixture.sources + ["--grid", "month", "-f", "html"]
    #expect(fixture.run(month + ["-f", "html"]).output == fixture.run(calendar).output)
    let text = fixture.run(month)
    #expect(
      text.status == .wrongCommandLine && text.errors.contains("agenda calendar --grid month"))
    #expect(fixture.run(["month", "--grid", "week", "-f", "html"]).status == .wrongCommandLine)
  }

  @Test("--whole is the calendar week or month that holds the first day")
  func whole() {
    func output(_ arguments: [String]) -> String {
      fixture.run([arguments[0]] + fixture.sources + arguments.dropFirst() + ["-f", "json"]).output
    }
    func show(_ from: String, _ length: String...) -> String {
      output(["show", "--from", from] + length)
    }
    #expect(output(["week", "--whole"]) == show("2026-11-16", "--weeks", "1"))
    #expect(
      output(["week", "--whole", "--locale", "en_US"])
        == output(["show", "--from", "2026-11-15", "--weeks", "1", "--locale", "en_US"]))
    #expect(
      output(["week", "--whole", "--from", "2026-11-26"]) == show("2026-11-23", "--weeks", "1"))
    #expect(output(["month", "--whole"]) == show("2026-11-01", "--months", "1"))
    #expect(
      output(["month", "--whole", "--from", "2026-12-31"]) == show("2026-12-01", "--months", "1"))
    #expect(fixture.run(["today", "--whole"]).status == .wrongCommandLine)
  }

  @Test("a place is that of the listing of the same options", arguments: ListingOption.all)
  func places(option: ListingOption) throws {
    guard AgendaCommand.event.declaration.option(named: option.name) != nil, option.name != "format"
    else { return }
    let typed = option.name == "limit" ? ["--limit", "4"] : option.typed
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
    if AgendaCommand.attachment.declaration.option(named: option.name) != nil {
      #expect(fixture.run(["attachment", place] + sources + typed).output == "hello")
    }
    try fixture.importAll()
    let inStore = try #require(
      fixture.rows(["show"] + typed).last { $0["title"] == "Dentist" }?["indexPath"])
    if AgendaCommand.remove.declaration.option(named: option.name) != nil {
      let removed = fixture.run(["remove", "--event", inStore] + typed)
      #expect(removed.output.hasPrefix("removed Dentist; "), "\(removed.errors)")
      #expect(!fixture.titles(["show"]).contains { $0.hasSuffix("Dentist") })
    }
  }
}
