public import AgendaCore
internal import Synchronization

/// The sections of results at one moment. A value: it does not change.
///
/// Sections are in the order of their first entries. To sort them by another key, make it the first
/// of `ResultsLayout.order`.
public struct ResultsSnapshot<SectionID: Hashable & Sendable>: Sendable {
  public struct Section: Sendable, Identifiable {
    public let id: SectionID
    /// Its heading.
    public let name: String
    /// A few letters for an index.
    public let indexTitle: String
    public internal(set) var entries: [Entry]
  }

  public let sections: [Section]
  /// The index titles in the order of the sections. Neighbours with the same title share one.
  public let sectionIndexTitles: [String]
  /// The first section of each index title.
  private let sectionsOfTitles: [Int]
  private let places: EntryPlaces

  /// No sections.
  package init() { self.init([]) }

  init(_ sections: [Section]) {
    self.sections = sections
    var titles: [String] = []
    var first: [Int] = []
    for (index, section) in sections.enumerated() where titles.last != section.indexTitle {
      titles.append(section.indexTitle)
      first.append(index)
    }
    sectionIndexTitles = titles
    sectionsOfTitles = first
    places = EntryPlaces()
  }

  /// `entries` are in the order of an agenda by day. An entry that `previous` has with the same
  /// content keeps its section.
  package init(
    _ entries: [Entry], _ layout: ResultsLayout<SectionID>, previous: ResultsSnapshot? = nil
  ) {
    let admitted = layout.predicate.map { entries.filter($0) } ?? entries
    var groups: [(id: SectionID, entries: [Entry])] = []
    var numbers: [SectionID: Int] = [:]
    var last = -1
    for entry in layout.order.sorted(admitted) {
      let id = previous?.sectionID(ofSame: entry) ?? layout.sectionID(entry)
      // Neighbours mostly share a section.
      if last < 0 || groups[last].id != id {
        last = numbers[id] ?? groups.count
        if last == groups.count {
          numbers[id] = last
          groups.append((id, []))
        }
      }
      groups[last].entries.append(entry)
    }
    self.init(
      groups.map { group in
        Section(
          id: group.id, name: layout.sectionName(group.id),
          indexTitle: layout.indexTitle(group.id), entries: group.entries)
      })
  }

  /// How many entries there are in all sections.
  public var entryCount: Int { sections.reduce(0) { $0 + $1.entries.count } }

  /// The entry at a position, if there is one.
  public func entry(at path: IndexPath) -> Entry? {
    guard sections.indices.contains(path.section),
      sections[path.section].entries.indices.contains(path.entry)
    else { return nil }
    return sections[path.section].entries[path.entry]
  }

  /// Where an entry is. An entry of another snapshot is found by its identifier, calendar and day.
  public func indexPath(of entry: Entry) -> IndexPath? {
    let candidates = places.paths(of: entry.id, in: sections.lazy.map(\.entries))
    let key = EntryKey(entry)
    var found: IndexPath?
    for path in candidates {
      let other = sections[path.section].entries[path.entry]
      if other.isIdentical(to: entry) { return path }
      if found == nil, EntryKey(other) == key { found = path }
    }
    return found
  }

  /// The section that an index title leads to. `index` is the position of the title in
  /// `sectionIndexTitles`, because a title can occur there several times.
  public func section(forIndexTitle title: String, at index: Int) -> Int? {
    guard sectionIndexTitles.indices.contains(index), sectionIndexTitles[index] == title else {
      return nil
    }
    return sectionsOfTitles[index]
  }

  /// The section of an entry with the same content and times.
  private func sectionID(ofSame entry: Entry) -> SectionID? {
    guard let path = indexPath(of: entry) else { return nil }
    let section = sections[path.section]
    return section.entries[path.entry].isSame(as: entry) ? section.id : nil
  }
}

/// What makes an entry of one snapshot the same as one of another: its occurrence, its calendar, and
/// which of its days it is.
struct EntryKey: Hashable {
  private let id: OccurrenceID
  private let calendar: String
  private let day: Int

  init(_ entry: Entry) {
    id = entry.id
    calendar = entry.calendar
    day = entry.day
  }
}

extension Entry {
  /// Whether a list shows both in the same way.
  func hasSameContent(as other: Entry) -> Bool {
    if isIdentical(to: other) { return true }
    let (mine, others) = (occurrence, other.occurrence)
    return mine.begin == others.begin && mine.finish == others.finish
      && mine.start == others.start && mine.allDay == others.allDay
      && mine.event.hasSameContent(as: others.event) && day == other.day && days == other.days
  }
}

/// Positions by identifier, made when first asked for.
private final class EntryPlaces: Sendable {
  private struct Index {
    /// The last position with an identifier.
    var last: [OccurrenceID: Int32] = [:]
    /// The position before it with the same identifier, or −1.
    var previous: [Int32] = []
    var paths: [IndexPath] = []
  }

  private let index = Mutex<Index?>(nil)

  /// In reverse order.
  func paths(
    of id: OccurrenceID, in sections: some Sequence<[Entry]>
  ) -> [IndexPath] {
    index.withLock { index in
      let known = index ?? Self.index(of: sections)
      if index == nil { index = known }
      var paths: [IndexPath] = []
      var place = known.last[id] ?? -1
      while place >= 0 {
        paths.append(known.paths[Int(place)])
        place = known.previous[Int(place)]
      }
      return paths
    }
  }

  private static func index(of sections: some Sequence<[Entry]>) -> Index {
    var index = Index()
    for (section, entries) in sections.enumerated() {
      for (place, entry) in entries.enumerated() {
        let number = Int32(index.paths.count)
        index.paths.append(IndexPath(section: section, entry: place))
        index.previous.append(index.last.updateValue(number, forKey: entry.id) ?? -1)
      }
    }
    return index
  }
}
