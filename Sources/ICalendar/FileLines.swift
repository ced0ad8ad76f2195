/// Content lines as a source wrote them, repaired for a new file: line ends of CRLF, folds of at most
/// 75 bytes that cut no character (RFC 5545 3.1), and UTF-8. Bytes that are not UTF-8 are transcoded
/// from Windows-1252, as the reader does.
package struct FileLines {
  package private(set) var lines: [[UInt8]] = []

  /// In bytes, without the line end (RFC 5545 3.1).
  private static let longestLine = 75

  /// Splits `bytes` into lines and unfolds them. A raw line break in a text becomes its `\n`; junk
  /// between properties is dropped. Names lose the blanks after them, and parameters are written with a
  /// `=`: other readers miss such lines. `isVersion1` is whether they are vCalendar 1.0, which decides
  /// what a `=` at the end of a line means.
  package init(_ bytes: [UInt8], isVersion1: Bool = false) {
    bytes.withUnsafeBufferPointer { unfold($0, isVersion1: isVersion1) }
    joinStrays()
    lines = lines.map(\.withUsualHead)
    for index in lines.indices where !lines[index].withUnsafeBufferPointer({ $0.isUTF8 }) {
      lines[index] = lines[index].withUnsafeBufferPointer(Windows1252.repaired)
    }
  }

  /// Lines without folds and line ends.
  package init(lines: [[UInt8]]) { self.lines = lines }

  private mutating func unfold(_ bytes: Bytes, isVersion1: Bool) {
    var cursor = LineCursor(bytes, from: 0, to: bytes.count)
    while let range = cursor.nextPhysical() {
      let physical = bytes.part(range.lowerBound, range.upperBound)
      guard let last = lines.indices.last else {
        lines.append(Array(physical))
        continue
      }
      let isFold = physical.first == UInt8(ascii: " ") || physical.first == UInt8(ascii: "\t")
      if let end = QuotedPrintable.softBreak(in: lines[last]), lines[last].isQuotedPrintable,
        !Array(physical).isProperty("BEGIN"), !Array(physical).isProperty("END"),
        isVersion1 || !isFold
          || !QuotedPrintable.continuesEscape(physical, at: 1, to: physical.count)
      {
        // A soft line break of quoted-printable: the next line continues as it is.
        lines[last].removeSubrange(end...)
        let isInCharacter =
          isFold && !isVersion1
          && QuotedPrintable.continuesCharacter(
            lines[last], with: physical, at: 1, to: physical.count)
        lines[last] += isInCharacter ? physical.dropFirst() : physical[...]
      } else if isFold {
        lines[last] += physical.dropFirst()
      } else {
        lines.append(Array(physical))
      }
    }
  }

  /// Adds the missing END lines: before the END of the enclosing component, or at the end. BEGIN and
  /// END lines lose blanks and control characters: other readers miss such lines.
  package mutating func balance() {
    var open: [[UInt8]] = []
    var balanced: [[UInt8]] = []
    for line in lines {
      if line.isProperty("BEGIN") { open.append(line.componentName) }
      if line.isProperty("END") {
        guard let begin = open.lastIndex(of: line.componentName) else { continue }
        for name in open[(begin + 1)...].reversed() { balanced.append(Array("END:".utf8) + name) }
        open.removeSubrange(begin...)
      }
      if line.isProperty("BEGIN") || line.isProperty("END") {
        let keyword = line.isProperty("BEGIN") ? "BEGIN:" : "END:"
        balanced.append(Array(keyword.utf8) + line.componentName)
        continue
      }
      balanced.append(line)
    }
    for name in open.reversed() { balanced.append(Array("END:".utf8) + name) }
    lines = balanced
  }

  private mutating func joinStrays() {
    guard lines.contains(where: \.isStray) else { return }
    var joined: [[UInt8]] = []
    var blanks = 0
    for line in lines {
      if line.isEmpty {
        blanks += 1
        continue
      }
      if !line.isStray {
        joined.append(line)
      } else if let last = joined.indices.last, joined[last].isText {
        for _ in 0...blanks { joined[last] += Array("\\n".utf8) }
        joined[last] += line
      }
      blanks = 0
    }
    lines = joined
  }

  /// A line with its folds and line end.
  package static func folded(
    _ line: [UInt8], lineEnd: [UInt8] = Array("\r\n".utf8)
  ) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(line.count + line.count / 70 * 3 + 2)
    var start = 0
    var room = longestLine
    let isQuotedPrintable = line.count > longestLine && line.isQuotedPrintable
    // Whether a fold there cuts neither a character nor an escape of quoted-printable. In the
    // latter a `=` at the end of a line would also become a soft line break.
    func canFold(at place: Int) -> Bool {
      let escape = UInt8(ascii: "=")
      return line[place] & 0xc0 != 0x80
        && !(isQuotedPrintable && (line[place - 1] == escape || line[place - 2] == escape))
    }
    while line.count - start > room {
      let longest = start + room
      let end = (longest - 8...longest).last(where: canFold) ?? longest
      folded += line[start..<end]
      folded += lineEnd
      folded.append(UInt8(ascii: " "))
      start = end
      room = longestLine - 1
    }
    folded += line[start...]
    folded += lineEnd
    return folded
  }
}

