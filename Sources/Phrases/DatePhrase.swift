public import CivilTime

/// What people type for a date: `2026-11-21`, `today`, `monday`, `24 dec`, `24.12.`, `in 2 weeks`,
/// `next friday`, `+3d`.
///
/// Letter case does not matter. Weekdays and years that are not typed are found from today:
///
/// - A weekday (`monday`, `mon`) is the next one, today included; `next monday` is the one in next
///   week, Monday to Sunday. In `friday in 2 weeks` both readings must be the same date.
/// - `next week`, `next month` and `next year` are their first days.
/// - A day and month without a year are the next such date, today included.
/// - `+2m`, `+1y` and `in 2 months` go by the calendar: 31 January `+1m` is the last of February.
public enum DatePhrase {
  /// The date that a phrase means on the day `today`.
  public static func parse(
    _ phrase: String, today: CivilDate
  ) throws(DatePhraseError) -> CivilDate {
    let words = phrase.split(separator: " ").map(String.init)
    guard let first = words.first else { throw DatePhraseError(.empty) }
    if let found = try leading(words[...], today: today), found.count == words.count {
      return found.date
    }
    guard words.count == 1 else { throw DatePhraseError(.notADate(phrase)) }
    // These two are tried last, because their errors name the problem.
    if first.hasPrefix("+") || first.hasPrefix("-") { return try shifted(first, today: today) }
    if let date = try digits(first) { return date }
    throw DatePhraseError(.notADate(phrase))
  }

  /// The longest date that words begin with, and how many of them it takes.
  ///
  /// `nil` if they begin with something else. An error if they begin with a date that does not
  /// exist, or that has two meanings.
  package static func leading(
    _ words: ArraySlice<String>, today: CivilDate, near neighbour: DateNeighbour? = nil
  ) throws(DatePhraseError) -> (date: CivilDate, count: Int)? {
    var reader = DateReader(
      words.prefix(DateReader.mostWords).map(plain), today: today, near: neighbour)
    guard let date = try reader.date() else { return nil }
    return (date, reader.place)
  }

  /// The day that a phrase means, which can also name a month or a year: `june`, `june 2027`, `2027`,
  /// `end of june`, `the end of next week`. `side` is the day of a month or a year that is meant.
  package static func parse(
    _ phrase: String, today: CivilDate, side: PeriodSide, near neighbour: DateNeighbour? = nil
  ) throws(DatePhraseError) -> CivilDate {
    let words = phrase.split(separator: " ").map(String.init)
    if let found = try leading(words[...], today: today, near: neighbour, side: side),
      found.count == words.count
    {
      return found.date
    }
    return try parse(phrase, today: today)
  }

  /// The same at the beginning of words.
  static func leading(
    _ words: ArraySlice<String>, today: CivilDate, near neighbour: DateNeighbour?,
    side: PeriodSide
  ) throws(DatePhraseError) -> (date: CivilDate, count: Int)? {
    if let found = try leading(words, today: today, near: neighbour) { return found }
    var reader = DateReader(
      words.prefix(DateReader.mostWords).map(plain), today: today, near: neighbour)
    guard let date = reader.day(ofPeriod: side) else { return nil }
    return (date, reader.place)
  }

  static let spelledNumbers = [
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "twenty-five": 25, "thirty": 30, "forty": 40, "forty-five": 45, "fifty": 50, "sixty": 60,
    "ninety": 90,
  ]

  /// `first`, `2nd`, `24th`; `last` is -1.
  static func ordinal(_ word: String) -> Int? {
    let names = ["first", "second", "third", "fourth", "fifth"]
    if let index = names.firstIndex(of: word) { return index + 1 }
    if word == "last" { return -1 }
    guard ["st", "nd", "rd", "th"].contains(String(word.suffix(2))) else { return nil }
    return number(word.dropLast(2)).flatMap { $0 > 0 ? $0 : nil }
  }

  /// A word in the form for comparisons: in lower case, without the comma of a list.
  package static func plain(_ word: String) -> String {
    let word = word.lowercased()
    return word.hasSuffix(",") ? String(word.dropLast()) : word
  }

