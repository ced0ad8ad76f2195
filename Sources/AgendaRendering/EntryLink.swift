package import AgendaCore

/// The web page of an entry: where its meeting takes place online, or what it is about.
package struct EntryLink {
  /// As `LinkDestination.ofWebPage` returns it.
  package let address: String
  /// Whether it leads to an online meeting.
  package let isConference: Bool

  /// The address of the online meeting, otherwise URL, otherwise the first address in the location or
  /// the description. `nil` if none of them is the address of a web page.
  package init?(_ event: Event, _ details: EventDetails) {
    if let conference = details.conference.flatMap(LinkDestination.ofWebPage) {
      address = conference
      isConference = true
      return
    }
    let found =
      details.url.flatMap(LinkDestination.ofWebPage)
      ?? event.location.flatMap(Self.firstAddress)
      ?? details.description.flatMap(Self.firstAddress)
    guard let found else { return nil }
    address = found
    isConference = false
  }

  package var host: String { LinkDestination.host(of: address) }

  /// The first address of a web page in a text: `Room 2, https://example.com/a (or later)`.
  private static func firstAddress(in text: String) -> String? {
    var rest = text[...]
    while let start = start(in: rest) {
      var address = rest[start...].prefix { !$0.isWhitespace && !"<>\"".contains($0) }
      rest = rest[address.endIndex...]
      guard address.utf8.count <= LinkDestination.longestAddress else { continue }
      // A sentence or a bracket around an address is not part of it.
      let hasBracket = address.contains("(")
      while let last = address.last, ".,;:!?'*_]}".contains(last) || last == ")" && !hasBracket {
        address.removeLast()
      }
      if let found = LinkDestination.ofWebPage(String(address)) { return found }
    }
    return nil
  }

  /// Where the first `http://` or `https://` begins. Descriptions can be long, so it looks at bytes.
  private static func start(in text: Substring) -> Substring.Index? {
    let bytes = text.utf8
    var rest = bytes
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      rest = rest[bytes.index(after: colon)...]
      guard rest.starts(with: "//".utf8) else { continue }
      for scheme in ["https", "http"] {
        guard
          let start = bytes.index(colon, offsetBy: -scheme.utf8.count, limitedBy: bytes.startIndex),
          text[start..<colon].lowercased() == scheme
        else { continue }
        return start
      }
    }
    return nil
  }
}
