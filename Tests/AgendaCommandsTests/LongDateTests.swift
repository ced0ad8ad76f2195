import TestSupport
import Testing

/// A date of RDATE that lasts longer than its series, in a file that is read for a window only.
@Suite struct LongDateTests {
  @Test(
    "it is shown up to its last day",
    arguments: ["20260601T000000Z/20260620T120000Z", "20260601T000000Z/P19DT12H"])
  func shown(period: String) throws {
    let fixture = try OptionFixture()
    try fixture.write(
      "long.ics",
      calendar(
        event(
          "a", "DTSTART:20260101T100000Z", "DURATION:PT1H", "RDATE;VALUE=PERIOD:\(period)",
          "SUMMARY:Long")))
    for (day, titles) in [
      ("2026-01-01", ["01 Long"]), ("2026-01-02", []), ("2026-05-31", []),
      ("2026-06-01", ["01 Long"]),
      ("2026-06-20", ["20 Long"]), ("2026-06-21", []),
    ] {
      let found = fixture.titles([
        "show", fixture.path("long.ics"), "--timezone", "UTC", "--from", day, "--days", "1",
      ])
      #expect(found == titles, "\(day)")
    }
  }
}
