import AgendaCore
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaReader

/// Calendars in mails. The mails are written by hand, as programs send them.
@Suite("calendars in mails")
struct MailCalendarsTests {
  private static func calendar(_ title: String, uid: String = "a", end: String = "\r\n") -> String {
    [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "METHOD:REQUEST", "BEGIN:VEVENT", "UID:\(uid)",
      "DTSTAMP:20261101T000000Z", "DTSTART:20261124T100000Z", "SUMMARY:\(title)", "END:VEVENT",
      "END:VCALENDAR", "",
    ].joined(separator: end)
  }

  private static func base64(_ text: String) -> String {
    Data(text.utf8).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
  }

  private static let head = "From: Ana <ana@example.com>\nSubject: Plan\nMIME-Version: 1.0\n"

  private func titles(_ mail: [UInt8]) throws -> [String] {
    let reader = CalendarReader(zones: .system(TZDIR: nil))
    return try reader.read(SourceBytes(mail), name: "mail").allEvents.map(\.title)
  }

  private func titles(_ mail: String) throws -> [String] { try titles(Array(mail.utf8)) }

  struct Mail: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let titles: [String]
  }

  /// A mail of two parts, one of which is a calendar.
  private static func multipart(_ number: Int, isBase64: Bool = false) -> String {
    let calendar = calendar("Mail \(number)", uid: "\(number)", end: "\n")
    let encoding = isBase64 ? "base64" : "8bit"
    return head + """
      Content-Type: multipart/mixed; boundary=b\(number)

      --b\(number)
      Content-Type: text/plain

      Hello
      From here on:

      >From Ana
      --b\(number)
      Content-Type: text/calendar
      Content-Transfer-Encoding: \(encoding)

      \(isBase64 ? base64(calendar) : calendar)
      --b\(number)--

      """
  }

  private static let separator = "From ana@example.com Sat Nov 28 10:00:00 2026\n"

  private static func single(_ number: Int, isBase64: Bool = false) -> String {
    let calendar = calendar("Mail \(number)", uid: "\(number)", end: "\n")
    let encoding = isBase64 ? "base64" : "8bit"
    return head + "Content-Type: text/calendar\nContent-Transfer-Encoding: \(encoding)\n\n"
      + (isBase64 ? base64(calendar) : calendar) + "\n"
  }

  @Test("every mail of a mailbox counts, whatever its parts are")
  func mailbox() throws {
    let mails = [
      Self.multipart(1), Self.single(2, isBase64: true), Self.multipart(3, isBase64: true),
      Self.single(4), Self.multipart(5).replacing("--b5--\n", with: ""), Self.multipart(6),
    ]
    let mailbox = mails.map { Self.separator + $0 + "\n" }.joined()
    let expected = (1...6).map { "Mail \($0)" }
    #expect(try titles(mailbox) == expected)
    #expect(try titles(mailbox.replacing("\n", with: "\r\n")) == expected)
    // Without lines between them, a mail ends with its last boundary.
    #expect(
      try titles(Self.multipart(1) + "\n" + Self.multipart(2) + Self.single(3))
        == ["Mail 1", "Mail 2", "Mail 3"])
    // What follows the last boundary of a single mail is no mail.
    #expect(try titles(Self.multipart(1) + "Subject matter: none\n") == ["Mail 1"])
    // Two mails have the same calendar, which one mail has only once.
    #expect(
      try titles(
        (Self.separator + Self.multipart(1) + "\n") + Self.separator
          + Self.multipart(1)) == ["Mail 1", "Mail 1"])
  }

  @Test("parts beyond the limit are reported, and those of other mails are read")
  func manyParts() throws {
    let part = "--b\nContent-Type: text/plain\n\nx\n"
    let long =
      Self.head + "Content-Type: multipart/mixed; boundary=b\n\n"
      + String(repeating: part, count: 1001) + "--b--\n\n"
    let mailbox = Self.separator + long + Self.separator + Self.multipart(1)
    let file = try CalendarReader(zones: .system(TZDIR: nil))
      .read(SourceBytes(mailbox), name: "mail")
    #expect(file.allEvents.map(\.title) == ["Mail 1"])
    #expect(file.findings.contains { $0.severity == .error && $0.message.contains("1000 parts") })
  }

  static let mails: [Mail] = [
    Mail(
      testDescription: "Base64 in an alternative, and the same as an attachment",
      text: head + """
        Content-Type: multipart/mixed; boundary="out er"

        This is a preamble with --out er in it.
        --out er
        Content-Type: multipart/alternative; boundary=inner (a comment)

        --inner
        Content-Type: text/plain

        --inner-but-not-it
        BEGIN:VCALENDAR
        --inner
        Content-Type: text/calendar; charset="UTF-8"; method=REQUEST
        Content-Transfer-Encoding: BASE64

        \(base64(calendar("Café")))
        --inner--
        --out er
        Content-Type: application/octet-stream; name="invite.ics"
        Content-Transfer-Encoding: base64

        \(base64(calendar("Café", end: "\n")))
        --out er--
        epilogue

        """, titles: ["Café"]),
    Mail(
      testDescription: "quoted-printable with soft line breaks",
      text: head + """
        Content-Type: text/calendar
        Content-Transfer-Encoding: quoted-printable

        \(calendar("Caf=C3=A9 a=\nnd = Tea  ").replacing("\r\n", with: "\n"))
        """, titles: ["Café and = Tea"]),
    Mail(
      testDescription: "a plain part without its last boundary",
      text: head + "content-type: multipart/mixed;\n\tboundary=b\n\n--b  \n"
        + "Content-Type: application/ics\n\n" + calendar("One") + "--b\n"
        + "Content-Type: text/calendar\n\n" + calendar("Two", uid: "b"), titles: ["One", "Two"]),
    Mail(
      testDescription: "names in pieces, encoded, and in words",
      text: head + """
        Content-Type: multipart/mixed; boundary=b

        --b
        Content-Type: application/octet-stream
        Content-Disposition: attachment; filename*0*=utf-8'en'caf%C3%A9;
         filename*1=".i"; filename*2="cs"

        \(calendar("Pieces", uid: "1"))
        --b
        Content-Type: application/octet-stream; name="=?iso-8859-1?Q?caf=E9_1?= =?utf-8?B?LmljcyA=?="

        \(calendar("Not this", uid: "2"))
        --b
        Content-Type: application/octet-stream; name="=?utf-8?B?aW52aXRlLklDUw==?="

        \(calendar("Words", uid: "3"))
        --b--
        """, titles: ["Pieces", "Words"]),
    Mail(
      testDescription: "a forwarded mail in an mbox file",
      text: "From ana@example.com Sat Nov 21\n" + head
        + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n"
        + "From: bo@example.com\nContent-Type: text/calendar\n\n" + calendar("Forwarded")
        + "--b--\n", titles: ["Forwarded"]),
    Mail(
      testDescription: "a calendar in the text",
      text: head + "\nHi,\n" + calendar("In the text"), titles: ["In the text"]),
  ]

  @Test("its parts are read", arguments: mails)
  func parts(_ mail: Mail) throws {
    #expect(try titles(mail.text) == mail.titles)
    #expect(try titles(mail.text.replacing("\r\n", with: "\n")) == mail.titles)
  }

  // RFC 5322 (3.2.2): comments can contain comments and escaped characters.
  @Test(
    "comments in the fields of a mail are no part of them",
    arguments: [
      "(see) base64", "base64 (a (nested) one)", "(a (b) \\) \\( c) base64 (d)", "\"base64\"(x)",
      "(\") base64",
    ])
  func comments(encoding: String) throws {
    let mail =
      Self.head + """
        Content-Type: text/calendar (a (nested) comment); charset=(x (y) z)"utf-8"; method=REQUEST
        Content-Transfer-Encoding: \(encoding)

        \(Self.base64(Self.calendar("Café")))
        """
    #expect(try titles(mail) == ["Café"])
  }

  // Checks RFC 5545: 3.1.4/1
  @Test("the charset of a part is read, unless it is UTF-8 under another name")
  func charsets() throws {
    func mail(_ charset: String, _ encoding: String.Encoding, _ title: String) throws -> [UInt8] {
      let head = Self.head + "Content-Type: text/calendar; charset=\(charset)\n\n"
      return try Array(head.utf8) + #require(Self.calendar(title).data(using: encoding))
    }
    #expect(try titles(mail("iso-8859-1", .isoLatin1, "Café")) == ["Café"])
    #expect(try titles(mail("ISO-8859-1", .utf8, "Café")) == ["Café"])
    #expect(try titles(mail("windows-1251", .windowsCP1251, "Чай")) == ["Чай"])
    #expect(try titles(mail("x-unknown", .utf8, "Café")) == ["Café"])
  }

  @Test("a mail without a calendar is refused with its reason")
  func noCalendar() throws {
    for mail in [
      Self.head + "Content-Type: text/plain\n\nHello",
      Self.head + "Content-Type: text/calendar\n\nHello",
      Self.head + "Content-Type: multipart/mixed\n\n--b\n\n--b--",
      Self.head + "Content-Type: text/calendar\nContent-Transfer-Encoding: base64\n\n!!!!",
    ] {
      #expect(throws: ReaderError.notACalendar(.mail), "\(mail)") { try titles(mail) }
    }
    let words = ReaderError.notACalendar(.mail).description
    #expect(words.contains("text/calendar") && words.contains("this is a mail"))
  }

  @Test("lines count in the decoded calendar")
  func lines() throws {
    let broken = Self.calendar("Tea").replacing("20261124T100000Z", with: "soon")
    let mail =
      Self.head + "Content-Type: text/calendar\nContent-Transfer-Encoding: base64\n\n"
      + Self.base64(broken)
    let reader = CalendarReader(zones: .system(TZDIR: nil))
    let file = try reader.read(SourceBytes(mail), name: "mail")
    #expect(file.findings.compactMap(\.line) == [8])
  }

  @Test("what looks like a mail in a calendar is text", arguments: ["DESCRIPTION", "X-MAIL"])
  func calendarWithMail(_ name: String) throws {
    let text = Self.calendar("Tea").replacing(
      "SUMMARY", with: "\(name):x\r\nCONTENT-TYPE:text/plain\r\nMESSAGE-ID:1\r\nSUMMARY")
    #expect(try titles(text) == ["Tea"])
    #expect(try titles("\n\n" + text) == ["Tea"])
  }

  // Checks limit: MailCalendars.deepest, MailCalendars.mostParts
  @Test("nested and repeated parts cost time that grows with the mail")
  func limits() throws {
    func nested(_ count: Int) -> String {
      Self.head
        + (0..<count).map { "Content-Type: multipart/mixed; boundary=b\($0)\n\n--b\($0)\n" }
        .joined() + "Content-Type: text/calendar\nContent-Transfer-Encoding: base64\n\n"
        + Self.base64(Self.calendar("Deep"))
    }
    #expect(try titles(nested(20)) == ["Deep"])
    #expect(throws: ReaderError.notACalendar(.mail)) { try titles(nested(21)) }
    #expect(throws: ReaderError.notACalendar(.mail)) { try titles(nested(5000)) }
    func parts(_ count: Int) -> String {
      Self.head + "Content-Type: multipart/mixed; boundary=b\n\n"
        + String(repeating: "--b\nContent-Type: text/plain\n\nx\n", count: count)
        + "--b\nContent-Type: text/calendar\nContent-Transfer-Encoding: base64\n\n"
        + Self.base64(Self.calendar("Last")) + "\n--b--"
    }
    // The mail itself is a part.
    #expect(try titles(parts(998)) == ["Last"])
    #expect(throws: ReaderError.notACalendar(.mail)) { try titles(parts(999)) }
    let many =
      Self.head + "Content-Type: multipart/mixed; boundary=b\n\n"
      + String(repeating: "--b\nContent-Type: text/plain\n\n", count: 100_000) + "--b--"
    #expect(throws: ReaderError.notACalendar(.mail)) { try titles(many) }
    let fields = Self.head + String(repeating: "X-A: b\n c\n", count: 200_000) + "\nHello"
    #expect(throws: ReaderError.self) { try titles(fields) }
  }

  @Test("no cut of a mail crashes the reader")
  func cuts() {
    for mail in Self.mails {
      let bytes = Array(mail.text.utf8)
      for length in stride(from: 0, to: bytes.count, by: 7) {
        _ = try? titles(Array(bytes.prefix(length)))
      }
    }
  }
}
