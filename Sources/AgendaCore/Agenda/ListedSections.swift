internal import CivilTime

/// Sections and entries in their final form, for an agenda that was decoded.
package struct ListedSections {
  /// One heading and the entries below it.
  package struct Section {
    package let value: SectionValue
    package let entries: [Occurrence]

    package init(_ value: SectionValue, _ entries: [Occurrence]) {
      self.value = value
      self.entries = entries
    }
  }

  package let key: SectionKey
  package let sections: [Section]
  package var warnings: [SourceFinding] = []
  /// The position of the first entry in its original agenda.
  package var firstPath = EntryPath(section: 0, entry: 0)

  package init(groupedBy key: SectionKey, _ sections: [Section]) {
    self.key = key
    self.sections = sections
  }
}

extension SectionValue {
  /// Reads the `id` of a section under a key; `nil` if it is malformed.
  package init?(id: String, groupedBy key: SectionKey) {
    if id.isEmpty {
      self = key == .none ? .all : .missing
      return
    }
    switch key {
    case .day:
      guard let date = CivilDate(rfc3339: id) else { return nil }
      self = .day(date)
    case .week:
      let parts = id.split(separator: "-W")
      guard parts.count == 2, let year = Int(parts[0]), let number = Int(parts[1]),
        let week = ISOWeek(year: year, number: number)
      else { return nil }
      self = .week(week)
    case .month:
      guard let number = Int(id), (1...12).contains(number % 1000), number / 1000 >= 1 else {
        return nil
      }
      self = .month(year: number / 1000, month: number % 1000)
    case .year:
      guard let year = Int(id), (1...9999).contains(year) else { return nil }
      self = .year(year)
    case .status: self = Event.Status(rawValue: id).map { .status($0) } ?? .name(id)
    case .calendar, .category, .location, .initial: self = .name(id)
    case .none: return nil
    }
  }
}
