internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// Which dates the occurrences of a series can touch: weekdays, days of the month and months as
/// bits, by which an index leaves out most endless series that have nothing in a short window. It
/// may let a series pass that has nothing there, never the other way round.
///
/// The dates are those of UTC for timed series, and the clock's own for whole days and floating
/// times.
struct OccurrencePattern: Hashable {
  /// Weekdays in bits 0 to 6 from Monday, days of the month in bits 7 to 37, months in bits 38 to
  /// 49.
  private(set) var bits: Int

  private static let allWeekdays = (1 << 7) - 1
  private static let allDays = ((1 << 31) - 1) << 7
  private static let allMonths = ((1 << 12) - 1) << 38
  private static let all = allWeekdays | allDays | allMonths

  private static func bit(_ weekday: Weekday) -> Int { 1 << (Int(weekday.rawValue) - 1) }
  private static func bit(day: Int) -> Int { 1 << (7 + day - 1) }
  private static func bit(month: Int) -> Int { 1 << (38 + month - 1) }

  private static func bits(of date: CivilDate) -> Int {
    let (_, month, day) = date.components
    return bit(date.weekday) | bit(day: day) | bit(month: month)
  }

  /// The bits of some dates, for each of the three groups: what touches one of them has a bit in
  /// each. `nil` where there are so many that nothing would be left out.
  static func groups(of dates: Set<CivilDate>) -> [Int]? {
    guard dates.count < 7 else { return nil }
    let bits = dates.reduce(0) { $0 | Self.bits(of: $1) }
    return [bits & allWeekdays, bits & allDays, bits & allMonths]
  }

  /// `nil` where nothing can be left out.
  init?(_ recurrence: Event.Recurrence, of event: Event) {
    guard recurrence.rules.count == 1, recurrence.dates.isEmpty, let start = event.start,
      let rule = recurrence.rules.first, let own = Self.bits(of: rule, start: start.civil.date),
      let shifts = Self.shifts(of: event, from: start)
    else { return nil }
    // The start is an occurrence even where the rule would not give it.
    let began = own | Self.bits(of: start.civil.date)
    bits = shifts.reduce(0) { $0 | Self.shifted(began, byDays: $1) }
    if bits == Self.all { return nil }
  }

  /// On which dates the rule lets occurrences begin, by the clock of the event.
  private static func bits(of rule: Rule, start: CivilDate) -> Int? {
    guard rule.frequency >= .daily, rule.byHour.isEmpty, rule.bySetPosition.isEmpty,
      rule.byYearDay.isEmpty, rule.byWeekNumber.isEmpty, rule.skip == .omit
    else { return nil }
    var weekdays = allWeekdays
    var days = allDays
    var months = allMonths
    if !rule.byDay.isEmpty {
      weekdays = rule.byDay.reduce(0) { $0 | bit($1.weekday) }
    } else if rule.frequency == .weekly {
      weekdays = bit(start.weekday)
    }
    if !rule.byMonthDay.isEmpty {
      if rule.byMonthDay.allSatisfy({ $0 > 0 }) {
        days = rule.byMonthDay.reduce(0) { $0 | bit(day: $1) }
      }
    } else if rule.frequency >= .monthly, rule.byDay.isEmpty {
      days = bit(day: start.day)
    }
    if !rule.byMonth.isEmpty {
      months = rule.byMonth.reduce(0) { $0 | bit(month: $1) }
    } else if rule.frequency == .yearly, rule.byDay.isEmpty, rule.byMonthDay.isEmpty {
      months = bit(month: start.month)
    }
    return weekdays | days | months
  }

  /// How many days from the date of its beginning to those that an occurrence can touch; `nil`
  /// where they are many.
  private static func shifts(of event: Event, from start: EventTime) -> ClosedRange<Int>? {
    guard let span = EventSpan(singleOf: event) else { return nil }
    let length = span.end - span.begin
    guard length <= 2 * secondsOfDay else { return nil }
    if start.isDate { return 0...max(0, (length - 1) / secondsOfDay) }
    var offsets = 0...0
    if case .zoned(_, let zone) = start {
      guard start.civil.date.year >= 1970 else { return nil }
      offsets = ZoneOffsets.range(of: zone)
      // A zone that moved by more than a summer time, as Apia did across the date line.
      guard offsets.upperBound - offsets.lowerBound <= 3 * secondsOfHour else { return nil }
    }
    // What falls into a gap moves by an hour, and a zone's rules can change by one.
    let second = Int(start.civil.time.secondOfDay)
    let first = second - offsets.upperBound - secondsOfHour
    let last = second - offsets.lowerBound + length + secondsOfHour
    return floorOfDays(first)...floorOfDays(last)
  }

  private static let secondsOfHour = 60 * 60

  private static func floorOfDays(_ seconds: Int) -> Int {
    let days = seconds / secondsOfDay
    return seconds % secondsOfDay < 0 ? days - 1 : days
  }

  private static func shifted(_ bits: Int, byDays count: Int) -> Int {
    var shifted = bits
    for _ in 0..<abs(count) { shifted = count > 0 ? next(shifted) : previous(shifted) }
    return shifted
  }

  private static let lastDaysOfMonths = (28...31).reduce(0) { $0 | bit(day: $1) }

  private static func next(_ bits: Int) -> Int {
    let weekdays = (bits << 1 | bits >> 6) & allWeekdays
    var days = (bits & allDays) << 1 & allDays
    var months = bits & allMonths
    if bits & lastDaysOfMonths != 0 {
      days |= bit(day: 1)
      months |= (months << 1 | months >> 11) & allMonths
    }
    return weekdays | days | months
  }

  private static func previous(_ bits: Int) -> Int {
    let weekdays = bits & allWeekdays
    var days = (bits & allDays) >> 1 & allDays
    var months = bits & allMonths
    if bits & bit(day: 1) != 0 {
      days |= lastDaysOfMonths
      months |= (months >> 1 | months << 11) & allMonths
    }
    return (weekdays >> 1 | weekdays << 6) & allWeekdays | days | months
  }
}
