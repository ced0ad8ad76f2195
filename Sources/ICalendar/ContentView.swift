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
    hasOpenQuote = index == bytes.count
    // Without a colon outside quotes, the quotes are ordinary characters.
    if hasOpenQuote { index = bytes.index(of: 0x3A, from: nameEnd, to: bytes.count) }
    valueStart = Self.valueStart(bytes, nameEnd: nameEnd, colon: index)
  }

  /// Where the value begins: after the first colon, but a value that is a time begins with a date.
  /// Google writes `TZID=GMT+05:30:20260701T100000` without quotes, others
  /// `TZID:Europe/Berlin:20260701T100000`.
  private static func valueStart(_ bytes: Bytes, nameEnd: Int, colon: Int) -> Int {
    let usual = min(colon + 1, bytes.count)
    guard !hasDate(bytes, at: usual), isTime(bytes.part(0, nameEnd).trimmed) else { return usual }
    var next = usual
    while next < bytes.count {
      next = bytes.index(of: 0x3A, from: next, to: bytes.count) + 1
      if hasDate(bytes, at: next) { return next }
    }
    return usual
  }

  private static func isTime(_ name: Bytes) -> Bool {
    let property = PropertyTable.name(name, at: 0, length: name.count)
    guard property != .other else { return name.isName("FREEBUSY") }
    let type = PropertyTable.row(of: property)?.type
    return type == .time || type == .trigger
  }

  /// Whether there is `20260701` or `2026-07-01`, perhaps after blanks.
  private static func hasDate(_ bytes: Bytes, at start: Int) -> Bool {
    var start = start
    while start < bytes.count, bytes[start].isBlank { start += 1 }
    let text = bytes.part(start, start + 10)
    if text.count >= 8, text[..<8].allSatisfy(\.isDigit) { return true }
    return text.count == 10
      && text.indices.allSatisfy { $0 == 4 || $0 == 7 ? text[$0] == 0x2D : text[$0].isDigit }
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
      write(name, value, to: &written)
      return true
    }
    return written
  }

  /// `;NAME=value`, with the quotes of the value if it has any.
  private func write(_ name: Range<Int>, _ value: Range<Int>, to written: inout [UInt8]) {
    let isQuoted = value.upperBound < bytes.count && bytes[value.upperBound] == 0x22
    written.append(UInt8(ascii: ";"))
    written += bytes.part(name.lowerBound, name.upperBound)
    written.append(UInt8(ascii: "="))
    written += bytes.part(
      value.lowerBound - (isQuoted ? 1 : 0), value.upperBound + (isQuoted ? 1 : 0))
  }

  /// The line with `NAME=value` for parameters that are written as `NAME = value` or `NAME:value`;
  /// `nil` if all are as they should be, or if one has no name.
  package var withUsualParameters: [UInt8]? {
    guard
      bytes.part(nameEnd, valueStart).contains(where: { $0 == 0x20 || $0 == 0x09 })
        || bytes.index(of: 0x3A, from: nameEnd, to: valueStart) < valueStart - 1
    else { return nil }
    var written = Array(name)
    var end = nameEnd
    func hasOnlyBlanks(_ range: Range<Int>) -> Bool {
      bytes.part(range.lowerBound, range.upperBound).allSatisfy {
        $0 == 0x20 || $0 == 0x09 || $0 == 0x22 || $0 == 0x3B
      }
    }
    var isWhole = true
    forEachParameter { name, value in
      isWhole = isWhole && hasOnlyBlanks(end..<name.lowerBound)
      write(name, value, to: &written)
      end = value.upperBound
      return isWhole
    }
    guard isWhole, hasOnlyBlanks(end..<max(end, valueStart - 1)) else { return nil }
    written.append(UInt8(ascii: ":"))
    written += value
    return written.elementsEqual(bytes) ? nil : written
  }

  /// Calls `body` with each parameter's name and value without blanks and quotes around them, until it
  /// returns `false`. A colon after the name counts as a `=`.
  package func forEachParameter(_ body: (_ name: Range<Int>, _ value: Range<Int>) -> Bool) {
    var index = nameEnd
    let end = valueStart - 1
    while index < end, bytes[index] == 0x3B {
      let start = index + 1
      var equals = start
      while equals < end, bytes[equals] != 0x3D, bytes[equals] != 0x3A, bytes[equals] != 0x3B {
        equals += 1
      }
      guard equals < end, bytes[equals] != 0x3B else {
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
      var value = bytes.trimmed(equals + 1..<finish)
      if value.count >= 2, bytes[value.lowerBound] == 0x22, bytes[value.upperBound - 1] == 0x22 {
        value = value.lowerBound + 1..<value.upperBound - 1
      } else if hasOpenQuote, !value.isEmpty, bytes[value.lowerBound] == 0x22 {
        value = value.lowerBound + 1..<value.upperBound
      }
      if !body(bytes.trimmed(start..<equals), value) { return }
      index = finish
    }
  }
}
