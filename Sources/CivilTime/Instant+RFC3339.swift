extension Instant {
  /// Reads an RFC 3339 date and time with its offset: `2026-11-21T09:30:00+01:00`,
  /// `2026-11-21T08:30:00.5Z`. Fractions of a second are dropped, a leap second is read as the
  /// second before it; `nil` for anything else.
  public init?(rfc3339 text: String) {
    var rest = Array(text.utf8)[...]
    func number(_ count: Int) -> Int? {
      let digits = rest.prefix(count)
      guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
      rest = rest.dropFirst(count)
      return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
    }
    func accept(_ allowed: String) -> UInt8? {
      guard let byte = rest.first, allowed.utf8.contains(byte) else { return nil }
      rest = rest.dropFirst()
      return byte
    }
    // Section 5.6: letters in either case, and a blank instead of the T.
    guard let year = number(4), accept("-") != nil, let month = number(2), accept("-") != nil,
      let day = number(2), accept("Tt ") != nil, let hour = number(2), accept(":") != nil,
      let minute = number(2), accept(":") != nil, let second = number(2),
      let date = CivilDate(year: year, month: month, day: day),
      let time = TimeOfDay(hour: hour, minute: minute, second: second)
    else { return nil }
    if accept(".") != nil {
      let fraction = rest.prefix(while: \.isASCIIDigit)
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(fraction.count)
    }
    var offset = 0
    if accept("Zz") == nil {
      guard let sign = accept("+-"), let hours = number(2), accept(":") != nil,
        let minutes = number(2), hours <= 23, minutes <= 59
      else { return nil }
      offset = (hours * 60 + minutes) * 60 * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
    guard rest.isEmpty else { return nil }
    self = Instant(utc: CivilDateTime(date, time)).adding(seconds: -offset)
  }

  /// RFC 3339 with the offset of a zone at this instant: `2026-11-21T09:30:00+01:00`, with `Z` in
  /// UTC. The format has no seconds of offset, as zones had before 1900; such a time is given in
  /// UTC.
  public func rfc3339(in zone: Zone) -> String {
    let offset = zone.utcOffset(at: self)
    guard zone !== Zone.utc, offset % 60 == 0, abs(offset) < 24 * 60 * 60 else {
      return description
    }
    return "\(adding(seconds: offset).utc)\(FixedOffsetName.name(of: offset))"
  }
}

extension CivilDate {
  /// Reads a full date of RFC 3339: `2026-11-21`; `nil` for anything else.
  public init?(rfc3339 text: String) {
    guard text.utf8.count == 10, let midnight = Instant(rfc3339: text + "T00:00:00Z") else {
      return nil
    }
    self = midnight.utc.date
  }
}

extension CivilDateTime {
  /// Reads what a clock shows, without an offset: `2026-11-21T09:30:00`; `nil` for anything else.
  public init?(rfc3339 text: String) {
    guard text.utf8.count == 19, let moment = Instant(rfc3339: text + "Z") else { return nil }
    self = moment.utc
  }
}
