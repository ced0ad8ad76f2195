internal import AgendaCore

/// The components of a source that have the same UID although they are different events. Some
/// producers restart the numbers of their events, and others use one UID for everything.
struct SharedUIDs {
  /// One for each such UID, with the lines of its events.
  private(set) var findings: [Finding] = []

  init(of file: CalendarFile) {
    let groups = Self.groups(file.stubs)
    if groups.isEmpty { return }
    var decoder = EventDecoder(file)
    for ordinals in groups {
      // Different UIDs can have the same digest.
      var events: [String: [(event: Event, ordinal: Int)]] = [:]
      var order: [String] = []
      for ordinal in ordinals {
        defer { file.release(ordinal..<ordinal + 1) }
        guard let event = decoder.event(at: ordinal),
          !file.isMessage(event.reference.component)
        else { continue }
        if events[event.identity.uid] == nil { order.append(event.identity.uid) }
        events[event.identity.uid, default: []].append((event, ordinal))
      }
      for uid in order {
        guard let same = events[uid], let first = same.first else { continue }
        let candidates = same.map { event, ordinal in
          ComponentVersions.Candidate(
            place: event.start.map(ComparedStart.init), version: event.version, source: file.source,
            order: ordinal)
        }
        func content(_ index: Int) -> EventContent { file.content(of: same[index].event) }
        let outdated = Set(ComponentVersions.supersededMasters(candidates, content: content))
        let shown = same.indices.filter { !outdated.contains($0) }
        func line(_ index: Int) -> Int { Int(file.stubs[same[index].ordinal].line) }
        let lines = shown.map(line)
        if let replacement = ComponentVersions.replacement(among: candidates, content: content) {
          findings.append(
            SeriesAssembly.finding(
              replacement, by: same[replacement.newer].event, line: line(replacement.newer),
              lines: replacement.replaced.map(line)))
        }
        guard lines.count > 1 else { continue }
        findings.append(
          SeriesAssembly.finding(sharedBy: first.event, count: lines.count, lines: lines))
      }
    }
  }

  /// The masters of a kind whose UIDs have the same digest, if there are several, in the order of
  /// the file.
  private static func groups(_ stubs: [ComponentStub]) -> [[Int]] {
    // Usually no UID is shared, and this table is the only cost: it finds ordinals from 1 by the
    // digest. Its order depends on a random number, so that no source can slow it down on purpose.
    let size = max(16, (stubs.count * 2).roundedUpToPowerOfTwo)
    let factor = UInt64.random(in: .min ... .max) | 1
    let shift = UInt64(UInt64.bitWidth - size.trailingZeroBitCount)
    var table = [Int32](repeating: 0, count: size)
    var groups: [[Int]] = []
    var groupOfFirst: [Int: Int] = [:]
    for (ordinal, stub) in stubs.enumerated() where !stub.isOverride {
      var place = Int(truncatingIfNeeded: (stub.uidDigest &* factor) >> shift)
      while true {
        guard table[place] > 0 else {
          table[place] = Int32(truncatingIfNeeded: ordinal + 1)
          break
        }
        let first = Int(table[place]) - 1
        if stubs[first].uidDigest == stub.uidDigest, stubs[first].kind == stub.kind {
          if let group = groupOfFirst[first] {
            groups[group].append(ordinal)
          } else {
            groupOfFirst[first] = groups.count
            groups.append([first, ordinal])
          }
          break
        }
        place = (place + 1) & (size - 1)
      }
    }
    return groups
  }
}

extension Int {
  fileprivate var roundedUpToPowerOfTwo: Int {
    self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount)
  }
}
