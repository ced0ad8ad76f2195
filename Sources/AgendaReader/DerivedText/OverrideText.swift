internal import AgendaCore
internal import CivilTime
package import ICalendar
package import Recurrence

/// The text of overrides with the same content as their series has for their occurrences: the text
/// of the series with a few other lines.
package struct OverrideText: Sendable {
  private let series: Event
  private let start, due, end: PropertyLine?

  /// `text` is the text of the series.
  init(series: Event, text: [UInt8]) {
    self.series = series
    let component = ComponentText(text)
    start = Self.line("DTSTART", of: component)
    due = Self.line("DUE", of: component)
    let end = Self.line("DTEND", of: component)
    // An end that is a date next to a time, or the other way round, is read in the form of the start.
    self.end = start == nil || end?.hasTimes == start?.hasTimes ? end : start
  }

  private static func line(_ name: StaticString, of component: ComponentText) -> PropertyLine? {
    component.own(name).first.map { PropertyLine($0.content) }
  }

  /// The lines with the times of an override. They take the place of all lines with their names. A
  /// name alone means that the override has no such line.
  func lines(of override: Event) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    func add(_ name: String, _ time: EventTime?, _ old: PropertyLine?, at oldTime: EventTime?) {
      guard let time, let old else { return }
      let form = Self.stated(oldTime, in: old)
      lines.append(
        TimeLine.line(name, Self.portable(time), replacing: old, at: form).content)
    }
    add("DTSTART", override.start, start, at: series.start)
    add("DUE", override.due, due, at: series.due)
    switch override.extent {
    // A task ends when it is due.
    case .end where override.kind == .task: break
    case .end(let new):
      if case .end(let old) = series.extent {
        add("DTEND", new, end, at: old)
      } else {
        add("DTEND", new, start, at: series.start)
      }
      lines.append(Array("DURATION".utf8))
    case .duration(let length):
      lines += [Array("DURATION:\(TimeLine.text(length))".utf8), Array("DTEND".utf8)]
    case .unstated: break
    }
    if let moment = override.identity.recurrenceID {
      let written = start ?? due
      let form = written.flatMap { Self.stated(series.start, in: $0) }
      var line = PropertyLine(Self.recurrenceID(Self.portable(moment), written, at: form))
      if override.identity.includesFollowing { line["RANGE"] = "THISANDFUTURE" }
      lines.append(line.content)
    }
    return lines
  }

  /// A time in a zone that only the VCALENDAR of the series defines, in UTC: the override can come
  /// to be in another VCALENDAR.
  private static func portable(_ time: EventTime) -> EventTime {
    guard case .zoned(_, let zone) = time, zone.origin == .definition else { return time }
    return .utc(time.instant(for: .utc).utc)
  }

  /// A time if its line states its zone. For the same reason, X-WR-TIMEZONE does not count.
  private static func stated(_ time: EventTime?, in line: PropertyLine) -> EventTime? {
    if case .zoned = time, line["TZID"] == nil { return nil }
    return time
  }

  /// The name of a line, and whether it is more than a name.
  static func name(of line: [UInt8]) -> (name: String, hasValue: Bool) {
    let name = line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
    return (String(decoding: name, as: UTF8.self), name.count < line.count)
  }

  /// The text of an override with these lines.
  static func bytes(_ lines: [[UInt8]], series text: [UInt8]) -> [UInt8] {
    let edits = lines.map { line in
      let (name, hasValue) = name(of: line)
      return PropertyEdit(name, lines: hasValue ? [line] : [])
    }
    return ComponentText(text).applying((withoutRule + edits).compactMap(\.self))
  }

  /// The edits that make a series an override of the occurrence at `moment`, except for its times.
  /// `start` is that of the series.
  package static func marks(
    _ moment: EventTime, of series: ComponentText, start: EventTime?
  ) -> [PropertyEdit] {
    let written = line("DTSTART", of: series) ?? line("DUE", of: series)
    let line = recurrenceID(moment, written, at: start)
    return (withoutRule + [PropertyEdit("RECURRENCE-ID", lines: [line])]).compactMap(\.self)
  }

  private static let withoutRule = ["RRULE", "RDATE", "EXDATE", "EXRULE"].map {
    PropertyEdit($0, lines: [])
  }

  /// `written` is the line of the start of the series.
  private static func recurrenceID(
    _ moment: EventTime, _ written: PropertyLine?, at start: EventTime?
  ) -> [UInt8] {
    TimeLine.line("RECURRENCE-ID", moment, replacing: written, at: start).content
  }
}
