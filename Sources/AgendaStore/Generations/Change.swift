package import AgendaCore
package import Recurrence

/// What became of an event between two moments of the store.
package struct Change: Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case added, moved, changed, cancelled, removed
  }

  package var kind: Kind
  /// What it was; `nil` where it was added, unless it was cancelled and takes place again.
  package var before: Event?
  /// What it is; `nil` where it was removed.
  package var after: Event?
  /// The names of the properties that differ, in the order of RFC 5545; of a moved or cancelled
  /// event too.
  package var properties: [String]
  /// How many overrides came or went with a series that was added or removed.
  package var overrides = 0
  /// The occurrences that new EXDATEs take out.
  package var excluded: [EventTime] = []
  /// The occurrences that former EXDATEs took out.
  package var restored: [EventTime] = []

  /// What was cancelled is no longer so.
  package var takesPlaceAgain: Bool { kind == .added && before != nil }
}
