internal import CivilTime

/// Which days a rule allows: all of its parts that speak of days, with what DTSTART fills in,
/// as bit sets. A month of days is one machine word.
///
/// In a month's word, bit `d` is day `d`. With SKIP two more are used: bit 0 for the last day of
/// the month before (from `BYMONTHDAY=-31` and BACKWARD) and the bit after the month's last day
/// for the first of the next one (from `BYMONTHDAY=31` and FORWARD). Day 366 of a year that has
/// not so many counts as one of December, day -366 as one of January.
///
/// By reference, because a rule looks at thousands of months, and the sets of days are large.
final class DayFilter: Sendable {
  /// Days of a year as bits 1…366.
  typealias YearDays = SIMD8<UInt64>

  /// An ordinal of BYDAY, with days from Monday.
  struct Ordinal: Sendable {
    let number: Int
    let weekday: Int
  }

  /// Bits 1…12.
  let months: UInt16
  /// Bits 0…6 from Monday.
  let weekdays: UInt8
  private let ordinals: [Ordinal]
  private let ordinalsCountInYear: Bool
  /// By the length of the month, from 28.
  private let monthDays: SIMD4<UInt64>?
  private let yearDays: (common: YearDays, leap: YearDays)?
  /// Bits 1…53, in years of 52 weeks and in years of 53.
  private let weekNumbers: (short: UInt64, long: UInt64)?
  private let weekStart: Int
  private let skips: Bool
  /// Where SKIP moves what BYYEARDAY has too much for a common year.
  private let movedYearDays: MovedYearDays

  private struct MovedYearDays {
    var toPreviousYear = false
    var toFirst = false
    var toLast = false
    var toNextYear = false
    var isEmpty = true
  }

  /// Whether the weekday alone decides, which is the case for most weekly rules.
  let isOnlyWeekdays: Bool
  let isTrivial: Bool
  /// The same in another calendar. If it is set, it decides alone.
  let other: CalendarDayFilter?

  /// DTSTART gives what the rule leaves open (RFC 5545 3.3.10: "Information, not contained in the
  /// rule …").
  init(_ rule: Rule, start: CivilDate) {
    let startComponents = start.components
    let startWeekday = UInt8(1) << (start.weekday.rawValue - 1)
    weekStart = Int(rule.weekStart.rawValue) - 1
    skips = rule.skip != .omit && rule.frequency >= .monthly

    var months: UInt16 = 0x1FFE
    var weekdays: UInt8 = 0x7F
    var ordinals: [Ordinal] = []
    if !rule.byMonth.isEmpty { months = rule.byMonth.reduce(0) { $0 | 1 << UInt16($1) } }
    let takesOrdinals =
      rule.frequency == .monthly || (rule.frequency == .yearly && rule.byWeekNumber.isEmpty)
    if !rule.byDay.isEmpty {
      weekdays = 0
      for day in rule.byDay {
        if day.ordinal == 0 || !takesOrdinals {
          weekdays |= 1 << (day.weekday.rawValue - 1)
        } else {
          ordinals.append(
            Ordinal(number: day.ordinal, weekday: Int(day.weekday.rawValue) - 1))
        }
      }
    }
    ordinalsCountInYear = rule.frequency == .yearly && rule.byMonth.isEmpty
    var wantedMonthDays = rule.byMonthDay

    let saysWhichDay =
      !rule.byDay.isEmpty || !rule.byMonthDay.isEmpty || !rule.byYearDay.isEmpty
    if !saysWhichDay {
      switch rule.frequency {
      case .secondly, .minutely, .hourly, .daily: break
      case .weekly: weekdays = startWeekday
      case .monthly, .yearly:
        if !rule.byWeekNumber.isEmpty {
          weekdays = startWeekday
        } else {
          wantedMonthDays = [startComponents.day]
          if rule.frequency == .yearly, rule.byMonth.isEmpty {
            months = 1 << UInt16(startComponents.month)
          }
        }
      }
    }

    (self.months, self.weekdays, self.ordinals) = (months, weekdays, ordinals)
    if wantedMonthDays.isEmpty {
      monthDays = nil
    } else {
      var sets = SIMD4<UInt64>(repeating: 0)
      for length in 28...31 {
        sets[length - 28] = Self.monthDays(
          wantedMonthDays, length: length, skip: skips ? rule.skip : .omit)
      }
      monthDays = sets
    }
    var movedYearDays = MovedYearDays()
    if rule.byYearDay.isEmpty {
      yearDays = nil
    } else {
      if rule.skip != .omit, rule.frequency == .yearly {
        let forward = rule.skip == .forward
        let (last, first) = (rule.byYearDay.contains(366), rule.byYearDay.contains(-366))
        movedYearDays = MovedYearDays(
          toPreviousYear: first && !forward, toFirst: first && forward, toLast: last && !forward,
          toNextYear: last && forward, isEmpty: !first && !last)
      }
      yearDays = (
        Self.yearDays(rule.byYearDay, length: 365), Self.yearDays(rule.byYearDay, length: 366)
      )
    }
    self.movedYearDays = movedYearDays
    weekNumbers =
      rule.byWeekNumber.isEmpty
      ? nil
      : (
        Self.weekNumbers(rule.byWeekNumber, count: 52),
        Self.weekNumbers(rule.byWeekNumber, count: 53)
      )
    other = CalendarDayFilter(rule, start: start)
    isOnlyWeekdays =
      rule.byLeapMonth.isEmpty && months == 0x1FFE && ordinals.isEmpty && monthDays == nil
      && yearDays == nil
      && weekNumbers == nil
    isTrivial = isOnlyWeekdays && weekdays == 0x7F
  }

