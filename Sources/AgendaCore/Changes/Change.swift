package import Recurrence

/// The difference between two versions of an event.
public struct Change: Sendable {
  /// The kind of a change.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The event is new, or it takes place again after it was cancelled.
    case added
    /// The event has another start or another end.
    case moved
    /// Other properties of the event differ.
    case changed
    /// The event was cancelled.
    case cancelled
    /// The event is missing from the later version.
    case removed
  }

  /// The kind of the change.
  public package(set) var kind: Kind
  /// The previous version; `nil` for an event that was added. It is set if a cancelled event takes
  /// place again.
  public package(set) var before: Event?
  /// The present version; `nil` if it was removed.
  public package(set) var after: Event?
  /// The names of the properties that differ.
  public package(set) var properties: [String]
  /// Both versions of the details, if the two were compared.
  package var details: DetailsPair?
  /// The number of overrides of a series that was added or removed.
  package var overrides = 0
  /// The occurrences that new EXDATEs remove.
  package var excluded: [EventTime] = []
  /// The occurrences that take place again because their EXDATEs were removed.
  package var restored: [EventTime] = []

  package init(kind: Kind, before: Event?, after: Event?, properties: [String]) {
    self.kind = kind
    self.before = before
    self.after = after
    self.properties = properties
  }

  /// Whether the event was cancelled before and takes place again.
  package var takesPlaceAgain: Bool { kind == .added && before != nil }
}
