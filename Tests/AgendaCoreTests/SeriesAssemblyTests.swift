import CivilTime
import Recurrence
import Testing

@testable import AgendaCore

@Suite("What an assembly makes of versions, overrides and additions")
struct SeriesAssemblyTests {
  // Checks Decisions: Importing/16
  @Test(
    "an older override of an occurrence that a newer version does not have is not shown",
    arguments: [
      ("0101T10", ["FREQ=DAILY;COUNT=3"]), ("0101T09", ["FREQ=DAILY;COUNT=1"]),
      ("0101T09", ["FREQ=DAILY;UNTIL=20240101T090000Z"]), ("0101T09", ["FREQ=WEEKLY;COUNT=3"]),
      ("0101T09", []),
    ], [0, 1])
  func stale(_ master: (start: String, rules: [String]), sequence: Int) {
    var sample = AssemblySample()
    let series = sample.add(
      AssemblySample.event(master.start, rules: master.rules, sequence: 1))
    let override = sample.add(
      AssemblySample.event("0102T15", replacing: "0102T09", sequence: sequence, title: "moved"))
    let assembly = sample.assembly()
    let isShown = sample.shown(assembly).contains("work 01-02 15 moved")
    #expect(isShown == (sequence == 1))
    #expect(assembly.findings.map(\.code) == (isShown ? [] : ["stale-override"]))
    #expect(assembly.problems.flatMap(\.events) == (isShown ? [] : [override, series]))
  }

  @Test("an older override of an occurrence that the newer version has stays")
  func notStale() {
    var sample = AssemblySample()
    sample.add(AssemblySample.event("0101T09", rules: ["FREQ=DAILY;COUNT=3"], sequence: 1))
    sample.add(AssemblySample.event("0102T15", replacing: "0102T09"))
    sample.add(AssemblySample.event("0103T16", replacing: "0103"))
    #expect(sample.shown == ["work 01-01 09", "work 01-02 15", "work 01-03 16"])
  }

  // Checks Decisions: Recurrence/8
  @Test("an override at a midnight that the series does not have replaces that date's occurrence")
  func midnight() throws {
    var sample = AssemblySample()
    sample.add(AssemblySample.event("0101T11", rules: ["FREQ=DAILY;COUNT=3"]))
    sample.add(AssemblySample.event("0102T15", replacing: "0102T00"))
    let assembly = sample.assembly()
    #expect(sample.shown(assembly) == ["work 01-01 11", "work 01-02 15", "work 01-03 11"])
    #expect(assembly.findings.map(\.action) == ["read as that occurrence"])
    let recurrenceID = try #require(assembly.series.first?.overrides.first?.identity.recurrenceID)
    #expect(recurrenceID == AssemblySample.time("0102T11"))
  }

