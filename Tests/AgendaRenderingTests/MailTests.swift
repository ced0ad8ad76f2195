import AgendaCore
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaRendering

@Suite("Mails")
struct MailTests {
  private static func message(
    _ sample: RenderingSample, days: Int = 10, locale: String = "en_GB", subject: String? = nil,
    to addresses: [String] = ["ana@example.com"], now: String = "2026-11-21T08:00:00+01:00",
    options: Agenda.Options = .init()
  ) throws -> String {
    let wording = DateWording(try LocaleData(locale))
    let agenda = try sample.agenda(days: days, options: options, locale: locale)
    let style = PageStyle(today: try RenderingSample.date("2026-11-21"))
    let format = MailFormat(
      wording, style: style, to: addresses.compactMap(MailRecipient.init), subject: subject,
      now: try #require(Instant(rfc3339: now)), details: sample.detailsSource())
    return text { format.render(agenda, to: &$0) }
  }

  /// A message as Python's `email` reads it.
  private struct Parsed: Decodable {
    let fields: [[String]]
    let recipients: [String]
    let date: String
    let defects: [String]
    let type: String
    let texts: [String: String]
    let longest: Int
    let isASCII: Bool

    func field(_ name: String) -> String? { fields.first { $0[0] == name }?[1] }
  }

  private static func parsed(_ messages: [String]) throws -> [Parsed] {
    let folder = try ScratchFolder()
    let paths = try messages.indices.map { index in
      let url = folder.url.appendingPathComponent("\(index).eml")
      try Data(messages[index].utf8).write(to: url)
      return url.path
    }
    let script = Repository.oracles.appendingPathComponent("mail_parse.py").path
    let run = try Python.run([script] + paths)
    #expect(run.status == 0, "\(run.errors)")
    return try run.output.split(separator: "\n").map { line in
      try JSONDecoder().decode(Parsed.self, from: Data(line.utf8))
    }
  }

  @Test("a mail has a text part and an HTML part in UTF-8", .requiresPython)
  func parts() throws {
    for locale in ["en_GB", "ja", "ar", "C"] {
      let sample = try RenderingSample.fortnight()
      let message = try Self.message(
        sample, locale: locale, to: ["ana@example.com", "bo@example.com"])
      let parsed = try #require(try Self.parsed([message]).first)
      #expect(parsed.defects == [])
      #expect(parsed.type == "multipart/alternative")
      #expect(parsed.recipients == ["ana@example.com", "bo@example.com"])
      #expect(parsed.date == "2026-11-21T08:00:00+01:00")
      #expect(parsed.isASCII)
      #expect(parsed.longest <= 78)
      let plain = try #require(parsed.texts["text/plain"])
      let page = try #require(parsed.texts["text/html"])
      for words in ["誕生日パーティー 🎂 with 家族", "لقاء مع أنا", "Night train"] {
        #expect(plain.contains(words))
        #expect(page.contains(words))
      }
      if locale == "en_GB" { #expect(page.contains("<b>Night train</b> (day 1 of 2)<br>")) }
    }
  }

  @Test("the subject summarises the window", .requiresPython)
  func subject() throws {
    var sample = try RenderingSample()
    let empty = try Self.message(sample, days: 1)
    try sample.add("Holiday", "2026-11-21", to: "2026-11-22")
    try sample.add("Late", "2026-11-21T20:00", to: "2026-11-21T21:00")
    try sample.add("Stand-up", "2026-11-21T09:30", to: "2026-11-21T09:45")
    let messages = try [
      empty, Self.message(sample, days: 1), Self.message(sample, days: 7),
      Self.message(sample, subject: "Heute · 今日"), Self.message(sample, days: 60),
    ]
    let subjects = try Self.parsed(messages).map { $0.field("Subject") }
    #expect(
      subjects == [
        "Today: no entries", "Today: 3 entries, first at 09:30",
        "Sat 21 Nov – Fri 27 Nov: 3 entries", "Heute · 今日",
        "Sat, 21 Nov 2026 – Tue, 19 Jan 2027: 3 entries",
      ])
  }

  @Test("a message depends on its content and the time alone", .requiresPython)
  func identifier() throws {
    let sample = try RenderingSample.fortnight()
    let later = "2026-11-21T09:00:00+01:00"
    let messages = try [
      Self.message(sample), Self.message(sample), Self.message(sample, now: later),
      Self.message(sample, to: ["bo@example.com"]), Self.message(sample, subject: "other"),
      Self.message(sample, days: 9),
    ]
    let identifiers = try Self.parsed(messages).map { $0.field("Message-ID") }
    #expect(messages[0] == messages[1])
    #expect(identifiers[0] == identifiers[2])
    #expect(Set(identifiers).count == 4)
  }

  @Test("no text gets into the header", .requiresPython)
  func injection() throws {
    var generator = SeededGenerator(seed: 7)
    let hostile = [
      "x\nBcc: eve@example.com", "x\r\n\r\nbody", "=?UTF-8?B?eA==?=", "a\u{0}b", "\u{2028}Bcc: e",
      String(repeating: "ä", count: 300), String(repeating: "x", count: 300), "", " ", "🎂",
    ]
    var subjects: [String] = []
    var messages: [String] = []
    for round in 0..<40 {
      let subject =
        round < hostile.count ? hostile[round] : HostileText.random(using: &generator)
      var sample = try RenderingSample()
      try sample.add(
        HostileText.random(using: &generator), "2026-11-22T10:00", to: "2026-11-22T11:00",
        location: HostileText.random(using: &generator),
        calendar: HostileText.random(using: &generator))
      subjects.append(SafeText.line(subject))
      messages.append(try Self.message(sample, subject: subject))
    }
    for (number, parsed) in try Self.parsed(messages).enumerated() {
      #expect(
        parsed.fields.map { $0[0] } == [
          "To", "Subject", "Date", "Message-ID", "MIME-Version", "Auto-Submitted",
          "Content-Language", "Content-Type",
        ])
      #expect(parsed.field("Subject") == subjects[number])
      #expect(parsed.recipients == ["ana@example.com"])
      #expect(parsed.longest <= 78)
      #expect(parsed.texts.count == 2)
    }
  }

