internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import ICalendar
internal import Platform

/// Makes the store equal to one file of a source: writes the components that it lacks, and takes out
/// those that the file does not have any more.
struct DocumentImport {
  let change: StoreChange
  let source: Int
  let document: Int
  let file: CalendarFile
  /// UIDs of which the order and the stamps of components matter, because several components have
  /// them.
  let severalUIDs: Set<Int>
  /// The digests of components that the file had before agenda wrote it.
  var previous: Set<Int> = []

  /// With larger pieces, the components that wait to be written leave the caches of the processor.
  private static let pieceLength = 128
  private static let piecesAhead = 6

  /// What it did.
  struct Result {
    /// The components that it wrote, with their UIDs.
    var added: [(id: Int, uid: Int, kind: ComponentKind)] = []
    /// The components that it took out.
    var gone: [KnownComponent] = []
    /// The components of the file that the store had.
    var kept: [KnownComponent] = []
    /// Components that a cut-off file does not have, and that stay.
    var staying: [KnownComponent] = []
    /// The lines on which all present components begin.
    var lines: [(component: Int, line: Int)] = []
  }

  /// `contexts` are the numbers of the contexts of its VCALENDARs. Components that are missing from a
  /// truncated file are kept, unless it has another version of them.
  func run(
    contexts: [Int], progress: (Int) -> Void
  ) throws(StoreError) -> Result {
    // An empty store has no index of documents yet, and a search would read all rows.
    let known =
      change.isEmptyStore ? [] : try change.store.knownComponents(ofDocument: document)
    var places: [Place: [Int]] = [:]
    for (index, component) in known.enumerated() {
      places[Place(digest: component.digest, context: component.context), default: []].append(index)
    }
    // The first one of equal components is taken first.
    for place in places.keys { places[place]?.reverse() }
    var digests: [Int: Set<Int>] = [:]
    for component in known { digests[component.context, default: []].insert(component.digest) }
    let reading = ComponentReading(
      file: file, key: change.key, contexts: contexts, known: digests)
    var result = Result()
    var seen = [Bool](repeating: false, count: known.count)
    var ofOrdinal: [Stored] = []
    ofOrdinal.reserveCapacity(file.eventCount)

    try forEachComponent(reading, progress) { component throws(StoreError) in
      let ordinal = ofOrdinal.count
      let context = contexts[file.calendar(ofComponent: ordinal) ?? 0]
      switch component {
      case .known(let digest):
        let place = Place(digest: digest, context: context)
        if let index = places[place]?.popLast() {
          seen[index] = true
          ofOrdinal.append(Stored(id: known[index].id, uid: known[index].uid, known: index))
        } else if let copy = reading.component(ordinal) {
          // The file has more copies of it than the store.
          ofOrdinal.append(try add(copy, context, to: &result))
        }
      case .new(let new): ofOrdinal.append(try add(new, context, to: &result))
      }
    }
    let added = ofOrdinal.indices.filter { ofOrdinal[$0].known == nil }
    let copied = try keepOrder(&ofOrdinal, known, &seen, reading, contexts, &result)
    var gone = Set(known.indices.filter { !seen[$0] })
    if file.isTruncated {
      let missing = gone.subtracting(copied).sorted()
      // What the file had before an edit is gone, although the file is cut off.
      gone = copied.union(missing.filter { previous.contains(known[$0].digest) })
        .union(try replaced(by: added, ofOrdinal, among: missing, of: known))
      result.staying = missing.filter { !gone.contains($0) }.map { known[$0] }
    }
    result.gone = gone.sorted().map { known[$0] }
    if !result.gone.isEmpty { try change.remove(components: result.gone.lazy.map(\.id)) }
    result.kept = known.indices.filter { seen[$0] }.map { known[$0] }
    result.lines = ofOrdinal.enumerated().map { ordinal, stored in
      (stored.id, file.line(ofComponent: file.number(ofComponent: ordinal)) ?? 0)
    }
    return result
  }

  private struct Place: Hashable {
    let digest: Int
    let context: Int
  }

  /// The row of a component of the file.
  private struct Stored {
    var id: Int
    var uid: Int
    /// Its index among the known ones.
    var known: Int?
  }

  private func add(
    _ new: NewComponent, _ context: Int, to result: inout Result
  ) throws(StoreError) -> Stored {
    let id = try change.add(
      new.record, source: source, document: document, context: context, pictures: new.pictures)
    result.added.append((id, new.record.uid, new.record.kind))
    return Stored(id: id, uid: new.record.uid, known: nil)
  }

