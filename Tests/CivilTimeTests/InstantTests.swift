import Testing

@testable import CivilTime

@Suite struct InstantTests {
  @Test(
    "RFC 3339 texts are read",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-11-21T09:30:00+01:00", 1_795_249_800),
      ("2026-11-21t08:30:00z", 1_795_249_800), ("2026-11-21 03:00:00-05:30", 1_795_249_800),
      ("1985-04-12T23:20:50.52Z", 482_196_050), ("1996-12-19T16:39:57-08:00", 851_042_397),
      ("1990-12-31T23:59:60Z", 662_687_999), ("0001-01-01T00:00:00Z", -62_135_596_800),
      ("1937-01-01T12:00:27.87+00:20", -1_041_337_173),
      ("2026-11-21T08:30:00-00:00", 1_795_249_800),
    ])
  func good(text: String, seconds: Int) {
    #expect(Instant(rfc3339: text)?.secondsSinceEpoch == seconds)
  }

  @Test(
    "anything else is not",
    arguments: [
      "", "2026-11-21", "2026-11-21T09:30:00", "2026-11-21T09:30Z", "2026-02-30T00:00:00Z",
      "2026-11-21T24:00:00Z", "2026-11-21T09:60:00Z", "2026-11-21T09:30:61Z",
      "2026-11-21T09:30:00.Z", "2026-11-21T09:30:00+24:00", "2026-11-21T09:30:00+0100",
      "2026-11-21T09:30:00Z ", "26-11-21T09:30:00Z", "0000-01-01T00:00:00Z", "now",
    ])
  func bad(text: String) {
    #expect(Instant(rfc3339: text) == nil)
  }

  // Checks Decisions: Small decisions/13
  @Test("an instant is written with its zone's offset, or in UTC where that has seconds")
  func written() throws {
    let database = ZoneDatabase(folder: ZoneDatabase.systemFolder)
    let berlin = try #require(database.zone(named: "Europe/Berlin"))
    let kathmandu = try #require(database.zone(named: "Asia/Kathmandu"))
    let stJohns = try #require(database.zone(named: "America/St_Johns"))
    let winter = try #require(Instant(rfc3339: "2026-11-21T08:30:00Z"))
    #expect(winter.rfc3339(in: berlin) == "2026-11-21T09:30:00+01:00")
    #expect(winter.rfc3339(in: kathmandu) == "2026-11-21T14:15:00+05:45")
    #expect(winter.rfc3339(in: stJohns) == "2026-11-21T05:00:00-03:30")
    #expect(winter.rfc3339(in: .utc) == "2026-11-21T08:30:00Z")
    let old = try #require(Instant(rfc3339: "1880-01-01T00:00:00Z"))
    #expect(old.rfc3339(in: berlin) == "1880-01-01T00:00:00Z")
    // RFC 3339 has no offset of a day.
    for (offset, text) in [
      (86_340, "2026-11-22T08:29:00+23:59"), (-86_340, "2026-11-20T08:31:00-23:59"),
      (86_400, "2026-11-21T08:30:00Z"), (3601, "2026-11-21T08:30:00Z"),
    ] {
      let zone = try #require(Zone(name: "x", fixedOffset: offset))
      #expect(winter.rfc3339(in: zone) == text)
    }
    for zone in [berlin, kathmandu, stJohns] {
      #expect(Instant(rfc3339: winter.rfc3339(in: zone)) == winter)
    }
  }
}
