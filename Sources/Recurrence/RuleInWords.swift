internal import CivilTime

/// A rule said in English: `every second Tuesday of the month until 3 May 2027`.
///
/// Natural for the rules that calendars make, exact for the odd ones: every part of a rule is in
/// its words. What the rule leaves to DTSTART is said too where DTSTART is given.
public struct RuleInWords: Sendable, CustomStringConvertible {
  private let rule: Rule
  private let start: EventTime?

  /// With DTSTART as `start`, `FREQ=WEEKLY` from a Monday is `every Monday`.
  public init(_ rule: Rule, start: EventTime? = nil) {
    self.rule = rule
    self.start = start
  }

  public var description: String {
    let words = ([main] + limits + [times, positions, skip].compactMap { $0 })
      .joined(separator: " ")
    var ends: [String] = []
    if let until = rule.until { ends.append(" until " + Self.words(until, start: start)) }
    if let count = rule.count {
      ends.append(", " + (count == 1 ? "once" : count == 2 ? "twice" : "\(count) times"))
    }
    // Whichever ends first.
    return words + ends.joined() + (ends.count == 2 ? " at most" : "")
  }
}

extension RuleInWords {
  /// FREQ, INTERVAL and the days.
  private var main: String {
    switch rule.frequency {
    case .secondly: return every("second")
    case .minutely: return every("minute")
    case .hourly: return every("hour")
    case .daily:
      if rule.interval == 1, let days = plainDays { return days }
      return ([every("day")] + dayLimit).joined(separator: " ")
    case .weekly: return weekly
    case .monthly: return monthly
    case .yearly: return yearly
    }
  }

  private func every(_ unit: String) -> String {
    switch rule.interval {
    case 1: "every \(unit)"
    case 2 where unit != "second" && unit != "minute" && unit != "hour": "every other \(unit)"
    default: "every \(rule.interval) \(unit)s"
    }
  }

  private var weekly: String {
    let days = plainDays
    if rule.interval == 1 { return days ?? every("week") }
    let names =
      rule.byDay.isEmpty ? startWeekday.map { [$0] } ?? [] : rule.byDay.map(\.weekday)
    var words = "every \(rule.interval) weeks"
    if isWeekdays {
      words += " on weekdays"
    } else if !names.isEmpty {
      words += " on " + Self.list(names.map(\.name))
    }
    // Which days share a week depends on where it begins only if there are several.
    if rule.weekStart != .monday, names.count > 1 {
      words += " (weeks begin on \(rule.weekStart.name))"
    }
    return words
  }

  /// `every weekday`, `every Monday and Thursday`.
  private var plainDays: String? {
    if rule.byDay.isEmpty {
      guard rule.frequency == .weekly, rule.byMonthDay.isEmpty, rule.byYearDay.isEmpty else {
        return nil
      }
      return startWeekday.map { "every \($0.name)" }
    }
    if Set(rule.byDay.map(\.weekday)).count == 7 { return "every day" }
    if isWeekdays { return "every weekday" }
    if isWeekend { return "every Saturday and Sunday" }
    return "every " + Self.list(rule.byDay.map(\.weekday.name))
  }

  /// BYDAY where it only limits.
  private var dayLimit: [String] {
    if rule.byDay.isEmpty { return [] }
    if isWeekdays { return ["on weekdays"] }
    return ["on " + Self.list(rule.byDay.map(\.weekday.name))]
  }

