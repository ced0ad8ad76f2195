internal import CivilTime

// Header fields (RFC 5322, 2.2) and bodies (RFC 2045, 6). Lines end with LF, as `sendmail` expects
// on standard input; it sends CRLF.

extension ByteSink {
  /// `Subject: Today: 4 entries`. Text that is not printable ASCII becomes encoded words (RFC 2047),
  /// and no line is longer than 76 characters.
  mutating func write(mailField name: String, text: String) {
    let line = SafeText.line(text)
    write(name)
    write(": " as StaticString)
    if Self.fitsAsItIs(line, after: name.utf8.count + 2) {
      write(line)
    } else {
      writeEncodedWords(line, column: name.utf8.count + 2)
    }
    write(UInt8(ascii: "\n"))
  }

  private static func fitsAsItIs(_ line: String, after column: Int) -> Bool {
    line.utf8.count + column <= mailLineLength
      && line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } && !line.contains("=?")
  }

  private static let mailLineLength = 76

  /// An encoded word contains whole characters, with at most 45 bytes (RFC 2047, 2 and 5).
  private mutating func writeEncodedWords(_ line: String, column: Int) {
    let frame = "=?UTF-8?B??=".utf8.count
    var room = (Self.mailLineLength - column - frame) / 4 * 3
    var word: [UInt8] = []
    var isFirst = true
    func flush(_ sink: inout ByteSink) {
      sink.write(isFirst ? "=?UTF-8?B?" as StaticString : "\n =?UTF-8?B?")
      sink.write(base64: word)
      sink.write("?=" as StaticString)
      isFirst = false
      word.removeAll(keepingCapacity: true)
    }
    for scalar in line.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      if word.count + bytes.count > room {
        flush(&self)
        room = (Self.mailLineLength - 1 - frame) / 4 * 3
      }
      word += bytes
    }
    if !word.isEmpty { flush(&self) }
  }

  /// `To: "Ana" <ana@example.com>,` and so on, one address per line. A name that is not printable ASCII
  /// becomes encoded words (RFC 2047).
  mutating func write(mailField name: String, recipients: [MailRecipient]) {
    write(name)
    for (number, recipient) in recipients.enumerated() {
      write(number == 0 ? ": " as StaticString : ",\n ")
      if recipient.name.isEmpty {
        write(recipient.address.text)
        continue
      }
      let column = number == 0 ? name.utf8.count + 2 : 1
      if Self.fitsAsItIs(recipient.quotedName, after: column) {
        write(recipient.quotedName)
      } else {
        writeEncodedWords(recipient.name, column: column)
      }
      write("\n <\(recipient.address.text)>")
    }
    write(UInt8(ascii: "\n"))
  }

  /// `Sun, 22 Nov 2026 08:00:00 +0100` (RFC 5322, 3.3).
  mutating func write(mailDate instant: Instant, in zone: Zone) {
    let offset = zone.utcOffset(at: instant) / 60 * 60
    let civil = instant.adding(seconds: offset).utc
    let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let (year, month, day) = civil.date.components
    write(weekdays[orEmpty: Int(civil.date.weekday.rawValue) - 1])
    write(", \(day) \(months[orEmpty: month - 1]) \(padded(year, to: 4)) ")
    write(civil.time.description)
    let minutes = abs(offset) / 60
    write(offset < 0 ? " -" as StaticString : " +")
    write(padded(minutes / 60, to: 2) + padded(minutes % 60, to: 2))
  }

  /// A part of a body: its header, and its content in quoted-printable or Base64, whichever is
  /// shorter.
  mutating func write(mailPart content: [UInt8], type: String) {
    let quoted = Self.bytes { $0.write(quotedPrintable: content) }
    let encoded = (content.count + 2) / 3 * 4
    let isQuoted = quoted.count <= encoded + encoded / 76
    write("Content-Type: \(type); charset=UTF-8\nContent-Transfer-Encoding: ")
    write(isQuoted ? "quoted-printable\n\n" as StaticString : "base64\n\n")
    if isQuoted { write(contentsOf: quoted) } else { write(base64: content, columns: 76) }
  }

  /// Quoted-printable (RFC 2045, 6.7). The content ends with a line feed.
  private mutating func write(quotedPrintable content: [UInt8]) {
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    var column = 0
    for (index, byte) in content.enumerated() {
      if byte == UInt8(ascii: "\n") {
        write(byte)
        column = 0
        continue
      }
      let endsLine = index + 1 == content.count || content[index + 1] == UInt8(ascii: "\n")
      let isPlain =
        byte == UInt8(ascii: " ")
        ? !endsLine : byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "=")
      // Servers add a dot to a line that begins with one, and "From " begins a message in a mailbox
      // file.
      let isRisky = column == 0 && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: "F"))
      let length = isPlain && !isRisky ? 1 : 3
      // The last of 76 characters is for the `=` of a soft line break.
      if column + length > (endsLine ? 76 : 75) {
        write("=\n" as StaticString)
        column = 0
      }
      if length == 1 {
        write(byte)
      } else {
        write(UInt8(ascii: "="))
        write(hexadecimal[Int(byte >> 4)])
        write(hexadecimal[Int(byte & 15)])
      }
      column += length
    }
  }
}
