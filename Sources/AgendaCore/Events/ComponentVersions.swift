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
  }

  /// The positions of the masters that are not shown.
  ///
  /// - The highest SEQUENCE wins, also if its DTSTART differs: the event was rescheduled.
  /// - If SEQUENCE and DTSTART are equal, the latest stamp wins.
  /// - If the stamps are equal too, all different contents stay, because nothing shows which one is
  ///   newer. Of exact duplicates the last one stays.
  /// - Different DTSTARTs with the same SEQUENCE are different events.
  package static func supersededMasters<Place, Content: Hashable, Failure: Error>(
    _ masters: [Candidate<Place>], content: (Int) throws(Failure) -> Content
  ) throws(Failure) -> [Int] {
    guard masters.count > 1 else { return [] }
    let highest = masters.lazy.map(\.version.sequence).max()
    var superseded: [Int] = []
    for group in Dictionary(grouping: masters.indices, by: { masters[$0].place }).values {
      let newest = group.lazy.map { masters[$0].version }.filter { $0.sequence == highest }.max()
      superseded += group.filter { masters[$0].version != newest }
      let equal = group.filter { masters[$0].version == newest }
      guard equal.count > 1 else { continue }
      var lastOfContent: [Content: Int] = [:]
      for index in equal.sorted(by: { masters[$0].order < masters[$1].order }) {
        if let duplicate = lastOfContent.updateValue(index, forKey: try content(index)) {
          superseded.append(duplicate)
        }
      }
    }
    return superseded.sorted()
  }

  /// The number of different events that masters with a higher SEQUENCE replace, if these begin at
  /// fewer moments: an update of one of them then removes the others. `nil` otherwise.
  package static func replacedEvents<Place>(_ masters: [Candidate<Place>]) -> Int? {
    guard let highest = masters.lazy.map(\.version.sequence).max(),
      let previous = masters.lazy.map(\.version.sequence).filter({ $0 < highest }).max()
    else { return nil }
    func count(_ sequence: Int) -> Int {
      Set(masters.lazy.filter { $0.version.sequence == sequence }.map(\.place)).count
    }
    let replaced = count(previous)
    return replaced > 1 && replaced > count(highest) ? replaced : nil
  }

  /// The positions of the overrides that are not shown. One occurrence is replaced once: the highest
  /// SEQUENCE wins, then the latest stamp, then the last one in its source. Between sources the
  /// content decides, which doesn't depend on the order of imports.
  package static func supersededOverrides<Place, Content: Comparable, Failure: Error>(
    _ overrides: [Candidate<Place>], content: (Int) throws(Failure) -> Content
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
        var greatest: Content?
        for index in last {
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
