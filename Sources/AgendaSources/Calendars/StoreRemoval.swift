internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
package import CivilTime

/// Removes calendars and sources from a store, as one change that `undo` reverts.
package struct StoreRemoval {
  private let reader: StoreReader
  private let now: Instant

  package init(_ reader: StoreReader, now: Instant) {
    self.reader = reader
    self.now = now
  }

  /// Removes a calendar with all of its sources. Returns the number of their entries.
  @discardableResult
  package func remove(calendar name: String) throws -> Int {
    let sources = try reader.presentSources().filter { $0.source.calendar == name }
    guard !sources.isEmpty else {
      let parts = try reader.calendars().first { $0.name == name }?.sources ?? []
      if let source = parts.first?.source {
        throw CalendarError.partOfSource(calendar: name, location: source.location)
      }
      throw StoreError.unknown(what: "calendar", name: name)
    }
    return try remove(sources: sources.map(\.source.location))
  }

  /// Removes sources by their locations. Returns the number of their entries. If another source of the
  /// calendar has the same events, its versions are shown from then on.
  package func remove(sources locations: [String]) throws -> Int {
    let change = try StoreChange(reader.store, StoreCommand("remove", at: now))
    defer { reader.forgetSources() }
    let count = try remove(locations, in: change)
    try change.commit()
    return count
  }

  /// The same as part of a larger change. What the user decided about events is removed with the last
  /// calendar that it is about.
  @discardableResult
  func remove(_ locations: [String], in change: StoreChange) throws(StoreError) -> Int {
    var sources: Set<Int> = []
    for location in locations {
      guard let id = try reader.store.sourceID(at: location) else {
        throw .unknown(what: "source", name: location)
      }
      sources.insert(id)
    }
    let count = try entryCount(of: sources)
    for source in sources.sorted() { try change.remove(source: source) }
    reader.forgetSources()
    try removeDecisions(in: change)
    return count
  }

  /// How many events, tasks and journals these sources show together, without any others.
  private func entryCount(of sources: Set<Int>) throws(StoreError) -> Int {
    let store = reader.store
    var count = 0
    for (source, counts) in try store.componentCounts() where sources.contains(source) {
      count += counts.filter { !$0.key.isMessage }.values.reduce(0, +)
    }
    var several: Set<Int> = []
    for (source, uids) in try store.uidsBySource(.ofSeveral) where sources.contains(source) {
      several.formUnion(uids)
    }
    let decisions = try reader.presentSources().first { $0.source.kind == .decisions }?.id
    let components = try store.components(ofUIDs: several).filter {
      sources.contains($0.source) || $0.source == decisions
    }
    let excerpt = StoreExcerpt(try reader.files(components))
    for event in excerpt.events
    where !excerpt.files.isMessage(event.reference) { count -= 1 }
    return count + excerpt.entries.count
  }

  private func removeDecisions(in change: StoreChange) throws(StoreError) {
    let store = reader.store
    let decisions = try reader.presentSources().first { $0.source.kind == .decisions }
    guard let decisions else { return }
    let present = Set(try store.calendarNames().values.joined())
    for document in try store.documents(ofSource: decisions.id)
    where try reader.calendars(of: DecisionPlace(document: document.name)).isDisjoint(with: present)
    {
      try change.remove(
        components: try store.knownComponents(ofDocument: document.id).map(\.id))
      try change.remove(revision: document.revision)
    }
  }
}
