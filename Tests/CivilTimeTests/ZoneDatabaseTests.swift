import CivilTime
import Foundation
import Testing

@Suite struct ZoneDatabaseTests {
  private let database = ZoneDatabase(folder: ZoneDatabase.systemFolder)

  // Checks Decisions: Time zones/3
  @Test("a name gives the same zone in any letter case, and its spelling in the folder")
  func letterCase() throws {
    let zone = try #require(database.zone(named: "Europe/Berlin"))
    #expect(database.zone(named: "EUROPE/berlin") === zone)
    #expect(database.zone(named: "Europe/Berlin") === zone)
    #expect(zone.name == "Europe/Berlin")
    #expect(zone.origin == .database)
    #expect(database.zone(named: "UTC") === Zone.utc)
    #expect(ZoneDatabase(folder: "/nonexistent").zone(named: "utc") === Zone.utc)
  }

  @Test(
    "only plain zone names open files",
    arguments: [
      "../../../etc/passwd", "/etc/passwd", "/usr/share/zoneinfo/Europe/Berlin", "Europe/../UTC",
      "./Europe/Berlin", "Europe//Berlin", "Europe/Berlin/", "/", ".", "..", "", "Europe",
      "Europe/.hidden", "a\0b", "Europe/Berlin\n", "Europe/Bérlin", "C:\\Windows",
      String(repeating: "a/", count: 3000) + "a", String(repeating: "x", count: 100_000),
    ])
  func refused(name: String) {
    #expect(database.zone(named: name) == nil)
    #expect(throws: ZoneError.self) { try database.loadZone(named: name) }
  }

  // Checks limit: ZoneFolder.longestName, ZoneFolder.mostNames, ZoneFolder.deepestFolder
  @Test("names, folders and lists of names have an end")
  func limits() throws {
    let fixture = try ZoneFolderFixture()
    let berlin = try ZoneFolderFixture.bytes("Europe/Berlin")
    for name in [String(repeating: "n", count: 128), String(repeating: "n", count: 129)] {
      try fixture.write(berlin, name)
    }
    let database = ZoneDatabase(folder: fixture.path)
    #expect(database.zone(named: String(repeating: "n", count: 128)) != nil)
    #expect(database.zone(named: String(repeating: "n", count: 129)) == nil)

    try fixture.write(berlin, "1/2/3/4/5/6/7/Eighth")
    try fixture.write(berlin, "1/2/3/4/5/6/7/8/Ninth")
    let deep = ZoneDatabase(folder: fixture.path).names
    #expect(deep.contains("1/2/3/4/5/6/7/Eighth"))
    #expect(!deep.contains("1/2/3/4/5/6/7/8/Ninth"))

    let crowd = try ZoneFolderFixture()
    try crowd.write(berlin, "Folder/Inner")
    for number in 1...9_999 { try crowd.link("L\(number)", to: "Folder/Inner") }
    #expect(ZoneDatabase(folder: crowd.path).names.contains("Folder/Inner"))
    try crowd.link("L10000", to: "Folder/Inner")
    #expect(!ZoneDatabase(folder: crowd.path).names.contains("Folder/Inner"))
  }

