package import CivilTime

/// When something is, in the words that people type before a title: `tomorrow 12:30 1h`, `24 dec`,
/// `mon 9-9:15`, `24 dec - 26 dec`, `in 2 hours`.
///
/// The leading words are read as a date, a time and a length or an end, in any order, as far as they
/// match. A lone number is not a time, because it can belong to the title; `at 9` is one. An hour alone
/// from 1 to 6 is in the afternoon, unless `in the morning` or the like says more. `every` begins a
/// repetition, which `until june` or `for 10 weeks` ends: `every tuesday at 9:30 for 45 minutes until june`.
package struct WhenPhrase: Hashable, Sendable {
  /// How long it lasts; the days are days of the calendar.
  package struct Length: Hashable, Sendable {
    package let days: Int
    package let seconds: Int

    package init(days: Int, seconds: Int) {
      self.days = days
      self.seconds = seconds
    }
  }

  package enum Extent: Hashable, Sendable {
    case length(Length)
    /// The end. `nil` if whole days are meant: the date is the last day.
    case until(CivilDate, TimeOfDay?)
  }

  package let date: CivilDate
  /// Whether the words name the date; otherwise the time gives it.
  package let namesDate: Bool
  /// `nil` for a whole day.
  package let time: TimeOfDay?
  package let extent: Extent?
  /// How it repeats.
  package let repetition: RulePhrase?
  /// How many of the words were read; the rest is the title.
  package let wordCount: Int

  /// `nil` if the words do not begin with a date or a time.
  ///
  /// A time without a date is today, or tomorrow if it has passed. An end that is not after the
  /// start is on the next day. Next to an event that has a date, `neighbour` is that date. For a new
  /// entry, a weekday is today only while its time is ahead.
  package init?(
    _ words: [String], now: CivilDateTime, near neighbour: DateNeighbour? = nil,
    isNew: Bool = false
  ) throws(WhenPhraseError) {
    var reader = WhenReader(words, now: now, near: neighbour, isNew: isNew)
    while try reader.readPart() {}
    try self.init(reader)
  }

  /// What a reader has read.
  init?(_ reader: WhenReader) throws(WhenPhraseError) {
    guard reader.date != nil || reader.time != nil || reader.repeats || reader.part != nil else {
      return nil
    }
    if let part = reader.part, reader.time == nil {
      throw .partOfDayNeedsHour(
        [part.word, reader.hourAhead].compactMap(\.self).joined(separator: " "),
        part.part.choices(part.word, at: reader.hourAhead))
    }
    if let length = reader.lengthWords, reader.time == nil {
      throw .lengthNeedsTime(length)
    }
    if case .until(_, nil) = reader.extent, reader.time != nil {
      throw .endNeedsTime(reader.readWords)
    }
    let start = try reader.start
    namesDate = reader.date != nil
    time = start.time
    date = start.date
    wordCount = reader.place
    repetition = try reader.repetition
    extent = try reader.placedExtent
  }

  /// Whether all of these words say when something is or how long it lasts.
  package static func readsAll(
    _ words: [String], now: CivilDateTime
  ) throws(WhenPhraseError) -> Bool {
    var reader = WhenReader(words, now: now)
    while try reader.readPart() {}
    return !words.isEmpty && reader.place == words.count
  }
}

/// A part of the day, which decides what an hour such as 8 means.
enum DayPart: String {
  case morning, afternoon, evening, night

  init?(word: String) { self.init(rawValue: word.hasSuffix("s") ? String(word.dropLast()) : word) }

  /// The hour of 24 that an hour from 1 to 12 means. The midnight of a night is 24. `nil` if the
  /// part of the day does not have this hour.
  func hour(_ hour: Int) -> Int? {
    switch self {
    case .morning: hour < 12 ? hour : nil
    case .afternoon: hour == 12 ? 12 : hour < 8 ? hour + 12 : nil
    case .evening: (4...11).contains(hour) ? hour + 12 : nil
    case .night: hour == 12 ? 24 : hour > 4 ? hour + 12 : nil
    }
  }

  /// What to write instead of its words without an hour, or with one alone: `tonight 8`.
  func choices(_ words: String, at hour: String?) -> [String] {
    if let hour { return ["\(words) at \(hour)"] }
    let hours: [DayPart: Int] = [.morning: 9, .afternoon: 3, .evening: 8, .night: 8]
    let all = ["\(words) at \(hours[self] ?? 8)"]
    return words.lowercased() == "tonight" ? all + ["today"] : all
  }

