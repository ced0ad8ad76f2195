public import AgendaCore

/// The changes of events and sources between two moments of a store.
public struct StoreChanges: Sendable {
  /// The events that were added, changed or removed, except those of new and moved sources.
  public package(set) var events: [Change]
  /// The sources that were added or moved to another calendar as a whole.
  public package(set) var sources: [SourceChange]

  package init(events: [Change] = [], sources: [SourceChange] = []) {
    self.events = events
    self.sources = sources
  }

  /// Whether nothing changed.
  package var isEmpty: Bool { events.isEmpty && sources.isEmpty }
}
