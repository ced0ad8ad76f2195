internal import CLibical

/// Property values as plain strings, made by libical.
package enum PropertyValue {
  /// A TEXT value (RFC 5545 3.3.11) with its escapes decoded.
  package static func text(_ value: Bytes) -> String {
    Libical.string(value, .value(ICAL_TEXT_VALUE))
  }

  /// The items of a list of texts, without empty ones.
  package static func list(_ value: Bytes, separator: UInt8 = 0x2C) -> [String] {
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
      if value[index] == separator {
        add(index)
        start = index + 1
      }
      index += 1
    }
    add(value.count)
    return items
  }

  /// An address, a URI or a keyword. Of a type that our own code reads, the text as it is written.
  package static func string(_ value: Bytes, _ type: ValueType) -> String {
    guard let kind = type.libicalKind else { return value.text }
    return Libical.string(kind == ICAL_TEXT_VALUE ? value : value.trimmed, .value(kind))
  }

  /// Whether libical knows a keyword. It keeps unknown ones as they are written.
  package static func isKnown(_ value: Bytes, _ type: ValueType) -> Bool {
    guard let kind = type.libicalKind else { return true }
    return Libical.withCString(value.trimmed) {
      icalproperty_kind_and_string_to_enum(CInt(kind.rawValue), $0) != 0
    }
  }

  /// A text with the escapes of RFC 5545 3.3.11.
  package static func escaped(_ text: String) -> [UInt8] {
    text.utf8.reduce(into: []) { bytes, byte in
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","):
        bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += Array("\\n".utf8)
      case UInt8(ascii: "\r"): break
      default: bytes.append(byte)
      }
    }
  }
}

extension ValueType {
  /// The kind of value that libical makes; `nil` for values that our own code reads.
  fileprivate var libicalKind: icalvalue_kind? {
    switch self {
    case .text: ICAL_TEXT_VALUE
    case .address: ICAL_CALADDRESS_VALUE
    case .uri, .attachment: ICAL_URI_VALUE
    case .status: ICAL_STATUS_VALUE
    case .transparency: ICAL_TRANSP_VALUE
    case .classification: ICAL_CLASS_VALUE
    case .action: ICAL_ACTION_VALUE
    case .method: ICAL_METHOD_VALUE
    case .time, .duration, .trigger, .integer, .coordinates, .rule, .component: nil
    }
  }
}