  private var monthly: String {
    let period =
      switch rule.interval {
      case 1: "the month"
      case 2: "every other month"
      default: "every \(rule.interval) months"
      }
    if !rule.byMonthDay.isEmpty {
      let days = Self.list(rule.byMonthDay.inOrder.map(Self.dayOfMonth))
      if rule.byDay.isEmpty {
        return "on the \(days) of \(period == "the month" ? "every month" : period)"
      }
      return "\(weekdays(each: "every")) that is the \(days) of \(period)"
    }
    if !rule.byDay.isEmpty {
      if let position = onlyPosition {
        return
          "the \(Self.position(position)) \(choice) of \(period == "the month" ? "every month" : period)"
      }
      if rule.interval == 1, rule.byDay.allSatisfy({ $0.ordinal == 0 }) {
        return weekdays(each: "every")
      }
      if rule.interval == 1 { return "\(weekdays(each: "every")) of the month" }
      return "\(weekdays(each: "the")) of \(period)"
    }
    if rule.byYearDay.isEmpty, rule.byWeekNumber.isEmpty, let day = start?.civil.date.day {
      return "on the \(Self.ordinal(day)) of \(period == "the month" ? "every month" : period)"
    }
    return every("month")
  }

  private var yearly: String {
    let period = every("year")
    let saysDay =
      !rule.byDay.isEmpty || !rule.byMonthDay.isEmpty || !rule.byYearDay.isEmpty
      || !rule.byWeekNumber.isEmpty
    if !saysDay {
      guard let date = start?.civil.date else {
        return rule.byMonth.isEmpty
          ? period : "\(period) in " + Self.list(rule.byMonth.map(Self.month))
      }
      let months = rule.byMonth.isEmpty ? [date.month] : rule.byMonth
      return "\(period) on \(date.day) " + Self.list(months.map(Self.month))
    }
    var words: [String] = []
    if !rule.byDay.isEmpty {
      words.append(
        onlyPosition.map { "the \(Self.position($0)) \(choice)" } ?? weekdays(each: "the"))
    }
    if !rule.byMonthDay.isEmpty {
      let days = Self.list(rule.byMonthDay.inOrder.map(Self.dayOfMonth))
      let month = rule.byMonth.isEmpty ? " of the month" : ""
      words.append(rule.byDay.isEmpty ? "the \(days)\(month)" : "that is the \(days)\(month)")
    }
    if !rule.byMonth.isEmpty { words.append("of " + Self.list(rule.byMonth.map(Self.month))) }
    if !rule.byYearDay.isEmpty {
      let days = Self.list(rule.byYearDay.inOrder.map { Self.fromEnd($0, "day") })
      words.append((words.isEmpty ? "the " : "that is the ") + days + " of the year")
    }
    if !rule.byWeekNumber.isEmpty {
      if words.isEmpty { words.append(startWeekday.map { "the \($0.name)" } ?? "its weekday") }
      words.append("in " + weekNumbers)
    } else if rule.byMonth.isEmpty, rule.byMonthDay.isEmpty, rule.byYearDay.isEmpty {
      words.append("of the year")
    }
    return "\(period) on " + words.joined(separator: " ")
  }

  /// `second Tuesday and last Sunday`, with what stands before each.
  private func weekdays(each word: String) -> String {
    let sorted = rule.byDay.sorted {
      (Self.rank($0.ordinal), $0.weekday.rawValue) < (Self.rank($1.ordinal), $1.weekday.rawValue)
    }
    if takesOrdinals, sorted.contains(where: { $0.ordinal != 0 }) {
      let names = sorted.map { day in
        day.ordinal == 0
          ? "every \(day.weekday.name)" : "\(Self.position(day.ordinal)) \(day.weekday.name)"
      }
      let first = sorted[0].ordinal == 0 ? "" : "\(word) "
      return first + Self.list(names)
    }
    return isWeekdays ? "every weekday" : "every " + Self.list(sorted.map(\.weekday.name))
  }

  private static func rank(_ ordinal: Int) -> Int { ordinal >= 0 ? ordinal : 1000 + ordinal }

  private var takesOrdinals: Bool {
    rule.frequency == .monthly || (rule.frequency == .yearly && rule.byWeekNumber.isEmpty)
  }

