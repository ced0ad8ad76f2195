internal import CivilTime

/// Words of a title that look like a part of a date, time, length, zone or repetition.
///
/// One vocabulary decides it: what a word can be (`Look`), which of these are a time by themselves, and which only
/// next to another one. It knows more than agenda reads, such as `Wendesday`, `PST`, `heute` and `week 52`, so that
/// such words are named instead of becoming a part of the title in silence.
package struct TimeLikeWords: Hashable, Sendable {
  package let text: String
  /// Where they are among the words of the title.
  let range: Range<Int>
  /// Whether they are hardly part of the title if words that were read are next to them.
  let isCertain: Bool
  /// Whether words that were read are next to them.
  let touches: Bool
  /// Whether they name a time zone.
  package let isZone: Bool

  /// What the title is between.
  struct Surroundings {
    /// The words before and after the title that were read.
    let before: [String]
    let after: [String]
    let hasDate: Bool
    let hasTime: Bool
    let repeats: Bool
    let dialect: Dialect
  }

  /// What depends on the locale and on the zones of the system.
  package struct Dialect: Sendable {
    /// Whether dates are written with dots, so that `10.12` can be one.
    package let datesHaveDots: Bool
    /// The names of days and months in another language, in lower case.
    package let names: Set<String>
    package let isZone: @Sendable (String) -> Bool

    package init(
      datesHaveDots: Bool = false, names: Set<String> = [],
      isZone: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
      (self.datesHaveDots, self.names, self.isZone) = (datesHaveDots, names, isZone)
    }
  }

  /// All of them, in the order of the title.
  static func all(in title: [String], _ surroundings: Surroundings) -> [TimeLikeWords] {
    let finder = Finder(words: title, around: surroundings)
    var all: [TimeLikeWords] = []
    var place = 0
    while place < title.count {
      guard let found = finder.run(at: place) else {
        place += 1
        continue
      }
      // `friday` and `12:30` next to each other are one.
      let isZone = finder.look(place) == .zone || all.last?.isZone == true
      if let last = all.last, last.range.upperBound == place, !isZone {
        all[all.count - 1] = finder.words(
          last.range.lowerBound..<found.end, last.isCertain || found.isCertain)
      } else {
        all.append(finder.words(place..<found.end, found.isCertain))
      }
      place = found.end
    }
    return all
  }
}

/// What a word can be in a time.
private enum Look: Equatable {
  /// `12:30`, `tomorrow`, `friday`, `24.12.`, `2h`: a time by itself.
  case whole
  /// `24/7`, `1:1`, `9-5`, `1430`: perhaps a time.
  case maybe
  case number(Int), ordinal, month, unit, part, half
  /// `weekly`, `tuesdays`: titles have such words, too.
  case adverb
  /// `next`, `last`, `this`, `every`
  case relation
  /// `until`, `at`, `from`
  case joint
  case zone
}

private struct Finder {
  let words: [String]
  let around: TimeLikeWords.Surroundings

  typealias Run = (end: Int, isCertain: Bool)

  private func touchesStart(_ place: Int) -> Bool { place == 0 && !around.before.isEmpty }
  private func touchesEnd(_ end: Int) -> Bool { end == words.count && !around.after.isEmpty }

  func words(_ range: Range<Int>, _ isCertain: Bool) -> TimeLikeWords {
    // In `24.12. um` next to a time, a word of two letters belongs to the time, too.
    let before = range.lowerBound == 1 && words[0].utf8.count < 3 ? 0 : range.lowerBound
    let isBeforeLast = range.upperBound == words.count - 1 && (words.last ?? "").utf8.count < 3
    let after = isBeforeLast ? words.count : range.upperBound
    // `tomorrow 13:00 Sunday roast`
    let isTitle =
      touchesStart(range.lowerBound) && around.hasDate && around.hasTime
      && words[range.lowerBound].first?.isUppercase == true && look(range.lowerBound) != .zone
    return TimeLikeWords(
      text: words[range].joined(separator: " "), range: range,
      isCertain: isCertain && !isTitle,
      touches: touchesStart(before) || touchesEnd(after),
      isZone: look(range.lowerBound) == .zone)
  }

  private func plain(_ place: Int) -> String {
    guard words.indices.contains(place) else { return "" }
    return Vocabulary.plain(words[place])
  }

