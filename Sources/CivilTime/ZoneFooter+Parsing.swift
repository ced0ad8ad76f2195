extension ZoneFooter {
  /// Those of tzdata have fewer than 50 bytes.
  static let longestText = 256

  /// Reads `CET-1CEST,M3.5.0,M10.5.0/3`, `<+03>-3`, `EST5EDT,0/0,J365/25` and all else that POSIX
  /// and RFC 8536 3.3.1 allow. Without dates (`EST5EDT`) the present rule of the United States
  /// holds, as C libraries take it.
  public init(parsing text: String) throws(ZoneError) {
    try self.init(parsing: Array(text.utf8)[...])
  }

  package init(parsing text: ArraySlice<UInt8>) throws(ZoneError) {
    guard text.count <= Self.longestText else {
      throw ZoneError(.invalid("the rule is longer than \(Self.longestText) bytes"))
    }
    var scanner = FooterScanner(rest: text)
    let name = try scanner.abbreviation()
    let offset = -(try scanner.clock("an offset", hours: 0...24))
    let standard = LocalTimeType(utcOffset: offset, isDaylight: false, abbreviation: name)
    guard !scanner.rest.isEmpty else {
      self.init(standard: standard, daylight: nil)
      return
    }
    let daylightName = try scanner.abbreviation()
    var daylightOffset = offset + 3600
    if let next = scanner.rest.first, next != UInt8(ascii: ",") {
      daylightOffset = -(try scanner.clock("an offset", hours: 0...24))
    }
    var start = YearlyChange(day: .weekday(month: 3, week: 2, .sunday), time: 7200)
    var end = YearlyChange(day: .weekday(month: 11, week: 1, .sunday), time: 7200)
    if !scanner.rest.isEmpty {
      try scanner.expect(UInt8(ascii: ","), "a comma")
      start = try scanner.change()
      try scanner.expect(UInt8(ascii: ","), "a comma")
      end = try scanner.change()
    }
    guard scanner.rest.isEmpty else { throw scanner.missing("the end of the rule") }
    self.init(
      standard: standard,
      daylight: Daylight(
        type: LocalTimeType(
          utcOffset: daylightOffset, isDaylight: true, abbreviation: daylightName),
        start: start, end: end))
  }
}

private struct FooterScanner {
  var rest: ArraySlice<UInt8>

  private var excerpt: String { String(decoding: rest.prefix(20), as: UTF8.self) }

  /// The part was expected where the text goes on with something else, or ends.
  func missing(_ part: String, at found: String? = nil) -> ZoneError {
    let found = found ?? excerpt
    return ZoneError(
      .invalid(
        found.isEmpty
          ? "\(part) is missing at the end" : "\(part) expected at \"\(found)\""))
  }

  mutating func accept(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  mutating func expect(_ byte: UInt8, _ part: String) throws(ZoneError) {
    guard accept(byte) else { throw missing(part) }
  }

  /// Letters, or letters, digits and signs between `<` and `>`.
  mutating func abbreviation() throws(ZoneError) -> String {
    let found = excerpt
    if accept(UInt8(ascii: "<")) {
      let name = rest.prefix { Self.isQuotable($0) }
      rest = rest[name.endIndex...]
      guard name.count >= 3, accept(UInt8(ascii: ">")) else {
        throw missing("an abbreviation of at least three characters", at: found)
      }
      return String(decoding: name, as: UTF8.self)
    }
    let name = rest.prefix(while: \.isASCIILetter)
    guard name.count >= 3 else {
      throw missing("an abbreviation of at least three characters", at: found)
    }
    rest = rest[name.endIndex...]
    return String(decoding: name, as: UTF8.self)
  }

  private static func isQuotable(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: "-")
  }

  mutating func number(
    _ part: String, in range: ClosedRange<Int>
  ) throws(ZoneError) -> Int {
    // More digits than any value needs are read as one that is out of range.
    let digits = rest.prefix(while: \.isASCIIDigit)
    guard !digits.isEmpty else { throw missing(part) }
    rest = rest[digits.endIndex...]
    let value = digits.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), 1_000_000) }
    guard range.contains(value) else {
      let allowed = "\(range.lowerBound)…\(range.upperBound)"
      throw ZoneError(.invalid("\(part) \(value) is not in \(allowed)"))
    }
    return value
  }

  /// `[+-]hh[:mm[:ss]]`, in seconds.
  mutating func clock(
    _ part: String, hours: ClosedRange<Int>
  ) throws(ZoneError) -> Int {
    var sign = 1
    if accept(UInt8(ascii: "-")) {
      sign = -1
    } else {
      _ = accept(UInt8(ascii: "+"))
    }
    guard let next = rest.first, next.isASCIIDigit else { throw missing(part) }
    var seconds = try number("hour", in: hours) * 3600
    if accept(UInt8(ascii: ":")) {
      seconds += try number("minute", in: 0...59) * 60
      if accept(UInt8(ascii: ":")) {
        seconds += try number("second", in: 0...59)
      }
    }
    return sign * seconds
  }

  mutating func change() throws(ZoneError) -> YearlyChange {
    let day: YearlyChange.Day
    if accept(UInt8(ascii: "J")) {
      day = .julian(try number("day of the year", in: 1...365))
    } else if accept(UInt8(ascii: "M")) {
      let month = try number("month", in: 1...12)
      try expect(UInt8(ascii: "."), "a dot")
      let week = try number("week", in: 1...5)
      try expect(UInt8(ascii: "."), "a dot")
      let sundayIsZero = try number("weekday", in: 0...6)
      let weekday = Weekday(rawValue: UInt8(sundayIsZero == 0 ? 7 : sundayIsZero)) ?? .sunday
      day = .weekday(month: month, week: week, weekday)
    } else if let next = rest.first, next.isASCIIDigit {
      day = .dayOfYear(try number("day of the year", in: 0...365))
    } else {
      throw missing("a date rule (Mm.w.d, Jn or n)")
    }
    let time = accept(UInt8(ascii: "/")) ? try clock("hour", hours: 0...167) : 7200
    return YearlyChange(day: day, time: time)
  }
}
