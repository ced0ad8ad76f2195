package import CivilTime
package import ICalendar
package import Recurrence

/// Times as content lines (RFC 5545 3.3.4 and 3.3.5).
package enum TimeLine {
  /// `20261122T093000Z`
  package static func stamp(_ instant: Instant) -> String { text(instant.utc) + "Z" }

  /// A value such as `20261122T093000`, in the zone of its line, as the reader reads it.
  package static func time(_ value: String, zone: Zone?) -> EventTime? {
    var value = value
    guard let text = value.withUTF8({ TimeText($0.trimmed) }) else { return nil }
    if !text.hasTime { return .date(text.civil.date) }
    if text.isUTC { return .utc(text.civil) }
    return zone.map { .zoned(text.civil, $0) } ?? .floating(text.civil)
  }

  /// A line with this time. It keeps the parameters of the line that it replaces, and also its TZID
  /// if the zone stays the same. Whole days that were written as midnights stay midnights: Exchange does
  /// so.
  package static func line(
    _ name: String, _ time: EventTime, replacing old: PropertyLine?, at oldTime: EventTime?
  ) -> PropertyLine {
    var line = PropertyLine(name: name, value: value(time))
    guard let old else {
      setForm(of: &line, time)
      return line
    }
    line = old.name == name ? old : PropertyLine(name: name, value: "")
    if old.name != name {
      for parameter in ["VALUE", "TZID"] { line[parameter] = old[parameter] }
    }
    let wasDate = !old.hasTimes
    if let oldTime, oldTime.hasSameForm(as: time), !wasDate || time.isDate {
      if case .date(let date) = time, !wasDate {
        line.value = Array("\(text(date))T000000".utf8)
        if old.value.last == UInt8(ascii: "Z") { line.value.append(UInt8(ascii: "Z")) }
        return line
      }
      // Some programs write dates without a type, or times with that of dates (RFC 5545 3.8.2.4).
      if time.isDate != (line["VALUE"]?.uppercased() == "DATE") {
        line["VALUE"] = time.isDate ? "DATE" : nil
      }
      line.value = Array(value(time).utf8)
      return line
    }
    setForm(of: &line, time)
    line.value = Array(value(time).utf8)
    return line
  }

  /// Several times as one line, in the form of DTSTART. `start` is its line and its time.
  package static func line(
    _ name: String, _ times: [EventTime], like start: (line: PropertyLine?, time: EventTime)
  ) -> PropertyLine? {
    let lines = times.map { line(name, $0, replacing: start.line, at: start.time) }
    guard var line = lines.first else { return nil }
    line.value = Array(lines.map(\.value).joined(separator: [UInt8(ascii: ",")]))
    return line
  }

  private static func setForm(of line: inout PropertyLine, _ time: EventTime) {
    line["VALUE"] = time.isDate ? "DATE" : nil
    if case .zoned(_, let zone) = time { line["TZID"] = zone.name } else { line["TZID"] = nil }
  }

  package static func value(_ time: EventTime) -> String {
    switch time {
    case .date(let date): text(date)
    case .floating(let civil), .zoned(let civil, _): text(civil)
    case .utc(let civil): text(civil) + "Z"
    }
  }

  package static func text(_ date: CivilDate) -> String { date.description.filter { $0 != "-" } }

  package static func text(_ civil: CivilDateTime) -> String {
    civil.description.filter { $0 != "-" && $0 != ":" }
  }

  /// `P1DT30M`
  package static func text(_ length: EventDuration) -> String {
    let isNegative = length.days < 0 || length.seconds < 0
    let (days, seconds) = (abs(length.days), abs(length.seconds))
    var text = isNegative ? "-P" : "P"
    if days > 0 { text += "\(days)D" }
    if seconds > 0 || days == 0 {
      text += "T"
      let parts = [(seconds / 3600, "H"), (seconds / 60 % 60, "M"), (seconds % 60, "S")]
      for (number, unit) in parts where number > 0 { text += "\(number)\(unit)" }
      if seconds == 0 { text += "0S" }
    }
    return text
  }
}

extension PropertyLine {
  /// Whether its values are times, and not dates.
  package var hasTimes: Bool {
    value.contains { $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: "t") }
  }
}
