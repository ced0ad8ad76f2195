import AgendaCore
import CivilTime
import Testing

@testable import AgendaBrowser

@Suite("the days that the screen has read")
struct LoadedDaysTests {
  @Test("invitations of the days that were read first stay marked")
  func marks() throws {
    let first = try #require(CivilDate(rfc3339: "2026-11-21"))
    let references = (0..<3).map { EventReference(source: 1, component: $0) }
    var days = LoadedDays()
    for (number, reference) in references.enumerated() {
      let day = try #require(first.adding(days: number))
      let window = try #require(DateWindow(firstDay: day, length: .days(1), zone: .utc))
      var options = Agenda.Options()
      options.unanswered = [reference]
      options.declined = [reference]
      let agenda = Agenda([], in: window, options: options)
      days.insert(DaysPart(agenda, window: window), near: first, needed: nil)
    }
    #expect(days.options.unanswered == Set(references))
    #expect(days.options.declined == Set(references))
  }
}
