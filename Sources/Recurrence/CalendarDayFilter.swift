internal import CivilTime

/// Which days a rule allows in a calendar other than the Gregorian one (RFC 7529 4.1).
///
/// It has the same parts as `DayFilter`. Years there have 353 to 385 days in 12 or 13 months of 5
/// to 31 days, and a year's months are found by their names, so nothing is laid out in advance.
struct CalendarDayFilter: Sendable {
  let calendar: CalendarSystem
  /// BYMONTH, or the month of DTSTART; `nil` for every month.
  private let months: [MonthName]?
  /// BYMONTHDAY, or the day of DTSTART; `nil` for every day.
  private let monthDays: [Int]?
  private let yearDays: [Int]
  private let yearDaySet: DayCounts
  private let weekNumbers: DayCounts
  private let hasWeekNumbers: Bool
  /// Bits 0…6 from Monday.
  private let weekdays: UInt8
  /// By weekday from Monday.
  private let ordinals: [DayCounts]
  private let ordinalsCountInYear: Bool
  private let weekStart: Int
  private let skip: Rule.Skip

  /// A set of numbers that count from the start (bit `n`) or from the end (bit `n` for `-n`).
  private struct DayCounts: Sendable {
    private var fromStart = SIMD8<UInt64>(repeating: 0)
    private var fromEnd = SIMD8<UInt64>(repeating: 0)

    init(_ numbers: [Int] = []) {
      for number in numbers { insert(number) }
    }

    mutating func insert(_ number: Int) {
      let (word, bit) = (abs(number) >> 6, UInt64(1) << UInt64(abs(number) & 63))
      if number > 0 { fromStart[word] |= bit } else { fromEnd[word] |= bit }
    }

    /// Whether it holds `number` of `count`, both below 512.
    func contains(_ number: Int, of count: Int) -> Bool {
      let back = count + 1 - number
      return fromStart[number >> 6] & 1 << UInt64(number & 63) != 0
        || fromEnd[back >> 6] & 1 << UInt64(back & 63) != 0
    }
  }

  /// `nil` for a rule in the Gregorian calendar. DTSTART gives what the rule does not say.
  init?(_ rule: Rule, start: CivilDate) {
    guard let calendar = rule.calendar else { return nil }
    self.calendar = calendar
    weekStart = Int(rule.weekStart.rawValue) - 1
    skip = rule.frequency >= .monthly ? rule.skip : .omit
    var months: [MonthName]?
    if !rule.byMonth.isEmpty || !rule.byLeapMonth.isEmpty {
      months =
        rule.byMonth.map { MonthName($0) } + rule.byLeapMonth.map { MonthName($0, isLeap: true) }
    }
    var monthDays = rule.byMonthDay.isEmpty ? nil : rule.byMonthDay
    var weekdays: UInt8 = 0x7F
    var ordinals = [DayCounts](repeating: DayCounts(), count: 7)
    let takesOrdinals =
      rule.frequency == .monthly || (rule.frequency == .yearly && rule.byWeekNumber.isEmpty)
    if !rule.byDay.isEmpty {
      weekdays = 0
      for day in rule.byDay {
        let weekday = Int(day.weekday.rawValue) - 1
        if day.ordinal == 0 || !takesOrdinals {
          weekdays |= 1 << UInt8(weekday)
        } else {
          ordinals[weekday].insert(day.ordinal)
        }
      }
    }
    if rule.byDay.isEmpty, rule.byMonthDay.isEmpty, rule.byYearDay.isEmpty {
      let startWeekday = UInt8(1) << (start.weekday.rawValue - 1)
      if rule.frequency == .weekly {
        weekdays = startWeekday
      } else if rule.frequency >= .monthly, !rule.byWeekNumber.isEmpty {
        weekdays = startWeekday
      } else if rule.frequency >= .monthly, let date = CalendarDate(start, in: calendar) {
        monthDays = [date.day]
        if rule.frequency == .yearly, months == nil { months = [date.month] }
      }
    }
    ordinalsCountInYear = rule.frequency == .yearly && months == nil
    self.months = months
    self.monthDays = monthDays
    self.weekdays = weekdays
    self.ordinals = ordinals
    yearDays = rule.byYearDay
    yearDaySet = DayCounts(rule.byYearDay)
    weekNumbers = DayCounts(rule.byWeekNumber)
    hasWeekNumbers = !rule.byWeekNumber.isEmpty
  }

  /// The days of a month that the rule allows, as bits from 1, without what SKIP moves.
  func days(of year: CalendarYear, month place: Int) -> UInt64 {
    let month = year.months[place]
    if let months, !months.contains(month.name) { return 0 }
    var days = ((1 as UInt64) << UInt64(month.length) - 1) << 1
    if let monthDays {
      var wanted: UInt64 = 0
      for day in monthDays {
        let fromStart = day > 0 ? day : month.length + 1 + day
        if fromStart >= 1, fromStart <= month.length { wanted |= 1 << UInt64(fromStart) }
      }
      days &= wanted
    }
    var left = days
    while left != 0 {
      let day = left.trailingZeroBitCount
      left &= left - 1
      if !allows(month.firstDay + day - 1, year, place) { days &= ~(1 << UInt64(day)) }
    }
    return days
  }

  /// The days that a MONTHLY rule gives in a month, in order.
  func days(ofMonth place: Int, of year: CalendarYear) -> [Int] {
    let month = year.months[place]
    if let months, !months.contains(month.name) { return [] }
    guard skip != .omit, let monthDays else {
      return Self.list(days(of: year, month: place), in: month)
    }
    return Set(monthDays.compactMap { self.day($0, of: month, year) }).sorted()
  }

