/// A buffer for unfolding content lines. Each scanner has one and uses it for every line.
///
/// The view of a folded line is valid until the next call, and only while the buffer is alive: keep
/// the buffer in a property, or use a new buffer for texts only.
@usableFromInline package final class UnfoldingBuffer {
  private var memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 4096)
  private var capacity = 4096
  /// Whether the lines are vCalendar 1.0. There, a `=` at the end of a line is always a soft line
  /// break, but RFC 5545 3.1 allows a fold within an escape.
  package var isVersion1 = false

  package init() {}

  deinit {
    memory.deallocate()
  }

  /// The property that a line names, and where its name ends: the line's start plus the length of
  /// the name, even if the name contains a fold.
  @inlinable @inline(__always)
  package func name(of line: ContentLine, in bytes: Bytes) -> (PropertyName, nameEnd: Int) {
    let found = PropertyName.scan(bytes, from: line.start, to: line.end)
    guard found.0 == .stray, line.isFolded else { return found }
    return foldedName(of: line, in: bytes)
  }

  @usableFromInline
  func foldedName(of line: ContentLine, in bytes: Bytes) -> (PropertyName, nameEnd: Int) {
    let whole = view(PropertySlot(line: line, nameEnd: line.start), of: bytes).bytes
    let (name, nameEnd) = PropertyName.scan(whole, from: 0, to: whole.count)
    return (name, line.start + nameEnd)
  }

  /// The name in `BEGIN:name`; valid until the next call.
  package func componentName(_ line: ContentLine, nameEnd: Int, in bytes: Bytes) -> Bytes {
    view(PropertySlot(line: line, nameEnd: nameEnd), of: bytes).value.trimmed
  }

  /// The line without its folds; valid until the next call. A raw newline in a text becomes LF.
  package func view(_ slot: PropertySlot, of bytes: Bytes) -> ContentView {
    let line = slot.line
    guard line.isFolded else {
      return ContentView(bytes.part(line.start, line.end), nameEnd: slot.nameLength)
    }
    let longest = line.end - line.start
    if longest > capacity {
      memory.deallocate()
      capacity = max(longest, capacity * 2)
      memory = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    }
    var length = 0
    Self.forEachPart(of: line, in: bytes) { part, isFold in
      if length > 0, !isFold {
        memory[length] = 0x0A
        length += 1
      }
      if let source = bytes.part(part.lowerBound, part.upperBound).baseAddress, !part.isEmpty {
        (memory + length).update(from: source, count: part.count)
        length += part.count
      }
      return true
    }
    return ContentView(Bytes(start: memory, count: length), nameEnd: slot.nameLength)
  }

  /// The name of a property as text.
  package func nameText(_ slot: PropertySlot, of bytes: Bytes) -> String {
    view(slot, of: bytes).name.text
  }

  /// The decoded bytes of a Base64 value.
  package func decodedBase64(_ slot: PropertySlot, of bytes: Bytes) -> [UInt8] {
    Base64.decode(view(slot, of: bytes).value)
  }

  /// The decoded bytes of a quoted-printable value. A `=` at the end of a line is a soft line break:
  /// the next line continues the value, including its leading white space. But a fold can also
  /// separate a `=` from its digits.
  package func quotedPrintableValue(_ slot: PropertySlot, of bytes: Bytes) -> [UInt8] {
    var line: [UInt8] = []
    Self.forEachPart(of: slot.line, in: bytes) { part, isFold in
      let isEscape =
        isFold && !isVersion1
        && QuotedPrintable.continuesEscape(bytes, at: part.lowerBound, to: part.upperBound)
      if !isEscape, let end = QuotedPrintable.softBreak(in: line) {
        line.removeSubrange(end...)
        let isInCharacter =
          isFold && !isVersion1
          && QuotedPrintable.continuesCharacter(
            line, with: bytes, at: part.lowerBound, to: part.upperBound)
        let blank = isFold && !isInCharacter ? 1 : 0
        line += bytes.part(part.lowerBound - blank, part.upperBound)
      } else {
        if !line.isEmpty, !isFold { line.append(0x0A) }
        line += bytes.part(part.lowerBound, part.upperBound)
      }
      return true
    }
    return line.withUnsafeBufferPointer { line in
      QuotedPrintable.decode(ContentView(line, nameEnd: slot.nameLength).value)
    }
  }

  /// The value of a property as text, decoded by its ENCODING and CHARSET parameters if it has them.
  package func text(_ slot: PropertySlot, of bytes: Bytes) -> String {
    let view = view(slot, of: bytes)
    guard let decoded = decodedText(view, slot, of: bytes) else {
      return PropertyValue.text(view.value)
    }
    return decoded.withUnsafeBufferPointer { PropertyValue.text($0) }
  }

  /// The items of a list of texts, decoded in the same way, without empty ones.
  package func list(
    _ slot: PropertySlot, of bytes: Bytes, separator: UInt8 = 0x2C
  ) -> [String] {
    let view = view(slot, of: bytes)
    guard let decoded = decodedText(view, slot, of: bytes) else {
      return PropertyValue.list(view.value, separator: separator)
    }
    return decoded.withUnsafeBufferPointer { PropertyValue.list($0, separator: separator) }
  }

  /// The UTF-8 of a text in quoted-printable or Base64; `nil` for plain text.
  package func decodedText(_ slot: PropertySlot, of bytes: Bytes) -> [UInt8]? {
    decodedText(view(slot, of: bytes), slot, of: bytes)
  }

  /// The same, if the line is unfolded already.
  private func decodedText(
    _ view: ContentView, _ slot: PropertySlot, of bytes: Bytes
  ) -> [UInt8]? {
    guard let decoded = decodedValue(view, slot, of: bytes) else { return nil }
    return Self.withoutReturns(decoded.withUnsafeBufferPointer(TextCharset(of: view).utf8).text)
  }

  /// The text with LF as its line ends: CRLF, any number of CRs and an LF, or CR alone.
  private static func withoutReturns(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(0x0D) else { return text }
    return text.withUnsafeBufferPointer { bytes in
      var plain: [UInt8] = []
      plain.reserveCapacity(bytes.count)
      var index = 0
      while index < bytes.count {
        let end = bytes.endOfLine(from: index, to: bytes.count)
        plain += bytes.part(index, end)
        guard end < bytes.count else { break }
        plain.append(0x0A)
        index = bytes.endOfLineEnd(at: end, to: bytes.count)
      }
      return plain
    }
  }

  /// The problem of an encoded text if not all of its bytes are read in its charset.
  package func charsetProblem(_ slot: PropertySlot, of bytes: Bytes) -> CharsetProblem? {
    guard bytes[slot.line.start + slot.nameLength] == 0x3B else { return nil }
    let view = view(slot, of: bytes)
    guard view.parameter("CHARSET") != nil, let decoded = decodedValue(view, slot, of: bytes) else {
      return nil
    }
    return decoded.withUnsafeBufferPointer(TextCharset(of: view).utf8).problem
  }

  /// The bytes of a text in quoted-printable or Base64; `nil` for plain text.
  private func decodedValue(
    _ view: ContentView, _ slot: PropertySlot, of bytes: Bytes
  ) -> [UInt8]? {
    if view.isQuotedPrintable { return quotedPrintableValue(slot, of: bytes) }
    guard view.isBase64, Base64.fault(in: view.value) == nil else { return nil }
    let decoded = Base64.decode(view.value)
    let isText = decoded.allSatisfy { $0 >= 0x20 || $0.isBlank }
    return isText && !decoded.isEmpty ? decoded : nil
  }

  /// Calls `body` with the physical lines of a content line, without line ends and without the
  /// white space that folds them, until it returns `false`.
  package static func forEachPart(
    of line: ContentLine, in bytes: Bytes, _ body: (_ part: Range<Int>, _ isFold: Bool) -> Bool
  ) {
    var cursor = LineCursor(bytes, from: line.start, to: line.end, line: line.line)
    var isFirst = true
    while let part = cursor.nextPhysical() {
      let isFold =
        !isFirst && part.lowerBound < part.upperBound
        && (bytes[part.lowerBound] == 0x20 || bytes[part.lowerBound] == 0x09)
      if !body(isFold ? part.lowerBound + 1..<part.upperBound : part, isFold || isFirst) { return }
      isFirst = false
    }
  }

  /// Where a range of the unfolded line is in the file: the number of the physical line and the
  /// bytes in it, clamped to its end.
  package static func place(
    of range: Range<Int>, line: ContentLine, in bytes: Bytes
  ) -> (line: Int, place: Range<Int>) {
    guard line.isFolded else { return (line.line, range) }
    var before = 0
    var number = line.line
    var found = (line: line.line, place: range)
    forEachPart(of: line, in: bytes) { part, isFold in
      if before > 0, !isFold { before += 1 }
      let blank = isFold && number > line.line ? 1 : 0
      if range.lowerBound < before + part.count || number == line.line && part.isEmpty {
        let lower = max(0, range.lowerBound - before) + blank
        let upper = min(range.upperBound - before, part.count) + blank
        found = (number, lower..<max(lower, upper))
        return false
      }
      before += part.count
      number += 1
      found = (number - 1, part.count + blank..<part.count + blank)
      return true
    }
    return found
  }
}
