import CivilTime
import Testing

@Suite struct ZoneNamesTests {
  private static let names = ZoneNames(database: ZoneDatabase(folder: ZoneDatabase.systemFolder))

  // Checks limit: ZoneNames.longestName
  @Test("a name of more than 256 bytes means no zone")
  func longName() {
    for count in [256, 257] {
      let padding = String(repeating: "v", count: count - "//Europe/Berlin".utf8.count)
      let zone = Self.names.resolution(of: "/\(padding)/Europe/Berlin").zone
      #expect(zone?.name == (count > 256 ? nil : "Europe/Berlin"))
    }
  }

  // Checks Decisions: Time zones/3, Deviations/1
  @Test(
    "a name in a calendar means its zone",
    arguments: [
      ("Europe/Berlin", "Europe/Berlin", ZoneResolution.Source.database),
      ("europe/berlin", "Europe/Berlin", .database),
      ("AMERICA/ARGENTINA/BUENOS_AIRES", "America/Argentina/Buenos_Aires", .database),
      ("US/Eastern", "US/Eastern", .database),
      ("UTC", "UTC", .database), ("utc", "UTC", .database), ("Etc/GMT+5", "Etc/GMT+5", .database),
      ("EST5EDT", "EST5EDT", .database),
      ("/mozilla.org/20070129_1/Europe/Berlin", "Europe/Berlin", .database),
      ("/freeassociation.sourceforge.net/Tzfile/Europe/Berlin", "Europe/Berlin", .database),
      ("/freeassociation.sourceforge.net/America/New_York", "America/New_York", .database),
      (
        "/softwarestudio.org/Olson_20011030_5/America/Indiana/Knox", "America/Indiana/Knox",
        .database
      ),
      ("/citadel.org/20250101_1/Asia/Tokyo", "Asia/Tokyo", .database),
      ("/example.com/7/UTC", "UTC", .database),
      ("example.com/7/Europe/Paris", "Europe/Paris", .database),
      ("example.com/Europe/Paris", "Europe/Paris", .database),
      ("example.com//Europe//Paris", "Europe/Paris", .database),
      (
        "W. Europe Standard Time", "Europe/Berlin", .otherName
      ),
      ("Romance Standard Time", "Europe/Paris", .otherName),
      ("eastern standard time", "America/New_York", .otherName),
      (
        "U.S. Eastern Standard Time", "America/Indianapolis",
        .otherName
      ),
      ("GMT Standard Time 1", "Europe/London", .otherName),
      ("\"W. Europe Standard Time\"", "Europe/Berlin", .otherName),
      ("UTC-11", "Etc/GMT+11", .otherName),
      ("tzone://Microsoft/Utc", "Etc/UTC", .otherName),
      (
        "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "Europe/Berlin",
        .otherName
      ),
      (
        "(GMT+01.00) Amsterdam / Berlin / Bern / Rome / Stockholm / Vienna", "Europe/Berlin",
        .otherName
      ),
      (
        "(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien", "Europe/Berlin",
        .otherName
      ),
      (
        "(GMT-05:00) Eastern Time (US & Canada)", "America/New_York",
        .otherName
      ),
      (
        "(GMT-08:00) Pacific Time (US and Canada); Tijuana", "America/Los_Angeles",
        .otherName
      ),
      (
        "(GMT) Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London", "Europe/London",
        .otherName
      ),
      (
        "(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi", "Asia/Calcutta",
        .otherName
      ),
      (
        "Pacific Time (US & Canada)", "America/Los_Angeles",
        .otherName
      ),
      ("(UTC) Coordinated Universal Time", "Etc/UTC", .otherName),
      ("GMT+05:30", "+05:30", .fixedOffset), ("UTC-3", "-03:00", .fixedOffset),
      ("GMT+5:30", "+05:30", .fixedOffset), ("GMT+5.30", "+05:30", .fixedOffset),
      ("+0530", "+05:30", .fixedOffset), ("-03:00", "-03:00", .fixedOffset),
      ("GMT-0330", "-03:30", .fixedOffset), ("(UTC+05:45)", "+05:45", .fixedOffset),
      ("GMT+00:00", "UTC", .fixedOffset), ("UTC+00:19:32", "+00:19:32", .fixedOffset),
      ("Z", "UTC", .fixedOffset), ("gmt+1", "+01:00", .fixedOffset),
      (" Europe/Berlin ", "Europe/Berlin", .similarName),
      ("\"Europe/Berlin\"", "Europe/Berlin", .similarName),
      ("Europe/Berlin 1", "Europe/Berlin", .similarName),
      ("America/New York", "America/New_York", .similarName),
      ("/Europe/London", "Europe/London", .database),
      ("/UTC", "UTC", .database),
      ("America_New_York", "America/New_York", .similarName),
      ("US-Eastern", "US/Eastern", .similarName),
      ("America-New-York", "America/New_York", .similarName),
      ("America-Argentina-Buenos-Aires", "America/Argentina/Buenos_Aires", .similarName),
      ("America-Port-au-Prince", "America/Port-au-Prince", .similarName),
      ("America/New-York", "America/New_York", .similarName),
      ("/America_New_York", "America/New_York", .similarName),
      ("/US-Eastern", "US/Eastern", .similarName),
      (
        "America-Argentina-Buenos_Aires", "America/Argentina/Buenos_Aires", .similarName
      ),
    ])
  func known(name: String, zone: String, source: ZoneResolution.Source) {
    let resolution = Self.names.resolution(of: name)
    #expect(resolution.zone?.name == zone)
    #expect(resolution.source == source)
    #expect(Self.names.resolution(of: name).zone === resolution.zone)
  }

