internal import CivilTime

/// The first and the last day that an occurrence touches, inside or outside of the window.
struct DaySpan: Equatable {
  var first: Int32
  var last: Int32
  /// Whether it consists of moments. A date that the zone skipped has no moments, but it can be one
  /// of the days of an all-day entry.
  var isTimed: Bool

  /// The span of a task without a date: it is after all days, and is the key of its section.
  static let undated: DaySpan = {
    let day = CivilDate.last.dayNumber + 1
    return DaySpan(first: day, last: day, isTimed: true)
  }()

  /// The number of that day among the days of the occurrence, from 1.
  func ordinal(of day: Int32, leavingOut missingDays: [Int32]) -> Int {
    let count = Int(day) - Int(first) + 1
    guard count > 1, isTimed, !missingDays.isEmpty else { return count }
    return count - missingDays.count { $0 >= first && $0 <= day }
  }
}

/// Finds the days of instants in a zone. A day lasts from its start to the start of the next one.
/// That can differ from the date on the clock: St. John's turned its clocks back at 00:01, to the
/// day before.
struct DayFinder {
  private let zone: Zone
  /// The starts of the days of each chunk, by the number of the chunk.
  private var chunks: [Int: [Int]] = [:]
  /// The chunk of the previous call.
  private var starts: [Int] = []
  private var chunk = Int.min

  /// The number of days in a chunk.
  private let chunkLength: Int

  /// A finder for a few days does not need the default chunks of more than a year.
  init(zone: Zone, chunkLength: Int = 512) {
    self.zone = zone
    self.chunkLength = chunkLength
  }

  /// The day that contains the instant, within the years 1 to 9999.
  mutating func dayNumber(holding instant: Instant) -> Int32 {
    let first = Int(CivilDate.first.dayNumber)
    let last = Int(CivilDate.last.dayNumber)
    let second = instant.secondsSinceEpoch
    // The date in UTC is off by at most one day.
    var day = min(max(Int(instant.utc.date.dayNumber), first), last)
    while day > first, start(of: day) > second { day -= 1 }
    while day < last, start(of: day + 1) <= second { day += 1 }
    return Int32(day)
  }

  private mutating func start(of day: Int) -> Int {
    let wanted = day >= 0 ? day / chunkLength : (day + 1) / chunkLength - 1
    if wanted != chunk {
      chunk = wanted
      starts = chunks[wanted] ?? made(wanted)
    }
    return starts[day - wanted * chunkLength]
  }

  private mutating func made(_ wanted: Int) -> [Int] {
    let firstDay = wanted * chunkLength
    let starts = (firstDay..<(firstDay + chunkLength)).map { day in
      let date = CivilDate(dayNumber: day) ?? (day < 0 ? .first : .last)
      return zone.startOfDay(date).secondsSinceEpoch
    }
    chunks[wanted] = starts
    return starts
  }

  /// The dates from `first` to `last` that the zone skipped, as Apia skipped 30 December 2011.
  func missingDays(from first: Int32, through last: Int32) -> [Int32] {
    // Only a change of the offset by a day can cause that. The search goes from month to month.
    let month = 31
    let almostDay = 20 * 60 * 60
    var missing: [Int32] = []
    var day = Int(first) - 1
    while day <= Int(last) {
      let from = Instant(secondsSinceEpoch: day * TimeOfDay.secondsPerCivilDay)
      let to = Instant(secondsSinceEpoch: (day + month) * TimeOfDay.secondsPerCivilDay)
      if zone.utcOffset(at: to) - zone.utcOffset(at: from) >= almostDay {
        for candidate in (day - 1)...(day + month + 1) {
          guard candidate >= Int(first), candidate <= Int(last),
            let date = CivilDate(dayNumber: candidate), let next = date.adding(days: 1),
            zone.startOfDay(date) == zone.startOfDay(next)
          else { continue }
          missing.append(Int32(candidate))
        }
      }
      day += month
    }
    return missing
  }
}
