import AgendaCore
import AgendaReader
import CivilTime
import Recurrence
import TestSupport
import Testing

/// Inputs that hang, crash or fill the memory of libical 3.0.16. Each is read in time linear in
/// its length: at most ten times as long per byte as an ordinary calendar, measured in the same run.
@Suite("Hostile input")
struct HostileTests {
  /// Of the processor, for each byte of an ordinary calendar.
  private static let secondsPerByte: Double = {
    let event = """
      BEGIN:VEVENT\nUID:UIDS\nDTSTAMP:20261101T000000Z\nDTSTART;TZID=Europe/Berlin:20261124T090000
      DTEND;TZID=Europe/Berlin:20261124T100000\nRRULE:FREQ=WEEKLY;COUNT=9\nSUMMARY:Choir
      LOCATION:Room 2\nDESCRIPTION:Bring the songs\nCATEGORIES:music,home\nEND:VEVENT

      """
    let events = (0..<1000).map { event.replacing("UIDS", with: "\($0)") }
    let text = "BEGIN:VCALENDAR\n\(events.joined())END:VCALENDAR\n"
    return (try? seconds(toRead: text).seconds).map { $0 / Double(text.utf8.count) } ?? 0
  }()

  private static func seconds(
    toRead text: String
  ) throws -> (file: CalendarFile, seconds: Double) {
    let reader = CalendarReader(zones: .system(TZDIR: nil))
    let source = SourceBytes(text)
    let begin = ThreadTime.now
    let file = try reader.read(source, name: "hostile")
    _ = file.allEvents
    _ = file.detailFindings()
    return (file, ThreadTime.now - begin)
  }

  /// `work` is the time for what must be done besides reading.
  private func read(_ text: String, work: Double = 0) throws -> CalendarFile {
    let (file, seconds) = try Self.seconds(toRead: text)
    let ordinary = Self.secondsPerByte * Double(max(text.utf8.count, 1 << 20))
    #expect(seconds < 10 * ordinary + 5 * work)
    return file
  }

  private func calendar(_ body: String) -> String {
    "BEGIN:VCALENDAR\r\n\(body)END:VCALENDAR\r\n"
  }

  private func event(_ properties: String) -> String {
    calendar("BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261124T090000Z\r\n\(properties)END:VEVENT\r\n")
  }

  // Checks limit: EventDecoder.longestText
  // Checks RFC 5545: 5/5
  @Test("one line of 10 MB is read, and its title cut")
  func longLine() throws {
    let file = try read(event("SUMMARY:" + String(repeating: "x", count: 10 << 20) + "\r\n"))
    #expect(file.allEvents.first?.title.utf8.count == 64 << 10)
    #expect(file.rejectedCount == 0)
    // Never within a character.
    let letters = String(repeating: "x", count: (64 << 10) - 1)
    for (title, kept) in [(letters + "y", letters + "y"), (letters + "ü", letters)] {
      #expect(try read(event("SUMMARY:\(title)\r\n")).allEvents.first?.title == kept)
    }
  }

  @Test("a line of 10 MB without a colon is one finding")
  func longJunk() throws {
    let file = try read(event(String(repeating: "x", count: 10 << 20) + "\r\n"))
    #expect(file.eventCount == 1)
    #expect(file.findings.count == 1)
  }

  @Test("a file of 2 MB whose lines end with CR alone")
  func onlyCR() throws {
    let line = "COMMENT:" + String(repeating: "y", count: 40) + "\r"
    let body = String(repeating: line, count: 2 << 20 / line.utf8.count)
    let file = try read(
      "BEGIN:VCALENDAR\rBEGIN:VEVENT\rUID:1\rDTSTART:20261124\r\(body)END:VEVENT\rEND:VCALENDAR\r")
    #expect(file.eventCount == 1)
    #expect(file.findings == [])
  }

  @Test("a long list of exceptions before 10 MB of junk in the same line", arguments: [",", ";"])
  func longList(separator: String) throws {
    let dates = String(repeating: "20261125T090000Z" + separator, count: 30_000)
    let junk = String(repeating: "x", count: 10 << 20)
    let file = try read(event("RRULE:FREQ=DAILY;COUNT=2\r\nEXDATE:\(dates)\(junk)\r\n"))
    #expect(file.allEvents.first?.recurrence?.exceptionDates.count == 30_000)
    #expect(file.findings.map(\.severity) == [.error])
  }

