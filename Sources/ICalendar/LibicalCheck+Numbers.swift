/// Numbers that libical 3 changes, because it keeps them in 32, 16 or 8 bits.
extension LibicalCheck {
  /// An Int32 has up to ten digits.
  private static let longNumber = 10

  func changedNumber(_ value: Bytes, _ view: ContentView) -> Change? {
    guard value.longestNumber >= Self.longNumber,
      let read = LibicalLineParser.values(of: view.bytes).first,
      Self.plainNumbers(read) != Self.plainNumbers(value.text)
    else { return nil }
    return .reads(read)
  }

  /// INTERVAL and the values of BY parts have 16 bits, those of BYDAY even less.
  func changedRule(_ value: Bytes, _ view: ContentView) -> Change? {
    guard Self.isUnusualRule(value), let read = LibicalLineParser.values(of: view.bytes).first
    else { return nil }
    let readParts = Self.parts(read)
    let isSame = Self.parts(value.text).allSatisfy { name, values in
      // libical does not write the default.
      (readParts[name] ?? (name == "INTERVAL" ? ["1"] : [])) == values
    }
    return isSame ? nil : .reads(read)
  }

  private static func isUnusualRule(_ value: Bytes) -> Bool {
    var start = 0
    while start < value.count {
      let end = value.index(of: 0x3B, from: start, to: value.count)
      let part = value.part(start, end)
      let name = part.part(0, part.index(of: 0x3D, from: 0, to: part.count)).trimmed
      let most =
        name.isName("COUNT")
        ? longNumber : name.isName("UNTIL") || name.isName("BYYEARDAY") ? Int.max : 3
      if part.longestNumber >= most { return true }
      start = end + 1
    }
    return false
  }

  /// The numbers of a rule by the names of their parts.
  private static func parts(_ rule: String) -> [String: [String]] {
    var parts: [String: [String]] = [:]
    for part in rule.uppercased().split(separator: ";") {
      let sides = part.split(separator: "=", maxSplits: 1)
      guard sides.count == 2 else { continue }
      let name = String(sides[0]).trimmed
      guard name == "INTERVAL" || name == "COUNT" || name.hasPrefix("BY") else { continue }
      parts[name] = sides[1].split(separator: ",").map { plainNumbers(String($0).trimmed) }.sorted()
    }
    return parts
  }

  /// In capitals, without plus signs and without zeros before a number.
  private static func plainNumbers(_ text: String) -> String {
    var plain: [UInt8] = []
    let bytes = Array(text.uppercased().utf8)
    for (index, byte) in bytes.enumerated() where byte != UInt8(ascii: "+") {
      let isInNumber = plain.last.map { (0x30...0x39).contains($0) } ?? false
      let isBeforeDigit = index + 1 < bytes.count && bytes[index + 1].isDigit
      if byte == UInt8(ascii: "0"), !isInNumber, isBeforeDigit { continue }
      plain.append(byte)
    }
    return String(decoding: plain, as: UTF8.self)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The length of the longest run of digits.
  fileprivate var longestNumber: Int {
    var (longest, length) = (0, 0)
    for byte in self {
      length = byte.isDigit ? length + 1 : 0
      longest = Swift.max(longest, length)
    }
    return longest
  }
}