  // Checks limit: MailFormat.mostBytes
  @Test(
    "a long mail is cut below 90,000 bytes and says how much is missing",
    .requiresPython)
  func length() throws {
    var sample = try RenderingSample()
    for number in 0..<900 {
      try sample.add(
        number % 2 == 0 ? "Entry number \(number)" : "誕生日パーティー \(number)",
        "2026-11-2\(1 + number % 9)T10:00", to: "2026-11-2\(1 + number % 9)T11:00")
    }
    let message = try Self.message(sample)
    #expect(message.utf8.count <= 90_000)
    #expect(message.utf8.count > 85_000)
    let parsed = try #require(try Self.parsed([message]).first)
    let plain = try #require(parsed.texts["text/plain"])
    let more = try #require(try /and ([0-9]+) more/.firstMatch(in: plain).flatMap { Int($0.1) })
    let shown = plain.matches(of: /10:00–11:00/).count
    #expect(shown > 50)
    #expect(shown + more == 900)
    let page = try #require(parsed.texts["text/html"])
    #expect(page.contains("and \(more) more"))
    #expect(page.matches(of: /10:00–11:00/).count == shown)
  }

  @Test("a mail server receives the mail unchanged", .requires("msmtp"), .requiresPythonPackages)
  func sending() throws {
    let sample = try RenderingSample.fortnight()
    let message = try Self.message(
      sample, locale: "ja", to: ["ana@example.com", "bo@example.com"])
    let folder = try ScratchFolder()
    let url = folder.url.appendingPathComponent("message")
    try Data(message.utf8).write(to: url)
    struct Received: Decodable {
      let recipients: [String]
      let subject: String
      let from: String
      let texts: [String: String]
    }
    let script = Repository.oracles.appendingPathComponent("mail_send.py").path
    let output = try Python.output(of: [script, url.path])
    let received = try JSONDecoder().decode(Received.self, from: Data(output.utf8))
    let written = try #require(try Self.parsed([message]).first)
    #expect(received.recipients == ["ana@example.com", "bo@example.com"])
    #expect(received.subject == written.field("Subject"))
    #expect(received.from == "cron@example.com")
    func unified(_ texts: [String: String]) -> [String: String] {
      texts.mapValues { $0.replacing("\r\n", with: "\n") }
    }
    #expect(unified(received.texts) == unified(written.texts))
  }

