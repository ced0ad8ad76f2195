import Foundation
import TestSupport
import Testing

/// Samoa had no 30 December 2011: it moved to the other side of the date line.
@Suite("a day that a zone skipped")
struct SkippedDayTests {
  @Test(
    "whole days are listed on it, and times before and after it are not",
    arguments: [
      ["--from", "2011-12-30", "--days", "1"], ["--from", "2011-12-29", "--days", "2"],
      ["--from", "2011-12-29", "--days", "3"],
    ])
  func wholeDays(_ window: [String]) throws {
    let fixture = try OptionFixture()
    try fixture.write(
      "apia.ics",
      calendar(
        event("a", "DTSTART;VALUE=DATE:20111230", "SUMMARY:Missing"),
        event("b", "DTSTART;VALUE=DATE:20111231", "SUMMARY:Next"),
        event(
          "c", "DTSTART;TZID=Pacific/Apia:20111229T230000",
          "DTEND;TZID=Pacific/Apia:20111231T010000", "SUMMARY:Night"),
        event("d", "DTSTART;VALUE=DATE:20111228", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Daily")))
    fixture.run(["import", fixture.path("apia.ics")], isPinned: false)
    for source in [[fixture.path("apia.ics")], []] {
      let run = fixture.run(["show"] + source + window + ["--timezone", "Pacific/Apia"])
      let days = run.output.components(separatedBy: "\n\n")
      let day = try #require(days.first { $0.hasPrefix("Friday, 30 December 2011") }, "\(run)")
      #expect(day.contains("Missing") && day.contains("Daily"), "\(run)")
      #expect(!day.contains("Next") && !day.contains("Night"), "\(run)")
    }
  }
}