  func look(_ place: Int) -> Look? {
    guard words.indices.contains(place) else { return nil }
    let isAtEnd = place == 0 || place == words.count - 1
    let canBeName = isAtEnd && words[place].first?.isLetter == true
    if Vocabulary.isZone(words[place]) || canBeName && around.dialect.isZone(words[place]) {
      return .zone
    }
    return Vocabulary.look(words[place])
      ?? (around.dialect.names.contains(plain(place)) ? .whole : nil)
  }

  /// The words from here on that belong to a time. A chain such as `every other other …` has an end.
  func run(at place: Int, depth: Int = 0) -> Run? {
    guard depth < 5 else { return nil }
    let next = look(place + 1)
    let touches = touchesStart(place) || touchesEnd(place + 1)
    switch look(place) {
    case .whole:
      let isFollowed = next == .half || next == .zone
      return (place + (isFollowed ? 2 : 1), true)
    case .maybe:
      // `BA 1430`
      let isNumber = Vocabulary.isCompactClock(plain(place))
      if isNumber, place > 0, words[place - 1].allSatisfy({ !$0.isLowercase }) { return nil }
      let isClock = !around.hasTime && Vocabulary.isSpan(plain(place))
      return (place + 1, isClock || !around.hasTime && isNumber)
    case .zone:
      let isLong = Vocabulary.isZone(words[place]) && words[place].utf8.count > 2
      return touches && around.hasTime || isLong ? (place + 1, true) : nil
    case .adverb:
      let isAtEnd = place == 0 || place + 1 == words.count
      return isAtEnd && !around.repeats && (around.hasDate || around.hasTime)
        ? (place + 1, false) : nil
    case .half: return touches ? (place + 1, true) : nil
    case .part:
      // `22-6 Night shift`
      let isTitle = around.hasTime && words[place].first?.isUppercase == true
      return touches && !isTitle ? (place + 1, true) : nil
    case .relation: return relation(at: place, next, depth)
    case .number(let number): return self.number(number, at: place, next, touches)
    case .ordinal: return ordinal(at: place, next, touches)
    case .month:
      if case .number(let day) = next, day > 0 { return (place + 2, true) }
      if next == .ordinal { return (place + 2, true) }
      let isName = Vocabulary.names.contains(plain(place))
      return touches || !isName ? (place + 1, !isName) : nil
    case .unit:
      // `friday week`
      let isLater = touchesStart(place) && around.before.last.map(isDay) ?? false
      if case .number = next, plain(place) == "week" { return (place + 2, true) }
      return isLater || touches && plain(place).hasPrefix("weekend") ? (place + 1, true) : nil
    case .joint: return joint(at: place, next, depth)
    case nil: return nil
    }
  }

  private func isDay(_ word: String) -> Bool {
    let word = Vocabulary.plain(word)
    return Weekday(englishWord: word) != nil || ["today", "tomorrow"].contains(word)
  }

  /// `next week`, `every other day`, `last friday`.
  private func relation(at place: Int, _ next: Look?, _ depth: Int) -> Run? {
    if let next {
      switch next {
      case .whole, .unit, .month, .part, .adverb:
        return (run(at: place + 1, depth: depth + 1)?.end ?? place + 2, true)
      case .relation: return run(at: place + 1, depth: depth + 1).map { ($0.end, true) }
      case .number, .ordinal:
        let isEvery = Vocabulary.isEvery(plain(place))
        if isEvery { return (run(at: place + 1, depth: depth + 1)?.end ?? place + 2, true) }
      default: break
      }
    }
    if place == 0, words[place].first?.isUppercase == false, Vocabulary.isEvery(plain(place)) {
      return (place + 1, touchesStart(place))
    }
    guard touchesEnd(place + 1), let first = around.after.first else { return nil }
    let other = Finder(words: [first], around: around)
    return [.whole, .unit, .month, .part, .ordinal].contains(other.look(0))
      ? (place + 1, true) : nil
  }