extension [UInt8] {
  /// Whether it has no name, by the same rules as for the reader.
  var isStray: Bool {
    withUnsafeBufferPointer { bytes in
      let (name, nameEnd) = PropertyName.scan(bytes, from: 0, to: bytes.count)
      let line = ContentLine(start: 0, end: bytes.count, line: 1, isFolded: false)
      return name.unlessProse(line, nameEnd: nameEnd, bytes) == .stray
    }
  }

  /// Whether a line without a name continues its value.
  fileprivate var isText: Bool {
    withUnsafeBufferPointer { PropertyName.scan($0, from: 0, to: $0.count).0.isFreeText }
  }

  fileprivate var isQuotedPrintable: Bool {
    let head = prefix { $0 != UInt8(ascii: ":") }.map { $0 & 0xdf }
    let name = Array("QUOTED".utf8)
    return head.indices.contains { head[$0...].starts(with: name) }
  }

  /// `UID:1` for `UID :1`, and `DTSTART;TZID=Europe/Berlin:…` for `DTSTART;TZID:Europe/Berlin:…`.
  fileprivate var withUsualHead: [UInt8] {
    guard
      let end = firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }), end > 0
    else { return self }
    var line = self
    if self[end - 1].isBlank {
      let name = self[..<end].prefix { !$0.isBlank }
      line = Array(name + self[end...])
    }
    if self[end] == UInt8(ascii: ":") { return line }
    return line.withUnsafeBufferPointer { bytes in
      let nameEnd = PropertyName.scan(bytes, from: 0, to: bytes.count).nameEnd
      return ContentView(bytes, nameEnd: nameEnd).withUsualParameters
    } ?? line
  }

  /// The component that a BEGIN or END line names, in capitals.
  fileprivate var componentName: [UInt8] {
    let value = drop { $0 != UInt8(ascii: ":") }.dropFirst()
    return value.filter { $0 > UInt8(ascii: " ") }.map {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 & 0xdf : $0
    }
  }

  /// The TZID parameter of a content line.
  package var zoneName: String? {
    withUnsafeBufferPointer { line in
      let view = ContentView(
        line, nameEnd: PropertyName.scan(line, from: 0, to: line.count).nameEnd)
      return view.parameter("TZID").map { line.part($0.lowerBound, $0.upperBound).text }
    }
  }

  /// Whether it is a content line of that property, which is given in capitals. Blanks can follow its
  /// name.
  package func isProperty(_ name: StaticString) -> Bool {
    let length = name.utf8CodeUnitCount
    guard withUnsafeBufferPointer({ $0.hasName(name, at: 0) }) else { return false }
    let delimiter = self[length...].first { $0 != 0x20 && $0 != 0x09 }
    return delimiter == UInt8(ascii: ":") || delimiter == UInt8(ascii: ";")
  }

  /// The value of a METHOD line, in capitals; `nil` for lines of other properties.
  package var method: String? {
    guard isProperty("METHOD") else { return nil }
    return String(decoding: PropertyLine(self).value, as: UTF8.self).trimmed.uppercased()
  }

  /// Whether it is the VERSION line of vCalendar 1.0.
  package var isVersion1: Bool {
    isProperty("VERSION")
      && String(decoding: PropertyLine(self).value, as: UTF8.self).trimmed == "1.0"
  }
}
