internal import CivilTime

/// A rule read from the text of an RRULE or EXRULE (RFC 5545 3.3.10, RFC 7529 4.1).
///
/// Tolerant where real files are: lower case, spaces, empty parts (a trailing `;`), an empty BYxxx list,
/// COUNT with UNTIL, parts that are not known or that repeat a value. What was passed over is in
/// `notes`. Every other error is a `RuleError` with the invalid part.
public struct RuleText: Hashable, Sendable {
  /// What was read otherwise than it is written. Where a person types the rule, some are errors.
  public enum Note: Error, Hashable, Sendable, CustomStringConvertible {
    /// A part that is not known, such as `X-FOO=1`, or is no part at all; it is ignored.
    case unknownPart(String)
    /// A part that is there before with the same value; it is ignored.
    case repeatedPart(String)
    /// A BYxxx part without values; it is ignored.
    case emptyPart(String)
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

    public var description: String {
      switch self {
      case .unknownPart(let part): "unknown part \(part)"
      case .repeatedPart(let part): "\(part) occurs twice"
      case .emptyPart(let part): "\(part) has no value"
      case .countAndUntil: "COUNT and UNTIL together"
      case .skipWithoutCalendar: "SKIP without RSCALE"
      case .misplacedPart(let part): "\(part) cannot be used with this FREQ"
      case .misplacedOrdinals: "BYDAY cannot have numbers here"
      case .repeatedName(let name): "the value begins with \"\(name):\""
      case .countBelowOne(let part): "invalid \(part) (expected at least 1)"
      }
    }

    /// What was done.
    public var action: String {
      switch self {
      case .unknownPart, .emptyPart: "read without this part"
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
  static let equals = UInt8(ascii: "=")
  static let plus = UInt8(ascii: "+")
  static let minus = UInt8(ascii: "-")
  static let zero = UInt8(ascii: "0")

  static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }
  static func isSmallLetter(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
  }
  static func isDigit(_ byte: UInt8) -> Bool { byte >= zero && byte <= UInt8(ascii: "9") }
}

/// Goes once through the text.
private struct Reader {
  /// One `NAME=value`, as places in the text.
  struct Part {
    let name: String
    let whole: Range<Int>
    let value: Range<Int>
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
      guard let equals = text[whole].firstIndex(of: Byte.equals) else {
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
    if let list = Self.numberParts.first(where: { $0.name == part.name })?.part {
      try once(part)
      for place in try values(of: part) {
        if list == .byMonth, let month = try leapMonth(at: place, of: part) {
          leapMonths.append(month)
          continue
        }
        numbers[list, default: []].append(try number(at: place, of: part, in: list))
      }
      return
    }
    switch part.name {
    case "FREQ":
      try once(part)
      frequency = try word(of: part, Self.frequencies)
    case "INTERVAL":
      try once(part)
      interval = try number(at: part.value, of: part, in: Rule.countRange)
    case "COUNT":
      try once(part)
      if isBelowOne(part.value) {
        notes.append(.countBelowOne(quote(part.whole)))
      } else {
        count = try number(at: part.value, of: part, in: Rule.countRange)
      }
    case "UNTIL":
      try once(part)
      until = try time(of: part)
    case "WKST":
      try once(part)
      guard let weekday = weekday(at: part.value) else {
        throw error(.noWeekday(quote(part.value)), part.value, of: part)
      }
      weekStart = weekday
    case "SKIP":
      try once(part)
      skip = try word(of: part, Self.skips)
    case "RSCALE":
      try once(part)
      hasCalendar = true
      if part.value.isEmpty { throw error(.noValue, part.value, of: part) }
      let name = upper(part.value)
      calendar = CalendarSystem(rawValue: name) ?? Self.otherNames[name]
      guard calendar != nil || Self.calendars.contains(name) else {
        throw error(.otherCalendar(quote(part.value)), part.value, of: part)
      }
    case "BYDAY":
      try once(part)
      for place in try values(of: part) {
        byDay.append(try weekdayNumber(at: place, of: part))
      }
    default:
      notes.append(.unknownPart(quote(part.whole)))
    }
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

  private mutating func once(_ part: Part) throws(RuleError) {
    guard !seen.contains(where: { $0.name == part.name }) else {
      throw RuleError(.repeated, part: quote(part.whole), place: part.whole)
    }
    seen.append(part)
  }

  /// The text between the commas.
  private mutating func values(of part: Part) throws(RuleError) -> [Range<Int>] {
    if part.value.isEmpty {
      notes.append(.emptyPart(part.name))
      return []
    }
    var places: [Range<Int>] = []
    var position = part.value.lowerBound
    while position <= part.value.upperBound {
      let rest = position..<part.value.upperBound
      let end = text[rest].firstIndex(of: Byte.comma) ?? part.value.upperBound
      let place = trimmed(position..<end)
      position = end + 1
      // A trailing comma ends the list.
      if place.isEmpty, end == part.value.upperBound, !places.isEmpty { break }
      guard places.count < Self.mostValues else {
        throw RuleError(.tooManyValues, part: quote(part.whole), place: part.whole)
      }
      places.append(place)
    }
    return places
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

  private func weekdayNumber(
    at place: Range<Int>, of part: Part
  ) throws(RuleError) -> Rule.WeekdayNumber {
    guard place.count >= 2, let weekday = weekday(at: place.upperBound - 2..<place.upperBound)
    else { throw error(.noWeekday(quote(place)), place, of: part) }
    let ordinal = trimmed(place.lowerBound..<place.upperBound - 2)
    if ordinal.isEmpty {
      guard let each = Rule.WeekdayNumber(weekday) else {
        throw error(.noWeekday(quote(place)), place, of: part)
      }
      return each
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
    return value
  }

  private func weekday(at place: Range<Int>) -> Weekday? {
    Self.weekdays.first { $0.0 == upper(place) }?.1
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

  /// `20241231`, `20241231T235959`, `20241231T235959Z`.
  private func time(of part: Part) throws(RuleError) -> Rule.Until {
    let bytes = text[part.value]
    func wrong() -> RuleError { error(.noTime(quote(part.value)), part.value, of: part) }
    func digits(_ offset: Int, _ length: Int) -> Int? {
      let from = bytes.startIndex + offset
      guard from + length <= bytes.endIndex else { return nil }
      return bytes[from..<from + length].reduce(0 as Int?) { sum, byte in
        guard let sum, Byte.isDigit(byte) else { return nil }
        return sum * 10 + Int(byte - Byte.zero)
      }
    }
    guard let year = digits(0, 4), let month = digits(4, 2), let day = digits(6, 2),
      let date = CivilDate(year: year, month: month, day: day)
    else { throw wrong() }
    if bytes.count == 8 { return .date(date) }
    guard bytes[bytes.startIndex + 8] | 0x20 == UInt8(ascii: "t"),
      let hour = digits(9, 2), let minute = digits(11, 2), let second = digits(13, 2),
      let time = TimeOfDay(hour: hour, minute: minute, second: second)
    else { throw wrong() }
    let civil = CivilDateTime(date, time)
    if bytes.count == 15 { return .local(civil) }
    guard bytes.count == 16, bytes[bytes.startIndex + 15] | 0x20 == UInt8(ascii: "z") else {
      throw wrong()
    }
    return .utc(civil)
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
  static let weekdays: [(String, Weekday)] = Weekday.allCases.map { ($0.abbreviation, $0) }
}
