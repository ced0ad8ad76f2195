internal import Synchronization

/// Finds the positions of entries and index titles in an agenda. It is made when first asked for.
final class AgendaIndex: Sendable {
  /// Index titles and the first section of each.
  struct Titles {
    var texts: [String] = []
    var sections: [Int] = []
  }

  private struct Positions {
    /// The last entry with an identifier.
    private var last: [OccurrenceID: Int32] = [:]
    /// The entry before it with the same identifier, or −1.
    private var previous: [Int32] = []
    private var entries: [Entry] = []
    private var paths: [EntryPath] = []

    init(_ sections: [AgendaSection]) {
      let count = sections.reduce(0) { $0 + $1.entries.count }
      last.reserveCapacity(count)
      previous.reserveCapacity(count)
      entries.reserveCapacity(count)
      paths.reserveCapacity(count)
      for section in sections {
        for (place, entry) in section.entries.enumerated() {
          let number = Int32(paths.count)
          entries.append(entry)
          paths.append(EntryPath(section: section.index, entry: place))
          previous.append(last.updateValue(number, forKey: entry.id) ?? -1)
        }
      }
    }

    /// The first identical entry, otherwise the first one with the same key, day or calendar.
    func path(of entry: Entry) -> EntryPath? {
      var found: (path: EntryPath, likeness: Int)?
      var number = last[entry.id] ?? -1
      while number >= 0 {
        let other = entries[Int(number)]
        let likeness = other.likeness(to: entry)
        if likeness > 0, likeness >= found?.likeness ?? 0 {
          found = (paths[Int(number)], likeness)
        }
        number = previous[Int(number)]
      }
      return found?.path
    }

    func paths(of id: OccurrenceID) -> [EntryPath] {
      var found: [EntryPath] = []
      var number = last[id] ?? -1
      while number >= 0 {
        found.append(paths[Int(number)])
        number = previous[Int(number)]
      }
      return found.reversed()
    }
  }

  private let sections: [AgendaSection]
  private let positions = Mutex<Positions?>(nil)
  private let madeTitles = Mutex<Titles?>(nil)

  init(_ sections: [AgendaSection]) { self.sections = sections }

  func path(of entry: Entry) -> EntryPath? {
    withPositions { $0.path(of: entry) }
  }

  func paths(of id: OccurrenceID) -> [EntryPath] {
    withPositions { $0.paths(of: id) }
  }

  private func withPositions<Answer>(_ answer: (Positions) -> Answer) -> Answer {
    positions.withLock { positions in
      let made = positions ?? Positions(sections)
      positions = made
      return answer(made)
    }
  }

  var titles: Titles {
    madeTitles.withLock { titles in
      if let titles { return titles }
      var made = Titles()
      for section in sections where made.texts.last != section.indexTitle {
        made.texts.append(section.indexTitle)
        made.sections.append(section.index)
      }
      titles = made
      return made
    }
  }
}

extension Entry {
  /// How much an entry with the same identifier is the same one; 0 if it is not.
  fileprivate func likeness(to other: Entry) -> Int {
    if isIdentical(to: other) { return 4 }
    guard calendar == other.calendar else { return 0 }
    return day == other.day ? 3 : date == other.date ? 2 : 1
  }
}

/// What makes an entry of one agenda the same as one of another: its occurrence, its calendar, and
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

extension Entry {
  /// Whether it is on the same day with the same content and times, so that its section stays.
  func isSame(as other: Entry) -> Bool { date == other.date && hasSameContent(as: other) }
}
