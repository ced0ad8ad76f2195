import AgendaCore
import CivilTime
import Recurrence
import TestSupport
import Testing

/// The agenda against a grouping written from the definition: for each day, all entries that touch it.
@Suite("Sections against their definition")
struct AgendaGroupingTests {
  /// A zone and a date around which it does something odd, or nothing at all.
  static let places: [(zone: String, around: String)] = [
    ("Europe/Berlin", "2026-10-25"), ("Europe/Berlin", "2027-03-28"),
    ("America/St_Johns", "2006-10-29"),  // back at 00:01, to the day before
    ("Pacific/Apia", "2011-12-30"),  // a date left out
    ("Pacific/Kwajalein", "1993-08-21"),  // the same, after clocks 12 hours behind
    ("Africa/Cairo", "2027-04-30"),  // a day that begins at 01:00
    ("America/Havana", "2026-11-01"), ("Asia/Kolkata", "2026-11-21"), ("UTC", "2028-02-29"),
    ("America/Sao_Paulo", "2018-02-18"),  // 24:00 twice
  ]

  @Test("every day has the entries that touch it, in order", arguments: places)
  func days(place: (zone: String, around: String)) throws {
    let zone = try AgendaSample.zone(place.zone)
    var generator = SeededGenerator(seed: 0x5eed)
    for _ in 0..<25 {
      let around = try AgendaSample.date(place.around)
      let first = try #require(around.adding(days: Int.random(in: -9...2, using: &generator)))
      let length = Int.random(in: 1...14, using: &generator)
      let window = try #require(DateWindow(firstDay: first, length: .days(length), zone: zone))
      let occurrences = try random(30, around: around, zone: zone, using: &generator)
      let agenda = Agenda(occurrences, in: window)
      let once = Agenda(occurrences, in: window, options: .init(once: true))
      var expected: [Expected] = []
      var day = first
      while day < window.dayAfterLast {
        let touching = occurrences.filter { NaiveAgenda.touches(day, $0, zone: zone) }
          .sorted(by: NaiveAgenda.precedes)
        expected += touching.map { occurrence in
          let days = NaiveAgenda.days(of: occurrence, zone: zone)
          return Expected(
            section: day.description, title: occurrence.event.title,
            day: (days.firstIndex(of: day) ?? -1) + 1, days: days.count)
        }
        day = try #require(day.adding(days: 1))
      }
      #expect(listed(agenda) == expected)
      var seen: Set<String> = []
      #expect(listed(once) == expected.filter { seen.insert($0.title).inserted })
    }
  }

  @Test("thousands of entries are in order too, with tasks without a date at the end")
  func thousands() throws {
    let zone = try AgendaSample.zone("Europe/Berlin")
    var generator = SeededGenerator(seed: 0x71e)
    let around = try AgendaSample.date("2026-10-25")
    let first = try #require(around.adding(days: -5))
    let window = try #require(DateWindow(firstDay: first, length: .days(9), zone: zone))
    let dated = try random(5000, around: around, zone: zone, using: &generator)
    let undated = ["A", "B"].map { Occurrence(undated: AgendaSample.event($0, kind: .task)) }
    let expected = dated.filter { occurrence in
      (0..<9).contains { day in
        first.adding(days: day).map { NaiveAgenda.touches($0, occurrence, zone: zone) } ?? false
      }
    }.map { occurrence in
      let days = NaiveAgenda.days(of: occurrence, zone: zone)
      return (day: days.first { $0 >= first } ?? first, occurrence: occurrence)
    }.sorted { left, right in
      left.day == right.day
        ? NaiveAgenda.precedes(left.occurrence, right.occurrence) : left.day < right.day
    }.map(\.occurrence)
    let agenda = Agenda(undated + dated, in: window, options: .init(groupedBy: .none))
    let listed = agenda.sections.flatMap(\.entries).map(\.occurrence.event.title)
    #expect(expected.count > 2500)
    #expect(listed == expected.map(\.event.title) + ["A", "B"])
  }

