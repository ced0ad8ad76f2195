import AgendaCore
import AgendaKit
import AgendaKitFoundation
import Foundation
import TestSupport
import Testing

/// Values that are encoded to the JSON of the commands and decoded from it. `JSONFormat` writes
/// without `Codable`, so that each checks the other.
@Suite("agendas as JSON")
struct CodableTests {
  private static let fixtures: [String] = {
    let folders = ["calendars", "quirks", "broken"].map(Repository.fixtures.appendingPathComponent)
    return folders.flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return names.filter { $0.hasSuffix(".ics") }.map { folder.appendingPathComponent($0).path }
    }.sorted()
  }()

  private static let zones = ZoneDatabase.system(TZDIR: nil)

  /// JSON as Foundation reads it, for comparison.
  private func object(_ json: Data) throws -> NSObject {
    try #require(
      try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed) as? NSObject)
  }

  private func window(_ zone: String, from: CivilDate?, _ length: DateWindow.Length) throws
    -> DateWindow
  {
    let first = try #require(from)
    let zone = try Self.zones.loadZone(named: zone)
    return try #require(DateWindow(firstDay: first, length: length, zone: zone))
  }

  /// An agenda with tasks, journals and cancelled entries.
  private func agenda(
    _ calendars: Calendars, in window: DateWindow, _ options: Agenda.Options,
    condition: String? = nil
  ) throws -> Agenda {
    var selection = Selection(includesCancelled: true, includesTasks: true)
    selection.includesJournals = true
    if let condition { selection.condition = try Condition(condition, zone: window.zone) }
    return try calendars.agenda(
      in: window, of: selection, options: options, locale: LocaleData("de_DE"))
  }

  /// Checks that an agenda is read from the JSON of the commands, and gives the same JSON.
  private func check(_ agenda: Agenda, _ calendars: Calendars, _ name: String) throws {
    let printed = Data(calendars.rendering(agenda, as: .json).utf8)
    let expected = try object(printed)
    #expect(try object(calendars.withDetails(agenda).json()) == expected, "\(name)")
    let decoded = try Agenda(json: printed)
    #expect(try object(decoded.json()) == expected, "\(name)")
    #expect(decoded.entryCount == agenda.entryCount)
    #expect(decoded.sections.map(\.title) == agenda.sections.map(\.title), "\(name)")
    for (section, other) in zip(agenda.sections, decoded.sections) {
      #expect(section.entries.map(\.id) == other.entries.map(\.id), "\(name)")
      #expect(section.entries.map(\.begin) == other.entries.map(\.begin), "\(name)")
      #expect(section.entries.map(\.finish) == other.entries.map(\.finish), "\(name)")
      #expect(section.entries.map(\.day) == other.entries.map(\.day), "\(name)")
    }
    #expect(
      decoded.warnings.map(\.finding.message) == calendars.findings.map(\.finding.message))
  }

  @Test("every fixture by day: what is printed is decoded and encoded without a change")
  func fixtures() throws {
    try #require(Self.fixtures.count > 100)
    let window = try window(
      "Europe/Berlin", from: CivilDate(year: 2026, month: 1, day: 1), .years(2))
    var entryCount = 0
    for path in Self.fixtures {
      guard let calendars = try? Calendars(contentsOf: [path]) else { continue }
      let agenda = try agenda(
        calendars, in: window, .init(limit: 150, today: CivilDate(year: 2026, month: 7, day: 1)))
      try check(agenda, calendars, path)
      entryCount += agenda.entryCount
    }
    #expect(entryCount > 500)
  }

  @Test(
    "all fixtures in one agenda, with each key and with conditions", arguments: SectionKey.allCases)
  func keys(key: SectionKey) throws {
    let calendars = Calendars(reading: Self.fixtures.map { .path($0) })
    let window = try window(
      "America/St_Johns", from: CivilDate(year: 2026, month: 6, day: 3), .months(6))
    let today = CivilDate(year: 2026, month: 7, day: 1)
    let choices: [(String?, Int?)] = [(nil, nil), ("days > 1 and day != 1", nil), (nil, 37)]
    // What a condition and a limit leave out does not depend on the key.
    for (condition, limit) in key == .day ? choices : [choices[0]] {
      let agenda = try agenda(
        calendars, in: window,
        .init(groupedBy: key, once: limit != nil, limit: limit, today: today),
        condition: condition)
      // Other sections have hardly any entries that are not on their first day.
      try #require(agenda.entryCount > (condition == nil ? 5 : 0) || key != .day)
      try check(agenda, calendars, "\(key) \(condition ?? "")")
    }
  }

  @Test("an agenda in the sections of a program")
  func ownSections() throws {
    let calendars = Calendars(reading: Self.fixtures.map { .path($0) })
    let window = try window(
      "Europe/Berlin", from: CivilDate(year: 2026, month: 10, day: 20), .years(1))
    let layout = SectionLayout(
      sectionedBy: \.duration, title: { "\($0) seconds" }, indexTitle: { _ in "s" })
    let agenda = calendars.withDetails(try agenda(calendars, in: window, .init(layout)))
    #expect(agenda.sections.count > 3)
    let json = try agenda.json()
    let decoded = try Agenda(json: json, zones: Self.zones)
    #expect(decoded.sections.map(\.title) == agenda.sections.map(\.title))
    #expect(decoded.sections.map(\.id.description) == agenda.sections.map(\.id.description))
    #expect(decoded.sections.map(\.entries.count) == agenda.sections.map(\.entries.count))
    #expect(try object(decoded.json()) == object(json))
    for format in AgendaFormat.allCases {
      #expect(calendars.rendering(agenda, as: format).contains(format == .tsv ? "\t" : "e"))
    }
  }

  @Test("sections, entries and occurrences alone", arguments: SectionKey.allCases)
  func parts(key: SectionKey) throws {
    let calendars = Calendars(reading: Self.fixtures.map { .path($0) })
    let window = try window(
      "Europe/Berlin", from: CivilDate(year: 2026, month: 10, day: 20), .years(1))
    let agenda = calendars.withDetails(
      try agenda(calendars, in: window, .init(groupedBy: key, limit: 80)))
    let encoder = JSONEncoder()
    let decoder = JSONDecoder()
    decoder.userInfo[.agendaViewer] = window.zone
    let document = try #require(
      try object(Data(calendars.rendering(agenda, as: .json).utf8)) as? [String: Any])
    let sections = try #require(document["sections"] as? [[String: Any]])
    for (section, printed) in zip(agenda.sections, sections) {
      let json = try encoder.encode(section)
      #expect(try object(json) == printed as NSDictionary)
      let decoded = try decoder.decode(AgendaSection.self, from: json)
      #expect(try object(encoder.encode(decoded)) == printed as NSDictionary)
      let entries = try #require(printed["entries"] as? [[String: Any]])
      for (entry, var printed) in zip(section.entries, entries) {
        // An entry alone has no position.
        printed["indexPath"] = nil
        let json = try encoder.encode(entry)
        #expect(try object(json) == printed as NSDictionary)
        let decoded = try decoder.decode(Entry.self, from: json)
        #expect(try object(encoder.encode(decoded)) == printed as NSDictionary)
        // An occurrence has the same values with the offsets of its own zone.
        let alone = try encoder.encode(entry.occurrence)
        let again = try JSONDecoder().decode(Occurrence.self, from: alone)
        #expect(try object(encoder.encode(again)) == object(alone))
        #expect(again.event.title == entry.title)
        if entry.isAllDay { continue }
        #expect(again.begin == entry.begin && again.finish == entry.finish)
        for name in ["indexPath", "day", "days", "start", "end", "recurrenceId"] {
          printed[name] = nil
        }
        let values = try #require(try object(alone) as? [String: Any])
        for (name, value) in printed { #expect(values[name] as? NSObject == value as? NSObject) }
      }
    }
  }

  @Test("random own events have all of their fields after decoding")
  func events() throws {
    var random = SeededGenerator(seed: 16)
    let decoder = JSONDecoder()
    // Zones of two databases are never equal.
    decoder.userInfo[.agendaZones] = Self.zones
    for _ in 0..<200 * TestSettings.rounds {
      let event = try randomEvent(&random)
      let json = try JSONEncoder().encode(event)
      #expect(
        try decoder.decode(Event.self, from: json) == event,
        "\(String(decoding: json, as: UTF8.self))")
    }
  }

  @Test("events follow the JSON schema, which misses no key", .requiresPythonPackages)
  func schema() throws {
    var random = SeededGenerator(seed: 19)
    let documents = try (0..<100).map { _ in
      AgendaSchema.Document(
        "event",
        String(decoding: try JSONEncoder().encode(randomEvent(&random)), as: UTF8.self))
    }
    #expect(try AgendaSchema.problems(of: documents) == [])
    let json = try JSONEncoder().encode(randomEvent(&random))
    let event = try #require(try object(json) as? [String: Any])
    let incomplete = try event.keys.map { key in
      let rest = event.filter { $0.key != key }
      return AgendaSchema.Document(
        "event",
        String(decoding: try JSONSerialization.data(withJSONObject: rest), as: UTF8.self))
    }
    #expect(try AgendaSchema.problems(of: incomplete).count == event.count)
  }

  @Test("a program's own agenda is decoded with the same entries")
  func ownAgenda() throws {
    var random = SeededGenerator(seed: 17)
    let window = try window(
      "Asia/Kathmandu", from: CivilDate(year: 2026, month: 1, day: 1), .years(1))
    for _ in 0..<5 * TestSettings.rounds {
      let events = try (0..<8).map { _ in try randomEvent(&random) }
      let calendars = Calendars(events: events)
      let agenda = try calendars.agenda(in: window, options: .init(limit: 150))
      try check(agenda, calendars, "\(events.map(\.title))")
    }
  }

  @Test(
    "malformed documents are errors",
    arguments: [
      (#""version":1"#, #""version":2"#), (#""2026-11-21T09:00:00+01:00""#, #""2026-13-21""#),
      (#""kind":"event""#, #""kind":"party""#), (#""groupedBy":"day""#, #""groupedBy":"moon""#),
      ("Europe/Berlin", "Europe/Nowhere"), (#""id":"2026-11-21""#, #""id":"Saturday""#),
    ])
  func malformed(good: String, bad: String) throws {
    let calendars = try Calendars(
      text: """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        UID:1
        DTSTART;TZID=Europe/Berlin:20261121T090000
        SUMMARY:Fair
        END:VEVENT
        END:VCALENDAR
        """, name: "fair")
    let window = try window(
      "Europe/Berlin", from: CivilDate(year: 2026, month: 11, day: 21), .years(1))
    let json = calendars.rendering(try calendars.agenda(in: window), as: .json)
    #expect(try Agenda(json: Data(json.utf8)).entryCount == 1)
    let damaged = json.replacingOccurrences(of: good, with: bad)
    try #require(damaged != json)
    #expect(throws: DecodingError.self) { try Agenda(json: Data(damaged.utf8)) }
    // Readers ignore unknown keys.
    let longer = json.replacingOccurrences(of: #""version":1"#, with: #""version":1,"new":[{}]"#)
    #expect(try Agenda(json: Data(longer.utf8)).entryCount == 1)
  }

  // MARK: Wrong values

  /// Values that a key does not expect, or that are far out of range.
  private static var wrongValues: [Any] {
    [
      Int.max, Int.min, -1, 0, 1 << 40, 1e300, -0.5, true, NSNull(), [Any](), [1, "x"],
      [String: Any](), ["seconds": Int.max, "days": Int.max], ["seconds": Int.min, "days": -1], "",
      "x",
      "\u{0}\u{202E}", String(repeating: "東", count: 5000), "9999-12-31", "0001-01-01",
      "-0001-01-01",
      "2026-02-30", "9999-12-31T23:59:60Z", "0001-01-01T00:00:00+23:59", "2026-11-21T25:00:00Z",
      "2026-11-21T09:00:00+99:99", "9999-12-31T23:59:59-23:59",
      "2026-11-21T09:00:00[Europe/Nowhere]",
      "9999-12-31T23:00:00-01:00[Europe/Berlin]", "9999-W53", "0000-00", "9999-13", "10000",
      "FREQ=YEARLY;COUNT=9223372036854775807", "FREQ=YEARLY;INTERVAL=9223372036854775807",
      "FREQ=DAILY;COUNT=2;UNTIL=00010101", "FREQ=", "999999999999.1", "0.0", "-1.-1", "ffffffff",
    ]
  }

  /// The document with one of its values replaced; the value is found by its number in depth-first
  /// order.
  private func replacing(_ number: inout Int, in value: Any, by wrong: Any) -> Any {
    number -= 1
    if number < 0 { return number == -1 ? wrong : value }
    switch value {
    case let object as [String: Any]:
      var copy = object
      for (key, member) in object.sorted(by: { $0.key < $1.key }) {
        copy[key] = replacing(&number, in: member, by: wrong)
      }
      return copy
    case let list as [Any]: return list.map { replacing(&number, in: $0, by: wrong) }
    default: return value
    }
  }

  /// Shows a decoded value in every way.
  private func use(_ calendars: Calendars, _ agenda: Agenda) throws {
    for format in AgendaFormat.allCases { _ = calendars.rendering(agenda, as: format) }
    for section in agenda.sections {
      _ = (section.title, section.indexTitle)
      for entry in section.entries {
        _ = (entry.day, entry.days, entry.duration, agenda.path(of: entry))
      }
    }
    _ = try agenda.json()
  }

  @Test("wrong values are errors or are shown, and never end the program")
  func wrongValues() throws {
    var random = SeededGenerator(seed: 18)
    let window = try window(
      "Europe/Berlin", from: CivilDate(year: 2026, month: 11, day: 21), .days(3))
    var errors = 0
    var decoded = 0
    func attempt(_ work: () throws -> Void) throws {
      do {
        try work()
        decoded += 1
      } catch let error as DecodingError {
        errors += 1
        #expect(!"\(error)".isEmpty)
      }
    }
    let decoder = JSONDecoder()
    decoder.userInfo[.agendaZones] = Self.zones
    for round in 0..<150 * TestSettings.rounds {
      var event = try randomEvent(&random)
      if round % 2 == 0 { event.start = .zoned(window.start.utc, window.zone) }
      let wrong = try #require(Self.wrongValues.randomElement(using: &random))
      var place = Int.random(in: 1...60, using: &random)
      let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(event))
      let broken = try JSONSerialization.data(
        withJSONObject: replacing(&place, in: json, by: wrong), options: .fragmentsAllowed)
      try attempt {
        let event = try decoder.decode(Event.self, from: broken)
        let calendars = Calendars(events: [event])
        let agenda = try calendars.agenda(
          in: window, of: Selection(includesCancelled: true, includesTasks: true))
        try use(calendars, agenda)
        _ = try calendars.alarms(in: window.start..<window.end, zone: window.zone)
        _ = try JSONEncoder().encode(event)
      }
      let calendars = Calendars(events: [event])
      let agenda = calendars.withDetails(try calendars.agenda(in: window))
      guard agenda.entryCount > 0 else { continue }
      place = Int.random(in: 1...60, using: &random)
      let document = try JSONSerialization.jsonObject(with: agenda.json())
      let other = try JSONSerialization.data(
        withJSONObject: replacing(&place, in: document, by: wrong), options: .fragmentsAllowed)
      try attempt { try use(calendars, Agenda(json: other, zones: Self.zones)) }
      let entry = try #require(agenda.sections.first?.entries.first)
      place = Int.random(in: 1...40, using: &random)
      let alone = try JSONSerialization.data(
        withJSONObject: replacing(
          &place, in: try JSONSerialization.jsonObject(with: JSONEncoder().encode(entry)), by: wrong
        ),
        options: .fragmentsAllowed)
      try attempt {
        let entry = try decoder.decode(Entry.self, from: alone)
        _ = (entry.day, entry.days, entry.date, entry.duration, entry.hashValue)
        _ = try JSONEncoder().encode(entry)
        _ = try JSONEncoder().encode(entry.occurrence)
      }
    }
    // Both happen often.
    #expect(errors > 50 && decoded > 50)
  }

  // MARK: Random events

  private func randomEvent(_ random: inout SeededGenerator) throws -> Event {
    let zones = try ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"].map {
      try Self.zones.loadZone(named: $0)
    }
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func maybe<Value>(_ value: @autoclosure () throws -> Value) rethrows -> Value? {
      number(0...1) == 0 ? try value() : nil
    }
    func text() -> String {
      ["Choir", "Émile \u{1F382}", "a\"b\\c\n\u{7}", "", "x/y"][number(0...4)]
    }
    func civil() throws -> CivilDateTime {
      let date = try #require(
        CivilDate(year: number(1880...2090), month: number(1...12), day: number(1...28)))
      let time = try #require(
        TimeOfDay(hour: number(0...23), minute: number(0...59), second: number(0...59)))
      return CivilDateTime(date, time)
    }
    func time() throws -> EventTime {
      switch number(0...4) {
      case 0: .date(try civil().date)
      case 1: .floating(try civil())
      case 2: .utc(try civil())
      default: .zoned(try civil(), zones[number(0...2)])
      }
    }
    func length() -> EventDuration { EventDuration(days: number(0...3), seconds: number(0...9999)) }
    func moment() -> Instant { Instant(secondsSinceEpoch: number(0...4_000_000_000)) }
    var details = EventDetails()
    details.description = maybe(text())
    details.url = maybe(text())
    details.conference = maybe(text())
    details.coordinates =
      maybe(
        Coordinates(latitude: Double(number(-900...900)) / 10, longitude: 13.405)) ?? nil
    details.organizer = maybe(Person(name: maybe(text()), email: maybe("ana@example.com")))
    details.attendees = (0..<number(0...2)).map { _ in
      Attendee(
        person: Person(name: maybe(text()), email: maybe("bo@example.com")),
        participation: "accepted", role: "req-participant")
    }
    details.attachments = (0..<number(0...2)).map {
      Attachment(
        number: $0 + 1, mediaType: maybe("image/png"), byteCount: maybe(number(0...9)),
        uri: maybe(text()), name: nil, isImage: false)
    }
    details.alarms = (0..<number(0...2)).map { _ in
      let triggers: [Alarm.Trigger] = [.fromStart(length()), .fromEnd(length()), .at(moment())]
      return Alarm(
        action: "display", trigger: triggers[number(0...2)], repetitions: number(0...3),
        interval: maybe(length()), description: maybe(text()))
    }
    details.classification = maybe("private")
    details.priority = maybe(number(1...9))
    details.percentComplete = maybe(number(0...100))
    (details.created, details.lastModified) = (maybe(moment()), maybe(moment()))
    (details.stamp, details.completed) = (maybe(moment()), maybe(moment()))
    let rules = ["FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE", "FREQ=YEARLY;COUNT=3", "FREQ=DAILY"]
    let extents: [Extent] = [.unstated, .end(try time()), .duration(length())]
    var event = Event(
      uid: "u\(number(0...99_999))", kind: Event.Kind.allCases[number(0...2)], title: text(),
      start: try time(), extent: extents[number(0...2)],
      rules: try (0..<number(0...1)).map { _ in try Rule(parsing: rules[number(0...2)]) },
      location: maybe(text()), categories: (0..<number(0...2)).map { _ in text() },
      calendar: text(), details: details)
    event.due = try maybe(try time())
    event.status = maybe(Event.Status.allCases[number(0...7)])
    event.identity.recurrenceID = number(0...4) == 0 ? try time() : nil
    event.isTransparent = number(0...1) == 0
    event.color = maybe("teal")
    event.version = EventVersion(sequence: number(0...9), modified: maybe(moment()))
    if event.recurrence != nil {
      event.recurrence?.exceptionDates = try (0..<number(0...2)).map { _ in try time() }
      event.recurrence?.exceptionRules = try (0..<number(0...1)).map { _ in
        try Rule(parsing: rules[number(0...2)])
      }
    }
    return event
  }
}