  private func number(_ number: Int, at place: Int, _ next: Look?, _ touches: Bool) -> Run? {
    switch next {
    case .unit, .month, .half: return (place + 2, true)
    case .part where plain(place + 1).hasPrefix("night"): return (place + 2, true)
    // `half an hour`, `quarter past 9`, `a couple of days`
    case _ where ["an", "a", "of", "past", "to", "and"].contains(plain(place + 1)):
      let isFraction = ["half", "quarter", "couple"].contains(plain(place))
      let last = look(place + 2)
      if isFraction, last == .unit || plain(place + 2).first?.isNumber == true {
        return (place + 3, true)
      }
      if isFraction, case .number = last { return (place + 3, true) }
    default: break
    }
    guard touches, !around.hasTime, words[place].first?.isNumber == true else { return nil }
    let isYear = touchesStart(place) && around.hasDate && number < 100
    return number <= 24 || isYear ? (place + 1, false) : nil
  }

  private func ordinal(at place: Int, _ next: Look?, _ touches: Bool) -> Run? {
    if next == .month { return (place + 2, true) }
    let isDay = next == .unit || next == .whole
    let joint = isDay ? place + 2 : place + 1
    if ["of", "in"].contains(plain(joint)), let last = look(joint + 1),
      [.month, .relation].contains(last)
    {
      return (joint + 2, true)
    }
    return touches && words[place].first?.isNumber == true ? (place + 1, !around.hasDate) : nil
  }

  /// `until 13:00`, `at 5`, and `until` next to words that were read.
  private func joint(at place: Int, _ next: Look?, _ depth: Int) -> Run? {
    let word = plain(place)
    if Vocabulary.opensTime(word), let run = run(at: place + 1, depth: depth + 1), run.isCertain {
      return run
    }
    if Vocabulary.opensHour(word), case .number(let hour) = next, hour <= 24, !around.hasTime {
      return (place + 2, true)
    }
    let isEnd = ["until", "till", "except"].contains(word)
    if touchesStart(place), isEnd || word == "between" { return (place + 1, true) }
    if isEnd, words[place].first?.isLowercase == true, !touchesEnd(place + 1) {
      return (min(place + 2, words.count), false)
    }
    if plain(place + 1) == "the", look(place + 2) == .ordinal { return (place + 3, true) }
    if ["-", "–", "—"].contains(word), case .number = next, touchesStart(place) {
      return (place + 2, true)
    }
    return touchesEnd(place + 1) && Vocabulary.closesTitle.contains(word) ? (place + 1, true) : nil
  }
}

/// The words of times, in English and, where agenda only names them, in German.
private enum Vocabulary {
  /// The word in lower case without marks around it.
  static func plain(_ word: String) -> String {
    var text = word.lowercased()[...]
    while let last = text.last, ",;:!?)\"'”’".contains(last) { text.removeLast() }
    while let first = text.first, "(\"'“‘".contains(first) { text.removeFirst() }
    return String(text)
  }

  private static let relations: Set<String> = [
    "next", "last", "this", "coming", "following", "past", "every", "each", "other", "alternate",
  ]
  private static let joints: Set<String> = [
    "until", "till", "from", "by", "before", "after", "since", "between", "at", "@", "around",
    "about", "except", "due", "on", "of", "and", "&", "-", "–", "—", "or", "to", "through",
    "starting", "beginning", "bis", "und", "um", "ab",
  ]
  private static let units: Set<String> = [
    "second", "seconds", "sec", "secs", "minute", "minutes", "min", "mins", "hour", "hours", "hr",
    "hrs", "h", "day", "days", "night", "nights", "week", "weeks", "wk", "wks", "weekend",
    "weekends", "fortnight", "fortnights", "month", "months", "quarter", "quarters", "year",
    "years", "yr", "yrs", "times", "o'clock", "oclock", "o’clock", "d", "w", "m", "uhr", "stunde",
    "stunden",
    "minuten", "tage", "tagen", "wochen",
  ]
  private static let parts: Set<String> = [
    "morning", "mornings", "afternoon", "afternoons", "evening", "evenings", "night", "nights",
    "lunchtime", "abend", "abends", "morgens", "nachmittag", "vormittag", "mittag",
  ]
  private static let days: Set<String> = [
    "today", "tomorrow", "tonight", "yesterday", "noon", "midday", "midnight", "tmrw", "tmr",
    "tomo", "2morrow", "2moro", "tonite", "2nite", "overmorrow", "wensday", "wendsday", "everyday",
    "eod", "heute", "übermorgen", "gestern",
    "jeden", "jede", "jedes", "täglich", "wöchentlich", "monatlich", "jährlich", "mitternacht",
    "mo.", "di.", "mi.", "do.", "fr.", "sa.", "so.",
  ]
  private static let german: Set<String> = [
    "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend", "sonntag",
    "januar", "februar", "märz", "juni", "juli", "oktober", "dezember",
  ]
  /// Abbreviations that are words or names, too.
  private static let homographs: Set<String> = ["sun", "sat", "wed"]
  /// Months that are names or words, too.
  static let names: Set<String> = ["may", "march", "mar", "june", "april", "august", "jan", "jun"]
  static let closesTitle: Set<String> = [
    "until", "till", "from", "by", "before", "after", "since", "between", "around", "except", "due",
    "and", "&", "-", "–", "—", "or", "of", "to", "through", "starting", "beginning",
  ]

