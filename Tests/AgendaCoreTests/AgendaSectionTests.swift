import AgendaCore
import CivilTime
import Recurrence
import Testing

@Suite("Sections, entries and their places")
struct AgendaSectionTests {
  @Test(
    "identifiers sort as the key does",
    arguments: [
      (SectionKey.day, ["2026-11-30", "2026-12-31", "2027-01-01"]),
      (.week, ["2026-W49", "2026-W53"]),
      (.month, ["2026011", "2026012", "2027001"]),
      (.year, ["2026", "2027"]),
    ])
  func identifiers(key: SectionKey, ids: [String]) throws {
    let agenda = try newYear(groupedBy: key)
    #expect(agenda.sections.map(\.id.description) == ids)
  }

  private func newYear(groupedBy key: SectionKey) throws -> Agenda {
    let zone = Zone.utc
    let occurrences = try ["2027-01-01T08:00", "2026-11-30T09:00", "2026-12-31T10:00"].map {
      try AgendaSample.timed($0, seconds: 60, zone, AgendaSample.event($0))
    }
    return Agenda(
      occurrences, in: try AgendaSample.window("2026-11-21", days: 60, zone),
      options: .init(groupedBy: key))
  }

  // Checks Decisions: Small decisions/12
  @Test("an entry that started before the window is listed on the first day, with its day number")
  func beganBefore() throws {
    let zone = try AgendaSample.zone("Europe/Berlin")
    let trip = try AgendaSample.allDay("2026-11-29", days: 4, zone, AgendaSample.event("Trip"))
    let window = try AgendaSample.window("2026-12-01", days: 30, zone)
    let byDay = Agenda([trip], in: window)
    #expect(byDay.sections.map(\.id) == ["2026-12-01", "2026-12-02"])
    #expect(byDay.sections.flatMap { $0.entries.map(\.day) } == [3, 4])
    let byMonth = Agenda([trip], in: window, options: .init(groupedBy: .month))
    #expect(byMonth.sections.map(\.id) == ["2026012"])
    let entry = try #require(byMonth[EntryPath(section: 0, entry: 0)])
    #expect(entry.day == 3)
    #expect(entry.days == 4)
    #expect(entry.date.description == "2026-12-01")
  }

  // Checks Decisions: Small decisions/12
  @Test("an entry with two categories is listed in both, one without in a last section")
  func categories() throws {
    let occurrences = try [("a", ["work", "team"]), ("b", []), ("c", ["team", "team"])].map {
      try AgendaSample.timed(
        "2026-11-21T09:00", seconds: 60, .utc, AgendaSample.event($0.0, categories: $0.1))
    }
    let agenda = Agenda(
      occurrences, in: try AgendaSample.window("2026-11-21", .utc),
      options: .init(groupedBy: .category))
    #expect(agenda.sections.map(\.id) == ["team", "work", ""])
    #expect(
      agenda.sections.map { $0.entries.map(\.occurrence.event.title) } == [
        ["a", "c"], ["a"], ["b"],
      ])
    #expect(agenda.sections.last?.title == "No category")
  }

  @Test("an index path leads to an entry and back, in this agenda and from another one")
  func indexPaths() throws {
    let zone = try AgendaSample.zone("Pacific/Apia")
    let occurrences = try (0..<40).map { number in
      try AgendaSample.timed(
        "2026-11-\(21 + number % 5)T\(8 + number % 9):00", seconds: 3600 * (number % 4) * 10, zone,
        AgendaSample.event("\(number)"))
    }
    let window = try AgendaSample.window("2026-11-21", days: 9, zone)
    let agenda = Agenda(occurrences, in: window)
    let again = Agenda(occurrences.reversed(), in: window)
    let byMonth = Agenda(occurrences, in: window, options: .init(groupedBy: .month))
    for (section, value) in agenda.sections.enumerated() {
      for (place, entry) in value.entries.enumerated() {
        let path = EntryPath(section: section, entry: place)
        #expect(agenda[path]?.id == entry.id)
        #expect(agenda.path(of: entry) == path)
        #expect(again.path(of: entry) == path)
        let other = try #require(byMonth.path(of: entry).flatMap { byMonth[$0] })
        #expect(other.id == entry.id)
        #expect(agenda.paths(of: entry.id).contains(path))
        #expect(EntryPath(path.description) == path)
      }
    }
    #expect(agenda[EntryPath(section: 99, entry: 0)] == nil)
    #expect(agenda[EntryPath(section: 0, entry: -1)] == nil)
  }

  @Test(
    "other texts are not index paths",
    arguments: [
      "", "3", "3.", ".2", "0.1", "1.0", "-1.2", "+1.2", "1.2.3", "a.b", "9999999999999999999.1",
    ])
  func badIndexPaths(text: String) {
    #expect(EntryPath(text) == nil)
  }

  @Test("index titles lead to their section")
  func indexTitles() throws {
    let agenda = try newYear(groupedBy: .day)
    #expect(agenda.sectionIndexTitles == ["30", "31", "1"])
    #expect(agenda.section(forIndexTitle: "31", at: 1) == 1)
    #expect(agenda.section(forIndexTitle: "2", at: 1) == nil)
  }

  @Test("a limit keeps the first entries and the sections that still have one", arguments: 0...8)
  func limit(count: Int) throws {
    let zone = Zone.utc
    let trip = try AgendaSample.allDay("2026-11-21", days: 3, zone, AgendaSample.event("Trip"))
    let talks = try (0..<4).map {
      try AgendaSample.timed("2026-11-22T0\($0):00", seconds: 60, zone, AgendaSample.event("\($0)"))
    }
    let window = try AgendaSample.window("2026-11-21", days: 5, zone)
    let all = Agenda([trip] + talks, in: window)
    let cut = Agenda([trip] + talks, in: window, options: .init(limit: count))
    let titles = { (agenda: Agenda) in
      agenda.sections.flatMap { section in
        section.entries.map { "\(section.id) \($0.occurrence.event.title)" }
      }
    }
    #expect(titles(cut) == Array(titles(all).prefix(count)))
    #expect(cut.entryCount == min(count, 7))
    #expect(cut.sections.allSatisfy { !$0.entries.isEmpty })
  }

  @Test("a window of all years with two entries costs no more work than one of a day")
  func longWindow() throws {
    let window = try #require(DateWindow(firstDay: .first, dayAfterLast: .last, zone: .utc))
    let occurrences = try ["0001-01-01", "9999-12-30"].map {
      try AgendaSample.allDay($0, days: 1, .utc, AgendaSample.event($0))
    }
    #expect(Agenda(occurrences, in: window).sections.map(\.id) == ["0001-01-01", "9999-12-30"])
  }

  @Test(
    "the initial of a title is its first letter",
    arguments: [
      ("études", "E"), ("🎂 Ana", "A"), ("ß", "S"), ("Ørsted", "O"), ("3D", "#"), ("…", "#"),
      ("  zoo", "Z"), ("日本", "日"), ("", ""), (" ", ""), ("élan", "E"), ("жук", "Ж"),
    ])
  func initials(title: String, id: String) throws {
    let agenda = Agenda(
      [try AgendaSample.timed("2026-11-21T09:00", seconds: 0, .utc, AgendaSample.event(title))],
      in: try AgendaSample.window("2026-11-21", .utc), options: .init(groupedBy: .initial))
    #expect(agenda.sections.map(\.id.description) == [id])
  }
}

