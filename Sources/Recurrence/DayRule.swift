internal import CivilTime

/// Which days a rule allows: all of its parts about days, with what DTSTART fills in. A month of days
/// is one machine word with bit `d` for day `d`, in every calendar.
///
/// With SKIP a month can give two more days: bit 0 is the last day of the month before it (from
/// `BYMONTHDAY=-31` and BACKWARD), and the bit after its last day is the first of the next month (from
/// `BYMONTHDAY=31` and FORWARD).
struct DayRule: Sendable {
  /// BYMONTH by number, and its leap months.
  private let months: UInt32
  private let leapMonths: UInt32
  private let monthDays: [Int]
  private let yearDays: [Int]
  /// BYWEEKNO from the start of the year, and from its end.
  private let weeks: UInt64
  private let weeksFromEnd: UInt64
  /// Bits 0…6 from Monday.
  let weekdays: UInt64
  private let ordinals: [Rule.WeekdayNumber]
  private let ordinalsCountInYear: Bool
  private let weekStart: Int
  let skip: Rule.Skip
  /// Whether SKIP can move a leap month that a year lacks.
  private let movesLeapMonths: Bool
  /// Whether the weekday alone decides, which is the case for most weekly rules.
  let isOnlyWeekdays: Bool
  var isTrivial: Bool { isOnlyWeekdays && weekdays == Self.allWeekdays }

  private static let allWeekdays: UInt64 = 0x7F
  private static let allMonths: UInt32 = .max

  /// `start` is DTSTART, and `month` the month of the rule's calendar that holds it. They give what the
  /// rule leaves open (RFC 5545 3.3.10: "Information, not contained in the rule …").
  init(_ rule: Rule, start: CivilDate, in month: RuleMonth?) {
    weekStart = Int(rule.weekStart.rawValue) - 1
    // SKIP only concerns months and years (RFC 7529 4.1).
    skip = rule.frequency >= .monthly ? rule.skip : .omit
    var months = rule.byMonth.reduce(0 as UInt32) { $0 | 1 << UInt32($1) }
    var leapMonths = rule.byLeapMonth.reduce(0 as UInt32) { $0 | 1 << UInt32($1) }
    let namesMonths = months | leapMonths != 0
    if !namesMonths { (months, leapMonths) = (Self.allMonths, Self.allMonths) }

    let takesOrdinals =
      rule.frequency == .monthly || rule.frequency == .yearly && rule.byWeekNumber.isEmpty
    ordinalsCountInYear = rule.frequency == .yearly && !namesMonths
    var weekdays: UInt64 = rule.byDay.isEmpty ? Self.allWeekdays : 0
    var ordinals: [Rule.WeekdayNumber] = []
    for day in rule.byDay {
      if day.ordinal == 0 || !takesOrdinals {
        weekdays |= 1 << UInt64(day.weekday.rawValue - 1)
      } else {
        ordinals.append(day)
      }
    }
    var monthDays = rule.byMonthDay
    if rule.byDay.isEmpty, monthDays.isEmpty, rule.byYearDay.isEmpty, rule.frequency >= .weekly {
      if rule.frequency == .weekly || !rule.byWeekNumber.isEmpty {
        weekdays = 1 << UInt64(start.weekday.rawValue - 1)
      } else if let month {
        monthDays = [Int(start.dayNumber) - month.first + 1]
        if rule.frequency == .yearly, !namesMonths {
          let bit: UInt32 = 1 << UInt32(month.name.number)
          (months, leapMonths) = month.name.isLeap ? (0, bit) : (bit, 0)
        }
      }
    }
    movesLeapMonths =
      rule.frequency == .yearly && skip != .omit && leapMonths != 0 && leapMonths != Self.allMonths
    isOnlyWeekdays =
      months == Self.allMonths && ordinals.isEmpty && monthDays.isEmpty && rule.byYearDay.isEmpty
      && rule.byWeekNumber.isEmpty
    (self.months, self.leapMonths, self.monthDays) = (months, leapMonths, monthDays)
    (self.weekdays, self.ordinals, yearDays) = (weekdays, ordinals, rule.byYearDay)
    weeks = rule.byWeekNumber.reduce(0) { $1 > 0 ? $0 | 1 << UInt64($1) : $0 }
    weeksFromEnd = rule.byWeekNumber.reduce(0) { $1 < 0 ? $0 | 1 << UInt64(-$1) : $0 }
  }

  // MARK: Months

  /// Whether BYMONTH names the month.
  func names(_ month: MonthName) -> Bool {
    (month.isLeap ? leapMonths : months) & 1 << UInt32(month.number) != 0
  }

