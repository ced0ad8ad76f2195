/// The steps by which a list view shows the next agenda instead of the previous one.
///
/// The changes are in an order in which they can be applied one after the other, in five steps;
/// `apply(to:)` does it:
///
/// 1. entries leave, the last one first: deleted, or moved away
/// 2. sections leave, the last one first
/// 3. sections arrive, the first one first
/// 4. entries arrive, the first one first: inserted, or moved here
/// 5. what stayed is updated
///
/// A position before is one in the previous agenda, a position after is one in the next. List
/// views that take a batch of changes count in the same way.
public struct AgendaChanges: Sendable {
  /// What happened to a section.
  public enum SectionChange: Sendable {
    /// A section disappeared. `before` is its position in the previous agenda.
    case deleted(AgendaSection, before: Int)
    /// A section is new. `after` is its position in the next agenda.
    case inserted(AgendaSection, after: Int)
    /// A section has another position relative to the sections around it.
    case moved(AgendaSection, before: Int, after: Int)
    /// A section has another name or index title.
    case updated(AgendaSection, before: Int, after: Int)
  }

  /// What happened to an entry.
  public enum EntryChange: Sendable {
    /// An entry disappeared. `before` is its position in the previous agenda.
    case deleted(Entry, before: EntryPath)
    /// An entry is new. `after` is its position in the next agenda.
    case inserted(Entry, after: EntryPath)
    /// An entry has another section, or another position relative to the entries around it. If it also
    /// changed, it is listed as updated too.
    case moved(Entry, before: EntryPath, after: EntryPath)
    /// The content of an entry changed.
    case updated(Entry, before: EntryPath, after: EntryPath)
  }

  /// The changes of sections: first the deleted ones by descending position before, then the inserted
  /// and moved ones by ascending position after, then the updated ones.
  public let sections: [SectionChange]
  /// The changes of entries, in the same order.
  public let entries: [EntryChange]
  /// The next agenda.
  public let agenda: Agenda

  /// Whether nothing changed.
  public var isEmpty: Bool { sections.isEmpty && entries.isEmpty }

  /// Applies the changes to the rows of a list view, section by section. `row` makes a row of an
  /// entry.
  public func apply<Row>(to rows: inout [[Row]], row: (Entry) -> Row) {
    let leaving = entries.compactMap { change in
      switch change {
      case .deleted(_, let before), .moved(_, let before, _): before
      case .inserted, .updated: nil
      }
    }
    for path in leaving.sorted(by: >) { rows[path.section].remove(at: path.entry) }

    var movedSections: [Int: [Row]] = [:]
    let leavingSections = sections.compactMap { change -> (before: Int, after: Int?)? in
      switch change {
      case .deleted(_, let before): (before, nil)
      case .moved(_, let before, let after): (before, after)
      case .inserted, .updated: nil
      }
    }
    for (before, after) in leavingSections.sorted(by: { $0.before > $1.before }) {
      let section = rows.remove(at: before)
      if let after { movedSections[after] = section }
    }
    for change in sections {
      switch change {
      case .inserted(_, let after), .moved(_, _, let after):
        rows.insert(movedSections[after] ?? [], at: after)
      case .deleted, .updated: break
      }
    }
    for change in entries {
      switch change {
      case .inserted(let entry, let after), .moved(let entry, _, let after):
        rows[after.section].insert(row(entry), at: after.entry)
      case .updated(let entry, _, let after): rows[after.section][after.entry] = row(entry)
      case .deleted: break
      }
    }
  }
}

extension Agenda {
  /// The changes that lead from another agenda to this one. `isUpdated` is called for entries with
  /// the same content and returns whether something else about them changed.
  public func changes(
    from previous: Agenda,
    isUpdated: @escaping (_ before: Entry, _ after: Entry) -> Bool = { _, _ in false }
  ) -> AgendaChanges {
    var difference = Difference(from: previous, to: self, isUpdated: isUpdated)
    return difference.changes()
  }
}