  /// The hours of 24 in it.
  var hours: ClosedRange<Int> {
    switch self {
    case .morning: 0...12
    case .afternoon: 12...19
    case .evening: 16...23
    case .night: 17...24
    }
  }
}

/// Reads one part after the other: a date, a time, an end, a length.
struct WhenReader {
  private let words: [String]
  private let now: CivilDateTime
  private let neighbour: DateNeighbour?
  var place = 0
  var date: CivilDate?
  var time: TimeOfDay?
  var extent: WhenPhrase.Extent?
  /// A length with hours or minutes.
  private(set) var lengthWords: String?
  /// `in the evening`, `tonight`.
  private(set) var part: (part: DayPart, word: String)?
  /// Whether a weekday alone gave the date.
  private var isWeekday = false
  /// The words of the time, as they were read.
  private var clock: ClockPhrase?
  private var end: ClockPhrase?
  private var endDate: CivilDate?
  /// The words of the repetition, of its end, and of its exceptions.
  private var repetitionWords: ArraySlice<String> = []
  private var repetitionEnd: ArraySlice<String> = []
  private var exceptionWords: ArraySlice<String> = []
  /// The times after the first one of a repetition: `at 9:00 and 15:00`.
  private var moreTimes: [TimeOfDay] = []
  /// The first word after the title, from which on a word such as `weekly` is a repetition.
  private let seam: Int?
  /// Whether `10.12` can be a date.
  private let datesHaveDots: Bool
  /// Whether a weekday is today only while its time is ahead, as for a new entry.
  private let isNew: Bool

  init(
    _ words: [String], now: CivilDateTime, near neighbour: DateNeighbour? = nil, seam: Int? = nil,
    datesHaveDots: Bool = false, isNew: Bool = false
  ) {
    self.words = words
    self.now = now
    self.neighbour = neighbour
    self.seam = seam
    self.datesHaveDots = datesHaveDots
    self.isNew = isNew
  }

  var repeats: Bool { !repetitionWords.isEmpty }

  /// Whether the length is at most half a day.
  var isShort: Bool {
    guard case .length(let length) = extent else { return false }
    return length.days == 0 && length.seconds <= 12 * 60 * 60
  }

  var readWords: String { words.prefix(place).joined(separator: " ") }

  private func word(_ offset: Int) -> String? {
    words.indices.contains(place + offset) ? words[place + offset] : nil
  }

  /// An hour alone that comes next.
  var hourAhead: String? {
    guard let word = word(0), case .time(let clock) = ClockPhrase.read(word, hourAlone: true),
      clock.isBareHour
    else { return nil }
    return word
  }

  private func plainWord(_ offset: Int) -> String? { word(offset).map(DatePhrase.plain) }

  /// Whether the next words are a part that is still missing.
  mutating func readPart() throws(WhenPhraseError) -> Bool {
    if try readRepetition() { return true }
    if date == nil, time == nil, readTimeFromNow() { return true }
    if date == nil {
      if let found = dateAndTime() {
        (date, time) = (found.date, found.time)
        place += 1
        return true
      }
      if try readWeekend() { return true }
      if try readDates() { return true }
      let isDay = Weekday(englishWord: plainWord(0) ?? "") != nil
      // In `every Monday Sunday school` it belongs to the title.
      if let found = try leadingDate(at: 0), !repeats || !isDay || found.count > 1 {
        isWeekday = isDay && found.count == 1
        date = found.date
        place += found.count
        return true
      }
    }
    if readPartOfDay() { return true }
    if time == nil, try readTime() { return true }
    guard extent == nil, end == nil else { return false }
    if try readEnd() { return true }
    return readLength()
  }

  // MARK: Dates

  private func leadingDate(
    at offset: Int, near neighbour: DateNeighbour? = nil
  ) throws(WhenPhraseError) -> (date: CivilDate, count: Int)? {
    guard place + offset < words.count else { return nil }
    do throws(DatePhraseError) {
      return try DatePhrase.leading(
        words[(place + offset)...], today: now.date, near: neighbour ?? self.neighbour)
    } catch {
      throw .date(error)
    }
  }

