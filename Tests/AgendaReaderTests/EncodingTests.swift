import AgendaReader
import CivilTime
import Foundation
import TestSupport
import Testing

/// Sources in every encoding, and files that are not a calendar in any of them.
@Suite("Encodings")
struct EncodingTests {
  static let calendar =
    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261124\r\nSUMMARY:Žižkov – 5 € “été”\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

  private func read(
    _ bytes: some Sequence<UInt8>, as encoding: TextEncoding? = nil
  ) throws -> CalendarFile {
    var options = CalendarReader.Options()
    options.encoding = encoding
    return try CalendarReader(zones: .system(TZDIR: nil), options: options)
      .read(SourceBytes(bytes), name: "encoded")
  }

  private func encoded(_ text: String, as encoding: String.Encoding) throws -> [UInt8] {
    Array(try #require(text.data(using: encoding)))
  }

  /// `=C3=A9` for every byte that is not ASCII.
  private func quoted(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      byte < 0x80 ? String(UnicodeScalar(byte)) : "=" + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  private func read(summary: String) throws -> CalendarFile {
    try read(
      Self.calendar.replacing("SUMMARY:Žižkov – 5 € “été”", with: "SUMMARY;\(summary)").utf8)
  }

  @Test("in quoted-printable, one bad byte leaves the other characters readable")
  func badByte() throws {
    for (value, title) in [("Caf=C3=A9 =FF", "Café ÿ"), ("Zo=C3=AB =E2=82", "Zoë â‚")] {
      let file = try read(summary: "ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:\(value)")
      #expect(file.events.map(\.title) == [title])
      #expect(file.findings.map(\.message) == ["bytes in this text are not UTF-8"])
    }
  }

  @Test("a fold may be anywhere in a text in quoted-printable, also within an escape")
  func foldsOfQuotedPrintable() throws {
    let text = "Gr\u{FC}\u{DF}e, \u{416}=5\u{20AC}"
    let encoded = text.utf8.map { byte in
      [0x2C, 0x20, 0x3D].contains(byte) || byte >= 0x80
        ? "=" + String(byte, radix: 16, uppercase: true) : String(UnicodeScalar(byte))
    }.joined()
    let head = "SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:"
    for fold in ["\r\n ", "\n\t", "\r "] {
      for end in encoded.indices {
        let line = head + encoded[..<end] + fold + encoded[end...]
        let source = Self.calendar.replacing("SUMMARY:Žižkov – 5 € “été”", with: line)
        let file = try read(Array(source.utf8))
        #expect(file.events.map(\.title) == [text], "\(line)")
        #expect(file.findings == [])
        let old = source.replacing("BEGIN:VEVENT", with: "VERSION:1.0\r\nBEGIN:VEVENT")
        let isBreak = encoded[..<end].hasSuffix("=")
        let title = try read(Array(old.utf8)).events.first?.title
        #expect((title == text) == !isBreak, "vCalendar 1.0: \(line)")
      }
    }
    let soft = try read(
      summary: "ENCODING=QUOTED-PRINTABLE:Um=\r\n 10 Uhr=\r\n im F=C3=\r\n=BCller")
    #expect(soft.events.map(\.title) == ["Um 10 Uhr im Füller"])
  }

  @Test("a soft line break before an empty line adds nothing to a text in quoted-printable")
  func lastSoftBreak() throws {
    for (value, title) in [
      ("Caf=C3=A9=\r\n", "Café"), ("Um 10 Uhr=0D=0A=\r\n", "Um 10 Uhr"), ("a =3D=\r\n", "a ="),
      ("1 + 1 =2", "1 + 1 =2"),
    ] {
      let file = try read(summary: "ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:\(value)")
      #expect(file.events.map(\.title) == [title])
    }
  }

  // Checks Decisions: Deviations/12
  @Test("a carriage return alone is a line break of a text in quoted-printable")
  func carriageReturns() throws {
    for value in ["One=0DTwo", "One=0D=0ATwo", "One=0ATwo", "One=0D=0D=0ATwo"] {
      let file = try read(summary: "ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:\(value)")
      #expect(file.events.map(\.title) == ["One\nTwo"], "\(value)")
    }
  }

  // Checks Decisions: Reading files/3
  @Test("CR CR LF is one line end, also in folded lines, and lines are counted as in an editor")
  func doubledReturns() throws {
    let lines = [
      "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", "DTSTART:20261201T100000Z",
      "RRULE:FREQ=WEEKLY;INTERVAL=2;", " WKST=SU", "SUMMARY:A long ti", " tle",
      "ATTENDEE;CN=Ana:mailto:ana@", " example.com", "GEO:north", "END:VEVENT", "END:VCALENDAR", "",
    ]
    func file(_ lineEnd: String) throws -> CalendarFile {
      try CalendarReader(zones: .system(TZDIR: nil)).read(
        SourceBytes(lines.joined(separator: lineEnd)), name: "a")
    }
    let usual = try file("\r\n")
    #expect(usual.findings.map(\.line) == [11])
    let event = try #require(usual.events.first)
    for lineEnd in ["\r\r\n", "\r\r\r\n"] {
      let doubled = try file(lineEnd)
      let found = try #require(doubled.events.first)
      #expect(found.title == "A long title")
      #expect(found.recurrence == event.recurrence)
      let people = doubled.details(of: found.reference).attendees
      #expect(people == usual.details(of: event.reference).attendees)
      #expect(doubled.findings == usual.findings)
    }
    // A file of an old Mac: each CR is a line end.
    #expect(try file("\r").events.first?.title == "A long title")
  }

  @Test("the CHARSET of an encoded text is used; one that is not supported is reported")
  func charset() throws {
    let russian = "Обед в 12 — «Ёж» №5 ґїЄ"
    for (name, text, encoding) in [
      ("WINDOWS-1251", russian, String.Encoding.windowsCP1251),
      (
        "ISO-8859-1", "été à Žižkov".replacing("Ži", with: "Zi").replacing("ž", with: "z"),
        .isoLatin1
      ),
      ("Windows-1252", "5 € “été”", .windowsCP1252), ("UTF-8", russian, .utf8),
    ] {
      let bytes = try encoded(text, as: encoding)
      let base64 = Data(bytes).base64EncodedString()
      for summary in [
        "ENCODING=QUOTED-PRINTABLE;CHARSET=\(name):\(quoted(bytes))",
        "CHARSET=\(name);BASE64:\(base64)", "ENCODING=BASE64;CHARSET=\(name):\(base64)",
      ] {
        let file = try read(summary: summary)
        #expect(file.events.map(\.title) == [text])
        #expect(file.findings == [])
      }
    }
    let latin9 = try read(summary: "QUOTED-PRINTABLE;CHARSET=ISO-8859-15:5 =A4 =BC")
    #expect(latin9.events.map(\.title) == ["5 € Œ"])
    let klingon = try read(summary: "QUOTED-PRINTABLE;CHARSET=KLINGON:=89=EF=8Bc")
    #expect(klingon.findings.map(\.message) == ["CHARSET=KLINGON is not supported"])
  }

  /// Texts whose bytes contain backslashes, that look like UTF-8, or that are escapes in ASCII.
  private static let foreignTexts = [
    ("KOI8-R", "Обед в 12, Ёж"), ("windows-1250", "Žižkov – „Ő“"),
    ("ISO-8859-2", "Święto Łódź"), ("ISO-8859-7", "Γεύμα"), ("WINDOWS-1251", "Обед №5 ґїЄ"),
    ("KOI8-U", "Їжак"), ("windows-1255", "ארוחה"), ("windows-1254", "İş ğı"),
    // The accents are bytes of their own.
    ("windows-1258", "Ho\u{323}p mă\u{301}t"),
    ("SHIFT_JIS", "表示 会議 ソフト能力 ｶﾅ ①"), ("x-sjis", "十五"), ("EUC-JP", "会議、東京"),
    ("ISO-2022-JP", "会議は東京で"), ("GB2312", "联通 会议 拢貌"), ("GBK", "會議"),
    ("gb18030", "会议 😀 é €"), ("Big5", "功課 許蓋 會議"), ("EUC-KR", "회의 똠방각하"),
  ]

  /// The bytes of a text by Python.
  private func encodedByPython(_ text: String, as encoding: String) throws -> [UInt8] {
    let names = ["SHIFT_JIS": "cp932", "x-sjis": "cp932", "EUC-KR": "cp949"]
    let run = try Python.run(
      ["-c", "import sys; print(sys.argv[1].encode(sys.argv[2]).hex(' '))", text]
        + [names[encoding] ?? encoding])
    return run.output.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0, radix: 16) }
  }