  /// The number that up to nine digits write.
  static func number(_ text: some StringProtocol) -> Int? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else {
      return nil
    }
    return Int(text)
  }

  /// `december`, `dec`, `dec.`.
  static func month(_ word: String) -> Int? {
    let text = word.hasSuffix(".") ? String(word.dropLast()) : word
    return monthNames.firstIndex {
      $0 == text || $0.prefix(3) == text || (text == "sept" && $0 == "september")
    }
    .map { $0 + 1 }
  }

  fileprivate static let monthNames = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// `24 dec 2026`
  fileprivate static func short(_ date: CivilDate) -> String {
    "\(date.components.day) \(monthNames[date.month - 1].prefix(3)) \(date.year)"
  }

  /// `+3d`, `-1w`, `+2m`, `+1y`.
  fileprivate static func shifted(
    _ word: String, today: CivilDate
  ) throws(DatePhraseError) -> CivilDate {
    let digits = word.utf8.dropFirst().prefix(while: \.isASCIIDigit)
    let unit = String(word.utf8.dropFirst(1 + digits.count)) ?? ""
    guard !digits.isEmpty else { throw DatePhraseError(.notADate(word)) }
    guard let number = number(String(digits) ?? "") else { throw DatePhraseError(.tooFar(word)) }
    let count = word.hasPrefix("-") ? -number : number
    let date: CivilDate? =
      switch unit.lowercased() {
      case "d": today.adding(days: count)
      case "w": today.adding(weeks: count)
      case "m": today.adding(months: count)
      case "y": today.adding(years: count)
      default: throw DatePhraseError(.notAUnit(unit, word))
      }
    guard let date else { throw DatePhraseError(.tooFar(word)) }
    return date
  }

  /// `20261121`; `nil` if the word is not eight digits.
  fileprivate static func digits(_ word: String) throws(DatePhraseError) -> CivilDate? {
    guard word.utf8.count == 8, let number = number(word) else { return nil }
    return try date(number / 10_000, number / 100 % 100, number % 100, word)
  }

  fileprivate static func date(
    _ year: Int, _ month: Int, _ day: Int, _ phrase: String
  ) throws(DatePhraseError) -> CivilDate {
    guard year >= 1 else { throw DatePhraseError(.noSuchYear(phrase)) }
    guard (1...12).contains(month) else { throw DatePhraseError(.noSuchMonth(month, phrase)) }
    guard let date = CivilDate(year: year, month: month, day: day) else {
      throw DatePhraseError(.noSuchDay(day, 1...CivilDate.daysInMonth(month, year: year), phrase))
    }
    return date
  }
}

/// The date that gives a typed weekday its week, and a day and month their year.
package enum DateNeighbour: Hashable, Sendable {
  /// An event that gets another date: a weekday is in its week, Monday to Sunday, and a day and month
  /// are the closest such date. A date in the past is not meant unless the event is there too.
  case event(on: CivilDate)
  /// An event that gets an end: the next such date, that of its start included.
  case start(on: CivilDate)
}

/// The day of a month or a year that a limit means: `from june` is its first day, `until june` its last.
package enum PeriodSide: Hashable, Sendable {
  case first, last
}

/// Reads a date from words in lower case.
private struct DateReader {
  /// `3 weeks from wednesday the 24th of december 2026`
  static let mostWords = 10

  let words: [String]
  let today: CivilDate
  /// `nil`: weekdays and years are found from today.
  private let neighbour: DateNeighbour?
  /// The words that were read.
  var place = 0

  init(_ words: [String], today: CivilDate, near neighbour: DateNeighbour?) {
    self.words = words
    self.today = today
    self.neighbour = neighbour
  }

  private func word(_ offset: Int) -> String? {
    words.indices.contains(place + offset) ? words[place + offset] : nil
  }

  mutating func date() throws(DatePhraseError) -> CivilDate? {
    if let date = try edgeOfPeriod() { return date }
    if word(0) == "on" || word(0) == "from" {
      let isOn = word(0) == "on"
      place += 1
      if let date = try weekdayOrDate() { return date }
      if isOn, let date = try dayOfMonth() { return date }
      place = 0
      return nil
    }
    if let date = try relative() { return date }
    return try weekdayOrDate()
  }

  // MARK: Relative dates

