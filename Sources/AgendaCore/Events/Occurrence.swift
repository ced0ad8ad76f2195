public import CivilTime
public import Recurrence

/// One time that an event happens, placed in a viewer's zone.
///
/// The occurrences of a series share their event, so that one of many costs little more than its
/// times.
public struct Occurrence: Sendable {
  private var shared: SharedEvent

  /// What happens: the override where one replaces this occurrence, else the master.
  public var event: Event {
    _read { yield shared.event }
    set { shared = SharedEvent(newValue) }
  }

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

  public init(
    event: Event, start: EventTime, begin: Instant, finish: Instant, allDay: Range<CivilDate>?,
    recurrenceID: EventTime?
  ) {
    self.init(
      sharing: SharedEvent(event), start: start, begin: begin, finish: finish, allDay: allDay,
      recurrenceID: recurrenceID)
  }

  init(
    sharing event: SharedEvent, start: EventTime, begin: Instant, finish: Instant,
    allDay: Range<CivilDate>?, recurrenceID: EventTime?
  ) {
    shared = event
    self.start = start
    self.begin = begin
    self.finish = finish
    self.allDay = allDay
    self.recurrenceID = recurrenceID
  }
}

/// An event that several occurrences have in common.
final class SharedEvent: Sendable {
  let event: Event

  init(_ event: Event) {
    self.event = event
  }
}
