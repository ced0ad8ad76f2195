public import AgendaCore
public import AgendaStore

/// What became of events and sources between two moments of a store.
public struct StoreChanges: Sendable {
  public var events: [Change]
  public var sources: [SourceChange]

  package init(events: [Change] = [], sources: [SourceChange] = []) {
    self.events = events
    self.sources = sources
  }

  public var isEmpty: Bool { events.isEmpty && sources.isEmpty }
}