  /// `2026-11-24T12:30`
  private func dateAndTime() -> CivilDateTime? {
    guard time == nil, let parts = word(0)?.split(separator: "T"), parts.count == 2,
      let date = try? DatePhrase.parse(String(parts[0]), today: now.date),
      case .time(let clock) = ClockPhrase.read(String(parts[1]), hourAlone: false),
      !clock.isEndOfDay
    else { return nil }
    return CivilDateTime(date, clock.time)
  }

  /// `this weekend`
  private mutating func readWeekend() throws(WhenPhraseError) -> Bool {
    let prefix = plainWord(0) == "on" || plainWord(0) == "at" ? 1 : 0
    let article = prefix > 0 ? "the" : "this"
    guard plainWord(prefix) == article, plainWord(prefix + 1) == "weekend" else { return false }
    func day(_ side: PeriodSide) -> CivilDate? {
      try? DatePhrase.parse("this weekend", today: now.date, side: side)
    }
    guard extent == nil, let first = day(.first), let last = day(.last) else { return false }
    try take((first, last), wordCount: prefix + 2)
    return true
  }

  /// `in the morning`, `at night`, `this evening`, `tonight`, and `morning` after a date or `every monday`.
  private mutating func readPartOfDay() -> Bool {
    guard part == nil, let first = plainWord(0) else { return false }
    func take(_ part: DayPart?, _ count: Int, today: Bool = false) -> Bool {
      guard let part, !today || date == nil || date == now.date else { return false }
      self.part = (part, words[place..<(place + count)].joined(separator: " "))
      if today { date = now.date }
      place += count
      return true
    }
    if first == "tonight" { return take(.night, 1, today: true) }
    let second = plainWord(1).flatMap { DayPart(word: $0) }
    switch first {
    case "this": return take(second == .night ? nil : second, 2, today: true)
    case "at": return second == .night && time != nil ? take(second, 2) : false
    case "in", "during":
      guard plainWord(1) == "the" else { return false }
      return time != nil || date != nil
        ? take(plainWord(2).flatMap { DayPart(word: $0) }, 3) : false
    default:
      // `tomorrow Morning run` begins with a title.
      guard place > 0, place != seam, time == nil, date != nil || repeats,
        word(0)?.first?.isUppercase == false || words[place - 1].first?.isUppercase == true
      else { return false }
      return take(DayPart(word: first), 1)
    }
  }

  /// The first and last day in one word, or with one month: `mon-wed`, `24.12.-26.12.`,
  /// `24.-26.12.`, `24-26 dec`, `dec 24-26`.
  private mutating func readDates() throws(WhenPhraseError) -> Bool {
    guard extent == nil, let first = plainWord(0) else { return false }
    let second = plainWord(1)
    for (offset, text, month) in [(0, first, second), (1, second ?? "", first)] {
      let parts = Self.ends(of: text)
      guard parts.count == 2 else { continue }
      if offset == 0, let range = days(parts.map { [$0] }) ?? daysOfOneMonth(parts) {
        try take(range, wordCount: 1)
        return true
      }
      guard let month, month.first?.isLetter == true, isRange(parts, wordCount: 2) else { continue }
      let year = word(2).flatMap { $0.utf8.count == 4 ? DatePhrase.number($0) : nil }
      let rest = year.map { [String($0)] } ?? []
      if let range = days(parts.map { [$0, month] + rest }) {
        try take(range, wordCount: 2 + rest.count)
        return true
      }
    }
    return try readSpacedDates()
  }

  /// Whether these are days of a month. In `9-11 dec 24` they are hours before a date.
  private func isRange(_ parts: [String], wordCount: Int) -> Bool {
    let days = parts.compactMap { DatePhrase.number($0) }
    let next = plainWord(wordCount) ?? ""
    let isDay = DatePhrase.number(next).map { $0 <= 31 } ?? (DatePhrase.ordinal(next) != nil)
    let isApart = seam.map { place < $0 && $0 < place + wordCount } ?? false
    return days.count == 2 && days[0] < days[1] && !isDay && !isApart
  }