  @Test(
    "only plain addresses are addresses",
    arguments: [
      "", "ana", "@example.com", "ana@", "ana@@example.com", "a b@example.com", "ana@example.com\n",
      "ana@example.com, bo@example.com", "Ana <ana@example.com>", "ana@exämple.com", "a..b@c.d",
      "ana@example.com\r\nBcc: eve@example.com", "\"a\"@example.com", "ana(x)@example.com",
    ])
  func addresses(text: String) {
    #expect(MailAddress(text) == nil)
    #expect(MailAddress("ana+x@mail.example.com") != nil)
    #expect(MailAddress("root@localhost") != nil)
  }

  @Test(
    "a recipient can have a name",
    arguments: [
      ("ana@example.com", "To: ana@example.com\n"),
      ("Ana <ana@example.com>", "To: \"Ana\"\n <ana@example.com>\n"),
      ("\"Ana, Bo\" <ana@example.com>", "To: \"Ana, Bo\"\n <ana@example.com>\n"),
      ("A \"B\" \\ C <ana@example.com>", "To: \"A \\\"B\\\" \\\\ C\"\n <ana@example.com>\n"),
      ("\"A \\\"B\\\" C\" <ana@example.com>", "To: \"A \\\"B\\\" C\"\n <ana@example.com>\n"),
      ("<ana@example.com>", "To: ana@example.com\n"),
      ("Ana Müller <ana@example.com>", "To: =?UTF-8?B?QW5hIE3DvGxsZXI=?=\n <ana@example.com>\n"),
    ])
  func recipients(typed: String, field: String) throws {
    let recipient = try #require(MailRecipient(typed))
    #expect(text { $0.write(mailField: "To", recipients: [recipient]) } == field)
    for wrong in [
      "Ana <ana>", "Ana <ana@example.com", "ana@example.com>", "Ana ana@example.com",
      "ana@x.org, Bo <bo@x.org>", "Ana <ana@x.org>, Bo <bo@x.org>",
      "Ana\r\nBcc: eve@x.org <ana@example.com>",
    ] {
      #expect(MailRecipient(wrong) == nil, "\(wrong)")
    }
    let injected = try #require(MailRecipient("\"Ana\r\nBcc: eve@x.org\" <ana@example.com>"))
    #expect(!text { $0.write(mailField: "To", recipients: [injected]) }.contains("\nBcc"))
  }

  @Test("dates of mails have the offset of their zone, to the west and to the east (RFC 5322, 3.3)")
  func dates() throws {
    let moment = try #require(Instant(rfc3339: "2026-11-22T07:00:00Z"))
    for (name, expected) in [
      ("America/New_York", "Sun, 22 Nov 2026 02:00:00 -0500"),
      ("America/St_Johns", "Sun, 22 Nov 2026 03:30:00 -0330"),
      ("Europe/Berlin", "Sun, 22 Nov 2026 08:00:00 +0100"),
      ("Asia/Kolkata", "Sun, 22 Nov 2026 12:30:00 +0530"),
    ] {
      let zone = try #require(RenderingSample.database.zone(named: name))
      #expect(text { $0.write(mailDate: moment, in: zone) } == expected)
    }
  }
}
