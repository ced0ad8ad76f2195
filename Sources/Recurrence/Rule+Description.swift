internal import CivilTime

extension Rule: CustomStringConvertible {
  /// The rule as the value of an RRULE; parsed again, it gives an equal rule.
  public var description: String {
    parts.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
  }

  /// The names and values of its parts: `BYDAY` and `MO,TH`.
  package var parts: [(name: String, value: String)] {
    var parts: [(name: String, value: String)] = [("FREQ", frequency.text)]
    if interval != 1 { parts.append(("INTERVAL", "\(interval)")) }
    if let count { parts.append(("COUNT", "\(count)")) }
    if let until { parts.append(("UNTIL", until.text)) }
    for part in [NumberPart.bySecond, .byMinute, .byHour] { append(part, to: &parts) }
    if !byDay.isEmpty {
      let days = byDay.map { day in
        (day.ordinal == 0 ? "" : String(day.ordinal)) + day.weekday.abbreviation
      }
      parts.append(("BYDAY", days.joined(separator: ",")))
    }
    for part in [NumberPart.byMonthDay, .byYearDay, .byWeekNumber] { append(part, to: &parts) }
    let months = byMonth.map { "\($0)" } + byLeapMonth.map { "\($0)L" }
    if !months.isEmpty { parts.append(("BYMONTH", months.joined(separator: ","))) }
    append(.bySetPosition, to: &parts)
    if weekStart != .monday { parts.append(("WKST", weekStart.abbreviation)) }
    // RFC 7529 4.1: SKIP is only allowed together with RSCALE.
    if calendar != nil || skip != .omit {
      parts.append(("RSCALE", calendar?.rawValue ?? "GREGORIAN"))
    }
    if skip != .omit { parts.append(("SKIP", skip.text)) }
    return parts
  }

  private func append(_ part: NumberPart, to parts: inout [(name: String, value: String)]) {
    let values = self[part]
    if values.isEmpty { return }
    parts.append((part.name, values.map { String($0) }.joined(separator: ",")))
  }
}

extension Rule.Frequency {
  /// `WEEKLY`.
  package var text: String {
    switch self {
    case .secondly: "SECONDLY"
    case .minutely: "MINUTELY"
    case .hourly: "HOURLY"
    case .daily: "DAILY"
    case .weekly: "WEEKLY"
    case .monthly: "MONTHLY"
    case .yearly: "YEARLY"
    }
  }
}

extension Rule.Skip {
  /// `BACKWARD`.
  package var text: String {
    switch self {
    case .omit: "OMIT"
    case .backward: "BACKWARD"
    case .forward: "FORWARD"
    }
  }
}

extension Rule.Until {
  /// `20241231T235959Z`.
  package var text: String {
    switch self {
    case .date(let date): Self.text(of: date)
    case .local(let civil): Self.text(of: civil)
    case .utc(let civil): Self.text(of: civil) + "Z"
    }
  }

  private static func text(of date: CivilDate) -> String {
    let (year, month, day) = date.components
    return padded(year, to: 4) + padded(month, to: 2) + padded(day, to: 2)
  }

  private static func text(of civil: CivilDateTime) -> String {
    text(of: civil.date) + "T" + padded(civil.time.hour, to: 2) + padded(civil.time.minute, to: 2)
      + padded(civil.time.second, to: 2)
  }
}

extension Weekday {
  /// The two letters of RFC 5545: `MO`.
  var abbreviation: String {
    switch self {
    case .monday: "MO"
    case .tuesday: "TU"
    case .wednesday: "WE"
    case .thursday: "TH"
    case .friday: "FR"
    case .saturday: "SA"
    case .sunday: "SU"
    }
  }
}