  /// `today`, `day after tomorrow`, `+3d`, `in 2 weeks`, `3 days ago`, `next week`, `next friday`, `this friday`.
  private mutating func relative() throws(DatePhraseError) -> CivilDate? {
    guard let first = word(0) else { return nil }
    switch first {
    case "today": return take(1, today)
    case "tomorrow", "tmrw", "tmr": return try take(1, today.adding(days: 1), first)
    case "yesterday": return try take(1, today.adding(days: -1), first)
    case "day", "the":
      let phrase = ["the", "day", "after", "tomorrow"].drop { $0 != first }
      guard words[place...].starts(with: phrase) else { return nil }
      return try take(phrase.count, today.adding(days: 2), phrase.joined(separator: " "))
    case "in":
      guard let (count, date) = shift(from: 1, sign: 1) else { return nil }
      let begin = place
      var found = try take(
        1 + count, date, words[place...].prefix(1 + count).joined(separator: " "))
      // `in 2 weeks on friday`
      let weeks = words[begin..<place]
      if word(0) == "on", let weekday = word(1).flatMap(Weekday.init(englishWord:)),
        weeks.contains(where: { $0.hasSuffix("w") || $0.hasPrefix("week") })
      {
        found = try self.weekday(weekday, in: weeks, on: found, words[begin...(place + 1)])
        place += 2
      }
      return found
    case "this":
      guard let weekday = word(1).flatMap(Weekday.init(englishWord:)) else { return nil }
      return try take(2, upcoming(weekday), first)
    case "next": return try next()
    default: break
    }
    if first.hasPrefix("+") || first.hasPrefix("-") {
      // A word such as +49 is not a date.
      guard let date = try? DatePhrase.shifted(first, today: today) else { return nil }
      return take(1, date)
    }
    if let (count, date) = shift(from: 0, sign: -1), word(count) == "ago" {
      return try take(count + 1, date, words.prefix(count + 1).joined(separator: " "))
    }
    return try shiftedFromDate()
  }

  /// `2 weeks from now`, `a week from tomorrow`, `3 weeks after 24 dec`.
  private mutating func shiftedFromDate() throws(DatePhraseError) -> CivilDate? {
    guard let (count, _) = shift(from: 0, sign: 1), ["from", "after"].contains(word(count)) else {
      return nil
    }
    let begin = place
    place += count + 1
    var base: CivilDate?
    if word(0) == "now" { base = take(1, today) }
    if base == nil { base = try relative() }
    if base == nil { base = try weekdayOrDate() }
    guard let base else {
      place = begin
      return nil
    }
    let reader = DateReader(Array(words[begin...]), today: base, near: nil)
    return try take(
      0, reader.shift(from: 0, sign: 1)?.date, words[begin..<place].joined(separator: " "))
  }

  /// `friday in 2 weeks`: the Friday of that week, if it is also the next Friday and 2 weeks.
  private func weekday(
    _ weekday: Weekday, in shift: ArraySlice<String>, on date: CivilDate,
    _ phrase: ArraySlice<String>
  ) throws(DatePhraseError) -> CivilDate {
    let ofWeek = date.adding(days: weekday.days(after: .monday) - date.weekday.days(after: .monday))
    let counted = upcoming(weekday).flatMap { next in
      DateReader(Array(shift), today: next, near: nil).shift(from: 1, sign: 1)?.date
    }
    guard let ofWeek, let counted else {
      throw DatePhraseError(.tooFar(phrase.joined(separator: " ")))
    }
    if ofWeek == counted || counted.weekday != weekday { return ofWeek }
    throw DatePhraseError(
      .unclear(phrase.joined(separator: " "), [ofWeek, counted].map(DatePhrase.short)))
  }

  /// `2 weeks`, `a month`, `3d`: how many words it takes, and the date that far away.
  private func shift(from offset: Int, sign: Int) -> (count: Int, date: CivilDate?)? {
    guard let first = word(offset) else { return nil }
    let digits = first.prefix { $0.isASCII && $0.isNumber }
    var number = DatePhrase.number(digits)
    var unit = String(first.dropFirst(digits.count))
    var count = 1
    if let spelled = DatePhrase.spelledNumbers[first] { (number, unit) = (spelled, "") }
    if unit.isEmpty {
      unit = word(offset + 1) ?? ""
      count = 2
    }
    guard let number else { return nil }
    switch unit {
    case "d", "day", "days": return (count, today.adding(days: sign * number))
    case "w", "week", "weeks": return (count, today.adding(weeks: sign * number))
    case "month", "months": return (count, today.adding(months: sign * number))
    case "y", "year", "years": return (count, today.adding(years: sign * number))
    default: return nil
    }
  }

