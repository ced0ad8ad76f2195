internal import AgendaCore

extension ResultsSnapshot {
  /// The snapshot with other entries of some events: `leaving` are the components that its entries of
  /// these events refer to. Sections without any of them stay as they are.
  func replacing(
    _ leaving: Set<EventReference>, by arriving: [Entry], _ layout: ResultsLayout<SectionID>
  ) -> ResultsSnapshot {
    var left: [EntryKey: (entry: Entry, section: SectionID)] = [:]
    var unchanged: [Section] = []
    var changed: [SectionID: Section] = [:]
    unchanged.reserveCapacity(sections.count)
    var marks = ComponentMarks(leaving)
    let admitted = layout.predicate.map { arriving.filter($0) } ?? arriving
    for section in sections {
      let leavingPlaces = marks.places(in: section.entries)
      if leavingPlaces.isEmpty {
        unchanged.append(section)
        continue
      }
      for place in leavingPlaces {
        left[EntryKey(section.entries[place])] = (section.entries[place], section.id)
      }
      var rest = section
      rest.entries = section.entries.without(leavingPlaces)
      changed[section.id] = rest
    }
    var arrivals: [SectionID: [Entry]] = [:]
    for entry in admitted {
      let previous = left[EntryKey(entry)]
      let isSame = previous.map { $0.entry.isSame(as: entry) } ?? false
      let id = isSame ? previous?.section : nil
      arrivals[id ?? layout.sectionID(entry), default: []].append(entry)
    }
    // Only now is it known which of the other sections get an entry.
    unchanged.removeAll { section in
      guard arrivals[section.id] != nil else { return false }
      changed[section.id] = section
      return true
    }
    for (id, entries) in arrivals {
      var section =
        changed[id]
        ?? Section(
          id: id, name: layout.sectionName(id), indexTitle: layout.indexTitle(id), entries: [])
      section.entries = section.entries.merged(with: entries, by: layout.order.precedes)
      changed[id] = section
    }
    for section in changed.values {
      guard let first = section.entries.first else { continue }
      let place = unchanged.firstPlace { other in
        other.entries.first.map { layout.order.precedes(first, $0) } ?? false
      }
      unchanged.insert(section, at: place)
    }
    return ResultsSnapshot(unchanged)
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

  /// Without the elements at some places, which are in order.
  fileprivate func without(_ places: [Int]) -> [Element] {
    var rest: [Element] = []
    rest.reserveCapacity(count - places.count)
    var start = startIndex
    for place in places {
      rest += self[start..<place]
      start = place + 1
    }
    return rest + self[start...]
  }

  /// In order together with a few others.
  fileprivate func merged(
    with others: [Element], by precedes: (Element, Element) -> Bool
  ) -> [Element] {
    var merged: [Element] = []
    merged.reserveCapacity(count + others.count)
    var start = startIndex
    for other in others.sorted(by: precedes) {
      let place = Swift.max(start, firstPlace { precedes(other, $0) })
      merged += self[start..<place]
      merged.append(other)
      start = place
    }
    return merged + self[start...]
  }
}