  /// Reads on other threads than the one that writes.
  private func forEachComponent(
    _ reading: ComponentReading, _ progress: (Int) -> Void,
    _ body: (ReadComponent) throws(StoreError) -> Void
  ) throws(StoreError) {
    let count = file.eventCount
    let length = Self.pieceLength
    let pieces = (count + length - 1) / length
    // A single piece takes less time than the start of a thread.
    let work = OrderedWork(
      pieces: pieces, threads: pieces > 1 ? 1 : 0, ahead: Self.piecesAhead
    ) { piece in
      let ordinals = piece * length..<min(count, (piece + 1) * length)
      defer { reading.file.release(ordinals) }
      return reading.components(ordinals)
    }
    defer { work.stop() }
    var done = 0
    while let components = work.take() {
      for component in components { try body(component) }
      done += components.count
      work.giveBack(components)
      progress(done)
    }
  }

  /// The known components that new ones of a cut-off file replace: of the same occurrence of the same
  /// UID, if possible with the same start.
  private func replaced(
    by added: [Int], _ stored: [Stored], among missing: [Int], of known: [KnownComponent]
  ) throws(StoreError) -> Set<Int> {
    struct Occurrence: Hashable {
      let uid: Int
      let recurrenceID: [UInt8]?
    }
    func value(_ name: StaticString, _ text: ComponentText) -> [UInt8]? {
      text.own(name).first.map { PropertyLine($0.content).value }
    }
    let uids = Set(added.map { stored[$0].uid })
    var candidates: [Occurrence: [(index: Int, start: [UInt8]?)]] = [:]
    let indexOfID = Dictionary(
      missing.lazy.filter { uids.contains(known[$0].uid) }.map { (known[$0].id, $0) },
      uniquingKeysWith: { first, _ in first })
    for component in try change.store.components(ids: indexOfID.keys.sorted()) {
      guard let index = indexOfID[component.id] else { continue }
      let text = ComponentText(component.text)
      let occurrence = Occurrence(
        uid: component.uid, recurrenceID: value("RECURRENCE-ID", text))
      candidates[occurrence, default: []].append((index, value("DTSTART", text)))
    }
    if candidates.isEmpty { return [] }
    let versions = added.compactMap { ordinal -> (occurrence: Occurrence, start: [UInt8]?)? in
      file.withComponent(file.number(ofComponent: ordinal)) { bytes in
        let text = ComponentText(Array(bytes))
        let occurrence = Occurrence(
          uid: stored[ordinal].uid, recurrenceID: value("RECURRENCE-ID", text))
        return (occurrence, value("DTSTART", text))
      }
    }
    var replaced: Set<Int> = []
    var others: [Occurrence] = []
    for (occurrence, start) in versions {
      if let place = candidates[occurrence]?.firstIndex(where: { $0.start == start }),
        let index = candidates[occurrence]?.remove(at: place).index
      {
        replaced.insert(index)
      } else {
        others.append(occurrence)
      }
    }
    for occurrence in others where candidates[occurrence]?.isEmpty == false {
      if let index = candidates[occurrence]?.removeFirst().index { replaced.insert(index) }
    }
    return replaced
  }

  /// Of several components with one UID, the stamps and the order in the file decide. So those that
  /// have another stamp in the file, or come after a new component there, are written again. Returns
  /// the indices of those among the known ones.
  private func keepOrder(
    _ stored: inout [Stored], _ known: [KnownComponent], _ seen: inout [Bool],
    _ reading: ComponentReading, _ contexts: [Int], _ result: inout Result
  ) throws(StoreError) -> Set<Int> {
    guard known.count > 0 else { return [] }
    var copied: Set<Int> = []
    var counts: [Int: Int] = [:]
    for component in stored { counts[component.uid, default: 0] += 1 }
    let ambiguous = stored.indices.filter { ordinal in
      stored[ordinal].known != nil
        && (counts[stored[ordinal].uid] ?? 0 > 1 || severalUIDs.contains(stored[ordinal].uid))
    }
    guard !ambiguous.isEmpty else { return [] }
    let texts = try change.store.components(ids: ambiguous.map { stored[$0].id })
    let textOf = Dictionary(texts.map { ($0.id, $0.text) }, uniquingKeysWith: { first, _ in first })
    var last: [Int: Int] = [:]
    let isAmbiguous = Set(ambiguous)
    for ordinal in stored.indices {
      let component = stored[ordinal]
      defer { last[component.uid] = max(last[component.uid] ?? 0, stored[ordinal].id) }
      guard isAmbiguous.contains(ordinal), let index = component.known else { continue }
      let isSame = file.withComponent(file.number(ofComponent: ordinal)) { bytes in
        textOf[component.id].map { bytes.elementsEqual($0) } ?? false
      }
      if isSame == true, component.id > last[component.uid] ?? 0 { continue }
      guard let copy = reading.component(ordinal) else { continue }
      seen[index] = false
      copied.insert(index)
      let context = contexts[file.calendar(ofComponent: ordinal) ?? 0]
      stored[ordinal] = try add(copy, context, to: &result)
    }
    return copied
  }
}
