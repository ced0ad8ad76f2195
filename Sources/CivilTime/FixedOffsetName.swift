/// Names that are offsets: `GMT+05:30`, `UTC-3`, `+0530`, `(UTC+01:00)`. East of Greenwich is
/// positive, unlike in the names `Etc/GMT+5`, which are zones of the database.
enum FixedOffsetName {
  /// Seconds east of UTC; `nil` for anything else.
  static func offset(of name: String) -> Int? {
    var rest = name.utf8[...]
    if rest.first == UInt8(ascii: "("), rest.last == UInt8(ascii: ")") {
      rest = rest.dropFirst().dropLast()
    }
    let letters = rest.prefix(3).map { $0 & ~0x20 }
    let hasPrefix = letters == Array("UTC".utf8) || letters == Array("GMT".utf8)
    if hasPrefix {
      rest = rest.dropFirst(3)
    } else if rest.elementsEqual("Z".utf8) {
      return 0
    }
    if rest.isEmpty { return hasPrefix ? 0 : nil }
    guard let sign = rest.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      return nil
    }
    guard let seconds = seconds(rest) else { return nil }
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  /// `5`, `05`, `530`, `0530`, `05:30`, `05.30`, `053015`, `05:30:15`.
  private static func seconds(_ text: Substring.UTF8View) -> Int? {
    let isSeparator = { (byte: UInt8) in byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".") }
    var fields: [Int] = []
    if text.contains(where: isSeparator) {
      let parts = text.split(omittingEmptySubsequences: false, whereSeparator: isSeparator)
      guard parts.count <= 3 else { return nil }
      for (index, part) in parts.enumerated() {
        guard part.count == 2 || index == 0 && part.count == 1, let value = number(part) else {
          return nil
        }
        fields.append(value)
      }
    } else {
      guard (1...6).contains(text.count), text.count != 5, let value = number(text) else {
        return nil
      }
      switch text.count {
      case 1, 2: fields = [value]
      case 3, 4: fields = [value / 100, value % 100]
      default: fields = [value / 10_000, value / 100 % 100, value % 100]
      }
    }
    let minute = fields.count > 1 ? fields[1] : 0
    let second = fields.count > 2 ? fields[2] : 0
    guard fields[0] <= 24, minute < 60, second < 60 else { return nil }
    return (fields[0] * 60 + minute) * 60 + second
  }

  private static func number(_ digits: Substring.UTF8View) -> Int? {
    digits.reduce(0 as Int?) { value, byte in
      byte.isASCIIDigit ? value.map { $0 * 10 + Int(byte) - 48 } : nil
    }
  }

  /// `+05:30`, `-03:00`, `+00:19:32`.
  static func name(of offset: Int) -> String {
    let seconds = abs(offset)
    var name = offset < 0 ? "-" : "+"
    name += padded(seconds / 3600, to: 2) + ":" + padded(seconds / 60 % 60, to: 2)
    if seconds % 60 != 0 { name += ":" + padded(seconds % 60, to: 2) }
    return name
  }
}
