public import CivilTime
public import Recurrence

/// One time at which an event happens. A series has many occurrences, a single event has one.
public struct Occurrence: Hashable, Sendable {
  /// The event: the override if one replaces this occurrence, otherwise the series itself.
  public package(set) var event: Event
  /// When the occurrence begins, in the event's own zone.
  public package(set) var start: EventTime
  /// The moment at which the occurrence begins. A whole-day occurrence begins with its first day in
  /// the zone of the agenda.
  public package(set) var begin: Instant
  /// The moment at which the occurrence ends. A whole-day occurrence ends with its last day in the
  /// zone of the agenda.
  public package(set) var finish: Instant
  /// The days of a whole-day occurrence, without the upper bound; `nil` for a timed occurrence.
  public package(set) var allDay: Range<CivilDate>?
  /// The start that the rule gave to this occurrence, also if an override moved it; `nil` for an
  /// event that does not recur.
  public package(set) var recurrenceID: EventTime?
  /// The days on which an agenda lists the occurrence.
  package var listing = Listing.onItsDays

  /// On which days an agenda lists an occurrence.
  package enum Listing: Hashable, Sendable {
    /// Each day that the occurrence touches.
    case onItsDays
    /// Another day only: an overdue task is listed today.
    case on(CivilDate)
    /// After all days: a task without a date, whose times have no meaning.
    case undated
  }

  /// An occurrence with these times. Usually `Calendars.occurrences(in:of:)` and agendas make
  /// them.
  package init(
    event: Event, start: EventTime, begin: Instant, finish: Instant, allDay: Range<CivilDate>?,
    recurrenceID: EventTime?
  ) {
    self.event = event
    self.start = start
    self.begin = begin
    self.finish = finish
    self.allDay = allDay
    self.recurrenceID = recurrenceID
  }

  /// A task without a date.
  package init(undated event: Event) {
    let moment = Instant(secondsSinceEpoch: 0)
    self.init(
      event: event, start: .utc(moment.utc), begin: moment, finish: moment, allDay: nil,
      recurrenceID: nil)
    listing = .undated
  }

  /// Whether this is a task without a date, whose times have no meaning.
  public var isUndated: Bool { listing == .undated }
}
