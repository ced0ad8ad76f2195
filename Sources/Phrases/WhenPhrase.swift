package import CivilTime

/// When something is, in the words that people type before a title: `tomorrow 12:30 1h`, `24 dec`,
/// `mon 9-9:15`, `24 dec - 26 dec`, `in 2 hours`.
///
/// The leading words are read as a date, a time and a length or an end, in any order, as far as they
/// match. A lone number is not a time, because it can belong to the title; `at 9` is one. `every` begins a
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
  /// start is on the next day.
  package init?(_ words: [String], now: CivilDateTime) throws(WhenPhraseError) {
    try self.init(words, now: now, near: nil)
  }

  /// The same for words that come after a title. There, `weekly` after a date or time is a repetition
  /// too.
  package init?(allOf words: [String], now: CivilDateTime) throws(WhenPhraseError) {
    try self.init(WhenReader(words, now: now, allowsAdverbs: true))
    if wordCount != words.count { return nil }
  }

  /// The same for an event that has a date already.
  package init?(
    _ words: [String], now: CivilDateTime, near neighbour: DateNeighbour?
  ) throws(WhenPhraseError) {
    try self.init(WhenReader(words, now: now, near: neighbour))
  }

  private init?(_ reader: WhenReader) throws(WhenPhraseError) {
    var reader = reader
    while try reader.readPart() {}
    guard reader.date != nil || reader.time != nil || reader.repeats else { return nil }
    if let length = reader.lengthWords, reader.time == nil {
      throw .lengthNeedsTime(length)
    }
    if case .until(_, nil) = reader.extent, reader.time != nil {
      throw .endNeedsTime(reader.readWords)
    }
    namesDate = reader.date != nil
    time = reader.startTime
    date = reader.startDate
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

  /// The words of a title that say when something is, but come too late to be read: a time if the
  /// phrase has none, and so on. Titles contain such words by intent too.
  package static func unreadWords(
    in title: [String], after phrase: WhenPhrase?, now: CivilDateTime
  ) -> String? {
    // Perhaps an hour.
    if phrase?.time == nil, let first = title.first, let hour = DatePhrase.number(first),
      (1...24).contains(hour)
    {
      return first
    }
    return timeWords(in: title, after: phrase, now: now)
  }

  /// The first words of a title that say when something is, except what `phrase` says already.
  package static func timeWords(
    in title: [String], after phrase: WhenPhrase? = nil, now: CivilDateTime
  ) -> String? {
    for place in title.indices {
      var reader = WhenReader(Array(title[place...]), now: now)
      reader.date = phrase.flatMap { $0.namesDate ? $0.date : nil }
      reader.time = phrase?.time
      reader.extent = phrase?.extent
      if phrase?.repetition != nil { reader.forbidRepetition() }
      do throws(WhenPhraseError) {
        let isPart = try reader.readPart()
        // A length needs a time, which the title can have too.
        if isPart, reader.lengthWords == nil || phrase?.time != nil { return reader.readWords }
      } catch {
        return title[place]
      }
    }
    return nil
  }
}

/// Reads one part after the other: a date, a time, an end, a length.
private struct WhenReader {
  private let words: [String]
  private let now: CivilDateTime
  private let neighbour: DateNeighbour?
  var place = 0
  var date: CivilDate?
  var time: TimeOfDay?
  var extent: WhenPhrase.Extent?
  /// A length with hours or minutes.
  private(set) var lengthWords: String?
  private var startHasHalf = false
  private var end: ClockPhrase?
  private var endDate: CivilDate?
  /// The words of the repetition, of its end, and of its exceptions.
  private var repetitionWords: ArraySlice<String> = []
  private var repetitionEnd: ArraySlice<String> = []
  private var exceptionWords: ArraySlice<String> = []
  private var canRepeat = true
  /// The times after the first one of a repetition: `at 9:00 and 15:00`.
  private var moreTimes: [TimeOfDay] = []
  /// Whether a word such as `weekly` is a repetition.
  private let allowsAdverbs: Bool

