internal import CivilTime

/// A rule read from the text of an RRULE or EXRULE (RFC 5545 3.3.10, RFC 7529 4.1).
///
/// Tolerant where real files are: lower case, spaces, empty parts (a trailing `;`), COUNT with UNTIL,
/// dates and weekdays in other forms, parts that are not known, cannot be read or repeat a value. Of a
/// list only the values that cannot be read are left out. `notes` has what was read otherwise than it
/// is written. A rule without a valid FREQ, with a calendar that is not supported, or whose COUNT or
/// UNTIL cannot be read is a `RuleError`: without its end it would never stop.
public struct RuleText: Hashable, Sendable {
  /// What was read otherwise than it is written. Where a person types the rule, some are errors.
  public enum Note: Error, Hashable, Sendable, CustomStringConvertible {
    /// A part that is not known, such as `X-FOO=1`, or is no part at all; it is ignored.
    case unknownPart(String)
    /// A part that is there before with the same value; it is ignored.
    case repeatedPart(String)
    /// A part without a value; it is ignored.
    case emptyPart(String)
    /// A part that cannot be read; it is ignored.
    case unreadablePart(RuleError)
    /// The first value of a list that cannot be read, and the number of such values after it; they are
    /// ignored.
    case unreadableValue(RuleError, others: Int)
    /// `BYDAY=TUESDAY`, `UNTIL=2026-12-15`, `COUNT:3`; `readAs` is the part as RFC 5545 has it.
    case otherForm(String, readAs: String)
    /// COUNT and UNTIL together, which the RFC forbids; whichever ends first holds.
    case countAndUntil
    /// SKIP without RSCALE, which RFC 7529 forbids; it holds.
    case skipWithoutCalendar
    /// A part that the RFC forbids with this FREQ; it limits.
    case misplacedPart(String)
    /// Ordinals of BYDAY where the RFC forbids them; each such weekday is meant.
    case misplacedOrdinals
    /// `RRULE:RRULE:FREQ=…`; the rule begins after the name, which the value has too.
    case repeatedName(String)
    /// A COUNT below 1; the rest of the rule applies.
    case countBelowOne(String)

    public var description: String { sentence.text }

    package var sentence: Sentence {
      switch self {
      case .unknownPart(let part): "unknown part \(numbered: part)"
      case .repeatedPart(let part): "\(numbered: part) occurs twice"
      case .emptyPart(let part): "\(part) has no value"
      case .unreadablePart(let error): error.sentence
      case .unreadableValue(let error, let others):
        "\(error.sentence)\(varying: Self.text(ofOthers: others))"
      case .otherForm(let part, _): "\(numbered: part) is not in the form of RFC 5545"
      case .countAndUntil: "COUNT and UNTIL together"
      case .skipWithoutCalendar: "SKIP without RSCALE"
      case .misplacedPart(let part): "\(part) cannot be used with this FREQ"
      case .misplacedOrdinals: "BYDAY cannot have numbers here"
      case .repeatedName(let name): "the value begins with \"\(listed: name):\""
      case .countBelowOne(let part): "invalid \(numbered: part) (expected at least 1)"
      }
    }

    private static func text(ofOthers count: Int) -> String {
      count == 0 ? "" : count == 1 ? " (and 1 other value)" : " (and \(count) other values)"
    }

    /// What was done.
    package var action: Sentence {
      switch self {
      case .unknownPart, .emptyPart, .unreadablePart: "read without this part"
      case .unreadableValue(_, let others):
        "read without \(varying: others == 0 ? "this value" : "these values")"
      case .otherForm(_, let readAs): "read as \(numbered: readAs)"
      case .repeatedPart: "read once"
      case .countAndUntil: "the earlier end is used"
      case .skipWithoutCalendar: "SKIP is applied"
      case .misplacedPart(let part): "only dates that match \(part) are used"
      case .misplacedOrdinals: "read without the numbers"
      case .repeatedName: "read without it"
      case .countBelowOne: "read without COUNT"
      }
    }
  }

  public let rule: Rule
  public let notes: [Note]

  public init(_ text: String) throws(RuleError) {
    try self.init(bytes: text.utf8)
  }

