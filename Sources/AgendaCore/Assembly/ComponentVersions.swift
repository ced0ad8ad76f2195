/// Decides which of the components with one UID count within a calendar. Their sources and files,
/// and the order of imports, do not matter (RFC 5545 3.8.7.4, RFC 5546 2.1.5).
package enum ComponentVersions {
  /// The values of a component that decide. `Place` is the DTSTART of a master, or the
  /// RECURRENCE-ID of an override.
  package struct Candidate<Place: Hashable> {
    package var place: Place
    package var version: EventVersion
    package var source: Int
    /// The position within its source.
    package var order: Int

    package init(place: Place, version: EventVersion, source: Int, order: Int) {
      self.place = place
      self.version = version
      self.source = source
      self.order = order
    }

    /// The first source comes last.
    func isBefore(_ other: Candidate) -> Bool {
      source == other.source ? order < other.order : source > other.source
    }
  }

  /// The positions of the masters that are not shown.
  ///
  /// - The highest SEQUENCE wins, also if its DTSTART differs: the event was rescheduled.
  /// - If SEQUENCE and DTSTART are equal, the latest stamp wins.
  /// - If the stamps are equal too, all different contents stay, because nothing shows which one is
  ///   newer. Of components with one meaning, the one with the greatest text stays; of equal texts
  ///   the last one of the first source.
  /// - Different DTSTARTs with the same SEQUENCE are different events.
  package static func supersededMasters<Place, Failure: Error>(
    _ masters: [Candidate<Place>], content: (Int) throws(Failure) -> EventContent
  ) throws(Failure) -> [Int] {
    guard masters.count > 1 else { return [] }
    // Closures instead of key paths: those of a generic type are resolved again for every UID.
    let highest = masters.lazy.map({ $0.version.sequence }).max()
    var superseded: [Int] = []
    for group in Dictionary(grouping: masters.indices, by: { masters[$0].place }).values {
      let newest = group.lazy.map { masters[$0].version }.filter { $0.sequence == highest }.max()
      superseded += group.filter { masters[$0].version != newest }
      let equal = group.filter { masters[$0].version == newest }
      guard equal.count > 1 else { continue }
      var shown: [UInt64: (index: Int, content: EventContent)] = [:]
      for index in equal.sorted(by: { masters[$0].isBefore(masters[$1]) }) {
        let content = try content(index)
        guard let other = shown[content.meaning] else {
          shown[content.meaning] = (index, content)
          continue
        }
        superseded.append(content < other.content ? index : other.index)
        if content >= other.content { shown[content.meaning] = (index, content) }
      }
    }
    return superseded.sorted()
  }

  /// Different events that fewer newer ones replace: an update of one of them then removes the
  /// others.
  package struct Replacement: Sendable {
    /// The position of the newer event, or of the first of several.
    package let newer: Int
    /// The positions of the replaced events.
    package let replaced: [Int]
    /// Whether only LAST-MODIFIED or DTSTAMP shows which one is newer.
    package let isByStamp: Bool
  }

  /// `nil` if no version is surely lost.
  package static func replacement<Place, Failure: Error>(
    among masters: [Candidate<Place>], content: (Int) throws(Failure) -> EventContent
  ) throws(Failure) -> Replacement? {
    guard masters.count > 2, let highest = masters.lazy.map({ $0.version.sequence }).max() else {
      return nil
    }
    /// Those that would be shown without the others.
    func different(_ positions: [Int]) throws(Failure) -> [Int] {
      if positions.count < 2 { return positions }
      let outdated = Set(
        try supersededMasters(positions.map { masters[$0] }) { index throws(Failure) in
          try content(positions[index])
        })
      return positions.indices.filter { !outdated.contains($0) }.map { positions[$0] }
    }
    let current = masters.indices.filter { masters[$0].version.sequence == highest }
    let previous = masters.lazy.map { $0.version.sequence }.filter { $0 < highest }.max()
    let before = try different(
      masters.indices.filter { masters[$0].version.sequence == previous })
    if before.count > 1 {
      let shown = try different(current)
      if let newer = shown.first, before.count > shown.count {
        return Replacement(newer: newer, replaced: before, isByStamp: false)
      }
    }
    var replaced: [Int] = []
    var newer: Int?
    for group in Dictionary(grouping: current, by: { masters[$0].place }).values {
      let versions = Dictionary(grouping: group) { masters[$0].version }.sorted { $0.key > $1.key }
      guard group.count > 2, versions.count > 1 else { continue }
      let shown = try different(versions[0].value)
      var most: [Int] = []
      for version in versions.dropFirst() {
        let events = try different(version.value)
        if events.count > most.count { most = events }
      }
      guard most.count > max(1, shown.count) else { continue }
      replaced += most
      newer = shown.first.map { min($0, newer ?? $0) }
    }
    return newer.map { Replacement(newer: $0, replaced: replaced.sorted(), isByStamp: true) }
  }

  /// The positions of the overrides that are not shown. One occurrence is replaced once: the highest
  /// SEQUENCE wins, then the latest stamp, then the last one in its source. Of several sources, that of
  /// the file with the later name counts, and of equal names the content decides: nothing of this
  /// depends on the order of imports.
  package static func supersededOverrides<Place, Failure: Error>(
    _ overrides: [Candidate<Place>], fileName: (Int) -> String,
    content: (Int) throws(Failure) -> EventContent
  ) throws(Failure) -> [Int] {
    guard overrides.count > 1 else { return [] }
    var superseded: [Int] = []
    for group in Dictionary(grouping: overrides.indices, by: { overrides[$0].place }).values
    where group.count > 1 {
      let newest = group.lazy.map { overrides[$0].version }.max()
      var lastOfSource: [Int: Int] = [:]
      for index in group where overrides[index].version == newest {
        let source = overrides[index].source
        if let other = lastOfSource[source], overrides[other].order > overrides[index].order {
          continue
        }
        lastOfSource[source] = index
      }
      let last = lastOfSource.values.sorted()
      var winner = last.first
      if last.count > 1 {
        let named = last.map { (name: Array(fileName($0).utf8), index: $0) }
        let latest = named.map(\.name).max { $0.lexicographicallyPrecedes($1) }
        let files = named.filter { $0.name == latest }.map(\.index)
        winner = files.first
        var greatest: EventContent?
        for index in files where files.count > 1 {
          let content = try content(index)
          if let greatest, content <= greatest { continue }
          (greatest, winner) = (content, index)
        }
      }
      superseded += group.filter { $0 != winner }
    }
    return superseded.sorted()
  }
}
