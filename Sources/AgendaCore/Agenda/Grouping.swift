internal import CivilTime

/// Groups occurrences into sections. The occurrences must already have the order that they will
/// have within each section.
struct Grouping {
  /// Occurrences in their order.
  private let order: [Int32]
  private let key: SectionKey
  /// The number of the section and the occurrence, for each entry.
  private var keys: [Int32] = []
  private var members: [Int32] = []
  private(set) var names: [String] = []

  init(order: [Int32], key: SectionKey) {
    self.order = order
    self.key = key
    keys.reserveCapacity(order.count)
    members.reserveCapacity(order.count)
  }

  private mutating func place(_ occurrence: Int32, under key: Int32) {
    keys.append(key)
    members.append(occurrence)
  }

  mutating func groupAll() {
    for occurrence in order { place(occurrence, under: 0) }
  }

  mutating func groupByDay(
    _ spans: [DaySpan], in window: DateWindow, missing: [Int32], once: Bool
  ) {
    let windowFirst = window.firstDay.dayNumber
    let windowLast = window.dayAfterLast.dayNumber - 1
    for occurrence in order {
      let span = spans[Int(occurrence)]
      if span == .undated {
        place(occurrence, under: span.first)
        continue
      }
      var day = max(span.first, windowFirst)
      let last = min(span.last, windowLast)
      while day <= last {
        if missing.isEmpty || !span.isTimed || !missing.contains(day) {
          place(occurrence, under: day)
          if once { break }
        }
        day += 1
      }
    }
  }

  /// Groups by week, month or year. An entry that began before the window is in the section of the
  /// window's first day.
  mutating func groupByPeriod(_ spans: [DaySpan], in window: DateWindow) {
    let windowFirst = window.firstDay.dayNumber
    for occurrence in order {
      let span = spans[Int(occurrence)]
      if span == .undated {
        place(occurrence, under: span.first)
        continue
      }
      let day = Int(max(span.first, windowFirst))
      let number: Int
      switch key {
      case .week:
        number = day - Weekday(ofDayNumber: day).days(after: .monday)
      case .year:
        number = CivilDate.components(ofDayNumber: day).year
      default:
        let (year, month, _) = CivilDate.components(ofDayNumber: day)
        number = year * 12 + month - 1
      }
      place(occurrence, under: Int32(number))
    }
  }

  /// Groups by a text of the event. Events without it come last. Events with several are in several
  /// sections.
  mutating func groupByName(_ occurrences: [Occurrence]) {
    var numbers: [ComparedText: Int32] = [:]
    var found: [String] = []
    func number(of name: String) -> Int32 {
      let text = ComparedText(name)
      if let number = numbers[text] { return number }
      let number = Int32(found.count)
      numbers[text] = number
      found.append(name)
      return number
    }
    let missing = Int32.max
    if key == .category {
      placeByCategory(occurrences, number: number, missing: missing)
    } else {
      // The names of events that occur again.
      var known: [ObjectIdentifier: Int32] = [:]
      for occurrence in order {
        let index = Int(occurrence)
        let object = occurrences[index].event.object
        let repeats = occurrences[index].recurrenceID != nil
        if repeats, let number = known[object] {
          place(occurrence, under: number)
          continue
        }
        let number = name(of: occurrences[index].event).map(number(of:)) ?? missing
        if repeats { known[object] = number }
        place(occurrence, under: number)
      }
    }
    let sectionNames = found.map(SectionName.init)
    let sorted = found.indices.sorted { sectionNames[$0] < sectionNames[$1] }
    names = sorted.map { found[$0] }
    var ranks = [Int32](repeating: 0, count: found.count)
    for (rank, index) in sorted.enumerated() { ranks[index] = Int32(rank) }
    let last = Int32(found.count)
    for place in keys.indices {
      keys[place] = keys[place] == missing ? last : ranks[Int(keys[place])]
    }
  }

  private func name(of event: borrowing Event) -> String? {
    switch key {
    case .calendar: event.calendar.trimmed
    case .location: event.location?.trimmed
    case .status: event.status?.rawValue
    default: Initial.of(event.title)
    }
  }

