import Foundation
import TestSupport
import Testing

/// `agenda reply` for the invitations of five producers in twenty situations each.
@Suite("replies to invitations")
struct ReplyTests {
  /// How a producer writes an invitation: line end, CN, extra lines, zone.
  struct Producer: Sendable {
    let name: String
    let lineEnd: String
    let attendee: @Sendable (String) -> String
    let organizer: String
    let extra: String
    let zone: String
  }

  static let producers: [Producer] = [
    Producer(
      name: "Google", lineEnd: "\r\n",
      attendee: {
        "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=\r\n "
          + "TRUE;CN=\($0);X-NUM-GUESTS=0:mailto:\($0)"
      }, organizer: "ORGANIZER;CN=Boss:mailto:boss@example.com",
      extra: "X-GOOGLE-CONFERENCE:https://meet.example.com/a\nTRANSP:OPAQUE",
      zone: "Europe/Berlin"),
    Producer(
      name: "Outlook", lineEnd: "\r\n",
      attendee: {
        "ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN=\"A, B\":MAILTO:\($0)"
      },
      organizer: "ORGANIZER;CN=\"Boss; the\":MAILTO:Boss@Example.com",
      extra: "X-MICROSOFT-CDO-APPT-SEQUENCE:2\nCLASS:PUBLIC", zone: "W. Europe Standard Time"),
    Producer(
      name: "Apple", lineEnd: "\n",
      attendee: { "ATTENDEE;CN=Ana;EMAIL=\($0);RSVP=TRUE:mailto:\($0)" },
      organizer: "ORGANIZER;CN=Boss;EMAIL=boss@example.com:mailto:boss@example.com",
      extra: "X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC", zone: "Europe/Berlin"),
    Producer(
      name: "Nextcloud", lineEnd: "\r\n",
      attendee: {
        "ATTENDEE;CN=Ana;CUTYPE=INDIVIDUAL;PARTSTAT=NEEDS-ACTION;LANGUAGE=de:mailto:\($0)"
      },
      organizer: "ORGANIZER;CN=Boss:mailto:boss@example.com", extra: "CREATED:20260101T000000Z",
      zone: "Europe/Berlin"),
    Producer(
      name: "Zimbra", lineEnd: "\r\n",
      attendee: { "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:\($0)" },
      organizer: "ORGANIZER:mailto:boss@example.com",
      extra: "X-ALT-DESC;FMTTYPE=text/html:<p>x</p>",
      zone: "Europe/Berlin"),
  ]

  /// One situation: the properties of the invitation, and what comes of answering it.
  struct Situation: Sendable {
    let name: String
    var attendees: [String] = ["ana@example.com", "bo@example.com"]
    var prefix = ""
    var hasOrganizer = true
    var more = ""
    var override = ""
    var arguments = ["--as", "ana@example.com"]
    var status: Int32 = 0
    var attendee = "ana@example.com"
    var recurrence: String?
    var sequence = "2"
    /// Whether the mail also has the invitation as it was before.
    var hasOlderVersion = false
    /// A zone that only this mail defines.
    var zone: String?
  }

  static let situations: [Situation] = [
    Situation(name: "invited"),
    Situation(name: "letter case", arguments: ["--as", "ANA@Example.COM"]),
    Situation(
      name: "alias", attendees: ["ana.b@example.org", "bo@example.com"],
      arguments: ["--as", "ana@example.com", "--as", "ana.b@example.org"],
      attendee: "ana.b@example.org"),
    Situation(
      name: "SENT-BY", attendees: ["room@example.com"], prefix: "SENT-BY",
      attendee: "room@example.com"),
    Situation(
      name: "one occurrence", more: "RRULE:FREQ=WEEKLY;COUNT=3",
      override: "RECURRENCE-ID;TZID=ZONE:20261124T100000", recurrence: "20261124T100000"),
    Situation(
      name: "THISANDFUTURE", more: "RRULE:FREQ=WEEKLY;COUNT=3",
      override: "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=ZONE:20261124T100000",
      recurrence: "20261124T100000"),
    Situation(name: "stale SEQUENCE", hasOlderVersion: true),
    Situation(name: "custom VTIMEZONE", zone: "Somewhere"),
    Situation(name: "forwarded", attendees: ["bo@example.com"], status: 2),
    Situation(
      name: "forwarded, answered for who was invited", attendees: ["bo@example.com"],
      arguments: [], attendee: "bo@example.com"),
    Situation(name: "not invited", arguments: ["--as", "eve@example.com"], status: 2),
    Situation(
      name: "two of them are mine",
      arguments: ["--as", "ana@example.com", "--as", "bo@example.com"], status: 2),
    Situation(name: "without a name", arguments: [], status: 2),
    Situation(
      name: "the only one", attendees: ["ana@example.com"], arguments: []),
    Situation(
      name: "the organizer is listed too", attendees: ["boss@example.com", "ana@example.com"],
      arguments: []),
    Situation(
      name: "two of them are mine, and one is the organizer",
      attendees: ["boss@example.com", "ana@example.com"],
      arguments: ["--as", "boss@example.com", "--as", "ana@example.com"]),
    Situation(
      name: "the organizer answers", attendees: ["boss@example.com", "ana@example.com"],
      arguments: ["--as", "boss@example.com"], status: 1),
    Situation(
      name: "listed twice", attendees: ["ana@example.com", "ana@example.com"], arguments: []),
    Situation(name: "cancelled", more: "STATUS:CANCELLED", status: 1),
    Situation(name: "no organizer", hasOrganizer: false, status: 1),
  ]

