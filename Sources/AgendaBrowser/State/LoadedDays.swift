package import AgendaCore
internal import AgendaRendering
package import CivilTime

/// The entries of some days, as a reader found them.
package struct DaysPart: Sendable {
  package let window: DateWindow
  let days: [Int: LoadedDays.Day]
  let options: Agenda.Options

  /// Whether days can have more entries than are here.
  let isExcerpt: Bool

  /// The agenda must be grouped by days, and its window must be complete. Of each day, at most so many
  /// entries are kept.
  package init(_ agenda: Agenda, window: DateWindow, atMost most: Int? = nil) {
    self.window = window
    isExcerpt = most != nil
    options = agenda.options
    let first = most.map { Self.firstEntries(of: agenda, atMost: $0) }
    var days: [Int: LoadedDays.Day] = [:]
    for section in agenda.sections {
      guard case .day(let date) = section.value else { continue }
      let occurrences = section.entries.map(\.occurrence)
      // Marks of an excerpt are not drawn.
      days[Int(date.dayNumber)] = LoadedDays.Day(
        entries: first.map { $0[Int(date.dayNumber)] ?? [] } ?? Array(section.entries),
        count: occurrences.count,
        busy: BusyDay(occurrences, on: date, zone: window.zone),
        overlapping: isExcerpt ? [] : Conflict.overlapping(among: occurrences))
    }
    self.days = days
  }

  /// The first entries of each day, of an agenda of their own: an entry holds all occurrences of its agenda.
  private static func firstEntries(of agenda: Agenda, atMost most: Int) -> [Int: [Entry]] {
    var kept: [Int: Set<Occurrence>] = [:]
    var occurrences: [Occurrence] = []
    var seen: Set<Occurrence> = []
    for section in agenda.sections {
      guard case .day(let date) = section.value else { continue }
      let first = section.entries.prefix(most).map(\.occurrence)
      kept[Int(date.dayNumber)] = Set(first)
      occurrences += first.filter { seen.insert($0).inserted }
    }
    var entries: [Int: [Entry]] = [:]
    for section in Agenda(occurrences, in: agenda.window, options: agenda.options).sections {
      guard case .day(let date) = section.value, let first = kept[Int(date.dayNumber)] else {
        continue
      }
      // An entry of several days is not one of the first on each of them.
      entries[Int(date.dayNumber)] = section.entries.filter { first.contains($0.occurrence) }
    }
    return entries
  }

  var range: Range<Int> { Int(window.firstDay.dayNumber)..<Int(window.dayAfterLast.dayNumber) }
}

/// The busy times of some days. A year has more entries than a person needs to have in memory.
package struct BusyPart: Sendable {
  package let window: DateWindow
  let days: [Int: BusyDay]

  /// The agenda must be grouped by days, and its window must be complete.
  package init(_ agenda: Agenda, window: DateWindow) {
    self.window = window
    var days: [Int: BusyDay] = [:]
    for section in agenda.sections {
      guard case .day(let date) = section.value else { continue }
      days[Int(date.dayNumber)] = BusyDay(
        section.entries.map(\.occurrence), on: date, zone: window.zone)
    }
    self.days = days
  }

  var range: Range<Int> { Int(window.firstDay.dayNumber)..<Int(window.dayAfterLast.dayNumber) }
}