  private mutating func next() throws(DatePhraseError) -> CivilDate? {
    guard let second = word(1) else { return nil }
    let phrase = "next \(second)"
    if let weekday = Weekday(englishWord: second) {
      return try take(2, inNextWeek(weekday), phrase)
    }
    switch second {
    case "week":
      let offset = word(2) == "on" ? 3 : 2
      if let weekday = word(offset).flatMap(Weekday.init(englishWord:)) {
        return try take(offset + 1, inNextWeek(weekday), phrase)
      }
      return try take(2, inNextWeek(.monday), phrase)
    case "month":
      let first = CivilDate(year: today.year, month: today.month, day: 1)?.adding(months: 1)
      // `next month on the 3rd`
      let offset = words[(place + 2)...].prefix { $0 == "on" || $0 == "the" }.count + 2
      if let first, let text = word(offset), text.last?.isLetter == true, let day = Self.day(text) {
        let words = words[place...(place + offset)].joined(separator: " ")
        return take(offset + 1, try DatePhrase.date(first.year, first.month, day, words))
      }
      return try take(2, first, phrase)
    case "weekend":
      let weekends = [upcoming(.saturday), inNextWeek(.saturday)].compactMap(\.self)
      throw DatePhraseError(.unclear(phrase, weekends.map(DatePhrase.short)))
    case "year": return try take(2, CivilDate(year: today.year + 1, month: 1, day: 1), phrase)
    default: return nil
    }
  }

  private func upcoming(_ weekday: Weekday, from first: CivilDate? = nil) -> CivilDate? {
    let first = first ?? today
    return first.adding(days: weekday.days(after: first.weekday))
  }

  /// A weekday without a week.
  private func placed(_ weekday: Weekday) -> CivilDate? {
    switch neighbour {
    case .start(let start): return upcoming(weekday, from: start)
    case .event(let event) where event >= today:
      let monday = event.adding(days: -event.weekday.days(after: .monday))
      let date = monday?.adding(days: weekday.days(after: .monday))
      return date.flatMap { $0 < today ? $0.adding(weeks: 1) : $0 }
    case .event, nil: return upcoming(weekday)
    }
  }

  private func inNextWeek(_ weekday: Weekday) -> CivilDate? {
    let monday = today.adding(days: 7 - today.weekday.days(after: .monday))
    return monday?.adding(days: weekday.days(after: .monday))
  }

  // MARK: Periods

  /// `end of the month`, `at the end of may`, `last day of november`, `first monday of december`,
  /// `the 3rd of next month`. The end of a week can be Friday or Sunday.
  private mutating func edgeOfPeriod() throws(DatePhraseError) -> CivilDate? {
    let begin = place
    place += words[place...].prefix { ["on", "at", "the"].contains($0) }.count
    let isEnd = words[begin..<place].contains("at")
    if ["end", "beginning", "start"].contains(word(0)), word(1) == "of", word(2) != "week",
      word(3) != "week", let date = day(ofPeriod: .last)
    {
      return date
    }
    if !isEnd, let text = word(0), let number = DatePhrase.ordinal(text) {
      place += 1
      let weekday = word(0).flatMap(Weekday.init(englishWord:))
      let isDay = weekday != nil || word(0) == "day"
      if isDay { place += 1 }
      let joint = word(0)
      if joint == "of" || joint == "in", let found = isDay ? monthOfDay() : relativeMonth() {
        let phrase = words[begin..<place].joined(separator: " ")
        return try day(number, weekday, in: found.first, found.isFixed, phrase)
      }
    }
    place = begin
    return nil
  }

  /// `of december 2027`, `in next month`; whether the year is given.
  private mutating func monthOfDay() -> (first: CivilDate, isFixed: Bool)? {
    place += 1
    if let month = monthOrYear(isMonth: true) {
      return (month.first, words[place - 1].utf8.count == 4)
    }
    place -= 1
    return relativeMonth()
  }

  /// `of next month`
  private mutating func relativeMonth() -> (first: CivilDate, isFixed: Bool)? {
    guard word(1) == "next" || word(1) == "this", word(2) == "month" else { return nil }
    place += 1
    return relativePeriod().map { ($0.first, true) }
  }

