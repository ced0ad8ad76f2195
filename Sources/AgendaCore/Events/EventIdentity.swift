public import CivilTime
public import Recurrence

/// Which component of a calendar this is: its UID, and for an override the occurrence that it
/// replaces.
public struct EventIdentity: Hashable, Sendable {
  /// As written, or made from the content where the source has none.
  public var uid: String
  /// RECURRENCE-ID.
  public var recurrenceID: EventTime?
  /// RANGE=THISANDFUTURE: the override also holds for all that follows.
  public var includesFollowing: Bool

  public init(uid: String, recurrenceID: EventTime? = nil, includesFollowing: Bool = false) {
    self.uid = uid
    self.recurrenceID = recurrenceID
    self.includesFollowing = includesFollowing
  }
}

/// Which of two versions of a component is the newer one.
public struct EventVersion: Hashable, Comparable, Sendable {
  /// SEQUENCE.
  public var sequence: Int
  /// LAST-MODIFIED, else DTSTAMP.
  public var modified: Instant?

  public init(sequence: Int = 0, modified: Instant? = nil) {
    self.sequence = sequence
    self.modified = modified
  }

  public static func < (left: EventVersion, right: EventVersion) -> Bool {
    if left.sequence != right.sequence { return left.sequence < right.sequence }
    let earliest = Instant(secondsSinceEpoch: .min)
    return (left.modified ?? earliest) < (right.modified ?? earliest)
  }
}
