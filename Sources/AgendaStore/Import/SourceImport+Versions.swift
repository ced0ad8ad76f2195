internal import AgendaCore
internal import CivilTime

/// Decides which components of a snapshot count, and which components of the store they replace.
extension SourceImport {
  /// A component of the snapshot that may have other versions there.
  private struct Version {
    enum Place {
      /// In `added`.
      case new(Int)
      /// In `known`.
      case old(Int)
    }

    var place: Place
    var identity: IdentityKey
    var version: EventVersion
    var order: Int
    var isCounted: Bool
  }

  /// Removes the components that others of this source replace (`ComponentVersions`), and returns
  /// how many of them the store had. Versions in other sources of the calendar are compared when
  /// the store is read, because each source keeps its own.
  func removeSuperseded() throws(StoreError) -> Int {
    var losers: Set<Int> = []
    var outdated = 0
    // Sorting these numbers, which are adjacent in memory, is several times faster than sorting the
    // components.
    let byUID = added.indices.map { (uid: added[$0].identity.uid, index: $0) }
      .sorted { $0 < $1 }
    var first = 0
    while first < byUID.count {
      let uid = byUID[first].uid
      var end = first + 1
      while end < byUID.count, byUID[end].uid == uid { end += 1 }
      let oldOnes = known?.positions(uid: uid).filter { seen[$0] } ?? []
      if end - first > 1 || !oldOnes.isEmpty {
        var versions = byUID[first..<end].map { _, index in
          Version(
            place: .new(index), identity: added[index].identity, version: added[index].version,
            order: added[index].order, isCounted: added[index].isCounted)
        }
        for position in oldOnes {
          if let version = try oldVersion(position) { versions.append(version) }
        }
        for loser in try superseded(among: versions) {
          switch loser.place {
          case .new(let index):
            try writer.erase(added[index].id)
            losers.insert(index)
            supersede(in: added[index].document, isCounted: loser.isCounted)
          case .old(let position):
            try supersedeOld(position, isCounted: loser.isCounted)
            outdated += 1
          }
        }
      }
      first = end
    }
    if !losers.isEmpty {
      added = added.indices.filter { !losers.contains($0) }.map { added[$0] }
    }
    return outdated
  }

  private func oldVersion(_ position: Int) throws(StoreError) -> Version? {
    guard let known, let event = try store.event(component: known.ids[position]) else {
      return nil
    }
    var version = event.version
    // Its DTSTAMP or LAST-MODIFIED may have changed since it was written.
    if let stamp = stamps[position] {
      version.modified = Instant(secondsSinceEpoch: stamp)
    }
    return Version(
      place: .old(position), identity: IdentityKey(event, key: store.key), version: version,
      order: orders[position], isCounted: event.kind != .journal)
  }

  /// The components that a later version replaces. If there are any, the others are read again at
  /// every import, because their DTSTAMPs decide.
  private func superseded(among versions: [Version]) throws(StoreError) -> [Version] {
    let masters = versions.filter(\.identity.isMaster)
    let overrides = versions.filter { !$0.identity.isMaster }
    var outdatedMasters: [Int] = []
    if masters.count > 1 {
      let candidates = masters.map { version in
        let start = version.identity.start?.eventTime(store.context.zone)
        return candidate(version, start.map(ComparedStart.init))
      }
      outdatedMasters = try ComponentVersions.supersededMasters(candidates) {
        index throws(StoreError) in try content(masters[index])
      }
    }
    let outdatedOverrides = try ComponentVersions.supersededOverrides(
      overrides.map { candidate($0, $0.identity) }
    ) { index throws(StoreError) in try content(overrides[index]) }
    let losers =
      outdatedMasters.map { masters[$0] } + outdatedOverrides.map { overrides[$0] }
    if !losers.isEmpty {
      let orders = Set(losers.map(\.order))
      for version in versions where !orders.contains(version.order) {
        try writer.setDigest(of: id(of: version), to: nil)
      }
    }
    return losers
  }

