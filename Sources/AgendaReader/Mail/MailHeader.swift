internal import ICalendar

/// The header of a mail or of one of its parts (RFC 5322 2.2, RFC 2045 5).
struct MailHeader {
  /// The fields in their order: the name in lower case, and the unfolded value.
  private var fields: [(name: String, value: String)] = []
  /// Where the body begins.
  let bodyStart: Int
  /// Whether each of its lines is a field.
  let isWellFormed: Bool

  /// A longer header is cut off there: those of mails have some kilobytes.
  private static let mostBytes = 1 << 20
  private static let mostFields = 10_000

  init(_ bytes: Bytes, from start: Int, to end: Int) {
    var position = start
    var isWellFormed = true
    while position < end {
      let lineEnd = bytes.endOfLine(from: position, to: end)
      let next = min(bytes.endOfLineEnd(at: lineEnd, to: end), end)
      let line = bytes.part(position, lineEnd)
      position = lineEnd < end ? next : end
      if line.isEmpty { break }
      if position - start > Self.mostBytes || fields.count > Self.mostFields { continue }
      // The first line of a mail in an mbox file.
      if fields.isEmpty, line.beginsWithName("FROM ") { continue }
      let text = String(decoding: line, as: UTF8.self)
      if line.first == 0x20 || line.first == 0x09 {
        guard let last = fields.indices.last else {
          isWellFormed = false
          continue
        }
        fields[last].value += text
      } else if let colon = text.firstIndex(of: ":"), text[..<colon].utf8.allSatisfy(\.isFieldName)
      {
        fields.append(
          (text[..<colon].lowercased(), String(text[text.index(after: colon)...])))
      } else {
        isWellFormed = false
      }
    }
    bodyStart = position
    self.isWellFormed = isWellFormed
  }

  func has(_ name: String) -> Bool { fields.contains { $0.name == name } }

  func value(of name: String) -> MailFieldValue? {
    fields.first { $0.name == name }.map { MailFieldValue($0.value) }
  }
}

extension UInt8 {
  /// RFC 5322 3.6.8.
  fileprivate var isFieldName: Bool { (0x21...0x7E).contains(self) && self != UInt8(ascii: ":") }
}

/// The value of a structured field, such as `text/calendar; charset=UTF-8; method=REQUEST`.
struct MailFieldValue {
  /// What is before the parameters, in lower case.
  let word: String
  private var parameters: [String: [UInt8]] = [:]

  init(_ text: String) {
    var scanner = Scanner(text)
    word = String(decoding: scanner.token(until: ";"), as: UTF8.self).lowercased()
    // RFC 2231 3 and 4: name*0*=utf-8'en'part%20one; name*1=part two
    var pieces: [String: [(number: Int, bytes: [UInt8])]] = [:]
    while scanner.skip(";") {
      let name = String(decoding: scanner.token(until: "=;"), as: UTF8.self).lowercased()
      guard scanner.skip("=") else { continue }
      var value = scanner.token(until: ";")
      var parts = name.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
      let plain = parts.removeFirst()
      let isEncoded = parts.last == ""
      let number = parts.first.flatMap { Int($0) } ?? 0
      if isEncoded {
        // Before the second quote are the charset and the language.
        if number == 0, let first = value.firstIndex(of: 0x27),
          let second = value[(first + 1)...].firstIndex(of: 0x27)
        {
          value = Array(value[(second + 1)...])
        }
        value = Self.percentDecoded(value)
      }
      pieces[plain, default: []].append((number, value))
    }
    for (name, all) in pieces {
      parameters[name] = all.sorted { $0.number < $1.number }.flatMap(\.bytes)
    }
  }

  /// The value of a parameter. An ending in ASCII can be compared, whatever its charset is.
  func parameter(_ name: String) -> String? {
    parameters[name].map { String(decoding: Self.wordsDecoded($0), as: UTF8.self) }
  }

  private static func percentDecoded(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBufferPointer {
      QuotedPrintable.decodeEscapes($0, escape: UInt8(ascii: "%"))
    }
  }

  /// Words such as `=?utf-8?B?aW52aXRlLmljcw==?=` (RFC 2047 2), which many programs write here, too.
  private static func wordsDecoded(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.starts(with: [0x3D, 0x3F]) else { return bytes }
    var decoded: [UInt8] = []
    let text = String(decoding: bytes, as: UTF8.self)
    for word in text.split(whereSeparator: \.isWhitespace) {
      let parts = word.split(separator: "?", omittingEmptySubsequences: false)
      guard parts.count == 5, parts[0] == "=", parts[4] == "=" else {
        decoded += Array(word.utf8)
        continue
      }
      let content = Array(parts[3].utf8)
      if parts[2].lowercased() == "b" {
        decoded += content.withUnsafeBufferPointer { Base64.decode($0) }
      } else {
        decoded += content.withUnsafeBufferPointer { QuotedPrintable.decodeEscapes($0) }
          .map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }
      }
    }
    return decoded
  }

  /// Reads tokens, quoted strings and comments (RFC 5322 3.2).
  private struct Scanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    /// The text up to one of these characters, without quotes, comments and the blanks around it.
    mutating func token(until ends: String) -> [UInt8] {
      let ends = Set(ends.utf8)
      var token: [UInt8] = []
      var trailing = 0
      var isQuoted = false
      var depth = 0
      while position < bytes.count {
        let byte = bytes[position]
        if byte == UInt8(ascii: "\\"), isQuoted || depth > 0, position + 1 < bytes.count {
          position += 2
          if depth == 0 { token.append(bytes[position - 1]) }
          continue
        }
        if isQuoted {
          if byte == UInt8(ascii: "\"") { isQuoted = false } else { token.append(byte) }
          trailing = 0
        } else if byte == UInt8(ascii: "(") {
          depth += 1
        } else if depth > 0 {
          if byte == UInt8(ascii: ")") { depth -= 1 }
        } else if byte == UInt8(ascii: "\"") {
          isQuoted = true
        } else if ends.contains(byte) {
          break
        } else if byte != 0x20, byte != 0x09 {
          token.append(byte)
          trailing = 0
        } else if !token.isEmpty {
          token.append(byte)
          trailing += 1
        }
        position += 1
      }
      token.removeLast(trailing)
      return token
    }
  }
}

/// Quoted-printable bodies (RFC 2045 6.7), whose lines can be joined.
enum QuotedPrintableBody {
  static func decoded(_ body: Bytes) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(body.count)
    var position = 0
    while position < body.count {
      let lineEnd = body.endOfLine(from: position, to: body.count)
      let next = lineEnd < body.count ? body.endOfLineEnd(at: lineEnd, to: body.count) : lineEnd
      let line = body.part(position, lineEnd)
      if let end = QuotedPrintable.softBreak(in: line) {
        decoded += QuotedPrintable.decodeEscapes(line.part(0, end))
      } else {
        // Blanks at the end of a line were added on the way.
        let blanks = line.reversed().prefix { $0 == 0x20 || $0 == 0x09 }.count
        decoded += QuotedPrintable.decodeEscapes(line.part(0, line.count - blanks))
        decoded += body.part(lineEnd, next)
      }
      position = next
    }
    return decoded
  }
}
