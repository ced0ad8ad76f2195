import CivilTime

@testable import Recurrence

/// RFC 5545 3.3.10 read literally: go through all days, hours, minutes and seconds of each
/// period and keep those that satisfy every part. It shares nothing with the engine but the
/// parsed rule and has its own calendar.
struct BruteForce {
  struct Day {
    var number: Int
    var year: Int
    var month: Int
    var day: Int
    var monthLength: Int
    var dayOfYear: Int
    var yearLength: Int
    /// 1…7 from Monday.
    var weekday: Int
  }

  /// What came out, complete up to `through` (seconds of civil time, inclusive).
  struct Answer {
    var seconds: [Int]
    var through: Int
  }

  let rule: Rule
  let start: Int
  let isDate: Bool
  let days: [Day]
  let startDay: Day
  /// BYMONTHDAY, or the day of DTSTART where nothing else says which day.
  let monthDays: [Int]
  /// BYMONTH, or the month of DTSTART where nothing else says which day.
  let months: [Int]
  /// The weekday of DTSTART, where it is asked for.
  let weekday: Int?
  let takesOrdinals: Bool

  /// All days of 1990 to 2040, by walking through them.
  static let calendar: [Day] = {
    var days: [Day] = []
    var number = 7305  // 1990-01-01
    var weekday = 1  // a Monday
    for year in 1990...2040 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      var dayOfYear = 1
      for (index, length) in lengths.enumerated() {
        for day in 1...length {
          days.append(
            Day(
              number: number, year: year, month: index + 1, day: day, monthLength: length,
              dayOfYear: dayOfYear, yearLength: isLeap ? 366 : 365, weekday: weekday))
          number += 1
          dayOfYear += 1
          weekday = weekday % 7 + 1
        }
      }
    }
    return days
  }()

  static let monthStarts: [Int] = calendar.indices.filter { calendar[$0].day == 1 }

  static func month(_ year: Int, _ month: Int) -> [Day] {
    let first = monthStarts[(year - 1990) * 12 + month - 1]
    return Array(calendar[first..<first + calendar[first].monthLength])
  }

  init(_ rule: Rule, start: Int, isDate: Bool) {
    self.rule = rule
    self.start = start
    self.isDate = isDate
    days = Self.calendar
    startDay = days[start / 86400 - days[0].number]
    takesOrdinals =
      rule.frequency == .monthly || (rule.frequency == .yearly && rule.byWeekNumber.isEmpty)
    let saysDay = !rule.byDay.isEmpty || !rule.byYearDay.isEmpty || !rule.byMonthDay.isEmpty
    let isOpen = !saysDay && rule.byWeekNumber.isEmpty && rule.frequency >= .monthly
    monthDays = isOpen ? [startDay.day] : rule.byMonthDay
    let takesMonth = isOpen && rule.frequency == .yearly && rule.byMonth.isEmpty
    months = takesMonth ? [startDay.month] : rule.byMonth
    let takesWeekday =
      rule.frequency == .weekly || (rule.frequency >= .monthly && !rule.byWeekNumber.isEmpty)
    weekday = takesWeekday && !saysDay ? startDay.weekday : nil
  }

  func day(_ number: Int) -> Day { days[number - days[0].number] }

  /// The week number of a day and how many weeks that week's year has: a week is of the year that
  /// has at least four of its days.
  func week(of day: Day) -> (number: Int, count: Int) {
    let back = (day.weekday - Int(rule.weekStart.rawValue) + 7) % 7
    let weekStart = day.number - back
    // The year that has at least four days of this week is the one of its fourth day.
    let year = self.day(weekStart + 3).year
    let number = (self.day(weekStart + 3).dayOfYear + 6) / 7
    var last = weekStart
    while self.day(last + 7 + 3).year == year { last += 7 }
    let count = (self.day(last + 3).dayOfYear + 6) / 7
    return (number, count)
  }

  func satisfiesMonth(_ month: Int) -> Bool {
    months.isEmpty || months.contains(month)
  }

  func satisfiesMonthDay(_ day: Day) -> Bool {
    monthDays.isEmpty || monthDays.contains(day.day)
      || monthDays.contains(day.day - day.monthLength - 1)
  }

  func satisfiesYearDay(_ day: Day) -> Bool {
    rule.byYearDay.isEmpty || rule.byYearDay.contains(day.dayOfYear)
      || rule.byYearDay.contains(day.dayOfYear - day.yearLength - 1)
  }

  func satisfiesRest(_ day: Day) -> Bool {
    satisfiesYearDay(day) && satisfiesWeeks(day)
  }

  func satisfiesWeeks(_ day: Day) -> Bool {
    if !rule.byDay.isEmpty {
      guard rule.byDay.contains(where: { satisfies(day, $0) }) else { return false }
    }
    if let weekday, day.weekday != weekday { return false }
    if !rule.byWeekNumber.isEmpty {
      let week = week(of: day)
      guard
        rule.byWeekNumber.contains(week.number)
          || rule.byWeekNumber.contains(week.number - week.count - 1)
      else { return false }
    }
    return true
  }

  func satisfies(_ day: Day, _ wanted: Rule.WeekdayNumber) -> Bool {
    guard Int(wanted.weekday.rawValue) == day.weekday else { return false }
    if wanted.ordinal == 0 || !takesOrdinals { return true }
    let inYear = rule.frequency == .yearly && rule.byMonth.isEmpty
    let place = inYear ? day.dayOfYear : day.day
    let length = inYear ? day.yearLength : day.monthLength
    return wanted.ordinal == (place - 1) / 7 + 1 || wanted.ordinal == -((length - place) / 7 + 1)
  }

  func satisfies(_ day: Day) -> Bool {
    satisfiesMonth(day.month) && satisfiesMonthDay(day) && satisfiesRest(day)
  }

  var times: (hours: [Int], minutes: [Int], seconds: [Int]) {
    if isDate { return ([0], [0], [0]) }
    let time = start % 86400
    func list(_ numbers: [Int], _ single: Int) -> [Int] {
      numbers.isEmpty ? [single] : Set(numbers.map { min($0, 59) }).sorted()
    }
    return (
      list(rule.byHour, time / 3600), list(rule.byMinute, time / 60 % 60),
      list(rule.bySecond, time % 60)
    )
  }

  func chosen(_ set: [Int]) -> [Int] {
    if rule.bySetPosition.isEmpty { return set }
    return set.enumerated().filter { index, _ in
      rule.bySetPosition.contains(index + 1) || rule.bySetPosition.contains(index - set.count)
    }.map(\.element)
  }

  /// Days with SKIP: each wanted day of each month or of the year, moved if it does not exist.
  func movedDays(of period: [Day]) -> [Int] {
    var found: Set<Int> = []
    for first in period where first.day == 1 && satisfiesMonth(first.month) {
      let wanted = monthDays
      if wanted.isEmpty {
        for offset in 0..<first.monthLength where satisfiesRest(day(first.number + offset)) {
          found.insert(first.number + offset)
        }
      }
      for number in wanted {
        var date = first.number + (number > 0 ? number - 1 : first.monthLength + number)
        if abs(number) > first.monthLength {
          switch (rule.skip, number > 0) {
          case (.omit, _): continue
          case (.forward, true): date = first.number + first.monthLength
          case (.forward, false): date = first.number
          case (.backward, true): date = first.number + first.monthLength - 1
          case (.backward, false): date = first.number - 1
          }
        }
        if satisfiesRest(day(date)) { found.insert(date) }
      }
    }
    if rule.frequency == .yearly, let first = period.first, let last = period.last {
      for wanted in rule.byYearDay where abs(wanted) > first.yearLength {
        // The day does not exist; it would have been one of December or, from the end, of January.
        guard satisfiesMonth(wanted > 0 ? 12 : 1) else { continue }
        let moved: Int
        switch (rule.skip, wanted > 0) {
        case (.omit, _): continue
        case (.forward, true): moved = last.number + 1
        case (.forward, false): moved = first.number
        case (.backward, true): moved = last.number
        case (.backward, false): moved = first.number - 1
        }
        if satisfiesMonthDay(day(moved)), satisfiesWeeks(day(moved)) { found.insert(moved) }
      }
    }
    return found.sorted()
  }

  /// The occurrences after DTSTART through the last day, but no more than `most`, with a bounded
  /// number of candidates.
  func expand(throughDay lastDay: Int, most: Int) -> Answer {
    var answer = Answer(seconds: [start], through: (lastDay + 1) * 86400 - 1)
    var budget = 3000
    // True where enough is known.
    func add(_ set: [Int], before next: Int) -> Bool {
      for second in chosen(set) where second > start && !answer.seconds.contains(second) {
        answer.seconds.append(second)
      }
      budget -= 1 + set.count
      if answer.seconds.count < most, budget > 0 { return false }
      answer.through = next - 1
      return true
    }
    let (hours, minutes, seconds) = times

    func allTimes(_ days: [Int]) -> [Int] {
      var set: [Int] = []
      for day in days {
        for hour in hours {
          for minute in minutes {
            for second in seconds {
              set.append(((day * 24 + hour) * 60 + minute) * 60 + second)
            }
          }
        }
      }
      return set
    }

    switch rule.frequency {
    case .yearly:
      var year = startDay.year
      while year <= day(lastDay).year {
        let period = (1...12).flatMap { Self.month(year, $0) }
        let set =
          rule.skip == .omit ? period.filter(satisfies).map(\.number) : movedDays(of: period)
        year += rule.interval
        if add(allTimes(set), before: period[0].number * 86400) { break }
      }
    case .monthly:
      var month = startDay.year * 12 + startDay.month - 1
      let last = day(lastDay).year * 12 + day(lastDay).month - 1
      while month <= last {
        let (year, number) = (month / 12, month % 12 + 1)
        let period = Self.month(year, number)
        let set =
          rule.skip == .omit ? period.filter(satisfies).map(\.number) : movedDays(of: period)
        month += rule.interval
        if add(allTimes(set), before: (period[0].number - 1) * 86400) { break }
      }
    case .weekly:
      var week = startDay.number - (startDay.weekday - Int(rule.weekStart.rawValue) + 7) % 7
      while week <= lastDay {
        let set = (week..<week + 7).filter { satisfies(day($0)) }
        week += 7 * rule.interval
        if add(allTimes(set), before: week) { break }
      }
    case .daily:
      var number = startDay.number
      while number <= lastDay {
        let set = satisfies(day(number)) ? [number] : []
        number += rule.interval
        if add(allTimes(set), before: number * 86400) { break }
      }
    case .hourly, .minutely, .secondly:
      expandClock(throughDay: lastDay, add)
    }
    answer.seconds.sort()
    // With SKIP the next period can still give the last day of this one.
    if rule.skip != .omit, rule.frequency >= .monthly { answer.through -= 2 * 86400 }
    // A period that was left early says nothing about what comes after its begin.
    let through = answer.through
    answer.seconds.removeAll { $0 > through }
    if let count = rule.count { answer.seconds = Array(answer.seconds.prefix(count)) }
    return answer
  }

  private func expandClock(throughDay lastDay: Int, _ add: ([Int], Int) -> Bool) {
    let (_, minutes, seconds) = times
    // Of a whole-day series the parts of the time of day are ignored.
    func allows(_ list: [Int], _ number: Int) -> Bool {
      list.isEmpty || isDate || list.contains(number)
    }
    func isStep(_ second: Int, _ unit: Int) -> Bool {
      second >= start / unit * unit && (second / unit - start / unit) % rule.interval == 0
    }
    let leapless = rule.bySecond.map { min($0, 59) }
    for number in startDay.number...lastDay where satisfies(day(number)) {
      for hour in 0..<24 where allows(rule.byHour, hour) {
        let hourStart = number * 86400 + hour * 3600
        if hourStart + 3600 <= start { continue }
        if rule.frequency == .hourly {
          guard isStep(hourStart, 3600) else {
            if add([], hourStart) { return }
            continue
          }
          let set = minutes.flatMap { minute in
            seconds.map { hourStart + minute * 60 + $0 }
          }
          if add(set, hourStart) { return }
          continue
        }
        for minute in 0..<60 where allows(rule.byMinute, minute) {
          let minuteStart = hourStart + minute * 60
          if minuteStart + 60 <= start { continue }
          if rule.frequency == .minutely {
            let set = isStep(minuteStart, 60) ? seconds.map { minuteStart + $0 } : []
            if add(set, minuteStart) { return }
            continue
          }
          for second in 0..<60 where allows(leapless, second) {
            let set = isStep(minuteStart + second, 1) ? [minuteStart + second] : []
            if add(set, minuteStart + second) { return }
          }
        }
      }
    }
  }
}
