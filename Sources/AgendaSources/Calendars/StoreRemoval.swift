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

  /// The locations of the calendars of an account of a server, by its address; empty if there is none.
  package func sources(ofAccount address: String, user: String?) throws -> [String] {
    guard case .url(let url) = Source(address) else { return [] }
    let rows = try reader.store.serverCalendars()
    let accounts = try reader.store.accounts().filter { account in
      account.address == url.address && (user == nil || account.user == user)
        && rows.values.contains { $0.account == account.id }
    }
    guard accounts.count <= 1 else {
      throw CalendarError.severalAccounts(
        address: url.displayName, users: accounts.map { $0.user ?? "unnamed" })
    }
    if accounts.isEmpty, let user {
      throw StoreError.unknown(what: "account", name: "\(user) at \(url.displayName)")
    }
    guard let account = accounts.first else { return [] }
    return try reader.presentSources().filter { rows[$0.id]?.account == account.id }
      .map(\.source.location)
  }

  /// Removes sources as part of a larger change. What the user decided about events is removed with the last
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
    try takeBackMoves(into: sources, in: change)
    for source in sources.sorted() { try change.remove(source: source) }
    reader.forgetSources()
    try removeDecisions(in: change)
    return count
  }

  /// Events that were moved into a calendar that is removed, before its server had them, are in their old
  /// calendars again.
  private func takeBackMoves(
    into sources: Set<Int>, in change: StoreChange
  ) throws(StoreError) {
    let store = reader.store
    for link in try LinkedChanges(reader).all
    where sources.contains(link.new.source) && !sources.contains(link.old.source) {
      guard var object = try store.serverObject(source: link.old.source, name: link.old.name),
        let text = object.base, let source = try reader.source(link.old.source),
        try store.document(source: link.old.source, name: link.old.name) == nil
      else { continue }
      var options = CalendarReader.Options()
      options.calendar = source.source.calendar
      let reading = CalendarReader(zones: reader.zones, options: options)
      guard let file = try? reading.read(SourceBytes(text), name: source.source.calendar) else {
        continue
      }
      try DocumentStorage(
        change: change, source: link.old.source,
        interpretation: ReadSource.interpretation(
          encoding: nil, zones: reader.zones, lacksZone: reader.zones.hasMissedZone)
      ).store(file, as: object.name)
      object.revision = try store.revisions(ofSource: link.old.source)[object.name]
      try change.update(object, source: link.old.source)
    }
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