/// The days whose entries are known. Others are read when they are needed.
package struct LoadedDays: Sendable {
  struct Day: Sendable {
    let entries: [Entry]
    /// The number of all entries; those of an excerpt are fewer.
    let count: Int
    let busy: BusyDay
    /// The positions of entries that overlap another one.
    let overlapping: Set<Int>
  }

  private var days: [Int: Day] = [:]
  /// The numbers of the days that have entries, in order.
  private var numbers: [Int] = []
  /// The days that are known, with and without entries.
  private var known = DayRanges()
  /// Those of which at least the first entries are known.
  private var knownFirst = DayRanges()
  /// The busy time of days, which stays when their entries are dropped.
  private var busy: [Int: BusyDay] = [:]
  private var knownBusy = DayRanges()
  private(set) var options = Agenda.Options()
  private var entryCount = 0

  /// Entries of days that are far away are dropped if there are more.
  private static let mostEntries = 16_000
  /// About so many entries are read at once.
  private static let entriesPerPart = 4000
  /// If there are few entries, a part is at most two months.
  private static let mostDaysPerPart = 62

  package init() {}

  /// The busy times of a former state of the calendars are shown until they are read again.
  init(replacing former: LoadedDays) { busy = former.busy }

  subscript(_ date: CivilDate) -> Day? { days[Int(date.dayNumber)] }

  func entries(on date: CivilDate) -> [Entry] { days[Int(date.dayNumber)]?.entries ?? [] }

  func count(on date: CivilDate) -> Int { days[Int(date.dayNumber)]?.count ?? 0 }

  func busyDay(_ date: CivilDate) -> BusyDay? { busy[Int(date.dayNumber)] }

  func knows(_ date: CivilDate) -> Bool { known.contains(Int(date.dayNumber)) }

  mutating func insert(_ part: DaysPart, near date: CivilDate, needed: Range<Int>?) {
    let range = part.range
    knownFirst.insert(range)
    if part.isExcerpt {
      // A day that is known as a whole stays.
      for (number, day) in part.days where !known.contains(number) {
        entryCount += day.entries.count - (days[number]?.entries.count ?? 0)
        days[number] = day
      }
      setBusy(part.days.mapValues(\.busy), in: range)
      take(part.options)
      numbers = days.keys.sorted()
      return
    }
    for number in range where days[number] != nil { entryCount -= days[number]?.entries.count ?? 0 }
    if range.count < days.count {
      for number in range { days[number] = nil }
    } else {
      days = days.filter { !range.contains($0.key) }
    }
    for (number, day) in part.days {
      days[number] = day
      entryCount += day.entries.count
    }
    known.insert(range)
    setBusy(part.days.mapValues(\.busy), in: range)
    take(part.options)
    if entryCount > Self.mostEntries { drop(near: Int(date.dayNumber), needed: needed) }
    numbers = days.keys.sorted()
  }

  /// The invitations of the days that were read before stay marked.
  private mutating func take(_ newer: Agenda.Options) {
    let (unanswered, declined) = (options.unanswered, options.declined)
    options = newer
    options.unanswered.formUnion(unanswered)
    options.declined.formUnion(declined)
  }

  mutating func insert(_ part: BusyPart) { setBusy(part.days, in: part.range) }

  private mutating func setBusy(_ days: [Int: BusyDay], in range: Range<Int>) {
    if range.count < busy.count {
      for number in range { busy[number] = nil }
    } else {
      busy = busy.filter { !range.contains($0.key) }
    }
    busy.merge(days) { $1 }
    knownBusy.insert(range)
  }

  /// Drops the days that are furthest away, except for those that are needed.
  private mutating func drop(near center: Int, needed: Range<Int>?) {
    let far = days.keys.sorted { abs($0 - center) > abs($1 - center) }
    for number in far {
      guard entryCount > Self.mostEntries / 2, number != center else { return }
      if needed?.contains(number) ?? false { continue }
      entryCount -= days[number]?.entries.count ?? 0
      days[number] = nil
      known.remove(number)
      knownFirst.remove(number)
    }
  }

  enum Step: Equatable {
    case found(CivilDate)
    /// The days from this one on, in the direction of the step, have to be read first.
    case unknown(CivilDate, gap: Int)
    /// There are no more days.
    case end
  }

  /// The next day after a date that has entries, or the previous one.
  func step(from date: CivilDate, forward: Bool) -> Step {
    let number = Int(date.dayNumber)
    let (first, last) = (Int(CivilDate.first.dayNumber), Int(CivilDate.last.dayNumber))
    let start = number + (forward ? 1 : -1)
    guard start >= first, start <= last else { return .end }
    let found =
      forward
      ? numbers[numbers.partitioningIndex { $0 >= start }...].first
      : numbers[..<numbers.partitioningIndex { $0 > start }].last
    let edge = forward ? known.end(from: start) : known.start(to: start)
    if let found, forward ? found < edge : found > edge {
      return CivilDate(dayNumber: found).map(Step.found) ?? .end
    }
    guard edge >= first, edge <= last else { return .end }
    return CivilDate(dayNumber: edge).map { .unknown($0, gap: abs(edge - number)) } ?? .end
  }

  /// The part to read first, of days that are needed; `nil` if all are known.
  func missing(in range: Range<Int>) -> Range<Int>? {
    missing(in: range, known, atMost: partLength)
  }

  /// The same of days of which the first entries are enough.
  func missingFirst(in range: Range<Int>) -> Range<Int>? {
    missing(in: range, knownFirst, atMost: min(Self.mostBusyDaysPerPart, 2 * partLength))
  }

  /// Whether so many days have more entries than should be kept.
  func exceedsLimit(_ count: Int) -> Bool {
    count > 1 && entriesPerDay * Double(count) > Double(Self.mostEntries)
  }

  /// The same of days of which only the busy times are needed: their entries are not kept.
  func missingBusy(in range: Range<Int>) -> Range<Int>? {
    missing(in: range, knownBusy, atMost: min(Self.mostBusyDaysPerPart, 2 * partLength))
  }

  private func missing(
    in range: Range<Int>, _ ranges: DayRanges, atMost length: Int
  ) -> Range<Int>? {
    guard let start = range.first(where: { !ranges.contains($0) }) else { return nil }
    var stop = start
    while stop < min(range.upperBound, start + length), !ranges.contains(stop) { stop += 1 }
    return start..<stop
  }

  /// About a month.
  private static let mostBusyDaysPerPart = 31

  /// Whether further days find room, and are read fast.
  var canReadAhead: Bool { entryCount < Self.mostEntries / 2 && partLength > 1 }

  /// How many days to read at once, by what is known of their number of entries.
  var partLength: Int {
    guard known.count > 0 else { return 1 }
    return max(1, min(Self.mostDaysPerPart, Int(Double(Self.entriesPerPart) / entriesPerDay)))
  }

  /// What is known about the number of entries of a day.
  private var entriesPerDay: Double {
    let count = knownFirst.count
    guard count > 0 else { return 1 }
    return Double(days.values.reduce(1) { $0 + $1.count }) / Double(count)
  }
}

