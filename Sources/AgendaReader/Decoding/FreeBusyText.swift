internal import AgendaCore
package import CivilTime
package import ICalendar

/// The busy times of a VFREEBUSY (RFC 5545 3.6.4 and 3.8.2.6): every FBTYPE except FREE.
package struct FreeBusyText {
  package private(set) var spans: [Range<Instant>] = []
  private(set) var uid: String?
  /// Values that are not read as they are written.
  private(set) var faults: [Fault] = []

  struct Fault {
    let line: Int
    let finding: Finding
  }

  /// No real component has more values.
  private static let mostSpans = 100_000

  /// `component` reaches from its BEGIN to its END. It begins on `line`. `names` resolves a TZID,
  /// which the times of a VFREEBUSY must not have.
  package init(_ component: Bytes, line: Int = 1, names: ZoneNames) {
    let room = UnfoldingBuffer()
    var cursor = LineCursor(component, from: 0, to: component.count, line: line)
    _ = cursor.next()
    while let line = cursor.next() {
      let slot = PropertySlot(line: line, nameEnd: room.name(of: line, in: component).nameEnd)
      let view = room.view(slot, of: component)
      if uid == nil, view.name.isName("UID") { uid = room.text(slot, of: component).trimmed }
      guard view.name.isName("FREEBUSY"), !Self.isFree(view) else { continue }
      let name = view.parameter("TZID").map {
        ParameterValue.text(view.bytes.part($0.lowerBound, $0.upperBound))
      }
      let zone = name.flatMap { names.resolution(of: $0).zone } ?? .utc
      var index = view.valueStart
      while index < view.bytes.count, spans.count < Self.mostSpans {
        let end = view.bytes.index(of: 0x2C, from: index, to: view.bytes.count)
        let value = view.bytes.part(index, end).trimmed
        if !value.isEmpty { read(value, in: zone, line: line.line) }
        index = end + 1
      }
    }
  }

  private static func isFree(_ view: ContentView) -> Bool {
    view.parameter("FBTYPE").map {
      view.bytes.part($0.lowerBound, $0.upperBound).isName("FREE")
    } ?? false
  }

  /// A period: a start and an end, or a start and a duration. All times should be in UTC.
  private mutating func read(_ value: Bytes, in zone: Zone, line: Int) {
    func moment(_ time: TimeText) -> Instant {
      time.isUTC ? Instant(utc: time.civil) : zone.instant(of: time.civil)
    }
    func report(_ finding: Finding) { faults.append(Fault(line: line, finding: finding)) }
    let slash = value.index(of: 0x2F, from: 0, to: value.count)
    let length = value.part(min(slash + 1, value.count), value.count).trimmed
    guard let start = TimeText(value.part(0, slash).trimmed), start.hasTime else {
      return report(.notPeriod(value.excerpt))
    }
    let begin = moment(start)
    var finish: Instant?
    if let end = TimeText(length), end.hasTime {
      finish = moment(end)
    } else if let duration = DurationText(length)?.duration {
      finish = begin.adding(
        seconds: duration.days * TimeOfDay.secondsPerCivilDay + duration.seconds)
    }
    guard let finish, begin < finish else { return report(.notPeriod(value.excerpt)) }
    if !start.isUTC { report(.busyTimeNotUTC(value.excerpt, zone: zone)) }
    spans.append(begin..<finish)
  }
}