  @Test("entries of the same time are in the order of their titles, whatever the titles")
  func titles() throws {
    let zone = try AgendaSample.zone("Europe/Berlin")
    var generator = SeededGenerator(seed: 0x717)
    let day = try AgendaSample.date("2026-11-24")
    let window = try #require(DateWindow(firstDay: day, length: .days(1), zone: zone))
    // An accent after a letter makes another letter of it, which comes after all of ASCII.
    let letters = ["a", "b", "e", "z", "E", " ", "\u{301}", "é", "ß", "語", "\0", "~"]
    for _ in 0..<50 {
      let titles = (0..<40).map { _ in
        let start = ["", "mee", "meeting", "meetings"].randomElement(using: &generator) ?? ""
        return start
          + (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            letters.randomElement(using: &generator) ?? ""
          }.joined()
      }
      let begin = zone.startOfDay(day)
      let occurrences = titles.enumerated().map { number, title in
        Occurrence(
          event: Event(
            uid: "\(1000 + number)", title: title, start: .utc(begin.utc), calendar: "work"),
          start: .utc(begin.utc), begin: begin, finish: begin.adding(seconds: 60), allDay: nil,
          recurrenceID: nil)
      }
      let expected = occurrences.sorted(by: NaiveAgenda.precedes).map(\.event.identity.uid)
      let listed = Agenda(occurrences, in: window).sections.flatMap(\.entries)
      #expect(listed.map(\.event.identity.uid) == expected, "\(titles)")
    }
  }

  @Test("long titles with accents take hardly longer to sort than others")
  func longTitles() throws {
    let zone = try AgendaSample.zone("Europe/Berlin")
    let day = try AgendaSample.date("2026-11-24")
    let window = try #require(DateWindow(firstDay: day, length: .days(1), zone: zone))
    let begin = zone.startOfDay(day)
    /// Titles that are the same text, or nearly, and differ in their first bytes.
    func time(_ letter: String, _ other: String) -> (sorting: Double, normalizing: Double) {
      let rest = String(repeating: letter, count: 10_000)
      let occurrences = (0..<200).map { number in
        let start = (0..<8).map { number >> $0 & 1 == 0 ? letter : other }.joined()
        return Occurrence(
          event: Event(
            uid: "\(1000 + number)", title: start + rest, start: .utc(begin.utc),
            calendar: "work"),
          start: .utc(begin.utc), begin: begin, finish: begin.adding(seconds: 60), allDay: nil,
          recurrenceID: nil)
      }
      let sorting = ProcessorTime.of { _ = Agenda(occurrences, in: window) }
      // A hash brings each title once into the form that makes equal texts equal. A sort that did so for
      // each comparison would take many times as long.
      let normalizing = ProcessorTime.of {
        var hasher = Hasher()
        for occurrence in occurrences { hasher.combine(occurrence.event.title) }
        _ = hasher.finalize()
      }
      return (sorting, normalizing)
    }
    let plain = time("éé", "éa")
    let accented = time("éé", "e\u{301}é")
    #expect(accented.sorting < 10 * plain.sorting + accented.normalizing)
  }

  @Test("long names with accents take hardly longer to group by than others")
  func longNames() throws {
    let zone = try AgendaSample.zone("Europe/Berlin")
    let day = try AgendaSample.date("2026-11-24")
    let window = try #require(DateWindow(firstDay: day, length: .days(1), zone: zone))
    let begin = zone.startOfDay(day)
    func time(_ letters: String) -> Double {
      let name = String(repeating: letters, count: 10_000)
      let occurrences = (0..<200).map { number in
        Occurrence(
          event: Event(
            uid: "\(1000 + number)", title: "", start: .utc(begin.utc),
            location: name + "\(number)",
            calendar: "work"),
          start: .utc(begin.utc), begin: begin, finish: begin.adding(seconds: 60), allDay: nil,
          recurrenceID: nil)
      }
      return ProcessorTime.of {
        let agenda = Agenda(occurrences, in: window, options: .init(groupedBy: .location))
        #expect(agenda.sections.count == 200)
      }
    }
    #expect(time("e\u{301}") < 5 * time("abc"))
  }

