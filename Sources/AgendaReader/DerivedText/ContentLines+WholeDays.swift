package import AgendaCore
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// Moments in UTC where a series of whole days should have dates. What they mean can depend on the
/// definitions of zones in the same VCALENDAR, which an export joins and completes, and other programs
/// read them in other ways. So an export writes the dates.
extension [[UInt8]] {
  /// Whether the content lines of a component have such moments. Next to a DTSTART with a TZID they mean
  /// the same everywhere.
  package var hasMomentsOfWholeDays: Bool {
    guard hasStartWithoutZone else { return false }
    return contains { line in Self.names.contains { line.isProperty($0) } && line.hasMoment }
  }

  /// Writes dates instead of the moments of a series of whole days, or of one of its overrides.
  package mutating func writeDates(of event: Event) {
    guard hasStartWithoutZone else { return }
    let isSeries = event.start?.isDate == true
    // Outlook can write whole days as midnights without a zone.
    let hasTimes = ownLines.contains {
      self[$0].isProperty("DTSTART") && PropertyLine(self[$0]).value.contains(UInt8(ascii: "T"))
    }
    for index in ownLines where self[index].hasMoment {
      var line = PropertyLine(self[index])
      switch line.name {
      case "RRULE", "EXRULE":
        if isSeries { line.value = line.value.withDate(ofUntil: event.dayZone, hasTimes) }
      case "RDATE", "EXDATE":
        if isSeries { line.writeDates(onClockOf: event.dayZone, hasTimes) }
      case "RECURRENCE-ID":
        guard case .date(let date)? = event.identity.recurrenceID else { continue }
        line.value = [UInt8]((TimeLine.text(date) + (hasTimes ? "T000000" : "")).utf8)
        line.setForm(hasTimes)
      default: continue
      }
      self[index] = line.content
    }
  }

  private static let names: [StaticString] = [
    "RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID",
  ]

  /// The positions of the lines that are not those of an alarm.
  private var ownLines: [Int] {
    var depth = 0
    return indices.filter { index in
      if self[index].isProperty("BEGIN") { depth += 1 }
      defer { if self[index].isProperty("END") { depth -= 1 } }
      return depth == 1
    }
  }

  private var hasStartWithoutZone: Bool {
    let start = ownLines.first { self[$0].isProperty("DTSTART") }.map { PropertyLine(self[$0]) }
    guard let start else { return false }
    let isTime = start.value.contains(UInt8(ascii: "T"))
    return !isTime || start["TZID"] == nil && !start.value.contains(UInt8(ascii: "Z"))
  }
}

extension [UInt8] {
  /// Whether the value of a line about dates contains a moment in UTC.
  fileprivate var hasMoment: Bool {
    let value = PropertyLine(self).value
    return value.indices.contains {
      value[$0] | 0x20 == UInt8(ascii: "z") && $0 > 0
        && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(value[$0 - 1])
    }
  }

  /// A rule with a date in its UNTIL.
  fileprivate func withDate(ofUntil dayZone: Zone?, _ hasTimes: Bool) -> [UInt8] {
    let parts = split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    return Array(
      parts.map { part -> [UInt8] in
        let text = String(decoding: part, as: UTF8.self)
        guard text.uppercased().hasPrefix("UNTIL="), case .utc? = Self.until(text) else {
          return Array(part)
        }
        let date = Self.until(text)?.date(onClockOf: dayZone)
        return date.map { Array("UNTIL=\(TimeLine.text($0))\(hasTimes ? "T000000" : "")".utf8) }
          ?? Array(part)
      }.joined(separator: [UInt8(ascii: ";")]))
  }

  private static func until(_ part: String) -> Rule.Until? {
    (try? Rule(parsing: "FREQ=DAILY;\(part)"))?.until
  }
}

extension PropertyLine {
  /// Writes all values of a list as dates. Periods and what is not a time stay.
  fileprivate mutating func writeDates(onClockOf dayZone: Zone?, _ hasTimes: Bool) {
    let values = value.split(separator: UInt8(ascii: ","))
    let dates = values.compactMap { $0.withUnsafeBufferPointer { TimeText($0) } }
    guard dates.count == values.count else { return }
    value = Array(
      dates.map { text in
        let time: EventTime = text.isUTC ? .utc(text.civil) : .floating(text.civil)
        let date = TimeLine.text(time.date(onClockOf: dayZone))
        return Array((date + (hasTimes ? "T000000" : "")).utf8)
      }.joined(separator: [UInt8(ascii: ",")]))
    setForm(hasTimes)
  }

  fileprivate mutating func setForm(_ hasTimes: Bool) {
    self["VALUE"] = hasTimes ? nil : "DATE"
    self["TZID"] = nil
  }
}
