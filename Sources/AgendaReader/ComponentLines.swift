internal import ICalendar

/// One content line of an event (RFC 5545 3.1), unfolded.
public struct EventLine: Sendable {
  /// The name of the property in capitals: `DTSTART`.
  public let name: String
  /// The whole line: `DTSTART;TZID=Europe/Berlin:20261124T093000`.
  public fileprivate(set) var text: String
  /// The text of a DESCRIPTION, COMMENT or CONTACT, or the list of RESOURCES, without escapes.
  /// `nil` for other properties.
  package let plainText: String?
  /// The number of its first line in the component, from 1 for BEGIN.
  package let number: Int
  /// The lengths of the name and of the line, in bytes, without lines that were added.
  fileprivate let nameLength: Int
  fileprivate let length: Int

  /// The text after the colon, with its escapes.
  public var value: String { withView { $0.value.text } }

  /// The value of a parameter without quotes; `nil` if the line does not have it. Write the name in
  /// capitals.
  public func parameter(_ wanted: String) -> String? {
    withView { view in
      var found: String?
      view.forEachParameter { name, value in
        let name = view.bytes.part(name.lowerBound, name.upperBound).trimmed.text.uppercased()
        guard name == wanted else { return true }
        let value = view.bytes.part(value.lowerBound, value.upperBound)
        found = ParameterValue.text(value, ParameterName(name))
        return false
      }
      return found
    }
  }

  /// Values and parameters are read on demand: a component can have hundreds of thousands of lines.
  private func withView<Result>(_ body: (ContentView) -> Result) -> Result {
    var text = text
    return text.withUTF8 { body(ContentView($0.part(0, length), nameEnd: nameLength)) }
  }
}

/// The content lines of an event as in its source, unfolded and without those of its alarms.
///
/// A line that is not a property is added to the line before it, as in the events.
package struct ComponentLines {
  /// The lines in the order of the source.
  package private(set) var all: [EventLine] = []

  /// `component` has the bytes from `CalendarFile.withComponent`, or a copy of them.
  package init(_ component: UnsafeBufferPointer<UInt8>) {
    let room = UnfoldingBuffer()
    var walk = ComponentWalk(0..<component.count, line: 1, of: component, room)
    var end = 0
    while let (name, line, nameEnd) = walk.next() {
      if walk.alarm != nil { continue }
      let view = room.view(PropertySlot(line: line, nameEnd: nameEnd), of: component)
      if name != .stray {
        let text = Self.plainText(name, PropertySlot(line: line, nameEnd: nameEnd), component)
        all.append(EventLine(view, number: line.line, plainText: text))
        end = line.end
      } else if !all.isEmpty, !view.bytes.trimmed.isEmpty, line.follows(end, in: component) {
        all[all.count - 1].text += "\n" + view.bytes.text
        end = line.end
      }
    }
  }

  /// Uses a separate buffer, because the other one contains the line.
  private static func plainText(
    _ name: PropertyName, _ slot: PropertySlot, _ bytes: Bytes
  ) -> String? {
    switch name {
    case .resources: UnfoldingBuffer().list(slot, of: bytes).joined(separator: ", ")
    case .description, .otherText: UnfoldingBuffer().text(slot, of: bytes)
    default: nil
    }
  }

  /// The lines of one property.
  package func named(_ name: String) -> [EventLine] { all.named(name) }
}

extension [EventLine] {
  /// The lines of one property.
  package func named(_ name: String) -> [EventLine] { filter { $0.name == name } }
}

extension EventLine {
  fileprivate init(_ view: ContentView, number: Int, plainText: String?) {
    let text = view.bytes.text
    // Bytes of other encodings were converted, which makes them longer.
    let isSame = text.utf8.count == view.bytes.count
    self.init(
      name: view.name.text.uppercased(), text: text, plainText: plainText, number: number,
      nameLength: isSame ? view.nameEnd : view.bytes.part(0, view.nameEnd).text.utf8.count,
      length: text.utf8.count)
  }
}