  @Test(
    "every other key puts each entry under its value, once",
    arguments: SectionKey.allCases.filter { $0 != .day })
  func otherKeys(key: SectionKey) throws {
    let zone = try AgendaSample.zone("Europe/Berlin")
    var generator = SeededGenerator(seed: 0xabc)
    for _ in 0..<40 {
      let around = try AgendaSample.date("2026-12-28")
      let window = try #require(
        DateWindow(
          firstDay: around.adding(days: Int.random(in: -40...2, using: &generator)) ?? around,
          length: .days(Int.random(in: 1...60, using: &generator)), zone: zone))
      let occurrences = try random(40, around: around, zone: zone, using: &generator)
      let agenda = Agenda(occurrences, in: window, options: .init(groupedBy: key))
      var groups: [String: [(day: CivilDate, occurrence: Occurrence)]] = [:]
      for occurrence in occurrences {
        let shown = NaiveAgenda.days(of: occurrence, zone: zone).filter {
          $0 >= window.firstDay && $0 < window.dayAfterLast
        }
        guard let first = shown.first else { continue }
        for id in Set(NaiveAgenda.sectionIDs(of: occurrence, on: first, key: key)) {
          groups[id, default: []].append((first, occurrence))
        }
      }
      // Time keys sort by their identifiers, the others by name; what has none comes last.
      let ids = groups.keys.sorted { left, right in
        if left.isEmpty != right.isEmpty { return right.isEmpty }
        let folded = (left.lowercased(), right.lowercased())
        return folded.0 == folded.1 ? left < right : folded.0 < folded.1
      }
      #expect(agenda.sections.map(\.id.description) == ids)
      for section in agenda.sections {
        let titles = (groups[section.id.description] ?? []).sorted { left, right in
          left.day == right.day
            ? NaiveAgenda.precedes(left.occurrence, right.occurrence) : left.day < right.day
        }.map(\.occurrence.event.title)
        #expect(section.entries.map(\.occurrence.event.title) == titles)
      }
    }
  }

  @Test("in a week, the all-day entries of a day come after the entries of the day before")
  func orderOfWeek() throws {
    let zone = try AgendaSample.zone("Europe/Berlin")
    let occurrences = [
      try AgendaSample.allDay("2026-11-27", days: 1, zone, AgendaSample.event("Friday")),
      try AgendaSample.timed("2026-11-24T10:00", seconds: 60, zone, AgendaSample.event("Ten")),
      try AgendaSample.timed(
        "2026-11-22T10:00", seconds: 259_200, zone, AgendaSample.event("Long")),
      try AgendaSample.allDay("2026-11-24", days: 2, zone, AgendaSample.event("Tuesday")),
    ]
    let window = try AgendaSample.window("2026-11-23", days: 7, zone)
    func titles(_ key: SectionKey, timedFirst: Bool = false) -> [[String]] {
      var options = Agenda.Options(groupedBy: key)
      options.listsTimedFirst = timedFirst
      return Agenda(occurrences, in: window, options: options).sections
        .map { $0.entries.map(\.title) }
    }
    for key in [SectionKey.week, .month, .year, .calendar, .none] {
      #expect(titles(key) == [["Long", "Tuesday", "Ten", "Friday"]])
    }
    #expect(
      titles(.day) == [["Long"], ["Tuesday", "Long", "Ten"], ["Tuesday", "Long"], ["Friday"]])
    #expect(titles(.day, timedFirst: true)[1] == ["Long", "Ten", "Tuesday"])
    #expect(titles(.week, timedFirst: true) == [["Long", "Ten", "Tuesday", "Friday"]])
  }

  @Test("the occurrences that overlap are those of all pairs")
  func overlapping() throws {
    let zone = try AgendaSample.zone("Europe/Berlin")
    var generator = SeededGenerator(seed: 0xdef)
    for _ in 0..<40 {
      let occurrences = try random(
        Int.random(in: 0...20, using: &generator), around: AgendaSample.date("2026-11-21"),
        zone: zone, using: &generator)
      let pairs = Conflict.all(among: occurrences).pairs
      let titles = Set(pairs.flatMap { [$0.first.event.title, $0.second.event.title] })
      let found = Conflict.overlapping(among: occurrences).map { occurrences[$0].event.title }
      #expect(Set(found) == titles)
    }
  }

  private struct Expected: Equatable {
    let section: String
    let title: String
    let day: Int
    let days: Int
  }

  private func listed(_ agenda: Agenda) -> [Expected] {
    agenda.sections.flatMap { section in
      section.entries.map { entry in
        Expected(
          section: section.id.description, title: entry.occurrence.event.title, day: entry.day,
          days: entry.days)
      }
    }
  }

  private func random(
    _ count: Int, around: CivilDate, zone: Zone, using generator: inout SeededGenerator
  ) throws -> [Occurrence] {
    let middle = zone.startOfDay(around)
    let hour = 3600
    return try (0..<count).map { number in
      let event = AgendaSample.event(
        "\(["A", "b", "Ä", "", "9"].randomElement(using: &generator) ?? "")\(number)",
        location: ["Rome", "bern", " ", nil, "Zürich"].randomElement(using: &generator) ?? nil,
        status: [.confirmed, .cancelled, .tentative, nil].randomElement(using: &generator) ?? nil,
        categories: Array(
          ["x", "y", "X", ""].shuffled(using: &generator).prefix(
            Int.random(in: 0...3, using: &generator))),
        calendar: ["home", "Work"].randomElement(using: &generator) ?? "home")
      if Int.random(in: 0..<4, using: &generator) == 0 {
        let first = try #require(around.adding(days: Int.random(in: -8...8, using: &generator)))
        return try AgendaSample.allDay(
          first.description, days: Int.random(in: 1...4, using: &generator), zone, event)
      }
      // Around midnight as often as anywhere, and of no length, short, or of days.
      let day = try #require(around.adding(days: Int.random(in: -8...8, using: &generator)))
      let begin =
        Bool.random(using: &generator)
        ? middle.adding(seconds: Int.random(in: -200 * hour...200 * hour, using: &generator))
        : zone.startOfDay(day).adding(
          seconds: [-hour, -1, 0, 1, 30 * 60].randomElement(using: &generator) ?? 0)
      let length: Int =
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: 0
        case 1: Int.random(in: 1...4 * hour, using: &generator)
        case 2: Int.random(in: 1...90 * hour, using: &generator)
        default: max(0, zone.startOfDay(day).secondsSinceEpoch - begin.secondsSinceEpoch)
        }
      return Occurrence(
        event: event, start: .utc(begin.utc), begin: begin, finish: begin.adding(seconds: length),
        allDay: nil, recurrenceID: nil)
    }
  }
}