  /// `24 - 26 dec`, `24 to 26 dec 2027`.
  private mutating func readSpacedDates() throws(WhenPhraseError) -> Bool {
    let from = plainWord(0) == "from" ? 1 : 0
    guard let first = plainWord(from), let dash = plainWord(from + 1),
      let last = plainWord(from + 2), let month = plainWord(from + 3), Self.ends.contains(dash),
      month.first?.isLetter == true, isRange([first, last], wordCount: from + 4)
    else { return false }
    let year = word(from + 4).flatMap { $0.utf8.count == 4 ? DatePhrase.number($0) : nil }
    let rest = year.map { [String($0)] } ?? []
    guard let range = days([[first, month] + rest, [last, month] + rest]) else { return false }
    try take(range, wordCount: from + 4 + rest.count)
    return true
  }

  private mutating func take(
    _ days: (first: CivilDate, last: CivilDate), wordCount: Int
  ) throws(WhenPhraseError) {
    place += wordCount
    guard days.first <= days.last else { throw .endBeforeStart(readWords) }
    date = days.first
    extent = .until(days.last, nil)
  }

  /// `24.` and `26.12.`
  private func daysOfOneMonth(_ parts: [String]) -> (first: CivilDate, last: CivilDate)? {
    let day = parts[0].hasSuffix(".") ? parts[0].dropLast() : parts[0][...]
    guard let dot = parts[1].firstIndex(of: "."), DatePhrase.number(day) != nil else { return nil }
    return days([["\(day)\(parts[1][dot...])"], [parts[1]]])
  }

  private func days(_ phrases: [[String]]) -> (first: CivilDate, last: CivilDate)? {
    guard
      let first = try? DatePhrase.parse(phrases[0].joined(separator: " "), today: now.date),
      let last = lastDay(phrases[1], from: first)
    else { return nil }
    return (first, last)
  }

  private func lastDay(_ words: [String], from first: CivilDate) -> CivilDate? {
    let found = try? DatePhrase.leading(words[...], today: now.date, near: .start(on: first))
    if let found, found.count == words.count { return found.date }
    return try? DatePhrase.parse(words.joined(separator: " "), today: first)
  }

  /// The parts of a word with one dash.
  private static func ends(of word: String) -> [String] {
    for dash in ["–", "—", "-"] where word.contains(dash) {
      return word.split(separator: dash, omittingEmptySubsequences: false).map(String.init)
    }
    return []
  }

  // MARK: Times

  /// `in 2 hours`, `in 45min`
  private mutating func readTimeFromNow() -> Bool {
    guard plainWord(0) == "in",
      let found = LengthWords(words[(place + 1)...], allowsSpelled: true),
      found.length.days == 0,
      let moment = CivilDateTime(
        civilSeconds: (now.civilSeconds + found.length.seconds) / 60 * 60)
    else { return false }
    (date, time) = (moment.date, moment.time)
    place += 1 + found.count
    return true
  }

  /// `12:30`, `9am`, `9 am`, `at 9`, `9-10`, `9 - 10`, `from 9 to 10`.
  private mutating func readTime() throws(WhenPhraseError) -> Bool {
    let begin = place
    if let first = plainWord(0), ["at", "from", "@", "between"].contains(first) {
      place += 1
      if try readSpan(after: first) { return true }
      if first == "between" {
        place = begin
        return false
      }
      if let found = try clock(hourAlone: true) {
        try start(at: found.clock, wordCount: found.count)
        return true
      }
      place = begin
      return false
    }
    if try readSpan() { return true }
    guard let found = try clock(hourAlone: false) else { return false }
    try start(at: found.clock, wordCount: found.count)
    return true
  }

  private mutating func start(at clock: ClockPhrase, wordCount: Int) throws(WhenPhraseError) {
    if clock.isEndOfDay { throw .noSuchTime(word(0) ?? "") }
    time = clock.time
    self.clock = clock
    place += wordCount
  }

