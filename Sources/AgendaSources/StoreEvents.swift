package import AgendaCore
package import AgendaPictures
package import AgendaReader
package import AgendaStore
package import CivilTime
internal import ICalendar
internal import Platform

/// The events of a store.
package final class StoreEvents: EventSource {
  /// `nil` for a store that does not exist yet.
  private let store: Store?
  private let zones: ZoneDatabase
  private let reportFailure: (StoreError) -> Void
  private var hasFailed = false

  /// Calls `reportFailure` once if the store fails while details are read; the details are then
  /// empty.
  package init(
    _ store: Store?, zones: ZoneDatabase, reportFailure: @escaping (StoreError) -> Void
  ) {
    self.store = store
    self.zones = zones
    self.reportFailure = reportFailure
  }

  package var isReadable: Bool { store != nil }

  package func series(_ query: SeriesQuery) throws -> [Series] {
    guard let store else { return [] }
    let viewer = query.viewer
    let span = query.span ?? viewer.startOfDay(.first)..<viewer.startOfDay(.afterLast)
    switch query.scope {
    case .complete: return try store.series(touching: span, viewer: viewer, of: query.selection)
    case .listed:
      return try store.listedSeries(touching: span, viewer: viewer, of: query.selection)
    case .words(let words): return try store.series(withWords: words, of: query.selection)
    case .uid(let uid): return try store.series(withUID: uid, of: query.selection)
    case .all(let kind): return try store.series(ofKind: kind, query.selection)
    case .alarms: return try store.series(ringing: span, viewer: viewer, of: query.selection)
    }
  }

  /// A single day comes from the store's cache of days.
  package func listing(
    of selection: Selection, in window: DateWindow
  ) throws -> FoundOccurrences {
    guard let store, window.firstDay.adding(days: 1) == window.dayAfterLast else {
      return try occurrences(of: selection, in: window)
    }
    let day = try store.day(window, interpretation: interpretationOfDays)
    var admitted = SeriesSelection(selection, details: details)
    return FoundOccurrences(
      day.occurrences.filter { admitted.admits($0) },
      findings: day.findings.map { master, finding in
        sourceFinding(finding, of: master, otherwise: store.path)
      })
  }

  /// Fills the store's cache of days for one day, so that its first listing is quick.
  package func cacheListing(of window: DateWindow) throws {
    try store?.cacheDay(window, interpretation: interpretationOfDays)
  }

  private var interpretationOfDays: Int {
    var digest = ContentDigest(key: 0)
    addInterpretation(to: &digest)
    return digest.value
  }

  /// If more components changed, everything is read again.
  private static let mostChanges = 1000

  /// The occurrences of the series that commands changed after a generation, and all components
  /// whose occurrences an older listing can contain. `nil` if reading everything is better.
  package func changedOccurrences(
    after generation: Int, of selection: Selection, in window: DateWindow
  ) throws -> (components: Set<EventReference>, occurrences: [Occurrence])? {
    guard let store,
      let changed = try store.changedSeries(
        after: generation, of: selection, atMost: Self.mostChanges)
    else { return nil }
    let occurrences = selection.occurrences(of: changed.series, in: window, details: details)
    return (changed.components, occurrences)
  }

  /// The versions of agenda and of the zone rules, which can change the occurrences of the same
  /// store.
  private func addInterpretation(to digest: inout ContentDigest) {
    digest.add(agendaVersion)
    digest.add(zones.folder)
    digest.add(zones.version ?? "")
  }

  /// Identifies the content of a window in the present state of the store. `nil` if the zone of the
  /// window has no name, because its rules could change without a new key.
  package func cacheKey(of selection: Selection, in window: DateWindow) throws -> Int? {
    guard let store, [.database, .utc].contains(window.zone.origin) else { return nil }
    var key = try store.contentDigest()
    addInterpretation(to: &key)
    key.add(selection.signature)
    key.add(Int(window.firstDay.dayNumber))
    key.add(Int(window.dayAfterLast.dayNumber))
    key.add(window.zone.name)
    return key.value
  }

  /// The listing for a key in a cache.
  package func listing(from cache: ListingCache, key: Int) -> [Occurrence]? {
    guard let store else { return nil }
    return cache.content(for: key).flatMap(store.occurrences)
  }

  package func save(
    _ occurrences: [Occurrence], to cache: ListingCache, key: Int
  ) throws(ListingCache.Failure) {
    try cache.write(Store.bytes(of: occurrences), for: key)
  }

  package func busyTimes(
    in span: Range<Instant>, of selection: Selection
  ) throws -> [Range<Instant>] {
    guard let store, selection.admitsBusyTimes else { return [] }
    let names = ZoneNames(database: store.zones)
    return try store.freeBusyParts().filter { selection.admitsCalendar(named: $0.calendar) }
      .flatMap { $0.bytes.withUnsafeBufferPointer { FreeBusyText($0, names: names).spans } }
      .filter { $0.overlaps(span) }
  }

  package func alarms(of reference: EventReference) -> [Alarm] {
    reading { store throws(StoreError) in try store.alarms(of: reference) } ?? []
  }

  package func details(of reference: EventReference) -> EventDetails {
    reading { store throws(StoreError) in try store.details(of: reference) } ?? EventDetails()
  }

  package func calendars() throws -> [CalendarLabel] {
    guard let store else { return [] }
    let colors = try store.calendarColors()
    return try store.calendarNames().sorted { $0.key < $1.key }.map {
      CalendarLabel(name: $0.value, color: colors[$0.value])
    }
  }

  package func lines(of reference: EventReference) -> ComponentLines? {
    reading { store throws(StoreError) in try store.text(of: reference) }.map { text in
      text.withUnsafeBufferPointer(ComponentLines.init)
    }
  }

  package func calendarZoneName(of reference: EventReference) -> String? {
    let object = reading { store throws(StoreError) in try store.calendarObject(of: reference) }
    let line = object.flatMap {
      FileLines($0.properties).lines.first { $0.isProperty("X-WR-TIMEZONE") }
    }
    return line.map { line in
      let value = Array(line.drop { $0 != UInt8(ascii: ":") }.dropFirst())
      return value.withUnsafeBufferPointer { PropertyValue.text($0.trimmed) }
    }
  }

  package func attachmentBytes(of reference: EventReference, number: Int) -> [UInt8]? {
    reading { store throws(StoreError) in
      try store.attachmentBytes(of: reference, number: number)
    }
  }

  package func thumbnail(
    of reference: EventReference, _ attachment: Attachment, maker: ThumbnailMaker
  ) -> Thumbnail? {
    let stored = reading { store throws(StoreError) in
      try store.thumbnail(of: reference, number: attachment.number)
    }
    switch stored {
    case .made(let thumbnail)?: return thumbnail
    case .pending?: return newThumbnail(of: reference, attachment, maker: maker)
    case StoredThumbnail.none?, nil: return nil
    }
  }

  package var findings: [SourceFinding] {
    let found = reading { store throws(StoreError) in try store.findings() } ?? []
    // One finding for each kind of problem in a source, as when the source is read.
    return found.chunked { $0.origin.location == $1.origin.location }.flatMap { ofSource in
      ofSource.map {
        SourceFinding(source: $0.origin.place(inStore: store?.path).source, finding: $0.finding)
      }.sortedByLine.grouped
    }
  }

  package func place(of reference: EventReference) -> SourcePlace? {
    reading { store throws(StoreError) in try store.origin(of: reference) }.map {
      $0.place(inStore: store?.path)
    }
  }

  private func reading<Answer>(
    _ question: (Store) throws(StoreError) -> Answer?
  ) -> Answer? {
    guard let store else { return nil }
    do throws(StoreError) {
      return try question(store)
    } catch {
      if !hasFailed { reportFailure(error) }
      hasFailed = true
      return nil
    }
  }
}

extension Array {
  /// The longest runs of elements in which each element belongs to the one before it.
  fileprivate func chunked(_ belongs: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
    var chunks: [ArraySlice<Element>] = []
    var start = startIndex
    for index in indices.dropFirst() where !belongs(self[index - 1], self[index]) {
      chunks.append(self[start..<index])
      start = index
    }
    return isEmpty ? [] : chunks + [self[start...]]
  }
}

extension ComponentOrigin {
  func place(inStore path: String?) -> SourcePlace {
    let source: String
    switch kind {
    // The documents of the local calendar exist only in the store.
    case .local: return SourcePlace(source: path ?? location, line: nil)
    case .standardInput: source = Source.standardInput.displayName
    case .file, .folder, .url: source = Source(location).displayName
    }
    let file = document.isEmpty ? source : "\(source)/\(document)"
    return SourcePlace(source: file, line: line)
  }
}