  private func day(
    _ number: Int, _ weekday: Weekday?, in month: CivilDate, _ isFixed: Bool, _ phrase: String
  ) throws(DatePhraseError) -> CivilDate {
    func date(in month: CivilDate) -> CivilDate? {
      let days = (0..<CivilDate.daysInMonth(month.month, year: month.year))
        .compactMap { month.adding(days: $0) }.filter { $0.weekday == weekday ?? $0.weekday }
      let index = number > 0 ? number - 1 : days.count + number
      return days.indices.contains(index) ? days[index] : nil
    }
    let found = date(in: month)
    if !isFixed, let past = found, past < today, let later = month.adding(years: 1) {
      return date(in: later) ?? past
    }
    guard let found else {
      let days = 1...CivilDate.daysInMonth(month.month, year: month.year)
      throw DatePhraseError(weekday == nil ? .noSuchDay(number, days, phrase) : .notADate(phrase))
    }
    return found
  }

  /// `june`, `june 2027`, `2027`, `this week`, or `the end of` these and of `next week`, `this month`, `the year`.
  mutating func day(ofPeriod side: PeriodSide) -> CivilDate? {
    let sides: [String: PeriodSide] = ["end": .last, "beginning": .first, "start": .first]
    let article = word(0) == "the" ? 1 : 0
    var found: (first: CivilDate, after: CivilDate?)?
    var side = side
    if let named = word(article).flatMap({ sides[$0] }), word(article + 1) == "of" {
      side = named
      place += article + 2
      found = monthOrYear() ?? relativePeriod()
    } else {
      found = word(0) == "this" ? relativePeriod() : monthOrYear()
    }
    guard let found else {
      place = 0
      return nil
    }
    return side == .first ? found.first : (found.after ?? .afterLast).adding(days: -1)
  }

  /// A month without a year is the one of today or of the start, or the next one with this name.
  private mutating func monthOrYear(
    isMonth: Bool = false
  ) -> (first: CivilDate, after: CivilDate?)? {
    let month = word(0).flatMap(DatePhrase.month)
    let number = word(month == nil ? 0 : 1).flatMap(Self.year)
    guard let month else {
      guard !isMonth, let number, let first = CivilDate(year: number, month: 1, day: 1) else {
        return nil
      }
      place += 1
      return (first, first.adding(years: 1))
    }
    var from = today
    if case .start(let start) = neighbour { from = start }
    let year = number ?? (month < from.month ? from.year + 1 : from.year)
    guard let first = CivilDate(year: year, month: month, day: 1) else { return nil }
    place += number == nil ? 1 : 2
    return (first, first.adding(months: 1))
  }

  /// `week`, `the month`, `this year`, `next week`.
  private mutating func relativePeriod() -> (first: CivilDate, after: CivilDate?)? {
    let shifts = ["the": 0, "this": 0, "next": 1, "last": -1]
    let shift = word(0).flatMap { shifts[$0] }
    guard let unit = word(shift == nil ? 0 : 1) else { return nil }
    let first: CivilDate?
    let period: (CivilDate, Int) -> CivilDate?
    switch unit {
    case "week":
      first = today.adding(days: -today.weekday.days(after: .monday))
      period = { $0.adding(weeks: $1) }
    case "weekend":
      guard shift == 0 else { return nil }
      first = today.weekday == .sunday ? today : upcoming(.saturday)
      place += 2
      return first.map { ($0, $0.adding(days: today.weekday == .sunday ? 1 : 2)) }
    case "month":
      first = CivilDate(year: today.year, month: today.month, day: 1)
      period = { $0.adding(months: $1) }
    case "year":
      first = CivilDate(year: today.year, month: 1, day: 1)
      period = { $0.adding(years: $1) }
    default: return nil
    }
    guard let begin = first.flatMap({ period($0, shift ?? 0) }) else { return nil }
    place += shift == nil ? 1 : 2
    return (begin, period(begin, 1))
  }

  // MARK: Named dates