  /// `9-10` or `9 - 10`, with hours alone.
  private mutating func readSpan(after preposition: String = "") throws(WhenPhraseError) -> Bool {
    guard let first = word(0) else { return false }
    var texts = Self.ends(of: first)
    var count = 1
    let firstHalf = texts.count < 2 ? word(1).flatMap(ClockPhrase.half) ?? "" : ""
    let dash = firstHalf.isEmpty ? 1 : 2
    let dashes = preposition == "between" ? ["and"] : Self.dashes
    if texts.count < 2, let joint = plainWord(dash), dashes.contains(joint),
      let last = word(dash + 1), !isDate(at: dash + 1, after: first + firstHalf)
    {
      texts = [first + firstHalf, last]
      count = dash + 2
    }
    guard texts.count == 2 else { return false }
    // `2 - 3 pm`
    if let half = word(count).flatMap(ClockPhrase.half),
      case .time = ClockPhrase.read(texts[1] + half, hourAlone: false)
    {
      texts[1] += half
      count += 1
    }
    // `Twenty-One` and `1914-1918` begin titles.
    if preposition.isEmpty,
      texts.contains(where: { $0.allSatisfy { $0.isLetter } && !$0.lowercased().hasSuffix("m") })
        && !texts.contains(where: { ["noon", "midday", "midnight"].contains($0.lowercased()) })
        || texts.contains(where: { $0.utf8.count == 4 && DatePhrase.number($0) != nil })
    {
      return false
    }
    // 22-24
    if texts[1] == "24" { texts[1] = "24:00" }
    let readings = texts.map { ClockPhrase.read($0, hourAlone: true) }
    switch (readings[0], readings[1]) {
    case (.time(let begin), .time(let end)):
      if case .until(_, nil) = extent {
        throw .hoursOfSeveralDays(
          readWords + " " + words[place..<(place + count)].joined(separator: " "))
      }
      guard extent == nil else { return false }
      try start(at: begin, wordCount: count)
      self.end = end
      return true
    case (.impossible, .time), (.impossible, .impossible): throw .noSuchTime(texts[0])
    case (.time, .impossible): throw .noSuchTime(texts[1])
    default: return false
    }
  }

  /// Whether a date with a day comes after the dash of `22:15 - 9 dec 6:40`.
  private func isDate(at offset: Int, after first: String) -> Bool {
    guard case .time = ClockPhrase.read(first, hourAlone: false) else { return false }
    return ((try? leadingDate(at: offset)) ?? nil) != nil
  }

  /// A time in one word, or `9 am`, and how many words it takes.
  private func clock(
    hourAlone: Bool, at offset: Int = 0
  ) throws(WhenPhraseError) -> (clock: ClockPhrase, count: Int)? {
    guard let word = word(offset) else { return nil }
    if let found = try hourInWords(at: offset) { return found }
    if let half = self.word(offset + 1).flatMap(ClockPhrase.half),
      case .time(let clock) = ClockPhrase.read(word + half, hourAlone: false)
    {
      return (clock, 2)
    }
    let unit = plainWord(offset + 1) ?? ""
    let hasUnit = ["uhr", "o'clock", "oclock", "o’clock"].contains(unit)
    switch ClockPhrase.read(word, hourAlone: hourAlone || hasUnit) {
    case .time(let clock):
      try checkDots(of: word)
      return (clock, hasUnit || unit == "hrs" && !clock.isBareHour ? 2 : 1)
    case .impossible: throw .noSuchTime(word)
    case .none: break
    }
    // 24.12 is a date only with its last dot; as a time it would be 24:12.
    if date == nil, word.suffix(3).first == ".",
      (try? DatePhrase.parse(word + ".", today: now.date)) != nil
    {
      throw .dateWithoutDot(word)
    }
    return nil
  }

  /// In `10.12` where dates have dots, either is meant, unless the date is known.
  private func checkDots(of word: String) throws(WhenPhraseError) {
    guard datesHaveDots, date == nil, word.contains("."), DatePhrase.number(word.suffix(1)) != nil,
      (try? DatePhrase.parse(word + ".", today: now.date)) != nil
    else { return }
    throw .unclear(word, ["\(word).", word.split(separator: ".").joined(separator: ":")])
  }