private struct Difference {
  typealias Changes = AgendaChanges

  private let old: Agenda
  private let new: Agenda
  private let isUpdated: (Entry, Entry) -> Bool
  /// For each new section the old one with the same identifier.
  private var oldSections: [Int?] = []
  private var sections: [Changes.SectionChange] = []
  private var deleted: [(path: EntryPath, entry: Entry)] = []
  private var arrived: [Changes.EntryChange] = []
  private var updated: [Changes.EntryChange] = []

  init(
    from old: Agenda, to new: Agenda,
    isUpdated: @escaping (Entry, Entry) -> Bool
  ) {
    self.old = old
    self.new = new
    self.isUpdated = isUpdated
  }

  mutating func changes() -> Changes {
    compareSections()
    compareEntries()
    deleted.sort { $0.path > $1.path }
    let left = deleted.map { Changes.EntryChange.deleted($0.entry, before: $0.path) }
    return Changes(sections: sections, entries: left + arrived + updated, agenda: new)
  }

  private mutating func compareSections() {
    var numbers: [SectionID: Int] = [:]
    for (index, section) in old.sections.enumerated() { numbers[section.id] = index }
    oldSections = new.sections.map { numbers.removeValue(forKey: $0.id) }
    for before in numbers.values.sorted(by: >) {
      sections.append(.deleted(old.sections[before], before: before))
    }
    let staying = LongestRun.members(of: oldSections.compactMap(\.self))
    var changed: [Changes.SectionChange] = []
    for (after, section) in new.sections.enumerated() {
      guard let before = oldSections[after] else {
        sections.append(.inserted(section, after: after))
        continue
      }
      if !staying.contains(before) {
        sections.append(.moved(section, before: before, after: after))
      }
      let previous = old.sections[before]
      if previous.title != section.title || previous.indexTitle != section.indexTitle {
        changed.append(.updated(section, before: before, after: after))
      }
    }
    sections += changed
  }

  private mutating func compareEntries() {
    // Entries that are not simply where they were: at the old paths, and at the new ones.
    var left: [EntryPath] = []
    var came: [EntryPath] = []
    var kept = Set<Int>()
    for (after, section) in new.sections.enumerated() {
      let entries = section.entries
      guard let before = oldSections[after] else {
        came += entries.indices.map { EntryPath(section: after, entry: $0) }
        continue
      }
      kept.insert(before)
      let previous = old.sections[before].entries
      if previous.isSameArray(as: entries) { continue }
      var start = 0
      let shorter = min(previous.count, entries.count)
      while true {
        start += previous[start..<shorter].countOfShared(with: entries[start..<shorter])
        guard start < shorter, isSame(previous[start], entries[start]) else { break }
        compare(previous[start], entries[start], before, start, after, start)
        start += 1
      }
      var rest = 0
      while true {
        rest += previous[start..<previous.count - rest].countOfSharedAtEnd(
          with: entries[start..<entries.count - rest])
        let (from, to) = (previous.count - 1 - rest, entries.count - 1 - rest)
        guard rest < shorter - start, isSame(previous[from], entries[to]) else { break }
        compare(previous[from], entries[to], before, from, after, to)
        rest += 1
      }
      left += (start..<previous.count - rest).map { EntryPath(section: before, entry: $0) }
      came += (start..<entries.count - rest).map { EntryPath(section: after, entry: $0) }
    }
    for (before, section) in old.sections.enumerated() where !kept.contains(before) {
      left += section.entries.indices.map { EntryPath(section: before, entry: $0) }
    }
    match(left.sorted(), came)
  }

  private func isSame(_ previous: Entry, _ entry: Entry) -> Bool {
    previous.isIdentical(to: entry) || EntryKey(previous) == EntryKey(entry)
  }

