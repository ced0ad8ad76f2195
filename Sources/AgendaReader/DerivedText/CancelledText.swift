internal import ICalendar

/// The text of a component in the form in which its source would cancel it.
package enum CancelledText {
  /// `title` is the title of the series if one of its occurrences is cancelled. That override needs
  /// a DTSTART, and a SUMMARY for people.
  package static func bytes(of text: [UInt8], title: String? = nil) -> [UInt8] {
    let component = ComponentText(text)
    var added = [Array("STATUS:CANCELLED".utf8)]
    if let title {
      if component.own("DTSTART").isEmpty, let moment = component.own("RECURRENCE-ID").first {
        added.append(start(at: moment.content))
      }
      if !title.isEmpty, component.own("SUMMARY").isEmpty {
        added.append(Array("SUMMARY:".utf8) + PropertyValue.escaped(title))
      }
    }
    return component.replacing(component.own("STATUS"), with: added)
  }

  /// DTSTART with the value and parameters of a RECURRENCE-ID, except for its RANGE.
  private static func start(at recurrenceID: [UInt8]) -> [UInt8] {
    recurrenceID.withUnsafeBufferPointer { line in
      let view = ContentView(
        line, nameEnd: PropertyName.scan(line, from: 0, to: line.count).nameEnd)
      return Array("DTSTART".utf8) + view.parameters(except: "RANGE") + [UInt8(ascii: ":")]
        + view.value
    }
  }
}