  /// `half past nine`, `a quarter to 6`, `ten past 9`, `nine thirty`. `at ten to nine` has two readings.
  private func hourInWords(
    at offset: Int
  ) throws(WhenPhraseError) -> (clock: ClockPhrase, count: Int)? {
    let begin = offset + (plainWord(offset) == "a" ? 1 : 0)
    let first = plainWord(begin) ?? ""
    let spelled = DatePhrase.spelledNumbers[first]
    var (hourOffset, minutes) = (begin, 0)
    if let spelled, spelled <= 12, begin == offset,
      let after = DatePhrase.spelledNumbers[plainWord(begin + 1) ?? ""], after > 9, after % 5 == 0
    {
      minutes = after
    } else if let before = ["half": 30, "quarter": 15][first] ?? spelled
      ?? DatePhrase.number(first),
      before < 30 || before == 30 && spelled == nil, before % 5 == 0,
      let joint = plainWord(begin + 1), joint == "past" || joint == "to" && before < 30
    {
      (hourOffset, minutes) = (begin + 2, joint == "past" ? before : -before)
    } else {
      return nil
    }
    guard let word = word(hourOffset),
      case .time(let hour) = ClockPhrase.read(word, hourAlone: true),
      hour.isBareHour || hour.hasHalf
    else { return nil }
    guard
      let time = TimeOfDay(
        secondOfDay: (Int(hour.time.secondOfDay) + minutes * 60 + Self.day) % Self.day)
    else { return nil }
    let isBareHour = hour.isBareHour && hour.time.hour <= 6
    if minutes < 0, first != "quarter" {
      guard ["at", "@", "until", "till"].contains(plainWord(offset - 1)) else { return nil }
      let afternoon = TimeOfDay(secondOfDay: Int(time.secondOfDay) + Self.day / 2) ?? time
      throw .unclear(
        words[(place + begin)...(place + hourOffset)].joined(separator: " "),
        [
          String("\(isBareHour ? afternoon : time)".prefix(5)), "\(-minutes)-\(hour.time.hour)",
        ])
    }
    let clock = ClockPhrase(
      time: time, isEndOfDay: false, hasHalf: hour.hasHalf, isBareHour: isBareHour, isPadded: false)
    return (clock, hourOffset == begin ? 2 : hourOffset + 1 - offset)
  }

  // MARK: Repetitions

  /// `every tuesday`; after it `until june` or `for 10 weeks`. `for 45 minutes` is a length, and
  /// `until 10:30` the end of each occurrence.
  private mutating func readRepetition() throws(WhenPhraseError) -> Bool {
    let rest = words[place...]
    if !repeats {
      if let failure = RulePhrase.ambiguity(rest) { throw .unclear(failure.word, failure.choices) }
      guard let opening = RulePhrase.opening(rest) else { return false }
      let count = RulePhrase.leadingCount(rest, today: now.date)
      guard count > 0 else { return false }
      var reader = self
      reader.repetitionWords = rest.prefix(count)
      reader.place += count
      guard reader.begins(opening) else { return false }
      // `every night at 10`
      let last = words[reader.place - 1]
      if let part = DayPart(word: DatePhrase.plain(last)) { reader.part = (part, last) }
      self = reader
      return true
    }
    if repeats, time != nil, end == nil, plainWord(0) == "and",
      let found = try clock(hourAlone: false, at: 1), !found.clock.isEndOfDay
    {
      moreTimes.append(found.clock.time)
      place += 1 + found.count
      return true
    }
    if repeats, exceptionWords.isEmpty {
      let count = RulePhrase.leadingExceptionCount(rest, today: now.date, start: startDate)
      exceptionWords = rest.prefix(count)
      place += count
      if count > 0 { return true }
    }
    guard repeats, repetitionEnd.isEmpty else { return false }
    if ["until", "till"].contains(plainWord(0)) {
      // Nothing explains an impossible date better than its own error.
      _ = try leadingDate(at: 1, near: .start(on: startDate))
    }
    // In `every tuesday until june 9:30` the time is that of the event.
    let count = RulePhrase.leadingEndCount(
      rest, today: now.date, start: startDate, readsTime: time != nil)
    repetitionEnd = rest.prefix(count)
    place += count
    return count > 0
  }

  /// Whether the words that were just read are a repetition. Titles can have words such as `weekly`
  /// and `fridays`, so a time must follow, or they come after the title and the time.
  private func begins(_ opening: RulePhrase.Opening) -> Bool {
    switch opening {
    case .every: return true
    case .position: return date == nil
    // `yearly on may 3`
    case .adverb where repetitionWords.count > 1: return true
    case .adverb where (seam ?? .max) < place && (date != nil || time != nil): return true
    case .adverb where time != nil: return false
    case .adverb, .weekdays:
      var ahead = self
      while (try? ahead.readPart()) == true {}
      // In `weekly mon 9:00` and `Fridays tomorrow 9:00` the first word is more likely part of the title.
      return ahead.time != nil && ahead.date == nil
    }
  }