  /// BYSETPOS that chooses one of some weekdays: `the last weekday of the month`.
  private var onlyPosition: Int? {
    guard rule.bySetPosition.count == 1, rule.frequency >= .monthly, rule.byMonthDay.isEmpty,
      rule.byYearDay.isEmpty, rule.byWeekNumber.isEmpty, !rule.byDay.isEmpty,
      rule.frequency == .monthly || rule.byMonth.count == 1,
      rule.byDay.allSatisfy({ $0.ordinal == 0 }), rule.byHour.count < 2, rule.byMinute.count < 2,
      rule.bySecond.count < 2
    else { return nil }
    return rule.bySetPosition.first
  }

  /// What BYSETPOS chooses from.
  private var choice: String {
    if Set(rule.byDay.map(\.weekday)).count == 7 { return "day" }
    if isWeekdays { return "weekday" }
    if isWeekend { return "weekend day" }
    return Self.list(rule.byDay.map(\.weekday.name), "or")
  }

  private var isWeekdays: Bool {
    Set(rule.byDay.map(\.weekday)) == [.monday, .tuesday, .wednesday, .thursday, .friday]
      && (rule.byDay.count == 5)
  }

  private var isWeekend: Bool { Set(rule.byDay.map(\.weekday)) == [.saturday, .sunday] }

  private var startWeekday: Weekday? { start?.civil.date.weekday }

  private var weekNumbers: String {
    let starts = rule.weekStart == .monday ? "" : " (weeks begin on \(rule.weekStart.name))"
    let numbers = rule.byWeekNumber.inOrder
    if numbers.allSatisfy({ $0 > 0 }) {
      return (numbers.count == 1 ? "week " : "weeks ") + Self.list(numbers.map(String.init))
        + starts
    }
    return "the " + Self.list(numbers.map { Self.fromEnd($0, "week") }) + " of the year" + starts
  }

  /// The parts that limit, beside those that `main` says.
  private var limits: [String] {
    var limits: [String] = []
    if rule.frequency < .daily { limits += dayLimit }
    if rule.frequency < .monthly {
      if !rule.byMonthDay.isEmpty {
        limits.append(
          "on the " + Self.list(rule.byMonthDay.inOrder.map(Self.dayOfMonth)) + " of the month")
      }
    }
    if rule.frequency < .yearly {
      if !rule.byYearDay.isEmpty {
        limits.append(
          "on the " + Self.list(rule.byYearDay.inOrder.map { Self.fromEnd($0, "day") })
            + " of the year")
      }
      if !rule.byWeekNumber.isEmpty { limits.append("in " + weekNumbers) }
      if !rule.byMonth.isEmpty { limits.append("in " + Self.list(rule.byMonth.map(Self.month))) }
    }
    return limits
  }

  /// BYHOUR, BYMINUTE, BYSECOND.
  private var times: String? {
    let (hours, minutes, seconds) = (rule.byHour, rule.byMinute, rule.bySecond)
    if hours.isEmpty, minutes.isEmpty, seconds.isEmpty { return nil }
    if start?.isDate == true { return nil }
    if rule.frequency >= .daily, !hours.isEmpty {
      let minutesOfStart = start.map { [$0.civil.time.minute] } ?? [0]
      let clock = minutes.isEmpty ? minutesOfStart : minutes
      if seconds.isEmpty, hours.count * clock.count <= 12 {
        let times = hours.flatMap { hour in
          clock.map { padded(hour, to: 2) + ":" + padded($0, to: 2) }
        }
        return "at " + Self.list(times)
      }
    }
    var words: [String] = []
    if !hours.isEmpty {
      let names = hours.map { padded($0, to: 2) }
      words.append(
        rule.frequency < .daily
          ? "from \(Self.list(names)) o’clock" : "in hours \(Self.list(names))")
    }
    if !minutes.isEmpty {
      words.append("at " + Self.plural("minute", minutes))
    }
    if !seconds.isEmpty {
      words.append("at " + Self.plural("second", seconds))
    }
    return words.joined(separator: ", ")
  }