  private static func calendar(_ producer: Producer, _ situation: Situation) -> String {
    var attendees = situation.attendees.map(producer.attendee)
    if situation.prefix == "SENT-BY" {
      attendees = situation.attendees.map {
        "ATTENDEE;PARTSTAT=NEEDS-ACTION;SENT-BY=\"mailto:ana@example.com\":mailto:\($0)"
      }
    }
    func event(_ more: String, _ start: String) -> String {
      """
      BEGIN:VEVENT
      UID:invitation-\(producer.name)
      DTSTAMP:20260101T000000Z
      SEQUENCE:2
      DTSTART;TZID=ZONE:\(start)
      DTEND;TZID=ZONE:\(start.prefix(8))T120000
      SUMMARY:Plan\\, then act
      \(situation.hasOrganizer ? producer.organizer + "\n" : "")\(attendees.joined(separator: "\n"))
      \(producer.extra)
      \(more)
      END:VEVENT
      """
    }
    var text = event(situation.more, "20261117T100000")
    if situation.hasOlderVersion {
      text =
        text.replacing("SEQUENCE:2", with: "SEQUENCE:1").replacing("20261117", with: "20261110")
        + "\n" + text
    }
    if situation.zone != nil {
      text = ["Somewhere", "Elsewhere"].map(definition).joined() + text
    }
    if !situation.override.isEmpty { text += "\n" + event(situation.override, "20261124T110000") }
    return ("BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:REQUEST\nPRODID:x\n" + text + "\nEND:VCALENDAR\n")
      .replacing("\n\n", with: "\n").replacing(
        "TZID=ZONE", with: "TZID=\(situation.zone ?? producer.zone)"
      )
      .replacing("\r\n", with: "\n").replacing("\n", with: producer.lineEnd)
  }

  private static func definition(_ zone: String) -> String {
    """
    BEGIN:VTIMEZONE
    TZID:\(zone)
    BEGIN:STANDARD
    DTSTART:19700101T000000
    TZOFFSETFROM:+0245
    TZOFFSETTO:+0245
    END:STANDARD
    END:VTIMEZONE

    """
  }

  /// What icalendar reads in a message: property names with their values and parameters.
  private static let oracle = """
    import ctypes, sys, icalendar
    text = sys.stdin.buffer.read()
    libical = ctypes.CDLL('libical.so.3')
    libical.icalparser_parse_string.restype = ctypes.c_void_p
    for name in ('icalrestriction_check', 'icalcomponent_count_errors'):
        getattr(libical, name).argtypes = [ctypes.c_void_p]
    def is_valid(text):
        component = libical.icalparser_parse_string(text)
        return libical.icalrestriction_check(component) == 1 and libical.icalcomponent_count_errors(component) == 0
    assert is_valid(text), 'libical refuses the reply'
    lines = text.split(b'\\r\\n')
    assert not is_valid(b'\\r\\n'.join(line for line in lines if not line.startswith(b'ORGANIZER')))
    c = icalendar.Calendar.from_ical(text)
    assert c['METHOD'] == 'REPLY' and c['VERSION'] == '2.0', c
    events = [e for e in c.subcomponents if e.name in ('VEVENT', 'VTODO')]
    assert len(events) == 1
    e = events[0]
    attendees = e['ATTENDEE'] if isinstance(e['ATTENDEE'], list) else [e['ATTENDEE']]
    assert len(attendees) == 1, attendees
    a = attendees[0]
    zones = {z['TZID'] for z in c.subcomponents if z.name == 'VTIMEZONE'}
    used = {p.params['TZID'] for n in ('DTSTART', 'RECURRENCE-ID') if n in e for p in [e[n]] if 'TZID' in p.params}
    assert used == zones, (used, zones)
    r = e.get('RECURRENCE-ID')
    print('|'.join([str(e['UID']), str(e['SEQUENCE']), str(a).lower(), a.params['PARTSTAT'],
      str(e['ORGANIZER']).lower(), r.to_ical().decode() if r else '-', str(e.get('COMMENT', '-')),
      str(e['SUMMARY']), str('RSVP' in a.params), str(e['DTSTAMP'].dt)]))
    """

