internal import CivilTime
internal import ICalendar

/// The VTIMEZONEs that a VCALENDAR needs and does not have (RFC 5545 3.2.19), made from the rules of the
/// zones that its TZIDs name.
struct ExportedZones {
  private let names: ZoneNames
  private let defined: Set<String>
  private var used: Set<String> = []

  /// `parts` are the folded components that the VCALENDAR has in addition to its events.
  init(_ names: ZoneNames, definedIn parts: [[UInt8]]) {
    self.names = names
    var defined: Set<String> = []
    for part in parts {
      for line in FileLines(part).lines where line.isProperty("TZID") {
        defined.insert(
          String(decoding: line.drop { $0 != UInt8(ascii: ":") }.dropFirst(), as: UTF8.self))
      }
    }
    self.defined = defined
  }

  /// Remembers the zones that a component names.
  mutating func note(_ lines: [[UInt8]]) {
    for line in lines {
      if let name = line.zoneName, !name.isEmpty, !defined.contains(name) { used.insert(name) }
    }
  }

  /// Distinguishes these definitions from those that a source brought.
  private static let mark = "X-AGENDA-ADDED"

  static func isAdded(_ lines: [[UInt8]]) -> Bool {
    lines.contains { $0.starts(with: mark.utf8) }
  }

  /// The content lines of all of them. A TZID whose name is unknown has none.
  var definitions: [[UInt8]] {
    used.sorted().flatMap { name in
      names.resolution(of: name).zone.map { Self.definition(of: $0, as: name) } ?? []
    }.map { Array($0.utf8) }
  }

  /// The changes of the clocks are listed from 1970 to 2037, as other programs do; readers that know
  /// the zone's name use none of them.
  private static let years = (first: 1970, last: 2037)

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
      guard let times = onsets[observance], let start = times.first else { continue }
      let kind = observance.isDaylight ? "DAYLIGHT" : "STANDARD"
      lines += [
        "BEGIN:\(kind)", "DTSTART:\(text(start))", "TZOFFSETFROM:\(offset(observance.from))",
        "TZOFFSETTO:\(offset(observance.to))",
      ]
      if !observance.abbreviation.isEmpty { lines.append("TZNAME:\(observance.abbreviation)") }
      if times.count > 1 {
        lines.append("RDATE:" + times.dropFirst().map(text).joined(separator: ","))
      }
      lines.append("END:\(kind)")
    }
    return lines + ["END:VTIMEZONE"]
  }

  /// `20261025T030000`
  private static func text(_ civil: CivilDateTime) -> String {
    String("\(civil)".prefix(19).filter { $0 != "-" && $0 != ":" })
  }

  /// `+0530`, with seconds where there are some.
  private static func offset(_ seconds: Int) -> String {
    let parts = [abs(seconds) / 3600, abs(seconds) / 60 % 60, abs(seconds) % 60]
    let digits = (parts[2] == 0 ? parts[..<2] : parts[...]).map { $0 < 10 ? "0\($0)" : "\($0)" }
    return (seconds < 0 ? "-" : "+") + digits.joined()
  }
}
