internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// The zone of the local times of a vCalendar 1.0: TZ, such as `-05:00`, and one DAYLIGHT for each
/// period of daylight saving time, such as `TRUE;-04;20260308T020000;20261101T020000;EST;EDT`.
struct VCalendarZone {
  /// Real calendars do not have more years.
  static let mostPeriods = 200

  /// `nil` if TZ is missing or unknown.
  private(set) var zone: Zone?
  /// The lines that are not understood.
  private(set) var findings: [Finding] = []

  init(of calendar: ScannedCalendar, names: ZoneNames) {
    guard calendar.isVersion1 else { return }
    var periods: [Period] = []
    for (text, line) in calendar.oldDaylight where !text.uppercased().hasPrefix("FALSE") {
      if let period = Self.period(text, names: names) {
        periods.append(period)
      } else {
        report("DAYLIGHT", text, line, "ignored")
      }
    }
    guard let (text, line) = calendar.oldZone else { return }
    if let standard = names.resolution(of: text).zone {
      zone = Self.zone(of: standard, named: text, periods)
    } else {
      report("TZ", text, line, "times without a zone read as local time")
    }
  }

  private mutating func report(
    _ property: String, _ text: String, _ line: Int, _ action: Sentence
  ) {
    findings.append(
      .notUnderstood(String(text.prefix(Self.longestQuote)), action).at(
        line: line, component: "VCALENDAR", property: property))
  }

  /// A message shows no more of a text.
  private static let longestQuote = 128

  private static func zone(of standard: Zone, named text: String, _ periods: [Period]) -> Zone? {
    guard let first = periods.first else { return standard }
    let offset = standard.utcOffset(at: Instant(secondsSinceEpoch: 0))
    let observances = periods.flatMap { period in
      [
        ZoneDefinition.Observance(
          isDaylight: true, start: period.begin, offsetFrom: offset, offsetTo: period.offset,
          name: period.daylightName),
        ZoneDefinition.Observance(
          isDaylight: false, start: period.end, offsetFrom: period.offset, offsetTo: offset,
          name: period.standardName),
      ]
    }
    let name = "\(text)/\(first.text)"
    return ZoneDefinition(identifier: name, observances: observances).zone().zone
  }

  private struct Period {
    let text: String
    let offset: Int
    let begin: CivilDateTime
    let end: CivilDateTime
    let standardName: String?
    let daylightName: String?
  }

  private static func period(_ text: String, names: ZoneNames) -> Period? {
    let fields = text.split(separator: ";", omittingEmptySubsequences: false).map {
      String($0).trimmed
    }
    guard fields.count >= 4, fields[0].uppercased() == "TRUE",
      let offset = names.resolution(of: fields[1]).zone?.utcOffset(
        at: Instant(secondsSinceEpoch: 0)),
      let begin = time(fields[2]), let end = time(fields[3]), begin < end
    else { return nil }
    return Period(
      text: fields[1], offset: offset, begin: begin, end: end,
      standardName: fields.count > 4 ? fields[4] : nil,
      daylightName: fields.count > 5 ? fields[5] : nil)
  }

  private static func time(_ text: String) -> CivilDateTime? {
    Array(text.utf8).withUnsafeBufferPointer { TimeText($0)?.civil }
  }
}