  private mutating func placeByCategory(
    _ occurrences: [Occurrence], number: (String) -> Int32, missing: Int32
  ) {
    var known: [ObjectIdentifier: [Int32]] = [:]
    for occurrence in order {
      let event = occurrences[Int(occurrence)].event
      var numbers = known[event.object] ?? []
      if numbers.isEmpty {
        var seen: Set<Int32> = []
        numbers = event.categories.compactMap(\.trimmed).map(number)
          .filter { seen.insert($0).inserted }
        if numbers.isEmpty { numbers = [missing] }
        known[event.object] = numbers
      }
      for number in numbers { place(occurrence, under: number) }
    }
  }

  // MARK: Sections

  struct Sections {
    var keys: [Int32] = []
    var starts: [Int32] = [0]
    var places: [Int32] = []
  }

  /// The entries sorted by section. Within a section they keep their order.
  func sections() -> Sections {
    var result = Sections()
    guard let lowest = keys.min(), let highest = keys.max() else { return result }
    let range = Int(highest) - Int(lowest) + 1
    result.places = [Int32](repeating: 0, count: keys.count)
    // If keys are close together, as days are, the entries are counted by key. If a long window has
    // few entries, they are sorted.
    let sparse = 8
    if range <= keys.count * sparse + 1024 {
      var ends = [Int32](repeating: 0, count: range)
      for key in keys { ends[Int(key - lowest)] += 1 }
      var total: Int32 = 0
      for slot in 0..<range where ends[slot] > 0 {
        let count = ends[slot]
        ends[slot] = total
        total += count
        result.keys.append(lowest + Int32(slot))
        result.starts.append(total)
      }
      for (key, member) in zip(keys, members) {
        result.places[Int(ends[Int(key - lowest)])] = member
        ends[Int(key - lowest)] += 1
      }
    } else {
      let packed = keys.indices.map { Int(keys[$0] - lowest) << 32 | $0 }.sorted()
      for (place, pack) in packed.enumerated() {
        let index = pack & 0xffff_ffff
        result.places[place] = members[index]
        if result.keys.last != keys[index] {
          if place > 0 { result.starts.append(Int32(place)) }
          result.keys.append(keys[index])
        }
      }
      result.starts.append(Int32(keys.count))
    }
    return result
  }
}

extension Grouping.Sections {
  /// Keeps the entries that `isKept` accepts, and the sections that still have entries.
  mutating func keep(_ isKept: (_ occurrence: Int, _ key: Int32, _ path: EntryPath) -> Bool) {
    var kept = Self()
    for section in keys.indices {
      let range = Int(starts[section])..<Int(starts[section + 1])
      for place in range {
        let path = EntryPath(section: section, entry: place - range.lowerBound)
        if isKept(Int(places[place]), keys[section], path) { kept.places.append(places[place]) }
      }
      guard kept.places.count > Int(kept.starts[kept.keys.count]) else { continue }
      kept.keys.append(keys[section])
      kept.starts.append(Int32(kept.places.count))
    }
    self = kept
  }

  /// Numbers the listed occurrences again, without gaps. Returns their previous numbers.
  mutating func numberMembers() -> [Int] {
    let listed = Set(places).sorted()
    let numbers = Dictionary(
      uniqueKeysWithValues: listed.enumerated().map { ($0.element, Int32($0.offset)) })
    for place in places.indices { places[place] = numbers[places[place]] ?? 0 }
    return listed.map(Int.init)
  }
}

extension String {
  /// The text without white space around it; `nil` if that is empty.
  fileprivate var trimmed: String? {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return nil }
    return String(self[first...last])
  }
}

/// The name of a section, as sections are sorted: by the beginning of the name, ignoring letter case and
/// accents. If these are equal, the bytes decide.
struct SectionName: Comparable {
  private let name: String
  private let folded: FoldedText

  init(_ name: String) {
    self.name = name
    folded = FoldedText(String(ComparedText(name).start))
  }

  static func < (left: SectionName, right: SectionName) -> Bool {
    if left.folded != right.folded { return left.folded < right.folded }
    return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }
}
