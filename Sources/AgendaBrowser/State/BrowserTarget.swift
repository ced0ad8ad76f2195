package import AgendaCore
package import CivilTime

/// The entry that a person has selected, by what stays the same when calendars are read again.
package struct BrowserTarget: Hashable, Sendable {
  package let id: OccurrenceID
  package let calendar: String
  package let begin: Instant
  package let title: String
  package let kind: Event.Kind
  package let isAllDay: Bool
  /// Whether changes need a scope.
  package let isSeries: Bool
  /// A day on which it is listed; `nil` for a task without a date.
  package let date: CivilDate?

  package init(_ occurrence: Occurrence, on date: CivilDate?) {
    id = OccurrenceID(of: occurrence)
    calendar = occurrence.event.calendar
    begin = occurrence.begin
    title = occurrence.event.title
    kind = occurrence.event.kind
    isAllDay = occurrence.allDay != nil
    isSeries = occurrence.recurrenceID != nil
    self.date = occurrence.isUndated ? nil : date
  }

  /// Whether it is the same entry, wherever it is now.
  func names(_ occurrence: Occurrence) -> Bool {
    occurrence.event.calendar == calendar && OccurrenceID(of: occurrence) == id
  }
}