  private static func monthDays(_ wanted: [Int], length: Int, skip: Rule.Skip) -> UInt64 {
    var days: UInt64 = 0
    for day in wanted {
      let fromStart = day > 0 ? day : length + 1 + day
      if fromStart >= 1, fromStart <= length {
        days |= 1 << UInt64(fromStart)
        continue
      }
      switch skip {
      case .omit: break
      case .forward: days |= day > 0 ? 1 << UInt64(length + 1) : 1 << 1
      case .backward: days |= day > 0 ? 1 << UInt64(length) : 1
      }
    }
    return days
  }

  private static func yearDays(_ wanted: [Int], length: Int) -> YearDays {
    var days = YearDays(repeating: 0)
    for day in wanted {
      let fromStart = day > 0 ? day : length + 1 + day
      guard fromStart >= 1, fromStart <= length else { continue }
      days[fromStart >> 6] |= 1 << UInt64(fromStart & 63)
    }
    return days
  }

  private static func weekNumbers(_ wanted: [Int], count: Int) -> UInt64 {
    var weeks: UInt64 = 0
    for week in wanted {
      let fromStart = week > 0 ? week : count + 1 + week
      if fromStart >= 1, fromStart <= count { weeks |= 1 << UInt64(fromStart) }
    }
    return weeks
  }

  /// What the days that it allows can be, without SKIP: more than are, because BYYEARDAY and BYWEEKNO
  /// are left out.
  var touched: (weekdays: UInt8, monthDays: UInt64, months: UInt16) {
    var possible = ((1 as UInt64) << 31 - 1) << 1
    if let monthDays { possible = monthDays[0] | monthDays[1] | monthDays[2] | monthDays[3] }
    if weekdays == 0, !ordinals.isEmpty, !ordinalsCountInYear {
      possible &= ordinals.reduce(0) { $0 | Self.monthDays(of: $1.number) }
    }
    let ordinalWeekdays = ordinals.reduce(0 as UInt8) { $0 | 1 << UInt8($1.weekday) }
    return (weekdays | ordinalWeekdays, possible, months)
  }

  /// The days of months of any length that the weekday with that ordinal can be.
  private static func monthDays(of ordinal: Int) -> UInt64 {
    let days =
      ordinal > 0 ? 7 * ordinal - 6...7 * ordinal : 29 + 7 * ordinal...31 + 7 * (ordinal + 1)
    return days.reduce(0) { 1...31 ~= $1 ? $0 | 1 << UInt64($1) : $0 }
  }

  /// No period of a rule of this frequency gives more days.
  func mostDays(inPeriodOf frequency: Rule.Frequency) -> Int {
    let daysOfMonth =
      monthDays.map { days in (0..<4).reduce(0) { max($0, days[$1].nonzeroBitCount) } }
      ?? min(31, weekdays.nonzeroBitCount * 5 + ordinals.count)
    return switch frequency {
    case .secondly, .minutely, .hourly, .daily: 1
    case .weekly: weekdays.nonzeroBitCount
    case .monthly: daysOfMonth
    case .yearly: daysOfMonth * months.nonzeroBitCount
    }
  }

