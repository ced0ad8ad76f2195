internal import CivilTime
internal import ICalendar
internal import Recurrence

/// Changes parts of an RRULE. The text of all other parts stays the same.
struct RuleLine {
  private(set) var line: PropertyLine
  private var parts: [(name: String, value: String)] {
    didSet {
      line.value = Array(parts.map { "\($0.name)=\($0.value)" }.joined(separator: ";").utf8)
    }
  }

  init(_ content: [UInt8]) {
    line = PropertyLine(content)
    parts = String(decoding: line.value, as: UTF8.self).split(separator: ";").map { part in
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (halves[0].uppercased(), halves.count > 1 ? String(halves[1]) : "")
    }
  }

  /// Sets the end of the rule, instead of its previous UNTIL or COUNT.
  mutating func end(until: Rule.Until) {
    var rest = parts.filter { $0.name != "UNTIL" && $0.name != "COUNT" }
    rest.append(("UNTIL", until.text))
    parts = rest
  }

  mutating func set(_ name: String, _ value: String) {
    guard let index = parts.firstIndex(where: { $0.name == name }) else { return }
    parts[index].value = value
  }

  /// Moves UNTIL.
  mutating func moveEnd(of rule: Rule, _ shift: TimeShift) {
    guard let until = rule.until, let moved = shift.moved(until) else { return }
    let written = shift.changesForm ? moved.matching(shift.to, viewer: shift.viewer) : moved
    set("UNTIL", written.text)
  }

  func removing(_ name: String) -> RuleLine {
    var rest = self
    rest.parts = parts.filter { $0.name != name }
    return rest
  }

  /// Moves the days that the rule names by a number of days. Returns `false` if they cannot move,
  /// such as the 31st of each month. The series starts at `start` then.
  mutating func move(_ rule: Rule, from: CivilDate, to: CivilDate, start: CivilDate) -> Bool {
    let days = from.days(until: to)
    if days == 0 { return true }
    // Without days, a rule in another calendar gets them from the start. The caller compares the dates.
    if rule.calendar != nil, rule.namesNoDays { return true }
    let hasOthers = !rule.byYearDay.isEmpty || !rule.byWeekNumber.isEmpty
    guard !hasOthers, rule.bySetPosition.isEmpty, rule.calendar == nil else { return false }
    if rule.frequency == .weekly || rule.frequency == .daily, !rule.byDay.isEmpty {
      guard rule.byMonth.isEmpty, rule.byMonthDay.isEmpty else { return false }
      if rule.frequency == .weekly, rule.interval > 1 {
        // Days that come into different weeks would be several weeks apart.
        let weeks = rule.byDay.map { day -> Int in
          let place = Int(day.weekday.rawValue) - Int(rule.weekStart.rawValue)
          return ((place + 7) % 7 + days + 7 * 1_000_000) / 7
        }
        guard Set(weeks).count == 1 else { return false }
      }
      let moved = rule.byDay.map { day in Self.weekday(day.weekday, movedBy: days) }
      set("BYDAY", moved.map(Self.abbreviation).joined(separator: ","))
      return true
    }
    // The series starts on a day that the moved rule gives: months have different lengths.
    if rule.frequency >= .monthly || !rule.byMonthDay.isEmpty {
      guard rule.byDay.isEmpty || start.weekday == to.weekday else { return false }
      guard !rule.byDay.isEmpty || start.components.day == to.components.day else { return false }
      let hasOneMonth =
        rule.byMonth.count == 1 || rule.frequency == .yearly && rule.byMonth.isEmpty
      guard !hasOneMonth || start.components.month == to.components.month else { return false }
    }
    let isSameMonth = from.components.month == to.components.month
    if !rule.byMonth.isEmpty {
      guard rule.byMonth == [from.components.month] else { return isSameMonth && moveDay() }
      set("BYMONTH", "\(to.components.month)")
    }
    return moveDay()

    func moveDay() -> Bool {
      if !rule.byMonthDay.isEmpty {
        guard rule.byMonthDay == [from.components.day], rule.byDay.isEmpty else { return false }
        set("BYMONTHDAY", "\(to.components.day)")
      } else if !rule.byDay.isEmpty {
        guard rule.byDay.count == 1, let day = rule.byDay.first,
          rule.frequency == .monthly || !rule.byMonth.isEmpty
        else { return false }
        let week = (to.components.day - 1) / 7 + 1
        let ordinal = day.ordinal < 0 ? -1 : week
        if day.ordinal < 0, let next = to.adding(days: 7),
          next.components.month == to.components.month
        {
          return false
        }
        guard day.ordinal != 0, day.weekday == from.weekday else { return false }
        if day.ordinal > 0, (start.components.day - 1) / 7 + 1 != week { return false }
        if day.ordinal < 0, let next = start.adding(days: 7),
          next.components.month == start.components.month
        {
          return false
        }
        set("BYDAY", "\(ordinal)\(Self.abbreviation(to.weekday))")
      }
      return true
    }
  }

  private static func weekday(_ weekday: Weekday, movedBy days: Int) -> Weekday {
    let all = Weekday.allCases
    let index = all.firstIndex(of: weekday) ?? 0
    return all[((index + days) % 7 + 7) % 7]
  }

  private static func abbreviation(_ weekday: Weekday) -> String {
    let names: [Weekday: String] = [
      .monday: "MO", .tuesday: "TU", .wednesday: "WE", .thursday: "TH", .friday: "FR",
      .saturday: "SA", .sunday: "SU",
    ]
    return names[weekday] ?? "MO"
  }
}

extension Rule {
  /// Whether only its start says on which days of a month or week it is.
  fileprivate var namesNoDays: Bool {
    byMonth.isEmpty && byMonthDay.isEmpty && byDay.isEmpty && byYearDay.isEmpty
      && byWeekNumber.isEmpty && bySetPosition.isEmpty
  }
}
