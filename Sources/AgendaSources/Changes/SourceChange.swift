package import AgendaStore
package import CivilTime

/// A source that was added to the store, or moved to another calendar, between two moments.
public struct SourceChange: Hashable, Sendable {
  /// The kind of the change.
  package enum Kind: String, Hashable, Sendable {
    /// The source is new in the store, with all of its events.
    case added
    /// The source moved to another calendar, with all of its events.
    case moved
  }

  /// The kind of the change.
  package var kind: Kind
  /// The source, as the store has it now.
  package var source: ImportedSource
  /// The calendar of the source now.
  public var calendar: String { source.calendar }
  /// The absolute path, the address or the name of the source.
  public var location: String { source.location }
  /// The number of the source in the references of its events.
  package var number: Int
  /// The previous calendar of a source that was moved; `nil` for a new source.
  public package(set) var previousCalendar: String?
  /// The number of its events, tasks and journals. A series counts once.
  package var entries: Int
}

extension StoreReader {
  /// The sources that were added or moved since that moment, or by the last command, sorted by
  /// calendar and location. A source that was moved and moved back is not listed.
  package func sourceChanges(
    since moment: Instant?
  ) throws(StoreError) -> [SourceChange] {
    try store.reading { () throws(StoreError) in
      guard let first = try store.firstGeneration(since: moment) else { return [] }
      return try sourceChanges(from: first)
    }
  }

  /// The same from a generation on.
  package func sourceChanges(from first: Int) throws(StoreError) -> [SourceChange] {
    try store.reading { () throws(StoreError) in
      let new = try store.newSources(from: first)
      let previous = try store.previousCalendars(from: first)
      var changes: [SourceChange] = []
      for stored in try presentSources() where !stored.source.calendar.isEmpty {
        let isNew = new.contains(stored.id)
        let before = isNew ? nil : previous[stored.id]
        guard isNew || before != nil && before != stored.source.calendar else { continue }
        changes.append(
          SourceChange(
            kind: isNew ? .added : .moved, source: stored.source, number: stored.id,
            previousCalendar: before, entries: try store.uids(ofSource: stored.id).count))
      }
      return changes.sorted {
        ($0.source.calendar, $0.source.location) < ($1.source.calendar, $1.source.location)
      }
    }
  }
}