  /// The days of a month that the rule allows.
  func days(year: Int, month: Int) -> UInt64 {
    guard months & 1 << UInt16(month) != 0 else { return 0 }
    let length = CivilDate.daysInMonth(month, year: year)
    var days = ((1 as UInt64) << UInt64(length) - 1) << 1
    if let monthDays { days &= monthDays[length - 28] }
    if days != 0 { days &= limits(year: year, month: month, length: length) }
    guard skips else { return days }
    if let monthDays {
      let wanted = monthDays[length - 28]
      if wanted & 1 << UInt64(length + 1) != 0, allows(dayAfter: year, month) {
        days |= 1 << UInt64(length + 1)
      }
      if wanted & 1 != 0, allows(dayBefore: year, month) { days |= 1 }
    }
    if !movedYearDays.isEmpty, !CivilDate.isLeapYear(year) {
      days |= movedYearDays(year: year, month: month)
    }
    return days
  }

  /// Where SKIP moved a day of BYMONTHDAY, the day there has to satisfy all that is left.
  private func allows(dayAfter year: Int, _ month: Int) -> Bool {
    let (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
    let length = CivilDate.daysInMonth(month, year: year)
    return limits(year: year, month: month, length: length) & 1 << 1 != 0
  }

  private func allows(dayBefore year: Int, _ month: Int) -> Bool {
    let (year, month) = month == 1 ? (year - 1, 12) : (year, month - 1)
    let length = CivilDate.daysInMonth(month, year: year)
    return limits(year: year, month: month, length: length) & 1 << UInt64(length) != 0
  }

  /// Day 366 or -366 of a common year, where SKIP moved it and the day there satisfies the rest.
  private func movedYearDays(year: Int, month: Int) -> UInt64 {
    // January and December have 31 days, to which BYMONTHDAY adds none.
    func rest(_ year: Int, _ month: Int) -> UInt64 {
      limits(year: year, month: month, length: 31, byYearDay: false) & (monthDays?[3] ?? .max)
    }
    let (first, last) = ((1 as UInt64) << 1, (1 as UInt64) << 31)
    var days: UInt64 = 0
    if month == 1 {
      if movedYearDays.toFirst { days |= rest(year, 1) & first }
      if movedYearDays.toPreviousYear, rest(year - 1, 12) & last != 0 { days |= 1 }
    } else if month == 12 {
      if movedYearDays.toLast { days |= rest(year, 12) & last }
      if movedYearDays.toNextYear, rest(year + 1, 1) & first != 0 { days |= last << 1 }
    }
    return days
  }

  /// What BYWEEKNO, BYYEARDAY and BYDAY leave of a month, as bits 1…31.
  private func limits(
    year: Int, month: Int, length: Int, byYearDay: Bool = true
  ) -> UInt64 {
    let first = CivilDate.dayNumber(year: year, month: month, day: 1)
    let firstWeekday = Self.weekday(ofDayNumber: first)
    var days: UInt64 = ((1 << UInt64(length)) - 1) << 1
    if weekdays != 0x7F || !ordinals.isEmpty {
      // The week of the month's first day, six times one after the other.
      let week = UInt64(weekdays)
      let turned = (week >> UInt64(firstWeekday) | week << UInt64(7 - firstWeekday)) & 0x7F
      var allowed = turned &* 0x8_1020_4081 << 1
      for ordinal in ordinals {
        if let day = dayOfMonth(
          of: ordinal, year: year, first: first, length: length, firstWeekday: firstWeekday)
        {
          allowed |= 1 << UInt64(day)
        }
      }
      days &= allowed
    }
    if byYearDay, let yearDays {
      let set = CivilDate.isLeapYear(year) ? yearDays.leap : yearDays.common
      let dayOfYear = first - CivilDate.dayNumber(year: year, month: 1, day: 1) + 1
      let (word, shift) = (dayOfYear >> 6, UInt64(dayOfYear & 63))
      var part = set[word] >> shift
      if shift > 0, word < 7 { part |= set[word + 1] << (64 - shift) }
      days &= part << 1
    }
    if let weekNumbers {
      days &= daysInWeeks(weekNumbers, year: year, first: first, length: length)
    }
    return days
  }

  private func dayOfMonth(
    of ordinal: Ordinal, year: Int, first: Int, length: Int, firstWeekday: Int
  ) -> Int? {
    let day: Int
    if ordinalsCountInYear {
      let (spanFirst, spanLast) = (
        CivilDate.dayNumber(year: year, month: 1, day: 1),
        CivilDate.dayNumber(year: year, month: 12, day: 31)
      )
      let dayNumber = Self.dayNumber(of: ordinal, from: spanFirst, through: spanLast)
      guard dayNumber >= spanFirst, dayNumber <= spanLast else { return nil }
      day = dayNumber - first + 1
    } else {
      day = Self.dayNumber(of: ordinal, from: first, through: first + length - 1) - first + 1
    }
    return day >= 1 && day <= length ? day : nil
  }

  /// May lie outside of the span, where that has not so many of the weekday.
  private static func dayNumber(of ordinal: Ordinal, from first: Int, through last: Int) -> Int {
    if ordinal.number > 0 {
      let ahead = (ordinal.weekday - weekday(ofDayNumber: first) + 7) % 7
      return first + ahead + 7 * (ordinal.number - 1)
    }
    let back = (weekday(ofDayNumber: last) - ordinal.weekday + 7) % 7
    return last - back + 7 * (ordinal.number + 1)
  }

  /// A day has the number that its week has in the year the week belongs to: 30 December 2024 is
  /// in week 1.
  private func daysInWeeks(
    _ weeks: (short: UInt64, long: UInt64), year: Int, first: Int, length: Int
  ) -> UInt64 {
    var days: UInt64 = 0
    var weekYear = year - 1
    var (start, end) = (firstWeek(of: weekYear), firstWeek(of: weekYear + 1))
    // From the start of the week that the month begins in.
    var day = first - (Self.weekday(ofDayNumber: first) - weekStart + 7) % 7
    while day < first + length {
      while day >= end {
        weekYear += 1
        (start, end) = (end, firstWeek(of: weekYear + 1))
      }
      let wanted = end - start > 52 * 7 ? weeks.long : weeks.short
      if wanted & 1 << UInt64((day - start) / 7 + 1) != 0 {
        let offset = day - first
        days |= offset >= 0 ? 0x7F << UInt64(offset) : 0x7F >> UInt64(-offset)
      }
      day += 7
    }
    return days << 1
  }

  /// The first day of week 1: of the first week with at least four days in the year.
  private func firstWeek(of year: Int) -> Int {
    let fourth = CivilDate.dayNumber(year: year, month: 1, day: 4)
    return fourth - (Self.weekday(ofDayNumber: fourth) - weekStart + 7) % 7
  }

  /// 0 to 6 from Monday; 1970-01-01 was a Thursday.
  static func weekday(ofDayNumber day: Int) -> Int {
    let rest = (day + 3) % 7
    return rest < 0 ? rest + 7 : rest
  }
}

/// The month that was looked at last.
struct FilteredMonth: Sendable {
  private(set) var year = 0
  private(set) var month = 0
  /// The day number of the first.
  private(set) var first = 0
  private(set) var length = 0
  private(set) var days: UInt64 = 0
  private var calendarYear: CalendarYear?