  @Test(
    "a text in any usual CHARSET, and a file in that encoding", .requiresPython,
    arguments: foreignTexts)
  func foreignText(encoding: String, text: String) throws {
    let bytes = try encodedByPython(text, as: encoding)
    let quoted = try read(summary: "ENCODING=QUOTED-PRINTABLE;CHARSET=\(encoding):\(quoted(bytes))")
    #expect(quoted.events.map(\.title) == [text])
    #expect(quoted.findings == [])
    let named = try #require(TextEncoding(named: encoding))
    let source = Self.calendar.replacing("Žižkov – 5 € “été”", with: text)
    let file = try read(encodedByPython(source, as: encoding), as: named)
    #expect(file.events.map(\.title) == [text])
    #expect(file.findings == [])
  }

  @Test("a text in UTF-8 is read as such if its CHARSET is an encoding with one byte per character")
  func wrongCharset() throws {
    let text = quoted(Array("Обед в 12".utf8))
    for charset in ["KOI8-R", "WINDOWS-1251", "ISO-8859-2"] {
      let file = try read(summary: "ENCODING=QUOTED-PRINTABLE;CHARSET=\(charset):\(text)")
      #expect(file.events.map(\.title) == ["Обед в 12"])
      #expect(file.findings == [])
    }
  }

