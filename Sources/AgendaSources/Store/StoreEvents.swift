package import AgendaCore
package import AgendaPictures
package import AgendaReader
package import AgendaStore
package import CivilTime
internal import ICalendar
internal import Platform

/// The events of a store: its index finds the UIDs that a caller asks for, and their components are
/// decoded and assembled as those of files are.
package final class StoreEvents: EventSource {
  /// `nil` for a store that does not exist yet.
  private let reader: StoreReader?
  private let reportFailure: (StoreError) -> Void
  private var hasFailed = false
  /// What was read last, for the details of its events.
  private var read: [CalendarFiles] = []
  private var isCurrent: Bool?

  /// Calls `reportFailure` once if the store fails while details are read; the details are then
  /// empty.
  package init(
    _ store: Store?, zones: ZoneDatabase, reportFailure: @escaping (StoreError) -> Void
  ) {
    reader = store.map { StoreReader($0, zones: zones) }
    self.reportFailure = reportFailure
  }

  package func series(_ query: SeriesQuery) throws -> [Series] {
    guard let reader else { return [] }
    var found: [Int]?
    if case .words(let words) = query.scope {
      // It updates the index of words, which a transaction of a reader cannot.
      found = try SearchIndex(reader).uids(withWords: words)
    }
    return try reader.store.reading { () throws(StoreError) in
      let uids: [Int]
      if let found { uids = found } else { uids = try self.uids(query, reader) }
      return keep(try reader.excerpt(ofUIDs: uids)).assembly.series.filter {
        query.selection.admitsKind($0.master.kind)
          && query.selection.admitsCalendar(named: $0.master.calendar)
      }
    }
  }

  private func uids(
    _ query: SeriesQuery, _ reader: StoreReader
  ) throws(StoreError) -> [Int] {
    let store = reader.store
    let filter = try reader.filter(query.selection)
    switch query.scope {
    case .complete, .listed:
      guard let span = query.span, try isIndexCurrent(reader) else { return try store.uids(filter) }
      if span.isEmpty { return [] }
      return try store.uids(touching: span, days: Store.WindowDays(span), filter)
    case .alarms:
      guard let span = query.span, try isIndexCurrent(reader) else { return try store.uids(filter) }
      return try store.uids(ringing: span, filter)
    // Without an index of words, everything is read.
    case .words: return try store.uids(filter)
    case .uid(let uid): return filter.kinds.map { store.uidDigest(of: uid, $0) }
    case .all(let kind): return try store.uids(try reader.filter(query.selection, kinds: [kind]))
    }
  }

  /// The index of another version of agenda can lack events, if this process may not write it.
  private func isIndexCurrent(_ reader: StoreReader) throws(StoreError) -> Bool {
    if let known = isCurrent { return known }
    let current = try StoreIndex.isCurrent(reader.store, zones: reader.zones)
    isCurrent = current
    return current
  }

  /// Older ones are forgotten.
  private static let mostRead = 8

  private func keep(_ excerpt: StoreExcerpt) -> StoreExcerpt {
    read.append(excerpt.files)
    if read.count > Self.mostRead { read.removeFirst() }
    return excerpt
  }

  /// What was read of an event, the latest first. If nothing was, its components are read.
  private func files(of reference: EventReference) -> CalendarFiles? {
    if let known = read.last(where: { $0.contains(reference) }) { return known }
    guard reference.component > 0 else { return nil }
    return reading { reader throws(StoreError) in
      guard let component = try reader.store.components(ids: [reference.component]).first else {
        return nil
      }
      let excerpt = keep(try reader.excerpt(ofUIDs: [component.uid]))
      if excerpt.files.contains(reference) { return excerpt.files }
      // It was taken out meanwhile.
      return try reader.files([component])
    }
  }

  /// If more components changed, everything is read again.
  private static let mostChanges = 1000

  /// The occurrences of the series that commands changed after a generation, and all components
  /// whose occurrences an older listing can contain. `nil` if reading everything is better.
  package func changedOccurrences(
    after generation: Int, of selection: Selection, in window: DateWindow
  ) throws -> (components: Set<EventReference>, occurrences: [Occurrence])? {
    guard let reader else { return nil }
    let store = reader.store
    return try store.reading { () throws(StoreError) in
      guard try !store.hasMovedSources(after: generation),
        let uids = try store.changedUIDs(from: generation + 1, atMost: Self.mostChanges)
      else { return nil }
      let before = try reader.excerpt(ofUIDs: uids, at: .before(generation: generation + 1))
      let present = keep(try reader.excerpt(ofUIDs: uids))
      let components = before.references.union(present.references)
      let series = present.assembly.series.filter {
        selection.admitsKind($0.master.kind)
          && selection.admitsCalendar(named: $0.master.calendar)
      }
      let listing = selection.listing(of: series, in: window, details: details)
      // An older listing could have other days.
      return listing.window == window ? (components, listing.occurrences) : nil
    }
  }

  /// Identifies the content of a window in the present state of the store. `nil` if the zone of the
  /// window has no name, because its rules could change without a new key.
  package func cacheKey(of selection: Selection, in window: DateWindow) throws -> Int? {
    guard let reader, [.database, .utc].contains(window.zone.origin) else { return nil }
    var key = try reader.store.contentDigest()
    key.add(agendaVersion)
    key.add(reader.zones.folder)
    key.add(reader.zones.version ?? "")
    key.add(selection.signature)
    key.add(Int(window.firstDay.dayNumber))
    key.add(Int(window.dayAfterLast.dayNumber))
    key.add(window.zone.name)
    return key.value
  }

  /// The listing for a key in a cache.
  package func listing(from cache: ListingCache, key: Int) -> [Occurrence]? {
    guard let reader else { return nil }
    return cache.content(for: key).flatMap { ListingCodec.occurrences($0, zones: reader.zones) }
  }

  package func save(
    _ occurrences: [Occurrence], to cache: ListingCache, key: Int
  ) throws(ListingCache.Failure) {
    try cache.write(ListingCodec.bytes(occurrences), for: key)
  }

  package func busyTimes(
    in span: Range<Instant>, of selection: Selection
  ) throws -> [Range<Instant>] {
    guard let reader, selection.admitsBusyTimes else { return [] }
    let names = ZoneNames(database: reader.zones)
    var spans: [Range<Instant>] = []
    for part in try reader.store.otherParts() {
      guard let source = try reader.source(part.source),
        selection.admitsCalendar(named: source.source.calendar),
        part.bytes.isFreeBusy
      else { continue }
      spans += part.bytes.withUnsafeBufferPointer { FreeBusyText($0, names: names).spans }
    }
    return spans.filter { $0.overlaps(span) }
  }

  package func details(of reference: EventReference) -> EventDetails {
    files(of: reference)?.details(of: reference) ?? EventDetails()
  }

  package func calendars() throws -> [CalendarLabel] {
    guard let reader else { return [] }
    let colors = try reader.store.calendarColors()
    let names = try reader.store.calendarNames().sorted { $0.key < $1.key }.flatMap {
      $0.value.sorted()
    }
    return names.map { CalendarLabel(name: $0, color: colors[$0]) }
  }

  package func lines(of reference: EventReference) -> ComponentLines? {
    files(of: reference)?.sourceText(of: reference).map { text in
      text.withUnsafeBufferPointer(ComponentLines.init)
    }
  }

  package func calendarZoneName(of reference: EventReference) -> String? {
    files(of: reference)?.calendarZoneName(of: reference)
  }

  package func attachmentBytes(of reference: EventReference, number: Int) -> [UInt8]? {
    files(of: reference)?.attachmentBytes(of: reference, number: number)
  }

  package func thumbnail(
    of reference: EventReference, _ attachment: Attachment, maker: ThumbnailMaker
  ) -> Thumbnail? {
    // The pictures of what messages made are those of the component that it is based on.
    let base = files(of: reference)?.component(of: reference) ?? reference
    let stored = reading { reader throws(StoreError) in
      try reader.store.thumbnail(
        of: StoredPicture(component: base.component, number: attachment.number))
    }
    switch stored {
    case .made(let picture, let format, let bytes)?:
      return UInt8(exactly: format).flatMap(Thumbnail.Format.init(rawValue:)).map {
        Thumbnail(picture: picture, format: $0, bytes: bytes)
      }
    case .pending?: return newThumbnail(of: reference, attachment, maker: maker)
    case StoredThumbnail.none?, nil: return nil
    }
  }

  package var findings: [SourceFinding] {
    reading { reader throws(StoreError) in try StoredFindings(reader).all() } ?? []
  }

  package func place(of reference: EventReference) -> SourcePlace? {
    let base = files(of: reference)?.component(of: reference) ?? reference
    return reading { reader throws(StoreError) in
      try reader.origin(of: base)?.place(inStore: reader.store.path)
    }
  }

  private func reading<Answer>(
    _ question: (StoreReader) throws(StoreError) -> Answer?
  ) -> Answer? {
    guard let reader else { return nil }
    do throws(StoreError) {
      return try question(reader)
    } catch {
      if !hasFailed { reportFailure(error) }
      hasFailed = true
      return nil
    }
  }
}

