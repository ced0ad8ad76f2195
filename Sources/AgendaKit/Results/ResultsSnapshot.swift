public import AgendaCore
internal import Synchronization

/// The sections of results at one moment. A snapshot is a value and never changes.
///
/// Sections are in the order of their first entries. To sort them by another key, make it the first
/// of `ResultsLayout.order`.
public struct ResultsSnapshot<SectionID: Hashable & Sendable>: Sendable {
  /// A section: entries with the same key, and their heading.
  public struct Section: Sendable, Identifiable {
    /// The key that the entries have in common.
    public let id: SectionID
    /// The heading.
    public let name: String
    /// A few letters for an index.
    public let indexTitle: String
    /// The entries in the order of the layout.
    public internal(set) var entries: [Entry]
  }

  /// The sections in the order of their first entries.
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

  /// All entries, section by section.
  public var entries: [Entry] { sections.flatMap(\.entries) }

  /// How many entries there are in all sections.
  public var entryCount: Int { sections.reduce(0) { $0 + $1.entries.count } }

  /// The entry at a position; `nil` if the snapshot does not have this position.
  public func entry(at path: EntryPath) -> Entry? {
    guard sections.indices.contains(path.section),
      sections[path.section].entries.indices.contains(path.entry)
    else { return nil }
    return sections[path.section].entries[path.entry]
  }

  /// The position of an entry; `nil` if the snapshot does not have it. An entry of another snapshot is
  /// found by its identifier, calendar and day.
  public func path(of entry: Entry) -> EntryPath? {
    places.path(of: entry) { sections.map(\.entries) }
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
    guard let path = path(of: entry) else { return nil }
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

/// Positions by identifier, made when they are first needed.
private final class EntryPlaces: Sendable {
  private struct Index {
    /// The last entry with an identifier.
    var last: [OccurrenceID: Int32] = [:]
    /// The entry before it with the same identifier, or −1.
    var previous: [Int32] = []
    var entries: [Entry] = []
    var paths: [EntryPath] = []

    init(_ sections: [[Entry]]) {
      let count = sections.reduce(0) { $0 + $1.count }
      last.reserveCapacity(count)
      previous.reserveCapacity(count)
      entries.reserveCapacity(count)
      paths.reserveCapacity(count)
      for (section, members) in sections.enumerated() {
        for (place, entry) in members.enumerated() {
          let number = Int32(paths.count)
          entries.append(entry)
          paths.append(EntryPath(section: section, entry: place))
          previous.append(last.updateValue(number, forKey: entry.id) ?? -1)
        }
      }
    }

    /// The same entry, otherwise the first one with the same key.
    func path(of entry: Entry) -> EntryPath? {
      var number = last[entry.id] ?? -1
      var found: EntryPath?
      while number >= 0 {
        let other = entries[Int(number)]
        if other.isIdentical(to: entry) { return paths[Int(number)] }
        if EntryKey(other) == EntryKey(entry) { found = paths[Int(number)] }
        number = previous[Int(number)]
      }
      return found
    }
  }

  private let index = Mutex<Index?>(nil)

  func path(of entry: Entry, in sections: () -> [[Entry]]) -> EntryPath? {
    index.withLock { index in
      if index == nil { index = Index(sections()) }
      return index?.path(of: entry)
    }
  }
}
