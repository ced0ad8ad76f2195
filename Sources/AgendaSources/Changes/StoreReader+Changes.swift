package import AgendaCore
internal import AgendaReader
package import AgendaStore
package import CivilTime
internal import ICalendar

extension StoreReader {
  /// The difference between the store at that moment and the present store. An event that was added
  /// and removed again is not listed, nor are invisible differences such as a SEQUENCE. Without a
  /// moment, the changes of the last command. The result is sorted by calendar, time and title.
  /// Floating times and dates are those of `viewer`.
  package func changes(
    since moment: Instant?, viewer: Zone
  ) throws(StoreError) -> [Change] {
    try store.reading { () throws(StoreError) in
      guard let first = try store.firstGeneration(since: moment) else { return [] }
      return try changes(from: first, viewer: viewer)
    }
  }

  /// The difference that commands made, in the same way: from a generation on, and before `end`; with `uids`,
  /// only of events with these.
  package func changes(
    from first: Int, before end: Int = .max, among uids: [Int]? = nil, viewer: Zone
  ) throws(StoreError) -> [Change] {
    try store.reading { () throws(StoreError) in
      var uids = uids
      if uids == nil { uids = try store.changedUIDs(from: first, before: end) }
      let splits = try store.splits(from: first, before: end)
      // The two parts of a split are compared together.
      let splitUIDs = Set(splits.flatMap { [$0.old, $0.new] })
      var changes = try changes(
        ofUIDs: Array(splitUIDs), from: first, before: end, splits: splits, viewer)
      let others = (uids ?? []).filter { !splitUIDs.contains($0) }
      for start in stride(from: 0, to: others.count, by: Self.pieceLength) {
        let piece = others[start..<min(start + Self.pieceLength, others.count)]
        changes += try self.changes(
          ofUIDs: Array(piece), from: first, before: end, splits: [], viewer)
      }
      return changes.inListOrder
    }
  }

  /// A piece of a large store takes a small part of the memory of all of it.
  private static let pieceLength = 5_000

  private func changes(
    ofUIDs uids: [Int], from first: Int, before end: Int,
    splits: [(source: Int, old: Int, new: Int)], _ viewer: Zone
  ) throws(StoreError) -> [Change] {
    if uids.isEmpty { return [] }
    let before = try state(ofUIDs: uids, at: .before(generation: first))
    let after = try state(
      ofUIDs: uids, at: end == .max ? .present : .before(generation: end))
    return SeriesComparison.changes(
      from: before, to: after,
      splits: splits.isEmpty ? [] : splitSeries(splits, before, after), viewer: viewer)
  }

  private func splitSeries(
    _ splits: [(source: Int, old: Int, new: Int)], _ before: SeriesState, _ after: SeriesState
  ) -> [SeriesComparison.Split] {
    var keys: [Int: [SeriesState.SeriesKey]] = [:]
    for series in before.series + after.series {
      let event = series.master
      let key = SeriesState.SeriesKey(event)
      let digest = store.uidDigest(of: key.uid, ComponentKind(key.kind))
      if keys[digest]?.contains(key) != true { keys[digest, default: []].append(key) }
    }
    return splits.flatMap { split in
      (keys[split.old] ?? []).flatMap { old in
        (keys[split.new] ?? []).filter { $0.calendar == old.calendar }.map {
          SeriesComparison.Split(old: old, new: $0)
        }
      }
    }
  }

  /// What some UIDs meant at a moment. Each source has the calendar that it has now, so that a source
  /// that moved has no changed events.
  func state(
    ofUIDs uids: some Collection<Int>, at moment: Store.Moment
  ) throws(StoreError) -> SeriesState {
    let excerpt = StoreExcerpt(try files(try store.components(ofUIDs: uids, at: moment)))
    return SeriesState(
      excerpt.assembly.series, derivations: excerpt.assembly.derivations,
      reading: ExcerptReading(files: excerpt.files))
  }
}

/// Reads the events of an excerpt for a comparison.
private struct ExcerptReading: EventReading {
  let files: CalendarFiles

  func details(of event: EventReference) -> EventDetails { files.details(of: event) }

  func content(of event: Event) -> EventContent { files.content(of: event) }

  private static let names: [StaticString] = [
    "ATTACH", "COMMENT", "CONTACT", "IMAGE", "RELATED-TO", "RESOURCES",
  ]

  /// Of an attachment, this has its bytes.
  func otherLines(of event: EventReference) -> [String: Set<[UInt8]>] {
    guard let text = files.text(of: event) else { return [:] }
    var lines: [String: Set<[UInt8]>] = [:]
    var depth = 0
    for line in FileLines(text).lines {
      if line.isProperty("BEGIN") { depth += 1 }
      if line.isProperty("END") { depth -= 1 }
      guard depth == 1, let name = Self.names.first(where: line.isProperty) else { continue }
      lines[name.description, default: []].insert(line)
    }
    return lines
  }
}
