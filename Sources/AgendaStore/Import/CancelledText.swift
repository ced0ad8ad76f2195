/// The text of a component as its source would write it had it cancelled it.
package enum CancelledText {
  /// `title` is that of the series of which a cancellation takes one occurrence out: as an override
  /// it needs a DTSTART, and a SUMMARY is what people know it by.
  package static func bytes(of text: [UInt8], title: String? = nil) -> [UInt8] {
    var lines = ContentLines(text).lines
    var depth = 0
    var own: [[UInt8]] = []
    lines.removeAll { line in
      if line.isProperty("BEGIN") { depth += 1 }
      if line.isProperty("END") { depth -= 1 }
      if depth == 1 { own.append(line) }
      return depth == 1 && line.isProperty("STATUS")
    }
    var added = [Array("STATUS:CANCELLED".utf8)]
    if let title {
      if !own.contains(where: { $0.isProperty("DTSTART") }),
        let moment = own.first(where: { $0.isProperty("RECURRENCE-ID") })
      {
        added.append(start(at: moment))
      }
      if !title.isEmpty, !own.contains(where: { $0.isProperty("SUMMARY") }) {
        added.append(Array("SUMMARY:".utf8) + escaped(title))
      }
    }
    lines.insert(contentsOf: added, at: min(1, lines.count))
    return lines.reduce(into: [UInt8]()) { $0 += ContentLines.folded($1) }
  }

  /// DTSTART with the value and parameters of a RECURRENCE-ID, but for its RANGE.
  private static func start(at recurrenceID: [UInt8]) -> [UInt8] {
    var isQuoted = false
    var parts: [[UInt8]] = [[]]
    var value: [UInt8] = []
    for (index, byte) in recurrenceID.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, byte == UInt8(ascii: ":") {
        value = Array(recurrenceID[index...])
        break
      }
      if !isQuoted, byte == UInt8(ascii: ";") {
        parts.append([])
      } else {
        parts[parts.count - 1].append(byte)
      }
    }
    let parameters = parts.dropFirst().filter {
      !String(decoding: $0, as: UTF8.self).uppercased().hasPrefix("RANGE=")
    }
    return Array("DTSTART".utf8) + parameters.flatMap { [UInt8(ascii: ";")] + $0 } + value
  }

  /// RFC 5545 3.3.11.
  private static func escaped(_ text: String) -> [UInt8] {
    text.utf8.reduce(into: []) { bytes, byte in
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","):
        bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += Array("\\n".utf8)
      case UInt8(ascii: "\r"): break
      default: bytes.append(byte)
      }
    }
  }
}