  /// The first part that was ignored because it cannot be read.
  package var firstUnreadablePart: RuleError? {
    notes.lazy.compactMap { if case .unreadablePart(let error) = $0 { error } else { nil } }.first
  }

  public init(bytes: some Collection<UInt8>) throws(RuleError) {
    var reader = Reader(text: Array(bytes))
    try reader.readParts()
    reader.noteWhatIsMisplaced()
    rule = try reader.rule()
    notes = reader.notes
  }
}

extension Rule {
  /// The rule of an RRULE's value, such as `FREQ=WEEKLY;BYDAY=MO,TH;COUNT=10`.
  public init(parsing text: String) throws(RuleError) {
    self = try RuleText(text).rule
  }

  /// The rule of an RRULE's value in UTF-8.
  package init(parsing bytes: some Collection<UInt8>) throws(RuleError) {
    self = try RuleText(bytes: bytes).rule
  }
}

private enum Byte {
  static let space = UInt8(ascii: " ")
  static let tab = UInt8(ascii: "\t")
  static let semicolon = UInt8(ascii: ";")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let equals = UInt8(ascii: "=")
  static let plus = UInt8(ascii: "+")
  static let minus = UInt8(ascii: "-")
  static let zero = UInt8(ascii: "0")

  static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }
  static func isSmallLetter(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
  }
  static func isLetter(_ byte: UInt8) -> Bool { isSmallLetter(byte | 0x20) }
  static func isDigit(_ byte: UInt8) -> Bool { byte >= zero && byte <= UInt8(ascii: "9") }
}

/// Goes once through the text.
private struct Reader {
  /// One `NAME=value`, as places in the text.
  struct Part {
    let name: String
    let whole: Range<Int>
    let value: Range<Int>

    /// Without its calendar or its end, a rule would mean something else.
    var canBeIgnored: Bool { name != "FREQ" && name != "RSCALE" && !Reader.ends.contains(name) }
  }

  /// A message shows no more of a text than this.
  static let longestQuote = 64
  /// BYSETPOS and BYYEARDAY can have this many different values.
  static let mostValues = 770

  let text: [UInt8]
  var notes: [RuleText.Note] = []
  /// The known parts that were read.
  private var seen: [Part] = []
  private var frequency: Rule.Frequency?
  private var interval = 1
  private var count: Int?
  private var until: Rule.Until?
  private var weekStart = Weekday.monday
  private var skip: Rule.Skip?
  private var hasCalendar = false
  private var calendar: CalendarSystem?
  private var leapMonths: [Int] = []
  private var byDay: [Rule.WeekdayNumber] = []
  private var numbers: [Rule.NumberPart: [Int]] = [:]

  init(text: [UInt8]) {
    self.text = text
  }

  mutating func readParts() throws(RuleError) {
    var position = 0
    var parts: [Part] = []
    while let name = Self.names.first(where: { startsWith($0, at: position) }) {
      if notes.isEmpty { notes.append(.repeatedName(String(name.prefix { $0 != ":" }))) }
      position = (text[position...].firstIndex(of: UInt8(ascii: ":")) ?? position) + 1
    }
    while position < text.count {
      let end = text[position...].firstIndex(of: Byte.semicolon) ?? text.count
      let whole = trimmed(position..<end)
      position = end + 1
      if whole.isEmpty { continue }
      guard let equals = separator(in: whole) else {
        // Some programs write `UNTIL;TZID=…`.
        if Self.ends.contains(upper(whole)) {
          throw RuleError(.noValue, part: upper(whole), place: whole)
        }
        notes.append(.unknownPart(quote(whole)))
        continue
      }
      let part = Part(
        name: upper(trimmed(whole.lowerBound..<equals)), whole: whole,
        value: trimmed(equals + 1..<whole.upperBound))
      // The calendar decides which values the other parts may have.
      if part.name == "RSCALE" { try read(part) } else { parts.append(part) }
    }
    for part in parts { try read(part) }
  }

  /// The place of the `=`, or of a `:` that programs write instead of it after the name of a part.
  private func separator(in whole: Range<Int>) -> Int? {
    if let equals = text[whole].firstIndex(of: Byte.equals) { return equals }
    guard let colon = text[whole].firstIndex(of: Byte.colon) else { return nil }
    return Self.partNames.contains(upper(trimmed(whole.lowerBound..<colon))) ? colon : nil
  }

