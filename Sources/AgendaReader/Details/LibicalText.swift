internal import AgendaCore

/// The text in which libical is given properties that our own code does not understand.
enum LibicalText {
  /// The parameter that carries a property's number.
  static let marker = "X-AGENDA-NUMBER"
  private static let parameters: [StaticString] = [
    "CN", "PARTSTAT", "ROLE", "EMAIL", "FMTTYPE", "FILENAME", "X-FILENAME", "X-APPLE-FILENAME",
    "LABEL", "FEATURE", "X-TITLE", "RELATED", "CUTYPE", "DISPLAY",
  ]
  /// libical searches every line in pieces of 79 bytes, each to the end of the line: folded lines
  /// cost it no more than they are long.
  private static let foldAt = 70

  /// The properties, written anew so that nothing in them can hurt: with known parameters only, no
  /// TZID, no bytes of attachments, lines folded, BEGIN and END matched, in UTF-8, ended with NUL.
  /// Each carries its place in the list in a parameter.
  static func text(
    of properties: [DetailProperty], in bytes: Bytes, _ room: UnfoldingRoom
  ) -> [UInt8] {
    var text = Array("BEGIN:VEVENT\r\n".utf8)
    for (number, property) in properties.enumerated() {
      if property.alarm != nil { text += Array("BEGIN:VALARM\r\n".utf8) }
      fold(line(property, number, room.view(property.slot, of: bytes)), into: &text)
      if property.alarm != nil { text += Array("END:VALARM\r\n".utf8) }
    }
    return text + Array("END:VEVENT\r\n".utf8) + [0]
  }

  private static func line(
    _ property: DetailProperty, _ number: Int, _ view: ContentView
  ) -> [UInt8] {
    let name = property.name
    var line = Array("\(name.libicalName);\(marker)=\(number)".utf8)
    appendParameters(of: view, to: &line)
    if property.byteCount != nil {
      // The bytes stay where they are; libical sees one in their place.
      return line + Array(";ENCODING=BASE64;VALUE=BINARY:QQ==".utf8)
    }
    if name.isAttachment || name == .conference {
      line += Array(";VALUE=URI".utf8)
    } else if name == .trigger, TimeText(view.value.trimmed) != nil {
      line += Array(";VALUE=DATE-TIME".utf8)
    }
    return line + [0x3A] + printable(view.value.trimmed)
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
