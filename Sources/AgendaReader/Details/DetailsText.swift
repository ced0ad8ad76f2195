internal import AgendaCore

/// The properties of a component that its details show, where they stand, and the text in which
/// libical is given some of them.
struct DetailsText {
  private(set) var properties: [Property] = []
  /// Properties beyond the most that are taken.
  private(set) var omittedCount = 0

  struct Property {
    var name: DetailName
    var slot: PropertySlot
    /// Its ordinal among the alarms; `nil` for the component's own.
    var alarm: Int?
    /// How many bytes the attachment in it has, if it holds one.
    var byteCount: Int?
    /// From 1, among the attachments of the component.
    var attachmentNumber = 0
  }

  /// The parameter that carries a property's number.
  static let marker = "X-AGENDA-NUMBER"
  /// Neither a meeting with more attendees nor a longer one of its lines is shown whole.
  static let mostProperties = 10_000
  private static let longestLine = 1 << 20
  private static let mostAlarms = 100
  private static let parameters: [StaticString] = [
    "CN", "PARTSTAT", "ROLE", "EMAIL", "FMTTYPE", "FILENAME", "X-FILENAME", "X-APPLE-FILENAME",
    "LABEL", "FEATURE", "X-TITLE", "RELATED", "CUTYPE", "DISPLAY",
  ]
  /// libical searches every line in pieces of 79 bytes, each to the end of the line: folded lines
  /// cost it no more than they are long.
  private static let foldAt = 70

  private var alarmCount = 0
  private var attachmentCount = 0

  init(_ component: Range<Int>, line: Int, of bytes: Bytes, _ room: UnfoldingRoom) {
    var cursor = LineCursor(
      bytes, from: component.lowerBound, to: component.upperBound, line: line)
    _ = cursor.next()
    var nesting = Nesting()
    var isInAlarm = false
    while let line = cursor.next() {
      let (name, nameEnd) = room.name(of: line, in: bytes)
      switch name {
      case .begin:
        let value = room.componentName(line, nameEnd: nameEnd, in: bytes)
        if nesting.isEmpty, value.isName("VALARM") {
          if alarmCount < Self.mostAlarms { isInAlarm = true } else { omittedCount += 1 }
        }
        nesting.begin(value)
      case .end:
        _ = nesting.end(room.componentName(line, nameEnd: nameEnd, in: bytes))
        if isInAlarm, nesting.isEmpty {
          isInAlarm = false
          alarmCount += 1
        }
      case .stray: continue
      default:
        guard nesting.isEmpty || isInAlarm && nesting.depth == 1,
          DetailName.canBegin(bytes[line.start])
        else { continue }
        let slot = PropertySlot(line: line, nameEnd: nameEnd)
        let view = room.view(slot, of: bytes)
        guard let detail = DetailName(view.name, isInAlarm: isInAlarm) else { continue }
        add(detail, slot, isInAlarm: isInAlarm, view)
      }
    }
  }

  private mutating func add(
    _ name: DetailName, _ slot: PropertySlot, isInAlarm: Bool, _ view: ContentView
  ) {
    guard !view.value.trimmed.isEmpty else { return }
    let isInline = name.isAttachment && Self.isInline(view)
    guard properties.count < Self.mostProperties, isInline || view.bytes.count < Self.longestLine
    else {
      omittedCount += 1
      return
    }
    var property = Property(name: name, slot: slot, alarm: isInAlarm ? alarmCount : nil)
    if isInline { property.byteCount = Base64.byteCount(view.value) }
    if name.isAttachment {
      attachmentCount += 1
      property.attachmentNumber = attachmentCount
    }
    properties.append(property)
  }

  /// Whether an attachment stands in the file.
  static func isInline(_ view: ContentView) -> Bool {
    func parameter(_ name: StaticString, is value: StaticString) -> Bool {
      guard let range = view.parameter(name) else { return false }
      return view.bytes.part(range.lowerBound, range.upperBound).isName(value)
    }
    return parameter("ENCODING", is: "BASE64") || parameter("ENCODING", is: "B")
      || parameter("VALUE", is: "BINARY")
  }

}

// MARK: For libical

extension DetailsText {
  /// Some of the properties, written anew so that nothing in them can hurt: with known parameters
  /// only, no TZID, no bytes of attachments, lines folded, BEGIN and END matched, in UTF-8, ended
  /// with NUL. Each carries its number in a parameter.
  func libicalText(_ numbers: [Int], of bytes: Bytes, _ room: UnfoldingRoom) -> [UInt8] {
    var text = Array("BEGIN:VEVENT\r\n".utf8)
    for number in numbers {
      let property = properties[number]
      if property.alarm != nil { text += Array("BEGIN:VALARM\r\n".utf8) }
      Self.fold(line(property, number, room.view(property.slot, of: bytes)), into: &text)
      if property.alarm != nil { text += Array("END:VALARM\r\n".utf8) }
    }
    return text + Array("END:VEVENT\r\n".utf8) + [0]
  }

  private func line(_ property: Property, _ number: Int, _ view: ContentView) -> [UInt8] {
    let name = property.name
    var line = Array("\(name.libicalName);\(Self.marker)=\(number)".utf8)
    Self.appendParameters(of: view, to: &line)
    if property.byteCount != nil {
      // The bytes stay where they are; libical sees one in their place.
      return line + Array(";ENCODING=BASE64;VALUE=BINARY:QQ==".utf8)
    }
    if name.isAttachment || name == .conference {
      line += Array(";VALUE=URI".utf8)
    } else if name == .trigger, TimeText(view.value.trimmed) != nil {
      line += Array(";VALUE=DATE-TIME".utf8)
    }
    return line + [0x3A] + Self.printable(view.value.trimmed)
  }

  private static func appendParameters(of view: ContentView, to line: inout [UInt8]) {
    view.forEachParameter { parameter, value in
      let name = view.bytes.part(parameter.lowerBound, parameter.upperBound).trimmed
      guard let known = parameters.first(where: { name.isName($0) }), value.count < 4096 else {
        return true
      }
      line.append(0x3B)
      known.withUTF8Buffer { line.append(contentsOf: $0) }
      line += [0x3D, 0x22]
      line += printable(view.bytes.part(value.lowerBound, value.upperBound)).filter { $0 != 0x22 }
      line.append(0x22)
      return true
    }
  }

  /// In UTF-8, without line ends.
  private static func printable(_ bytes: Bytes) -> [UInt8] {
    let plain = bytes.isUTF8 ? Array(bytes) : Windows1252.utf8(bytes)
    return plain.map { $0 == 0x0D || $0 == 0x0A || $0 == 0 ? 0x20 : $0 }
  }

  private static func fold(_ line: [UInt8], into text: inout [UInt8]) {
    var start = 0
    while start < line.count {
      let end = min(start + foldAt, line.count)
      if start > 0 { text.append(0x20) }
      text.append(contentsOf: line[start..<end])
      text += [0x0D, 0x0A]
      start = end
    }
  }
}
