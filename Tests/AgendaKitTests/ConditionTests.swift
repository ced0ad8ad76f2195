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
      ("title = a and day = 1", 15, "day depends on the listing, so no condition can use it"),
      ("title = \"a", 9, "missing closing quote"),
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

  @Test("deep nesting is an error, a long chain is not")
  func depth() throws {
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
    let calendars = try RandomConditions.calendars()
    let window = try RandomConditions.window()
    let occurrences = try calendars.occurrences(in: window)
    let agenda = try calendars.agenda(in: window, options: Agenda.Options(once: true))
    let json = calendars.rendering(agenda, as: .jsonl)
    var conditions = RandomConditions(generator: SeededGenerator(seed: 14))
    var input = "\(json.split(separator: "\n").count)\n" + json
    for _ in 0..<(500 * TestSettings.rounds) {
      let text = conditions.next()
      let condition = try Condition(text, zone: window.zone)
      let ids = occurrences.filter { occurrence in
        condition.matches(occurrence) { _ in calendars.details(of: occurrence.event) }
      }.map { OccurrenceID(of: $0).description }
      input += text + "\t" + ids.sorted().joined(separator: " ") + "\n"
    }
    let script = Repository.oracles.appendingPathComponent("conditions.py").path
    let run = try Python.run([script], input: input)
    #expect(run.status == 0 && run.output == "", "\(run.output.prefix(2000)) \(run.errors)")
  }
}
