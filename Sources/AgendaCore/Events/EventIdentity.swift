package import CivilTime
package import Recurrence

/// What identifies an event within its calendar: its UID, and for an override the occurrence that it
/// replaces.
package struct EventIdentity: Hashable, Sendable {
  /// UID. If the source has none, it is computed from the content of the event.
  package var uid: String
  /// RECURRENCE-ID: the start of the occurrence that an override replaces; `nil` for all other
  /// events.
  package var recurrenceID: EventTime?
  /// Whether the override also changes all later occurrences (RANGE=THISANDFUTURE).
  package var includesFollowing: Bool

  /// The identity of a single event or a series, or of an override if `recurrenceID` is set.
  package init(uid: String, recurrenceID: EventTime? = nil, includesFollowing: Bool = false) {
    self.uid = uid
    self.recurrenceID = recurrenceID
    self.includesFollowing = includesFollowing
  }
}

/// The version of an event. Versions are ordered: the later one replaces the earlier one.
package struct EventVersion: Hashable, Comparable, Sendable {
  /// SEQUENCE: the number of the revision.
  package var sequence: Int
  /// LAST-MODIFIED, or DTSTAMP if it is missing.
  package var modified: Instant?

  /// A version with a number and the moment of its last change.
  package init(sequence: Int = 0, modified: Instant? = nil) {
    self.sequence = sequence
    self.modified = modified
  }

  package static func < (left: EventVersion, right: EventVersion) -> Bool {
    if left.sequence != right.sequence { return left.sequence < right.sequence }
    let earliest = Instant(secondsSinceEpoch: .min)
    return (left.modified ?? earliest) < (right.modified ?? earliest)
  }
}
