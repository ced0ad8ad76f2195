package import CivilTime

/// Rules of a series that moves as a whole.
extension Rule {
  /// The rule with its days moved as the series moves from `oldStart` to `newStart`; `nil` if they
  /// cannot move, such as the 31st of each month. `date` is the date of an occurrence: DTSTART can
  /// be on another day than those that the rule names.
  ///
  /// All dates move by the same difference. This is a number of days, or a number of months, as
  /// from 5 January to 5 March. The date of a yearly rule can also move to another day of the year.
  /// The parts for times, COUNT and UNTIL stay as they are.
  package func moved(
    from oldStart: CivilDate, to newStart: CivilDate, seenOn date: CivilDate
  ) -> Rule? {
    let days = oldStart.days(until: newStart)
    // From one second, minute, hour, day or week to the next is everywhere the same difference.
    if days == 0 || frequency <= .weekly && namesNoDays { return self }
    // The dates that are compared below would be those of a few days.
    guard frequency >= .daily, let newDate = date.adding(days: days),
      let rule = movingDays(from: date, to: newDate)
    else { return nil }
    let dates = dates(from: oldStart)
    let newDates = rule.dates(from: newStart, untilMovedBy: days)
    func areMoved(_ newDate: (CivilDate) -> CivilDate?) -> Bool {
      dates.count == newDates.count && zip(dates, newDates).allSatisfy { newDate($0) == $1 }
    }
    let years = newDate.year - date.year
    let months = years * 12 + newDate.month - date.month
    let isMoved =
      areMoved { $0.adding(days: days) }
      || date.day == newDate.day && areMoved { $0.adding(months: months) }
      || areMoved { CivilDate(year: $0.year + years, month: newDate.month, day: newDate.day) }
    return isMoved ? rule : nil
  }

  /// The rule with the days that belong to the new date. Whether these are the moved days depends on
  /// the lengths of months.
  private func movingDays(from date: CivilDate, to newDate: CivilDate) -> Rule? {
    if namesNoDays { return self }
    guard calendar == nil, byYearDay.isEmpty, byWeekNumber.isEmpty, bySetPosition.isEmpty else {
      return nil
    }
    var numbers: [NumberPart: [Int]] = [:]
    if byMonth == [date.month] { numbers[.byMonth] = [newDate.month] }
    if byMonthDay == [date.day] { numbers[.byMonthDay] = [newDate.day] }
    let days = date.days(until: newDate)
    let weekdays = byDay.compactMap { day in
      let weekday = day.weekday.moved(by: days)
      // An ordinal has a meaning only in a month or year.
      if day.ordinal == 0 || frequency < .monthly { return WeekdayNumber(weekday) }
      return WeekdayNumber(ordinal: newDate.ordinal(fromEnd: day.ordinal < 0), weekday)
    }
    return replacing(numbers, byDay: weekdays)
  }

  /// A rule that agrees with another on so many dates gives the same dates.
  private static let mostCompared = 1000

  /// The first dates of a series of whole days, with the date of UNTIL moved.
  private func dates(from start: CivilDate, untilMovedBy days: Int = 0) -> [CivilDate] {
    let last: CivilDate? =
      switch until {
      case .date(let date): date.adding(days: days)
      case .local(let civil), .utc(let civil): civil.date.adding(days: days)
      case nil: nil
      }
    let dates = RuleExpansion(withoutUntil, start: .date(start)).prefix(Self.mostCompared)
    return dates.map(\.date).filter { $0 <= last ?? .last }
  }

  /// The same rule with other days.
  private func replacing(_ numbers: [NumberPart: [Int]], byDay: [WeekdayNumber]) -> Rule? {
    let own = NumberPart.allCases.map { ($0, self[$0]) }
    return try? Rule(
      frequency, interval: interval, count: count, until: until, byDay: byDay,
      numbers.merging(own) { new, _ in new }, weekStart: weekStart, skip: skip,
      calendar: calendar, byLeapMonth: byLeapMonth)
  }

  /// Whether only DTSTART says on which days of a week, month or year it is.
  private var namesNoDays: Bool {
    byMonth.isEmpty && byMonthDay.isEmpty && byDay.isEmpty && byYearDay.isEmpty
      && byWeekNumber.isEmpty && bySetPosition.isEmpty
  }
}

extension CivilDate {
  /// Its number among the same weekdays of its month, from 1; from the end of the month, from −1.
  fileprivate func ordinal(fromEnd: Bool) -> Int {
    let last = CivilDate.daysInMonth(month, year: year)
    return fromEnd ? -((last - day) / 7 + 1) : (day - 1) / 7 + 1
  }
}

extension Weekday {
  fileprivate func moved(by days: Int) -> Weekday {
    Weekday(ofDayNumber: Int(rawValue) - 1 - 3 + days)
  }
}
