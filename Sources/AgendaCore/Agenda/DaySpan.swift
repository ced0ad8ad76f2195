internal import CivilTime

/// The days that an occurrence touches, in or out of the window, both ends included.
struct DaySpan: Equatable {
  var first: Int32
  var last: Int32
  /// Whether it is made of moments, which a date that the zone left out does not have. Whole days
  /// are dates everywhere.
  var isTimed: Bool

  /// Of a task without a date: after all days, and the key of its section.
  static let undated: DaySpan = {
    let day = CivilDate.last.dayNumber + 1
    return DaySpan(first: day, last: day, isTimed: true)
  }()

  /// Which of its days that is, from 1.
  func ordinal(of day: Int32, leavingOut missingDays: [Int32]) -> Int {
    let count = Int(day) - Int(first) + 1
    guard count > 1, isTimed, !missingDays.isEmpty else { return count }
    return count - missingDays.count { $0 >= first && $0 <= day }
  }
}

/// Finds the days of instants in a zone, where a day is what lies between its start and the start
/// of the next one: not always what the clock shows (St. John's turned its clocks back at 00:01, to
/// the day before).
struct DayFinder {
  private let zone: Zone
  /// The starts of the days of each chunk that was asked for, by its number.
  private var chunks: [Int: [Int]] = [:]
  /// The chunk that was asked for last.
  private var starts: [Int] = []
  private var chunk = Int.min

  /// How many days are computed at a time.
  private let chunkLength: Int

  /// A finder for a few days only does not need the default chunks of more than a year.
  init(zone: Zone, chunkLength: Int = 512) {
    self.zone = zone
    self.chunkLength = chunkLength
  }

  /// The day that holds the instant, held to the years 1 to 9999.
  mutating func dayNumber(holding instant: Instant) -> Int32 {
    let first = Int(CivilDate.first.dayNumber)
    let last = Int(CivilDate.last.dayNumber)
    let second = instant.secondsSinceEpoch
    // The day in UTC is never more than one off.
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

  /// The dates from `first` to `last` that the zone left out, as Apia did 30 December 2011.
  func missingDays(from first: Int32, through last: Int32) -> [Int32] {
    // Only a change of the offset by a day can do that; looked for month by month.
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
