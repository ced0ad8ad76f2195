internal import AgendaCore
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
    end = Self.line("DTEND", of: component)
  }

  private static func line(_ name: StaticString, of component: ComponentText) -> PropertyLine? {
    component.own(name).first.map { PropertyLine($0.content) }
  }

  /// The lines of an override that take the place of lines of the series.
  func lines(of override: Event) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    func replace(_ name: String, _ line: PropertyLine?, _ new: EventTime?, at old: EventTime?) {
      guard let new, let line else { return }
      lines.append(TimeLine.line(name, new, replacing: line, at: old).content)
    }
    replace("DTSTART", start, override.start, at: series.start)
    replace("DUE", due, override.due, at: series.due)
    if case .end(let new) = override.extent, case .end(let old) = series.extent {
      replace("DTEND", end, new, at: old)
    }
    if let moment = override.identity.recurrenceID {
      lines.append(Self.recurrenceID(moment, start ?? due, at: series.start))
    }
    return lines
  }

  /// The text of an override with these lines.
  static func bytes(_ lines: [[UInt8]], series text: [UInt8]) -> [UInt8] {
    let edits = lines.map { line in
      let name = line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
      return PropertyEdit(String(decoding: name, as: UTF8.self), lines: [line])
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
