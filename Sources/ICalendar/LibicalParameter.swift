internal import CLibical

/// The parameters that agenda shows, by libical's kinds.
package enum ParameterName {
  case commonName, email, participation, role, userType, mediaType, fileName, label, feature
  /// Any other parameter, which libical keeps as a text.
  case other

  fileprivate var libicalKind: icalparameter_kind {
    switch self {
    case .commonName: ICAL_CN_PARAMETER
    case .email: ICAL_EMAIL_PARAMETER
    case .participation: ICAL_PARTSTAT_PARAMETER
    case .role: ICAL_ROLE_PARAMETER
    case .userType: ICAL_CUTYPE_PARAMETER
    case .mediaType: ICAL_FMTTYPE_PARAMETER
    case .fileName: ICAL_FILENAME_PARAMETER
    case .label: ICAL_LABEL_PARAMETER
    case .feature: ICAL_FEATURE_PARAMETER
    case .other: ICAL_X_PARAMETER
    }
  }
}

/// A parameter that libical made, freed with this value.
struct LibicalParameter: ~Copyable {
  private let handle: OpaquePointer
  private let name: ParameterName

  init?(_ name: ParameterName, _ text: UnsafePointer<CChar>) {
    guard let handle = icalparameter_new_from_value_string(name.libicalKind, text) else {
      return nil
    }
    self.handle = handle
    self.name = name
  }

  deinit {
    icalparameter_free(handle)
  }

  /// Whether libical knows the keyword.
  var isKeyword: Bool { icalparameter_get_xvalue(handle) == nil }

  /// The text, or the RFC's keyword in capitals.
  var string: String? {
    // Texts, and values of an enumeration that libical does not know.
    if let text = icalparameter_get_xvalue(handle) { return String(cString: text) }
    let keyword: CInt? =
      switch name {
      case .participation: CInt(icalparameter_get_partstat(handle).rawValue)
      case .role: CInt(icalparameter_get_role(handle).rawValue)
      case .userType: CInt(icalparameter_get_cutype(handle).rawValue)
      case .feature: CInt(icalparameter_get_feature(handle).rawValue)
      case .commonName, .email, .mediaType, .fileName, .label, .other: nil
      }
    return keyword.flatMap { icalparameter_enum_to_string($0) }.map { String(cString: $0) }
  }
}

extension ParameterName {
  /// By the name in a content line, in capitals.
  package init(_ name: String) {
    self =
      switch name {
      case "CN": .commonName
      case "EMAIL": .email
      case "PARTSTAT": .participation
      case "ROLE": .role
      case "CUTYPE": .userType
      case "FMTTYPE": .mediaType
      case "FILENAME": .fileName
      case "LABEL": .label
      case "FEATURE": .feature
      default: .other
      }
  }
}

package enum ParameterValue {
  /// A parameter's value without its quotes, `^n`, `^'` and `^^` decoded (RFC 6868), made by
  /// libical.
  package static func text(_ value: Bytes, _ name: ParameterName = .other) -> String {
    if let keyword = name.keywords.made(value) { return keyword }
    guard value.index(of: 0x5E, from: 0, to: value.count) < value.count else {
      return made(value, name)
    }
    return decodedCarets(value).withUnsafeBufferPointer { made($0, name) }
  }

  /// Whether libical knows a keyword. It keeps unknown ones as they are written.
  package static func isKnown(_ value: Bytes, _ name: ParameterName) -> Bool {
    Libical.withCString(value) { LibicalParameter(name, $0)?.isKeyword ?? false }
  }

  fileprivate static func made(_ value: Bytes, _ name: ParameterName) -> String {
    guard !value.isEmpty else { return "" }
    return Libical.withCString(value) { Libical.text(LibicalParameter(name, $0)?.string) }
  }

  private static func decodedCarets(_ value: Bytes) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(value.count)
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
    return plain
  }
}

extension ParameterName {
  /// Those of RFC 5545 that occur most; any other value goes to libical.
  fileprivate var keywords: LibicalKeywords {
    switch self {
    case .participation: Self.participations
    case .role: Self.roles
    case .userType, .commonName, .email, .mediaType, .fileName, .label, .feature, .other: .none
    }
  }

  // RFC 5545 3.2.12 and 3.2.16.
  private static let participations = LibicalKeywords([
    "NEEDS-ACTION", "ACCEPTED", "DECLINED", "TENTATIVE", "DELEGATED",
  ]) { ParameterValue.made($0, .participation) }
  private static let roles = LibicalKeywords([
    "REQ-PARTICIPANT", "OPT-PARTICIPANT", "NON-PARTICIPANT", "CHAIR",
  ]) { ParameterValue.made($0, .role) }
}