@Suite("Identifiers of occurrences")
struct AgendaOccurrenceIDTests {
  @Test("they depend on kind, UID and recurrence identifier, and on nothing else")
  func whatCounts() throws {
    let berlin = try AgendaSample.zone("Europe/Berlin")
    let nine = try CivilDateTime(
      AgendaSample.date("2026-11-21"), #require(TimeOfDay(hour: 9, minute: 0)))
    let eight = try CivilDateTime(
      AgendaSample.date("2026-11-21"), #require(TimeOfDay(hour: 8, minute: 0)))
    func id(_ event: Event, _ recurrenceID: EventTime? = nil, at start: String = "2026-11-21T09:00")
      throws -> String
    {
      OccurrenceID(
        of: try AgendaSample.timed(start, seconds: 60, berlin, event, recurrenceID: recurrenceID)
      ).description
    }
    let plain = AgendaSample.event("a", uid: "1@x")
    #expect(try id(plain) == id(AgendaSample.event("b", uid: "1@x", location: "L", calendar: "c")))
    #expect(try id(plain) == id(plain, at: "2027-01-01T10:00"))
    #expect(try id(plain) != id(AgendaSample.event("a", uid: "2@x")))
    #expect(try id(plain) != id(AgendaSample.event("a", uid: "1@x", kind: .task)))
    // 09:00 in Berlin is 08:00 in UTC: one moment.
    #expect(try id(plain, .zoned(nine, berlin)) == id(plain, .utc(eight)))
    #expect(try id(plain, .zoned(nine, berlin)) != id(plain, .floating(nine)))
    #expect(
      try id(plain, .date(nine.date)) != id(plain, .floating(CivilDateTime(nine.date, .midnight))))
    let first = AgendaSample.event("a", uid: "0", sharesUID: true, start: .utc(eight))
    let second = AgendaSample.event("a", uid: "0", sharesUID: true, start: .utc(nine))
    #expect(try id(first) != id(second))
  }

  /// Worked out by a few lines of Python.
  @Test("they are the same in every version of the program")
  func pinned() throws {
    let event = AgendaSample.event("a", uid: "8f3c@example.com")
    let occurrence = try AgendaSample.timed("2026-11-21T09:00", seconds: 60, .utc, event)
    #expect(OccurrenceID(of: occurrence).description == "8b4c310f")
    #expect(OccurrenceID("8b4c310f") == OccurrenceID(of: occurrence))
    #expect(OccurrenceID("") == nil)
    #expect(OccurrenceID("+1234567") == nil)
    #expect(OccurrenceID("xyzxyzxy") == nil)
  }

  @Test("50,000 UIDs give hardly any identifier twice")
  func spread() throws {
    let ids = (0..<50_000).map { number in
      OccurrenceID(
        of: Occurrence(
          event: AgendaSample.event(uid: "event-\(number)@example.com"), start: .date(.first),
          begin: Instant(secondsSinceEpoch: 0), finish: Instant(secondsSinceEpoch: 0), allDay: nil,
          recurrenceID: nil))
    }
    // 0.3 pairs are to be expected of 32 bits.
    #expect(Set(ids).count >= ids.count - 4)
  }
}
