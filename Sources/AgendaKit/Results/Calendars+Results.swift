internal import AgendaCore
internal import AgendaRendering
internal import AgendaSources
internal import CivilTime

/// What results of a store are made of.
extension Calendars {
  /// What commands changed in the store after a generation: the components of whose entries none is
  /// valid any more, and their occurrences now. `nil` if it is better to read everything.
  func changedOccurrences(
    after generation: Int, in window: DateWindow, of selection: Selection
  ) throws -> (components: Set<EventReference>, occurrences: [Occurrence])? {
    guard selection.hasIndependentEntries, let events = source as? StoreEvents,
      let changed = try events.changedOccurrences(after: generation, of: selection, in: window)
    else { return nil }
    return (changed.components, changed.occurrences)
  }

  /// Whether two events are the same component of a file that was not read again.
  func hasSameComponent(
    _ reference: EventReference, as otherReference: EventReference, in other: Calendars
  ) -> Bool {
    guard let files = source as? FileEvents, let others = other.source as? FileEvents else {
      return false
    }
    return files.hasSameComponent(reference, as: otherReference, in: others)
  }

  /// The key of a cache of the present state; `nil` if these entries cannot be cached.
  func cacheKey(in window: DateWindow, of selection: Selection) throws -> Int? {
    guard selection.hasIndependentEntries else { return nil }
    return try (source as? StoreEvents)?.cacheKey(of: selection, in: window)
  }

  /// The agenda of the entries that a cache has under a key.
  func cachedAgenda(
    in window: DateWindow, options: Agenda.Options, _ locale: LocaleData, _ previous: Agenda?,
    _ cache: ResultsCache, key: Int
  ) -> Agenda? {
    (source as? StoreEvents)?.listing(from: cache.listing, key: key).map {
      Agenda(
        $0, of: Selection(), in: window, options: options, wording: DateWording(locale),
        previous: previous, details: source.details)
    }
  }

  /// Writes what `cachedAgenda` reads.
  func save(
    _ occurrences: [Occurrence], in window: DateWindow, to cache: ResultsCache, key: Int
  ) throws {
    let agenda = Agenda(occurrences, in: window, options: Agenda.Options(.single))
    // In the order of the agenda, so that nothing has to be sorted again.
    let sorted = agenda.entries.map(\.occurrence)
    try (source as? StoreEvents)?.save(sorted, to: cache.listing, key: key)
  }
}

extension Selection {
  /// Whether an entry depends only on its own series. Tasks can be listed today, and a condition can
  /// be about positions in the agenda.
  fileprivate var hasIndependentEntries: Bool {
    !includesTasks && !(condition?.concernsEntries ?? false)
  }
}
