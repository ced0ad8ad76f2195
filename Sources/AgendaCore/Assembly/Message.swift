/// A component that changes events of others and is not a version of an event itself: METHOD:CANCEL,
/// REPLY or ADD (RFC 5546). The user's own decisions about somebody else's event are messages, too.
package struct Message: Sendable {
  /// What a message does. COUNTER, DECLINECOUNTER and REFRESH do nothing, so they are no messages
  /// here.
  package enum Method: Hashable, Sendable {
    /// Cancels an event, or one of its occurrences.
    case cancel
    /// Changes the answers of attendees.
    case reply
    /// Adds an occurrence.
    case add
  }

  /// The events that a message can change, if they have its kind and UID.
  package enum Scope: Hashable, Sendable {
    /// Those of the calendar of `event`.
    case calendar
    /// Those of every calendar: for a mail, whose file has only messages, and whose calendar the user
    /// did not name.
    case allCalendars
    /// Those of these calendars: for a decision of the user.
    case calendars(Set<String>)

    /// Whether a message of the calendar `own` is about the events of a calendar.
    package func contains(calendar: String, ofMessage own: String) -> Bool {
      switch self {
      case .calendar: own == calendar
      case .allCalendars: true
      case .calendars(let names): names.contains(calendar)
      }
    }
  }

  package var method: Method
  /// The decoded component. Its reference identifies the message.
  package var event: Event
  package var scope: Scope
  /// Whether the user hides the event with it (X-AGENDA-HIDDEN:TRUE); only with `cancel`. It then
  /// holds for all later versions, too: neither SEQUENCE nor a stamp matters.
  package var hides: Bool
  /// Whether the user marks a task as completed with it (X-AGENDA-COMPLETED:TRUE); only with `reply`.
  package var completes: Bool

  package init(
    method: Method, event: Event, scope: Scope, hides: Bool = false, completes: Bool = false
  ) {
    self.method = method
    self.event = event
    self.scope = scope
    self.hides = hides
    self.completes = completes
  }

  /// Whether the events of a calendar are in its scope.
  package func isAbout(calendar: String) -> Bool {
    scope.contains(calendar: calendar, ofMessage: event.calendar)
  }

  /// What a message did. If it did different things in several calendars, the last of these cases
  /// counts.
  package enum Outcome: Comparable, Hashable, Sendable {
    /// The event is missing.
    case missingEvent
    /// The series does not have the occurrence.
    case missingOccurrence
    /// The event has a later version.
    case laterVersion
    /// The event does not list the attendee who answers.
    case notInvited
    /// The budget for the work ran out.
    case tooMany
    /// It answers for several people, and the event does not list all of them. This is so for an
    /// invitation that was delegated (RFC 5546 3.2.2.3).
    case appliedToListed
    case effective

    /// Whether it changed an event.
    package var isEffective: Bool { self >= .appliedToListed }
  }
}