  static func isEvery(_ word: String) -> Bool { word == "every" || word == "each" }

  static func opensTime(_ word: String) -> Bool { joints.contains(word) && word != "&" }

  static func opensHour(_ word: String) -> Bool {
    ["until", "till", "from", "before", "after", "between", "at", "@", "around", "by"].contains(
      word)
  }

  private static let zones: Set<String> = [
    "UTC", "GMT", "BST", "IST", "CET", "CEST", "MEZ", "MESZ", "EET", "EEST", "WET", "WEST", "MSK",
    "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "AKST", "HST", "JST", "KST", "AEST",
    "AEDT", "ACST", "AWST", "NZST", "NZDT", "ET", "CT", "MT", "PT", "Z",
  ]

  /// `PST`, `UTC+2`, `utc`.
  static func isZone(_ word: String) -> Bool {
    let word = word.hasSuffix(",") ? String(word.dropLast()) : word
    let name = word.prefix { $0.isLetter }
    let offset = word.dropFirst(name.count)
    let isOffset = offset.first.map { "+-".contains($0) } ?? true
    guard isOffset, offset.dropFirst().allSatisfy({ $0.isNumber || $0 == ":" }) else {
      return false
    }
    return zones.contains(String(name)) && (offset.isEmpty || name.utf8.count > 1)
      || ["utc", "gmt", "pst", "cet", "cest", "edt", "pdt"].contains(String(name))
  }

  static func look(_ word: String) -> Look? {
    let plain = plain(word)
    if plain.isEmpty { return nil }
    if plain.first?.isNumber == true || "+-tT".contains(plain.first ?? " ") {
      // The units of lengths are in lower case: 3D and 3M belong to titles.
      if LengthWords([word.hasSuffix(",") ? String(word.dropLast()) : word]) != nil {
        return .whole
      }
      if let look = digits(plain) { return look }
    }
    if ClockPhrase.half(plain) != nil { return plain.contains(".") ? .whole : .half }
    if DatePhrase.spelledNumbers[plain] != nil
      || ["half", "quarter", "couple", "few"].contains(plain)
    {
      return .number(DatePhrase.spelledNumbers[plain] ?? 1)
    }
    if relations.contains(plain) { return .relation }
    if joints.contains(plain) { return .joint }
    if DatePhrase.ordinal(plain) != nil { return .ordinal }
    if parts.contains(plain) { return .part }
    if units.contains(plain) { return .unit }
    if days.contains(plain) || german.contains(plain) { return .whole }
    if DatePhrase.month(plain) != nil { return .month }
    let single = plain.hasSuffix("days") ? String(plain.dropLast()) : plain
    // In capitals or in the middle of other words, Sun and Wed are rarely days.
    if Weekday(englishWord: single) != nil {
      return homographs.contains(plain) ? .maybe : single == plain ? .whole : .adverb
    }
    if RulePhrase.isAdverb(plain) || RulePhrase.isPluralOfDays(plain) { return .adverb }
    if isListOfDays(plain) { return .whole }
    return isMisspelt(plain) ? .whole : nil
  }

  /// `tue/thu`, `mon-fri`
  private static func isListOfDays(_ word: String) -> Bool {
    let parts = word.split(whereSeparator: { "/-–,+".contains($0) })
    return parts.count > 1 && parts.allSatisfy { Weekday(englishWord: String($0)) != nil }
  }

  // MARK: Words with digits