  init(
    _ words: [String], now: CivilDateTime, near neighbour: DateNeighbour? = nil,
    allowsAdverbs: Bool = false
  ) {
    self.words = words
    self.now = now
    self.neighbour = neighbour
    self.allowsAdverbs = allowsAdverbs
  }

  var repeats: Bool { !repetitionWords.isEmpty }

  mutating func forbidRepetition() { canRepeat = false }

  var readWords: String { words.prefix(place).joined(separator: " ") }

  private func word(_ offset: Int) -> String? {
    words.indices.contains(place + offset) ? words[place + offset] : nil
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
      if try readDates() { return true }
      if let found = try leadingDate(at: 0) {
        date = found.date
        place += found.count
        return true
      }
    }
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
      guard let month, month.first?.isLetter == true,
        parts.allSatisfy({ DatePhrase.number($0) != nil })
      else { continue }
      let year = word(2).flatMap { $0.utf8.count == 4 ? DatePhrase.number($0) : nil }
      let rest = year.map { [String($0)] } ?? []
      if let range = days(parts.map { [$0, month] + rest }) {
        try take(range, wordCount: 2 + rest.count)
        return true
      }
    }
    return try readSpacedDates()
  }

  /// `24 - 26 dec`, `24 to 26 dec 2027`.
  private mutating func readSpacedDates() throws(WhenPhraseError) -> Bool {
    guard let first = plainWord(0), let dash = plainWord(1), let last = plainWord(2),
      let month = plainWord(3), DatePhrase.number(first) != nil, Self.ends.contains(dash),
      DatePhrase.number(last) != nil, month.first?.isLetter == true
    else { return false }
    let year = word(4).flatMap { $0.utf8.count == 4 ? DatePhrase.number($0) : nil }
    let rest = year.map { [String($0)] } ?? []
    guard let range = days([[first, month] + rest, [last, month] + rest]) else { return false }
    try take(range, wordCount: 4 + rest.count)
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
    guard plainWord(0) == "in", let found = LengthWords(words[(place + 1)...]),
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
    if ["at", "from", "@"].contains(plainWord(0)) {
      place += 1
      if try readSpan() { return true }
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
    startHasHalf = clock.hasHalf
    place += wordCount
  }

  /// `9-10` or `9 - 10`, with hours alone.
  private mutating func readSpan() throws(WhenPhraseError) -> Bool {
    guard extent == nil, let first = word(0) else { return false }
    var texts = Self.ends(of: first)
    var count = 1
    if texts.count < 2, let dash = word(1), Self.dashes.contains(dash), let last = word(2),
      !isDate(at: 2, after: first)
    {
      texts = [first, last]
      count = 3
    }
    guard texts.count == 2 else { return false }
    // `2 - 3 pm`
    if let half = plainWord(count), half == "am" || half == "pm",
      case .time = ClockPhrase.read(texts[1] + half, hourAlone: false)
    {
      texts[1] += half
      count += 1
    }
    // 22-24
    if texts[1] == "24" { texts[1] = "24:00" }
    let readings = texts.map { ClockPhrase.read($0, hourAlone: true) }
    switch (readings[0], readings[1]) {
    case (.time(let begin), .time(let end)):
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
    if let half = plainWord(offset + 1), half == "am" || half == "pm",
      case .time(let clock) = ClockPhrase.read(word + half, hourAlone: false)
    {
      return (clock, 2)
    }
    switch ClockPhrase.read(word, hourAlone: hourAlone) {
    case .time(let clock): return (clock, 1)
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

  // MARK: Repetitions

  /// `every tuesday`; after it `until june` or `for 10 weeks`. `for 45 minutes` is a length, and
  /// `until 10:30` the end of each occurrence.
  private mutating func readRepetition() throws(WhenPhraseError) -> Bool {
    let rest = words[place...]
    if !repeats, canRepeat {
      guard let opening = RulePhrase.opening(rest) else { return false }
      let count = RulePhrase.leadingCount(rest, today: now.date)
      guard count > 0 else { return false }
      var reader = self
      reader.repetitionWords = rest.prefix(count)
      reader.place += count
      guard reader.begins(opening) else { return false }
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
    case .adverb where allowsAdverbs && (date != nil || time != nil): return true
    case .adverb where time != nil: return false
    case .adverb, .weekdays:
      var ahead = self
      while (try? ahead.readPart()) == true {}
      // In `weekly mon 9:00` and `Fridays tomorrow 9:00` the first word rather belongs to the title.
      return ahead.time != nil && ahead.date == nil
    }
  }

  var repetition: RulePhrase? {
    get throws(WhenPhraseError) {
      guard repeats else { return nil }
      var words = repetitionWords + repetitionEnd + exceptionWords
      if let first = startTime, !moreTimes.isEmpty {
        words += ["at"] + ([first] + moreTimes).map { "\($0)" }
      }
      let text = words.joined(separator: " ")
      do {
        return try RulePhrase(text, today: now.date, start: startDate)
      } catch {
        throw .repetition("\(text): \(error)")
      }
    }
  }

  // MARK: Ends and lengths

  private static let dashes = ["-", "–", "—"]
  private static let ends = dashes + ["to", "until", "till"]

  /// `- 13:30`, `until wed`, `to tomorrow 1:00`.
  private mutating func readEnd() throws(WhenPhraseError) -> Bool {
    guard let first = plainWord(0), Self.ends.contains(first) else { return false }
    let earliest = time == nil ? date : startDate
    guard let earliest else { return false }
    let foundDate = try leadingDate(at: 1, near: .start(on: earliest))
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

  var startDate: CivilDate {
    if let date { return date }
    guard let time = startTime, time < now.time else { return now.date }
    return now.date.adding(days: 1) ?? now.date
  }

  /// The time, in the afternoon if only its end says so: `2-3pm`.
  var startTime: TimeOfDay? {
    guard let time, let end, end.hasHalf, !startHasHalf, endDate == nil,
      (1...12).contains(time.hour)
    else { return time }
    let day = TimeOfDay.secondsPerCivilDay
    let morning = Int(time.secondOfDay) % (day / 2)
    // Whichever half of the day makes it shorter.
    let best = [morning, morning + day / 2].min {
      (Int(end.time.secondOfDay) - $0 - 1 + day) % day
        < (Int(end.time.secondOfDay) - $1 - 1 + day) % day
    }
    return best.flatMap { TimeOfDay(secondOfDay: $0) }
  }

  /// The half of the day of an end such as `5pm-6`: the one that comes first after the start.
  private func end(_ end: ClockPhrase, after start: TimeOfDay) -> TimeOfDay {
    guard startHasHalf, !end.hasHalf, (1...12).contains(end.time.hour) else { return end.time }
    let day = TimeOfDay.secondsPerCivilDay
    let begin = Int(start.secondOfDay)
    let morning = Int(end.time.secondOfDay) % (day / 2)
    let first = [morning, morning + day / 2].min {
      ($0 - begin - 1 + day) % day < ($1 - begin - 1 + day) % day
    }
    return first.flatMap { TimeOfDay(secondOfDay: $0) } ?? end.time
  }

  /// The extent with the date of an end that is only a time.
  var placedExtent: WhenPhrase.Extent? {
    get throws(WhenPhraseError) {
      guard let end, let time = startTime else { return extent }
      let start = CivilDateTime(startDate, time)
      if let endDate {
        guard let last = end.isEndOfDay ? endDate.adding(days: 1) : endDate,
          start < CivilDateTime(last, end.time)
        else { throw .endBeforeStart(readWords) }
        return .until(last, end.time)
      }
      let endTime = self.end(end, after: time)
      if start.time < endTime { return .until(start.date, endTime) }
      guard endTime.endsOnNextDay(after: time) else {
        let isUnclear = !end.hasHalf && !startHasHalf && time.hour < 12
        throw isUnclear ? .unclearHalf(readWords) : .endNeedsDate(readWords)
      }
      return .until(start.date.adding(days: 1) ?? start.date, endTime)
    }
  }
}