  // Checks limit: Nesting.most
  @Test("100,000 nested components reject their event, and no other")
  func nested() throws {
    for (depth, uids) in [(8, ["1", "2"]), (9, ["2"]), (100_000, ["2"])] {
      let file = try read(
        calendar(
          "BEGIN:VEVENT\nUID:1\nDTSTART:20261124\n"
            + String(repeating: "BEGIN:X-A\n", count: depth)
            + String(repeating: "END:X-A\n", count: depth) + "END:VEVENT\n"
            + "BEGIN:VEVENT\nUID:2\nDTSTART:20261124\nEND:VEVENT\n"))
      #expect(file.componentCount == 2)
      #expect(file.rejectedCount == 2 - uids.count)
      #expect(file.allEvents.map(\.identity.uid) == uids)
    }
  }

  @Test("100,000 events that begin within each other are each rejected, and counted")
  func nestedEvents() throws {
    let file = try read(calendar(String(repeating: "BEGIN:VEVENT\n", count: 100_000)))
    #expect(file.componentCount == 100_000)
    #expect(file.rejectedCount == 100_000)
    #expect(file.findings.count <= 10)
    let rejections = file.findings.filter { $0.action == "event rejected" }
    #expect(rejections.reduce(0) { $0 + $1.count } == 100_000)
    #expect(rejections.map(\.lines.count) == [100_000])
    #expect(rejections.map(\.lines.last) == [100_001])
  }

