/// The labels under which Windows and Outlook show zones: `(UTC+01:00) Amsterdam, Berlin, Bern,
/// Rome, Stockholm, Vienna`. Some programs write them as TZID.
enum WindowsZoneLabels {
  /// The Windows name for a label, with or without the offset before it.
  ///
  /// Labels changed over the years and are translated; one that is not in the table is taken for
  /// the entry with which it shares most places, if it begins with an offset.
  static func windowsName(of label: String) -> String? {
    let (hasOffset, places) = places(of: label)
    guard let places, !places.isEmpty else { return nil }
    if let name = labels[WindowsZones.letters(of: withoutAnd(places))] { return name }
    guard hasOffset else { return nil }
    var shared: [String: Int] = [:]
    var best: (name: String, count: Int)?
    for place in Set(split(places)) {
      for name in labelsOfPlace[place] ?? [] {
        let count = (shared[name] ?? 0) + 1
        shared[name] = count
        if count > best?.count ?? 0 || count == best?.count && name < best?.name ?? "" {
          best = (name, count)
        }
      }
    }
    return best?.name
  }

  private static let lines: [(name: String, labels: [Substring])] = table.split(separator: "\n")
    .compactMap { line in
      let fields = line.split(separator: "|")
      return fields.first.map { (String($0), Array(fields.dropFirst())) }
    }

  /// Windows names by their labels' letters.
  private static let labels: [String: String] = {
    var labels: [String: String] = [:]
    for line in lines {
      for label in line.labels {
        let key = WindowsZones.letters(of: withoutAnd(label))
        if labels[key] == nil { labels[key] = line.name }
      }
    }
    return labels
  }()

  /// Windows names by each place of their labels.
  private static let labelsOfPlace: [String: Set<String>] = {
    var names: [String: Set<String>] = [:]
    for line in lines {
      for label in line.labels {
        for place in split(label) { names[place, default: []].insert(line.name) }
      }
    }
    return names
  }()

