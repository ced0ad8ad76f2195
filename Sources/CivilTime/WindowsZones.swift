/// The names that Windows and Outlook give to zones.
enum WindowsZones {
  /// The IANA names of a Windows name such as `W. Europe Standard Time`: first that for all territories,
  /// then those of single territories. Letter case and punctuation do not count, so that
  /// `U.S. Eastern Standard Time` of old Exchange servers is found.
  static func zones(of windowsName: String) -> [String] {
    zones[letters(of: windowsName)] ?? []
  }

  private static let zones: [String: [String]] = {
    var zones: [String: [String]] = [:]
    zones.reserveCapacity(200)
    for table in [table, older] {
      for line in table.utf8.split(separator: UInt8(ascii: "\n")) {
        guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let names = line[line.index(after: sign)...].split(separator: UInt8(ascii: " "))
          .map { String(decoding: $0, as: UTF8.self) }
        zones[letters(of: String(decoding: line[..<sign], as: UTF8.self)), default: []] += names
      }
    }
    return zones
  }()

  /// Lower-case letters, digits and signs alone, which is what two spellings of a name share.
  static func letters(of name: some StringProtocol) -> String {
    let kept = name.utf8.lazy.filter { byte in
      byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "+")
        || byte == UInt8(ascii: "-") || byte >= 0x80
    }
    return String(decoding: kept.map { $0.isASCIILetter ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// CLDR's windowsZones: version 42 as ICU 72 holds it, with the changes to the zones of territory
  /// 001 up to the list of Python's tzlocal 5.4.5. A name with many zones has several lines.
  private static let table = """
    AUS Central Standard Time=Australia/Darwin
    AUS Eastern Standard Time=Australia/Sydney
    Afghanistan Standard Time=Asia/Kabul
    Alaskan Standard Time=America/Anchorage
    Alberta Standard Time=America/Edmonton
    Aleutian Standard Time=America/Adak
    Altai Standard Time=Asia/Barnaul
    Arab Standard Time=Asia/Riyadh Asia/Bahrain Asia/Kuwait Asia/Qatar Asia/Aden
    Arabian Standard Time=Asia/Dubai Asia/Muscat
    Arabic Standard Time=Asia/Baghdad
    Argentina Standard Time=America/Buenos_Aires
    Astrakhan Standard Time=Europe/Astrakhan
    Atlantic Standard Time=America/Halifax Atlantic/Bermuda America/Thule
    Aus Central W. Standard Time=Australia/Eucla
    Azerbaijan Standard Time=Asia/Baku
    Azores Standard Time=Atlantic/Azores America/Scoresbysund
    Bahia Standard Time=America/Bahia
    Bangladesh Standard Time=Asia/Dhaka Asia/Thimphu
    Belarus Standard Time=Europe/Minsk
    Bougainville Standard Time=Pacific/Bougainville
    British Columbia Standard Time=America/Vancouver
    Canada Central Standard Time=America/Regina
    Cape Verde Standard Time=Atlantic/Cape_Verde
    Caucasus Standard Time=Asia/Yerevan
    Cen. Australia Standard Time=Australia/Adelaide
    Central America Standard Time=America/Guatemala America/Belize America/Costa_Rica
    Central America Standard Time=Pacific/Galapagos America/Tegucigalpa America/Managua
    Central America Standard Time=America/El_Salvador
    Central Asia Standard Time=Asia/Bishkek Antarctica/Vostok Asia/Urumqi Indian/Chagos
    Central Asia Standard Time=Asia/Almaty
    Central Brazilian Standard Time=America/Cuiaba
    Central Europe Standard Time=Europe/Budapest Europe/Tirane Europe/Prague Europe/Podgorica
    Central Europe Standard Time=Europe/Belgrade Europe/Ljubljana Europe/Bratislava
    Central European Standard Time=Europe/Warsaw Europe/Sarajevo Europe/Zagreb Europe/Skopje
    Central Pacific Standard Time=Pacific/Guadalcanal Antarctica/Casey Pacific/Ponape
    Central Pacific Standard Time=Pacific/Noumea Pacific/Efate
    Central Standard Time=America/Chicago America/Winnipeg America/Matamoros CST6CDT
    Central Standard Time (Mexico)=America/Mexico_City
    Chatham Islands Standard Time=Pacific/Chatham
    China Standard Time=Asia/Shanghai Asia/Hong_Kong Asia/Macau
    Cuba Standard Time=America/Havana
    Dateline Standard Time=Etc/GMT+12
    E. Africa Standard Time=Africa/Nairobi Antarctica/Syowa Africa/Djibouti Africa/Asmera
    E. Africa Standard Time=Africa/Addis_Ababa Indian/Comoro Indian/Antananarivo Africa/Mogadishu
    E. Africa Standard Time=Africa/Dar_es_Salaam Africa/Kampala Indian/Mayotte
    E. Australia Standard Time=Australia/Brisbane
    E. Europe Standard Time=Europe/Chisinau
    E. South America Standard Time=America/Sao_Paulo
    Easter Island Standard Time=Pacific/Easter
    Eastern Standard Time=America/New_York America/Nassau America/Toronto EST5EDT
    Eastern Standard Time (Mexico)=America/Cancun
    Egypt Standard Time=Africa/Cairo
    Ekaterinburg Standard Time=Asia/Yekaterinburg
    FLE Standard Time=Europe/Kiev Europe/Mariehamn Europe/Sofia Europe/Tallinn Europe/Helsinki
    FLE Standard Time=Europe/Vilnius Europe/Riga
    Fiji Standard Time=Pacific/Fiji
    GMT Standard Time=Europe/London Atlantic/Canary Atlantic/Faeroe Europe/Guernsey Europe/Dublin
    GMT Standard Time=Europe/Isle_of_Man Europe/Jersey Europe/Lisbon
    GTB Standard Time=Europe/Bucharest Asia/Nicosia Europe/Athens
    Georgian Standard Time=Asia/Tbilisi
    Greenland Standard Time=America/Godthab
    Greenwich Standard Time=Atlantic/Reykjavik Africa/Ouagadougou Africa/Abidjan Africa/Accra
    Greenwich Standard Time=America/Danmarkshavn Africa/Banjul Africa/Conakry Africa/Bissau
    Greenwich Standard Time=Africa/Monrovia Africa/Bamako Africa/Nouakchott Atlantic/St_Helena
    Greenwich Standard Time=Africa/Freetown Africa/Dakar Africa/Lome
    Haiti Standard Time=America/Port-au-Prince
    Hawaiian Standard Time=Pacific/Honolulu Pacific/Rarotonga Pacific/Tahiti Pacific/Johnston
    India Standard Time=Asia/Calcutta
    Iran Standard Time=Asia/Tehran
    Israel Standard Time=Asia/Jerusalem
    Jordan Standard Time=Asia/Amman
    Kaliningrad Standard Time=Europe/Kaliningrad
    Korea Standard Time=Asia/Seoul
    Libya Standard Time=Africa/Tripoli
    Line Islands Standard Time=Pacific/Kiritimati
    Lord Howe Standard Time=Australia/Lord_Howe
    Magadan Standard Time=Asia/Magadan
    Magallanes Standard Time=America/Punta_Arenas
    Manitoba Standard Time=America/Winnipeg
    Marquesas Standard Time=Pacific/Marquesas
    Mauritius Standard Time=Indian/Mauritius Indian/Reunion Indian/Mahe
    Middle East Standard Time=Asia/Beirut
    Montevideo Standard Time=America/Montevideo
    Morocco Standard Time=Africa/Casablanca Africa/El_Aaiun
    Mountain Standard Time=America/Denver America/Edmonton America/Ojinaga MST7MDT
    Mountain Standard Time (Mexico)=America/Mazatlan America/Chihuahua
    Myanmar Standard Time=Asia/Rangoon Indian/Cocos
    N. Central Asia Standard Time=Asia/Novosibirsk
    Namibia Standard Time=Africa/Windhoek
    Nepal Standard Time=Asia/Katmandu
    New Zealand Standard Time=Pacific/Auckland Antarctica/McMurdo
    Newfoundland Standard Time=America/St_Johns
    Norfolk Standard Time=Pacific/Norfolk
    North Asia East Standard Time=Asia/Irkutsk
    North Asia Standard Time=Asia/Krasnoyarsk
    North Korea Standard Time=Asia/Pyongyang
    Omsk Standard Time=Asia/Omsk
    Pacific SA Standard Time=America/Santiago
    Pacific Standard Time=America/Los_Angeles America/Vancouver PST8PDT
    Pacific Standard Time (Mexico)=America/Tijuana
    Pakistan Standard Time=Asia/Karachi
    Paraguay Standard Time=America/Asuncion
    Qyzylorda Standard Time=Asia/Qyzylorda
    Romance Standard Time=Europe/Paris Europe/Brussels Europe/Copenhagen Europe/Madrid
    Russia Time Zone 10=Asia/Srednekolymsk
    Russia Time Zone 11=Asia/Kamchatka
    Russia Time Zone 3=Europe/Samara
    Russian Standard Time=Europe/Moscow Europe/Simferopol
    SA Eastern Standard Time=America/Cayenne Antarctica/Rothera America/Fortaleza Atlantic/Stanley
    SA Eastern Standard Time=America/Paramaribo
    SA Pacific Standard Time=America/Bogota America/Rio_Branco America/Coral_Harbour
    SA Pacific Standard Time=America/Guayaquil America/Jamaica America/Cayman America/Panama
    SA Pacific Standard Time=America/Lima
    SA Western Standard Time=America/La_Paz America/Antigua America/Anguilla America/Aruba
    SA Western Standard Time=America/Barbados America/St_Barthelemy America/Kralendijk
    SA Western Standard Time=America/Manaus America/Blanc-Sablon America/Curacao America/Dominica
    SA Western Standard Time=America/Santo_Domingo America/Grenada America/Guadeloupe
    SA Western Standard Time=America/Guyana America/St_Kitts America/St_Lucia America/Marigot
    SA Western Standard Time=America/Martinique America/Montserrat America/Puerto_Rico
    SA Western Standard Time=America/Lower_Princes America/Port_of_Spain America/St_Vincent
    SA Western Standard Time=America/Tortola America/St_Thomas
    SE Asia Standard Time=Asia/Bangkok Antarctica/Davis Indian/Christmas Asia/Jakarta
    SE Asia Standard Time=Asia/Phnom_Penh Asia/Vientiane Asia/Saigon
    Saint Pierre Standard Time=America/Miquelon
    Sakhalin Standard Time=Asia/Sakhalin
    Samoa Standard Time=Pacific/Apia
    Sao Tome Standard Time=Africa/Sao_Tome
    Saratov Standard Time=Europe/Saratov
    Singapore Standard Time=Asia/Singapore Asia/Brunei Asia/Makassar Asia/Kuala_Lumpur Asia/Manila
    South Africa Standard Time=Africa/Johannesburg Africa/Bujumbura Africa/Gaborone
    South Africa Standard Time=Africa/Lubumbashi Africa/Maseru Africa/Blantyre Africa/Maputo
    South Africa Standard Time=Africa/Kigali Africa/Mbabane Africa/Lusaka Africa/Harare
    South Sudan Standard Time=Africa/Juba
    Sri Lanka Standard Time=Asia/Colombo
    Sudan Standard Time=Africa/Khartoum
    Syria Standard Time=Asia/Damascus
    Taipei Standard Time=Asia/Taipei
    Tasmania Standard Time=Australia/Hobart
    Tocantins Standard Time=America/Araguaina
    Tokyo Standard Time=Asia/Tokyo Asia/Jayapura Pacific/Palau Asia/Dili
    Tomsk Standard Time=Asia/Tomsk
    Tonga Standard Time=Pacific/Tongatapu
    Transbaikal Standard Time=Asia/Chita
    Turkey Standard Time=Europe/Istanbul
    Turks And Caicos Standard Time=America/Grand_Turk
    US Eastern Standard Time=America/Indianapolis
    US Mountain Standard Time=America/Phoenix America/Creston America/Hermosillo
    UTC=Etc/UTC
    UTC+12=Etc/GMT-12 Pacific/Tarawa Pacific/Majuro Pacific/Nauru Pacific/Funafuti Pacific/Wake
    UTC+12=Pacific/Wallis
    UTC+13=Etc/GMT-13 Pacific/Enderbury Pacific/Fakaofo
    UTC-02=Etc/GMT+2 America/Noronha Atlantic/South_Georgia
    UTC-08=Etc/GMT+8 Pacific/Pitcairn
    UTC-09=Etc/GMT+9 Pacific/Gambier
    UTC-11=Etc/GMT+11 Pacific/Pago_Pago Pacific/Niue Pacific/Midway
    Ulaanbaatar Standard Time=Asia/Ulaanbaatar
    Venezuela Standard Time=America/Caracas
    Vladivostok Standard Time=Asia/Vladivostok
    Volgograd Standard Time=Europe/Volgograd
    W. Australia Standard Time=Australia/Perth
    W. Central Africa Standard Time=Africa/Lagos Africa/Luanda Africa/Porto-Novo Africa/Kinshasa
    W. Central Africa Standard Time=Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Algiers
    W. Central Africa Standard Time=Africa/Libreville Africa/Malabo Africa/Niamey Africa/Ndjamena
    W. Central Africa Standard Time=Africa/Tunis
    W. Europe Standard Time=Europe/Berlin Europe/Andorra Europe/Vienna Europe/Zurich
    W. Europe Standard Time=Europe/Gibraltar Europe/Rome Europe/Vaduz Europe/Luxembourg
    W. Europe Standard Time=Europe/Monaco Europe/Malta Europe/Amsterdam Europe/Oslo
    W. Europe Standard Time=Europe/Stockholm Arctic/Longyearbyen Europe/San_Marino Europe/Vatican
    W. Mongolia Standard Time=Asia/Hovd
    West Asia Standard Time=Asia/Tashkent Antarctica/Mawson Asia/Oral Indian/Maldives
    West Asia Standard Time=Indian/Kerguelen Asia/Dushanbe Asia/Ashgabat
    West Bank Standard Time=Asia/Hebron
    West Pacific Standard Time=Pacific/Port_Moresby Antarctica/DumontDUrville Pacific/Truk
    West Pacific Standard Time=Pacific/Guam Pacific/Saipan
    Yakutsk Standard Time=Asia/Yakutsk
    Yukon Standard Time=America/Whitehorse
    """

  /// Names that the table lacks but calendars use: of old Windows and Exchange releases.
  private static let older = """
    Armenian Standard Time=Asia/Yerevan
    Fiji Islands Standard Time=Pacific/Fiji
    Kamchatka Standard Time=Asia/Kamchatka
    Mexico Standard Time=America/Mexico_City
    Mexico Standard Time 2=America/Mazatlan
    Mid-Atlantic Standard Time=Etc/GMT+2
    Newfoundland and Labrador Standard Time=America/St_Johns
    Transitional Islamic State of Afghanistan Standard Time=Asia/Kabul
    Coordinated Universal Time=Etc/UTC
    tzone://Microsoft/Utc=Etc/UTC
    """
}
