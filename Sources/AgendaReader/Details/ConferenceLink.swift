/// The link to an online meeting that a text holds: producers write it into LOCATION or
/// DESCRIPTION where they have no property for it.
enum ConferenceLink {
  private static let hosts = [
    "zoom.us/j/", "zoom.us/my/", "zoom.us/w/", "teams.microsoft.com/l/meetup-join",
    "teams.microsoft.com/meet/", "teams.live.com/meet/", "meet.google.com/", "webex.com/",
    "meet.jit.si/", "whereby.com/", "gotomeeting.com/join/", "meet.goto.com/", "bluejeans.com/",
  ]

  static func find(in text: String?) -> String? {
    guard let text else { return nil }
    let scheme = "https://"
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count {
        let start = bytes.index(of: 0x68, from: index, to: bytes.count)
        guard start < bytes.count else { return nil }
        index = start + 1
        guard bytes.part(start, start + scheme.utf8.count).isName("HTTPS://") else { continue }
        var end = start
        while end < bytes.count, bytes[end] > 0x20, !"<>\"|".utf8.contains(bytes[end]) { end += 1 }
        while end > start, ".,;:)]'".utf8.contains(bytes[end - 1]) { end -= 1 }
        let link = bytes.part(start, end).text
        if hosts.contains(where: { contains(link, $0) }) { return link }
        index = max(index, end)
      }
      return nil
    }
  }

  /// Whether the host of the link, or one above it, and the beginning of its path are these.
  private static func contains(_ link: String, _ place: String) -> Bool {
    let rest = link.dropFirst("https://".count)
    guard rest.utf8.count < 4096 else { return false }
    if rest.hasPrefix(place) { return true }
    guard let dot = rest.firstIndex(of: "."), let slash = rest.firstIndex(of: "/"), dot < slash
    else { return false }
    var host = rest
    while let dot = host.firstIndex(of: "."), let slash = host.firstIndex(of: "/"), dot < slash {
      host = host[host.index(after: dot)...]
      if host.hasPrefix(place) { return true }
    }
    return false
  }
}
