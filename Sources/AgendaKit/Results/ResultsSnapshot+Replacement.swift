internal import AgendaCore

extension ResultsSnapshot {
  /// The snapshot with other entries of some events: `leaving` are the components that its entries of
  /// these events refer to. Sections without any of them stay as they are.
  func replacing(
    _ leaving: Set<EventReference>, by arriving: [Entry], _ layout: ResultsLayout<SectionID>
  ) -> ResultsSnapshot {
    var left: [EntryKey: (entry: Entry, section: SectionID)] = [:]
    var marks = ComponentMarks(leaving)
    let leavingPlaces = sections.map { marks.places(in: $0.entries) }
    for (section, places) in zip(sections, leavingPlaces) {
      for place in places {
        left[EntryKey(section.entries[place])] = (section.entries[place], section.id)
      }
    }
    var arrivals: [SectionID: [Entry]] = [:]
    for entry in layout.predicate.map({ arriving.filter($0) }) ?? arriving {
      let previous = left[EntryKey(entry)]
      let isSame = previous.map { $0.entry.isSame(as: entry) } ?? false
      let id = isSame ? previous?.section : nil
      arrivals[id ?? layout.sectionID(entry), default: []].append(entry)
    }
    var unchanged: [Section] = []
    var changed: [Section] = []
    unchanged.reserveCapacity(sections.count)
    for (var section, places) in zip(sections, leavingPlaces) {
      let arriving = arrivals.removeValue(forKey: section.id) ?? []
      if places.isEmpty && arriving.isEmpty {
        unchanged.append(section)
        continue
      }
      section.entries = section.entries.replacing(
        places, with: arriving, by: layout.order.precedes)
      if !section.entries.isEmpty { changed.append(section) }
    }
    for (id, entries) in arrivals {
      changed.append(
        Section(
          id: id, name: layout.sectionName(id), indexTitle: layout.indexTitle(id),
          entries: entries.sorted(by: layout.order.precedes)))
    }
    // They are mostly in order already, which makes sorting quick.
    let all = unchanged.replacing([], with: changed) { left, right in
      guard let first = left.entries.first, let other = right.entries.first else { return false }
      return layout.order.precedes(first, other)
    }
    return ResultsSnapshot(all)
  }
}

extension Entry {
  /// Whether it is on the same day with the same content and times, so that its section stays.
  func isSame(as other: Entry) -> Bool { date == other.date && hasSameContent(as: other) }
}

extension Array {
  /// Where the first element for which something is true would be, if it is true from there on.
  fileprivate func firstPlace(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Without the elements at some places, which are in order, and with others where they belong. It
  /// copies each element only once: a section can have thousands, of which one changed.
  fileprivate func replacing(
    _ leaving: [Int], with others: [Element], by precedes: (Element, Element) -> Bool
  ) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(count - leaving.count + others.count)
    var start = startIndex
    var left = leaving[...]
    func copy(to end: Int) {
      while let place = left.first, place < end {
        result += self[start..<place]
        start = place + 1
        left.removeFirst()
      }
      if start < end {
        result += self[start..<end]
        start = end
      }
    }
    for other in others.sorted(by: precedes) {
      copy(to: firstPlace { precedes(other, $0) })
      result.append(other)
    }
    copy(to: endIndex)
    return result
  }
}
