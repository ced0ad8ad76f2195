/// The text of a component with the positions of its content lines, for changing some lines and
/// keeping all others byte for byte.
package struct ComponentText {
  package let bytes: [UInt8]
  /// In the order of the component, from its BEGIN to its END.
  package let lines: [Line]

  package struct Line {
    /// The bytes of the line, including its folds and its line end.
    package let range: Range<Int>
    /// The line without its folds and its line end.
    package let content: [UInt8]
    /// How many components contain the line; 1 for the component's own properties. A BEGIN or END
    /// line belongs to the component that it begins or ends.
    package let depth: Int

    package func isProperty(_ name: StaticString) -> Bool { content.isProperty(name) }
  }

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let room = UnfoldingBuffer()
    lines = bytes.withUnsafeBufferPointer { bytes in
      var lines: [Line] = []
      var cursor = LineCursor(bytes, from: 0, to: bytes.count)
      var depth = 0
      while let line = cursor.next() {
        let (name, nameEnd) = room.name(of: line, in: bytes)
        if name == .begin { depth += 1 }
        let view = room.view(PropertySlot(line: line, nameEnd: nameEnd), of: bytes)
        lines.append(
          Line(range: line.start..<cursor.position, content: Array(view.bytes), depth: depth))
        if name == .end { depth -= 1 }
      }
      return lines
    }
  }

  /// The component's own lines of a property, not those of the components in it.
  package func own(_ name: StaticString) -> [Line] {
    lines.filter { $0.depth == 1 && $0.isProperty(name) }
  }

  /// The text without some of its lines, and with `added` after its BEGIN line. Added lines are
  /// folded.
  package func replacing(_ removed: [Line], with added: [[UInt8]]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + added.reduce(0) { $0 + $1.count + 8 })
    let begin = lines.first?.range.upperBound ?? 0
    result += bytes[..<begin]
    for line in added { result += FileLines.folded(line) }
    var position = begin
    for line in removed.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where line.range.lowerBound >= position {
      result += bytes[position..<line.range.lowerBound]
      position = line.range.upperBound
    }
    return result + bytes[position...]
  }
}

extension [UInt8] {
  /// Without the line ends after it.
  package var withoutLineEnd: [UInt8] {
    var bytes = self
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    return bytes
  }
}
