/// A section of an agenda: entries with something in common, and their heading.
public struct AgendaSection: Sendable, Identifiable {
  let storage: AgendaStorage
  /// The position among the sections of the agenda, from 0.
  package let index: Int

  /// What the entries have in common, such as their day.
  public var value: SectionValue { storage.value(ofSection: index) }

  /// The identifier of the section: `2026-11-21`, `2026-W47`, `2026011` or `2026` for a time, which
  /// sorts as the sections do. For other keys it is the value itself, and empty for entries without one.
  public var id: String { value.id }

  /// The heading: `Saturday, 21 November 2026`
  public var title: String {
    storage.wording.title(of: value, groupedBy: storage.options.groupedBy)
  }

  /// A few letters for an index of the sections: `21`
  public var indexTitle: String {
    storage.wording.indexTitle(of: value, groupedBy: storage.options.groupedBy)
  }

  /// The entries of the section, in the order of the agenda.
  public var entries: Entries {
    Entries(
      storage: storage, day: storage.sectionDay(index), places: storage.placesOfSection(index))
  }

  /// Calls `body` with the values of each entry, without making copies of the entries.
  package func forEachOccurrence(
    _ body: (_ path: EntryPath, _ occurrence: borrowing Occurrence, _ day: Int, _ days: Int) -> Void
  ) {
    let places = storage.placesOfSection(index)
    let sectionDay = storage.sectionDay(index)
    for place in places {
      let occurrence = Int(storage.places[place])
      let day = sectionDay ?? storage.firstShownDay(of: occurrence)
      body(
        EntryPath(section: index, entry: place - places.lowerBound),
        storage.occurrences[occurrence], storage.ordinal(of: day, ofOccurrence: occurrence),
        storage.dayCount(ofOccurrence: occurrence))
    }
  }

  /// The entries of a section, all-day ones first, then by start, end, title and UID.
  public struct Entries: RandomAccessCollection, Sendable {
    let storage: AgendaStorage
    let day: Int32?
    let places: Range<Int>

    public var startIndex: Int { 0 }
    public var endIndex: Int { places.count }

    public subscript(position: Int) -> Entry {
      Entry(storage: storage, place: places.lowerBound + position, sectionDay: day)
    }
  }
}

extension AgendaSection: Hashable {
  /// Whether both have the same heading and equal entries.
  public static func == (left: AgendaSection, right: AgendaSection) -> Bool {
    if left.storage === right.storage, left.index == right.index { return true }
    return left.value == right.value && left.title == right.title
      && left.indexTitle == right.indexTitle && left.entries.elementsEqual(right.entries)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(value)
    hasher.combine(entries.count)
  }
}