  /// The shape with 9 for digits: `99:99`, `99h`.
  private static func digits(_ word: String) -> Look? {
    if let number = DatePhrase.number(word) {
      return isCompactClock(word) ? .maybe : .number(number)
    }
    if DatePhrase.ordinal(word) != nil { return .ordinal }
    let shape = String(word.map { $0.isASCII && $0.isNumber ? "9" : $0 == "–" ? "-" : $0 })
    if case .time = ClockPhrase.read(word, hourAlone: false) {
      return shape.contains(".") && !shape.contains("m") ? .maybe : .whole
    }
    if case .impossible = ClockPhrase.read(word, hourAlone: false) { return .whole }
    if shape.hasSuffix("p") || shape.hasSuffix("a"),
      case .time = ClockPhrase.read(word + "m", hourAlone: false)
    {
      return .whole
    }
    let separators = Set(shape.filter { $0 != "9" })
    let parts = shape.split(whereSeparator: { $0 != "9" }).map(\.count)
    switch separators {
    case [":"]: return parts.count == 2 && parts.allSatisfy { $0 < 3 } ? .maybe : nil
    case ["."]:
      let isDate =
        parts.count == 3 && parts[0] < 3 && parts[2] > 1 || parts.count == 2 && shape.hasSuffix(".")
      return isDate && parts.allSatisfy { $0 < 5 && $0 != 3 } ? .whole : nil
    case ["/"], ["-"]:
      guard (2...3).contains(parts.count), parts.allSatisfy({ $0 < 3 || $0 == 4 }),
        shape.first == "9"
      else { return nil }
      return parts.count == 3 || parts == [4, 2] ? .whole : .maybe
    default: break
    }
    // 2026-12-24T18:00Z, 10:00Z, 12:30-13:30, 9am-5pm, 24.-26.12., 18:00+01:00
    let isClock = shape.contains("99:99") || shape.contains("9:99")
    let isSpan =
      isSpan(word) { DatePhrase.month($0) != nil || digits($0) == .whole }
    let rest = shape.filter { !"9:.-+/tzhampuhr".contains($0) }
    if isClock && rest.isEmpty || isSpan { return .whole }
    // 24dec, 5min
    let letters = shape.drop { $0 == "9" }
    return DatePhrase.month(String(letters)) != nil || letters == "uhr" || letters.hasSuffix("ish")
      ? .whole : nil
  }

  /// `9-5`, `12:30-13:30`
  static func isSpan(_ word: String, or isEnd: (String) -> Bool = { _ in false }) -> Bool {
    let ends = word.split(whereSeparator: { "-–".contains($0) }).map(String.init)
    // `7-Eleven` is a name.
    func isClock(_ end: String) -> Bool {
      guard case .time = ClockPhrase.read(end, hourAlone: true) else { return false }
      return DatePhrase.spelledNumbers[end] == nil
    }
    return ends.count == 2 && word.contains(where: \.isNumber)
      && ends.allSatisfy { isClock($0) || isEnd($0) }
  }

  /// `1430`, but not a year.
  static func isCompactClock(_ word: String) -> Bool {
    guard word.utf8.count == 4, let number = DatePhrase.number(word), number % 5 == 0 else {
      return false
    }
    return number < 2400 && number % 100 < 60 && !(1900...2099).contains(number)
  }

  // MARK: Misspelt words

  private static let longNames =
    Weekday.allCases.map(\.englishName)
    + [
      "tomorrow", "yesterday", "tonight", "january", "february", "september", "october", "november",
      "december",
    ]

  /// `wendesday`, `tommorow`
  private static func isMisspelt(_ word: String) -> Bool {
    guard (6...11).contains(word.utf8.count), word != "sundae", word != "sundaes" else {
      return false
    }
    return longNames.contains { name in
      let most = name.count > 7 ? 2 : 1
      return name.first == word.first && distance(Array(word), Array(name), most) <= most
    }
  }

  /// How many letters differ, are missing, too many or exchanged; more than `most` is not counted.
  private static func distance(_ one: [Character], _ other: [Character], _ most: Int) -> Int {
    if abs(one.count - other.count) > most { return most + 1 }
    var rows = [Array(0...other.count)]
    for (i, left) in one.enumerated() {
      var row = [i + 1]
      for (j, right) in other.enumerated() {
        var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (left == right ? 0 : 1))
        if i > 0, j > 0, left == other[j - 1], one[i - 1] == right {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[one.count][other.count]
  }
}
