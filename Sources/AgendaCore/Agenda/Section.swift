/// A group of an agenda's entries under one heading.
public struct Section: Sendable, Identifiable {
  let storage: AgendaStorage
  /// Its place among the agenda's sections, from 0.
  public let index: Int

  /// What its entries have in common.
  public var value: SectionValue { storage.value(ofSection: index) }

  /// Sorts as the sections do for time keys: `2026-11-21`, `2026-W47`, `2026011`, `2026`. For the
  /// others it is the key's own value, and empty for the entries that lack it.
  public var id: String { value.id }

  /// `Saturday, 21 November 2026`
  public var title: String {
    storage.wording.title(of: value, groupedBy: storage.options.groupedBy)
  }

  /// `21`
  public var indexTitle: String {
    storage.wording.indexTitle(of: value, groupedBy: storage.options.groupedBy)
  }

  public var entries: Entries {
    Entries(
      storage: storage, day: storage.sectionDay(index), places: storage.placesOfSection(index))
  }

  /// Gives what a program reads of each entry, without making entries and copies of it.
  package func forEachOccurrence(
    _ body: (_ path: IndexPath, _ occurrence: borrowing Occurrence, _ day: Int, _ days: Int) -> Void
  ) {
    let places = storage.placesOfSection(index)
    let sectionDay = storage.sectionDay(index)
    for place in places {
      let occurrence = Int(storage.places[place])
      let day = sectionDay ?? storage.firstShownDay(of: occurrence)
      body(
        IndexPath(section: index, entry: place - places.lowerBound),
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

extension Section: Hashable {
  /// The same heading over equal entries.
  public static func == (left: Section, right: Section) -> Bool {
    if left.storage === right.storage, left.index == right.index { return true }
    return left.value == right.value && left.title == right.title
      && left.indexTitle == right.indexTitle && left.entries.elementsEqual(right.entries)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(value)
    hasher.combine(entries.count)
  }
}
