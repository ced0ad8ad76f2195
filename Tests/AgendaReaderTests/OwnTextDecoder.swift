import ICalendar

/// Decodes texts and parameters without libical: the oracle for what `ICalendar` makes with it.
enum OwnTextDecoder {
  /// A TEXT value (RFC 5545 3.3.11) with its escapes decoded. A backslash before any other character
  /// stays, as in the `C:\Users` of producers that do not escape.
  static func text(_ value: Bytes) -> String {
    var escape = value.index(of: 0x5C, from: 0, to: value.count)
    guard escape < value.count else { return value.text }
    var plain: [UInt8] = []
    plain.reserveCapacity(value.count)
    var start = 0
    while escape + 1 < value.count {
      plain.append(contentsOf: value.part(start, escape))
      let escaped = value[escape + 1]
      switch escaped {
      case 0x6E, 0x4E: plain.append(0x0A)
      case 0x5C, 0x3B, 0x2C, 0x22, 0x3A: plain.append(escaped)
      default:
        plain.append(0x5C)
        plain.append(escaped)
      }
      start = escape + 2
      escape = value.index(of: 0x5C, from: start, to: value.count)
    }
    plain.append(contentsOf: value.part(start, value.count))
    return plain.withUnsafeBufferPointer { $0.text }
  }

  /// The items of a comma-separated list of texts, without empty ones.
  static func list(_ value: Bytes) -> [String] {
    var items: [String] = []
    var start = 0
    var index = 0
    func add(_ end: Int) {
      let item = text(value.part(start, end).trimmed)
      if !item.isEmpty { items.append(item) }
    }
    while index < value.count {
      if value[index] == 0x5C {
        index += 2
        continue
      }
      if value[index] == 0x2C {
        add(index)
        start = index + 1
      }
      index += 1
    }
    add(value.count)
    return items
  }

  /// A parameter's value with the escapes of RFC 6868 decoded.
  static func parameter(_ value: Bytes) -> String {
    guard value.index(of: 0x5E, from: 0, to: value.count) < value.count else { return value.text }
    var plain: [UInt8] = []
    var index = 0
    while index < value.count {
      let byte = value[index]
      let next = index + 1 < value.count ? value[index + 1] : 0
      index += 2
      switch (byte, next) {
      case (0x5E, 0x6E): plain.append(0x0A)
      case (0x5E, 0x27): plain.append(0x22)
      case (0x5E, 0x5E): plain.append(0x5E)
      default:
        plain.append(byte)
        index -= 1
      }
    }
    return plain.withUnsafeBufferPointer { $0.text }
  }
}
