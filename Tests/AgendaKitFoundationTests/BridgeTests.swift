import AgendaKit
import AgendaKitFoundation
import Foundation
import TestSupport
import Testing

/// The bridges to Foundation, compared with what Foundation itself says.
@Suite("bridges to Foundation")
struct BridgeTests {
  private let folder: ScratchFolder
  private static let calendar = """
    BEGIN:VCALENDAR
    BEGIN:VEVENT
    UID:1
    DTSTART;TZID=Europe/Berlin:20261025T013000
    DURATION:PT3H
    SUMMARY:Night
    ATTACH;ENCODING=BASE64;VALUE=BINARY:aGVsbG8=
    END:VEVENT
    END:VCALENDAR

    """

  init() throws { folder = try ScratchFolder() }

  private func window() throws -> DateWindow {
    let zone = try ZoneDatabase.system(TZDIR: nil).loadZone(named: "Europe/Berlin")
    let first = try #require(CivilDate(year: 2026, month: 10, day: 25))
    return try #require(DateWindow(firstDay: first, length: .days(1), zone: zone))
  }

  @Test(
    "fractions of a second are dropped, also before 1970",
    arguments: [(0.0, 0), (0.9, 0), (-0.1, -1), (1_795_251_600.5, 1_795_251_600)])
  func moments(seconds: Double, whole: Int) {
    let instant = Instant(Date(timeIntervalSince1970: seconds))
    #expect(instant.secondsSinceEpoch == whole)
    #expect(Date(instant).timeIntervalSince1970 == Double(whole))
  }

  @Test("a day of 25 hours and its event have the span that Foundation computes")
  func spans() throws {
    let window = try window()
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(window.zone))
    let noon = Date(window.start.adding(seconds: 12 * 60 * 60))
    #expect(DateInterval(window) == calendar.dateInterval(of: .day, for: noon))
    #expect(DateInterval(window).duration == 25 * 60 * 60)

    let calendars = try Calendars(data: Data(Self.calendar.utf8), name: "night")
    let section = try #require(try calendars.agenda(in: window).sections.first)
    let entry = try #require(section.entries.first)
    let start = DateComponents(year: 2026, month: 10, day: 25, hour: 1, minute: 30)
    let span = DateInterval(entry.occurrence)
    #expect(span.start == calendar.date(from: start))
    #expect(span.duration == 3 * 60 * 60)
    #expect(calendars.attachmentData(of: entry.event, number: 1) == Data("hello".utf8))
  }

  @Test("zones, locales, files and stores are found by their Foundation values")
  func values() throws {
    let zone = try #require(TimeZone(identifier: "Asia/Kathmandu"))
    #expect(try ZoneDatabase.system(TZDIR: nil).zone(zone).name == "Asia/Kathmandu")
    #expect(
      try LocaleData(Locale(identifier: "de_DE")).identifier == LocaleData("de_DE").identifier)
    let file = URL(fileURLWithPath: try folder.write("night.ics", Self.calendar))
    let section = try Calendars(contentsOf: [file]).agenda(in: window()).sections.first
    #expect(section?.entries.map(\.event.title) == ["Night"])
  }

  @Test("a named cache is a file in a folder that is created, and is deleted by name")
  func namedCache() async throws {
    let caches = folder.url.appendingPathComponent("Library/Caches")
    let path = folder.url.appendingPathComponent("agenda.sqlite").path
    let file = try folder.write("night.ics", Self.calendar)
    let now = Instant(secondsSinceEpoch: 1_792_000_000)
    let store = CalendarStore(.init(at: path, zone: { .utc }, clock: { now }))
    try await store.write { try $0.importSources([file]) }
    var request = ResultsRequest(store, .fixed(try window()))
    let titles = try await AgendaResults(request).agenda.sections.flatMap {
      $0.entries.map(\.title)
    }
    #expect(titles == ["Night"])
    request.cache = try ResultsCache(named: "nights", in: caches)
    for _ in 0..<2 {
      let cached = try await AgendaResults(request)
      #expect(cached.agenda.sections.flatMap { $0.entries.map(\.title) } == titles)
      #expect(try FileManager.default.contentsOfDirectory(atPath: caches.path).count == 1)
    }
    try ResultsCache(named: "nights", in: caches).delete()
    #expect(try FileManager.default.contentsOfDirectory(atPath: caches.path).isEmpty)
    #expect(throws: CalendarError.self) { try ResultsCache(named: "../nights", in: caches) }
  }
}