extension StoreExcerpt {
  /// The references of all events that it can list.
  var references: Set<EventReference> {
    Set(assembly.series.flatMap { [$0.master.reference] + $0.overrides.map(\.reference) })
  }
}

/// The source of a component, its file and its line.
package struct ComponentOrigin: Hashable, Sendable {
  package var source: Int
  package var kind: ImportedSource.Kind
  /// The identity of the source: an absolute path or a URL.
  package var location: String
  /// The name of its file within a folder; empty for any other source.
  package var document: String
  package var line: Int?

  func place(inStore path: String?) -> SourcePlace {
    let name: String
    switch kind {
    // The documents of these exist only in the store.
    case .local, .decisions: return SourcePlace(source: path ?? location, line: nil)
    case .standardInput: name = Source.standardInput.displayName
    case .file, .folder, .url, .server: name = Source(location).displayName
    }
    let file = document.isEmpty ? name : "\(name)/\(document)"
    return SourcePlace(source: file, line: line, document: document)
  }
}

extension StoreReader {
  /// The source of an event, at its last import.
  package func origin(of reference: EventReference) throws(StoreError) -> ComponentOrigin? {
    guard let found = try store.origin(ofComponent: reference.component),
      let source = try self.source(found.source)
    else { return nil }
    return ComponentOrigin(
      source: found.source, kind: source.source.kind, location: source.source.location,
      document: found.document, line: found.line)
  }
}
