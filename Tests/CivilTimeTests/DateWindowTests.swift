import CivilTime
import Testing

@Suite struct DateWindowTests {
  private static let database = ZoneDatabase(folder: ZoneDatabase.systemFolder)

  private static func date(_ text: String) throws -> CivilDate {
    try CivilDate.parsed(text)
  }

  // Checks Decisions: Windows and days/1
  @Test(
    "a window is as long as the calendar says",
    arguments: [
      ("2026-11-21", DateWindow.Length.years(1), "2027-11-21"),
      ("2028-02-29", .years(1), "2029-02-28"), ("2026-01-31", .months(1), "2026-02-28"),
      ("2026-11-21", .weeks(2), "2026-12-05"), ("2026-11-21", .days(1), "2026-11-22"),
      ("9998-12-31", .years(1), "9999-12-31"),
    ])
  func lengths(first: String, length: DateWindow.Length, after: String) throws {
    let window = try #require(
      DateWindow(firstDay: try Self.date(first), length: length, zone: .utc))
    #expect(window.dayAfterLast.description == after)
    #expect(window.start == Zone.utc.startOfDay(window.firstDay))
    #expect(window.end == Zone.utc.startOfDay(window.dayAfterLast))
  }

  @Test(
    "a window can end with the calendar, 9999-12-31 included",
    arguments: [
      ("9999-12-31", DateWindow.Length.days(1)), ("9999-12-18", .weeks(2)),
      ("9999-12-01", .months(1)), ("9999-10-01", .months(3)), ("9999-01-01", .years(1)),
      ("0001-01-01", .days(3_652_059)), ("0001-01-01", .years(9999)),
    ])
  func lastDay(first: String, length: DateWindow.Length) throws {
    let date = try Self.date(first)
    for name in ["UTC", "Europe/Berlin", "Pacific/Apia", "Pacific/Honolulu"] {
      let zone = try #require(Self.database.zone(named: name))
      let window = try #require(DateWindow(firstDay: date, length: length, zone: zone))
      #expect(window == DateWindow(from: date, zone: zone))
      #expect(window.end == zone.startOfDay(.last).adding(seconds: 86_400))
      let noon = zone.startOfDay(.last).adding(seconds: 43_200)
      #expect(window.days(touchedBy: noon, noon) == [.last])
      #expect(window.days(touchedBy: noon, window.end) == [.last])
      #expect(window.days(touchedBy: window.end, window.end).isEmpty)
      #expect(window.days(touchedBy: .last, .last) == [.last])
    }
  }

  @Test(
    "a window without length, or beyond the calendar, is refused",
    arguments: [
      DateWindow.Length.days(0), .days(-1), .weeks(.min), .months(.max), .years(.min),
      .years(8000), .days(.max), .days(2_912_162), .weeks(.max), .months(95_688),
    ])
  func noWindow(length: DateWindow.Length) throws {
    let first = try Self.date("2026-11-21")
    #expect(DateWindow(firstDay: first, length: length, zone: .utc) == nil)
  }

  // Checks Decisions: Small decisions/11
  @Test("a window whose first date the zone left out begins at the next moment that there is")
  func missingFirstDay() throws {
    let apia = try #require(Self.database.zone(named: "Pacific/Apia"))
    let missing = try Self.date("2011-12-30")
    let next = try #require(Instant(rfc3339: "2011-12-31T00:00:00+14:00"))
    let week = try #require(DateWindow(firstDay: missing, length: .weeks(1), zone: apia))
    #expect(week.start == next)
    let hour = next.adding(seconds: 3600)
    #expect(
      week.days(touchedBy: next.adding(seconds: -7200), hour).map(\.description) == ["2011-12-31"])
    #expect(week.days(touchedBy: next, next).map(\.description) == ["2011-12-31"])
    // A window of that date alone holds nothing.
    let empty = try #require(DateWindow(firstDay: missing, length: .days(1), zone: apia))
    #expect(empty.start == empty.end)
    #expect(!empty.touches(next.adding(seconds: -7200), hour))
    #expect(empty.days(touchedBy: next.adding(seconds: -7200), hour).isEmpty)
    // What runs over it is on the days around it.
    let around = try #require(
      DateWindow(firstDay: try Self.date("2011-12-28"), length: .weeks(1), zone: apia))
    #expect(
      around.days(touchedBy: next.adding(seconds: -3600), hour).map(\.description)
        == ["2011-12-29", "2011-12-31"])
  }

  /// Windows and entries around the odd days of odd zones, every day looked at by itself.
  // Checks RFC 5545: 3.6.1/10
  // Checks Decisions: Windows and days/2, Windows and days/3, Windows and days/4
  @Test("an entry touches the days that it overlaps, and an empty one the day that it is on")
  func bruteForce() throws {
    let odd = [
      ("Pacific/Apia", "2011-12-30"), ("America/St_Johns", "2006-10-29"),
      ("Africa/Cairo", "2026-04-24"), ("Africa/Cairo", "2026-10-30"),
      ("America/Santiago", "2026-09-06"), ("America/Havana", "2026-11-01"),
      ("Pacific/Kwajalein", "1993-08-21"), ("Europe/Berlin", "2026-03-29"),
      ("Asia/Manila", "1844-12-31"), ("Antarctica/Troll", "2026-03-29"), ("UTC", "2026-01-01"),
    ]
    var touched = 0
    for (name, text) in odd {
      let zone = try #require(Self.database.zone(named: name))
      let middle = try Self.date(text)
      for _ in 0..<400 {
        let first = try #require(middle.adding(days: Int.random(in: -4...3)))
        let length = Int.random(in: 1...6)
        let window = try #require(DateWindow(firstDay: first, length: .days(length), zone: zone))
        let begin = zone.startOfDay(middle).adding(seconds: Int.random(in: -150...150) * 1800)
        let finish = begin.adding(
          seconds: Bool.random() ? 0 : Int.random(in: 0...100) * 1800)
        let expected = (0..<length).compactMap { first.adding(days: $0) }.filter { day in
          guard let next = day.adding(days: 1) else { return false }
          let (from, to) = (zone.startOfDay(day), zone.startOfDay(next))
          // Half-open stretches share a moment, an empty one is its own moment.
          return from < to
            && (begin == finish ? from <= begin && begin < to : max(from, begin) < min(to, finish))
        }
        touched += expected.count
        #expect(
          window.days(touchedBy: begin, finish) == expected, "\(name) \(first) \(begin) \(finish)")
        #expect(window.touches(begin, finish) == !expected.isEmpty)

        let from = try #require(middle.adding(days: Int.random(in: -6...6)))
        let to = try #require(from.adding(days: Int.random(in: 0...4)))
        let dates = (0..<length).compactMap { first.adding(days: $0) }.filter { day in
          from == to ? day == from : from <= day && day < to
        }
        #expect(window.days(touchedBy: from, to) == dates)
        #expect(window.touches(from, to) == !dates.isEmpty)
      }
    }
    #expect(touched > 2_000)
  }

  @Test("a window cut in two holds the days of both halves")
  func cut() throws {
    for name in ["America/St_Johns", "Pacific/Apia", "Africa/Cairo"] {
      let zone = try #require(Self.database.zone(named: name))
      let first = try Self.date(name == "Pacific/Apia" ? "2011-12-26" : "2006-10-26")
      let whole = try #require(DateWindow(firstDay: first, length: .days(8), zone: zone))
      for cut in 1..<8 {
        let left = try #require(DateWindow(firstDay: first, length: .days(cut), zone: zone))
        let right = try #require(
          DateWindow(firstDay: left.dayAfterLast, length: .days(8 - cut), zone: zone))
        #expect(left.end == right.start)
        for _ in 0..<200 {
          let begin = whole.start.adding(seconds: Int.random(in: -50...400) * 1800)
          let finish = begin.adding(seconds: Int.random(in: 0...50) * 1800)
          #expect(
            left.days(touchedBy: begin, finish) + right.days(touchedBy: begin, finish)
              == whole.days(touchedBy: begin, finish))
        }
      }
    }
  }
}
