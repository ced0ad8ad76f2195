internal import AgendaCore
internal import ICalendar

/// The calendars in a mail, or in all mails of a mailbox: their parts of the type `text/calendar` or `application/ics`, and attachments
/// with a name that ends in `.ics` (RFC 2045, RFC 2046, RFC 6047).
///
/// The text of the parts is decoded and joined. Lines in findings count in this text, because those of a
/// part in Base64 are not in the mail. A mail with the same calendar twice, as an alternative and as an
/// attachment, has it once.
///
/// The mails of a mailbox follow each other: after a line `From ` (RFC 4155), or after the last boundary
/// of the mail before.
struct MailCalendars {
  /// The text of all calendar parts, in UTF-8 where the charset is known; empty without one.
  private(set) var text: [UInt8] = []
  private(set) var findings: [Finding] = []
  private let bytes: Bytes
  private let encoding: TextEncoding?
  private var known: Set<[UInt8]> = []
  private var partCount = 0
  private var isReported = false
  /// After the last boundary of the outermost parts of a mail.
  private var endOfParts = 0

  /// A mail in a mail in a mail has nine levels.
  private static let deepest = 20
  private static let mostParts = 1000

  /// `nil` if the bytes do not begin with the header of a mail. `encoding` is used instead of the
  /// charset of each part.
  init?(_ bytes: Bytes, encoding: TextEncoding?) throws(ReaderError) {
    guard Self.isMail(bytes) else { return nil }
    self.bytes = bytes
    self.encoding = encoding
    var start = Self.start(of: bytes)
    let isMailbox = Self.isSeparator(bytes.part(start, start + 5))
    while start < bytes.count {
      let end = isMailbox ? Self.endOfMail(from: start, in: bytes) : bytes.count
      (partCount, known, endOfParts) = (0, [], end)
      try read(from: start, to: end, depth: 0)
      start = end
      if !isMailbox {
        start = Self.start(of: bytes, from: endOfParts)
        guard Self.isMail(bytes, from: start) else { break }
      }
    }
  }

  /// Whether a line begins a mail in a mailbox.
  private static func isSeparator(_ line: Bytes) -> Bool { line.starts(with: "From ".utf8) }

  /// Where the next mail of a mailbox begins. An empty line comes before it, and mailboxes write
  /// `>From ` for such a line within a mail.
  private static func endOfMail(from start: Int, in bytes: Bytes) -> Int {
    var position = start
    var followsEmptyLine = false
    while position < bytes.count {
      let lineEnd = bytes.endOfLine(from: position, to: bytes.count)
      let line = bytes.part(position, lineEnd)
      if followsEmptyLine, isSeparator(line) { return position }
      followsEmptyLine = line.isEmpty
      position = lineEnd < bytes.count ? bytes.endOfLineEnd(at: lineEnd, to: bytes.count) : lineEnd
    }
    return bytes.count
  }

  /// Whether the first lines are header fields, among them one of the body and one of a person or date.
  private static func isMail(_ bytes: Bytes, from start: Int = 0) -> Bool {
    let start = Self.start(of: bytes, from: start)
    let head = bytes.part(start, start + 16)
    guard let first = head.first, first.isLetter, !head.beginsWithName("BEGIN:") else {
      return false
    }
    let header = MailHeader(bytes, from: start, to: min(bytes.count, start + 1 << 16))
    return header.isWellFormed
      && ["content-type", "mime-version", "message-id"].contains(where: header.has)
      && ["from", "to", "date", "subject", "received", "content-type"].contains(where: header.has)
  }

  /// After a byte order mark and blank lines.
  private static func start(of bytes: Bytes, from start: Int = 0) -> Int {
    var start = start == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : start
    while start < bytes.count, bytes[start].isBlank { start += 1 }
    return start
  }

  // MARK: Parts

  private mutating func read(from start: Int, to end: Int, depth: Int) throws(ReaderError) {
    partCount += 1
    guard depth <= Self.deepest, partCount <= Self.mostParts else {
      if !isReported {
        findings.append(.omittedParts(most: Self.mostParts, deepest: Self.deepest))
      }
      isReported = true
      return
    }
    let header = MailHeader(bytes, from: start, to: end)
    let type = header.value(of: "content-type")
    let media = type?.word ?? "text/plain"
    let body = header.bodyStart
    if media.hasPrefix("multipart/") {
      guard let boundary = type?.parameter("boundary"), !boundary.isEmpty else { return }
      let (parts, endOfParts) = parts(of: body..<end, boundary: Array(boundary.utf8))
      if depth == 0 { self.endOfParts = endOfParts }
      for part in parts {
        try read(from: part.lowerBound, to: part.upperBound, depth: depth + 1)
      }
    } else if media == "message/rfc822" || media == "message/global" {
      try read(from: body, to: end, depth: depth + 1)
    } else if Self.isCalendar(media, header, type) {
      try add(bytes.part(body, end), header, charset: type?.parameter("charset"))
    }
  }

