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

/// Parameters as plain strings, made by libical.
package enum ParameterValue {
  /// A parameter's value without its quotes, `^n`, `^'` and `^^` decoded (RFC 6868).
  package static func text(_ value: Bytes, _ name: ParameterName = .other) -> String {
    guard value.has(0x5E) else { return Libical.string(value, .parameter(name.libicalKind)) }
    return decodedCarets(value).withUnsafeBufferPointer {
      Libical.string($0, .parameter(name.libicalKind))
    }
  }

  /// Whether libical knows a keyword. It keeps unknown ones as they are written.
  package static func isKnown(_ value: Bytes, _ name: ParameterName) -> Bool {
    Libical.withCString(value) { text in
      guard let made = icalparameter_new_from_value_string(name.libicalKind, text) else {
        return false
      }
      defer { icalparameter_free(made) }
      return icalparameter_get_xvalue(made) == nil
    }
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