  private mutating func compare(
    _ previous: Entry, _ entry: Entry, _ oldSection: Int, _ from: Int, _ newSection: Int, _ to: Int
  ) {
    if previous.isIdentical(to: entry) { return }
    if previous.hasSameContent(as: entry), !isUpdated(previous, entry) { return }
    updated.append(
      .updated(
        entry, before: EntryPath(section: oldSection, entry: from),
        after: EntryPath(section: newSection, entry: to)))
  }

  /// Pairs what left with what came; both are in order.
  private mutating func match(_ left: [EntryPath], _ came: [EntryPath]) {
    var waiting: [EntryKey: [EntryPath]] = [:]
    // The first one is taken first.
    for path in left.reversed() {
      waiting[EntryKey(old.sections[path.section].entries[path.entry]), default: []].append(path)
    }
    let origins = came.map { path in
      waiting[EntryKey(new.sections[path.section].entries[path.entry])]?.popLast()
    }
    for path in waiting.values.joined() {
      deleted.append((path, old.sections[path.section].entries[path.entry]))
    }
    let staying = entriesThatStay(came, origins)
    for (place, after) in came.enumerated() {
      let entry = new.sections[after.section].entries[after.entry]
      guard let before = origins[place] else {
        arrived.append(.inserted(entry, after: after))
        continue
      }
      if !staying.contains(before) {
        arrived.append(.moved(entry, before: before, after: after))
      }
      compare(
        old.sections[before.section].entries[before.entry], entry, before.section, before.entry,
        after.section, after.entry)
    }
  }

  /// Where entries were that are in the same section and in the same order as before.
  private func entriesThatStay(
    _ came: [EntryPath], _ origins: [EntryPath?]
  ) -> Set<EntryPath> {
    var staying = Set<EntryPath>()
    var place = 0
    while place < came.count {
      let section = came[place].section
      var previous: [Int] = []
      while place < came.count, came[place].section == section {
        if let origin = origins[place], origin.section == oldSections[section] {
          previous.append(origin.entry)
        }
        place += 1
      }
      guard let before = oldSections[section] else { continue }
      for entry in LongestRun.members(of: previous) {
        staying.insert(EntryPath(section: before, entry: entry))
      }
    }
    return staying
  }
}

extension [Entry] {
  /// Whether both share their memory, as sections do that no change has touched.
  fileprivate func isSameArray(as other: [Entry]) -> Bool {
    count == other.count
      && withUnsafeBufferPointer { mine in
        other.withUnsafeBufferPointer { mine.baseAddress == $0.baseAddress }
      }
  }
}

/// The longest ascending subsequence: what need not move.
enum LongestRun {
  static func members(of numbers: [Int]) -> Set<Int> {
    // For each length the place of the smallest number that a run of that length ends with.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: numbers.count)
    for (place, number) in numbers.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[place] = ends[low - 1] }
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var members = Set<Int>()
    var place = ends.last ?? -1
    while place >= 0 {
      members.insert(numbers[place])
      place = previous[place]
    }
    return members
  }
}

extension AgendaChanges.SectionChange: CustomStringConvertible {
  /// `move section 2 to 1 Work`: positions count from 1, as those of entries do.
  public var description: String {
    switch self {
    case .deleted(let section, let before): "delete section \(before + 1) \(section.title)"
    case .inserted(let section, let after): "insert section \(after + 1) \(section.title)"
    case .moved(let section, let before, let after):
      "move section \(before + 1) to \(after + 1) \(section.title)"
    case .updated(let section, _, let after): "update section \(after + 1) \(section.title)"
    }
  }
}

extension AgendaChanges.EntryChange: CustomStringConvertible {
  /// `move 1.2 to 1.1 Choir`: positions as index paths.
  public var description: String {
    switch self {
    case .deleted(let entry, let before): "delete \(before) \(entry.title)"
    case .inserted(let entry, let after): "insert \(after) \(entry.title)"
    case .moved(let entry, let before, let after): "move \(before) to \(after) \(entry.title)"
    case .updated(let entry, _, let after): "update \(after) \(entry.title)"
    }
  }
}