  /// The first day of the month after it.
  var end: Int { first + length }

  mutating func load(containing day: Int, _ filter: DayFilter) {
    if day >= first, day < end { return }
    if let other = filter.other {
      load(containing: day, other)
      return
    }
    let components = CivilDate.components(ofDayNumber: day)
    load(year: components.year, month: components.month, filter)
  }

  /// A month of another calendar. What lies outside of its table is one long month without any
  /// allowed day.
  private mutating func load(containing day: Int, _ filter: CalendarDayFilter) {
    days = 0
    if calendarYear?.contains(day) != true {
      calendarYear = filter.calendar.year(containing: day)
    }
    guard let year = calendarYear, let place = year.place(of: day) else {
      first = day
      let end = Int(CivilDate.afterLast.dayNumber)
      let table = filter.calendar.tableDates.map { Int($0.lowerBound.dayNumber) } ?? end
      length = (day < table ? table : max(end, day + 1)) - day
      return
    }
    first = year.months[place].firstDay
    length = year.months[place].length
    days = filter.days(of: year, month: place)
  }

  mutating func load(year: Int, month: Int, _ filter: DayFilter) {
    self.year = year
    self.month = month
    first = CivilDate.dayNumber(year: year, month: month, day: 1)
    length = CivilDate.daysInMonth(month, year: year)
    days = filter.days(year: year, month: month)
  }

  func allows(_ day: Int) -> Bool {
    days & 1 << UInt64(day - first + 1) != 0
  }

  /// The first allowed day from this one on, within the month.
  func firstDay(from day: Int) -> Int? {
    let rest = days & ~0 << UInt64(day - first + 1)
    return rest == 0 ? nil : first + rest.trailingZeroBitCount - 1
  }
}

/// The number of days after which the Gregorian calendar repeats. They are whole weeks.
enum GregorianCycle {
  static let years = 400
  static let months = 400 * 12
  static let days = 146_097
  static let weeks = 146_097 / 7
}