  /// Whether the texts are equal, ignoring letter case.
  private func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    func capital(_ byte: UInt8) -> UInt8 { Byte.isSmallLetter(byte) ? byte & ~0x20 : byte }
    return one.count == other.count
      && zip(text[one], text[other]).allSatisfy { capital($0) == capital($1) }
  }

  private func startsWith(_ name: String, at position: Int) -> Bool {
    position + name.utf8.count < text.count
      && zip(text[position...], name.utf8).allSatisfy {
        (Byte.isSmallLetter($0) ? $0 & ~0x20 : $0) == $1
      }
  }

  func rule() throws(RuleError) -> Rule {
    guard let frequency else { throw RuleError(.noFrequency, part: "", place: 0..<text.count) }
    return try Rule(
      frequency, interval: interval, count: count, until: until, byDay: byDay, numbers,
      weekStart: weekStart, skip: skip ?? .omit, calendar: calendar, byLeapMonth: leapMonths)
  }

  private mutating func read(_ part: Part) throws(RuleError) {
    if let earlier = seen.first(where: { $0.name == part.name }),
      isSame(earlier.value, part.value)
    {
      notes.append(.repeatedPart(quote(part.whole)))
      return
    }
    guard Self.partNames.contains(part.name) else {
      notes.append(.unknownPart(quote(part.whole)))
      return
    }
    guard !seen.contains(where: { $0.name == part.name }) else {
      throw RuleError(.repeated, part: quote(part.whole), place: part.whole)
    }
    if part.value.isEmpty, !Self.ends.contains(part.name), part.name != "FREQ" {
      notes.append(.emptyPart(part.name))
      return
    }
    do {
      try readValue(of: part)
    } catch {
      guard part.canBeIgnored, error.reason != .tooManyValues else { throw error }
      notes.append(.unreadablePart(RuleError(error.reason, part: error.part)))
      return
    }
    seen.append(part)
    if text[part.whole].firstIndex(of: Byte.equals) == nil {
      notes.append(.otherForm(quote(part.whole), readAs: "\(part.name)=\(quote(part.value))"))
    }
  }

  private mutating func readValue(of part: Part) throws(RuleError) {
    if let list = Self.numberParts.first(where: { $0.name == part.name })?.part {
      let found = try values(of: part) { reader, place throws(RuleError) in
        let leapMonth = list == .byMonth ? try reader.leapMonth(at: place, of: part) : nil
        if let leapMonth { return (number: leapMonth, isLeap: true) }
        return (try reader.number(at: place, of: part, in: list), false)
      }
      numbers[list] = found.filter { !$0.isLeap }.map(\.number)
      leapMonths += found.filter(\.isLeap).map(\.number)
      return
    }
    switch part.name {
    case "FREQ": frequency = try word(of: part, Self.frequencies)
    case "INTERVAL": interval = try number(at: part.value, of: part, in: Rule.countRange)
    case "COUNT":
      if isBelowOne(part.value) {
        notes.append(.countBelowOne(quote(part.whole)))
      } else {
        count = try number(at: part.value, of: part, in: Rule.countRange)
      }
    case "UNTIL": until = try time(of: part)
    case "WKST":
      guard let weekday = weekday(at: part.value) else {
        throw error(.noWeekday(quote(part.value)), part.value, of: part)
      }
      weekStart = weekday
      noteForm(of: part, isUsual: part.value.count == 2, readAs: weekday.abbreviation)
    case "SKIP": skip = try word(of: part, Self.skips)
    case "RSCALE":
      hasCalendar = true
      let name = upper(part.value)
      calendar = CalendarSystem(rawValue: name) ?? Self.otherNames[name]
      guard calendar != nil || Self.calendars.contains(name) else {
        throw error(.otherCalendar(quote(part.value)), part.value, of: part)
      }
    default:
      let found = try values(of: part) { reader, place throws(RuleError) in
        try reader.weekdayNumber(at: place, of: part)
      }
      byDay = found.map(\.day)
      let days = byDay.map { ($0.ordinal == 0 ? "" : "\($0.ordinal)") + $0.weekday.abbreviation }
      noteForm(
        of: part, isUsual: found.allSatisfy(\.isUsual), readAs: days.joined(separator: ","))
    }
  }

  private mutating func noteForm(of part: Part, isUsual: Bool, readAs value: String) {
    guard !isUsual else { return }
    let shown = value.utf8.count > Self.longestQuote ? "\(value.prefix(Self.longestQuote))…" : value
    notes.append(.otherForm(quote(part.whole), readAs: "\(part.name)=\(shown)"))
  }

  mutating func noteWhatIsMisplaced() {
    if count != nil, until != nil { notes.append(.countAndUntil) }
    if skip != nil, !hasCalendar { notes.append(.skipWithoutCalendar) }
    guard let frequency else { return }
    let forbidden: [Rule.NumberPart] =
      switch frequency {
      case .secondly, .minutely, .hourly: [.byWeekNumber]
      case .daily, .monthly: [.byWeekNumber, .byYearDay]
      case .weekly: [.byWeekNumber, .byYearDay, .byMonthDay]
      case .yearly: []
      }
    for part in forbidden where !(numbers[part] ?? []).isEmpty {
      notes.append(.misplacedPart(part.name))
    }
    let takesOrdinals =
      frequency == .monthly || (frequency == .yearly && (numbers[.byWeekNumber] ?? []).isEmpty)
    if !takesOrdinals, byDay.contains(where: { $0.ordinal != 0 }) {
      notes.append(.misplacedOrdinals)
    }
  }

  /// The values between the commas. Notes those that cannot be read; without any other, the part cannot.
  private mutating func values<Value>(
    of part: Part, _ read: (Reader, Range<Int>) throws(RuleError) -> Value
  ) throws(RuleError) -> [Value] {
    var values: [Value] = []
    var failure: (first: RuleError, count: Int)?
    var count = 0
    var position = part.value.lowerBound
    while position <= part.value.upperBound {
      let rest = position..<part.value.upperBound
      let end = text[rest].firstIndex(of: Byte.comma) ?? part.value.upperBound
      let place = trimmed(position..<end)
      position = end + 1
      // A trailing comma ends the list.
      if place.isEmpty, end == part.value.upperBound, count > 0 { break }
      guard count < Self.mostValues else {
        throw RuleError(.tooManyValues, part: quote(part.whole), place: part.whole)
      }
      count += 1
      do {
        values.append(try read(self, place))
      } catch {
        failure = (failure?.first ?? error, (failure?.count ?? 0) + 1)
      }
    }
    guard let failure else { return values }
    if values.isEmpty { throw failure.first }
    let first = RuleError(failure.first.reason, part: failure.first.part)
    notes.append(.unreadableValue(first, others: failure.count - 1))
    return values
  }

  private func number(
    at place: Range<Int>, of part: Part, in list: Rule.NumberPart
  ) throws(RuleError) -> Int {
    let range = list.range(in: calendar)
    let number = try number(at: place, of: part, in: range)
    guard list.allows(number, in: calendar) else {
      throw error(.outOfRange(number: "\(number)", range), place, of: part)
    }
    return number
  }

  /// The number of a leap month such as `5L` (RFC 7529 4.2); `nil` for a regular month.
  private func leapMonth(at place: Range<Int>, of part: Part) throws(RuleError) -> Int? {
    guard let last = text[place].last, last | 0x20 == UInt8(ascii: "l") else { return nil }
    guard calendar?.hasLeapMonths == true else {
      throw error(.leapMonth(quote(place)), place, of: part)
    }
    return try number(at: place.lowerBound..<place.upperBound - 1, of: part, in: .byMonth)
  }

  private func number(
    at place: Range<Int>, of part: Part, in range: ClosedRange<Int>
  ) throws(RuleError) -> Int {
    var digits = place
    var isNegative = false
    if let sign = text[place].first, sign == Byte.plus || sign == Byte.minus {
      isNegative = sign == Byte.minus
      digits = place.lowerBound + 1..<place.upperBound
    }
    guard !digits.isEmpty, text[digits].allSatisfy(Byte.isDigit) else {
      throw error(.noNumber(quote(place)), place, of: part)
    }
    var number: Int? = 0
    for byte in text[digits] {
      guard let soFar = number else { break }
      let (tens, overflow) = soFar.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int(byte - Byte.zero))
      number = overflow || carry ? nil : sum
    }
    guard let magnitude = number, range.contains(isNegative ? -magnitude : magnitude) else {
      throw error(.outOfRange(number: quote(place), range), place, of: part)
    }
    return isNegative ? -magnitude : magnitude
  }

  /// Whether the text is a negative number or 0.
  private func isBelowOne(_ place: Range<Int>) -> Bool {
    let isSigned = text[place].first == Byte.minus || text[place].first == Byte.plus
    let digits = text[place].dropFirst(isSigned ? 1 : 0)
    return !digits.isEmpty && digits.allSatisfy(Byte.isDigit)
      && (text[place].first == Byte.minus || digits.allSatisfy { $0 == Byte.zero })
  }

  /// `TU`, `1TU`, `-1 TU`, `1TUESDAY`.
  private func weekdayNumber(
    at place: Range<Int>, of part: Part
  ) throws(RuleError) -> (day: Rule.WeekdayNumber, isUsual: Bool) {
    let name = (text[place].lastIndex { !Byte.isLetter($0) } ?? place.lowerBound - 1) + 1
    guard let weekday = weekday(at: name..<place.upperBound)
    else { throw error(.noWeekday(quote(place)), place, of: part) }
    let isUsual = place.upperBound - name == 2
    let ordinal = trimmed(place.lowerBound..<name)
    if ordinal.isEmpty {
      guard let each = Rule.WeekdayNumber(weekday) else {
        throw error(.noWeekday(quote(place)), place, of: part)
      }
      return (each, isUsual)
    }
    let range = -53...53
    let quoted = Range(uncheckedBounds: (place.lowerBound, place.upperBound))
    guard text[ordinal].contains(where: Byte.isDigit) else {
      throw error(.noWeekday(quote(place)), quoted, of: part)
    }
    let number: Int
    do {
      number = try self.number(at: ordinal, of: part, in: range)
    } catch {
      throw self.error(error.reason, quoted, of: part)
    }
    guard number != 0, let value = Rule.WeekdayNumber(ordinal: number, weekday) else {
      throw error(.outOfRange(number: "\(number)", range), quoted, of: part)
    }
    return (value, isUsual)
  }

  /// `TU`, and in English `TUE`, `Tues` and `Tuesday`.
  private func weekday(at place: Range<Int>) -> Weekday? {
    let name = upper(place)
    return Weekday.allCases.first { $0.abbreviation == name }
      ?? Weekday(englishWord: name.lowercased())
  }

  private func word<Value>(
    of part: Part, _ words: [(String, Value)]
  ) throws(RuleError) -> Value {
    let word = upper(part.value)
    guard let found = words.first(where: { $0.0 == word }) else {
      throw error(
        part.value.isEmpty ? .noValue : .unknownWord(quote(part.value)), part.value, of: part)
    }
    return found.1
  }

  private mutating func time(of part: Part) throws(RuleError) -> Rule.Until {
    guard let until = Self.until(text[part.value]) else {
      throw error(.noTime(quote(part.value)), part.value, of: part)
    }
    noteForm(of: part, isUsual: upper(part.value) == until.text, readAs: until.text)
    return until
  }

  /// `20241231`, `20241231T235959`, `20241231T235959Z`, and the forms of ISO 8601 that programs write
  /// instead: `2024-12-31`, `2024-12-31 23:59`, `2024-12-31T23:59:59.000Z`, `20241231T235959+0100`,
  /// `20241231T240000`. A date is the same everywhere, so that a Z after it has no meaning.
  private static func until(_ text: ArraySlice<UInt8>) -> Rule.Until? {
    var rest = text
    func number(_ count: Int) -> Int? {
      let digits = rest.prefix(count)
      guard digits.count == count, digits.allSatisfy(Byte.isDigit) else { return nil }
      rest = rest.dropFirst(count)
      return digits.reduce(0) { $0 * 10 + Int($1 - Byte.zero) }
    }
    func accept(_ allowed: String) -> UInt8? {
      guard let byte = rest.first, allowed.utf8.contains(byte) else { return nil }
      rest = rest.dropFirst()
      return byte
    }
    guard let year = number(4) else { return nil }
    _ = accept("-/.")
    guard let month = number(2) else { return nil }
    _ = accept("-/.")
    guard let day = number(2), let date = CivilDate(year: year, month: month, day: day) else {
      return nil
    }
    if accept("Zz") != nil || rest.isEmpty { return rest.isEmpty ? .date(date) : nil }
    guard accept("Tt ") != nil, let hour = number(2) else { return nil }
    _ = accept(":")
    guard let minute = number(2) else { return nil }
    _ = accept(":")
    let second = number(2) ?? 0
    if accept(".,") != nil { rest = rest.drop(while: Byte.isDigit) }
    // 24:00 is the midnight that ends the date.
    let isNextDay = (hour, minute, second) == (24, 0, 0)
    guard let clock = TimeOfDay(hour: isNextDay ? 0 : hour, minute: minute, second: second),
      let clockDate = isNextDay ? date.adding(days: 1) : date
    else { return nil }
    let civil = CivilDateTime(clockDate, clock)
    if rest.isEmpty { return .local(civil) }
    if accept("Zz") != nil { return rest.isEmpty ? .utc(civil) : nil }
    guard let sign = accept("+-"), let hours = number(2), hours < 24 else { return nil }
    _ = accept(":")
    let minutes = number(2) ?? 0
    guard minutes < 60, rest.isEmpty else { return nil }
    let offset = (hours * 60 + minutes) * 60
    return .utc(Instant(utc: civil).adding(seconds: sign == Byte.minus ? offset : -offset).utc)
  }

  private func error(
    _ reason: RuleError.Reason, _ place: Range<Int>, of part: Part
  ) -> RuleError {
    // If there is nothing between two commas, the message shows the whole list.
    let shown = place.isEmpty ? part.value : place
    return RuleError(reason, part: "\(part.name)=\(quote(shown))", place: place)
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high, Byte.isBlank(text[low]) { low += 1 }
    while low < high, Byte.isBlank(text[high - 1]) { high -= 1 }
    return low..<high
  }

  private func upper(_ range: Range<Int>) -> String {
    guard range.count <= Self.longestQuote, text[range].allSatisfy({ $0 < 0x80 }) else {
      return quote(range).uppercased()
    }
    return String(unsafeUninitializedCapacity: range.count) { buffer in
      for (place, byte) in text[range].enumerated() {
        buffer[place] = Byte.isSmallLetter(byte) ? byte & ~0x20 : byte
      }
      return range.count
    }
  }

  private func quote(_ range: Range<Int>) -> String {
    guard range.count > Self.longestQuote else {
      return String(decoding: text[range], as: UTF8.self)
    }
    return String(
      decoding: text[range.lowerBound..<range.lowerBound + Self.longestQuote], as: UTF8.self) + "…"
  }

  static let numberParts: [(name: String, part: Rule.NumberPart)] =
    Rule.NumberPart.allCases.map { ($0.name, $0) }
  static let frequencies: [(String, Rule.Frequency)] = Rule.Frequency.allCases.map {
    ($0.text, $0)
  }
  static let names = ["RRULE:", "EXRULE:"]
  /// The parts without which a rule would never stop.
  static let ends: Set<String> = ["COUNT", "UNTIL"]
  static let partNames = Set(
    numberParts.map(\.name) + ends + ["FREQ", "INTERVAL", "WKST", "SKIP", "RSCALE", "BYDAY"])
  /// CLDR's names of the calendars whose months and days are the Gregorian ones. They number their
  /// years otherwise, which no part of a rule does.
  static let calendars: Set<String> = [
    "GREGORIAN", "GREGORY", "ISO8601", "BUDDHIST", "ROC", "JAPANESE",
  ]
  /// CLDR's other names of calendars. ETHIOAA counts its years from another one, and no rule names a year.
  static let otherNames: [String: CalendarSystem] = [
    "ISLAMICC": .islamicCivil, "ETHIOAA": .ethiopic, "ETHIOPIC-AMETE-ALEM": .ethiopic,
  ]
  static let skips: [(String, Rule.Skip)] = Rule.Skip.allCases.map { ($0.text, $0) }
}
