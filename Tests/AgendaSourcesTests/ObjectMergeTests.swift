import Testing

@testable import AgendaSources

@Suite("merging two versions of a calendar object")
struct ObjectMergeTests {
  private func object(_ components: [String]..., zones: [String] = []) -> [UInt8] {
    var text = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"] + zones
    for lines in components {
      text += ["BEGIN:VEVENT", "UID:a", "DTSTAMP:20261101T000000Z"] + lines + ["END:VEVENT"]
    }
    return Array((text + ["END:VCALENDAR", ""]).joined(separator: "\r\n").utf8)
  }

  private func merged(_ base: [UInt8], _ mine: [UInt8], _ theirs: [UInt8]) -> String? {
    guard case .merged(let text) = ObjectMerge.merge(base: base, mine: mine, theirs: theirs) else {
      return nil
    }
    return String(decoding: text, as: UTF8.self)
  }

  @Test("changes of different properties are both kept, and other lines keep their bytes")
  func properties() throws {
    let start = "DTSTART:20261207T100000Z"
    let base = object([start, "SUMMARY:Old", "LOCATION:Here", "X-A;B=\"c\":long"])
    let mine = object([start, "SUMMARY:Mine", "LOCATION:Here", "X-A;B=\"c\":long"])
    let theirs = object([start, "SUMMARY:Old", "LOCATION:There", "X-A;B=\"c\":long", "X-NEW:1"])
    let text = try #require(merged(base, mine, theirs))
    #expect(
      text
        == String(
          decoding: object([
            start, "SUMMARY:Mine", "LOCATION:There", "X-A;B=\"c\":long", "X-NEW:1",
          ]), as: UTF8.self))
  }

  @Test("the same property in two ways is a conflict, in the same way it is none")
  func sameProperty() {
    let base = object(["SUMMARY:Old"])
    #expect(merged(base, object(["SUMMARY:Mine"]), object(["SUMMARY:Theirs"])) == nil)
    #expect(merged(base, object(["SUMMARY:New"]), object(["SUMMARY:New"])) != nil)
  }

  @Test("the order of lines, their folds, and the order and quotes of parameters are no change")
  func sameMeaning() {
    let one = object(["ATTENDEE;CN=\"Bo\";RSVP=TRUE:mailto:b", "SUMMARY:Long\r\n er"])
    let other = object(["SUMMARY:Longer", "ATTENDEE;RSVP=TRUE;CN=Bo:mailto:b"])
    #expect(ObjectText.areEqual(one, other))
    #expect(!ObjectText.areEqual(one, object(["SUMMARY:Longer"])))
  }

  @Test("different excluded dates and people are merged")
  func lists() throws {
    let rule = "RRULE:FREQ=DAILY;COUNT=9"
    let base = object([rule, "EXDATE:20261208T100000Z", "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:b"])
    let mine = object([
      rule, "EXDATE:20261208T100000Z,20261209T100000Z", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:b",
    ])
    let theirs = object([
      rule, "EXDATE:20261208T100000Z", "EXDATE:20261210T100000Z",
      "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:b", "ATTENDEE:mailto:c",
    ])
    let text = try #require(merged(base, mine, theirs))
    for part in ["20261208", "20261209", "20261210", "PARTSTAT=ACCEPTED:mailto:b", "mailto:c"] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test("different occurrences are merged; one that both changed, or one removed, is a conflict")
  func occurrences() {
    let series = ["DTSTART:20261207T100000Z", "RRULE:FREQ=DAILY;COUNT=9", "SUMMARY:S"]
    func override(_ day: Int, _ title: String) -> [String] {
      ["RECURRENCE-ID:2026120\(day)T100000Z", "DTSTART:2026120\(day)T110000Z", "SUMMARY:\(title)"]
    }
    let base = object(series)
    let eighth = object(series, override(8, "Mine"))
    #expect(merged(base, eighth, object(series, override(9, "Theirs"))) != nil)
    #expect(merged(base, eighth, object(series, override(8, "Theirs"))) == nil)
    #expect(merged(base, eighth, object(series + ["EXDATE:20261208T100000Z"])) == nil)
    #expect(merged(base, eighth, object(series + ["EXDATE:20261209T100000Z"])) != nil)
    #expect(merged(eighth, base, object(series, override(8, "Theirs"))) == nil)
  }

  @Test("who moves a series and who changes an occurrence, or its time, are in conflict")
  func times() {
    let rule = "RRULE:FREQ=DAILY;COUNT=9"
    let base = object(["DTSTART:20261207T100000Z", "DTEND:20261207T110000Z", rule])
    let moved = object(["DTSTART:20261207T120000Z", "DTEND:20261207T130000Z", rule])
    let longer = object(["DTSTART:20261207T100000Z", "DTEND:20261207T113000Z", rule])
    let shorter = object([
      "DTSTART:20261207T100000Z", "DTEND:20261207T110000Z", rule, "EXDATE:20261208T100000Z",
    ])
    #expect(merged(base, moved, longer) == nil)
    #expect(merged(base, moved, shorter) == nil)
    #expect(merged(base, longer, shorter) != nil)
  }

  @Test("a zone that only one side needs comes along")
  func zones() throws {
    let zone = [
      "BEGIN:VTIMEZONE", "TZID:Europe/Berlin", "BEGIN:STANDARD", "DTSTART:19700101T000000",
      "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE",
    ]
    let base = object(["DTSTART:20261207T100000Z", "SUMMARY:Old"])
    let mine = object(["DTSTART;TZID=Europe/Berlin:20261207T110000", "SUMMARY:Old"], zones: zone)
    let text = try #require(
      merged(base, mine, object(["DTSTART:20261207T100000Z", "SUMMARY:New"])))
    #expect(text.contains("BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin"))
    #expect(text.contains("SUMMARY:New"))
  }

  @Test("what a server stored is recognised, also with lines that it added")
  func taken() {
    let base = object(["SUMMARY:Old", "LOCATION:Here"])
    let sent = object(["SUMMARY:Mine", "LOCATION:Here"])
    #expect(
      ObjectMerge.hasTaken(
        sent, base: nil, theirs: object(["LOCATION:Here", "SUMMARY:Mine", "X-A:1"])))
    #expect(
      ObjectMerge.hasTaken(sent, base: base, theirs: object(["SUMMARY:Mine", "LOCATION:There"])))
    #expect(
      !ObjectMerge.hasTaken(sent, base: base, theirs: object(["SUMMARY:Other", "LOCATION:Here"])))
    #expect(!ObjectMerge.hasTaken(sent, base: nil, theirs: base))
  }

  @Test("an alarm that one side added stays")
  func alarms() throws {
    let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT10M", "END:VALARM"]
    let base = object(["SUMMARY:Old"])
    let text = try #require(merged(base, object(["SUMMARY:Old"] + alarm), object(["SUMMARY:New"])))
    #expect(text.contains("TRIGGER:-PT10M") && text.contains("SUMMARY:New"))
  }
}
