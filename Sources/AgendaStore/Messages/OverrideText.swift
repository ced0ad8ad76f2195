package import AgendaCore
package import ICalendar
package import Recurrence

/// The text of an override with the same content as its series has for that occurrence.
package enum OverrideText {
  /// `text` is the text of the series.
  package static func bytes(of override: Event, series: Event, text: [UInt8]) -> [UInt8] {
    let component = ComponentText(text)
    var edits: [PropertyEdit] = []
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
      edits += marks(moment, of: component, start: series.start)
    }
    return component.applying(edits)
  }

  /// The edits that make a series an override of the occurrence at `moment`, except for its times.
  /// `start` is that of the series.
  package static func marks(
    _ moment: EventTime, of series: ComponentText, start: EventTime?
  ) -> [PropertyEdit] {
    let written = series.own("DTSTART").first ?? series.own("DUE").first
    let line = TimeLine.line(
      "RECURRENCE-ID", moment, replacing: written.map { PropertyLine($0.content) }, at: start)
    return
      (["RRULE", "RDATE", "EXDATE", "EXRULE"].map { PropertyEdit($0, lines: []) }
      + [PropertyEdit("RECURRENCE-ID", lines: [line.content])]).compactMap(\.self)
  }
}
