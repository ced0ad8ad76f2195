import CivilTime
import Testing

@testable import Recurrence

/// Times of a series as its RECURRENCE-IDs write them.
@Suite struct TimeMatcherTests {
  private static func civil(_ text: String) throws -> CivilDateTime {
    guard case .local(let civil)? = try Rule(parsing: "FREQ=DAILY;UNTIL=\(text)").until else {
      return CivilDateTime(.first, .midnight)
    }
    return civil
  }

  @Test("a time in the zone of the series stays as it is written, also in a gap or a fold")
  func written() throws {
    let database = ZoneDatabase(folder: ZoneDatabase.systemFolder)
    let berlin = try #require(database.zone(named: "Europe/Berlin"))
    let start = EventTime.zoned(try Self.civil("20260101T023000"), berlin)
    let matcher = TimeMatcher(start: start, viewer: .utc)
    for text in ["20260329T023000", "20261025T023000", "20260601T023000"] {
      let time = EventTime.zoned(try Self.civil(text), berlin)
      #expect(matcher.written(time, as: start) == time)
    }
    // In other forms it is the same moment, and a date has the time of the series.
    #expect(
      matcher.written(.utc(try Self.civil("20260601T003000")), as: start)
        == .zoned(try Self.civil("20260601T023000"), berlin))
    #expect(
      matcher.written(.date(try Self.civil("20260601T000000").date), as: start)
        == .zoned(try Self.civil("20260601T023000"), berlin))
  }

  /// A value of a series of whole days, the zone of its days, and the dates that it names as an EXDATE and
  /// as an UNTIL.
  static let days: [(time: String, zone: String?, date: String, until: String)] = [
    // Midnights of their producer: in Berlin in winter and summer, Tokyo, New York, Kolkata, Auckland.
    ("20261019T230000Z", nil, "2026-10-20", "2026-10-20"),
    ("20261019T220000Z", nil, "2026-10-20", "2026-10-20"),
    ("20261019T150000Z", nil, "2026-10-20", "2026-10-20"),
    ("20261020T050000Z", nil, "2026-10-20", "2026-10-20"),
    ("20261019T183000Z", nil, "2026-10-20", "2026-10-20"),
    ("20261019T120000Z", nil, "2026-10-20", "2026-10-20"),
    ("20261020T114500Z", nil, "2026-10-20", "2026-10-20"),
    ("20261020T000000Z", nil, "2026-10-20", "2026-10-20"),
    // The end of a date is no midnight; an EXDATE cannot mean anything else.
    ("20261019T215959Z", nil, "2026-10-20", "2026-10-19"),
    ("20261019T235959Z", nil, "2026-10-20", "2026-10-19"),
    ("20261020T045959Z", nil, "2026-10-20", "2026-10-20"),
    // On the clock of the series.
    ("20261019T215959Z", "Europe/Berlin", "2026-10-19", "2026-10-19"),
    ("20261019T220000Z", "Europe/Berlin", "2026-10-20", "2026-10-20"),
    ("20261020T000000Z", "America/New_York", "2026-10-19", "2026-10-19"),
    ("20261020T040000Z", "America/New_York", "2026-10-20", "2026-10-20"),
    ("20261019T110000Z", "Pacific/Auckland", "2026-10-20", "2026-10-20"),
    ("20261019T230000Z", "UTC", "2026-10-19", "2026-10-19"),
    // What is a date or a local time names its own date.
    ("20261020", "Pacific/Auckland", "2026-10-20", "2026-10-20"),
    ("20261020T230000", "Pacific/Auckland", "2026-10-20", "2026-10-20"),
    ("20261020T230000", nil, "2026-10-20", "2026-10-20"),
    ("99991231T230000Z", nil, "9999-12-31", "9999-12-31"),
  ]

  // Checks Decisions: Small decisions/19, Small decisions/20
  @Test("a moment names a date of a series of whole days, whoever looks", arguments: days)
  func dayOfMoment(_ row: (time: String, zone: String?, date: String, until: String)) throws {
    let database = ZoneDatabase(folder: ZoneDatabase.systemFolder)
    let zone = try row.zone.map { try #require(database.zone(named: $0)) }
    let until = try #require(try Rule(parsing: "FREQ=DAILY;UNTIL=\(row.time)").until)
    let time: EventTime =
      switch until {
      case .date(let date): .date(date)
      case .local(let civil): .floating(civil)
      case .utc(let civil): .utc(civil)
      }
    #expect("\(time.date(onClockOf: zone))" == row.date)
    #expect("\(until.date(onClockOf: zone))" == row.until)
  }

  @Test("a time in another zone names the date of its midnight, or that on the clock of the series")
  func otherZone() throws {
    let database = ZoneDatabase(folder: ZoneDatabase.systemFolder)
    let berlin = try #require(database.zone(named: "Europe/Berlin"))
    let tokyo = try #require(database.zone(named: "Asia/Tokyo"))
    func date(_ text: String, _ zone: Zone?) throws -> String {
      "\(EventTime.zoned(try Self.civil(text), tokyo).date(onClockOf: zone))"
    }
    #expect(try date("20261020T000000", berlin) == "2026-10-20")
    #expect(try date("20261020T070000", berlin) == "2026-10-20")
    #expect(try date("20261020T050000", berlin) == "2026-10-19")
    #expect(try date("20261020T050000", nil) == "2026-10-20")
  }
}
