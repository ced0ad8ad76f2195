import AgendaKit
import Synchronization
import TestSupport
import Testing

@Suite("results")
struct ResultsTests {
  /// What a section can be made of, as the library and as the naive controller ask for it.
  private static let sectionKeys: [(@Sendable (Entry) -> String, NaiveRow.Key)] = [
    ({ $0.calendar }, { $0.event.calendar }),
    ({ $0.title }, { $0.event.title }),
    ({ $0.date.description }, { $0.day.description }),
    ({ $0.duration > 3600 ? "long" : "short" }, { $0.finish - $0.begin > 3600 ? "long" : "short" }),
  ]

  private static let orders: [(EntryOrder, NaiveRow.Order)] = [
    (.ascending(\.calendar), { $0.event.calendar < $1.event.calendar }),
    (.descending(\.title), { $0.event.title > $1.event.title }),
    (.descending(\.begin), { $0.begin > $1.begin }),
    (.ascending { $0.duration }, { $0.finish - $0.begin < $1.finish - $1.begin }),
  ]

  private func layout(_ random: inout SeededGenerator) -> (
    SectionLayout, NaiveController
  ) {
    let key = Self.sectionKeys.randomElement(using: &random) ?? Self.sectionKeys[0]
    var layout = SectionLayout(sectionedBy: key.0)
    var naive = NaiveController(key: key.1)
    for _ in 0..<Int.random(in: 0..<3, using: &random) {
      let order = Self.orders.randomElement(using: &random) ?? Self.orders[0]
      layout.order.append(order.0)
      naive.orders.append(order.1)
    }
    if Bool.random(using: &random) {
      layout.predicate = { $0.title != "Trip" }
      naive.predicate = { $0.event.title != "Trip" }
    }
    return (layout, naive)
  }