  @Test("bytes that are not in the named encoding become U+FFFD, with a warning")
  func invalidBytes() throws {
    for (value, title) in [("a=81 b", "a\u{FFFD} b"), ("=89=EF=81", "会\u{FFFD}")] {
      let file = try read(summary: "ENCODING=QUOTED-PRINTABLE;CHARSET=Shift_JIS:\(value)")
      #expect(file.events.map(\.title) == [title])
      #expect(file.findings.map(\.message) == ["bytes in this text are not Shift_JIS"])
      #expect(file.findings.map(\.action) == ["read as U+FFFD"])
    }
    let source = Self.calendar.replacing("Žižkov – 5 € “été”", with: "a").utf8
    let broken = Array(source).map { $0 == 0x61 ? 0x98 : $0 }
    let file = try read(broken, as: TextEncoding(named: "cp1251"))
    #expect(file.events.map(\.title) == ["\u{FFFD}"])
    #expect(file.findings.map(\.message) == ["the file is not valid Windows-1251"])
    let cut = try read(Array(source) + [0x89], as: TextEncoding(named: "sjis"))
    #expect(cut.findings.map(\.message).contains("the file is not valid Shift_JIS"))
  }

  @Test("a source in an encoding without a converter is refused, and read in no other")
  func noConverter() {
    let source = Array(Self.calendar.utf8)
    #expect(throws: ReaderError.noConverter(encoding: "KLINGON")) {
      try read(source, as: TextEncoding(stored: "KLINGON"))
    }
  }

  @Test("a long text is converted completely")
  func longText() throws {
    let line = "SUMMARY:" + String(repeating: "会議", count: 10_000)
    let calendar = Self.calendar.replacing("SUMMARY:Žižkov – 5 € “été”", with: line)
    let bytes = try encoded(calendar, as: .shiftJIS)
    let file = try read(bytes, as: TextEncoding(named: "Shift_JIS"))
    #expect(file.events.map(\.title) == [String(line.dropFirst(8))])
  }

  // Checks Decisions: Reading files/1
  @Test(
    "UTF-16 is read with and without a byte order mark",
    arguments: ["", "\r\n", " \n"], [true, false])
  func utf16(lead: String, isBigEndian: Bool) throws {
    let encoding: String.Encoding = isBigEndian ? .utf16BigEndian : .utf16LittleEndian
    let bytes = try encoded(lead + Self.calendar, as: encoding)
    let mark: [UInt8] = isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
    for source in [bytes, mark + bytes] {
      let file = try read(source)
      #expect(file.events.map(\.title) == ["Žižkov – 5 € “été”"])
      #expect(file.findings == [])
    }
    let named: TextEncoding = isBigEndian ? .utf16BigEndian : .utf16LittleEndian
    #expect(try read(bytes, as: named).events.map(\.title) == ["Žižkov – 5 € “été”"])
    let cut = try read(mark + bytes + [0x41])
    #expect(cut.events.count == 1)
    #expect(cut.findings.map(\.message) == ["the file is not valid UTF-16"])
  }

  // Checks RFC 5545: 6/2, 8.1/1
  // Checks Decisions: Reading files/1
  @Test("UTF-8 is read with and without a byte order mark")
  func utf8() throws {
    for mark in [[], [0xEF, 0xBB, 0xBF] as [UInt8]] {
      let file = try read(mark + Array(Self.calendar.utf8))
      #expect(file.events.map(\.title) == ["Žižkov – 5 € “été”"])
      #expect(file.findings == [])
    }
  }

  // Checks Decisions: Reading files/2
  @Test("invalid UTF-8 is read as Windows-1252 with one warning, or without one if it is named")
  func windows1252() throws {
    let bytes = try encoded(Self.calendar, as: .windowsCP1252)
    let found = try read(bytes)
    #expect(found.events.map(\.title) == ["Žižkov – 5 € “été”"])
    #expect(found.findings.map(\.action) == ["read as Windows-1252"])
    // ISO 8859-1 is its part without the signs from 0x80 to 0x9F, for which it has controls.
    for encoding in [TextEncoding.windows1252, .latin1] {
      let named = try read(bytes, as: encoding)
      #expect(named.events.map(\.title) == ["Žižkov – 5 € “été”"])
      #expect(named.findings == [])
    }
  }

  private func title(ofByte byte: UInt8, in encoding: TextEncoding) throws -> String? {
    let head = Array("BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261124\r\nSUMMARY:x".utf8)
    let tail = Array("x\r\nEND:VEVENT\r\n".utf8)
    return try read(head + [byte] + tail, as: encoding).allEvents.first?.title
  }

  @Test("every byte of Windows-1252 is decoded as by Foundation")
  func everyByte() throws {
    var count = 0
    for byte in UInt8(0x80)...0xFF {
      let data = Data([0x78, byte, 0x78])
      guard let expected = String(data: data, encoding: .windowsCP1252) else { continue }
      #expect(try title(ofByte: byte, in: .windows1252) == expected, "\(byte)")
      count += 1
    }
    #expect(count >= 123)
  }

  @Test(
    "every byte of the encodings with one byte per character is decoded as by Python",
    .requiresPython,
    arguments: [
      "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255",
      "windows-1256", "windows-1257", "iso8859-2", "iso8859-3", "iso8859-4",
      "iso8859-5", "iso8859-6", "iso8859-7", "iso8859-8", "iso8859-9", "iso8859-10",
      "iso8859-13", "iso8859-14", "iso8859-15", "iso8859-16", "koi8-r", "koi8-u",
    ])
  func everyByte(encoding: String) throws {
    let program = """
      import sys
      for byte in range(0x80, 0x100):
          print(hex(ord(bytes([byte]).decode(sys.argv[1], "replace"))))
      """
    let run = try Python.run(["-c", program, encoding])
    let expected = run.output.split(separator: "\n").compactMap {
      UInt32($0.dropFirst(2), radix: 16)
    }
    .compactMap(Unicode.Scalar.init)
    try #require(expected.count == 128)
    let named = try #require(TextEncoding(named: encoding))
    for (byte, scalar) in zip(UInt8(0x80)...0xFF, expected) {
      #expect(try title(ofByte: byte, in: named) == "x\(scalar)x", "\(byte)")
    }
  }

  @Test("ISO 8859-15 is ISO 8859-1 but for eight characters")
  func latin9() throws {
    let others: [UInt8: String] = [
      0xA4: "€", 0xA6: "Š", 0xA8: "š", 0xB4: "Ž", 0xB8: "ž", 0xBC: "Œ", 0xBD: "œ", 0xBE: "Ÿ",
    ]
    for byte in UInt8(0xA1)...0xFF {
      let expected = others[byte] ?? String(Unicode.Scalar(byte))
      #expect(try title(ofByte: byte, in: .latin9) == "x\(expected)x", "\(byte)")
    }
  }

  @Test(
    "the names that people use for encodings are known",
    arguments: [
      ("utf8", TextEncoding.utf8), ("UTF-8", .utf8), ("utf-16le", .utf16LittleEndian),
      ("cp1252", .windows1252), ("latin1", .latin1), ("ISO-8859-15", .latin9),
      ("Latin-9", .latin9),
    ])
  func names(name: String, encoding: TextEncoding) {
    #expect(TextEncoding(named: name) == encoding)
  }

  @Test("other encodings of the C library have its names, and an option of iconv is not a name")
  func otherNames() {
    #expect(TextEncoding(named: "sjis")?.name == "Shift_JIS")
    #expect(TextEncoding(named: "utf-32")?.name == "UTF-32")
    for name in ["", "/", "UTF-8//TRANSLIT", "latin1//IGNORE", "klingon", "UTF-32/", "UTF 32"] {
      #expect(TextEncoding(named: name) == nil, "\(name)")
    }
  }

  private static let foreignSources: [(String, [UInt8], ForeignFormat)] = [
    ("nothing", [], .empty),
    ("blank lines", Array(" \r\n\r\n\t".utf8), .empty),
    ("NULs", [0, 0, 0, 0, 0], .empty),
    ("a log-in page", Array("\r\n <!doctype html><title>Log in</title>".utf8), .html),
    ("XHTML", Array("<?xml version=\"1.0\"?>\n<html>".utf8), .html),
    ("a feed", Array("<?xml version=\"1.0\"?>\n<rss>".utf8), .xml),
    ("an error", Array("{\"error\": \"token expired\"}".utf8), .json),
    ("a list", Array("[]".utf8), .json),
    ("gzip", [0x1F, 0x8B, 8, 0, 0, 0], .gzip),
    ("ZIP", Array("PK\u{3}\u{4}".utf8), .zip),
    ("PDF", Array("%PDF-1.7".utf8), .pdf),
    ("a store", Array("SQLite format 3\0".utf8), .sqlite),
    ("a contact", Array("BEGIN:VCARD\r\nEND:VCARD".utf8), .vCard),
    (
      "a mail with Base64",
      Array(
        "Return-Path: <a@example.com>\r\nReceived: from b\r\n by c\r\nContent-Type: text/calendar\r\n\r\nQkVH"
          .utf8), .mail
    ),
    ("a mailbox", Array("From a@example.com Sun\nMIME-Version: 1.0\n\nHello".utf8), .mail),
    ("a note about mail", Array("From: see below\nDear Sir or Madam".utf8), .text),
    ("PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .image),
    ("JPEG", [0xFF, 0xD8, 0xFF, 0xE0], .image),
    ("a program", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0], .binary),
    ("a letter", Array("Dear Sir or Madam".utf8), .text),
    (
      "a letter with colors and pages", Array("Dear \u{1B}[1mSir\u{1B}[0m\u{C}or Madam".utf8), .text
    ),
    ("a letter with another control character", Array("Dear \u{1C} Sir".utf8), .binary),
  ]

  // Checks Decisions: Reading files/15
  @Test("the message says what a foreign file is", arguments: foreignSources)
  func foreign(name: String, bytes: [UInt8], format: ForeignFormat) {
    #expect(throws: ReaderError.notACalendar(format), "\(name)") { try read(bytes) }
  }

  @Test("NUL bytes are counted in the words for them", arguments: [1, 2])
  func countedNULs(count: Int) throws {
    let text =
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20261124\nSUMMARY:a"
      + String(repeating: "\0", count: count) + "b\nEND:VEVENT\nEND:VCALENDAR\n"
    let file = try read(Array(text.utf8))
    #expect(file.allEvents.first?.title == "ab")
    let words = count == 1 ? "a NUL byte" : "2 NUL bytes"
    #expect(file.findings.count { $0.reason.hasSuffix(words) } == 1)
  }

  @Test("a page is called HTML behind a byte order mark and in UTF-16 too")
  func encodedPages() throws {
    let page = "<html><body>Log in</body></html>"
    let wide = try encoded(page, as: .utf16LittleEndian)
    for bytes in [[0xEF, 0xBB, 0xBF] + Array(page.utf8), [0xFF, 0xFE] + wide] {
      #expect(throws: ReaderError.notACalendar(.html)) { try read(bytes) }
    }
    #expect(throws: ReaderError.notACalendar(.empty)) { try read([0xFF, 0xFE, 0x0A, 0x00]) }
  }

  @Test("surrogates and overlong forms are not UTF-8 (RFC 3629, 4)")
  func malformedUTF8() throws {
    for bytes in [
      [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
    ] {
      let calendar =
        Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20261124\nSUMMARY:".utf8)
        + bytes.map { UInt8($0) } + Array("\nEND:VEVENT\nEND:VCALENDAR\n".utf8)
      #expect(String(validating: calendar, as: UTF8.self) == nil)
      #expect(try read(calendar).findings.map(\.action) == ["read as Windows-1252"], "\(bytes)")
    }
    let largest =
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20261124\nSUMMARY:\u{D7FF}"
      + "\u{E000}\u{10FFFF}\nEND:VEVENT\nEND:VCALENDAR\n"
    #expect(try read(Array(largest.utf8)).findings == [])
  }
}
