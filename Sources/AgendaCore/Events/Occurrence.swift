public import CivilTime
public import Recurrence

/// One time that an event happens, placed in a viewer's zone.
public struct Occurrence: Hashable, Sendable {
  /// What happens: the override where one replaces this occurrence, else the master.
  public var event: Event
  /// When it begins, as the event's own zone has it.
  public var start: EventTime
  /// The span in time. For a whole-day occurrence it is the viewer's span of those days.
  public var begin: Instant
  public var finish: Instant
  /// The days of a whole-day occurrence, the end exclusive; `nil` for a timed one.
  public var allDay: Range<CivilDate>?
  /// The start that the rule gave this occurrence, even where an override moved it; `nil` for an
  /// event that does not recur.
  public var recurrenceID: EventTime?
  /// Under which heading an agenda lists it.
  public var listing = Listing.onItsDays

  /// On which days an agenda lists an occurrence.
  public enum Listing: Hashable, Sendable {
    /// On each day that it touches.
    case onItsDays
    /// Only on another day: an overdue task is listed today.
    case on(CivilDate)
    /// After all days: a task without a date, whose times mean nothing.
    case undated
  }

  public init(
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
  public init(undated event: Event) {
    let moment = Instant(secondsSinceEpoch: 0)
    self.init(
      event: event, start: .utc(moment.utc), begin: moment, finish: moment, allDay: nil,
      recurrenceID: nil)
    listing = .undated
  }

  public var isUndated: Bool { listing == .undated }
}