/// The definitions, with no thought for time.
enum NaiveAgenda {
  static func touches(_ day: CivilDate, _ occurrence: Occurrence, zone: Zone) -> Bool {
    if let days = occurrence.allDay { return days.contains(day) || days.lowerBound == day }
    guard let next = day.adding(days: 1) else { return false }
    let start = zone.startOfDay(day)
    let end = zone.startOfDay(next)
    if occurrence.begin == occurrence.finish {
      return occurrence.begin >= start && occurrence.begin < end
    }
    return occurrence.begin < end && occurrence.finish > start && start < end
  }

  /// Every day that it touches, in the window or not.
  static func days(of occurrence: Occurrence, zone: Zone) -> [CivilDate] {
    let from = Int(occurrence.begin.utc.date.dayNumber) - 3
    let to = Int(occurrence.finish.utc.date.dayNumber) + 3
    return (from...to).compactMap(CivilDate.init(dayNumber:))
      .filter { touches($0, occurrence, zone: zone) }
  }

  /// All-day first, start, end, title, UID.
  static func precedes(_ left: Occurrence, _ right: Occurrence) -> Bool {
    if (left.allDay != nil) != (right.allDay != nil) { return left.allDay != nil }
    if let first = left.allDay, let second = right.allDay, first != second {
      return (first.lowerBound, first.upperBound) < (second.lowerBound, second.upperBound)
    }
    if left.begin != right.begin { return left.begin < right.begin }
    if left.finish != right.finish { return left.finish < right.finish }
    if left.event.title != right.event.title { return left.event.title < right.event.title }
    return left.event.identity.uid < right.event.identity.uid
  }

  static func sectionIDs(of occurrence: Occurrence, on day: CivilDate, key: SectionKey) -> [String]
  {
    switch key {
    case .day: return [day.description]
    case .week: return [ISOWeek(containing: day).description]
    case .month: return [String(day.year * 1000 + day.month)]
    case .year: return [String(day.year)]
    case .calendar: return [occurrence.event.calendar]
    case .category:
      let named = occurrence.event.categories.filter { !$0.isEmpty }
      return named.isEmpty ? [""] : named
    case .location:
      let location = occurrence.event.location ?? ""
      return [location == " " ? "" : location]
    case .status: return [occurrence.event.status?.rawValue ?? ""]
    case .initial:
      switch occurrence.event.title.first {
      case "A", "Ä": return ["A"]
      case "b": return ["B"]
      case nil: return [""]
      default: return ["#"]
      }
    case .none, .custom: return [""]
    }
  }
}
