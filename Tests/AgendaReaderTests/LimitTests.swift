import AgendaCore
import AgendaReader
import CivilTime
import ICalendar
import Recurrence
import TestSupport
import Testing

/// Each limit of the reader just below it and just above it.
@Suite("Limits of the reader")
struct LimitTests {
  private func read(_ text: String) throws -> CalendarFile {
    try CalendarReader(zones: .system(TZDIR: nil)).read(SourceBytes(text), name: "limits")
  }

  private func calendar(_ body: String) -> String {
    "BEGIN:VCALENDAR\nVERSION:2.0\n\(body)END:VCALENDAR\n"
  }

  private func event(_ properties: String, start: String = "DTSTART:20261124T090000Z") -> String {
    calendar("BEGIN:VEVENT\nUID:1\n\(start)\n\(properties)\nEND:VEVENT\n")
  }

  // Checks limit: CalendarFile.mostRuleWork
  @Test("a source keeps 100 of the rules that take longest to expand")
  func ruleWork() throws {
    let file = try read(
      calendar(
        (1...101).map {
          "BEGIN:VEVENT\nUID:\($0)\nDTSTART:20260101T090000Z\n"
            + "RRULE:FREQ=MINUTELY;INTERVAL=1441;BYWEEKNO=53;BYHOUR=3;COUNT=100000\nEND:VEVENT\n"
        }.joined()))
    #expect(file.allEvents.count(where: \.repeats) == 100)
    #expect(file.findings.count { $0.severity == .error } == 1)
  }

  @Test("1,500 ordinary rules in other calendars are all kept")
  func ordinaryRules() throws {
    let calendars = ["CHINESE", "HEBREW", "ETHIOPIC", "ISLAMIC-CIVIL", "PERSIAN"]
    let rules = [
      "FREQ=WEEKLY;COUNT=1000", "FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=15;SKIP=FORWARD",
      "FREQ=MONTHLY;BYMONTHDAY=30;SKIP=BACKWARD;COUNT=200", "FREQ=MONTHLY;BYDAY=-1FR",
      "FREQ=DAILY;BYMONTH=1,5;COUNT=1000", "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1;COUNT=40",
    ]
    let events = (0..<1500).map { number in
      let (calendar, rule) = (calendars[number % 5], rules[number % 6])
      return "BEGIN:VEVENT\nUID:\(number)\nDTSTART:20260101T090000Z\n"
        + "RRULE:RSCALE=\(calendar);\(rule)\nEND:VEVENT\n"
    }
    let file = try read(calendar(events.joined()))
    #expect(file.allEvents.count(where: \.repeats) == 1500)
  }

  // Checks limit: Libical.longestValue
  @Test("libical gets ten mebibytes of a value, and never a part of a character")
  func longestValue() {
    let most = 10 << 20
    let letters = String(repeating: "x", count: most - 1)
    for (value, kept) in [("y", "y"), ("yz", "y"), ("ü", "")] {
      let text = Array((letters + value).utf8).withUnsafeBufferPointer { PropertyValue.text($0) }
      // Comparing the texts themselves would print them.
      #expect(text.utf8.count == letters.utf8.count + kept.utf8.count)
      #expect(text.hasSuffix("x" + kept))
    }
  }

  // Checks limit: LineCursor.longestHead
  @Test("quoted-printable is recognised in the first 512 bytes of a line")
  func longestHead() throws {
    let encoding = ";ENCODING=QUOTED-PRINTABLE"
    for count in [512, 513] {
      let name = "SUMMARY;X-A="
      let padding = String(repeating: "x", count: count - name.utf8.count - encoding.utf8.count)
      let file = try read(
        "BEGIN:VCALENDAR\nVERSION:1.0\nBEGIN:VEVENT\nUID:1\nDTSTART:20261124T090000Z\n"
          + "\(name)\(padding)\(encoding):one=20=\ntwo\nEND:VEVENT\nEND:VCALENDAR\n")
      // Otherwise the soft line break is repaired, with a warning.
      #expect(file.allEvents.first?.title == "one two")
      let hasWarning = file.findings.contains { $0.severity == .warning }
      #expect(hasWarning == (count == 513), "\(file.findings)")
    }
  }

