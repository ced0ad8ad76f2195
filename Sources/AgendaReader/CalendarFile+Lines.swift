/// The source's own lines, for messages that quote them.
extension CalendarFile {
  /// The bytes of some of its lines, from 1, as far as there are such lines.
  package func lines(_ numbers: Set<Int>) -> [Int: [UInt8]] {
    guard !numbers.isEmpty else { return [:] }
    let bytes = text.bytes.bytes
    let index = LineIndex(bytes, from: text.start)
    var lines: [Int: [UInt8]] = [:]
    for number in numbers {
      if let range = index.range(ofLine: number, in: bytes) { lines[number] = Array(bytes[range]) }
    }
    return lines
  }
}