  /// `mon`, `monday next week`, `fri 13th`, `thu 24 dec`, or a date without a weekday.
  private mutating func weekdayOrDate() throws(DatePhraseError) -> CivilDate? {
    guard let first = word(0), let weekday = Weekday(englishWord: first) else {
      return try monthOrNumbers()
    }
    place += 1
    if word(0) == "next", word(1) == "week" {
      return try take(2, inNextWeek(weekday), first)
    }
    if word(0) == "in", let (count, date) = shift(from: 1, sign: 1),
      let date = date,
      words[(place + 1)...].prefix(count).contains(where: {
        $0.hasSuffix("w") || $0.hasPrefix("week")
      })
    {
      let shift = words[place...(place + count)]
      let phrase = words[(place - 1)...(place + count)]
      let found = try self.weekday(weekday, in: shift, on: date, phrase)
      return take(1 + count, found)
    }
    var found = try monthOrNumbers()
    if found == nil { found = try dayOfMonth() }
    guard let date = found else { return try take(0, placed(weekday), first) }
    guard date.weekday == weekday else { throw DatePhraseError(.otherWeekday(date, weekday)) }
    return date
  }

  /// `13th`, `the 13th`: the next such day, as the weekday before it states its month. A number alone
  /// can belong to a title.
  private mutating func dayOfMonth() throws(DatePhraseError) -> CivilDate? {
    let offset = word(0) == "the" ? 1 : 0
    guard let text = word(offset), text.last?.isLetter == true, let day = Self.day(text) else {
      return nil
    }
    guard (1...31).contains(day) else { throw DatePhraseError(.noSuchDay(day, 1...31, text)) }
    var first = today
    if case .start(let start) = neighbour { first = start }
    let date = (0...62).lazy.compactMap { first.adding(days: $0) }
      .first { $0.components.day == day }
    return try take(offset + 1, date, text)
  }

  /// `24 dec`, `dec 24`, `december the 24th`, `the 24th of December 2027`, or a date in numbers.
  private mutating func monthOrNumbers() throws(DatePhraseError) -> CivilDate? {
    guard let first = word(0) else { return nil }
    if let month = DatePhrase.month(first) {
      let article = word(1) == "the" ? 1 : 0
      if let day = word(1 + article).flatMap(Self.day) {
        return try date(month, day, wordCount: 2 + article)
      }
    }
    let article = first == "the" ? 1 : 0
    if let day = word(article).flatMap(Self.day) {
      let preposition = word(article + 1) == "of" ? 1 : 0
      if let month = word(article + 1 + preposition).flatMap(DatePhrase.month) {
        return try date(month, day, wordCount: article + 2 + preposition)
      }
    }
    return try numbers(first)
  }

  /// The date with the year behind it, otherwise the next such date.
  private mutating func date(
    _ month: Int, _ day: Int, wordCount: Int
  ) throws(DatePhraseError) -> CivilDate {
    if ["next", "this"].contains(word(wordCount)), word(wordCount + 1) == "year" {
      let year = today.year + (word(wordCount) == "next" ? 1 : 0)
      let phrase = words[place...(place + wordCount + 1)].joined(separator: " ")
      return take(wordCount + 2, try DatePhrase.date(year, month, day, phrase))
    }
    if let text = word(wordCount), let year = Self.year(text) {
      let phrase = words[place...(place + wordCount)].joined(separator: " ")
      return take(wordCount + 1, try DatePhrase.date(year, month, day, phrase))
    }
    let phrase = words[place..<(place + wordCount)].joined(separator: " ")
    return take(wordCount, try placed(month, day, phrase))
  }

  /// `2026`, `'26`
  private static func year(_ text: String) -> Int? {
    if let mark = text.first, "'’".contains(mark) {
      return text.count == 3 ? DatePhrase.number(text.dropFirst()).map { 2000 + $0 } : nil
    }
    return text.utf8.count == 4 ? DatePhrase.number(text) : nil
  }

  /// A day and month without a year.
  private func placed(
    _ month: Int, _ day: Int, _ phrase: String
  ) throws(DatePhraseError) -> CivilDate {
    guard (1...12).contains(month) else { throw DatePhraseError(.noSuchMonth(month, phrase)) }
    // 2000 is a leap year.
    let days = 1...CivilDate.daysInMonth(month, year: 2000)
    guard days.contains(day) else { throw DatePhraseError(.noSuchDay(day, days, phrase)) }
    var first = today
    if case .start(let start) = neighbour { first = start }
    func dates(from year: Int) -> [CivilDate] {
      // A leap day comes back within eight years.
      (year...year + 8).compactMap { CivilDate(year: $0, month: month, day: day) }
        .filter { $0 >= first }
    }
    let date: CivilDate?
    if case .event(let event) = neighbour, event >= today {
      date = (dates(from: event.year - 8) + dates(from: event.year)).min {
        abs(event.days(until: $0)) < abs(event.days(until: $1))
      }
    } else {
      date = dates(from: first.year).first
    }
    guard let date else { throw DatePhraseError(.tooFar(phrase)) }
    return date
  }

