package import CivilTime

/// How an event of a series differs from the component that its source has.
package struct Derivation: Hashable, Sendable {
  /// The component whose text and details the event has: its own; a cancellation, for a cancelled
  /// occurrence without an override; otherwise the series, or its override with RANGE, for an answered
  /// occurrence without an override.
  package var base: EventReference
  /// The series, or its override with RANGE, that has what `base` leaves out: times, title, place and
  /// people.
  package var completedBy: EventReference?
  /// Whether a message cancels the event.
  package var isCancelled: Bool
  /// The new participation, by address in lower case. It replaces what the details of `base` say.
  package var answers: [String: String]
  /// When the user completed the task, which its source has as open.
  package var completed: Instant?

  package init(
    base: EventReference, completedBy: EventReference? = nil, isCancelled: Bool = false,
    answers: [String: String] = [:], completed: Instant? = nil
  ) {
    self.base = base
    self.completedBy = completedBy
    self.isCancelled = isCancelled
    self.answers = answers
    self.completed = completed
  }

  /// Whether messages made the event, so that no component has its reference.
  package func isMade(for reference: EventReference) -> Bool { base != reference }
}
