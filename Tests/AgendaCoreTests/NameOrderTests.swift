import CivilTime
import Testing

@testable import AgendaCore

/// The order of entries that begin at the same time.
@Suite struct NameOrderTests {
  private static func occurrence(
    _ title: String, uid: String = "a", calendar: String = "home", component: Int = 0,
    source: Int = 0
  ) throws -> Occurrence {
    var event = AgendaSample.event(title, uid: uid, calendar: calendar)
    event.reference = EventReference(source: source, component: component)
    return try AgendaSample.timed("2026-11-21T09:00", seconds: 60, .utc, event)
  }

  @Test("by title, UID and calendar, then by source and place in the source")
  func order() throws {
    let ordered = try [
      Self.occurrence("A"), Self.occurrence("A", uid: "b"), Self.occurrence("B"),
      Self.occurrence("B", calendar: "work"),
      Self.occurrence("B", calendar: "work", component: 3),
      Self.occurrence("B", calendar: "work", component: 1, source: 2),
    ]
    for (one, left) in ordered.enumerated() {
      #expect(NameOrder.precedes(left, left) == nil)
      for right in ordered[(one + 1)...] {
        #expect(NameOrder.precedes(left, right) == true)
        #expect(NameOrder.precedes(right, left) == false)
      }
    }
  }
}
