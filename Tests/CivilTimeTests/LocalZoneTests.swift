import CivilTime
import Foundation
import Testing

@Suite struct LocalZoneTests {
  private let database = ZoneDatabase(folder: ZoneDatabase.systemFolder)

  private func resolve(_ TZ: String?, _ localtime: String = "/nonexistent") throws -> Zone {
    try LocalZone.resolve(
      TZ: TZ, localtimePath: localtime, timezonePath: "/nonexistent", database: database)
  }

  @Test(
    "TZ is a name, a path, or a rule",
    arguments: [
      ("Europe/Berlin", "Europe/Berlin", Zone.Origin.database),
      (":Europe/Berlin", "Europe/Berlin", .database),
      ("/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin", .database),
      (":/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo", .database),
      ("EST5EDT", "EST5EDT", .database), ("", "UTC", .utc), (":", "UTC", .utc),
      ("UTC", "UTC", .utc),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "CET-1CEST,M3.5.0,M10.5.0/3", .posixRule),
      ("<+03>-3", "<+03>-3", .posixRule), ("XYZ4", "XYZ4", .posixRule),
    ])
  func good(TZ: String, name: String, origin: Zone.Origin) throws {
    let zone = try resolve(TZ)
    #expect(zone.name == name)
    #expect(zone.origin == origin)
  }

  @Test(
    "a TZ that means nothing is an error that says so",
    arguments: [
      ("Europe/Atlantis", "no time zone \"Europe/Atlantis\" in /usr/share/zoneinfo"),
      ("Nonsense", "no time zone \"Nonsense\" in /usr/share/zoneinfo"),
      ("../../etc/passwd", "\"../../etc/passwd\" is not a zone name"),
      (
        "CET-1CEST,M13.5.0,M10.5.0/3",
        "expected a time zone or a TZ rule, got \"CET-1CEST,M13.5.0,M10.5.0/3\": "
          + "month 13 is not in 1…12"
      ),
      ("/etc/passwd", "time zone \"/etc/passwd\": not a time zone file (TZif)"),
      (":/dev/zero", "time zone \"/dev/zero\" is not a regular file of the zone folder"),
    ])
  func bad(TZ: String, message: String) {
    do {
      let zone = try resolve(TZ)
      Issue.record("\(TZ) gave \(zone.name)")
    } catch {
      #expect("\(error)" == message)
    }
  }

  @Test("without TZ the link of localtime gives the name")
  func localtime() throws {
    let fixture = try ZoneFolderFixture()
    try fixture.link("absolute", to: "/usr/share/zoneinfo/Europe/Berlin")
    try fixture.link("relative", to: "../usr/share/zoneinfo/America/Indiana/Knox")
    try fixture.link("elsewhere", to: "/var/db/timezone/zoneinfo/Asia/Tokyo")
    #expect(try resolve(nil, fixture.path + "/absolute").name == "Europe/Berlin")
    #expect(try resolve(nil, fixture.path + "/relative").name == "America/Indiana/Knox")
    #expect(try resolve(nil, fixture.path + "/elsewhere").name == "Asia/Tokyo")
    #expect(try resolve(nil, fixture.path + "/missing") === Zone.utc)
  }

  @Test("a copied localtime takes its name from the timezone file, unless that is stale")
  func copy() throws {
    let fixture = try ZoneFolderFixture()
    try fixture.write(try ZoneFolderFixture.bytes("Europe/Berlin"), "localtime")
    try fixture.write(Array("Europe/Berlin\n".utf8), "timezone")
    try fixture.write(Array("Asia/Tokyo\n".utf8), "stale")
    try fixture.write(Array("../../etc/passwd\n".utf8), "hostile")
    func resolve(_ timezone: String) throws -> Zone {
      try LocalZone.resolve(
        TZ: nil, localtimePath: fixture.path + "/localtime",
        timezonePath: fixture.path + "/" + timezone, database: database)
    }
    #expect(try resolve("timezone") === database.zone(named: "Europe/Berlin"))
    for other in ["stale", "hostile", "missing"] {
      let zone = try resolve(other)
      #expect(zone.name == fixture.path + "/localtime")
      #expect(zone.utcOffset(at: Instant(secondsSinceEpoch: 0)) == 3600)
    }
    try fixture.write(Array("nothing".utf8), "localtime")
    #expect(throws: ZoneError.self) { try resolve("timezone") }
  }

  // Checks Decisions: Time zones/2
  @Test("the zone folder of TZDIR holds for the local zone too")
  func otherFolder() throws {
    let fixture = try ZoneFolderFixture()
    try fixture.write(try ZoneFolderFixture.bytes("Asia/Tokyo"), "Europe/Berlin")
    let database = ZoneDatabase.system(TZDIR: fixture.path)
    let zone = try LocalZone.resolve(TZ: "Europe/Berlin", database: database)
    #expect(zone.utcOffset(at: Instant(secondsSinceEpoch: 0)) == 9 * 3600)
  }
}
