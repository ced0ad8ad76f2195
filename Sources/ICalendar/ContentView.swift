/// A content line without its folds, cut into name, parameters and value (RFC 5545 3.1).
@usableFromInline package struct ContentView {
  /// The whole line, unfolded.
  @usableFromInline package let bytes: Bytes
  @usableFromInline package let nameEnd: Int
  /// Where the value begins, after the colon.
  @usableFromInline package let valueStart: Int
  /// Whether a parameter's quote is never closed.
  @usableFromInline package let hasOpenQuote: Bool

  @inlinable
  package var name: Bytes { bytes.part(0, nameEnd).trimmed }
  @inlinable
  package var value: Bytes { bytes.part(valueStart, bytes.count) }
  /// The range of the value without the white space at both ends.
  @inlinable
  package var valueRange: Range<Int> { bytes.trimmed(valueStart..<bytes.count) }

  /// Finds the colon that ends the parameters: the first one outside quotes.
  package init(_ bytes: Bytes, nameEnd: Int) {
    self.bytes = bytes
    self.nameEnd = nameEnd
    guard nameEnd < bytes.count, bytes[nameEnd] == 0x3B else {
      valueStart = min(nameEnd + 1, bytes.count)
      hasOpenQuote = false
      return
    }
    var index = nameEnd
    var isQuoted = false
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x22 {
        isQuoted.toggle()
      } else if byte == 0x3A, !isQuoted {
        break
      }
      index += 1
    }
    if index < bytes.count {
      valueStart = index + 1
      hasOpenQuote = false
    } else {
      // No colon outside quotes: the quotes are ordinary characters.
      valueStart = min(bytes.index(of: 0x3A, from: nameEnd, to: bytes.count) + 1, bytes.count)
      hasOpenQuote = true
    }
  }

  /// The same line with a value that begins at `start`.
  package func withValue(from start: Int) -> ContentView {
    ContentView(bytes, nameEnd: nameEnd, valueStart: start)
  }

  private init(_ bytes: Bytes, nameEnd: Int, valueStart: Int) {
    self.bytes = bytes
    self.nameEnd = nameEnd
    self.valueStart = valueStart
    hasOpenQuote = false
  }

  /// The range of a parameter's value without its quotes; `nil` if the parameter is missing.
  package func parameter(_ name: StaticString) -> Range<Int>? {
    var found: Range<Int>?
    forEachParameter { parameter, value in
      guard bytes.part(parameter.lowerBound, parameter.upperBound).isName(name) else {
        return true
      }
      found = value
      return false
    }
    return found
  }

  /// Whether the value is quoted-printable. vCalendar 1.0 may leave the name of the parameter out.
  package var isQuotedPrintable: Bool {
    parameter("ENCODING").map { isName("QUOTED-PRINTABLE", at: $0) }
      ?? hasNamelessParameter("QUOTED-PRINTABLE")
  }

  /// Whether the value is Base64, also if the parameter has no name.
  package var isBase64: Bool {
    parameter("ENCODING").map { isName("BASE64", at: $0) || isName("B", at: $0) }
      ?? hasNamelessParameter("BASE64")
  }

  private func isName(_ name: StaticString, at range: Range<Int>) -> Bool {
    bytes.part(range.lowerBound, range.upperBound).isName(name)
  }

  private func hasNamelessParameter(_ name: StaticString) -> Bool {
    var index = nameEnd
    while index < valueStart - 1, bytes[index] == 0x3B {
      let end = bytes.index(of: 0x3B, from: index + 1, to: valueStart - 1)
      if isName(name, at: index + 1..<end) { return true }
      index = end
    }
    return false
  }

  /// The parameters as they are written, each after a semicolon, without those of this name.
  package func parameters(except omitted: StaticString) -> [UInt8] {
    var written: [UInt8] = []
    forEachParameter { name, value in
      guard !bytes.part(name.lowerBound, name.upperBound).isName(omitted) else { return true }
      // With its quotes, if it has any.
      let isQuoted = value.upperBound < bytes.count && bytes[value.upperBound] == 0x22
      written += [UInt8(ascii: ";")]
      written += bytes.part(name.lowerBound, value.upperBound + (isQuoted ? 1 : 0))
      return true
    }
    return written
  }

  /// Calls `body` with each parameter's name and value without quotes, until it returns `false`.
  package func forEachParameter(_ body: (_ name: Range<Int>, _ value: Range<Int>) -> Bool) {
    var index = nameEnd
    let end = valueStart - 1
    while index < end, bytes[index] == 0x3B {
      let start = index + 1
      var equals = start
      while equals < end, bytes[equals] != 0x3D, bytes[equals] != 0x3B { equals += 1 }
      guard equals < end, bytes[equals] == 0x3D else {
        index = equals
        continue
      }
      var finish = equals + 1
      var isQuoted = false
      while finish < end {
        let byte = bytes[finish]
        if byte == 0x22, !hasOpenQuote {
          isQuoted.toggle()
        } else if byte == 0x3B, !isQuoted {
          break
        }
        finish += 1
      }
      var value = equals + 1..<finish
      if value.count >= 2, bytes[value.lowerBound] == 0x22, bytes[value.upperBound - 1] == 0x22 {
        value = value.lowerBound + 1..<value.upperBound - 1
      } else if hasOpenQuote, !value.isEmpty, bytes[value.lowerBound] == 0x22 {
        value = value.lowerBound + 1..<value.upperBound
      }
      if !body(start..<equals, value) { return }
      index = finish
    }
  }
}
