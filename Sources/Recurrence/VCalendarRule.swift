public import CivilTime

/// A rule in the grammar of vCalendar 1.0 (section 2.1.16, "Recurrence Rule Grammar"), such as
/// `W1 MO WE #4` or `MP1 2+ TU 20271231T000000`.
///
/// - `D2` is every other day, `W` weeks, `MP` months by weekday, `MD` months by day number, `YM`
///   years by month, `YD` years by day number.
/// - `#4` counts occurrences, `#0` is endless. Without a count and an end date a rule has two
///   occurrences. With both, whichever ends first holds.
/// - Days that a rule does not name are those of DTSTART.
/// - A time of day (`0900`) among the days is read if all days have the same times.
/// - `M` is minutes. Within another rule it repeats each of that one's occurrences: `D1 #5 M5 #3` is
///   five days with three times each. Other rules within rules are not supported.
public enum VCalendarRule {
  /// Whether a text is meant in this grammar: it begins with letters and digits, and has no `=`.
  package static func isRule(_ text: some Collection<UInt8>) -> Bool {
    guard !text.contains(0x3D) else { return false }
    let letters = text.prefix { !(0x30...0x39).contains($0) }
    return (1...2).contains(letters.count) && letters.count < text.count
      && letters.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
  }

  /// One rule, or those that a rule of minutes within another means.
  public static func parse(
    _ text: String, start: CivilDateTime, isDate: Bool = false
  ) throws(RuleError) -> [Rule] {
    let words = text.uppercased().split { $0 == " " || $0 == "\t" }
    // The first word is the rule's own unit.
    guard let inner = words.indices.dropFirst().last(where: { isUnit(words, at: $0) }) else {
      var reader = Reader(words: words)
      return [try reader.rule(start: start.date)]
    }
    var outerReader = Reader(words: Array(words[..<inner]))
    var innerReader = Reader(words: Array(words[inner...]))
    let minutes = try innerReader.rule(start: start.date)
    let outer = try outerReader.rule(start: start.date)
    guard minutes.frequency == .minutely, let count = minutes.count, !isDate,
      outer.frequency >= .daily, outer.byHour.isEmpty
    else { throw RuleError(.nested(String(words[inner])), part: String(words[inner])) }
    return try times(count, every: minutes.interval, from: start.time, each: outer)
  }

  /// The rule without those within it.
  public static func outer(_ text: String, start: CivilDateTime) throws(RuleError) -> Rule {
    let words = text.uppercased().split { $0 == " " || $0 == "\t" }
    let inner = words.indices.dropFirst().first { isUnit(words, at: $0) } ?? words.endIndex
    var reader = Reader(words: Array(words[..<inner]))
    return try reader.rule(start: start.date)
  }

  /// Whether a word begins a rule within a rule. `D2` in a list of days is a day, but not after `#5`.
  private static func isUnit(_ words: [Substring], at index: Int) -> Bool {
    let word = words[index]
    if word.hasPrefix("D"), !words[index - 1].hasPrefix("#") { return false }
    return Unit.allCases.contains { unit in
      word.hasPrefix(unit.rawValue)
        && Int(word.dropFirst(unit.rawValue.count)).map { $0 > 0 } ?? false
    }
  }

  /// The occurrences of `outer`, and so many in all at each of them.
  private static func times(
    _ count: Int, every interval: Int, from start: TimeOfDay, each outer: Rule
  ) throws(RuleError) -> [Rule] {
    let first = start.hour * 60 + start.minute
    let minutesOfDay = 24 * 60
    guard count <= minutesOfDay, first + (count - 1) * interval < minutesOfDay else {
      throw RuleError(.nested("M\(interval)"), part: "M\(interval) #\(count)")
    }
    var hours: [Int: [Int]] = [:]
    for minute in (0..<count).map({ first + $0 * interval }) {
      hours[minute / 60, default: []].append(minute % 60)
    }
    return try hours.sorted { $0.key < $1.key }.map { hour, minutes throws(RuleError) in
      var rule = outer
      // DTSTART counts in each rule, also where it is not one of its times.
      let extra = hour == start.hour ? 0 : 1
      rule = try Rule(
        outer.frequency, interval: outer.interval,
        count: outer.count.map { $0 * minutes.count + extra }, until: outer.until,
        byDay: outer.byDay,
        [
          .byMonth: outer.byMonth, .byMonthDay: outer.byMonthDay, .byYearDay: outer.byYearDay,
          .byHour: [hour], .byMinute: minutes,
        ])
      return rule
    }
  }

  private enum Unit: String, CaseIterable {
    // Longer names first: `MP` and `MD` begin like `M`.
    case monthByPosition = "MP"
    case monthByDay = "MD"
    case yearByMonth = "YM"
    case yearByDay = "YD"
    case day = "D"
    case week = "W"
    case minute = "M"
  }