/// Ranges of days that do not touch each other, in order.
struct DayRanges: Sendable {
  private(set) var ranges: [Range<Int>] = []

  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  func contains(_ number: Int) -> Bool {
    let index = ranges.partitioningIndex { $0.upperBound > number }
    return index < ranges.count && ranges[index].contains(number)
  }

  mutating func insert(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    var joined = range
    var rest: [Range<Int>] = []
    for other in ranges {
      if other.upperBound < joined.lowerBound || other.lowerBound > joined.upperBound {
        rest.append(other)
      } else {
        joined = min(joined.lowerBound, other.lowerBound)..<max(joined.upperBound, other.upperBound)
      }
    }
    let place = rest.partitioningIndex { $0.lowerBound > joined.lowerBound }
    rest.insert(joined, at: place)
    ranges = rest
  }

  mutating func remove(_ number: Int) {
    guard let index = ranges.firstIndex(where: { $0.contains(number) }) else { return }
    let range = ranges[index]
    ranges.replaceSubrange(
      index...index,
      with: [range.lowerBound..<number, (number + 1)..<range.upperBound].filter { !$0.isEmpty })
  }

  /// The first number from this one on that is in no range.
  func end(from number: Int) -> Int {
    let index = ranges.partitioningIndex { $0.upperBound > number }
    guard index < ranges.count, ranges[index].contains(number) else { return number }
    return ranges[index].upperBound
  }

  /// The last number up to this one that is in no range.
  func start(to number: Int) -> Int {
    let index = ranges.partitioningIndex { $0.upperBound > number }
    guard index < ranges.count, ranges[index].contains(number) else { return number }
    return ranges[index].lowerBound - 1
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first position whose element matches, if all elements after one that matches do so too.
  func partitioningIndex(_ matches: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = (low + high) / 2
      if matches(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