  var repetition: RulePhrase? {
    get throws(WhenPhraseError) {
      guard repeats else { return nil }
      var words = repetitionWords + repetitionEnd + exceptionWords
      if let first = clockTime, !moreTimes.isEmpty {
        words += ["at"] + ([first] + moreTimes).map { "\($0)" }
      }
      let text = words.joined(separator: " ")
      do {
        let phrase = try RulePhrase(text, today: now.date, start: startDate)
        if phrase.rule.byMonth == [2], phrase.rule.byMonthDay == [29], phrase.rule.interval == 1 {
          let day = repetitionWords.joined(separator: " ")
          throw WhenPhraseError.unclear(day, ["every 28 feb", "every 4 years on 29 feb"])
        }
        return phrase
      } catch let error as WhenPhraseError {
        throw error
      } catch {
        throw .repetition("\(text): \(error)")
      }
    }
  }

  // MARK: Ends and lengths

  private static let dashes = ["-", "–", "—"]
  private static let ends = dashes + ["to", "until", "till", "through"]

  /// `- 13:30`, `until wed`, `to tomorrow 1:00`.
  private mutating func readEnd() throws(WhenPhraseError) -> Bool {
    guard let first = plainWord(0), Self.ends.contains(first) else { return false }
    let earliest = time == nil ? date : startDate
    guard let earliest else { return false }
    // In `from 9 to 11 dec 24` 11 is an hour.
    let isHour =
      time != nil && DatePhrase.number(plainWord(1) ?? "") != nil
      && DatePhrase.month(plainWord(2) ?? "") != nil
      && (DatePhrase.number(plainWord(3) ?? "").map { $0 <= 31 }
        ?? (DatePhrase.ordinal(plainWord(3) ?? "") != nil))
    let foundDate = isHour ? nil : try leadingDate(at: 1, near: .start(on: earliest))
    let count = 1 + (foundDate?.count ?? 0)
    if time != nil, let found = try clock(hourAlone: true, at: count) {
      (end, endDate) = (found.clock, foundDate?.date)
      place += count + found.count
      return true
    }
    guard let foundDate else {
      return time == nil && (readLastDayOfMonth() || readLastMonth(from: earliest))
    }
    place += count
    guard earliest <= foundDate.date else { throw .endBeforeStart(readWords) }
    extent = .until(foundDate.date, nil)
    return true
  }

  /// `- 26` after `dec 24` or `24 dec`.
  private mutating func readLastDayOfMonth() -> Bool {
    guard let date, place >= 2, let last = word(1), DatePhrase.number(last) != nil else {
      return false
    }
    let first = words[(place - 2)..<place]
    guard (try? DatePhrase.parse(first.joined(separator: " "), today: date)) == date,
      let month = first.first(where: { $0.first?.isLetter == true }),
      let end = try? DatePhrase.parse("\(month) \(last)", today: date), end.month == date.month,
      end.year == date.year
    else { return false }
    extent = .until(end, nil)
    place += 2
    return true
  }

  /// `until june`, `till the end of next month`.
  private mutating func readLastMonth(from earliest: CivilDate) -> Bool {
    guard plainWord(0) == "until" || plainWord(0) == "till" else { return false }
    let found = try? DatePhrase.leading(
      words[(place + 1)...], today: now.date, near: .start(on: earliest), side: .last)
    guard let found, earliest <= found.date else { return false }
    extent = .until(found.date, nil)
    place += 1 + found.count
    return true
  }

  /// `1h`, `90 minutes`, `for 2 days`, `for half an hour`.
  private mutating func readLength() -> Bool {
    let prefix = plainWord(0) == "for" ? 1 : 0
    guard place + prefix < words.count,
      let found = LengthWords(words[(place + prefix)...], allowsSpelled: prefix > 0)
    else { return false }
    extent = .length(found.length)
    let begin = place
    place += prefix + found.count
    if found.length.seconds > 0 { lengthWords = words[begin..<place].joined(separator: " ") }
    return true
  }

  // MARK: Result

  /// The date in words, the day on which a repetition begins, or that of the time.
  private var startDate: CivilDate {
    let isPast = clockTime.map { $0 < now.time } ?? false
    let later = now.date.adding(days: 1) ?? now.date
    if let date {
      let isOver = isWeekday && isNew && isPast && date == now.date
      return isOver ? date.adding(weeks: 1) ?? date : date
    }
    return isPast ? later : now.date
  }

