internal import CivilTime
internal import Synchronization

/// The content of an agenda. Everything is a number, so that grouping a year takes a few passes
/// over arrays and no text.
///
/// It is a class, so that sections and entries can share it. Only its cache ever changes.
final class AgendaStorage: Sendable {
  let occurrences: [Occurrence]
  let window: DateWindow
  let options: Agenda.Options
  let wording: any SectionWording
  /// The problems of the sources, if the caller asked for them.
  let warnings: [SourceFinding]
  /// The path of the first entry. It differs from 1.1 for a section or an entry that was decoded
  /// alone.
  let firstPath: EntryPath

  private let days: OccurrenceDays
  private let sections: Grouping.Sections
  /// The keys that are names, in their order.
  let names: [String]

  /// For each section its number on the key's scale: a day number, a Monday's day number, year × 12
  /// + month − 1, a year, or an index of `names`; −1 without a key.
  var sectionKeys: [Int32] { sections.keys }
  /// The position of the first entry of each section in `places`, and at the end the number of
  /// entries.
  private var sectionStarts: [Int32] { sections.starts }
  /// The occurrence of each entry, by its position in the agenda.
  var places: [Int32] { sections.places }

  /// Positions by occurrence identifier, made when they are first needed.
  private let placesByID = Mutex<[OccurrenceID: [Int]]?>(nil)
  /// The component of each place, made when first asked for.
  private let componentsByPlace = Mutex<[EventReference]?>(nil)

  /// `admits` decides about each entry.
  init(
    _ occurrences: [Occurrence], in window: DateWindow, options: Agenda.Options,
    wording: any SectionWording,
    admits: ((_ occurrence: Occurrence, _ day: Int, _ path: EntryPath) -> Bool)? = nil
  ) {
    self.window = window
    self.options = options
    self.wording = wording
    warnings = []
    firstPath = EntryPath(section: 0, entry: 0)
    var days = OccurrenceDays(of: occurrences, zone: window.zone)
    let byTime = Self.sorted(
      occurrences, in: window, spans: days.spans, timedFirst: options.listsTimedFirst)
    let order =
      options.groupedBy == .day
      ? byTime : Self.byListedDay(byTime, days.spans, in: window, missing: days.missing)
    var grouping = Grouping(order: order, key: options.groupedBy)
    switch options.groupedBy {
    case .day:
      grouping.groupByDay(days.spans, in: window, missing: days.missing, once: options.once)
    case .week, .month, .year: grouping.groupByPeriod(days.spans, in: window)
    case .calendar, .category, .location, .status, .initial: grouping.groupByName(occurrences)
    case .none: grouping.groupAll()
    }
    var sections = grouping.sections()
    if let admits {
      sections.keep { occurrence, key, path in
        let day =
          options.groupedBy == .day ? key : days.firstShown(of: occurrence, in: window)
        return admits(occurrences[occurrence], days.ordinal(of: day, of: occurrence), path)
      }
      let listed = sections.numberMembers()
      self.occurrences = listed.map { occurrences[$0] }
      days.spans = listed.map { days.spans[$0] }
    } else {
      self.occurrences = occurrences
    }
    if let limit = options.limit { sections.cut(to: max(0, limit)) }
    self.days = days
    self.sections = sections
    names = grouping.names
  }

  private init(
    _ other: AgendaStorage, in window: DateWindow, limit: Int?, sections: Grouping.Sections
  ) {
    self.window = window
    var options = other.options
    options.limit = limit
    self.options = options
    self.sections = sections
    wording = other.wording
    warnings = other.warnings
    firstPath = other.firstPath
    occurrences = other.occurrences
    days = other.days
    names = other.names
  }

  /// The same entries with other details of their occurrences.
  init(_ other: AgendaStorage, occurrences: [Occurrence], warnings: [SourceFinding]) {
    window = other.window
    options = other.options
    wording = other.wording
    firstPath = other.firstPath
    days = other.days
    sections = other.sections
    names = other.names
    self.occurrences = occurrences
    self.warnings = warnings
  }

  /// Sections as they were decoded, without sorting them or leaving out entries.
  init(_ listed: ListedSections, in window: DateWindow, wording: any SectionWording) {
    self.window = window
    self.wording = wording
    options = Agenda.Options(groupedBy: listed.key)
    warnings = listed.warnings
    firstPath = listed.firstPath
    var numbers: [Occurrence: Int32] = [:]
    var occurrences: [Occurrence] = []
    var sections = Grouping.Sections()
    names = listed.sections.compactMap { $0.value.name }
    for section in listed.sections {
      for occurrence in section.entries {
        let number = numbers[occurrence] ?? Int32(occurrences.count)
        if numbers.updateValue(number, forKey: occurrence) == nil {
          occurrences.append(occurrence)
        }
        sections.places.append(number)
      }
      let name = section.value.name.flatMap(names.firstIndex(of:))
      sections.keys.append(section.value.key(name: name, of: listed.key, nameCount: names.count))
      sections.starts.append(Int32(sections.places.count))
    }
    self.occurrences = occurrences
    self.sections = sections
    days = OccurrenceDays(of: occurrences, zone: window.zone)
  }