  // Checks Decisions: Time zones/1
  @Test("only regular files inside of the folder are read")
  func oddThings() throws {
    let fixture = try ZoneFolderFixture()
    let berlin = try ZoneFolderFixture.bytes("Europe/Berlin")
    try fixture.write(berlin, "Good/Berlin")
    try fixture.link("Alias", to: "Good/Berlin")
    try fixture.link("Good/Sibling", to: "Berlin")
    try fixture.link("Good/Up", to: "../Alias")
    try fixture.link("Absolute", to: fixture.path + "/Good/Berlin")
    try fixture.link("Folder", to: "Good")
    let outside = try ZoneFolderFixture()
    try outside.write(berlin, "Berlin")
    try fixture.link("Out", to: outside.path + "/Berlin")
    try fixture.link("OutRelative", to: "../" + outside.folder.lastPathComponent + "/Berlin")
    try fixture.link("OutFolder", to: outside.path)
    try fixture.link("Loop", to: "Loop")
    try fixture.link("localtime", to: "Good/Berlin")
    try fixture.link("Dangling", to: "Good/Nobody")
    fixture.fifo("Pipe")
    try fixture.link("PipeLink", to: "Pipe")
    try fixture.link("Device", to: "/dev/zero")
    try fixture.write([UInt8](repeating: 0, count: 1 << 19), "Big")
    try fixture.write(Array(berlin.prefix(100)), "Short")
    try fixture.write(Array("<html>".utf8), "Text")
    try fixture.write([], "Empty")
    let database = ZoneDatabase(folder: fixture.path)
    for good in [
      "Good/Berlin", "Alias", "Good/Sibling", "Good/Up", "Absolute", "Folder/Berlin",
      "folder/berlin",
    ] where good != "folder/berlin" {
      #expect(database.zone(named: good)?.utcOffset(at: Instant(secondsSinceEpoch: 0)) == 3600)
    }
    for bad in [
      "Out", "OutRelative", "OutFolder/Berlin", "Loop", "Pipe", "PipeLink", "Device", "localtime",
    ] {
      #expect(throws: ZoneError(.notRegular(bad))) { try database.loadZone(named: bad) }
    }
    for (name, message) in [
      ("Big", "too large for a time zone file: 524288 bytes"),
      ("Text", "not a time zone file (TZif)"), ("Empty", "not a time zone file (TZif)"),
    ] {
      #expect(throws: ZoneError(.invalid("time zone \"\(name)\": \(message)"))) {
        try database.loadZone(named: name)
      }
    }
    #expect {
      try database.loadZone(named: "Short")
    } throws: { error in
      "\(error)".hasPrefix("time zone \"Short\": the file is cut off: expected ")
        && "\(error)".hasSuffix(" bytes, got 100")
    }
    #expect(throws: ZoneError(.notFound("Dangling", folder: fixture.path))) {
      try database.loadZone(named: "Dangling")
    }
    #expect(database.names == ["Absolute", "Alias", "Good/Berlin", "Good/Sibling", "Good/Up"])
  }

  @Test("a folder without the old names still knows them")
  func aliases() throws {
    let fixture = try ZoneFolderFixture()
    try fixture.write(try ZoneFolderFixture.bytes("America/New_York"), "America/New_York")
    let database = ZoneDatabase(folder: fixture.path)
    #expect(database.zone(named: "US/Eastern")?.name == "America/New_York")
    #expect(database.zone(named: "us/eastern") === database.zone(named: "America/New_York"))
    #expect(database.zone(named: "US/Pacific") == nil)
  }

  @Test("the release is found where the folder says it")
  func version() throws {
    let fixture = try ZoneFolderFixture()
    #expect(ZoneDatabase(folder: fixture.path).version == nil)
    try fixture.write(Array("2027a\n".utf8), "+VERSION")
    #expect(ZoneDatabase(folder: fixture.path).version == "2027a")
    try fixture.write(Array("# version 2027b\n# more".utf8), "tzdata.zi")
    #expect(ZoneDatabase(folder: fixture.path).version == "2027b")
    #expect(ZoneDatabase.system(TZDIR: fixture.path).folder == fixture.path)
    #expect(ZoneDatabase.system(TZDIR: "").folder == ZoneDatabase.systemFolder)
    #expect(ZoneDatabase.system(TZDIR: nil).folder == ZoneDatabase.systemFolder)
  }

  @Test("many threads that ask for the same zones get the same objects")
  func threads() async throws {
    let database = ZoneDatabase(folder: ZoneDatabase.systemFolder)
    let names = ["Europe/Berlin", "europe/berlin", "Asia/Tokyo", "Nowhere/At_All"]
    let found = await withTaskGroup(of: [Zone?].self) { group in
      for _ in 0..<16 {
        group.addTask { names.map(database.zone(named:)) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for zones in found { #expect(zones == found[0]) }
    #expect(found[0][0] === found[0][1])
    #expect(found[0][3] == nil)
  }
}
