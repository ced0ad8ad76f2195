import AgendaKit
import Testing

@Suite("RenderingOptions")
struct RenderingOptionTests {
  @Test("every format has the times of a second zone", arguments: AgendaFormat.allCases)
  func secondZone(format: AgendaFormat) throws {
    let calendars = try RandomConditions.calendars()
    let window = try RandomConditions.window()
    let agenda = try calendars.agenda(in: window, options: Agenda.Options(once: true))
    let zone = try ZoneDatabase.system(TZDIR: nil).loadZone(named: "America/New_York")
    let plain = calendars.rendering(agenda, as: format)
    let both = calendars.rendering(agenda, as: format, RenderingOptions(secondZone: zone))
    // The meeting of 20:00 in New York, and the night train, which leaves at 17:00 there.
    for time in ["20:00", "17:00"] {
      #expect(plain.ranges(of: time).count < both.ranges(of: time).count, "\(time)")
    }
  }
}
