import AgendaReader
import CivilTime
import Foundation
import TestSupport
import Testing

@Suite("Details")
struct DetailsTests {
  @Test("our own code reads the details that libical reads", arguments: FixtureTests.quirks)
  func libical(_ name: String) throws {
    // What libical does not read at all: a malformed trigger, and `high` as a priority.
    guard name != "malformed_and_negative_durations", name != "numbers_out_of_range" else { return }
    let path = FixtureTests.folder.appending(path: "quirks/\(name).ics").path
    let file = try CalendarReader(zones: .system(TZDIR: nil)).readFile(at: path)
    guard LibicalUse.isPossible else {
      print("skipped: no libical")
      return
    }
    for event in file.allEvents {
      let other = file.details(of: event.reference, libical: .always)
      #expect(file.details(of: event.reference, libical: .never) == other)
    }
  }

  @Test("nothing of the details is lost where libical is not installed")
  func withoutLibical() throws {
    let count = (ProcessInfo.processInfo.environment["MUTANTS"].flatMap { Int($0) } ?? 2000) / 2
    let reader = CalendarReader(zones: .system(TZDIR: nil))
    var generator = SeededGenerator(seed: 31)
    for number in 0..<count {
      let component = MutantTests.components[number % MutantTests.components.count]
      let mutant = Mutation.mutate(component, with: &generator)
      guard let file = try? reader.read(SourceBytes(mutant), name: "mutant") else { continue }
      for event in file.allEvents {
        #expect(
          file.details(of: event.reference, libical: .never)
            == file.details(of: event.reference, libical: .whereNeeded),
          "\(String(decoding: mutant, as: UTF8.self).debugDescription)")
      }
    }
  }

  @Test(
    "a line without a name goes on with the text that it stands after, not with the first of its kind"
  )
  func strayLines() throws {
    let source = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1@example.com
      DTSTART:20261124T093000Z
      SUMMARY:one
      DESCRIPTION:first
      and more of it
      URL:https://example.com/a
      SUMMARY:two
      more of two
      DESCRIPTION:second
      more of the second
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:-PT5M
      DESCRIPTION:ring
      Url: of no property
      END:VALARM
      END:VEVENT
      END:VCALENDAR

      """
    let file = try CalendarReader(zones: .system(TZDIR: nil))
      .read(SourceBytes(Array(source.utf8)), name: "stray")
    let event = try #require(file.allEvents.first)
    let details = file.details(of: event.reference)
    #expect(event.title == "one")
    #expect(details.description == "first\nand more of it")
    #expect(details.url == "https://example.com/a")
    #expect(details.alarms.map(\.description) == ["ring"])
  }
}
