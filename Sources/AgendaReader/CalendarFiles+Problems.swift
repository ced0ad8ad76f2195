package import AgendaCore
internal import ICalendar

/// Problems of events that depend on other components with the same UID, in the same file or in another
/// one.
extension CalendarFiles {
  /// The problems of a file, in the order of its lines: those that it has by itself, and those that it
  /// has because of other components.
  package func findings(ofFile place: Int, _ common: [Int: [Finding]]) -> [Finding] {
    let file = files[place]
    let own = file.findings.map { finding in
      guard finding.isAboutMissingSeries, let uid = finding.uid, hasSeries(uid, finding) else {
        return finding
      }
      return finding.reworded(as: .ruleInOverride)
    }
    let all = own + (common[place] ?? [])
    // The sort is stable, so that the findings of a line keep their order.
    return all.enumerated().sorted {
      ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
    }.map(\.element).grouped
  }

  /// The problems that depend on several components, by file. `keepsMails` is true if they are about an
  /// import, after which the messages stay in the store.
  package func commonFindings(keepsMails: Bool) -> [Int: [Finding]] {
    let uids = doubtfulUIDs()
    guard !uids.isEmpty else { return [:] }
    let assembly = assembly(ofUIDs: uids)
    var findings: [Int: [Finding]] = [:]
    for (references, finding) in problems(of: assembly, keepsMails: keepsMails) {
      guard let first = references.first, let place = fileIndex(of: first) else { continue }
      findings[place, default: []].append(finding)
    }
    return findings
  }

  /// The problems of an assembly of its components, each with the components that it is about, the
  /// first one of which has it.
  package func problems(
    of assembly: SeriesAssembly, keepsMails: Bool
  ) -> [([EventReference], Finding)] {
    assembly.problems(events: eventsOfProblems(assembly), keepsMails: keepsMails) { reference in
      guard let place = fileIndex(of: reference) else { return nil }
      return SeriesAssembly.Position(file: names[place], line: line(of: reference))
    }
  }

  /// The events that the findings of an assembly name.
  package func eventsOfProblems(_ assembly: SeriesAssembly) -> [EventReference: Event] {
    var events: [EventReference: Event] = [:]
    let named =
      assembly.problems.compactMap(\.events.first)
      + assembly.outcomes.filter { $0.value != .effective }.map(\.key)
    let byFile = Dictionary(grouping: named) { fileIndex(of: $0) }
    for (place, references) in byFile {
      guard let place else { continue }
      let file = files[place]
      let ordinals = references.compactMap {
        file.ordinal(ofComponent: component(of: $0).component)
      }
      for event in file.events(at: Array(Set(ordinals)).sorted()) {
        events[event.reference] = event
      }
    }
    return events
  }

  /// Whether any file has a version of a whole event with the UID of a finding.
  private func hasSeries(_ uid: String, _ finding: Finding) -> Bool {
    let digest = Array(uid.utf8).withUnsafeBufferPointer { $0.digest() }
    return files.contains { file in
      file.stubs.contains {
        !$0.isOverride && $0.uidDigest == digest && $0.kind.name == finding.component
      }
    }
  }

  /// The UIDs of which an override is older than its master or replaces a midnight, of which there are
  /// several masters, or that messages name. Only these are decoded.
  private func doubtfulUIDs() -> Set<UInt64> {
    var uids = staleUIDs()
    for file in files {
      uids.formUnion(file.stubs.lazy.filter(\.replacesMidnight).map(\.uidDigest))
      uids.formUnion(file.uidsOfMessages)
    }
    return uids.union(sharedUIDs())
  }

  private func staleUIDs() -> Set<UInt64> {
    var lowest: [UInt64: Int] = [:]
    for file in files {
      for stub in file.stubs where stub.isOverride {
        lowest[stub.uidDigest] = min(lowest[stub.uidDigest] ?? .max, stub.sequence)
      }
    }
    var uids: Set<UInt64> = []
    if lowest.isEmpty { return uids }
    for file in files {
      for stub in file.stubs where !stub.isOverride && stub.sequence > 0 {
        if let sequence = lowest[stub.uidDigest], sequence < stub.sequence {
          uids.insert(stub.uidDigest)
        }
      }
    }
    return uids
  }

  /// The UIDs of several masters.
  private func sharedUIDs() -> Set<UInt64> {
    // Usually no UID is shared, and this table is the only cost. Its order depends on a random number,
    // so that no source can slow it down on purpose.
    let count = files.reduce(0) { $0 + $1.stubs.count }
    let size = max(16, (count * 2).roundedUpToPowerOfTwo)
    let factor = UInt64.random(in: .min ... .max) | 1
    let shift = UInt64(UInt64.bitWidth - size.trailingZeroBitCount)
    var table = [UInt64?](repeating: nil, count: size)
    var uids: Set<UInt64> = []
    for file in files {
      for stub in file.stubs where !stub.isOverride {
        var place = Int(truncatingIfNeeded: (stub.uidDigest &* factor) >> shift)
        while let known = table[place], known != stub.uidDigest { place = (place + 1) & (size - 1) }
        if table[place] != nil { uids.insert(stub.uidDigest) }
        table[place] = stub.uidDigest
      }
    }
    return uids
  }
}

extension Int {
  fileprivate var roundedUpToPowerOfTwo: Int {
    self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount)
  }
}
