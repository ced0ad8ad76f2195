internal import AgendaCore

/// Content lines as a source wrote them, made fit for a file: ends of CRLF, folds of at most 75
/// bytes that cut no character (RFC 5545 3.1), and UTF-8: a line that is none is Windows-1252, as it
/// was when it came in.
struct ContentLines {
  private(set) var lines: [[UInt8]] = []

  private static let (lf, cr, space, tab) = (
    UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " "), UInt8(ascii: "\t")
  )
  private static let longestLine = 75

  /// Takes lines apart and their folds together. A raw line break within a text becomes `\n` of
  /// it; junk between properties goes.
  init(_ bytes: [UInt8]) {
    for physical in Self.physicalLines(bytes) {
      if let last = lines.indices.last {
        if lines[last].last == UInt8(ascii: "="), lines[last].isQuotedPrintable {
          // A soft line break of quoted-printable: the next line goes on as it is.
          lines[last].removeLast()
          lines[last] += physical
          continue
        }
        if let first = physical.first, first == Self.space || first == Self.tab {
          lines[last] += physical.dropFirst()
          continue
        }
      }
      lines.append(Array(physical))
    }
    joinStrays()
    for index in lines.indices where String(validating: lines[index], as: UTF8.self) == nil {
      lines[index] = lines[index].withUnsafeBufferPointer(Windows1252.utf8)
    }
  }

  /// Ends what was begun and not ended: within the line that ends what is around it, or at the end.
  mutating func balance() {
    var open: [[UInt8]] = []
    var balanced: [[UInt8]] = []
    for line in lines {
      if line.isProperty("BEGIN") { open.append(line.componentName) }
      if line.isProperty("END") {
        guard let begin = open.lastIndex(of: line.componentName) else { continue }
        for name in open[(begin + 1)...].reversed() { balanced.append(Array("END:".utf8) + name) }
        open.removeSubrange(begin...)
      }
      balanced.append(line)
    }
    for name in open.reversed() { balanced.append(Array("END:".utf8) + name) }
    lines = balanced
  }

  /// The lines, ended by CRLF, LF or CR.
  private static func physicalLines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    var index = 0
    while index < bytes.count {
      if bytes[index] == lf || bytes[index] == cr {
        lines.append(bytes[start..<index])
        let isPair = bytes[index] == cr && index + 1 < bytes.count && bytes[index + 1] == lf
        index += isPair ? 1 : 0
        start = index + 1
      }
      index += 1
    }
    if start < bytes.count { lines.append(bytes[start...]) }
    return lines
  }

  private mutating func joinStrays() {
    guard lines.contains(where: { !$0.isContentLine(inText: false) }) else { return }
    var joined: [[UInt8]] = []
    var isInText = false
    var blanks = 0
    for line in lines {
      if line.isEmpty {
        blanks += 1
        isInText = isInText || joined.last?.isText == true
      } else if line.isContentLine(inText: isInText) {
        joined.append(line)
        isInText = false
        blanks = 0
      } else {
        if let last = joined.indices.last, joined[last].isText {
          for _ in 0...blanks { joined[last] += Array("\\n".utf8) }
          joined[last] += line
          isInText = true
        }
        blanks = 0
      }
    }
    lines = joined
  }

  static func folded(_ line: [UInt8]) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(line.count + line.count / 70 * 3 + 2)
    var start = 0
    var room = longestLine
    while line.count - start > room {
      var end = start + room
      while end > start + 1, line[end] & 0xc0 == 0x80 { end -= 1 }
      folded += line[start..<end]
      folded += [cr, lf, space]
      start = end
      room = longestLine - 1
    }
    folded += line[start...]
    folded += [cr, lf]
    return folded
  }
}

extension [UInt8] {
  /// Whether it begins as a content line does: with a name and a colon or semicolon. Within a text
  /// that was broken already the name must be in capitals.
  fileprivate func isContentLine(inText: Bool) -> Bool {
    guard
      let end = firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }), end > 0
    else { return false }
    return self[..<end].allSatisfy { byte in
      let letter = inText ? byte : byte & 0xdf
      return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: " ")]
          .contains(byte)
    }
  }

  /// Whether its value is a text, in which a line break can stand.
  fileprivate var isText: Bool {
    let names: [StaticString] = [
      "DESCRIPTION", "SUMMARY", "LOCATION", "COMMENT", "CONTACT", "X-ALT-DESC",
      "STYLED-DESCRIPTION",
    ]
    return names.contains { isProperty($0) }
  }

  fileprivate var isQuotedPrintable: Bool {
    let head = prefix { $0 != UInt8(ascii: ":") }.map { $0 & 0xdf }
    let name = Array("QUOTED".utf8)
    return head.indices.contains { head[$0...].starts(with: name) }
  }

  /// What a BEGIN or END line begins or ends, in capitals.
  fileprivate var componentName: [UInt8] {
    let value = drop { $0 != UInt8(ascii: ":") }.dropFirst()
    return value.filter { $0 > UInt8(ascii: " ") }.map {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 & 0xdf : $0
    }
  }

  /// The TZID parameter of a content line, without quotes.
  var TZID: String? {
    var start = 0
    var isQuoted = false
    for (index, byte) in enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      let isEnd = byte == UInt8(ascii: ":")
      guard !isQuoted, isEnd || byte == UInt8(ascii: ";") else { continue }
      let part = self[start..<index]
      if let equals = part.firstIndex(of: UInt8(ascii: "=")),
        part[..<equals].map({ $0 & 0xdf }) == Array("TZID".utf8)
      {
        return String(
          decoding: part[(equals + 1)...].filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
      }
      if isEnd { return nil }
      start = index + 1
    }
    return nil
  }

  /// Whether it is the content line of that property, which is given in capitals.
  func isProperty(_ name: StaticString) -> Bool {
    let length = name.utf8CodeUnitCount
    guard count > length, self[length] == UInt8(ascii: ":") || self[length] == UInt8(ascii: ";")
    else { return false }
    return name.withUTF8Buffer { name in
      (0..<length).allSatisfy { self[$0] == name[$0] || self[$0] & 0xdf == name[$0] }
    }
  }
}
