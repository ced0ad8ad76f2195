internal import CivilTime
internal import Synchronization

/// An agenda worked out: everything by number, so that grouping a year costs a few array passes and
/// no text.
///
/// A class, so that sections and entries can share it; nothing in it changes but the cache.
final class AgendaStorage: Sendable {
  let occurrences: [Occurrence]
  let window: DateWindow
  let options: Agenda.Options
  let wording: any SectionWording

  /// The days of each occurrence.
  let spans: [DaySpan]
  /// Days that the window's zone left out, of those that any timed entry of several days spans.
  let missingDays: [Int32]
  /// For each section its number on the key's scale: a day number, a Monday's day number, year × 12
  /// + month − 1, a year, or an index of `names`; −1 without a key.
  let sectionKeys: [Int32]
  /// Where the entries of each section begin in `places`, and one more: their count.
  let sectionStarts: [Int32]
  /// The occurrence at each place.
  let places: [Int32]
  /// The keys that are names, in their order.
  let names: [String]

  /// Places by occurrence identifier, made when first asked for.
  private let placesByID = Mutex<[OccurrenceID: [Int]]?>(nil)

  init(
    _ occurrences: [Occurrence], in window: DateWindow, options: Agenda.Options,
    wording: any SectionWording
  ) {
    self.occurrences = occurrences
    self.window = window
    self.options = options
    self.wording = wording
    let days = OccurrenceDays(of: occurrences, zone: window.zone)
    spans = days.spans
    missingDays = days.missing

    let order = Self.sorted(occurrences, in: window, spans: spans)
    var grouping = Grouping(order: order, key: options.groupedBy)
    switch options.groupedBy {
    case .day: grouping.groupByDay(self.spans, in: window, missing: missingDays, once: options.once)
    case .week, .month, .year: grouping.groupByPeriod(self.spans, in: window)
    case .calendar, .category, .location, .status, .initial: grouping.groupByName(occurrences)
    case .none: grouping.groupAll()
    }
    let sections = grouping.sections(limit: options.limit)
    sectionKeys = sections.keys
    sectionStarts = sections.starts
    places = sections.places
    names = grouping.names
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

  /// No month or year has the key of the entries without a date.
  private func isUndated(_ key: Int) -> Bool { key == Int(DaySpan.undated.first) }

  func sectionDay(_ index: Int) -> Int32? {
    options.groupedBy == .day ? sectionKeys[index] : nil
  }

  func placesOfSection(_ index: Int) -> Range<Int> {
    Int(sectionStarts[index])..<Int(sectionStarts[index + 1])
  }

  /// The first day of the window that an occurrence touches.
  func firstShownDay(of occurrence: Int) -> Int32 {
    var day = max(spans[occurrence].first, window.firstDay.dayNumber)
    guard spans[occurrence].isTimed, !missingDays.isEmpty else { return day }
    while day < spans[occurrence].last, missingDays.contains(day) { day += 1 }
    return day
  }

  /// Which of its days that is, from 1.
  func ordinal(of day: Int32, ofOccurrence occurrence: Int) -> Int {
    spans[occurrence].ordinal(of: day, leavingOut: missingDays)
  }

  /// How many days an occurrence touches.
  func dayCount(ofOccurrence occurrence: Int) -> Int {
    ordinal(of: spans[occurrence].last, ofOccurrence: occurrence)
  }

  func indexPath(ofPlace place: Int) -> IndexPath {
    // The last section that begins at or before the place.
    var low = 0
    var high = sectionKeys.count
    while low < high {
      let middle = (low + high) / 2
      if Int(sectionStarts[middle]) <= place { low = middle + 1 } else { high = middle }
    }
    let section = max(0, low - 1)
    return IndexPath(section: section, entry: place - Int(sectionStarts[section]))
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

  // MARK: Order

  /// The occurrences that touch the window: all-day first, then by start, end, title and UID.
  private static func sorted(
    _ occurrences: [Occurrence], in window: DateWindow, spans: [DaySpan]
  ) -> [Int32] {
    struct Record {
      let isTimed: Bool
      let begin: Int
      let finish: Int
      let index: Int32
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
        Record(isTimed: isTimed, begin: begin, finish: finish, index: Int32(index)))
    }
    records.sort { left, right in
      if left.isTimed != right.isTimed { return right.isTimed }
      if left.begin != right.begin { return left.begin < right.begin }
      if left.finish != right.finish { return left.finish < right.finish }
      return precedes(left.index, right.index, in: occurrences)
    }
    return records.map(\.index)
  }

  /// By title, UID, calendar and what is left, for two occurrences of the same time.
  private static func precedes(_ left: Int32, _ right: Int32, in occurrences: [Occurrence]) -> Bool
  {
    let (left, right) = (Int(left), Int(right))
    if occurrences[left].event.title != occurrences[right].event.title {
      return occurrences[left].event.title < occurrences[right].event.title
    }
    if occurrences[left].event.identity.uid != occurrences[right].event.identity.uid {
      return occurrences[left].event.identity.uid < occurrences[right].event.identity.uid
    }
    if occurrences[left].event.calendar != occurrences[right].event.calendar {
      return occurrences[left].event.calendar < occurrences[right].event.calendar
    }
    let leftID = OccurrenceID(of: occurrences[left]).number
    let rightID = OccurrenceID(of: occurrences[right]).number
    return leftID != rightID ? leftID < rightID : left < right
  }
}

/// The days of all occurrences in a zone.
private struct OccurrenceDays {
  var spans: [DaySpan] = []
  var missing: [Int32] = []

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
}
