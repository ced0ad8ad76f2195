/// A section of an agenda: entries with something in common, and their heading.
public struct AgendaSection: Sendable, Identifiable {
  /// The key that the entries have in common: `2026-11-21` for a day, `2026011` (year × 1000 + month) for
  /// a month, or a name.
  public let id: SectionID
  /// What the entries have in common, such as their day. A section of a program has a name.
  package let value: SectionValue
  /// The heading: `Saturday, 21 November 2026`
  public let title: String
  /// A few letters for an index of the sections: `21`
  public let indexTitle: String
  /// The entries of the section: by day, all-day ones first, then by start, end, title and UID, unless
  /// the layout has another order.
  public internal(set) var entries: [Entry]
  /// The position among the sections of the agenda, from 0.
  package fileprivate(set) var index = 0

  init(
    _ id: SectionID, _ value: SectionValue, title: String, indexTitle: String, _ entries: [Entry]
  ) {
    self.id = id
    self.value = value
    self.title = title
    self.indexTitle = indexTitle
    self.entries = entries
  }

  /// The section at another position.
  package func at(_ index: Int) -> AgendaSection {
    var section = self
    section.index = index
    return section
  }

  /// Calls `body` with the values of each entry, without making copies of the entries.
  package func forEachOccurrence(
    _ body: (_ path: EntryPath, _ occurrence: borrowing Occurrence, _ day: Int, _ days: Int) -> Void
  ) {
    entries.withUnsafeBufferPointer { entries in
      var place = 0
      while place < entries.count {
        // Entries mostly share their occurrences.
        let listed = entries[place].listed
        listed.occurrences.withUnsafeBufferPointer { occurrences in
          while place < entries.count, entries[place].listed === listed {
            let number = Int(entries[place].number)
            body(
              EntryPath(section: index, entry: place), occurrences[number],
              listed.days.ordinal(of: entries[place].dayNumber, of: number),
              listed.days.count(of: number))
            place += 1
          }
        }
      }
    }
  }
}

extension AgendaSection: Hashable {
  /// Whether both have the same heading and equal entries.
  public static func == (left: AgendaSection, right: AgendaSection) -> Bool {
    left.id == right.id && left.title == right.title && left.indexTitle == right.indexTitle
      && left.entries == right.entries
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(entries.count)
  }
}