  @Test(
    "a name that says nothing is not guessed",
    arguments: [
      "", " ", "Customized Time Zone", "Nowhere/City", "../../../etc/passwd", "/etc/passwd",
      "New_York", "Microsoft/Berlin", "GMT+25", "GMT+5:3", "GMT+:30", "GMT+5:",
      "UTC+1:2:3:4", "+", "GMT+", "GMT+1:60", "UTC+00:00:60", "UTC11",
      "(UTC+01:00) Atlantis", "(UTC+01:00)x", "GMT+12345", "Standard Time", "1", "Europe",
      "Europe/", "/", "//", "zone.tab", "tzdata.zi", "+99:00",
    ])
  func unknown(name: String) {
    #expect(Self.names.resolution(of: name) == ZoneResolution.unresolved)
  }

  @Test("a fixed offset is the same zone whoever says it")
  func fixedOffsets() throws {
    let zone = try #require(Self.names.resolution(of: "GMT+05:30").zone)
    #expect(zone.utcOffset(at: Instant(secondsSinceEpoch: 0)) == 19_800)
    #expect(zone.origin == .fixedOffset)
    #expect(Self.names.resolution(of: "+0530").zone === zone)
    #expect(Self.names.resolution(of: "UTC+0").zone === Zone.utc)
  }

  // Checks Decisions: Time zones/5
  @Test("every zone of CLDR's Windows table and every label of Outlook leads to a zone")
  func tables() {
    for name in WindowsNames.all {
      let resolution = Self.names.resolution(of: name)
      #expect(resolution.zone != nil, "\(name)")
      #expect(resolution.source == .otherName || name == "UTC", "\(name)")
    }
  }

  @Test("names without meaning are remembered only in bounds")
  func bounded() {
    let names = ZoneNames(database: ZoneDatabase(folder: "/nonexistent"))
    for number in 0..<21_000 {
      #expect(names.resolution(of: "Hostile/Zone\(number)").zone == nil)
    }
    #expect(names.resolution(of: String(repeating: "x/", count: 100_000)).zone == nil)
  }

  @Test("no bytes trap")
  func total() {
    let pieces = [
      "Europe", "/", "Berlin", "GMT", "+", "-", "05", ":", "30", "(", ")", "UTC", " ", "\"", "1",
      "Standard Time", "..", "\0", "é", ",", "99999999999999999999",
    ]
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0...7)).compactMap { _ in pieces.randomElement() }.joined()
      let bytes = Array(text.utf8) + [UInt8.random(in: 0...255)]
      _ = Self.names.resolution(of: String(decoding: bytes, as: UTF8.self))
    }
  }
}

/// The Windows names of CLDR 42 as ICU lists them (`ucal_getWindowsTimeZoneID`'s data), to see that
/// none is missing.
private enum WindowsNames {
  static let all = list.split(separator: "|").map(String.init)

