package import AgendaCore
internal import ICalendar
internal import Recurrence

/// The text of an override that says what its series says of one occurrence.
package enum OverrideText {
  /// `text` is that of the series.
  package static func bytes(of override: Event, series: Event, text: [UInt8]) -> [UInt8] {
    let component = ComponentText(text)
    var edits = ["RRULE", "RDATE", "EXDATE", "EXRULE"].compactMap { PropertyEdit($0, lines: []) }
    func replace(_ name: StaticString, _ new: EventTime?, at old: EventTime?) {
      guard let new, let line = component.own(name).first else { return }
      edits += [
        PropertyEdit(
          "\(name)",
          lines: [
            TimeLine.line("\(name)", new, replacing: PropertyLine(line.content), at: old).content
          ])
      ].compactMap(\.self)
    }
    replace("DTSTART", override.start, at: series.start)
    replace("DUE", override.due, at: series.due)
    if case .end(let new) = override.extent, case .end(let old) = series.extent {
      replace("DTEND", new, at: old)
    }
    if let moment = override.identity.recurrenceID {
      let start = component.own("DTSTART").first ?? component.own("DUE").first
      let line = TimeLine.line(
        "RECURRENCE-ID", moment, replacing: start.map { PropertyLine($0.content) },
        at: series.start)
      edits += [PropertyEdit("RECURRENCE-ID", lines: [line.content])].compactMap(\.self)
    }
    return component.applying(edits)
  }
}
