import AgendaCore
import CivilTime
import TestSupport
import Testing

@testable import AgendaSources

/// Random sources with versions, overrides, messages and hidden events: an import of their export into
/// an empty store gives the same calendars and the same agenda.
@Suite("An export that is imported again")
struct RandomExportTests {
  @Test("the agenda is the same", arguments: 0..<40)
  func sameAgenda(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let session = try ImportSession()
    let names = (0..<Int.random(in: 1...4, using: &random)).map { "source\($0).ics" }
    for name in names {
      try session.importing(
        name, Self.source(&random),
        calendar: ["Work", "Home", nil][Int.random(in: 0..<3, using: &random)])
    }
    for name in names where Int.random(in: 0..<3, using: &random) == 0 {
      let start = Self.start(&random)
      let place = Bool.random(using: &random) ? "RECURRENCE-ID:\(start)" : "X-WHOLE:1"
      try session.hide("UID:\(Self.uid(&random))", "DTSTART:\(start)", place, of: name)
    }
    let export = try session.export()
    let copy = try ImportSession()
    try copy.importing("copy.ics", export)
    let (again, first) = (try Self.agenda(of: copy), try Self.agenda(of: session))
    let (gone, new) = (first.filter { !again.contains($0) }, again.filter { !first.contains($0) })
    #expect(again == first, "without \(gone), with \(new) of \(export)")
  }

  private static func pick(_ values: [String], _ random: inout SeededGenerator) -> String {
    values[Int.random(in: values.indices, using: &random)]
  }

  private static func uid(_ random: inout SeededGenerator) -> String {
    pick(["a", "b", "c"], &random)
  }

  /// One of a few times, so that components meet.
  private static func start(_ random: inout SeededGenerator) -> String {
    "202611\(Int.random(in: 22...25, using: &random))T0\(Int.random(in: 8...9, using: &random))0000Z"
  }

  private static func source(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in
      let method = pick(["PUBLISH", "PUBLISH", "CANCEL", "REPLY", "ADD"], &random)
      return calendar(
        (0..<Int.random(in: 1...4, using: &random)).map { _ in component(method, &random) },
        ["METHOD:\(method)"])
    }.joined()
  }

  private static func component(_ method: String, _ random: inout SeededGenerator) -> String {
    var lines = [
      "SEQUENCE:\(Int.random(in: 0...2, using: &random))",
      "LAST-MODIFIED:2026110\(Int.random(in: 1...3, using: &random))T000000Z",
      "DTSTART:\(start(&random))", "SUMMARY:\(pick(["One", "Two"], &random))",
      "ORGANIZER:mailto:ana@example.com",
    ]
    let answer = pick(["NEEDS-ACTION", "ACCEPTED", "DECLINED"], &random)
    lines.append("ATTENDEE;PARTSTAT=\(answer):mailto:bo@example.com")
    switch Int.random(in: 0..<4, using: &random) {
    case 0 where method == "PUBLISH": lines.append("RRULE:FREQ=DAILY;COUNT=4")
    case 1 where method == "PUBLISH":
      lines += ["RRULE:FREQ=DAILY;COUNT=5", "EXDATE:\(start(&random))"]
    case 2 where method != "ADD": lines.append("RECURRENCE-ID:\(start(&random))")
    default: break
    }
    return TestSupport.component("VEVENT", uid(&random), lines)
  }

  /// Every occurrence with what it says.
  private static func agenda(of session: ImportSession) throws -> [String] {
    let reader = try session.reader()
    let excerpt = try reader.excerpt(
      ofUIDs: reader.store.uids(try reader.filter(nil)))
    let window =
      Instant(
        secondsSinceEpoch: 1_795_000_000 - 40 * 86_400)..<Instant(
        secondsSinceEpoch: 1_795_000_000 + 40 * 86_400)
    return excerpt.assembly.series.flatMap { series in
      series.occurrences(touching: window, viewer: .utc, includingCancelled: true).map {
        let event = $0.event
        let answers = excerpt.files.details(of: event.reference).attendees.map(\.participation)
        return "\(event.calendar) \(event.identity.uid) \($0.begin) \(event.title) "
          + "\(event.status?.rawValue ?? "-") \(answers)"
      }
    }.sorted()
  }
}
