import AgendaCore
import CivilTime
import Recurrence
import Testing

/// The change that undoing a change makes.
@Suite struct ChangeInverseTests {
  private let old = AgendaSample.event("Old")
  private let new = AgendaSample.event("New")

  @Test(
    "what was added is removed, and the other way round",
    arguments: [
      (Change.Kind.added, false, Change.Kind.removed), (.removed, true, .added),
      (.cancelled, true, .added), (.moved, true, .moved), (.changed, true, .changed),
    ])
  func kinds(kind: Change.Kind, hasBefore: Bool, inverse: Change.Kind) {
    let change = Change(
      kind: kind, before: hasBefore ? old : nil, after: kind == .removed ? nil : new,
      properties: ["title"])
    #expect(change.inverse.kind == inverse)
    #expect(change.inverse.before?.title == change.after?.title)
    #expect(change.inverse.after?.title == change.before?.title)
    #expect(change.inverse.properties == ["title"])
  }

  @Test("an event that takes place again is cancelled again")
  func again() {
    let change = Change(kind: .added, before: old, after: new, properties: ["status"])
    #expect(change.inverse.kind == .cancelled)
  }

  @Test("EXDATEs that were added are those that come back")
  func exceptionDates() throws {
    let date = EventTime.date(try AgendaSample.date("2026-11-24"))
    var change = Change(kind: .changed, before: old, after: new, properties: [])
    change.excluded = [date]
    #expect(change.inverse.restored == [date])
    #expect(change.inverse.excluded.isEmpty)
  }
}
