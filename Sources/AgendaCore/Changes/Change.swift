public import Recurrence

/// What happened to an event between two versions of its calendar.
public struct Change: Sendable {
  /// What happened to an event.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case added, moved, changed, cancelled, removed
  }

  public var kind: Kind
  /// The previous version; `nil` if it was added, unless it was cancelled and takes place again.
  public var before: Event?
  /// The present version; `nil` if it was removed.
  public var after: Event?
  /// The names of the properties that differ; of a moved or cancelled event too.
  public var properties: [String]
  /// Both versions of the details, where the two were compared.
  package var details: DetailsPair?
  /// How many overrides came or went with a series that was added or removed.
  public var overrides = 0
  /// The occurrences that new EXDATEs remove.
  public var excluded: [EventTime] = []
  /// The occurrences that are back because their EXDATEs are gone.
  public var restored: [EventTime] = []

  package init(kind: Kind, before: Event?, after: Event?, properties: [String]) {
    self.kind = kind
    self.before = before
    self.after = after
    self.properties = properties
  }

  /// Whether it was cancelled before and takes place again.
  public var takesPlaceAgain: Bool { kind == .added && before != nil }
}