  private static func isCalendar(
    _ media: String, _ header: MailHeader, _ type: MailFieldValue?
  ) -> Bool {
    if ["text/calendar", "application/ics", "text/x-vcalendar"].contains(media) { return true }
    let names = [
      header.value(of: "content-disposition")?.parameter("filename"), type?.parameter("name"),
    ]
    return names.contains { name in
      name.map { [".ics", ".vcs"].contains(String($0.lowercased().suffix(4))) } ?? false
    }
  }

  /// The parts between the lines with the boundary. The line end before such a line belongs to it
  /// (RFC 2046 5.1.1). Without the last boundary, the last part goes on to the end.
  private func parts(
    of body: Range<Int>, boundary: [UInt8]
  ) -> (parts: [Range<Int>], end: Int) {
    var parts: [Range<Int>] = []
    var begin: Int?
    var position = body.lowerBound
    while position < body.upperBound {
      let lineEnd = bytes.endOfLine(from: position, to: body.upperBound)
      let next =
        lineEnd < body.upperBound
        ? bytes.endOfLineEnd(at: lineEnd, to: body.upperBound) : body.upperBound
      if bytes[position] == UInt8(ascii: "-"),
        let isLast = isDelimiter(bytes.part(position, lineEnd), boundary)
      {
        if let begin { parts.append(begin..<max(begin, withoutLineEnd(position, after: begin))) }
        begin = isLast ? nil : next
        if isLast || parts.count > Self.mostParts { return (parts, next) }
      }
      position = next
    }
    if let begin { parts.append(begin..<body.upperBound) }
    return (parts, body.upperBound)
  }

  /// `nil` if a line is not one with the boundary; otherwise whether it is the last one.
  private func isDelimiter(_ line: Bytes, _ boundary: [UInt8]) -> Bool? {
    guard line.starts(with: Array("--".utf8) + boundary) else { return nil }
    let rest = line.part(boundary.count + 2, line.count)
    let isLast = rest.starts(with: Array("--".utf8))
    return rest.part(isLast ? 2 : 0, rest.count).allSatisfy { $0 == 0x20 || $0 == 0x09 }
      ? isLast : nil
  }

  private func withoutLineEnd(_ position: Int, after begin: Int) -> Int {
    var end = position
    if end > begin, bytes[end - 1] == 0x0A { end -= 1 }
    if end > begin, bytes[end - 1] == 0x0D { end -= 1 }
    return end
  }

  // MARK: Contents

  private mutating func add(
    _ body: Bytes, _ header: MailHeader, charset: String?
  ) throws(ReaderError) {
    let decoded: [UInt8]
    switch header.value(of: "content-transfer-encoding")?.word {
    case "base64": decoded = Base64.decode(body)
    case "quoted-printable": decoded = QuotedPrintableBody.decoded(body)
    default: decoded = Array(body)
    }
    let part = try SourceText(
      SourceBytes(decoded), encoding: encoding ?? Self.encoding(charset, of: decoded))
    let content = Array(part.withoutMark)
    let lines = content.filter { $0 != 0x0D && $0 != 0x0A }
    guard !lines.isEmpty, known.insert(lines).inserted else { return }
    findings += part.findings
    text += content
    if text.last != 0x0A { text.append(0x0A) }
  }

  /// The encoding of a part; `nil` to detect it. A mail comes from a stranger, so only known charsets
  /// are converted. UTF-8 is hardly ever valid by chance, and programs write it under other names.
  private static func encoding(_ charset: String?, of text: [UInt8]) -> TextEncoding? {
    guard let charset else { return nil }
    let isUTF8 = text.withUnsafeBufferPointer { $0.isUTF8 }
    switch KnownEncoding.plain(charset) {
    case "utf16", "utf16le", "utf16be": return TextEncoding(named: charset)
    case "iso88591", "latin1", "windows1252", "cp1252": return isUTF8 ? .utf8 : .windows1252
    default:
      guard let known = KnownEncoding(named: charset) else { return nil }
      return known.isSingleByte && isUTF8 ? .utf8 : TextEncoding(named: known.name)
    }
  }
}
