/// A content line without its folds, cut into name, parameters and value (RFC 5545 3.1).
struct ContentView {
  /// The whole line, unfolded.
  let bytes: Bytes
  let nameEnd: Int
  /// Where the value begins, after the colon.
  let valueStart: Int
  /// A parameter's quote was never closed.
  let hasOpenQuote: Bool

  var name: Bytes { bytes.part(0, nameEnd).trimmed }
  var value: Bytes { bytes.part(valueStart, bytes.count) }
  /// Where the value stands, without the blanks around it.
  var valueRange: Range<Int> { bytes.trimmed(valueStart..<bytes.count) }

  /// Finds the colon that ends the parameters: the first one outside of quotes.
  init(_ bytes: Bytes, nameEnd: Int) {
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
      // No colon outside of quotes: the quotes are taken as ordinary characters.
      valueStart = min(bytes.index(of: 0x3A, from: nameEnd, to: bytes.count) + 1, bytes.count)
      hasOpenQuote = true
    }
  }

  private init(_ bytes: Bytes, nameEnd: Int, valueStart: Int) {
    self.bytes = bytes
    self.nameEnd = nameEnd
    self.valueStart = valueStart
    hasOpenQuote = false
  }

  /// The view of a line whose value is a time. Google writes `TZID=GMT+05:30:20260701T100000`
  /// without quotes: what follows the last colon is the value then, as no time has a colon.
  var ofTime: ContentView {
    guard valueStart - nameEnd > 1, let colon = value.lastIndex(of: 0x3A) else { return self }
    let start = valueStart + colon + 1
    guard TimeText(bytes.part(start, start + 8)) != nil else { return self }
    return ContentView(bytes, nameEnd: nameEnd, valueStart: start)
  }

  /// The value of a parameter without its quotes, where it stands; `nil` where it is not given.
  func parameter(_ name: StaticString) -> Range<Int>? {
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

  /// Gives each parameter's name and its value without quotes, until `body` answers `false`.
  func forEachParameter(_ body: (_ name: Range<Int>, _ value: Range<Int>) -> Bool) {
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

/// Room in which folded lines are put together; one for each scanner, reused for every line.
///
/// A view of a folded line is good only as long as its room: whoever takes one keeps the room in a
/// property or was given it by its caller. A room made on the spot gives texts only.
final class UnfoldingRoom {
  private var memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 4096)
  private var capacity = 4096

  deinit {
    memory.deallocate()
  }

  /// The property that a line names, and where its name ends: the length of it after the line's
  /// start, also where a fold stands within it.
  @inline(__always)
  func name(of line: ContentLine, in bytes: Bytes) -> (PropertyName, nameEnd: Int) {
    let found = PropertyName.scan(bytes, from: line.start, to: line.end)
    guard found.0 == .stray, line.isFolded else { return found }
    return foldedName(of: line, in: bytes)
  }

  private func foldedName(of line: ContentLine, in bytes: Bytes) -> (PropertyName, nameEnd: Int) {
    let whole = view(PropertySlot(line: line, nameEnd: line.start), of: bytes).bytes
    let (name, nameEnd) = PropertyName.scan(whole, from: 0, to: whole.count)
    return (name, line.start + nameEnd)
  }

  /// The name in `BEGIN:name`; good until the next call.
  func componentName(_ line: ContentLine, nameEnd: Int, in bytes: Bytes) -> Bytes {
    view(PropertySlot(line: line, nameEnd: nameEnd), of: bytes).value.trimmed
  }

  /// The line without its folds; good until the next call. A raw newline within a text stays, as
  /// LF.
  func view(_ slot: PropertySlot, of bytes: Bytes) -> ContentView {
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
  func nameText(_ slot: PropertySlot, of bytes: Bytes) -> String {
    view(slot, of: bytes).name.text
  }

  /// The bytes that a BASE64 value stands for.
  func decodedBase64(_ slot: PropertySlot, of bytes: Bytes) -> [UInt8] {
    Base64.decode(view(slot, of: bytes).value)
  }

  /// A value in quoted-printable, its soft line breaks undone: a `=` at the end of a line goes on
  /// with the next one, blanks and all.
  func quotedPrintableValue(_ slot: PropertySlot, of bytes: Bytes) -> [UInt8] {
    var line: [UInt8] = []
    Self.forEachPart(of: slot.line, in: bytes) { part, isFold in
      if line.last == 0x3D, !line.isEmpty {
        line.removeLast()
        let blank = isFold ? 1 : 0
        line += bytes.part(part.lowerBound - blank, part.upperBound)
      } else {
        if !line.isEmpty, !isFold { line.append(0x0A) }
        line += bytes.part(part.lowerBound, part.upperBound)
      }
      return true
    }
    return line.withUnsafeBufferPointer { line in
      PropertyText.quotedPrintable(ContentView(line, nameEnd: slot.nameLength).value)
    }
  }

  /// The value of a property as text, by its ENCODING where it has one.
  func text(_ slot: PropertySlot, of bytes: Bytes) -> String {
    let view = view(slot, of: bytes)
    guard let encoding = view.parameter("ENCODING"),
      view.bytes.part(encoding.lowerBound, encoding.upperBound).isName("QUOTED-PRINTABLE")
    else { return PropertyText.text(view.value) }
    return quotedPrintableValue(slot, of: bytes).withUnsafeBufferPointer { PropertyText.text($0) }
  }

  /// Gives the parts of a content line, each without line end and the blank that folds it.
  static func forEachPart(
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

  /// Where a range of the unfolded line stands in the file: the line's number and the bytes of
  /// that line, held to its end.
  static func place(
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
