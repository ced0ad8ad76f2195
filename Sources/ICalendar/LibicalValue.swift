internal import CLibical

/// A value that libical made of a property's text, freed with this value.
struct LibicalValue: ~Copyable {
  private let handle: OpaquePointer
  private let kind: icalvalue_kind

  /// `nil` if libical refuses the text. Never called with a kind that our own code reads: see
  /// `ValueType`.
  init?(_ kind: icalvalue_kind, _ text: UnsafePointer<CChar>) {
    guard let handle = icalvalue_new_from_string(kind, text) else { return nil }
    self.handle = handle
    self.kind = kind
  }

  deinit {
    icalvalue_free(handle)
  }

  /// The decoded text. An enumeration is the RFC's keyword in capitals, or the text as it is
  /// written if libical does not know it.
  var string: String? {
    switch kind {
    case ICAL_TEXT_VALUE: return icalvalue_get_text(handle).map { String(cString: $0) }
    case ICAL_URI_VALUE: return icalvalue_get_uri(handle).map { String(cString: $0) }
    case ICAL_CALADDRESS_VALUE: return icalvalue_get_caladdress(handle).map { String(cString: $0) }
    default:
      guard let buffer = icalvalue_as_ical_string_r(handle) else { return nil }
      defer { icalmemory_free_buffer(buffer) }
      return String(cString: buffer)
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

extension PropertyValue {
  /// Whether libical knows a keyword. It keeps unknown ones as they are written.
  package static func isKnown(_ value: Bytes, _ type: ValueType) -> Bool {
    guard let kind = type.libicalKind else { return true }
    return Libical.withCString(value.trimmed) {
      icalproperty_kind_and_string_to_enum(CInt(kind.rawValue), $0) != 0
    }
  }
}

/// Property values as plain strings, made by libical.
package enum PropertyValue {
  /// A TEXT value (RFC 5545 3.3.11) with its escapes decoded.
  package static func text(_ value: Bytes) -> String {
    guard !value.isEmpty else { return "" }
    return Libical.withCString(ofText: value) {
      Libical.text(LibicalValue(ICAL_TEXT_VALUE, $0)?.string)
    }
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
    guard kind != ICAL_TEXT_VALUE else { return text(value) }
    let value = value.trimmed
    return type.keywords.made(value) ?? made(value, kind)
  }

  fileprivate static func made(_ value: Bytes, _ kind: icalvalue_kind) -> String {
    Libical.withCString(value) { Libical.text(LibicalValue(kind, $0)?.string) }
  }
}

extension ValueType {
  /// Those of RFC 5545 that occur most; any other value goes to libical.
  fileprivate var keywords: LibicalKeywords {
    switch self {
    case .status: Self.statuses
    case .transparency: Self.transparencies
    case .classification: Self.classifications
    case .action: Self.actions
    default: .none
    }
  }

  // RFC 5545 3.8.1.11, 3.8.2.7, 3.8.1.3 and 3.8.6.1.
  private static let statuses = LibicalKeywords([
    "CONFIRMED", "TENTATIVE", "CANCELLED", "NEEDS-ACTION", "COMPLETED", "IN-PROCESS", "DRAFT",
    "FINAL",
  ]) { PropertyValue.made($0, ICAL_STATUS_VALUE) }
  private static let transparencies = LibicalKeywords(["OPAQUE", "TRANSPARENT"]) {
    PropertyValue.made($0, ICAL_TRANSP_VALUE)
  }
  private static let classifications = LibicalKeywords(["PUBLIC", "PRIVATE", "CONFIDENTIAL"]) {
    PropertyValue.made($0, ICAL_CLASS_VALUE)
  }
  private static let actions = LibicalKeywords(["DISPLAY", "AUDIO", "EMAIL"]) {
    PropertyValue.made($0, ICAL_ACTION_VALUE)
  }
}