  // Checks limit: DurationText.mostDays
  @Test("a duration has no more days than the calendar from the year 1 to 9999")
  func days() throws {
    // 9999 years of 365 days and 2424 leap days.
    for (text, isRead) in [("P3652059D", true), ("P3652060D", false)] {
      let file = try read(event("DURATION:\(text)"))
      #expect(file.findings.contains { $0.property == "DURATION" } == !isRead)
      #expect(
        file.allEvents.first?.extent
          == (isRead ? .duration(EventDuration(days: 3_652_059, seconds: 0)) : .unstated))
    }
  }

  // Checks limit: FreeBusyText.mostSpans
  @Test("100,000 busy times of a component are read")
  func busyTimes() throws {
    for count in [100_000, 100_001] {
      // Each ends a minute before the next begins, so that none are joined.
      let spans = (0..<count).map {
        let instant = Instant(secondsSinceEpoch: 1_700_000_000 + $0 * 120)
        return "\(instant)".filter { $0 != "-" && $0 != ":" } + "/PT1M"
      }
      let list = spans.joined(separator: ",")
      let file = try read(calendar("BEGIN:VFREEBUSY\nUID:1\nFREEBUSY:\(list)\nEND:VFREEBUSY\n"))
      #expect(file.busyTimes.count == 100_000)
    }
  }

  // Checks limit: PlacementDecoder.mostValues
  @Test("100,000 values of a list of dates are read, and further ones reported")
  func values() throws {
    for count in [100_000, 100_001] {
      let dates = String(repeating: "20261201T090000Z,", count: count)
      let file = try read(event("RRULE:FREQ=DAILY\nEXDATE:\(dates)"))
      let errors = file.findings.filter { $0.severity == .error }
      #expect(errors.map(\.property) == (count > 100_000 ? ["EXDATE"] : []))
      #expect(errors.allSatisfy { $0.message.contains("100000") })
    }
  }

  // Checks limit: ZoneBook.mostUnknownNames
  @Test("after 1,000 unknown names of zones no definition is looked for")
  func unknownNames() throws {
    let definition = """
      BEGIN:VTIMEZONE
      TZID:Own
      BEGIN:STANDARD
      DTSTART:20000101T000000
      TZOFFSETFROM:+0300
      TZOFFSETTO:+0300
      END:STANDARD
      END:VTIMEZONE

      """
    for count in [999, 1_000] {
      let unknown = (0..<count).map {
        "BEGIN:VEVENT\nUID:\($0)\nDTSTART;TZID=Nowhere \($0)x:20261124T090000\nEND:VEVENT\n"
      }
      let file = try read(
        calendar(
          definition + unknown.joined()
            + "BEGIN:VEVENT\nUID:own\nDTSTART;TZID=Own:20261124T090000\nEND:VEVENT\n"))
      let own = try #require(file.allEvents.first { $0.identity.uid == "own" })
      let offset = own.start?.zone?.utcOffset(at: Instant(secondsSinceEpoch: 0))
      #expect((offset == 10_800) == (count < 1_000))
    }
  }

  // Checks limit: VCalendarZone.mostPeriods
  @Test("of vCalendar 1.0 200 periods of summer time are read")
  func periods() throws {
    for count in [199, 200] {
      // The last line alone is that of the event's year.
      let filler = (0..<count).map { number in
        "DAYLIGHT:TRUE;+02;\(1700 + number)0329T020000;\(1700 + number)1025T030000;CET;CEST\n"
      }
      let file = try read(
        "BEGIN:VCALENDAR\nVERSION:1.0\nTZ:+01\n\(filler.joined())"
          + "DAYLIGHT:TRUE;+02;20260329T020000;20261025T030000;CET;CEST\n"
          + "BEGIN:VEVENT\nUID:1\nDTSTART:20260706T090000\nEND:VEVENT\nEND:VCALENDAR\n")
      let start = try #require(file.allEvents.first?.start)
      let hour = count < 200 ? 7 : 8
      #expect(start.instant(for: .utc) == Instant(rfc3339: "2026-07-06T0\(hour):00:00Z"))
    }
  }

  // Checks limit: ConferenceLink.longest
  @Test("the address of a meeting has less than 4,096 bytes after its scheme")
  func conference() throws {
    let place = "meet.jit.si/"
    for count in [4_095, 4_096] {
      let address = "https://" + place + String(repeating: "a", count: count - place.utf8.count)
      let file = try read(event("DESCRIPTION:Join \(address) now"))
      let details = file.details(of: try #require(file.allEvents.first).reference)
      #expect(details.conference == (count < 4_096 ? address : nil))
    }
  }

  // Checks limit: DetailsDecoder.longestLine
  @Test("a line of a mebibyte is not among the details")
  func longLine() throws {
    for count in [(1 << 20) - 1, 1 << 20] {
      let line = "URL:https://example.com/"
      let file = try read(event(line + String(repeating: "x", count: count - line.utf8.count)))
      let details = file.details(of: try #require(file.allEvents.first).reference)
      #expect((details.url != nil) == (count < 1 << 20))
      #expect(file.detailFindings().isEmpty == (count < 1 << 20))
    }
  }

  // Checks limit: MailHeader.mostFields, MailHeader.mostBytes
  @Test("of the header of a mail 10,000 fields and a mebibyte are read")
  func mailHeader() throws {
    func isRead(_ filler: String) throws -> Bool {
      let mail =
        "From: ana@example.com\nTo: bo@example.com\nSubject: x\nMIME-Version: 1.0\n\(filler)"
        + "Content-Type: text/calendar\nContent-Transfer-Encoding: base64\n\n"
        + base64(event("SUMMARY:Tea"))
      do {
        return try read(mail).allEvents.map(\.title) == ["Tea"]
      } catch ReaderError.notACalendar {
        return false
      }
    }
    // Four fields come before these, and two after them.
    #expect(try isRead(String(repeating: "X: y\n", count: 9_995)))
    #expect(try !isRead(String(repeating: "X: y\n", count: 9_996)))
    let others = "From: ana@example.com\nTo: bo@example.com\nSubject: x\nMIME-Version: 1.0\n"
      .utf8.count
    let own = "Content-Type: text/calendar\nContent-Transfer-Encoding: base64\n".utf8.count
    let room = (1 << 20) - others - own
    func filler(_ count: Int) -> String { "X: " + String(repeating: "y", count: count - 4) + "\n" }
    #expect(try isRead(filler(room)))
    #expect(try !isRead(filler(room + 1)))
  }

  private func base64(_ text: String) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bytes = Array(text.utf8)
    var result = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      var number = 0
      for index in 0..<3 {
        let place = start + index
        number = number << 8 | (place < bytes.count ? Int(bytes[place]) : 0)
      }
      for index in 0..<4 {
        result.append(index <= part.count ? digits[number >> (18 - 6 * index) & 63] : "=")
      }
    }
    return result
  }

  // Checks limit: ComponentCutter.mostMissingEnds
  @Test("after 16 components without an END the events in others are the calendar's own")
  func missingEnds() throws {
    for count in [15, 16] {
      let open = (0..<count).map {
        "BEGIN:X-OPEN\($0)\nBEGIN:VEVENT\nUID:\($0)\nDTSTART:20261124\nEND:VEVENT\n"
      }
      let file = try read(
        calendar(
          open.joined() + "BEGIN:VPOLL\nBEGIN:VEVENT\nUID:choice\nDTSTART:20261125\nEND:VEVENT\n"
            + "END:VPOLL\n"))
      let uids = file.allEvents.map(\.identity.uid)
      #expect(uids == (0..<count).map(String.init) + (count < 16 ? [] : ["choice"]))
    }
  }

  // Checks limit: LibicalCheck.mostLines, LibicalLineParser.longestLine
  // Checks limit: LibicalLineParser.mostParameters
  @Test("libical gets 10,000 lines of a component, lines of 64 KiB and 100 parameters")
  func libical() throws {
    func notes(_ lines: String) throws -> [String] {
      try read(event(lines)).libicalNotes().map(\.message)
    }
    // BEGIN, UID and DTSTART come before these.
    for count in [9_996, 9_997] {
      let found = try notes(String(repeating: "COMMENT:x\n", count: count) + "STATUS:PERHAPS")
      #expect(found.count == (count < 9_997 ? 1 : 0))
    }
    for count in [64 << 10, (64 << 10) + 1] {
      let value = "PERHAPS" + String(repeating: "x", count: count - "STATUS:PERHAPS".utf8.count)
      #expect(try notes("STATUS:\(value)").count == (count > 64 << 10 ? 0 : 1))
    }
    for count in [100, 101] {
      let parameters = (0..<count).map { ";X-P\($0)=v" }.joined()
      #expect(try notes("X-OWN\(parameters):y").count == count - 100)
    }
  }

  // Checks limit: ScanResult.mostFindings
  @Test("10,000 different problems of a source are listed, and further ones counted")
  func findings() throws {
    for count in [10_000, 10_001] {
      // Each name is a problem of its own.
      let ends = (1...count).map { "END:X-\($0)\n" }
      let findings = try read(calendar(ends.joined())).findings
      #expect(findings.count == count)
      let last = findings.last?.message
      #expect(last == (count > 10_000 ? "1 more problems" : "END:X-10000 without its BEGIN"))
    }
    let rules = (1...10_005).map { number in
      let part = String(number, radix: 2).replacing("0", with: "A").replacing("1", with: "B")
      return "BEGIN:VEVENT\nUID:\(number)\nDTSTART:20261201T090000Z\n"
        + "RRULE:FREQ=DAILY;COUNT=2;X-\(part)=1\nEND:VEVENT\n"
    }
    let findings = try read(calendar(rules.joined())).findings
    #expect(findings.count == 10_001 && findings.last?.message == "5 more problems")
  }
}
