import AgendaCore
import TestSupport
import Testing

@testable import AgendaReader

/// The lines of a VCALENDAR that decide what the times of its components mean: the store keeps them.
@Suite struct ContextTests {
  private static func zone(_ name: String) -> String {
    [
      "BEGIN:VTIMEZONE", "TZID:\(name)", "BEGIN:STANDARD", "DTSTART:19700101T000000",
      "TZOFFSETFROM:+0530", "TZOFFSETTO:+0530", "END:STANDARD", "END:VTIMEZONE",
    ].joined(separator: "\r\n")
  }

  private func contexts(_ text: String) throws -> [String] {
    try CalendarReader(zones: .system(TZDIR: nil)).read(
      SourceBytes(Array(text.utf8)), name: "x"
    ).contexts.map { String(decoding: $0.text, as: UTF8.self) }
  }

  private func zones(_ context: String) -> [String] {
    context.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("TZID:") }
      .map { String($0.dropFirst(5)) }
  }

  @Test("a calendar has all zones that it defines, also those that no event names")
  func own() throws {
    let text = calendar(
      Self.zone("Office"), Self.zone("Unused"),
      event("a", "DTSTART;TZID=Office:20261124T100000"))
    #expect(try contexts(text).map(zones) == [[], ["Office", "Unused"]])
  }

  @Test("an event outside of any calendar has the zones that it names")
  func outside() throws {
    let outside = event("b", "DTSTART;TZID=Office:20261124T100000") + "\r\n"
    let defining = calendar(Self.zone("Office"), Self.zone("Other"))
    #expect(try contexts(outside + defining).map(zones) == [["Office"], ["Office", "Other"]])
  }

  @Test("a calendar has zones of another one of its file only if its own times are in them")
  func others() throws {
    let defining = calendar(
      Self.zone("Office"), Self.zone("Other"), event("a", "DTSTART:20261124T100000Z"))
    for (first, found) in [
      (calendar(event("b", "DTSTART;TZID=Office:20261124T100000")), ["Office"]),
      (
        calendar([event("b", "DTSTART:20261124T100000")], ["X-WR-TIMEZONE:Other"]), ["Other"]
      ),
      (
        calendar(
          [event("b", "DTSTART;TZID=Office:20261124T100000")], ["X-WR-TIMEZONE:Other"]),
        ["Office", "Other"]
      ),
      (calendar(event("b", "DTSTART:20261124T100000Z")), []),
      (
        calendar(
          Self.zone("Office"), event("b", "DTSTART;TZID=Office:20261124T100000")), ["Office"]
      ),
    ] {
      let all = try contexts(first + defining).map(zones)
      #expect(all == [[], found, ["Office", "Other"]], "\(first)")
    }
  }
}