  /// `2026-12-24`, `2026/12/24`, `24.12.2026`, `24.12.26`, `24.12.`, `20261224`.
  private mutating func numbers(_ word: String) throws(DatePhraseError) -> CivilDate? {
    if let date = try? DatePhrase.digits(word) { return take(1, date) }
    guard let separator = word.first(where: { !$0.isNumber }), "-/.".contains(separator) else {
      return nil
    }
    var parts = word.split(separator: separator, omittingEmptySubsequences: false)
    let isOpen = separator == "." && parts.count == 3 && parts[2].isEmpty
    if isOpen { parts.removeLast() }
    // 24-dec-2026
    if separator != ".", parts.count == 2 || parts.count == 3, let day = Self.day(String(parts[0])),
      let month = DatePhrase.month(String(parts[1]))
    {
      if parts.count == 2 { return take(1, try placed(month, day, word)) }
      guard parts[2].utf8.count == 4, let year = DatePhrase.number(parts[2]) else { return nil }
      return take(1, try DatePhrase.date(year, month, day, word))
    }
    let numbers = parts.compactMap { DatePhrase.number($0) }
    guard numbers.count == parts.count, (2...3).contains(parts.count) else { return nil }
    let lengths = parts.map(\.utf8.count)
    if lengths.count == 3, lengths[0] == 4, lengths[1] <= 2, lengths[2] <= 2 {
      return take(1, try DatePhrase.date(numbers[0], numbers[1], numbers[2], word))
    }
    guard lengths[0] <= 2, lengths[1] <= 2 else { return nil }
    if isOpen { return take(1, try placed(numbers[1], numbers[0], word)) }
    let hasYear = lengths.count == 3 && (lengths[2] == 4 || lengths[2] == 2)
    if separator == "." {
      // Two numbers are a time: 12.30.
      guard hasYear else { return nil }
      let year = lengths[2] == 4 ? numbers[2] : 2000 + numbers[2]
      return take(1, try DatePhrase.date(year, numbers[1], numbers[0], word))
    }
    // With slashes and dashes some people write the month first, others the day.
    guard hasYear || (lengths.count == 2 && separator == "/") else { return nil }
    let readings = [(numbers[0], numbers[1]), (numbers[1], numbers[0])]
      .filter { (1...12).contains($0.1) && (1...31).contains($0.0) }
    guard let first = readings.first else {
      if lengths.count == 3 { throw DatePhraseError(.noSuchMonth(numbers[1], word)) }
      return nil
    }
    // Only one order is possible in 24/12/2026 and 12/24/2026.
    if lengths.count == 3, lengths[2] == 4, readings.count == 1 || numbers[0] == numbers[1] {
      return take(1, try DatePhrase.date(numbers[2], first.1, first.0, word))
    }
    let year = lengths.count == 2 ? "" : lengths[2] == 4 ? " \(numbers[2])" : " 20\(parts[2])"
    let choices = readings.map { "\($0.0) \(DatePhrase.monthNames[$0.1 - 1].prefix(3))" + year }
    throw DatePhraseError(.unclear(word, choices.first == choices.last ? [choices[0]] : choices))
  }

  private mutating func take(_ count: Int, _ date: CivilDate) -> CivilDate {
    place += count
    return date
  }

  private mutating func take(
    _ count: Int, _ date: CivilDate?, _ phrase: String
  ) throws(DatePhraseError) -> CivilDate {
    guard let date else { throw DatePhraseError(.tooFar(phrase)) }
    return take(count, date)
  }

  /// `24`, `24.`, `24th`.
  private static func day(_ word: String) -> Int? {
    var text = word[...]
    for ending in ["st", "nd", "rd", "th", "."] where text.hasSuffix(ending) {
      text = text.dropLast(ending.count)
      break
    }
    return text.utf8.count <= 2 ? DatePhrase.number(text) : nil
  }

}
