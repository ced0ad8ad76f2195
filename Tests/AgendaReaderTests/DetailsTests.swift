import AgendaReader
import CivilTime
import Testing

@Suite("Details")
struct DetailsTests {
  @Test("our own code reads the details that libical reads", arguments: FixtureTests.quirks)
  func libical(_ name: String) throws {
    // What libical does not read at all: a malformed trigger, and `high` as a priority.
    guard name != "malformed_and_negative_durations", name != "numbers_out_of_range" else { return }
    let path = FixtureTests.folder.appending(path: "quirks/\(name).ics").path
    let file = try CalendarReader(zones: .system(TZDIR: nil)).readFile(at: path)
    for event in file.allEvents {
      guard let other = file.detailsByLibical(of: event.reference) else {
        print("skipped: no libical")
        return
      }
      #expect(file.details(of: event.reference) == other)
    }
  }
}