  /// The month whose place a month takes under SKIP: a leap month that the year lacks is moved to the
  /// regular month of that number (BACKWARD) or to the month after that one (FORWARD). The result is the
  /// regular month; `nil` if none is moved.
  func month(movedTo month: RuleMonth, in calendar: inout RuleCalendar) -> RuleMonth? {
    guard movesLeapMonths,
      let regular = skip == .backward ? month : calendar.month(month.number - 1),
      !regular.name.isLeap, leapMonths & 1 << UInt32(regular.name.number) != 0,
      !calendar.has(MonthName(regular.name.number, isLeap: true), inYearOf: regular)
    else { return nil }
    return regular
  }

  // MARK: Days

  /// The days that a month gives once BYMONTH has chosen it, with those that SKIP moves out of it.
  func days(of month: RuleMonth, in calendar: inout RuleCalendar) -> UInt64 {
    var wanted = month.allDays
    var (isMovedBack, isMovedOn) = (false, false)
    if !monthDays.isEmpty {
      wanted = 0
      for number in monthDays {
        let day = number > 0 ? number : month.length + 1 + number
        if 1...month.length ~= day {
          wanted |= 1 << UInt64(day)
          continue
        }
        switch (skip, number > 0) {
        case (.omit, _): break
        case (.forward, true): isMovedOn = true
        case (.forward, false): wanted |= 1 << 1
        case (.backward, true): wanted |= 1 << UInt64(month.length)
        case (.backward, false): isMovedBack = true
        }
      }
    }
    var days = wanted == 0 ? 0 : wanted & limits(of: month, in: calendar)
    guard skip != .omit else { return days }
    // The other parts have to allow a day where SKIP moves it.
    if isMovedOn, let next = calendar.month(month.number + 1),
      limits(of: next, in: calendar) & 1 << 1 != 0
    {
      days |= month.bit(month.end)
    }
    if isMovedBack, let previous = calendar.month(month.number - 1),
      limits(of: previous, in: calendar) & 1 << UInt64(previous.length) != 0
    {
      days |= 1
    }
    if !yearDays.isEmpty { days |= movedYearDays(of: month, in: &calendar) }
    return days
  }

  /// The days of BYYEARDAY that a year lacks, where SKIP moves them. They count as days of the year's
  /// last month, or of its first one if they count from the end.
  private func movedYearDays(of month: RuleMonth, in calendar: inout RuleCalendar) -> UInt64 {
    let year = month.daysOfYear
    var days: UInt64 = 0
    func add(_ day: Int) {
      guard day >= month.first - 1, day <= month.end,
        let target =
          day >= month.first && day < month.end ? month : calendar.month(containing: day),
        target.bit(day) & limits(of: target, in: calendar, byYearDay: false) & numbered(target)
          != 0
      else { return }
      days |= 1 << UInt64(day - month.first + 1)
    }
    let isForward = skip == .forward
    if yearDays.last ?? 0 > year.count { add(isForward ? year.upperBound : year.upperBound - 1) }
    if -(yearDays.first ?? 0) > year.count {
      add(isForward ? year.lowerBound : year.lowerBound - 1)
    }
    return days
  }

  /// The days that BYMONTHDAY names, without those that SKIP moves.
  private func numbered(_ month: RuleMonth) -> UInt64 {
    if monthDays.isEmpty { return month.allDays }
    return monthDays.reduce(0) { days, number in
      let day = number > 0 ? number : month.length + 1 + number
      return 1...month.length ~= day ? days | 1 << UInt64(day) : days
    }
  }

  /// What BYDAY, BYYEARDAY and BYWEEKNO leave of a month.
  private func limits(
    of month: RuleMonth, in calendar: RuleCalendar, byYearDay: Bool = true
  ) -> UInt64 {
    var days = month.allDays
    if weekdays != Self.allWeekdays || !ordinals.isEmpty {
      // The week of the month's first day, six times one after the other.
      let first = UInt64(weekdayIndex(ofDay: month.first))
      let turned = (weekdays >> first | weekdays << (7 - first)) & Self.allWeekdays
      var allowed = turned &* 0x8_1020_4081 << 1
      let span = ordinalsCountInYear ? month.daysOfYear : month.first..<month.end
      for ordinal in ordinals {
        let day = ordinal.weekday.day(ordinal.ordinal, in: span)
        if span.contains(day), day >= month.first, day < month.end { allowed |= month.bit(day) }
      }
      days &= allowed
    }
    if byYearDay, !yearDays.isEmpty { days &= yearDays(of: month) }
    if weeks | weeksFromEnd != 0 { days &= daysInWeeks(of: month, in: calendar) }
    return days
  }