  private static func plural(_ unit: String, _ numbers: [Int]) -> String {
    (numbers.count == 1 ? unit : unit + "s") + " " + list(numbers.map(String.init))
  }

  /// BYSETPOS, where it is not said already.
  private var positions: String? {
    guard !rule.bySetPosition.isEmpty, onlyPosition == nil else { return nil }
    let numbers = Self.list(rule.bySetPosition.inOrder.map(Self.position))
    let period =
      switch rule.frequency {
      case .secondly: "second"
      case .minutely: "minute"
      case .hourly: "hour"
      case .daily: "day"
      case .weekly: "week"
      case .monthly: "month"
      case .yearly: "year"
      }
    return "(only the \(numbers) of these in each \(period))"
  }

  private var skip: String? {
    guard rule.frequency >= .monthly else { return nil }
    return switch rule.skip {
    case .omit: nil
    case .backward: "(the day before where there is no such date)"
    case .forward: "(the day after where there is no such date)"
    }
  }

  private static func words(_ until: Rule.Until, start: EventTime?) -> String {
    let civil: CivilDateTime
    switch until {
    case .date(let date): return words(date)
    case .local(let local): civil = local
    case .utc(let moment):
      if start?.isDate == true { return words(moment.date) }
      guard let zone = start?.zone else {
        return words(moment.date) + " \(clock(moment.time)) UTC"
      }
      civil = zone.civil(at: Instant(utc: moment))
    }
    // The time says something only where it is not that of the last occurrence or midnight.
    if start?.isDate == true || civil.time == start?.civil.time || isEndOfDay(civil.time) {
      return words(civil.date)
    }
    return words(civil.date) + " " + clock(civil.time)
  }

  private static func isEndOfDay(_ time: TimeOfDay) -> Bool {
    time.secondOfDay >= 24 * 60 * 60 - 60
  }

  private static func clock(_ time: TimeOfDay) -> String {
    let short = padded(time.hour, to: 2) + ":" + padded(time.minute, to: 2)
    return time.second == 0 ? short : short + ":" + padded(time.second, to: 2)
  }

  private static func words(_ date: CivilDate) -> String {
    let (year, month, day) = date.components
    return "\(day) \(Self.month(month)) \(year)"
  }
}

extension RuleInWords {
  static func list(_ words: [String], _ last: String = "and") -> String {
    guard let final = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(last) " + final
  }

  /// `1st`, `22nd`.
  static func ordinal(_ number: Int) -> String {
    let ending =
      switch (number % 100, number % 10) {
      case (11...13, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return "\(number)\(ending)"
  }

  /// `second`, `last`, `third to last`.
  static func position(_ number: Int) -> String {
    let names = ["first", "second", "third", "fourth", "fifth"]
    let magnitude = abs(number)
    let name =
      magnitude >= 1 && magnitude <= names.count ? names[magnitude - 1] : ordinal(magnitude)
    if number > 0 { return name }
    return number == -1 ? "last" : "\(name) to last"
  }

  private static func dayOfMonth(_ number: Int) -> String { fromEnd(number, "day") }

  /// `15th`, `last day`, `third to last day`.
  private static func fromEnd(_ number: Int, _ unit: String) -> String {
    if number < 0 { return "\(position(number)) \(unit)" }
    return unit == "week" ? "\(ordinal(number)) week" : ordinal(number)
  }

  private static func month(_ number: Int) -> String {
    let names = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    return number >= 1 && number <= 12 ? names[number - 1] : "\(number)"
  }
}

extension [Int] {
  /// Those from the start first, then those from the end.
  fileprivate var inOrder: [Int] { filter { $0 >= 0 } + filter { $0 < 0 } }
}

extension Weekday {
  fileprivate var name: String {
    switch self {
    case .monday: "Monday"
    case .tuesday: "Tuesday"
    case .wednesday: "Wednesday"
    case .thursday: "Thursday"
    case .friday: "Friday"
    case .saturday: "Saturday"
    case .sunday: "Sunday"
    }
  }
}