  /// The same entries in a window that contains all of them. A limit can leave out some.
  convenience init(_ other: AgendaStorage, in window: DateWindow, limit: Int?) {
    var sections = other.sections
    if let limit { sections.cut(to: max(0, limit)) }
    self.init(other, in: window, limit: limit, sections: sections)
  }

  /// The entries of one section, in its own window.
  convenience init(_ other: AgendaStorage, in window: DateWindow, onlySection index: Int) {
    self.init(
      other, in: window, limit: nil, sections: other.sections.only(index))
  }

  // MARK: Sections and places

  func value(ofSection index: Int) -> SectionValue {
    let key = Int(sectionKeys[index])
    switch options.groupedBy {
    case .day:
      return CivilDate(dayNumber: key).map { .day($0) } ?? .missing
    case .week:
      return CivilDate(dayNumber: key).map { .week(ISOWeek(containing: $0)) } ?? .missing
    case .month: return isUndated(key) ? .missing : .month(year: key / 12, month: key % 12 + 1)
    case .year: return isUndated(key) ? .missing : .year(key)
    case .none: return .all
    case .status:
      guard names.indices.contains(key) else { return .missing }
      return Event.Status(rawValue: names[key]).map { .status($0) } ?? .name(names[key])
    case .calendar, .category, .location, .initial:
      return names.indices.contains(key) ? .name(names[key]) : .missing
    }
  }

  /// Only the section of entries without a date has this key; no month or year has it.
  private func isUndated(_ key: Int) -> Bool { key == Int(DaySpan.undated.first) }

  func sectionDay(_ index: Int) -> Int32? {
    options.groupedBy == .day ? sectionKeys[index] : nil
  }

  func placesOfSection(_ index: Int) -> Range<Int> {
    Int(sectionStarts[index])..<Int(sectionStarts[index + 1])
  }

  /// The first day of the window that an occurrence touches.
  func firstShownDay(of occurrence: Int) -> Int32 {
    days.firstShown(of: occurrence, in: window)
  }

  /// The number of that day among the days of the occurrence, from 1.
  func ordinal(of day: Int32, ofOccurrence occurrence: Int) -> Int {
    days.ordinal(of: day, of: occurrence)
  }

  /// The days of an occurrence.
  func span(ofOccurrence occurrence: Int) -> DaySpan { days.spans[occurrence] }

  /// How many days an occurrence touches.
  func dayCount(ofOccurrence occurrence: Int) -> Int {
    days.ordinal(of: days.spans[occurrence].last, of: occurrence)
  }

  func path(ofPlace place: Int) -> EntryPath {
    // Finds the last section that begins at or before the position.
    var low = 0
    var high = sectionKeys.count
    while low < high {
      let middle = (low + high) / 2
      if Int(sectionStarts[middle]) <= place { low = middle + 1 } else { high = middle }
    }
    let section = max(0, low - 1)
    return EntryPath(section: section, entry: place - Int(sectionStarts[section]))
  }

  func places(of id: OccurrenceID) -> [Int] {
    placesByID.withLock { cache in
      if let cache { return cache[id] ?? [] }
      var made: [OccurrenceID: [Int]] = [:]
      for (place, occurrence) in places.enumerated() {
        made[OccurrenceID(of: occurrences[Int(occurrence)]), default: []].append(place)
      }
      cache = made
      return made[id] ?? []
    }
  }

  /// The component of the entry at each place. In this list a search takes a tenth of the time of one
  /// in the events.
  var components: [EventReference] {
    componentsByPlace.withLock { cache in
      if let cache { return cache }
      let made = places.map { occurrences[Int($0)].event.reference }
      cache = made
      return made
    }
  }

  // MARK: Order

  /// The same occurrences by the day of the window on which they are listed. Those of a day keep their
  /// order.
  private static func byListedDay(
    _ order: [Int32], _ spans: [DaySpan], in window: DateWindow, missing: [Int32]
  ) -> [Int32] {
    var days = Grouping(order: order, key: .day)
    days.groupByDay(spans, in: window, missing: missing, once: true)
    return days.sections().places
  }