  @Test(
    "of 125 rules that take long to expand 100 are kept, and one error counts the others",
    arguments: [
      "FREQ=SECONDLY;INTERVAL=86401;BYMONTH=2;BYMONTHDAY=13;BYDAY=FR;BYHOUR=3;BYSECOND=1",
      "FREQ=MINUTELY;INTERVAL=1441;BYWEEKNO=53;BYHOUR=3;COUNT=100000",
      "FREQ=MONTHLY;BYHOUR=0,2,4,6,8,10,12,14,16,18,20,22;BYMINUTE=0,10,20,30,40,50;"
        + "BYSECOND=0,4,8,12,16,20,24,28,32,36,40,44,48,52,56",
    ])
  func rulesThatTakeLong(_ text: String) throws {
    let rule = try Rule(parsing: text)
    let date = try #require(CivilDate(year: 2026, month: 1, day: 1))
    let start = EventTime.utc(CivilDateTime(date, .midnight))
    let begin = ThreadTime.now
    for _ in 0..<125 { #expect(rule.work(from: start) == Rule.unmeasuredWork) }
    let work = ThreadTime.now - begin
    let events = (1...125).map {
      "BEGIN:VEVENT\nUID:\($0)\nDTSTART:20260101T090000Z\nRRULE:\(text)\nEND:VEVENT\n"
    }
    // One more that takes no time.
    let file = try read(
      calendar(
        events.joined()
          + "BEGIN:VEVENT\nUID:daily\nDTSTART:20260101T090000Z\nRRULE:FREQ=DAILY\nEND:VEVENT\n"),
      work: work)
    let repeating = file.allEvents.filter(\.repeats).map(\.identity.uid)
    #expect(repeating == (1...100).map(String.init) + ["daily"])
    let errors = file.findings.filter { $0.severity == .error }
    #expect(errors.map(\.count) == [25])
    #expect(errors.first?.action == "ignored; the event is shown without this repetition")
    let together = try read(
      calendar(
        "BEGIN:VEVENT\nUID:1\nDTSTART:20260101T090000Z\n"
          + (1...125).map { _ in "RRULE:\(text)\n" }.joined() + "END:VEVENT\n"), work: work)
    #expect(together.allEvents.map(\.repeats) == [false])
  }

  @Test("rules that are left out are not measured again each time that events are read")
  func omittedRules() throws {
    func time(_ rule: String) throws -> Double {
      let events = (1...300).map {
        "BEGIN:VEVENT\nUID:\($0)\nDTSTART:20260101T090001Z\nRRULE:\(rule)\nEND:VEVENT\n"
      }
      let reader = CalendarReader(zones: .system(TZDIR: nil))
      let file = try reader.read(SourceBytes(calendar(events.joined())), name: "hostile")
      return ProcessorTime.of { #expect(file.allEvents.count == 300) }
    }
    let omitted = try time("FREQ=SECONDLY;INTERVAL=86399;BYSECOND=0,1,2,3,4,5,6;COUNT=1000")
    #expect(omitted < 4 * (try time("FREQ=DAILY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR;COUNT=1000")))
  }

  @Test("notes about a rule do not need the end of its COUNT")
  func notesOfCounts() throws {
    func time(_ end: String) throws -> Double {
      let events = (1...40).map {
        "BEGIN:VEVENT\nUID:\($0)\nDTSTART:20260101T090000Z\n"
          + "RRULE:FREQ=SECONDLY;INTERVAL=7;BYMONTH=3;BYMONTHDAY=31;BYDAY=FR\(end)\nEND:VEVENT\n"
      }
      let reader = CalendarReader(zones: .system(TZDIR: nil))
      let file = try reader.read(SourceBytes(calendar(events.joined())), name: "hostile")
      return ProcessorTime.of { #expect(file.ruleNotes().map(\.count) == [40]) }
    }
    #expect(try time(";COUNT=999999999") < 2 * time(""))
  }

  @Test(
    "rules that need no more work than others are all kept, whatever they look like",
    arguments: [
      "FREQ=HOURLY;BYHOUR=9,10,11;BYDAY=MO", "FREQ=MINUTELY;INTERVAL=30;BYHOUR=9;BYDAY=MO,TU",
      "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30;INTERVAL=7", "FREQ=DAILY;BYMONTHDAY=13;BYDAY=FR",
      "FREQ=SECONDLY;BYHOUR=9;BYMINUTE=30;BYSECOND=0", "FREQ=HOURLY;INTERVAL=8;BYMONTH=6,7",
      "RSCALE=CHINESE;FREQ=MONTHLY;BYMONTHDAY=15", "RSCALE=HEBREW;FREQ=YEARLY;COUNT=99",
      "FREQ=DAILY;BYHOUR=8,12,18;BYMINUTE=0,30", "FREQ=MINUTELY;INTERVAL=90;COUNT=999",
      "FREQ=SECONDLY;INTERVAL=2;BYSECOND=1,3,5", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=200",
    ])
  func cheapRules(_ rule: String) throws {
    let events = (1...120).map {
      "BEGIN:VEVENT\nUID:\($0)\nDTSTART:20260101T090000Z\nRRULE:\(rule)\nEND:VEVENT\n"
    }
    let file = try read(calendar(events.joined()))
    #expect(file.allEvents.count(where: \.repeats) == 120)
    #expect(file.findings.allSatisfy { $0.severity != .error })
  }

  // Checks limit: PlacementDecoder.mostRules
  @Test("of thousands of rules in one event the first 2,000 are kept, with one error")
  func manyRules() throws {
    func rules(_ name: String, _ count: Int) -> String {
      (1...count).map { "\(name):FREQ=DAILY;INTERVAL=\($0)\r\n" }.joined()
    }
    let file = try read(event(rules("RRULE", 1500) + rules("EXRULE", 1000)))
    let recurrence = try #require(file.allEvents.first?.recurrence)
    #expect(recurrence.rules.map(\.interval) == Array(1...1500))
    #expect(recurrence.exceptionRules.map(\.interval) == Array(1...500))
    let errors = file.findings.filter { $0.severity == .error }
    #expect(errors.map(\.message) == ["more than 2000 rules in one event"])
    #expect(try read(event(rules("RRULE", 2000))).findings.allSatisfy { $0.severity != .error })
  }

  @Test("half a million lines of junk cost a finding, not memory")
  func junk() throws {
    let file = try read(event(String(repeating: "J\r\n", count: 500_000)))
    #expect(file.eventCount == 1)
    #expect(file.findings.count == 1)
  }

  // Checks RFC 5545: 3.6.5/3
  @Test("50,000 VTIMEZONEs without rules, one of them used")
  func emptyZones() throws {
    let zones = (0..<50_000).map { "BEGIN:VTIMEZONE\nTZID:Zone \($0)\nEND:VTIMEZONE\n" }.joined()
    let file = try read(
      calendar(zones + "BEGIN:VEVENT\nUID:1\nDTSTART;TZID=Zone 49999:20261124T090000\nEND:VEVENT\n")
    )
    #expect(file.eventCount == 1)
    #expect(file.allEvents.first?.start?.zone == nil)
  }

  @Test("12,000 different names of zones")
  func manyZoneNames() throws {
    let events = (0..<12_000).map {
      "BEGIN:VEVENT\nUID:\($0)\nDTSTART;TZID=../../zone/\($0):20261124T090000\nEND:VEVENT\n"
    }.joined()
    let file = try read(calendar(events))
    #expect(file.eventCount == 12_000)
    #expect(file.findings.count <= 10_001)
  }

  @Test("20,000 calendars in one file")
  func manyCalendars() throws {
    let one = "BEGIN:VCALENDAR\nMETHOD:CANCEL\nX-WR-TIMEZONE:Europe/Berlin\nEND:VCALENDAR\n"
    let file = try read(
      String(repeating: one, count: 20_000)
        + "BEGIN:VEVENT\nUID:1\nDTSTART:20261124\nEND:VEVENT\n")
    #expect(file.eventCount == 1)
  }

  // Checks RFC 5545: 3.1.1/1
  @Test("no value of a list is lost: 648 EXDATEs, 600 categories")
  func longLists() throws {
    let days = (0..<648).map { number -> String in
      let date = CivilDate(year: 2026, month: 1, day: 1)?.adding(days: number)
      return date.map { "\($0)".filter { $0 != "-" } + "T090000Z" } ?? ""
    }
    let categories = (0..<600).map { "c\($0)" }
    let file = try read(
      event(
        "RRULE:FREQ=DAILY\r\nEXDATE:\(days.joined(separator: ","))\r\n"
          + "CATEGORIES:\(categories.joined(separator: ","))\r\n"))
    let event = try #require(file.allEvents.first)
    #expect(event.recurrence?.exceptionDates.count == 648)
    #expect(event.categories == categories)
  }

  @Test("a property with 150 parameters keeps its value")
  func manyParameters() throws {
    let parameters = (0..<150).map { ";X-P\($0)=v" }.joined()
    let file = try read(
      event(
        "SUMMARY\(parameters):The value\r\nATTENDEE\(parameters);CN=Bo:mailto:bo@example.com\r\n"))
    let event = try #require(file.allEvents.first)
    #expect(event.title == "The value")
    let attendee = file.details(of: event.reference).attendees.first
    #expect(attendee?.person == Person(name: "Bo", email: "bo@example.com"))
  }

  @Test("100 parameters and 5,000 values of one property are not multiplied")
  func parametersTimesValues() throws {
    let parameters = (0..<99).map { ";X-P\($0)=value" }.joined()
    let values = (0..<5000).map { "c\($0)" }
    let file = try read(
      event("CATEGORIES\(parameters):\(values.joined(separator: ","))\r\n"))
    #expect(file.allEvents.first?.categories == values)
    #expect(file.findings == [])
  }

  @Test("a file with only an unknown component is not a calendar")
  func unknownRoot() {
    #expect(throws: ReaderError.notACalendar(.text)) {
      try read("BEGIN:FOO\r\nSUMMARY:x\r\nEND:FOO\r\n")
    }
  }

  // Checks RFC 5545: 3.3.1/2
  @Test("an attachment of 3 MB is counted without being decoded, and decoded when asked for")
  func attachment() throws {
    let bytes = [UInt8](repeating: 0x41, count: 3 << 20)
    let base64 = String(repeating: "QUFB", count: bytes.count / 3)
    let file = try read(event("ATTACH;ENCODING=BASE64;VALUE=BINARY:\(base64)\r\n"))
    let event = try #require(file.allEvents.first)
    #expect(file.details(of: event.reference).attachments.first?.byteCount == bytes.count)
    #expect(file.attachmentBytes(of: event.reference, number: 1) == bytes)
    #expect(file.attachmentBytes(of: event.reference, number: 2) == nil)
    #expect(file.attachmentBytes(of: event.reference, number: 0) == nil)
  }

  // Checks limit: DetailsDecoder.mostProperties
  @Test("of 12,000 attendees the first 10,000 are shown and the rest is reported")
  func attendees() throws {
    let all = (0..<12_000).map { "ATTENDEE:mailto:\($0)@example.com\r\n" }.joined()
    let file = try read(event(all))
    let event = try #require(file.allEvents.first)
    #expect(file.details(of: event.reference).attendees.count == 10_000)
    #expect(file.detailFindings().count == 1)
    let allowed = try read(
      self.event((0..<10_000).map { "ATTENDEE:mailto:\($0)@example.com\r\n" }.joined()))
    #expect(allowed.detailFindings().isEmpty)
  }

  @Test("HTML that never closes its tags and links stays linear")
  func html() throws {
    for part in ["<a href=", "<b", "<!--", "&nbsp;<a href=\"x\">", "<p><script>", "https://", "<"] {
      let description = String(repeating: part, count: 200_000 / part.utf8.count)
      let file = try read(event("DESCRIPTION:<br>\(description)\r\n"))
      #expect(file.eventCount == 1)
    }
  }
}
