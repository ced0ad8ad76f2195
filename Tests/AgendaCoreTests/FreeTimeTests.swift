import CivilTime
import Recurrence
import Testing

@testable import AgendaCore

@Suite("free time")
struct FreeTimeTests {
  private static let monday = CivilDate(year: 2026, month: 11, day: 23) ?? .first

  private static func entry(
    _ begin: Int, _ finish: Int, title: String = "x", isTransparent: Bool = false,
    status: Event.Status? = nil, allDay: Range<CivilDate>? = nil
  ) -> Occurrence {
    let start = Instant(secondsSinceEpoch: begin)
    return Occurrence(
      event: Event(
        identity: EventIdentity(uid: title), kind: .event, start: .utc(start.utc),
        extent: .unstated, title: title, status: status, isTransparent: isTransparent,
        calendar: "c", reference: EventReference(source: 0, component: 0)),
      start: .utc(start.utc), begin: start, finish: Instant(secondsSinceEpoch: finish),
      allDay: allDay, recurrenceID: nil)
  }

  private static func window(days: Int) -> DateWindow? {
    DateWindow(firstDay: monday, length: .days(days), zone: .utc)
  }

  private static let nineToFive = FreeTime(
    begin: TimeOfDay(hour: 9, minute: 0) ?? .midnight, finish: TimeOfDay(hour: 17, minute: 0))

