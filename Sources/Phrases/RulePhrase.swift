package import CivilTime
package import Recurrence

/// A rule in the words that people type: `daily`, `weekdays`, `every 2 weeks on monday`,
/// `every 2nd tuesday of the month until 3 may`, `weekly 10 times`, or the text of an RRULE.
///
/// It reads what `agenda explain` prints in English for rules in the Gregorian calendar. Letter case,
/// commas and `and` do not matter. `until 2030`, `until may 2030` and `until may` include all of that year
/// or month. `for 10 weeks` counts from the date on which the series begins.
/// `except 24 dec` names dates that the rule gives, but on which nothing happens; `except friday` takes
/// a weekday out of the rule.
package struct RulePhrase: Hashable, Sendable {
  /// The rule without the exceptions.
  package let rule: Rule
  /// The dates after `except`, in the order of the words.
  package let exceptions: [CivilDate]

  package struct Failure: Error, Hashable, CustomStringConvertible {
    /// The first word that was not understood; empty if the text ended too early.
    package let word: String
    /// The whole text if it has an end or exceptions, but not how often; otherwise empty.
    package var textWithoutPeriod = ""
    /// What to write instead of words that have two meanings.
    var choices: [String] = []

    package var description: String {
      if !choices.isEmpty {
        return "\"\(word)\" can mean two things: write "
          + choices.map { "\"\($0)\"" }.joined(separator: " or ")
      }
      if !textWithoutPeriod.isEmpty {
        return "\"\(textWithoutPeriod)\" does not say how often; "
          + "write for example \"weekly \(textWithoutPeriod)\""
      }
      return word.isEmpty
        ? "expected a repetition like \"daily\", \"every 2 weeks\" or \"tue/thu\""
        : "\"\(word)\" is not understood in a repetition like \"every 2 weeks until 3 may\""
    }
  }

  /// A date such as `until 3 may` is the first one on or after `start`, the date on which the series
  /// begins; without it, the first one from `today` on.
  package init(_ text: String, today: CivilDate, start: CivilDate? = nil) throws {
    if text.contains("=") {
      let read = try RuleText(text)
      // A file keeps a part that is not understood; what a person has just typed can be corrected.
      for note in read.notes {
        switch note {
        case .unknownPart, .repeatedPart, .emptyPart, .unreadablePart, .unreadableValue,
          .countBelowOne:
          throw note
        case .countAndUntil, .skipWithoutCalendar, .misplacedPart, .misplacedOrdinals,
          .repeatedName, .otherForm:
          break
        }
      }
      (rule, exceptions) = (read.rule, [])
      return
    }
    let words = text.split(separator: " ").map(String.init)
    for place in words.indices {
      if let failure = Self.ambiguity(words[place...]) { throw failure }
    }
    var reader = Reader(text, today: today, start: start)
    rule = try reader.rule()
    exceptions = reader.exceptions
  }

  /// How words that a title can follow begin a repetition.
  enum Opening {
    /// `every tuesday`, `each day`
    case every
    /// `weekly`: titles begin with such words, too.
    case adverb
    /// `tuesdays`, `weekends`: titles begin with such words, too.
    case weekdays
    /// `first monday of the month`
    case position
  }

  /// `nil` if no repetition begins with these words.
  static func opening(_ words: ArraySlice<String>) -> Opening? {
    let words = words.prefix(7).map(DatePhrase.plain)
    guard let first = words.first else { return nil }
    if first == "every" || first == "each" { return .every }
    if isAdverb(first) { return .adverb }
    if isPluralOfDays(first) { return .weekdays }
    return Reader.isPositionInMonth(words.drop { $0 == "on" || $0 == "the" }) ? .position : nil
  }

  /// `second monday` after `every`, which can be every two weeks or once a month.
  static func ambiguity(_ words: ArraySlice<String>) -> Failure? {
    let words = words.prefix(4).map(DatePhrase.plain)
    guard words.count > 2, words[0] == "every" || words[0] == "each",
      let number = DatePhrase.ordinal(words[1]), number > 1,
      let weekday = Weekday(englishWord: words[2]),
      words.count == 3 || !["of", "in"].contains(words[3])
    else { return nil }
    let name = weekday.englishName
    var failure = Failure(word: words[..<3].joined(separator: " "))
    let weeks = number == 2 ? "every other \(name)" : "every \(number) weeks on \(name)"
    failure.choices = [weeks, "every \(Reader.digits(number)) \(name) of the month"]
    return failure
  }

  /// `weekly`, `daily`
  package static func isAdverb(_ word: String) -> Bool { Reader.isAdverb(DatePhrase.plain(word)) }

  /// `tuesdays`, `weekdays`, `weekends`
  package static func isPluralOfDays(_ word: String) -> Bool {
    let word = DatePhrase.plain(word)
    return word == "weekdays" || word == "weekends"
      || Weekday.allCases.contains { word == $0.englishName + "s" }
  }

  /// How many words at the beginning are a repetition that a title can follow: `every tuesday and
  /// thursday`, `every 2nd monday of the month`, `every day 10 times`. Zero without an opening.
  ///
  /// How long it goes on, as in `until june`, is not part of it, because a time or a length can come
  /// between.
  static func leadingCount(_ words: ArraySlice<String>, today: CivilDate) -> Int {
    guard opening(words) != nil else { return 0 }
    var reader = Reader(leading: words, today: today)
    return reader.leadingCount()
  }

  /// How many words at the beginning are the end of a repetition: `until june`, `for 10 weeks`,
  /// `10 times`. With `readsTime`, a time after the date belongs to the end.
  static func leadingEndCount(
    _ words: ArraySlice<String>, today: CivilDate, start: CivilDate, readsTime: Bool
  ) -> Int {
    var reader = Reader(leading: words, today: today, start: start)
    return reader.leadingEndCount(readsTime: readsTime)
  }

  /// How many words at the beginning are exceptions: `except 24 dec and 31 dec`.
  static func leadingExceptionCount(
    _ words: ArraySlice<String>, today: CivilDate, start: CivilDate
  ) -> Int {
    var reader = Reader(leading: words, today: today, start: start)
    return reader.leadingExceptionCount()
  }
}

