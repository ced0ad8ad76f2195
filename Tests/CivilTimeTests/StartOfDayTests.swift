import CivilTime
import Testing

@Suite struct StartOfDayTests {
  private static let database = ZoneDatabase(folder: ZoneDatabase.systemFolder)

  // Checks Decisions: Time zones/13
  @Test(
    "a day begins at the first moment of its date",
    arguments: [
      // Clocks go forward at midnight.
      ("Africa/Cairo", "2026-04-24", "2026-04-24T01:00:00+03:00"),
      ("Asia/Beirut", "2026-03-29", "2026-03-29T01:00:00+03:00"),
      ("America/Santiago", "2026-09-06", "2026-09-06T01:00:00-03:00"),
      ("America/Havana", "2026-03-08", "2026-03-08T01:00:00-04:00"),
      ("America/Sao_Paulo", "2018-11-04", "2018-11-04T01:00:00-02:00"),
      // They go back to midnight: it comes twice, and the first counts.
      ("America/Havana", "2026-11-01", "2026-11-01T00:00:00-04:00"),
      // They go back from midnight: that comes once.
      ("Africa/Cairo", "2026-10-30", "2026-10-30T00:00:00+02:00"),
      ("America/Santiago", "2026-04-05", "2026-04-05T00:00:00-04:00"),
      // They went back at 00:01 to the day before.
      ("America/St_Johns", "2006-10-29", "2006-10-29T00:00:00-02:30"),
      ("America/St_Johns", "2006-10-30", "2006-10-30T00:00:00-03:30"),
      // Dates that the zone left out, and the ones around them.
      ("Pacific/Apia", "2011-12-29", "2011-12-29T00:00:00-10:00"),
      ("Pacific/Apia", "2011-12-30", "2011-12-31T00:00:00+14:00"),
      ("Pacific/Apia", "2011-12-31", "2011-12-31T00:00:00+14:00"),
      ("Pacific/Kwajalein", "1993-08-21", "1993-08-22T00:00:00+12:00"),
      ("Pacific/Kiritimati", "1994-12-31", "1995-01-01T00:00:00+14:00"),
      // A date that came twice.
      ("America/Juneau", "1867-10-18", "1867-10-18T00:00:00Z"),
      ("Europe/Berlin", "2026-11-21", "2026-11-21T00:00:00+01:00"),
    ])
  func starts(zone: String, date: String, start: String) throws {
    let zone = try #require(Self.database.zone(named: zone))
    let date = try CivilDate.parsed(date)
    if date.year < 1900 {
      // Alaska kept Asia's date until it was sold: the first pass of the 18th.
      let first = zone.startOfDay(date)
      #expect(zone.civil(at: first) == CivilDateTime(date, .midnight))
      #expect(zone.civil(at: first.adding(seconds: -1)).date < date)
      return
    }
    #expect(zone.startOfDay(date).rfc3339(in: zone) == start)
  }

  // Checks Decisions: Time zones/14
  @Test("only dates that the zone left out have no day")
  func missing() throws {
    for (name, date) in [
      ("Pacific/Apia", "2011-12-30"), ("Pacific/Fakaofo", "2011-12-30"),
      ("Pacific/Kwajalein", "1993-08-21"), ("Pacific/Kiritimati", "1994-12-31"),
    ] {
      let zone = try #require(Self.database.zone(named: name))
      let date = try CivilDate.parsed(date)
      #expect(!zone.hasDay(date))
      for days in [-2, -1, 1, 2] {
        #expect(zone.hasDay(try #require(date.adding(days: days))))
      }
    }
    #expect(Zone.utc.hasDay(.first) && Zone.utc.hasDay(.last))
  }

  /// Looks at every minute around every change of the clocks that comes near a midnight.
  // Checks Decisions: Time zones/13
  @Test("no earlier moment of any zone shows the date or a later one")
  func bruteForce() throws {
    var checked = 0
    for name in Self.database.names {
      let zone = try #require(Self.database.zone(named: name))
      var instant = try #require(Instant(rfc3339: "1905-01-01T00:00:00Z"))
      let end = try #require(Instant(rfc3339: "2040-01-01T00:00:00Z"))
      while let next = zone.nextTransition(after: instant), next.instant < end {
        instant = next.instant
        let before = zone.civil(at: instant.adding(seconds: -1))
        let after = zone.civil(at: instant)
        let isNearMidnight =
          before.date != after.date || [0, 1, 22, 23].contains(after.time.hour)
          || [0, 1, 22, 23].contains(before.time.hour)
        guard isNearMidnight, instant.secondsSinceEpoch % 60 == 0 else { continue }
        for date in [before.date.adding(days: 1), after.date, after.date.adding(days: 1)] {
          guard let date else { continue }
          let start = zone.startOfDay(date)
          guard abs(start.secondsSinceEpoch - instant.secondsSinceEpoch) < 5 * 3600 else {
            continue
          }
          var minute = instant.adding(seconds: -6 * 3600)
          while zone.civil(at: minute).date < date { minute = minute.adding(seconds: 60) }
          // Old offsets have seconds.
          while zone.civil(at: minute.adding(seconds: -1)).date >= date {
            minute = minute.adding(seconds: -1)
          }
          checked += 1
          if start != minute {
            Issue.record("\(name) \(date): \(start), but \(minute) shows it")
          }
        }
      }
    }
    #expect(checked > 3_000)
  }
}