  // Checks RFC 5546: 2.1.4/5, 3/1, 3/2, 3/3, 3.1.1/1, 3.1.2/1, 3.2.3/4, 3.2.3/5, 3.2.3/6, 3.2.3/7
  // Checks RFC 5546: 3.2.3/8
  // Checks RFC 5545: 3.1.4/1, 3.7.2/1, 3.7.2/2, 3.8.4.1/1, 3.8.4.1/3, 3.8.4.3/1, 8.1/3
  @Test(
    "20 situations of five producers", .requiresPythonPackages, arguments: producers.map(\.name))
  func table(producerName: String) throws {
    let producer = try #require(Self.producers.first { $0.name == producerName })
    for situation in Self.situations {
      let scratch = try ScratchFolder()
      try scratch.write("mail.ics", Self.calendar(producer, situation))
      let store = ["AGENDA_STORE": "agenda.sqlite"]
      let imported = try AgendaRun(
        ["import", "mail.ics", "--calendar", "mail", "-q"], environment: store, in: scratch.url)
      #expect(imported.status == 0, "\(imported.errors)")
      let day = situation.recurrence == nil ? "2026-11-17" : "2026-11-24"
      let listing = try AgendaRun(
        ["show", "--include-cancelled", "--from", day, "--days", "1", "-f", "jsonl"]
          + AgendaRun.pinned, environment: store, in: scratch.url)
      let entry = try #require(
        try JSONSerialization.jsonObject(with: Data(listing.output.utf8)) as? [String: Any])
      let id = try #require(entry["id"] as? String)
      let run = try AgendaRun(
        ["reply", id, "--accept", "--comment", "Gladly; yes", "--from", day]
          + situation.arguments + AgendaRun.pinned, environment: store, in: scratch.url)
      let place = "\(producer.name), \(situation.name)"
      #expect(run.status == situation.status, "\(place): \(run.errors)")
      guard situation.status == 0 else {
        #expect(run.output == "" && run.errors.hasPrefix("agenda: "), "\(place)")
        continue
      }
      let read = try Python.output(of: ["-c", Self.oracle], input: run.output)
      #expect(
        read
          == [
            "invitation-\(producer.name)", "2", "mailto:\(situation.attendee)", "ACCEPTED",
            "mailto:boss@example.com", situation.recurrence ?? "-", "Gladly; yes",
            "Plan, then act", "False", "2026-11-21 08:00:00+00:00",
          ].joined(separator: "|") + "\n", "\(place)")
      // The answer is recorded, and an import of the source does not take it back.
      let again = try AgendaRun(
        ["import", "mail.ics", "--calendar", "mail"], environment: store, in: scratch.url)
      #expect(again.status == 0)
      let event = try AgendaRun(
        ["show", "--from", day, "--days", "1", "-f", "jsonl"] + AgendaRun.pinned,
        environment: store, in: scratch.url)
      #expect(event.output.contains("\"status\":\"accepted\""), "\(place)")
      let mail = try AgendaRun(
        ["reply", id, "--decline", "--mail", "--from", day] + situation.arguments
          + AgendaRun.pinned, environment: store, in: scratch.url)
      #expect(mail.status == 0, "\(mail.errors)")
      #expect(mail.output.lowercased().contains("\nto: boss@example.com\n"), "\(place)")
      #expect(
        mail.output.contains("Content-Type: text/calendar; method=REPLY; charset=UTF-8\n"),
        "\(place)")
    }
  }
}