  private static let list = """
    AUS Central Standard Time|AUS Eastern Standard Time|Afghanistan Standard Time|\
    Alaskan Standard Time|Aleutian Standard Time|Altai Standard Time|Arab Standard Time|\
    Arabian Standard Time|Arabic Standard Time|Argentina Standard Time|Astrakhan Standard Time|\
    Atlantic Standard Time|Aus Central W. Standard Time|Azerbaijan Standard Time|\
    Azores Standard Time|Bahia Standard Time|Bangladesh Standard Time|Belarus Standard Time|\
    Bougainville Standard Time|Canada Central Standard Time|Cape Verde Standard Time|\
    Caucasus Standard Time|Cen. Australia Standard Time|Central America Standard Time|\
    Central Asia Standard Time|Central Brazilian Standard Time|Central Europe Standard Time|\
    Central European Standard Time|Central Pacific Standard Time|Central Standard Time|\
    Central Standard Time (Mexico)|Chatham Islands Standard Time|China Standard Time|\
    Cuba Standard Time|Dateline Standard Time|E. Africa Standard Time|\
    E. Australia Standard Time|E. Europe Standard Time|E. South America Standard Time|\
    Easter Island Standard Time|Eastern Standard Time|Eastern Standard Time (Mexico)|\
    Egypt Standard Time|Ekaterinburg Standard Time|FLE Standard Time|Fiji Standard Time|\
    GMT Standard Time|GTB Standard Time|Georgian Standard Time|Greenland Standard Time|\
    Greenwich Standard Time|Haiti Standard Time|Hawaiian Standard Time|India Standard Time|\
    Iran Standard Time|Israel Standard Time|Jordan Standard Time|Kaliningrad Standard Time|\
    Korea Standard Time|Libya Standard Time|Line Islands Standard Time|Lord Howe Standard Time|\
    Magadan Standard Time|Magallanes Standard Time|Marquesas Standard Time|\
    Mauritius Standard Time|Middle East Standard Time|Montevideo Standard Time|\
    Morocco Standard Time|Mountain Standard Time|Mountain Standard Time (Mexico)|\
    Myanmar Standard Time|N. Central Asia Standard Time|Namibia Standard Time|\
    Nepal Standard Time|New Zealand Standard Time|Newfoundland Standard Time|\
    Norfolk Standard Time|North Asia East Standard Time|North Asia Standard Time|\
    North Korea Standard Time|Omsk Standard Time|Pacific SA Standard Time|Pacific Standard Time|\
    Pacific Standard Time (Mexico)|Pakistan Standard Time|Paraguay Standard Time|\
    Qyzylorda Standard Time|Romance Standard Time|Russia Time Zone 10|Russia Time Zone 11|\
    Russia Time Zone 3|Russian Standard Time|SA Eastern Standard Time|SA Pacific Standard Time|\
    SA Western Standard Time|SE Asia Standard Time|Saint Pierre Standard Time|\
    Sakhalin Standard Time|Samoa Standard Time|Sao Tome Standard Time|Saratov Standard Time|\
    Singapore Standard Time|South Africa Standard Time|South Sudan Standard Time|\
    Sri Lanka Standard Time|Sudan Standard Time|Syria Standard Time|Taipei Standard Time|\
    Tasmania Standard Time|Tocantins Standard Time|Tokyo Standard Time|Tomsk Standard Time|\
    Tonga Standard Time|Transbaikal Standard Time|Turkey Standard Time|\
    Turks And Caicos Standard Time|US Eastern Standard Time|US Mountain Standard Time|UTC|\
    UTC+12|UTC+13|UTC-02|UTC-08|UTC-09|UTC-11|Ulaanbaatar Standard Time|Venezuela Standard Time|\
    Vladivostok Standard Time|Volgograd Standard Time|W. Australia Standard Time|\
    W. Central Africa Standard Time|W. Europe Standard Time|W. Mongolia Standard Time|\
    West Asia Standard Time|West Bank Standard Time|West Pacific Standard Time|\
    Yakutsk Standard Time|Yukon Standard Time|Alberta Standard Time|\
    British Columbia Standard Time|Manitoba Standard Time
    """
}
