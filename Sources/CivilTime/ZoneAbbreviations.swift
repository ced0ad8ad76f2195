/// Zones that people mean by an abbreviation or a city. An abbreviation is never read as a zone, because
/// several zones have the same one; a message can name the likely zone.
package enum ZoneAbbreviations {
  /// The likely zone of a name such as `PST`, `cest` or `new york`; `nil` if none is likely.
  package static func likelyZone(of name: String, among names: [String]) -> String? {
    let plain = name.uppercased()
    if let zone = zones[plain] { return names.contains(zone) ? zone : nil }
    let city = plain.split(whereSeparator: { " -_".contains($0) }).joined(separator: "_")
    let cities = names.filter { zone in
      guard let slash = zone.lastIndex(of: "/") else { return false }
      return zone[zone.index(after: slash)...].uppercased() == city
    }
    return cities.count == 1 ? cities.first : nil
  }

  /// Whether a name has the form of an abbreviation, whose letters say nothing about other names.
  package static func isAbbreviation(_ name: String) -> Bool {
    (2...5).contains(name.utf8.count) && name.utf8.allSatisfy(\.isASCIILetter)
      && name == name.uppercased()
  }

  private static let zones = [
    "PST": "America/Los_Angeles", "PDT": "America/Los_Angeles", "MDT": "America/Denver",
    "CST": "America/Chicago", "CDT": "America/Chicago", "EDT": "America/New_York",
    "AKST": "America/Anchorage", "AKDT": "America/Anchorage", "AST": "America/Halifax",
    "ADT": "America/Halifax", "NST": "America/St_Johns", "NDT": "America/St_Johns",
    "BRT": "America/Sao_Paulo", "BST": "Europe/London", "IST": "Asia/Kolkata",
    "WEST": "Europe/Lisbon", "CEST": "Europe/Berlin", "MEZ": "Europe/Berlin",
    "MESZ": "Europe/Berlin", "EEST": "Europe/Helsinki", "MSK": "Europe/Moscow",
    "TRT": "Europe/Istanbul", "GST": "Asia/Dubai", "PKT": "Asia/Karachi", "ICT": "Asia/Bangkok",
    "WIB": "Asia/Jakarta", "SGT": "Asia/Singapore", "HKT": "Asia/Hong_Kong", "PHT": "Asia/Manila",
    "JST": "Asia/Tokyo", "KST": "Asia/Seoul", "AWST": "Australia/Perth",
    "ACST": "Australia/Adelaide", "ACDT": "Australia/Adelaide", "AEST": "Australia/Sydney",
    "AEDT": "Australia/Sydney", "NZST": "Pacific/Auckland", "NZDT": "Pacific/Auckland",
    "SAST": "Africa/Johannesburg", "EAT": "Africa/Nairobi", "WAT": "Africa/Lagos",
    "CAT": "Africa/Maputo",
  ]
}