  /// The start, at the half of the day that is meant.
  var start: (time: TimeOfDay?, date: CivilDate) {
    get throws(WhenPhraseError) {
      let time = clockTime
      if self.time != nil, time == nil { throw .otherPartOfDay(readWords) }
      guard part?.part == .night, time?.hour == 0 else { return (time, startDate) }
      // The midnight of a night belongs to the next day.
      return (time, startDate.adding(days: 1) ?? startDate)
    }
  }

  private static let day = TimeOfDay.secondsPerCivilDay

  /// `nil` without a time, and if it is not in the part of the day that the words name.
  private var clockTime: TimeOfDay? {
    guard let time, let clock else { return time }
    let second = Int(time.secondOfDay)
    let canBeEither = (1...12).contains(time.hour) && !clock.hasHalf && !clock.isPadded
    if let part = part?.part {
      guard canBeEither else {
        return part.hours.contains(time.hour) || part == .night && time.hour == 0 ? time : nil
      }
      return part.hour(time.hour).flatMap {
        TimeOfDay(hour: $0 % 24, minute: time.minute, second: time.second)
      }
    }
    // In the afternoon if only its end says so: `2-3pm`.
    if let end, end.hasHalf, endDate == nil, canBeEither {
      let morning = second % (Self.day / 2)
      // Whichever half of the day makes it shorter.
      let best = [morning, morning + Self.day / 2].min {
        Self.seconds(from: $0, to: end.time) < Self.seconds(from: $1, to: end.time)
      }
      return best.flatMap { TimeOfDay(secondOfDay: $0) }
    }
    // In `6-14` both are hours of 24.
    let isOf24 = end.map { !$0.hasHalf && $0.time.hour > 12 } ?? false
    guard clock.isBareHour, time.hour <= 6, !isOf24 else { return time }
    return TimeOfDay(secondOfDay: second + Self.day / 2)
  }

  /// How long it is from a second of the day to the next such time.
  private static func seconds(from begin: Int, to end: TimeOfDay) -> Int {
    (Int(end.secondOfDay) - begin - 1 + day) % day
  }

  /// The half of the day of an end such as `5pm-6`: the one that comes first after the start.
  private func end(
    _ end: ClockPhrase, after start: TimeOfDay
  ) throws(WhenPhraseError) -> TimeOfDay {
    guard !end.hasHalf, !end.isPadded, !end.isEndOfDay, (1...12).contains(end.time.hour) else {
      return end.time
    }
    let morning = TimeOfDay(secondOfDay: Int(end.time.secondOfDay) % (Self.day / 2))
    let evening = morning.flatMap { TimeOfDay(secondOfDay: Int($0.secondOfDay) + Self.day / 2) }
    guard let morning, let evening else { return end.time }
    if endDate != nil { return end.isBareHour && end.time.hour <= 6 ? evening : end.time }
    let begin = Int(start.secondOfDay)
    let isMorning = Self.seconds(from: begin, to: morning) < Self.seconds(from: begin, to: evening)
    let isOfHalf = clock.map { $0.hasHalf || $0.isBareHour } ?? false || part != nil
    // 12-12
    if isOfHalf, end.isBareHour, clock?.isBareHour == true, end.time == clock?.time {
      throw .endNeedsDate(readWords)
    }
    if isOfHalf || start.hour == 12 || end.isBareHour && start.hour < 12 {
      return isMorning ? morning : evening
    }
    if end.isBareHour, evening > start { throw .unclearHalf(readWords) }
    return end.time
  }

  /// The extent with the date of an end that is only a time.
  var placedExtent: WhenPhrase.Extent? {
    get throws(WhenPhraseError) {
      let start = try self.start
      guard let end, let time = start.time else { return extent }
      let endTime = try self.end(end, after: time)
      if let endDate {
        guard let last = end.isEndOfDay ? endDate.adding(days: 1) : endDate,
          CivilDateTime(start.date, time) < CivilDateTime(last, endTime)
        else { throw .endBeforeStart(readWords) }
        return .until(last, endTime)
      }
      if time < endTime { return .until(start.date, endTime) }
      guard endTime.endsOnNextDay(after: time) else {
        let isUnclear = !end.hasHalf && clock?.hasHalf != true && time.hour < 12
        throw isUnclear ? .unclearHalf(readWords) : .endNeedsDate(readWords)
      }
      return .until(start.date.adding(days: 1) ?? start.date, endTime)
    }
  }
}
