/// How often a calendar asks to be fetched: REFRESH-INTERVAL (RFC 7986, section 5.7), or
/// X-PUBLISHED-TTL of older programs.
enum PublishedInterval {
  /// In seconds; `nil` if the content lines of a VCALENDAR have no valid one.
  static func seconds(in lines: some Collection<UInt8>) -> Int? {
    var older: Int?
    for line in lines.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      // The properties are short; a folded one is not worth unfolding.
      guard line.count < 200 else { continue }
      let text = String(decoding: line, as: UTF8.self)
      guard let colon = text.lastIndex(of: ":") else { continue }
      let name = text.prefix { $0 != ":" && $0 != ";" }.uppercased()
      guard name == "REFRESH-INTERVAL" || name == "X-PUBLISHED-TTL",
        let seconds = duration(text[text.index(after: colon)...])
      else { continue }
      if name == "REFRESH-INTERVAL" { return seconds }
      older = older ?? seconds
    }
    return older
  }

  /// A positive duration (RFC 5545, section 3.3.6) with days of 24 hours.
  static func duration(_ text: some StringProtocol) -> Int? {
    var rest = Substring(text.uppercased())
    while rest.last?.isWhitespace == true { rest.removeLast() }
    if rest.first == "+" { rest.removeFirst() }
    guard rest.popFirst() == "P" else { return nil }
    let units: [Character: Int] = ["W": 604_800, "D": 86_400, "H": 3_600, "M": 60, "S": 1]
    var seconds = 0
    while !rest.isEmpty {
      if rest.first == "T" { rest.removeFirst() }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest.removeFirst(digits.count)
      guard let number = Int(digits), number < 1_000_000, let unit = rest.popFirst(),
        let factor = units[unit]
      else { return nil }
      seconds += number * factor
    }
    return seconds > 0 ? seconds : nil
  }
}