  /// The occurrences that touch the window: all-day first, then by start, end, title and UID.
  private static func sorted(
    _ occurrences: [Occurrence], in window: DateWindow, spans: [DaySpan], timedFirst: Bool
  ) -> [Int32] {
    struct Record {
      let begin: Int
      let finish: Int
      let index: Int32
      let isTimed: Bool
    }
    func sort(
      _ records: UnsafeMutableBufferPointer<Record>,
      _ occurrences: UnsafeBufferPointer<Occurrence>
    ) {
      var records = records
      records.sort { left, right in
        if left.begin != right.begin { return left.begin < right.begin }
        if left.finish != right.finish { return left.finish < right.finish }
        let (one, two) = (Int(left.index), Int(right.index))
        return NameOrder.precedes(occurrences[one], occurrences[two]) ?? (left.index < right.index)
      }
    }
    var records: [Record] = []
    records.reserveCapacity(occurrences.count)
    for index in occurrences.indices {
      let listing = occurrences[index].listing
      let touches =
        if listing == .undated {
          true
        } else if !spans[index].isTimed || listing != .onItsDays {
          spans[index].last >= window.firstDay.dayNumber
            && spans[index].first < window.dayAfterLast.dayNumber
        } else {
          window.touches(occurrences[index].begin, occurrences[index].finish)
        }
      guard touches else { continue }
      let isTimed = spans[index].isTimed
      var (begin, finish) = (
        occurrences[index].begin.secondsSinceEpoch, occurrences[index].finish.secondsSinceEpoch
      )
      if listing == .undated {
        begin = .max
      } else if !isTimed {
        // An overdue task keeps its own date here, and so comes first.
        let first = occurrences[index].allDay?.lowerBound.dayNumber ?? spans[index].first
        (begin, finish) = (Int(first), Int(spans[index].last))
      }
      records.append(
        Record(begin: begin, finish: finish, index: Int32(index), isTimed: isTimed))
    }
    let parts = TimeParts(of: window, moments: records.count)
    occurrences.withUnsafeBufferPointer { occurrences in
      records.withUnsafeMutableBufferPointer { records in
        // The days of all-day entries are not moments: these entries are one more part.
        let ends = TimeParts.gather(records, into: parts.count + 1) {
          if timedFirst { return $0.isTimed ? parts.number(of: $0.begin) : parts.count }
          return $0.isTimed ? 1 + parts.number(of: $0.begin) : 0
        }
        var start = 0
        for end in ends {
          sort(UnsafeMutableBufferPointer(rebasing: records[start..<end]), occurrences)
          start = end
        }
      }
    }
    return records.map(\.index)
  }
}

extension SectionValue {
  /// The name of a section in `AgendaStorage.names`.
  fileprivate var name: String? {
    switch self {
    case .name(let name): name
    case .status(let status): status.rawValue
    case .day, .week, .month, .year, .missing, .all: nil
    }
  }

  /// Its number on the scale of `AgendaStorage.sectionKeys`. `name` is the position of its name.
  fileprivate func key(name: Int?, of key: SectionKey, nameCount: Int) -> Int32 {
    switch self {
    case .day(let date): date.dayNumber
    case .week(let week): week.monday?.dayNumber ?? DaySpan.undated.first
    case .month(let year, let month): Int32(year * 12 + month - 1)
    case .year(let year): Int32(year)
    case .name, .status: Int32(name ?? 0)
    case .missing: key.isTime ? DaySpan.undated.first : Int32(nameCount)
    case .all: 0
    }
  }
}

/// The days of all occurrences in a zone.
private struct OccurrenceDays {
  /// Those of each occurrence.
  var spans: [DaySpan] = []
  /// The dates that the zone skipped, during timed occurrences of several days.
  private(set) var missing: [Int32] = []

  init(of occurrences: [Occurrence], zone: Zone) {
    spans.reserveCapacity(occurrences.count)
    var finder = DayFinder(zone: zone)
    var firstOfSeveral = Int32.max
    var lastOfSeveral = Int32.min
    for index in occurrences.indices {
      switch occurrences[index].listing {
      case .onItsDays: break
      case .on(let date):
        let day = date.dayNumber
        spans.append(DaySpan(first: day, last: day, isTimed: occurrences[index].allDay == nil))
        continue
      case .undated:
        spans.append(.undated)
        continue
      }
      if let days = occurrences[index].allDay {
        let first = days.lowerBound.dayNumber
        spans.append(
          DaySpan(
            first: first, last: max(first, days.upperBound.dayNumber - 1), isTimed: false))
        continue
      }
      let begin = occurrences[index].begin
      let finish = occurrences[index].finish
      let first = finder.dayNumber(holding: begin)
      let last = finish > begin ? finder.dayNumber(holding: finish.adding(seconds: -1)) : first
      if last > first {
        firstOfSeveral = min(firstOfSeveral, first)
        lastOfSeveral = max(lastOfSeveral, last)
      }
      spans.append(DaySpan(first: first, last: max(first, last), isTimed: true))
    }
    if firstOfSeveral < lastOfSeveral {
      missing = finder.missingDays(from: firstOfSeveral, through: lastOfSeveral)
    }
  }

  /// The first day of a window that an occurrence touches.
  func firstShown(of occurrence: Int, in window: DateWindow) -> Int32 {
    let span = spans[occurrence]
    var day = max(span.first, window.firstDay.dayNumber)
    guard span.isTimed, !missing.isEmpty else { return day }
    while day < span.last, missing.contains(day) { day += 1 }
    return day
  }

  /// The number of that day among the days of the occurrence, from 1.
  func ordinal(of day: Int32, of occurrence: Int) -> Int {
    spans[occurrence].ordinal(of: day, leavingOut: missing)
  }
}