  private func yearDays(of month: RuleMonth) -> UInt64 {
    var days: UInt64 = 0
    for origin in [month.daysOfYear.lowerBound - 1, month.daysOfYear.upperBound] {
      // They are sorted, and a hostile rule has hundreds.
      var place = yearDays.partitioningIndex { origin + $0 >= month.first }
      while place < yearDays.count, origin + yearDays[place] < month.end {
        days |= month.bit(origin + yearDays[place])
        place += 1
      }
    }
    return days
  }

  /// A day has the number that its week has in the year that the week belongs to: 30 December 2024 is
  /// in week 1.
  private func daysInWeeks(of month: RuleMonth, in calendar: RuleCalendar) -> UInt64 {
    var days: UInt64 = 0
    // From the start of the week in which the month begins.
    var day = month.first - (weekdayIndex(ofDay: month.first) - weekStart + 7) % 7
    while day < month.end {
      if isInWeek(day, month, calendar) {
        let offset = day - month.first
        days |= offset >= 0 ? 0x7F << UInt64(offset) : 0x7F >> UInt64(-offset)
      }
      day += 7
    }
    return days << 1
  }

  private func isInWeek(_ day: Int, _ month: RuleMonth, _ calendar: RuleCalendar) -> Bool {
    var (first, end) = (
      firstWeek(from: month.daysOfYear.lowerBound), firstWeek(from: month.daysOfYear.upperBound)
    )
    if day >= end {
      guard let next = calendar.days(ofYear: month.year + 1) else { return false }
      (first, end) = (end, firstWeek(from: next.upperBound))
    } else if day < first {
      guard let previous = calendar.days(ofYear: month.year - 1) else { return false }
      (first, end) = (firstWeek(from: previous.lowerBound), first)
    }
    let (number, count) = ((day - first) / 7 + 1, (end - first) / 7)
    return weeks & 1 << UInt64(number) != 0
      || weeksFromEnd & 1 << UInt64(count + 1 - number) != 0
  }

  /// The first day of week 1 of a year: of the first week with at least four days in the year.
  private func firstWeek(from newYear: Int) -> Int {
    newYear + 3 - (weekdayIndex(ofDay: newYear + 3) - weekStart + 7) % 7
  }

  // MARK: What is possible

  /// Whether no day of any year satisfies the rule, as with `BYMONTH=2;BYMONTHDAY=30`. Other calendars
  /// are not judged.
  ///
  /// Which days of a year are allowed depends only on its first weekday and on which of the years
  /// around it are leap years, so one year of each kind is enough.
  func allowsNoDay(in calendar: inout RuleCalendar) -> Bool {
    if isOnlyWeekdays || calendar.system != nil { return false }
    for year in Self.yearsOfEachKind {
      for number in year * 12..<year * 12 + 12 where names(MonthName(number - year * 12 + 1)) {
        if let month = calendar.month(number), days(of: month, in: &calendar) != 0 { return false }
      }
    }
    return true
  }

  /// From 2000 on, where most rules find a day at once.
  private static let yearsOfEachKind: [Int] = {
    var kinds: Set<[Int]> = []
    return (2000..<2000 + GregorianCycle.years).filter { year in
      let first = weekdayIndex(ofDay: CivilDate.dayNumber(year: year, month: 1, day: 1))
      let leapYears = (year - 2...year + 2).map { CivilDate.isLeapYear($0) ? 1 : 0 }
      return kinds.insert([first] + leapYears).inserted
    }
  }()

  /// What the days of the Gregorian calendar that it allows can be, without SKIP: more than are, because
  /// BYYEARDAY and BYWEEKNO are left out.
  var touched: (weekdays: UInt64, monthDays: UInt64, months: UInt64) {
    var possible: UInt64 = 0
    for length in 28...31 {
      possible |= numbered(.ofDays(length))
    }
    if weekdays == 0, !ordinals.isEmpty, !ordinalsCountInYear {
      var days: UInt64 = 0
      for ordinal in ordinals {
        for length in 28...31 {
          for first in 0..<7 {
            let day = ordinal.weekday.day(ordinal.ordinal, in: first..<first + length) - first + 1
            if 1...length ~= day { days |= 1 << UInt64(day) }
          }
        }
      }
      possible &= days
    }
    let named = ordinals.reduce(0 as UInt64) { $0 | 1 << UInt64($1.weekday.rawValue - 1) }
    return (weekdays | named, possible, UInt64(months) & 0x1FFE)
  }
}