  // Checks Decisions: Recurrence/8
  @Test("a midnight of the series, or of a date with several occurrences, is read as it is")
  func otherMidnights() {
    var sample = AssemblySample()
    sample.add(AssemblySample.event("0101T00", rules: ["FREQ=DAILY;COUNT=2;BYHOUR=0,12"]))
    sample.add(AssemblySample.event("0101T15", replacing: "0101T00"))
    #expect(sample.shown == ["work 01-01 12", "work 01-01 15"])
    #expect(sample.assembly().findings.isEmpty)
    var several = AssemblySample()
    several.add(AssemblySample.event("0101T06", rules: ["FREQ=DAILY;COUNT=2;BYHOUR=6,12"]))
    several.add(AssemblySample.event("0101T15", replacing: "0101T00"))
    #expect(several.shown == ["work 01-01 06", "work 01-01 12", "work 01-01 15"])
    #expect(
      several.assembly().findings.map(\.action) == ["there are several, so all are shown"])
  }

  // Checks Decisions: Small decisions/23
  @Test(
    "of equal overrides in two sources, that of the file with the later name counts",
    arguments: [("a.ics", "b.ics", "Second"), ("b.ics", "a.ics", "First")])
  func laterFile(_ names: (first: String, second: String, shown: String)) {
    var sample = AssemblySample()
    sample.fileNames = [1: names.first, 2: names.second]
    sample.add(AssemblySample.event("0101T09", rules: ["FREQ=DAILY;COUNT=2"]))
    sample.add(AssemblySample.event("0102T15", replacing: "0102T09", title: "First"), source: 1)
    sample.add(AssemblySample.event("0102T15", replacing: "0102T09", title: "Second"), source: 2)
    #expect(sample.shown == ["work 01-01 09", "work 01-02 15 \(names.shown)"])
  }

  // Checks Decisions: Small decisions/20
  @Test("an override and messages name a date of a whole-day series in its zone, whoever looks")
  func wholeDays() throws {
    let zone = try #require(
      ZoneDatabase(folder: ZoneDatabase.systemFolder).zone(named: "Pacific/Auckland"))
    for (own, other) in [(zone, nil), (nil, zone), (zone, Zone.utc)] as [(Zone?, Zone?)] {
      var sample = AssemblySample()
      var master = AssemblySample.event("0101", rules: ["FREQ=DAILY;COUNT=4"])
      master.dayZone = own
      sample.add(master)
      var override = AssemblySample.event("0110", replacing: "0101T11", title: "Moved")
      override.dayZone = other
      sample.add(override)
      var cancelled = AssemblySample.event(nil, replacing: "0102T11")
      cancelled.dayZone = other
      sample.send(.cancel, cancelled)
      #expect(
        sample.shown == [
          "work 01-01 00", "work 01-03 00 cancelled", "work 01-04 00", "work 01-10 00 Moved",
        ])
    }
  }

  // Checks Decisions: Small decisions/22
  @Test("a cancelled override without DTSTART has the times of its occurrence")
  func cancelledWithoutStart() throws {
    var sample = AssemblySample()
    sample.add(AssemblySample.event("0101", rules: ["FREQ=DAILY;COUNT=3"], title: "Fair"))
    var cancelled = AssemblySample.event(nil, replacing: "0101T23")
    cancelled.status = .cancelled
    sample.add(cancelled)
    #expect(
      sample.shown == ["work 01-01 00 Fair", "work 01-02 00 Fair cancelled", "work 01-03 00 Fair"])
  }

  // Checks Decisions: Messages/4
  @Test("a mail adds an occurrence to the calendar of the newest series")
  func added() {
    var sample = AssemblySample()
    sample.add(
      AssemblySample.event("0101T09", rules: ["FREQ=DAILY;COUNT=1"], calendar: "a"), source: 1)
    sample.add(
      AssemblySample.event("0101T09", rules: ["FREQ=DAILY;COUNT=1"], stamp: 4, calendar: "c"),
      source: 2)
    sample.add(
      AssemblySample.event("0101T09", rules: ["FREQ=DAILY;COUNT=1"], stamp: 4, calendar: "b"),
      source: 3)
    let event = AssemblySample.event("0105T12", replacing: "0105T12", calendar: "mail")
    var mail = sample
    let message = mail.send(.add, event, scope: .allCalendars)
    #expect(mail.shown == ["a 01-01 09", "b 01-01 09", "b 01-05 12", "c 01-01 09"])
    #expect(mail.assembly().outcomes == [message: .effective])
    sample.send(.add, event)
    #expect(sample.shown.contains("mail 01-05 12"))
  }

  @Test("an added occurrence stays in a newer version, unless that excludes its date")
  func addedToOlderVersion() {
    for isExcluded in [false, true] {
      var sample = AssemblySample()
      var series = AssemblySample.event("0101T09", rules: ["FREQ=DAILY;COUNT=1"], sequence: 2)
      if isExcluded { series.recurrence?.exceptionDates = [AssemblySample.time("0105T12")] }
      sample.add(series)
      let message = sample.send(.add, AssemblySample.event("0105T12", replacing: "0105T12"))
      #expect(sample.shown.contains("work 01-05 12") != isExcluded)
      #expect(sample.assembly().outcomes == [message: isExcluded ? .laterVersion : .effective])
    }
  }

  @Test("more checks of rules than the budget allows become a finding")
  func exhausted() {
    var sample = AssemblySample()
    var series = AssemblySample.event("0101T09", rules: ["FREQ=DAILY;COUNT=9"], sequence: 1)
    // Each check goes through all of them.
    series.recurrence?.dates = (0..<200_000).compactMap { number in
      CivilDateTime(civilSeconds: SeriesTests.civil("20250101T000000").civilSeconds + number)
        .map { RecurrenceDate(start: .utc($0), extent: nil) }
    }
    sample.add(series)
    for hour in 10...23 {
      sample.add(AssemblySample.event("0102T\(hour)", replacing: "0102T\(hour)"))
    }
    let assembly = sample.assembly()
    #expect(
      assembly.findings.map(\.action).contains(
        "some overrides are assigned by their dates, without a look at the rules"))
    // An override whose date was not checked is shown.
    #expect(assembly.findings.count { $0.code == "stale-override" } == 12)
    #expect(assembly.series.first?.overrides.count == 2)
  }
}
