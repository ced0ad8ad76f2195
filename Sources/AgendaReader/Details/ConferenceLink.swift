internal import ICalendar

/// The link to an online meeting in a text. Producers write it into LOCATION or DESCRIPTION if they
/// have no property for it.
enum ConferenceLink {
  private static let places: [StaticString] = [
    "ZOOM.US/J/", "ZOOM.US/MY/", "ZOOM.US/W/", "TEAMS.MICROSOFT.COM/L/MEETUP-JOIN",
    "TEAMS.MICROSOFT.COM/MEET/", "TEAMS.LIVE.COM/MEET/", "MEET.GOOGLE.COM/", "WEBEX.COM/",
    "MEET.JIT.SI/", "WHEREBY.COM/", "GOTOMEETING.COM/JOIN/", "MEET.GOTO.COM/", "BLUEJEANS.COM/",
  ]
  /// Longer links are none that a person was sent.
  private static let longest = 4096

  static func find(in text: String) -> String? {
    var text = text
    return text.withUTF8 { find(in: $0) }
  }

  private static func find(in text: Bytes) -> String? {
    let scheme: StaticString = "HTTPS://"
    var index = 0
    while index < text.count {
      // The colon is the rarest character of the scheme in texts.
      let colon = text.index(of: 0x3A, from: index, to: text.count)
      index = colon + 1
      let start = colon - 5
      guard start >= 0, text.hasName(scheme, at: start) else { continue }
      var end = start
      while end < text.count, text[end] > 0x20, !"<>\"|".utf8.contains(text[end]) { end += 1 }
      while end > start, ".,;:)]'".utf8.contains(text[end - 1]) { end -= 1 }
      let place = text.part(start + scheme.utf8CodeUnitCount, end)
      if place.count < longest, isMeeting(place) { return text.part(start, end).text }
      index = max(index, end)
    }
    return nil
  }

  /// Whether the host of a link, or a parent of it, and the beginning of its path are known.
  private static func isMeeting(_ place: Bytes) -> Bool {
    let slash = place.index(of: 0x2F, from: 0, to: place.count)
    guard slash < place.count else { return false }
    var host = 0
    while host < slash {
      if places.contains(where: { place.hasName($0, at: host) }) { return true }
      host = place.index(of: 0x2E, from: host, to: slash) + 1
    }
    return false
  }
}