  @Test("an empty calendar is free all working hours, on weekdays if asked")
  func empty() throws {
    let window = try #require(Self.window(days: 7))
    #expect(
      Self.nineToFive.slots(in: window, around: []).map(\.seconds)
        == Array(repeating: 8 * 3600, count: 7))
    var weekdays = Self.nineToFive
    weekdays.isOnWeekdaysOnly = true
    #expect(weekdays.slots(in: window, around: []).count == 5)
  }

  /// Busy seconds after nine, and the lengths of the free times around them.
  private static let seconds: [(Range<Int>, [Int])] = [
    (3600..<3660, [3600, 25_140]), (3600..<3633, [3600, 25_140]), (3601..<3662, [3600, 25_080]),
    (0..<33, [28_740]), (30..<45, [28_740]), (28_790..<28_800, [28_740]),
  ]

  @Test(
    "free time is in whole minutes: it ends before and begins after what has seconds",
    arguments: seconds, [1960, 2026])
  func minutes(_ row: (busy: Range<Int>, free: [Int]), year: Int) throws {
    let day = try #require(CivilDate(year: year, month: 5, day: 2))
    let window = try #require(DateWindow(firstDay: day, length: .days(1), zone: .utc))
    let nine = window.start.secondsSinceEpoch + 9 * 3600
    let busy = Self.entry(nine + row.busy.lowerBound, nine + row.busy.upperBound)
    #expect(Self.nineToFive.slots(in: window, around: [busy]).map(\.seconds) == row.free)
    var later = Self.nineToFive
    later.earliest = Instant(secondsSinceEpoch: nine + 33)
    let begin = later.slots(in: window, around: []).first?.begin
    #expect(begin?.secondsSinceEpoch == nine + 60)
  }

  @Test("the last day of the calendar has its free time too")
  func lastDay() {
    let window = DateWindow(from: .last, zone: .utc)
    #expect(Self.nineToFive.slots(in: window, around: []).map(\.seconds) == [8 * 3600])
  }

  // Checks RFC 5545: 3.8.2.7/1, 3.8.2.7/2
  @Test("transparent, cancelled and all-day entries leave time free")
  func admitted() throws {
    let window = try #require(Self.window(days: 1))
    let base = window.start.secondsSinceEpoch
    let nextDay = try #require(Self.monday.adding(days: 1))
    let harmless = [
      Self.entry(base + 36_000, base + 39_600, isTransparent: true),
      Self.entry(base + 36_000, base + 39_600, status: .cancelled),
      Self.entry(base, base + 86_400, allDay: Self.monday..<nextDay),
      Self.entry(base + 36_000, base + 36_000),
    ]
    #expect(Self.nineToFive.slots(in: window, around: harmless).map(\.seconds) == [8 * 3600])
    var strict = Self.nineToFive
    strict.countsWholeDays = true
    #expect(strict.slots(in: window, around: harmless).isEmpty)
  }

  // Checks RFC 5545: 3.8.2.7/1
  @Test("random calendars agree with a look at each minute")
  func bruteForce() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let window = try #require(Self.window(days: Int.random(in: 1...4, using: &random)))
      let base = window.start.secondsSinceEpoch
      let minutes = (window.end.secondsSinceEpoch - base) / 60
      let entries = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        let begin = Int.random(in: -600...minutes, using: &random)
        return (begin, begin + Int.random(in: 1...600, using: &random))
      }
      var isFree = (0..<minutes).map { (9 * 60..<17 * 60).contains($0 % 1440) }
      for (begin, finish) in entries {
        for minute in max(0, begin)..<max(0, max(begin, min(finish, minutes))) {
          if minute < minutes { isFree[minute] = false }
        }
      }
      let shortest = Int.random(in: 1...90, using: &random)
      var expected: [Range<Int>] = []
      var begin: Int?
      for minute in 0...minutes {
        let free = minute < minutes && isFree[minute]
        if free, begin == nil { begin = minute }
        if !free, let first = begin {
          if minute - first >= shortest { expected.append(first..<minute) }
          begin = nil
        }
      }
      var free = Self.nineToFive
      free.shortest = shortest * 60
      let slots = free.slots(
        in: window,
        around: entries.shuffled(using: &random).map {
          Self.entry(base + $0.0 * 60, base + $0.1 * 60)
        })
      let found = slots.map {
        ($0.begin.secondsSinceEpoch - base) / 60..<($0.finish.secondsSinceEpoch - base) / 60
      }
      #expect(found == expected)
    }
  }

  @Test("conflicts are all pairs that overlap, and no others")
  func conflicts() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let entries = (0..<Int.random(in: 0...10, using: &random)).map { number in
        let begin = Int.random(in: 0...50, using: &random)
        return Self.entry(
          begin, begin + Int.random(in: 0...20, using: &random), title: "\(number)",
          isTransparent: Int.random(in: 0...5, using: &random) == 0)
      }
      var expected: Set<Set<String>> = []
      for (index, left) in entries.enumerated() {
        for right in entries[(index + 1)...]
        where left.begin < right.finish && right.begin < left.finish
          && left.begin < left.finish && right.begin < right.finish
          && !left.event.isTransparent && !right.event.isTransparent
        {
          expected.insert([left.event.title, right.event.title])
        }
      }
      let (pairs, wasCut) = Conflict.all(among: entries)
      #expect(Set(pairs.map { [$0.first.event.title, $0.second.event.title] }) == expected)
      #expect(pairs.count == expected.count)
      #expect(pairs.map(\.begin) == pairs.map(\.begin).sorted())
      #expect(!wasCut)
    }
  }

  @Test("entries that all overlap are not listed without end")
  func manyConflicts() {
    let (pairs, wasCut) = Conflict.all(
      among: (0..<1_000).map { Self.entry($0, 10_000, title: "\($0)") })
    #expect(pairs.count == Conflict.ceiling)
    #expect(wasCut)
  }

  // Checks limit: Conflict.mostBytes
  @Test("pairs with long titles are fewer", arguments: [(6_464, false), (6_465, true)])
  func longTitles(length: Int, isCut: Bool) {
    // 100 × 99 / 2 pairs with two titles each.
    let title = String(repeating: "x", count: length)
    let (pairs, wasCut) = Conflict.all(
      among: (0..<100).map { Self.entry($0, 10_000, title: title) })
    #expect(wasCut == isCut)
    #expect((pairs.count < 4_950) == isCut)
  }
}