  @Test("a naive controller makes the same sections of random events, keys and orders")
  func naiveController() throws {
    let window = try #require(RandomEvents.window())
    var source = RandomEvents(seed: 16)
    for round in 0..<200 * TestSettings.rounds {
      let events = source.events(Int.random(in: 0..<25, using: &source.random))
      let (layout, naive) = layout(&source.random)
      let results = try Calendars(events: events).agenda(in: window, options: .init(layout))
      let expected = naive.sections(of: events, in: window)
      #expect(results.sections.map(\.id.description) == expected.map(\.id), "round \(round)")
      #expect(
        results.sections.map { $0.entries.map { "\($0.event.identity.uid) \($0.date)" } }
          == expected.map { $0.rows.map { "\($0.event.identity.uid) \($0.day)" } },
        "round \(round)")
      for (number, section) in results.sections.enumerated() {
        for (place, entry) in section.entries.enumerated() {
          let path = EntryPath(section: number, entry: place)
          #expect(results.path(of: entry) == path)
          #expect(results[path] == entry)
        }
      }
    }
  }

  @Test("a snapshot and its changes make the next snapshot, for 10,000 random pairs")
  func changesLeadToTheNext() throws {
    let window = try #require(RandomEvents.window())
    var source = RandomEvents(seed: 17)
    var kinds = Set<String>()
    var events: [Event] = []
    var (layout, _) = layout(&source.random)
    var new = try Calendars(events: []).agenda(in: window)
    for round in 0..<10_000 * TestSettings.rounds {
      if round % 10 == 0 {
        (layout, _) = self.layout(&source.random)
        events = source.events(Int.random(in: 0..<9, using: &source.random))
      } else {
        events = source.changed(events)
      }
      let old = new
      new = try Calendars(events: events).agenda(in: window, options: .init(layout))
      let changes = new.changes(from: old)
      var list = NaiveList(old)
      list.apply(changes, &kinds)
      #expect(list == NaiveList(new), "round \(round)")
      var rows = old.sections.map { $0.entries.map(NaiveList.row) }
      changes.apply(to: &rows, row: NaiveList.row)
      #expect(rows == NaiveList(new).rows, "round \(round)")
      #expect(new.changes(from: new).isEmpty)
      if list != NaiveList(new) { return }
    }
    #expect(kinds.count == 7, "all kinds of changes came up: \(kinds)")
  }

  @Test("an index title that several sections have leads to each of them")
  func indexTitles() throws {
    let events = try (0..<24).map { month in
      let date = try #require(CivilDate(year: 2026, month: 1, day: 21)?.adding(months: month))
      return Event(uid: "\(month)", title: "Pay day", start: .date(date), calendar: "work")
    }
    let first = try #require(CivilDate(year: 2026, month: 1, day: 1))
    let window = try #require(DateWindow(firstDay: first, length: .years(2), zone: .utc))
    let calendars = Calendars(events: events)
    func agenda(_ indexTitle: @escaping @Sendable (CivilDate) -> String) throws -> Agenda {
      let layout = SectionLayout(sectionedBy: \.date, indexTitle: indexTitle)
      return try calendars.agenda(in: window, options: .init(layout))
    }
    let results = try agenda { $0.month % 2 == 0 ? "even" : "\($0.day)" }
    #expect(results.sectionIndexTitles == (0..<24).map { $0 % 2 == 0 ? "21" : "even" })
    for index in 0..<24 {
      let title = index % 2 == 0 ? "21" : "even"
      #expect(results.section(forIndexTitle: title, at: index) == index)
      #expect(results.section(forIndexTitle: "22", at: index) == nil)
    }
    let years = try agenda { "\($0.year)" }
    #expect(years.sectionIndexTitles == ["2026", "2027"])
    #expect(years.section(forIndexTitle: "2027", at: 1) == 12)
    #expect(years.section(forIndexTitle: "2027", at: 24) == nil)
  }

  @Test("an optional key names its section by its value, and nil has an empty name")
  func optionalKeys() throws {
    let date = try #require(CivilDate(year: 2026, month: 1, day: 21))
    let events = ["Town hall", nil, "Canteen"].enumerated().map { number, location in
      var event = Event(
        uid: "\(number)", title: "\(number)", start: .date(date), calendar: "work")
      event.location = location
      return event
    }
    let window = try #require(DateWindow(firstDay: date, length: .days(1), zone: .utc))
    let calendars = Calendars(events: events)
    let results = try calendars.agenda(
      in: window, options: .init(SectionLayout(sectionedBy: \.location)))
    #expect(
      results.sections.map(\.id) == ["Town hall", nil, "Canteen"].map { SectionID($0 as String?) })
    #expect(results.sections.map(\.title) == ["Town hall", "", "Canteen"])
    #expect(results.sectionIndexTitles == ["T", "", "C"])
    let numbers = try calendars.agenda(
      in: window,
      options: .init(
        SectionLayout(sectionedBy: {
          $0.title == "1" ? Int??.some(nil) : Int(String($0.title) + "7")
        })))
    #expect(numbers.sections.map(\.title) == ["7", "", "27"])
  }

  @Test("the key of a section is computed once, and again only for an entry that changed")
  func sectionKeysAreKept() async throws {
    let window = try #require(RandomEvents.window())
    let calls = CallCount()
    let layout = SectionLayout(sectionedBy: { entry in
      calls.add()
      return entry.date.year * 1000 + entry.date.month
    })
    var source = RandomEvents(seed: 18)
    var events = source.events(20)
    let results = try await AgendaResults(
      ResultsRequest(
        .events(events), .fixed(window), layout, zone: { .utc }, clock: { window.start }))
    let first = results.agenda.entryCount
    #expect(calls.number == first)
    try await results.update(events: events)
    #expect(calls.number == first)
    #expect(results.agenda.sections.map(\.id) == [SectionID(2_026_011)])
    events[3].start = .utc(
      CivilDateTime(try #require(CivilDate(year: 2026, month: 11, day: 6)), .midnight))
    events[3].extent = .duration(EventDuration(days: 0, seconds: 60))
    let changes = try await results.update(events: events)
    #expect(calls.number == first + 1)
    #expect(changes.entries.count >= 1)
  }
}

private final class CallCount: Sendable {
  private let count = Mutex(0)
  var number: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
}

/// An event on one of its days.
struct NaiveRow {
  typealias Key = @Sendable (NaiveRow) -> String
  typealias Order = @Sendable (NaiveRow, NaiveRow) -> Bool

  let event: Event
  let day: CivilDate
  let begin: Int
  let finish: Int
  let isAllDay: Bool
}

/// Works out sections in the plainest way: no zones, no recurrence, insertion sort.
struct NaiveController {
  let key: NaiveRow.Key
  var orders: [NaiveRow.Order] = []
  var predicate: (NaiveRow) -> Bool = { _ in true }

  init(key: @escaping NaiveRow.Key) { self.key = key }

  func sections(
    of events: [Event], in window: DateWindow
  ) -> [(id: String, rows: [NaiveRow])] {
    var sorted: [NaiveRow] = []
    for row in events.flatMap({ rows(of: $0, in: window) }).filter(predicate) {
      let place = sorted.firstIndex { precedes(row, $0) } ?? sorted.endIndex
      sorted.insert(row, at: place)
    }
    var sections: [(id: String, rows: [NaiveRow])] = []
    for row in sorted {
      let id = key(row)
      if let index = sections.firstIndex(where: { $0.id == id }) {
        sections[index].rows.append(row)
      } else {
        sections.append((id, [row]))
      }
    }
    return sections
  }

  private func precedes(_ left: NaiveRow, _ right: NaiveRow) -> Bool {
    for order in orders {
      if order(left, right) { return true }
      if order(right, left) { return false }
    }
    let (one, other) = (order(of: left), order(of: right))
    if one != other { return one.lexicographicallyPrecedes(other) }
    if left.event.title != right.event.title { return left.event.title < right.event.title }
    return left.event.identity.uid < right.event.identity.uid
  }

  private func order(of row: NaiveRow) -> [Int] {
    [
      Int(row.day.dayNumber), row.isAllDay ? 0 : 1, row.begin, row.finish,
    ]
  }

  private func rows(of event: Event, in window: DateWindow) -> [NaiveRow] {
    guard let start = event.start, case .duration(let length) = event.extent else { return [] }
    let secondsOfDay = 24 * 60 * 60
    let begin = start.instant(for: .utc).secondsSinceEpoch
    let finish = begin + length.days * secondsOfDay + length.seconds
    var rows: [NaiveRow] = []
    var day = window.firstDay
    while day < window.dayAfterLast {
      let midnight = Int(day.dayNumber) * secondsOfDay
      let touches =
        begin == finish
        ? midnight <= begin && begin < midnight + secondsOfDay
        : begin < midnight + secondsOfDay && midnight < finish
      if touches {
        rows.append(
          NaiveRow(
            event: event, day: day, begin: begin, finish: finish, isAllDay: start.isDate))
      }
      day = day.adding(days: 1) ?? .afterLast
    }
    return rows
  }
}

/// The rows of a list view with their headings.
private struct NaiveList: Equatable {
  var ids: [String]
  var rows: [[String]]

  init(_ results: Agenda) {
    ids = results.sections.map(\.id.description)
    rows = results.sections.map { $0.entries.map(Self.row) }
  }

  static func row(_ entry: Entry) -> String {
    "\(entry.event.identity.uid) \(entry.date) \(entry.title) \(entry.location ?? "–") \(entry.begin)"
  }

  mutating func apply(_ changes: AgendaChanges, _ kinds: inout Set<String>) {
    var moving: [EntryPath: String] = [:]
    var leaving: [EntryPath] = []
    for case .deleted(_, let before) in changes.entries { leaving.append(before) }
    #expect(leaving == leaving.sorted(by: >))
    for case .moved(_, let before, let after) in changes.entries {
      leaving.append(before)
      moving[after] = rows[before.section][before.entry]
    }
    for path in leaving.sorted(by: >) { rows[path.section].remove(at: path.entry) }
    var movingSections: [Int: (String, [String])] = [:]
    var leavingSections: [Int] = []
    for change in changes.sections {
      switch change {
      case .deleted(_, let before): leavingSections.append(before)
      case .moved(_, let before, let after):
        leavingSections.append(before)
        movingSections[after] = (ids[before], rows[before])
      case .inserted, .updated: break
      }
    }
    for section in leavingSections.sorted(by: >) {
      ids.remove(at: section)
      rows.remove(at: section)
    }
    for change in changes.sections {
      switch change {
      case .inserted(let section, let after):
        kinds.insert("inserted section")
        ids.insert(section.id.description, at: after)
        rows.insert([], at: after)
      case .moved(_, _, let after):
        kinds.insert("moved section")
        let (id, content) = movingSections[after] ?? ("", [])
        ids.insert(id, at: after)
        rows.insert(content, at: after)
      case .deleted: kinds.insert("deleted section")
      case .updated: break
      }
    }
    for change in changes.entries {
      switch change {
      case .inserted(let entry, let after):
        kinds.insert("inserted")
        rows[after.section].insert(Self.row(entry), at: after.entry)
      case .moved(_, _, let after):
        kinds.insert("moved")
        rows[after.section].insert(moving[after] ?? "", at: after.entry)
      case .updated(let entry, _, let after):
        kinds.insert("updated")
        rows[after.section][after.entry] = Self.row(entry)
      case .deleted: kinds.insert("deleted")
      }
    }
  }
}
