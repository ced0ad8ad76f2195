import TestSupport
import Testing

/// Exceptions and other dates without a zone are on the clocks of their series (RFC 5545 3.8.5.1), also
/// after an edit that changes these clocks.
@Suite("edits of series whose exceptions have no zone")
struct ZonelessDatesTests {
  private let folder: WrittenFolder

  init() throws { folder = try WrittenFolder() }

  /// Daily at 9:00 from 1 to 5 December, not on the 2nd, on the 3rd at 10:00, and on the 10th.
  private func write(start: (String) -> String) throws {
    let master = event(
      "u", start("20261201T090000"), "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=5",
      "EXDATE:20261202T090000", "RDATE:20261210T090000", "SUMMARY:Talk")
    let override = event(
      "u", "RECURRENCE-ID:20261203T090000", start("20261203T100000"), "DURATION:PT1H",
      "SUMMARY:Talk, later")
    try folder.scratch.write("home/a.ics", TestSupport.calendar(master, override))
    #expect(try folder.agenda("import", "home", "-q").status == 0)
  }

  static let starts: [(name: String, start: @Sendable (String) -> String)] = [
    ("zone", { "DTSTART;TZID=Europe/Berlin:\($0)" }), ("UTC", { "DTSTART:\($0)Z" }),
  ]

  @Test("a series in a new zone keeps its exceptions and dates", arguments: starts.map(\.name))
  func newZone(_ name: String) throws {
    try write(start: try #require(Self.starts.first { $0.name == name }).start)
    let before = try folder.starts("talk")
    // 10:00 in Berlin is 9:00 in UTC.
    let hour = name == "UTC" ? 10 : 9
    #expect(
      before
        == [(1, hour), (3, hour + 1), (4, hour), (5, hour), (10, hour)].map {
          "2026-12-\($0 < 10 ? "0" : "")\($0)T\($1 < 10 ? "0" : "")\($1):00"
        })
    let run = try folder.agenda("edit", "u", "--all", "--in-zone", "America/New_York")
    #expect(run.status == 0, "\(run.errors)")
    // 9:00 in New York is 15:00 in Berlin; the occurrence with a time of its own keeps it.
    #expect(
      try folder.starts("talk") == [
        "2026-12-01T15:00", before[1], "2026-12-04T15:00", "2026-12-05T15:00", "2026-12-10T15:00",
      ])
    #expect(try folder.storeAgrees)
    #expect(try folder.agenda("undo").status == 0)
    #expect(try folder.starts("talk") == before)
  }

  @Test(
    "in an editor, a start in another zone leaves each exception at its occurrence",
    arguments: [
      // The same moments, an hour later, and the same clock in New York, which is 6 hours later.
      ("DTSTART:20261201T080000Z", 9), ("DTSTART;TZID=America/New_York:20261201T040000", 10),
      ("DTSTART;TZID=America/New_York:20261201T090000", 15),
    ], ["Europe/Berlin", "America/New_York"])
  func editor(_ start: (line: String, hour: Int), _ viewer: String) throws {
    try write { "DTSTART;TZID=Europe/Berlin:\($0)" }
    let before = try folder.starts("talk")
    let old = "DTSTART;TZID=Europe/Berlin:20261201T090000"
    try folder.scratch.write("editor", "sed -i 's|^\(old)|\(start.line)|' \"$1\"\n")
    let run = try AgendaRun(
      ["edit", "u", "--all", "--editor", "--now", "2026-11-21T09:00:00+01:00"],
      environment: [
        "AGENDA_STORE": "agenda.sqlite", "TZ": viewer, "VISUAL": "sh ./editor",
        "TMPDIR": folder.path,
      ], in: folder.scratch.url)
    #expect(run.status == 0, "\(run.errors)")
    let hour = (start.hour < 10 ? "0" : "") + "\(start.hour)"
    var expected = ["01", "04", "05"].map { "2026-12-\($0)T\(hour):00" }
    expected.insert(before[1], at: 1)
    // The date of an RDATE is not an exception, so it stays.
    #expect(try folder.starts("talk") == expected + ["2026-12-10T09:00"])
    #expect(try folder.storeAgrees)
    #expect(try folder.agenda("undo").status == 0)
    #expect(try folder.starts("talk") == before)
  }

  @Test("a series without such a zone is copied", arguments: starts.map(\.name))
  func copy(_ name: String) throws {
    try write(start: try #require(Self.starts.first { $0.name == name }).start)
    let before = try folder.starts("talk")
    for calendar in ["local", "./copies"] {
      try folder.makeFolder("copies")
      let run = try folder.agenda("add", "--like", "u", "--calendar", calendar)
      #expect(run.status == 0, "\(run.errors)")
      let name = calendar == "local" ? "local" : "copies"
      #expect(
        try folder.rows("talk").filter { $0["calendar"] == name }
          .map { String(($0["start"] ?? "").prefix(16)) } == before)
    }
  }

  @Test("a split finds dates without a zone in the zone of the series, not in the viewer's")
  func split() throws {
    try folder.scratch.write(
      "home/a.ics",
      TestSupport.calendar(
        event(
          "u", "DTSTART;TZID=America/New_York:20261201T210000", "RRULE:FREQ=DAILY;COUNT=2",
          "RDATE:20261210T120000,20261212T233000", "SUMMARY:Talk")))
    #expect(try folder.agenda("import", "home", "-q").status == 0)
    #expect(
      try folder.starts("talk") == [
        "2026-12-02T03:00", "2026-12-03T03:00", "2026-12-10T18:00", "2026-12-13T05:30",
      ])
    let third = try #require(try folder.rows("talk")[2]["id"])
    let run = try folder.agenda("edit", third, "--following", "--title", "Talk again")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.starts("again") == ["2026-12-10T18:00", "2026-12-13T05:30"])
    #expect(try folder.agenda("undo").status == 0)
    #expect(try folder.agenda("remove", "--event", third, "--following").status == 0)
    #expect(try folder.starts("talk") == ["2026-12-02T03:00", "2026-12-03T03:00"])
    #expect(try folder.storeAgrees)
  }
}
