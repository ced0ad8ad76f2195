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
}
