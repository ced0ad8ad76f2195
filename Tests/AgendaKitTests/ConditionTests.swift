import AgendaKit
import Foundation
import TestSupport
import Testing

@Suite("Condition")
struct ConditionTests {
  @Test(
    "a wrong condition is an error with its column",
    arguments: [
      ("", 1, "expected a field, got the end"),
      ("title", 6, "expected =, !=, <, <=, >, >= or ~ after title, got the end"),
      ("title =", 8, "expected a value, got the end"),
      ("title < b", 7, "title is a text; use =, != or ~"),
      ("duration > 1x", 12, "expected a length like 45m, 1h30m or 2d, got \"1x\""),
      ("days ~ 1", 6, "~ can only be used with texts"),
      ("start < null", 7, "null can only be used with = and !="),
      (
        "start > 2026-02-30", 9,
        "expected a date like 2026-12-01 or a time like 2026-12-01T09:00,"
          + " got \"2026-02-30\""
      ),
      ("allDay = yes", 10, "expected true or false, got \"yes\""),
      (
        "geo = 1", 7,
        "geo can only be compared with null; geo.latitude and geo.longitude are numbers"
      ),
      ("geo.latitude = north", 16, "expected a number, got \"north\""),
      ("title = a and day = x", 21, "expected a number, got \"x\""),
      ("indexPath < 3.1", 11, "indexPath is a text; use =, != or ~"),
      ("title = \"a", 9, "missing closing quote"),
      ("title = 'a\"", 9, "missing closing quote"),
      ("(title = a", 11, "expected \")\", got the end"),
      ("title = a)", 10, "expected \"and\" or \"or\", got \")\""),
      ("title = and", 9, "expected a value, got \"and\"; put the text in quotes"),
      ("é = 1", 1, "unknown field \"é\""),
      ("title ! a", 7, "unexpected \"!\"; use \"!=\" or \"not\""),
    ])
  func errors(text: String, column: Int, message: String) {
    let error = #expect(throws: ConditionError.self) { _ = try Condition(text, zone: .utc) }
    #expect(error?.description == "column \(column): \(message)")
  }

  // Checks limit: ConditionParser.deepest
  @Test("deep nesting is an error, a long chain is not")
  func depth() throws {
    func brackets(_ count: Int) -> String {
      String(repeating: "(", count: count) + "days = 1" + String(repeating: ")", count: count)
    }
    _ = try Condition(brackets(100), zone: .utc)
    #expect(throws: ConditionError.self) { _ = try Condition(brackets(101), zone: .utc) }
    let nested = String(repeating: "(", count: 100_000)
    #expect(throws: ConditionError.self) { _ = try Condition(nested, zone: .utc) }
    let chain = Array(repeating: "days = 1", count: 10_000).joined(separator: " or ")
    _ = try Condition(chain, zone: .utc)
  }

  @Test("details are read only if a comparison needs them, and once per event")
  func lazyDetails() throws {
    let calendars = try RandomConditions.calendars()
    let occurrences = try calendars.occurrences(in: RandomConditions.window())
    let occurrence = try #require(occurrences.first)
    var reads = 0
    func matches(_ text: String) throws {
      _ = try Condition(text, zone: .utc).matches(occurrence) { _ in
        reads += 1
        return calendars.details(of: occurrence.event)
      }
    }
    try matches("title != null and duration >= 0m")
    #expect(reads == 0)
    try matches("url != \"a\" and description != \"b\" and organizer != \"c\"")
    #expect(reads == 1)
  }

  @Test("random conditions select the same entries as Python from the JSON", .requiresPython)
  func randomConditions() throws {
    let folder = try ScratchFolder()
    let files = try RandomConditions.sources(in: folder)
    let store = CalendarStore(at: folder.url.appendingPathComponent("agenda.sqlite").path)
    try store.write { try $0.importSources(files) }
    let sources = [try Calendars(contentsOf: files), try Calendars(of: store)]
    let window = try RandomConditions.window()
    let listings = [
      Agenda.Options(), Agenda.Options(once: true), Agenda.Options(.weeks),
      Agenda.Options(.categories), Agenda.Options(.single),
    ]
    var conditions = RandomConditions(generator: SeededGenerator(seed: 14))
    var input = "\(listings.count)\n"
    for options in listings {
      let agenda = try sources[0].agenda(in: window, options: options)
      let json = sources[0].rendering(agenda, as: .jsonl)
      input += "\(json.split(separator: "\n").count)\n" + json
    }
    for round in 0..<(500 * TestSettings.rounds) {
      let text = conditions.next()
      let number = Int.random(in: 0..<listings.count, using: &conditions.generator)
      let selection = try Selection(where: text, zone: window.zone)
      let agenda = try sources[round % 2].agenda(
        in: window, of: selection, options: listings[number])
      input += "\(number)\t\(text)\t\(agenda.listedEntries)\n"
    }
    let script = Repository.oracles.appendingPathComponent("conditions.py").path
    let run = try Python.run([script], input: input)
    #expect(run.status == 0 && run.output == "", "\(run.output.prefix(2000)) \(run.errors)")
  }

  @Test("agendas, results and occurrences leave out the days that a condition excludes")
  func days() throws {
    let calendars = try RandomConditions.calendars()
    let window = try RandomConditions.window()
    let selection = try Selection(where: "day = 2", zone: window.zone)
    let agenda = try calendars.agenda(in: window, of: selection)
    #expect(agenda.entryCount > 2)
    #expect(agenda.occurrences.count == agenda.entryCount)
    let found = try calendars.occurrences(in: window, of: selection)
    let listed = agenda.sections.flatMap(\.entries)
    #expect(Set(found.map { OccurrenceID(of: $0) }) == Set(listed.map(\.id)))
    let results = try calendars.agenda(
      in: window, of: selection, options: .init(SectionLayout(sectionedBy: \.date.description)))
    #expect(results.sections.map(\.id) == agenda.sections.map(\.id))
    #expect(results.sections.flatMap(\.entries) == listed && listed.allSatisfy { $0.day == 2 })
  }

  @Test("an occurrence by itself is on its first day and has no index path")
  func alone() throws {
    let calendars = try RandomConditions.calendars()
    let occurrence = try #require(
      calendars.occurrences(in: RandomConditions.window()).first { $0.finish > $0.begin })
    for (text, isMatch) in [("day = 1", true), ("day > 1", false), ("indexPath = null", true)] {
      let selection = try Selection(where: text, zone: .utc)
      #expect(selection.admits(occurrence) { _ in EventDetails() } == isMatch)
      #expect(
        try Condition(text, zone: .utc).matches(occurrence) { _ in EventDetails() } == isMatch)
    }
  }
}

extension Selection {
  fileprivate init(where text: String, zone: Zone) throws {
    self.init()
    condition = try Condition(text, zone: zone)
  }
}

extension Agenda {
  /// The sections, identifiers and days of its entries.
  fileprivate var listedEntries: String {
    sections.flatMap { section in
      section.entries.map { "\(section.id)/\($0.id)/\($0.day)" }
    }.joined(separator: "|")
  }
}