  /// The text after `(UTC+01:00)`, `(GMT)` or `(GMT+01.00)`, otherwise the whole label.
  private static func places(of label: String) -> (hasOffset: Bool, places: Substring?) {
    guard label.first == "(" else { return (false, label[...]) }
    guard let end = label.firstIndex(of: ")") else { return (false, nil) }
    let clock = label[label.index(after: label.startIndex)..<end]
    let isOffset =
      (clock.hasPrefix("UTC") || clock.hasPrefix("GMT"))
      && clock.dropFirst(3).utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: ":")).contains(byte) || byte == UInt8(ascii: "+")
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      }
    guard isOffset else { return (false, nil) }
    return (true, label[label.index(after: end)...])
  }

  /// `US & Canada` and `US and Canada` are one.
  private static func withoutAnd(_ text: Substring) -> String {
    text.split(separator: " ").filter { $0 != "and" }.joined(separator: " ")
  }

  private static func split(_ places: Substring) -> [String] {
    places.split { ",;/:".contains($0) }.map { WindowsZones.letters(of: withoutAnd($0)) }
      .filter { !$0.isEmpty }
  }

  /// A Windows name, then the places of its labels, the present one first.
  private static let table = """
    Dateline Standard Time|International Date Line West|Eniwetok, Kwajalein
    UTC-11|Coordinated Universal Time-11
    Aleutian Standard Time|Aleutian Islands
    Hawaiian Standard Time|Hawaii
    Marquesas Standard Time|Marquesas Islands
    Alaskan Standard Time|Alaska
    UTC-09|Coordinated Universal Time-09
    Pacific Standard Time (Mexico)|Baja California|Tijuana, Baja California
    UTC-08|Coordinated Universal Time-08
    Pacific Standard Time|Pacific Time (US & Canada)|Pacific Time (US & Canada); Tijuana
    US Mountain Standard Time|Arizona
    Mountain Standard Time (Mexico)|La Paz, Mazatlan|Chihuahua, La Paz, Mazatlan
    Mountain Standard Time|Mountain Time (US & Canada)
    Yukon Standard Time|Yukon
    Central America Standard Time|Central America
    Central Standard Time|Central Time (US & Canada)
    Easter Island Standard Time|Easter Island
    Central Standard Time (Mexico)|Guadalajara, Mexico City, Monterrey|Mexico City, Tegucigalpa
    Canada Central Standard Time|Saskatchewan
    SA Pacific Standard Time|Bogota, Lima, Quito, Rio Branco|Bogota, Lima, Quito
    Eastern Standard Time (Mexico)|Chetumal
    Eastern Standard Time|Eastern Time (US & Canada)
    Haiti Standard Time|Haiti
    Cuba Standard Time|Havana
    US Eastern Standard Time|Indiana (East)
    Turks And Caicos Standard Time|Turks and Caicos
    Paraguay Standard Time|Asuncion
    Atlantic Standard Time|Atlantic Time (Canada)
    Venezuela Standard Time|Caracas
    Central Brazilian Standard Time|Cuiaba|Manaus
    SA Western Standard Time|Georgetown, La Paz, Manaus, San Juan|Caracas, La Paz|La Paz
    Pacific SA Standard Time|Santiago
    Newfoundland Standard Time|Newfoundland|Newfoundland and Labrador
    Tocantins Standard Time|Araguaina
    E. South America Standard Time|Brasilia
    SA Eastern Standard Time|Cayenne, Fortaleza|Buenos Aires, Georgetown|Georgetown
    Argentina Standard Time|City of Buenos Aires|Buenos Aires
    Greenland Standard Time|Greenland
    Montevideo Standard Time|Montevideo
    Magallanes Standard Time|Punta Arenas
    Saint Pierre Standard Time|Saint Pierre and Miquelon
    Bahia Standard Time|Salvador
    UTC-02|Coordinated Universal Time-02
    Mid-Atlantic Standard Time|Mid-Atlantic - Old|Mid-Atlantic
    Azores Standard Time|Azores
    Cape Verde Standard Time|Cabo Verde Is.|Cape Verde Is.|Cape Verde Islands
    UTC|Coordinated Universal Time
    GMT Standard Time|Dublin, Edinburgh, Lisbon, London|\
    Greenwich Mean Time: Dublin, Edinburgh, Lisbon, London|\
    Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London
    Greenwich Standard Time|Monrovia, Reykjavik|Casablanca, Monrovia
    Sao Tome Standard Time|Sao Tome
    Morocco Standard Time|Casablanca
    W. Europe Standard Time|Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna
    Central Europe Standard Time|Belgrade, Bratislava, Budapest, Ljubljana, Prague|\
    Prague, Central Europe
    Romance Standard Time|Brussels, Copenhagen, Madrid, Paris|Paris, Madrid, Brussels, Copenhagen
    Central European Standard Time|Sarajevo, Skopje, Warsaw, Zagreb|\
    Sarajevo, Skopje, Sofija, Vilnius, Warsaw, Zagreb
    W. Central Africa Standard Time|West Central Africa
    Jordan Standard Time|Amman
    GTB Standard Time|Athens, Bucharest|Athens, Bucharest, Istanbul|Athens, Istanbul, Minsk|\
    Athens, Istanbul, Greece
    Middle East Standard Time|Beirut
    Egypt Standard Time|Cairo
    E. Europe Standard Time|Chisinau|Bucharest
    Syria Standard Time|Damascus
    West Bank Standard Time|Gaza, Hebron
    South Africa Standard Time|Harare, Pretoria
    FLE Standard Time|Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius|\
    Helsinki, Kiev, Riga, Sofia, Tallinn, Vilnius|Helsinki, Riga, Tallinn
    Israel Standard Time|Jerusalem|Israel
    South Sudan Standard Time|Juba
    Kaliningrad Standard Time|Kaliningrad|Kaliningrad (RTZ 1)
    Sudan Standard Time|Khartoum
    Libya Standard Time|Tripoli
    Namibia Standard Time|Windhoek
    Arabic Standard Time|Baghdad
    Turkey Standard Time|Istanbul
    Arab Standard Time|Kuwait, Riyadh
    Belarus Standard Time|Minsk
    Russian Standard Time|Moscow, St. Petersburg|Moscow, St. Petersburg, Volgograd|\
    Moscow, St. Petersburg, Volgograd (RTZ 2)
    E. Africa Standard Time|Nairobi
    Volgograd Standard Time|Volgograd
    Iran Standard Time|Tehran
    Arabian Standard Time|Abu Dhabi, Muscat
    Astrakhan Standard Time|Astrakhan, Ulyanovsk
    Azerbaijan Standard Time|Baku
    Russia Time Zone 3|Izhevsk, Samara|Izhevsk, Samara (RTZ 3)
    Mauritius Standard Time|Port Louis
    Saratov Standard Time|Saratov
    Georgian Standard Time|Tbilisi
    Caucasus Standard Time|Yerevan|Baku, Tbilisi, Yerevan|Caucasus Standard Time
    Afghanistan Standard Time|Kabul
    West Asia Standard Time|Ashgabat, Tashkent|Tashkent|Islamabad, Karachi, Tashkent
    Qyzylorda Standard Time|Astana|Qyzylorda
    Ekaterinburg Standard Time|Ekaterinburg|Ekaterinburg (RTZ 4)
    Pakistan Standard Time|Islamabad, Karachi
    India Standard Time|Chennai, Kolkata, Mumbai, New Delhi|Calcutta, Chennai, Mumbai, New Delhi|\
    Bombay, Calcutta, Madras, New Delhi
    Sri Lanka Standard Time|Sri Jayawardenepura
    Nepal Standard Time|Kathmandu
    Central Asia Standard Time|Bishkek|Astana, Dhaka|Almaty, Dhaka
    Bangladesh Standard Time|Dhaka
    Omsk Standard Time|Omsk
    Myanmar Standard Time|Yangon (Rangoon)|Rangoon
    SE Asia Standard Time|Bangkok, Hanoi, Jakarta
    Altai Standard Time|Barnaul, Gorno-Altaysk
    W. Mongolia Standard Time|Hovd
    North Asia Standard Time|Krasnoyarsk|Krasnoyarsk (RTZ 6)
    N. Central Asia Standard Time|Novosibirsk|Almaty, Novosibirsk|Novosibirsk (RTZ 5)
    Tomsk Standard Time|Tomsk
    China Standard Time|Beijing, Chongqing, Hong Kong, Urumqi|\
    Beijing, Chongqing, Hong Kong SAR, Urumqi
    North Asia East Standard Time|Irkutsk|Irkutsk, Ulaan Bataar|Irkutsk, Ulaanbaatar|Irkutsk (RTZ 7)
    Singapore Standard Time|Kuala Lumpur, Singapore
    W. Australia Standard Time|Perth
    Taipei Standard Time|Taipei
    Ulaanbaatar Standard Time|Ulaanbaatar
    Aus Central W. Standard Time|Eucla
    Transbaikal Standard Time|Chita
    Tokyo Standard Time|Osaka, Sapporo, Tokyo
    North Korea Standard Time|Pyongyang
    Korea Standard Time|Seoul
    Yakutsk Standard Time|Yakutsk|Yakutsk (RTZ 8)
    Cen. Australia Standard Time|Adelaide
    AUS Central Standard Time|Darwin
    E. Australia Standard Time|Brisbane
    AUS Eastern Standard Time|Canberra, Melbourne, Sydney
    West Pacific Standard Time|Guam, Port Moresby
    Tasmania Standard Time|Hobart
    Vladivostok Standard Time|Vladivostok|Vladivostok, Magadan (RTZ 9)
    Lord Howe Standard Time|Lord Howe Island
    Bougainville Standard Time|Bougainville Island
    Russia Time Zone 10|Chokurdakh|Chokurdakh (RTZ 10)
    Magadan Standard Time|Magadan
    Norfolk Standard Time|Norfolk Island
    Sakhalin Standard Time|Sakhalin
    Central Pacific Standard Time|Solomon Is., New Caledonia|\
    Magadan, Solomon Is., New Caledonia|Magadan, Solomon Islands, New Caledonia
    Russia Time Zone 11|Anadyr, Petropavlovsk-Kamchatsky|\
    Anadyr, Petropavlovsk-Kamchatsky (RTZ 11)
    New Zealand Standard Time|Auckland, Wellington
    UTC+12|Coordinated Universal Time+12
    Fiji Standard Time|Fiji|Fiji, Marshall Is.|Fiji, Kamchatka, Marshall Is.|\
    Fiji Islands, Kamchatka, Marshall Islands
    Kamchatka Standard Time|Petropavlovsk-Kamchatsky - Old|Petropavlovsk-Kamchatsky
    Chatham Islands Standard Time|Chatham Islands
    UTC+13|Coordinated Universal Time+13
    Tonga Standard Time|Nuku'alofa
    Samoa Standard Time|Samoa
    UTC-11|Midway Island, Samoa
    Line Islands Standard Time|Kiritimati Island
    """
}
