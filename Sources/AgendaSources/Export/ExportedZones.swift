internal import CivilTime
internal import ICalendar
internal import Recurrence

/// The VTIMEZONEs that a VCALENDAR needs and lacks (RFC 5545 3.2.19). They are made from the rules
/// of the zones that its TZIDs name.
struct ExportedZones {
  private let names: ZoneNames
  /// In lower case, as definitions are found whatever their letter case is.
  private let defined: Set<String>
  private var used: Set<String> = []

  /// `parts` are the folded components that the VCALENDAR has in addition to its events.
  init(_ names: ZoneNames, definedIn parts: [[UInt8]]) {
    self.names = names
    defined = Set(Self.names(definedIn: parts).map { $0.lowercased() })
  }

  /// The TZIDs of the VTIMEZONEs among folded components.
  static func names(definedIn parts: [[UInt8]]) -> Set<String> {
    var defined: Set<String> = []
    for part in parts {
      for line in FileLines(part).lines where line.isProperty("TZID") {
        defined.insert(
          String(decoding: line.drop { $0 != UInt8(ascii: ":") }.dropFirst(), as: UTF8.self))
      }
    }
    return defined
  }

  /// Remembers the zones that a component names.
  mutating func note(_ lines: [[UInt8]]) {
    for line in lines {
      guard let name = line.zoneName, !name.isEmpty, !defined.contains(name.lowercased()) else {
        continue
      }
      used.insert(name)
    }
  }

  /// Marks these definitions, so that they differ from those of a source.
  private static let mark = "X-AGENDA-ADDED"

  static func isAdded(_ lines: [[UInt8]]) -> Bool {
    lines.contains { $0.starts(with: mark.utf8) }
  }

  /// The content lines of all definitions besides known ones. A TZID with an unknown name has no
  /// definition.
  func definitions(besides known: Set<String>) -> [[UInt8]] {
    used.subtracting(known).sorted().flatMap { name in
      names.resolution(of: name).zone.map { Self.definition(of: $0, as: name) } ?? []
    }.map { Array($0.utf8) }
  }

  /// Clock changes without a yearly rule are listed up to the last year. Readers that know the
  /// zone's name ignore the list.
  private static let years = (first: 1970, last: 2060)

  private struct Observance: Hashable {
    var isDaylight: Bool
    var from: Int
    var to: Int
    var abbreviation: String
  }

  /// The definition of a zone for a file that agenda writes, with its line ends.
  static func newDefinition(of zone: Zone, as name: String) -> [UInt8] {
    definition(of: zone, as: name).filter { !$0.hasPrefix(mark) }.flatMap {
      FileLines.folded(Array($0.utf8))
    }
  }

  private static func definition(of zone: Zone, as name: String) -> [String] {
    guard let first = CivilDate(year: years.first, month: 1, day: 1),
      let last = CivilDate(year: years.last, month: 12, day: 31)
    else { return [] }
    let begin = Instant(utc: CivilDateTime(first, .midnight))
    let end = Instant(utc: CivilDateTime(last, .midnight))
    let initial = zone.localTimeType(at: begin)
    var order = [
      Observance(
        isDaylight: initial.isDaylight, from: initial.utcOffset, to: initial.utcOffset,
        abbreviation: initial.abbreviation)
    ]
    var onsets = [order[0]: [CivilDateTime(first, .midnight)]]
    var moment = begin
    while let change = zone.nextTransition(after: moment), change.instant < end {
      moment = change.instant
      let observance = Observance(
        isDaylight: change.after.isDaylight, from: change.before.utcOffset,
        to: change.after.utcOffset, abbreviation: change.after.abbreviation)
      if onsets[observance] == nil { order.append(observance) }
      // An onset is written in the time before it.
      onsets[observance, default: []].append(
        change.instant.adding(seconds: change.before.utcOffset).utc)
    }
    var lines = ["BEGIN:VTIMEZONE", "TZID:\(name)", "\(mark):TRUE"]
    for observance in order {
      for (times, rule) in parts(of: onsets[observance] ?? []) {
        guard let start = times.first else { continue }
        let kind = observance.isDaylight ? "DAYLIGHT" : "STANDARD"
        lines += [
          "BEGIN:\(kind)", "DTSTART:\(text(start))", "TZOFFSETFROM:\(offset(observance.from))",
          "TZOFFSETTO:\(offset(observance.to))",
        ]
        if !observance.abbreviation.isEmpty { lines.append("TZNAME:\(observance.abbreviation)") }
        if let rule {
          lines.append("RRULE:\(rule)")
        } else if times.count > 1 {
          lines.append("RDATE:" + times.dropFirst().map(text).joined(separator: ","))
        }
        lines.append("END:\(kind)")
      }
    }
    return lines + ["END:VTIMEZONE"]
  }

  /// Onsets as a list. If the last ones follow a yearly rule, that rule replaces them. A rule that
  /// ended, such as that of Berlin until 1995, is part of the list.
  private static func parts(
    of times: [CivilDateTime]
  ) -> [(times: ArraySlice<CivilDateTime>, rule: Rule?)] {
    guard let last = times.last, last.date.year >= years.last - 1 else {
      return [(times[...], nil)]
    }
    // In 28 years every date falls on every weekday.
    let sample = times.suffix(28)
    guard let rule = yearlyRules(of: sample).first(where: { gives($0, sample) }) else {
      return [(times[...], nil)]
    }
    var first = sample.startIndex
    while first > times.startIndex, gives(rule, times[(first - 1)...first]) { first -= 1 }
    let ruled: [(times: ArraySlice<CivilDateTime>, rule: Rule?)] = [(times[first...], rule)]
    return first == times.startIndex ? ruled : [(times[..<first], nil)] + ruled
  }

  /// Whether a rule produces exactly these times.
  private static func gives(_ rule: Rule, _ times: ArraySlice<CivilDateTime>) -> Bool {
    guard let first = times.first else { return false }
    return RuleExpansion(rule, start: .floating(first), givesStart: false).prefix(times.count)
      .elementsEqual(times)
  }

  /// The rules that can produce these times: the last such weekday of the month, the first to
  /// fourth one, or the first one from a day of the month on.
  private static func yearlyRules(of times: ArraySlice<CivilDateTime>) -> [Rule] {
    guard let first = times.first?.date, let day = times.map(\.date.components.day).min() else {
      return []
    }
    let month = first.components.month
    func rule(_ ordinal: Int, _ days: [Int] = []) -> Rule? {
      let weekday = Rule.WeekdayNumber(ordinal: ordinal, first.weekday)
      return try? Rule(
        .yearly, byDay: [weekday].compactMap(\.self), [.byMonth: [month], .byMonthDay: days])
    }
    return [rule(-1), rule((day - 1) / 7 + 1), rule(0, Array(day...min(day + 6, 31)))]
      .compactMap(\.self)
  }

  /// `20261025T030000`
  private static func text(_ civil: CivilDateTime) -> String {
    String("\(civil)".prefix(19).filter { $0 != "-" && $0 != ":" })
  }

  /// `+0530`, with seconds if the offset has any.
  private static func offset(_ seconds: Int) -> String {
    let parts = [abs(seconds) / 3600, abs(seconds) / 60 % 60, abs(seconds) % 60]
    let digits = (parts[2] == 0 ? parts[..<2] : parts[...]).map { $0 < 10 ? "0\($0)" : "\($0)" }
    return (seconds < 0 ? "-" : "+") + digits.joined()
  }
}
