import TestSupport
import Testing

@testable import AgendaRendering

/// The colours of calendars that do not set one.
@Suite("Calendar colours")
struct CalendarColorTests {
  @Test("up to seven calendars have different colours, in whatever order they come")
  func different() {
    var generator = SeededGenerator(seed: 14)
    for _ in 0..<500 {
      let count = Int.random(in: 1...7, using: &generator)
      let calendars = (0..<count).map { number in
        (
          name: "calendar \(number) \(Int.random(in: 0..<1000, using: &generator))",
          color: String?.none
        )
      }
      let colors = CalendarColors.distinct(calendars)
      #expect(Set(colors.keys) == Set(calendars.map(\.name)))
      #expect(Set(colors.values).count == count)
      #expect(CalendarColors.distinct(calendars.shuffled(using: &generator)) == colors)
    }
  }

  @Test("a calendar keeps its own colour, and no other calendar is given it")
  func own() {
    // The colour of the name "work".
    let taken = CalendarColor(standingFor: "work").hexadecimal
    let colors = CalendarColors.distinct([("work", nil), ("mine", taken), ("other", "Tomato")])
    #expect(colors["mine"] == taken)
    #expect(colors["other"] == "#ff6347")
    #expect(colors["work"] != nil && colors["work"] != taken)
    #expect(CalendarColors.distinct([("work", "none of CSS")]) == ["work": taken])
    #expect(CalendarColors.distinct([("work", "tomato"), ("work", nil)]) == ["work": taken])
  }

  @Test("more calendars than colours all have one")
  func many() {
    let calendars = (0..<20).map { (name: "\($0)", color: String?.none) }
    let colors = CalendarColors.distinct(calendars)
    #expect(colors.count == 20)
    #expect(Set(colors.values).count == 7)
  }
}
