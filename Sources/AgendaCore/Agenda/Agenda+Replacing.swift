extension Agenda {
  /// The agenda with other entries of some events: `leaving` are the components that its entries of
  /// these events refer to, and `arriving` the occurrences of them now. Sections without any of them stay
  /// as they are.
  package func replacing(
    _ leaving: Set<EventReference>, by arriving: [Occurrence],
    wording: any SectionWording = PlainSectionWording()
  ) -> Agenda {
    var left: [EntryKey: (entry: Entry, section: SectionID)] = [:]
    var marks = ComponentMarks(leaving)
    let leavingPlaces = sections.map { marks.places(in: $0.entries) }
    for (section, places) in zip(sections, leavingPlaces) {
      for place in places {
        left[EntryKey(section.entries[place])] = (section.entries[place], section.id)
      }
    }
    let new = AgendaSections.make(
      arriving, in: window, options: options, wording: wording,
      known: { entry in
        left[EntryKey(entry)].flatMap { $0.entry.isSame(as: entry) ? $0.section : nil }
      }
    ).sections
    var arrivals: [SectionID: AgendaSection] = [:]
    for section in new { arrivals[section.id] = section }
    let order = options.layout.order
    var unchanged: [AgendaSection] = []
    var changed: [AgendaSection] = []
    unchanged.reserveCapacity(sections.count)
    for (var section, places) in zip(sections, leavingPlaces) {
      let arriving = arrivals.removeValue(forKey: section.id)?.entries ?? []
      if places.isEmpty && arriving.isEmpty {
        unchanged.append(section)
        continue
      }
      section.entries = section.entries.replacing(places, with: arriving, by: order.precedes)
      if !section.entries.isEmpty { changed.append(section) }
    }
    changed += arrivals.values
    let isCustom = options.groupedBy == .custom
    // They are mostly in order already, which makes sorting quick.
    let all = unchanged.replacing([], with: changed) { left, right in
      if !isCustom { return left.value.precedes(right.value) }
      guard let first = left.entries.first, let other = right.entries.first else { return false }
      return order.precedes(first, other)
    }
    return Agenda(all, in: window, options: options, listed: nil, warnings: warnings)
  }
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