  private func candidate<Place>(
    _ version: Version, _ place: Place
  ) -> ComponentVersions.Candidate<Place> {
    ComponentVersions.Candidate(
      place: place, version: version.version, source: sourceID, order: version.order)
  }

  private func id(of version: Version) -> Int {
    switch version.place {
    case .new(let index): added[index].id
    case .old(let position): known?.ids[position] ?? 0
    }
  }

  private func content(_ version: Version) throws(StoreError) -> EventContent {
    try store.content(of: event(of: version))
  }

  /// A new source has no row yet, so its calendar is left out.
  private func event(of version: Version) throws(StoreError) -> Event {
    let id = id(of: version)
    let row = try connection.statement(
      "SELECT \(EventReader.columns) FROM component WHERE id = ?1", id)
    guard try row.step() else { throw store.damaged(id) }
    defer { row.reset() }
    return try store.event(EventReader(row, store.context), calendar: source.calendar)
  }

  private func supersedeOld(_ position: Int, isCounted: Bool) throws(StoreError) {
    guard let known else { return }
    try store.take(out: [known.ids[position]], generation: generation)
    if isCounted { report.unchanged -= 1 }
    let document = documentPositions[known.documents[position]]
    supersede(in: document ?? 0, isCounted: isCounted)
    if let document, documents[document].content == nil,
      let revision = documents[document].revision
    {
      let superseded = documents[document].supersededBefore + documents[document].superseded
      try connection.update(
        Schema.revision, set: ["superseded": superseded], where: "id = ?", revision)
    }
  }

  /// Finds for each added component the component of the store that it replaces. Counts added and
  /// updated ones, and unchanged ones if the content is the same. Returns the positions of the
  /// replaced components.
  func pairWithOld() throws(StoreError) -> Set<Int> {
    var replaced: Set<Int> = []
    guard let known else {
      report.added += added.count(where: \.isCounted)
      return replaced
    }
    var gone: [Int: GonePositions] = [:]
    for index in added.indices {
      let component = added[index]
      let uid = component.identity.uid
      if gone[uid] == nil { gone[uid] = try gonePositions(uid: uid) }
      guard let position = gone[uid]?.take(component.identity) else {
        if component.isCounted { report.added += 1 }
        continue
      }
      replaced.insert(position)
      let isSame = try store.content(component: known.ids[position]) == component.content
      added[index].outcome = isSame ? .unchanged : .updated
      guard component.isCounted else { continue }
      if isSame { report.unchanged += 1 } else { report.updated += 1 }
    }
    return replaced
  }

  /// The components of one UID that are missing from the snapshot, by their identity.
  private struct GonePositions {
    /// Positions in `known`, the first one last. A position that was taken from one list stays in
    /// the other.
    var sameStart: [IdentityKey: [Int]] = [:]
    var anyStart: [IdentityKey: [Int]] = [:]
    private var taken: Set<Int> = []

    /// Takes the first one for the same occurrence, if possible with the same start.
    mutating func take(_ identity: IdentityKey) -> Int? {
      let position =
        Self.last(of: &sameStart[identity.withStart], taken)
        ?? Self.last(of: &anyStart[identity.ofOccurrence], taken)
      if let position { taken.insert(position) }
      return position
    }

    private static func last(of positions: inout [Int]?, _ taken: Set<Int>) -> Int? {
      while let position = positions?.popLast() {
        if !taken.contains(position) { return position }
      }
      return nil
    }
  }

  private func gonePositions(uid: Int) throws(StoreError) -> GonePositions {
    var gone = GonePositions()
    guard let known else { return gone }
    for position in known.positions(uid: uid).reversed() where !seen[position] {
      guard let event = try store.event(component: known.ids[position]) else { continue }
      let identity = IdentityKey(event, key: store.key)
      gone.sameStart[identity.withStart, default: []].append(position)
      gone.anyStart[identity.ofOccurrence, default: []].append(position)
    }
    return gone
  }
}