private struct Reader {
  private var words: [String]
  /// Of words that a title follows: the number of each, and whether a comma or `and` is before it.
  private var origins: [(index: Int, isJoined: Bool, isCapitalized: Bool)] = []
  private let today: CivilDate
  private let start: CivilDate?
  private var place = 0
  private var frequency: Rule.Frequency?
  private var interval = 1
  private var count: Int?
  private var until: Rule.Until?
  private(set) var exceptions: [CivilDate] = []
  /// `except friday`
  private var missingDays: [Weekday] = []
  private var byDay: [Rule.WeekdayNumber] = []
  private var numbers: [Rule.NumberPart: [Int]] = [:]
  private var weekStart = Weekday.monday
  private var skip = Rule.Skip.omit
  private var readsTimeOfEnd = true
  /// `1st and last`, whose unit a later `of` gives.
  private var ordinals: [Int] = []

  init(_ text: String, today: CivilDate, start: CivilDate?) {
    var text = text.lowercased()
    for mark in [",", "(", ")"] {
      text = text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: " ")
    }
    words = text.split(separator: " ").map(String.init).filter { !Self.isAnd($0) }
      .flatMap(Self.weekdayNames)
    self.today = today
    self.start = start
  }

  /// At most so many words are read, so that a long title costs nothing.
  private static let mostLeadingWords = 40

  init(leading all: ArraySlice<String>, today: CivilDate, start: CivilDate? = nil) {
    (self.today, self.start) = (today, start)
    words = []
    var isJoined = false
    for (index, word) in all.prefix(Self.mostLeadingWords).enumerated() {
      let plain = DatePhrase.plain(word)
      if !Self.isAnd(plain) {
        for part in Self.weekdayNames(plain) {
          words.append(part)
          origins.append((index, isJoined, word.first?.isUppercase == true))
          isJoined = true
        }
      }
      isJoined = Self.isAnd(plain) || word.hasSuffix(",")
    }
  }

  private static func isAnd(_ word: String) -> Bool { word == "and" || word == "&" }

  /// The weekdays of `tue/thu` and `mon-fri`, otherwise the word itself.
  private static func weekdayNames(_ word: String) -> [String] {
    for separator in ["/", "-", "–"] where word.contains(separator) {
      let parts = word.split(separator: separator, omittingEmptySubsequences: false)
      let days = parts.compactMap { weekday(String($0)) }
      guard days.count == parts.count else { return [word] }
      if separator == "/" { return days.map(\.englishName) }
      guard days.count == 2 else { return [word] }
      return weekdays(from: days[0], to: days[1]).map(\.englishName)
    }
    return [word]
  }

  static func digits(_ number: Int) -> String {
    "\(number)" + (["2": "nd", "3": "rd"]["\(number)"] ?? "th")
  }

  private static func weekdays(from first: Weekday, to last: Weekday) -> [Weekday] {
    let days = Weekday.allCases.drop { $0 != first } + Weekday.allCases
    return Array(days.prefix(last.days(after: first) + 1))
  }

  /// Whether `to friday` comes after a weekday.
  private var isRangeOfWeekdays: Bool {
    guard ordinals.isEmpty, let word, ["to", "-", "–"].contains(word), place > 0 else {
      return false
    }
    return Self.weekday(words[place - 1]) != nil && place + 1 < words.count
      && Self.weekday(words[place + 1]) != nil
  }

  static func isAdverb(_ word: String) -> Bool { adverbs.contains { $0.0 == word } }

  /// `first monday of the month`, `last day of every month`, `1st of each month`
  static func isPositionInMonth(_ words: ArraySlice<String>) -> Bool {
    guard let first = words.first, DatePhrase.ordinal(first) != nil else { return false }
    var rest = words.dropFirst()
    let isDay = rest.first.map { weekday($0) != nil || ["day", "weekday"].contains($0) } ?? false
    if isDay { rest = rest.dropFirst() }
    return ["of", "in"].contains(rest.first)
      && ["every", "each", isDay ? "the" : "every"].contains(rest.dropFirst().first)
      && rest.dropFirst(2).first == "month"
  }

  mutating func leadingCount() -> Int {
    guard origins.first?.index == 0 else { return 0 }
    var count = 0
    while word != nil, continuesRepetition {
      let isOpen = ["on", "the", "only"].contains(word)
      guard (try? readClause()) != nil else { break }
      var whole = self
      if !isOpen, (try? whole.finishedRule()) != nil { count = origins[place - 1].index + 1 }
    }
    return count
  }

  /// Whether the next word can belong to the repetition. What follows it without a joining word
  /// probably begins the title: `every monday Last call`.
  private var continuesRepetition: Bool {
    guard let word, place > 0 else { return true }
    if word == "day" || word == "weekday", !ordinals.isEmpty { return true }
    if Self.weekday(word) != nil, isListed { return true }
    if ["until", "for", "at", "every", "each", "weeks", "day"].contains(word) { return false }
    if !ordinals.isEmpty || origins[place].isJoined { return true }
    if ["on", "the"].contains(words[place - 1]) { return true }
    if ["on", "of", "in", "except", "once", "twice"].contains(word) { return true }
    let isNumber = Int(word) != nil || Self.spelled(word) != nil
    return isNumber && place + 1 < words.count && words[place + 1] == "times"
  }

  /// Whether a weekday without a joining word belongs to the repetition: `every mon wed fri`, `every two
  /// weeks monday`. In `every Monday Sunday school` it belongs to the title.
  private var isListed: Bool {
    if ["week", "weeks"].contains(words[place - 1]), frequency == .weekly, byDay.isEmpty {
      return true
    }
    return Self.weekday(words[place - 1]) != nil && !origins[place].isCapitalized
  }

  mutating func leadingEndCount(readsTime: Bool) -> Int {
    readsTimeOfEnd = readsTime
    let isCount =
      word.flatMap { Int($0) ?? Self.spelled($0) } != nil && words.count > 1
      && ["times", "time"].contains(words[1])
    guard isCount || word == "until" || word == "till" || word == "for" else { return 0 }
    guard (try? readClause()) != nil else { return 0 }
    return origins[place - 1].index + 1
  }

  mutating func leadingExceptionCount() -> Int {
    guard word == "except", (try? readClause()) != nil else { return 0 }
    return origins[place - 1].index + 1
  }

  mutating func rule() throws -> Rule {
    guard !words.isEmpty else { throw failure }
    while word != nil { try readClause() }
    return try finishedRule()
  }

  private mutating func finishedRule() throws -> Rule {
    if !ordinals.isEmpty { numbers[.byMonthDay, default: []] += ordinals }
    if !missingDays.isEmpty {
      if byDay.isEmpty, frequency ?? ownFrequency == .daily, interval == 1 {
        (frequency, byDay) = (.weekly, Weekday.allCases.compactMap { Rule.WeekdayNumber($0) })
      }
      byDay.removeAll { missingDays.contains($0.weekday) }
      guard !byDay.isEmpty else { throw RulePhrase.Failure(word: "except") }
      missingDays = []
    }
    guard frequency != nil || !byDay.isEmpty || !numbers.isEmpty else {
      throw RulePhrase.Failure(word: "", textWithoutPeriod: words.joined(separator: " "))
    }
    return try Rule(
      frequency ?? ownFrequency, interval: interval, count: count, until: until, byDay: byDay,
      numbers, weekStart: weekStart, skip: skip)
  }

  /// The FREQ of a rule that only names days.
  private var ownFrequency: Rule.Frequency {
    if numbers[.byYearDay] != nil || numbers[.byWeekNumber] != nil { return .yearly }
    if numbers[.byMonth] != nil { return .yearly }
    if numbers[.byMonthDay] != nil || byDay.contains(where: { $0.ordinal != 0 }) {
      return .monthly
    }
    return byDay.isEmpty ? .daily : .weekly
  }

  private var word: String? { place < words.count ? words[place] : nil }

  private var failure: RulePhrase.Failure { RulePhrase.Failure(word: word ?? "") }

  /// Goes past the words if they come next.
  private mutating func take(_ phrase: String...) -> Bool {
    guard words[place...].starts(with: phrase) else { return false }
    place += phrase.count
    return true
  }

  private mutating func readClause() throws {
    switch word {
    case "every", "each":
      place += 1
      // `every 2nd week`, but `every 2nd tuesday` and `every 2nd day of the month` are days of the month.
      let begin = place
      if let number = readOrdinal(), number > 1, let unit = readUnit(), word != "of", word != "in" {
        setPeriod(unit, number)
      } else {
        place = begin
        try readDays()
      }
    case "on", "the", "only":
      // `on the last day only on Monday`
      if word == "only" { giveOrdinals(to: .byMonthDay) }
      place += 1
      if word == nil { throw failure }
    case "of", "in":
      place += 1
      try readPeriod()
    case "at": try readTimes()
    case "until", "till":
      place += 1
      try readEnd()
    case "for":
      place += 1
      try readPeriodOfAll()
    case "except":
      place += 1
      try readExceptions()
    case "once", "twice":
      count = word == "once" ? 1 : 2
      place += 1
    case "weeks" where take("weeks", "begin", "on"):
      guard let weekday = readWeekday() else { throw failure }
      weekStart = weekday
    case "day" where take("day", "before", "if", "the", "date", "does", "not", "exist"):
      skip = .backward
    case "day" where take("day", "after", "if", "the", "date", "does", "not", "exist"):
      skip = .forward
    default: try readDays()
    }
  }

  // MARK: Days and periods

  private static let units: [(String, Rule.Frequency)] = [
    ("second", .secondly), ("minute", .minutely), ("hour", .hourly), ("day", .daily),
    ("week", .weekly), ("month", .monthly), ("year", .yearly), ("morning", .daily),
    ("afternoon", .daily), ("evening", .daily), ("night", .daily),
  ]
  private static let adverbs: [(String, Rule.Frequency, interval: Int)] = [
    ("hourly", .hourly, 1), ("daily", .daily, 1), ("weekly", .weekly, 1),
    ("fortnightly", .weekly, 2), ("biweekly", .weekly, 2), ("monthly", .monthly, 1),
    ("quarterly", .monthly, 3), ("yearly", .yearly, 1), ("annually", .yearly, 1),
  ]

  private static func unit(_ word: String) -> Rule.Frequency? {
    units.first { $0.0 == word || $0.0 + "s" == word }?.1
  }

  private mutating func readUnit() -> Rule.Frequency? {
    guard let unit = word.flatMap({ Self.unit($0) }) else { return nil }
    place += 1
    return unit
  }

  private mutating func setPeriod(_ unit: Rule.Frequency, _ number: Int) {
    switch (frequency, unit) {
    // `every year … every month on the 13th`: BYMONTHDAY of a year means every month.
    case (.yearly, .monthly) where number == 1: break
    // `every month … every day`
    case (.some, .daily) where number == 1:
      byDay += Weekday.allCases.compactMap { Rule.WeekdayNumber($0) }
    default: (frequency, interval) = (unit, number)
    }
  }

  private mutating func readDays() throws {
    if let (_, unit, interval) = Self.adverbs.first(where: { $0.0 == word }) {
      place += 1
      return setPeriod(unit, interval)
    }
    if take("fortnight") { return setPeriod(.weekly, 2) }
    if take("other") {
      if let unit = readUnit() { return setPeriod(unit, 2) }
      guard let weekday = readWeekday() else { throw failure }
      setPeriod(.weekly, 2)
      return try addWeekdays(from: weekday)
    }
    // `second` is a unit in `every second`, and an ordinal before a weekday.
    let isUnit = word != "second" || place + 1 == words.count || !isDayWord(words[place + 1])
    if word == "day", hasDayNumber {
      place += 1
      return try readCounted(.byYearDay)
    }
    if isUnit, ordinals.isEmpty, let unit = readUnit() { return setPeriod(unit, 1) }
    if let word, Self.dayGroups.contains(word) { return try readDayGroup() }
    // `every may 3rd`
    let begin = place
    if ordinals.isEmpty, let month = readMonth() {
      guard let day = readOrdinal() ?? readNumber(), day > 0 else {
        place = begin
        throw failure
      }
      numbers[.byMonth, default: []].append(month)
      return numbers[.byMonthDay, default: []].append(day)
    }
    if let ordinal = readOrdinal() {
      if take("date") {
        numbers[.bySetPosition, default: []].append(ordinal)
      } else if let month = readMonth() {
        numbers[.byMonth, default: []].append(month)
        numbers[.byMonthDay, default: []].append(ordinal)
      } else {
        ordinals.append(ordinal)
      }
      return
    }
    if let weekday = readWeekday() {
      guard isRangeOfWeekdays else { return try addWeekdays(from: weekday) }
      place += 1
      guard let last = readWeekday() else { throw failure }
      byDay += Self.weekdays(from: weekday, to: last).compactMap { Rule.WeekdayNumber($0) }
      return
    }
    if word == "day" || word == "days", !ordinals.isEmpty {
      place += 1
      return
    }
    guard let number = readNumber() else { throw failure }
    if word == "times" || word == "time" {
      place += 1
      count = number
    } else if let unit = readUnit() {
      setPeriod(unit, number)
    } else if let month = readMonth() {
      numbers[.byMonthDay, default: []].append(number)
      numbers[.byMonth, default: []].append(month)
      readMonths()
    } else {
      throw failure
    }
  }

  /// `day 1 of the year`, but not `day 7 times`.
  private var hasDayNumber: Bool {
    place + 1 < words.count && Int(words[place + 1]) != nil
      && (place + 2 == words.count || words[place + 2] != "times")
  }

  private func isDayWord(_ word: String) -> Bool {
    ["to", "weekday", "weekend", "day", "date", "week"].contains(word)
      || Self.weekday(word) != nil
  }

  private static let dayGroups = [
    "weekday", "weekdays", "weekend", "weekends", "workday", "workdays",
  ]

  /// `weekdays`, or with an ordinal the position among them: `the last weekday`.
  private mutating func readDayGroup() throws {
    let isWeekend = word?.hasPrefix("weekend") == true
    place += 1
    if isWeekend, word == "day" || word == "days" { place += 1 }
    let days: [Weekday] =
      isWeekend ? [.saturday, .sunday] : [.monday, .tuesday, .wednesday, .thursday, .friday]
    byDay += days.compactMap { Rule.WeekdayNumber($0) }
    if !ordinals.isEmpty { numbers[.bySetPosition, default: []] += ordinals }
    ordinals = []
  }

  /// `monday thursday`, `2nd tuesday`; `third tuesday or thursday` is the third of both.
  private mutating func addWeekdays(from first: Weekday) throws {
    var days = [first]
    var isChoice = false
    if !ordinals.isEmpty || word == "or" {
      let mark = place
      var more: [Weekday] = []
      while true {
        let sawChoice = take("or")
        guard let next = readWeekday() else { break }
        more.append(next)
        isChoice = isChoice || sawChoice
      }
      if isChoice { days += more } else { place = mark }
    }
    if isChoice, !ordinals.isEmpty {
      numbers[.bySetPosition, default: []] += ordinals
      ordinals = []
    }
    for ordinal in ordinals.isEmpty ? [0] : ordinals {
      for day in days {
        guard let number = Rule.WeekdayNumber(ordinal: ordinal, day) else { throw failure }
        byDay.append(number)
      }
    }
    ordinals = []
  }

  /// What comes after `of` and `in`.
  private mutating func readPeriod() throws {
    if take("weeks") || take("week") { return try readCounted(.byWeekNumber) }
    if take("hours") || take("hour") {
      numbers[.byHour, default: []] += readNumbers()
      return
    }
    if take("each", "period") { return }
    if let month = readMonth() {
      numbers[.byMonth, default: []].append(month)
      readMonths()
      return giveOrdinals(to: .byMonthDay)
    }
    let isEvery = take("every") || take("each")
    if !isEvery, !take("the") { throw failure }
    let number = take("other") ? 2 : readNumber() ?? 1
    guard let unit = readUnit(), unit == .monthly || unit == .yearly else { throw failure }
    giveOrdinals(to: unit == .monthly ? .byMonthDay : .byYearDay)
    if isEvery {
      setPeriod(unit, number)
    } else if frequency == nil {
      frequency = unit
    }
  }

  /// `20 30`, `1 100 of the year`, `1 2 from the end of the year`.
  private mutating func readCounted(_ part: Rule.NumberPart) throws {
    let found = readNumbers()
    guard !found.isEmpty else { throw failure }
    let isFromEnd = take("from", "the", "end")
    if isFromEnd || part == .byYearDay, !take("of", "the", "year") { throw failure }
    numbers[part, default: []] += isFromEnd ? found.map { -$0 } : found
  }

  private mutating func giveOrdinals(to part: Rule.NumberPart) {
    if !ordinals.isEmpty { numbers[part, default: []] += ordinals }
    ordinals = []
  }

  // MARK: Times and ends

  private mutating func readTimes() throws {
    place += 1
    if take("most") { return }
    if take("minutes") || take("minute") {
      numbers[.byMinute, default: []] += readNumbers()
      return
    }
    if take("seconds") || take("second") {
      numbers[.bySecond, default: []] += readNumbers()
      return
    }
    var times: [TimeOfDay] = []
    while let time = word.flatMap({ Self.clock($0) }) {
      times.append(time)
      place += 1
    }
    let (hours, minutes) = (Set(times.map(\.hour)), Set(times.map(\.minute)))
    // BYHOUR and BYMINUTE give every combination.
    guard !times.isEmpty, Set(times).count == hours.count * minutes.count else { throw failure }
    numbers[.byHour] = hours.sorted()
    numbers[.byMinute] = minutes.sorted()
  }

  private mutating func readEnd() throws {
    let found = try DatePhrase.leading(
      words[place...], today: today, near: start.map { DateNeighbour.start(on: $0) }, side: .last)
    guard let found else { throw failure }
    let date = found.date
    place += found.count
    guard readsTimeOfEnd, let time = word.flatMap({ Self.clock($0) }) else {
      until = .date(date)
      return
    }
    place += 1
    let civil = CivilDateTime(date, time)
    until = take("utc") ? .utc(civil) : .local(civil)
  }

  /// `10 weeks`, `a year`, `10 times`: how long the series goes on.
  private mutating func readPeriodOfAll() throws {
    let begin = place
    if let number = readNumber(), take("times") || take("time") {
      count = number
      return
    }
    place = begin
    let found = try DatePhrase.leading(["in"] + words[place...], today: start ?? today)
    guard let found, found.count > 2 || word?.first?.isNumber == true else { throw failure }
    place += found.count - 1
    until = found.date.adding(days: -1).map { .date($0) }
  }

  private func leadingDate() throws -> (date: CivilDate, count: Int)? {
    try DatePhrase.leading(
      words[place...], today: today, near: start.map { DateNeighbour.start(on: $0) })
  }

  /// `24 dec`, or several dates one after the other.
  private mutating func readExceptions() throws {
    _ = take("on")
    repeat {
      if let weekday = readWeekday() {
        missingDays.append(weekday)
        continue
      }
      guard let found = try leadingDate() else { throw failure }
      exceptions.append(found.date)
      place += found.count
    } while startsDate
  }

  /// Whether another date follows: not `10 times`.
  private var startsDate: Bool {
    guard place < words.count else { return false }
    return (try? leadingDate()) != nil
  }

  /// `09:00`, `18:00:30`.
  private static func clock(_ word: String) -> TimeOfDay? {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    let numbers = parts.compactMap { $0.utf8.count <= 2 ? Int($0) : nil }
    guard numbers.count == parts.count else { return nil }
    return TimeOfDay(
      hour: numbers[0], minute: numbers[1], second: numbers.count == 3 ? numbers[2] : 0)
  }

  // MARK: Words

  private mutating func readNumber() -> Int? {
    guard let word, let number = Int(word) ?? Self.spelled(word), number >= 0 else { return nil }
    place += 1
    return number
  }

  /// `two`, but not `a`.
  private static func spelled(_ word: String) -> Int? {
    word.hasPrefix("a") ? nil : DatePhrase.spelledNumbers[word]
  }

  /// All numbers that follow, except that of `10 times`.
  private mutating func readNumbers() -> [Int] {
    var found: [Int] = []
    while place + 1 >= words.count || words[place + 1] != "times", let number = readNumber() {
      found.append(number)
    }
    return found
  }

  /// `2nd`, `last`, `third to last`.
  private mutating func readOrdinal() -> Int? {
    guard let number = word.flatMap({ DatePhrase.ordinal($0) }) else { return nil }
    place += 1
    return take("to", "last") ? -number : number
  }

  private mutating func readWeekday() -> Weekday? {
    guard let weekday = word.flatMap({ Self.weekday($0) }) else { return nil }
    place += 1
    return weekday
  }

  /// `monday`, `mondays`, `mon`.
  private static func weekday(_ word: String) -> Weekday? {
    Weekday(englishWord: word.hasSuffix("days") ? String(word.dropLast()) : word)
  }

  private mutating func readMonth() -> Int? {
    guard let month = word.flatMap(DatePhrase.month) else { return nil }
    place += 1
    return month
  }

  private mutating func readMonths() {
    while let month = readMonth() { numbers[.byMonth, default: []].append(month) }
  }
}
