extension ByteSink {
  /// Text between tags or in a quoted attribute: one harmless line, with `&`, `<`, `>` and quotes
  /// escaped.
  mutating func write(html text: String) {
    write(escapingHTML: SafeText.line(text))
  }

  /// Text of several lines, for an element whose CSS keeps line breaks.
  mutating func write(htmlLines text: String) {
    for (number, line) in SafeText.lines(text).enumerated() {
      if number > 0 { write(UInt8(ascii: "\n")) }
      write(escapingHTML: line)
    }
  }

  private mutating func write(escapingHTML text: String) {
    var text = text
    text.withUTF8 { bytes in
      var plain = 0
      for index in bytes.indices {
        let escape: StaticString
        switch bytes[index] {
        case UInt8(ascii: "&"): escape = "&amp;"
        case UInt8(ascii: "<"): escape = "&lt;"
        case UInt8(ascii: ">"): escape = "&gt;"
        case UInt8(ascii: "\""): escape = "&quot;"
        case UInt8(ascii: "'"): escape = "&#39;"
        default: continue
        }
        write(UnsafeBufferPointer(rebasing: bytes[plain..<index]))
        write(escape)
        plain = index + 1
      }
      write(UnsafeBufferPointer(rebasing: bytes[plain...]))
    }
  }
}