  /// The days that a YEARLY rule gives in a year, in order. With SKIP some can lie in the year
  /// before or after it.
  func days(of year: CalendarYear) -> [Int] {
    guard skip != .omit else {
      return year.months.indices.flatMap { place in
        Self.list(self.days(of: year, month: place), in: year.months[place])
      }
    }
    let chosen = chosenMonths(of: year)
    var days: [Int] = []
    for month in chosen {
      if let monthDays {
        days += monthDays.compactMap { day in self.day(day, of: month, year) }
      } else {
        days += (month.firstDay..<month.endDay).filter { allows($0, near: year) }
      }
    }
    days += movedYearDays(of: year, chosen)
    return Set(days).sorted()
  }

  /// The months of a year that BYMONTH allows; SKIP moves a leap month that the year lacks.
  private func chosenMonths(of year: CalendarYear) -> Set<CalendarMonth> {
    guard let months else { return Set(year.months) }
    var chosen: Set<CalendarMonth> = []
    for name in months {
      if let place = year.place(of: name) {
        chosen.insert(year.months[place])
      } else if name.isLeap, let regular = year.place(of: MonthName(name.number)) {
        if skip == .backward {
          chosen.insert(year.months[regular])
        } else if regular + 1 < year.months.count {
          chosen.insert(year.months[regular + 1])
        } else if let next = calendar.year(year.number + 1)?.months.first {
          chosen.insert(next)
        }
      }
    }
    return chosen
  }

  private static func list(_ word: UInt64, in month: CalendarMonth) -> [Int] {
    var word = word
    var days: [Int] = []
    while word != 0 {
      days.append(month.firstDay + word.trailingZeroBitCount - 1)
      word &= word - 1
    }
    return days
  }

  /// A day of BYMONTHDAY, moved by SKIP if the month lacks it; `nil` if another part forbids it.
  private func day(_ number: Int, of month: CalendarMonth, _ year: CalendarYear) -> Int? {
    let fromStart = number > 0 ? number : month.length + 1 + number
    let day: Int
    if fromStart >= 1, fromStart <= month.length {
      day = month.firstDay + fromStart - 1
    } else {
      switch skip {
      case .omit: return nil
      case .forward: day = number > 0 ? month.endDay : month.firstDay
      case .backward: day = number > 0 ? month.endDay - 1 : month.firstDay - 1
      }
    }
    return allows(day, near: year) ? day : nil
  }

  /// The days of BYYEARDAY that a year lacks, where SKIP moves them. They count as days of the
  /// year's last month, or of its first if they count from the end.
  private func movedYearDays(of year: CalendarYear, _ chosen: Set<CalendarMonth>) -> [Int] {
    var days: [Int] = []
    for number in yearDays where abs(number) > year.length {
      let isLate = number > 0
      guard let month = isLate ? year.months.last : year.months.first, chosen.contains(month)
      else { continue }
      let day =
        skip == .forward
        ? (isLate ? year.endDay : year.firstDay) : (isLate ? year.endDay - 1 : year.firstDay - 1)
      if allows(day, near: year, byYearDay: false), allowsMonthDay(day, near: year) {
        days.append(day)
      }
    }
    return days
  }

  private func allowsMonthDay(_ day: Int, near year: CalendarYear) -> Bool {
    guard let monthDays else { return true }
    guard let (year, place) = find(day, near: year) else { return false }
    let month = year.months[place]
    let number = day - month.firstDay + 1
    return monthDays.contains(number) || monthDays.contains(number - month.length - 1)
  }

  private func find(_ day: Int, near year: CalendarYear) -> (CalendarYear, Int)? {
    guard let found = year.contains(day) ? year : calendar.year(containing: day),
      let place = found.place(of: day)
    else { return nil }
    return (found, place)
  }

  private func allows(_ day: Int, near year: CalendarYear, byYearDay: Bool = true) -> Bool {
    guard let (found, place) = find(day, near: year) else { return false }
    return allows(day, found, place, byYearDay: byYearDay)
  }

  /// Whether BYDAY, BYYEARDAY and BYWEEKNO allow a day of that month.
  private func allows(
    _ day: Int, _ year: CalendarYear, _ place: Int, byYearDay: Bool = true
  ) -> Bool {
    let weekday = DayFilter.weekday(ofDayNumber: day)
    if weekdays & 1 << UInt8(weekday) == 0 {
      let (first, end) =
        ordinalsCountInYear
        ? (year.firstDay, year.endDay)
        : (year.months[place].firstDay, year.months[place].endDay)
      let (before, after) = ((day - first) / 7, (end - 1 - day) / 7)
      guard ordinals[weekday].contains(before + 1, of: before + after + 1) else { return false }
    }
    if byYearDay, !yearDays.isEmpty,
      !yearDaySet.contains(day - year.firstDay + 1, of: year.length)
    {
      return false
    }
    return !hasWeekNumbers || isInWeek(day, year)
  }

  /// A week belongs to the year that holds at least four of its days.
  private func isInWeek(_ day: Int, _ year: CalendarYear) -> Bool {
    var (first, end) = (firstWeek(from: year.firstDay), firstWeek(from: year.endDay))
    if day >= end {
      guard let next = calendar.year(year.number + 1) else { return false }
      (first, end) = (end, firstWeek(from: next.endDay))
    } else if day < first {
      guard let previous = calendar.year(year.number - 1) else { return false }
      (first, end) = (firstWeek(from: previous.firstDay), first)
    }
    return weekNumbers.contains((day - first) / 7 + 1, of: (end - first) / 7)
  }

  /// The first day of week 1 of the year that begins on a day.
  private func firstWeek(from newYear: Int) -> Int {
    let fourth = newYear + 3
    return fourth - (DayFilter.weekday(ofDayNumber: fourth) - weekStart + 7) % 7
  }
}