  private struct Reader {
    let words: [Substring]
    private var count: Int?
    private var isEndless = false
    private var until: Rule.Until?
    private var byDay: [Rule.WeekdayNumber] = []
    private var numbers: [Rule.NumberPart: [Int]] = [:]
    /// The `2+` and `1-` before a weekday.
    private var ordinals: [Int] = []
    private var hours: [Int] = []
    private var minutes: Set<Int> = []
    private var lastWasWeekday = false

    init(words: [Substring]) { self.words = words }

    mutating func rule(start: CivilDate) throws(RuleError) -> Rule {
      guard let first = words.first,
        let unit = Unit.allCases.first(where: { first.hasPrefix($0.rawValue) })
      else { throw RuleError(.unknownUnit, part: words.first.map(String.init) ?? "") }
      let digits = first.dropFirst(unit.rawValue.count)
      guard let interval = Int(digits), interval > 0 else {
        throw RuleError(.noNumber(String(digits)), part: String(first))
      }
      for word in words.dropFirst() { try read(word, unit) }
      if unit == .monthByPosition, !lastWasWeekday {
        if ordinals.isEmpty { ordinals = [(start.day - 1) / 7 + 1] }
        try addOrdinals(to: start.weekday)
      }
      if !hours.isEmpty {
        guard minutes.count == 1 else { throw RuleError(.differentMinutes, part: String(first)) }
        numbers[.byHour] = hours
        numbers[.byMinute] = Array(minutes)
      }
      let frequency: Rule.Frequency =
        switch unit {
        case .minute: .minutely
        case .day: .daily
        case .week: .weekly
        case .monthByPosition, .monthByDay: .monthly
        case .yearByMonth, .yearByDay: .yearly
        }
      return try Rule(
        frequency, interval: interval, count: isEndless ? nil : count ?? (until == nil ? 2 : nil),
        until: until, byDay: byDay, numbers)
    }

    private mutating func read(
      _ word: Substring, _ unit: Unit
    ) throws(RuleError) {
      if word.hasPrefix("#") {
        guard let number = Int(word.dropFirst()), number >= 0 else {
          throw RuleError(.noNumber(String(word.dropFirst())), part: String(word))
        }
        if number == 0 { isEndless = true } else { count = number }
        return
      }
      // A date has eight digits; day numbers and times have at most four.
      if word.prefix(8).allSatisfy(\.isNumber), word.count >= 8 {
        until = try Rule(parsing: "FREQ=DAILY;UNTIL=\(word)").until
        return
      }
      let text = word.last == "$" ? word.dropLast() : word
      if text.count == 4, unit != .yearByDay, let time = Int(text) {
        guard (0..<24).contains(time / 100), (0..<60).contains(time % 100) else {
          throw RuleError(.noTime(String(word)), part: String(word))
        }
        hours.append(time / 100)
        minutes.insert(time % 100)
        return
      }
      switch unit {
      case .day, .minute: throw RuleError(.unknownWord(String(word)), part: String(word))
      case .week, .monthByPosition: try readWeekday(text, unit)
      case .monthByDay:
        numbers[.byMonthDay, default: []].append(text == "LD" ? -1 : try number(text))
      case .yearByMonth: numbers[.byMonth, default: []].append(try number(text))
      case .yearByDay: numbers[.byYearDay, default: []].append(try number(text))
      }
    }

    private mutating func readWeekday(_ word: Substring, _ unit: Unit) throws(RuleError) {
      if let weekday = Weekday.allCases.first(where: { $0.abbreviation == word }) {
        lastWasWeekday = true
        return try addOrdinals(to: weekday)
      }
      guard unit == .monthByPosition else {
        throw RuleError(.noWeekday(String(word)), part: String(word))
      }
      if lastWasWeekday { ordinals = [] }
      lastWasWeekday = false
      ordinals.append(try number(word))
    }

    /// The ordinals stay for the weekdays that follow: `1+ MO TU`.
    private mutating func addOrdinals(to weekday: Weekday) throws(RuleError) {
      for ordinal in ordinals.isEmpty ? [0] : ordinals {
        guard let day = Rule.WeekdayNumber(ordinal: ordinal, weekday) else {
          throw RuleError(.noWeekday("\(ordinal)"), part: "\(ordinal)")
        }
        byDay.append(day)
      }
    }

    /// `2`, `2+`, `1-` (from the end), `D2`.
    private func number(_ word: Substring) throws(RuleError) -> Int {
      var digits = word
      if digits.first == "D" { digits = digits.dropFirst() }
      let isFromEnd = digits.last == "-"
      if isFromEnd || digits.last == "+" { digits = digits.dropLast() }
      guard let number = Int(digits), number > 0 else {
        throw RuleError(.noNumber(String(word)), part: String(word))
      }
      return isFromEnd ? -number : number
    }
  }
}
