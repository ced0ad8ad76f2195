internal import ICalendar

/// The value of a property of the details, and the parameters that are shown with it, all made by
/// libical.
struct DetailValue {
  private(set) var text: String
  private(set) var name: String?
  private(set) var email: String?
  private(set) var participation: String?
  private(set) var role: String?
  private(set) var mediaType: String?
  /// Whether DISPLAY is missing, or has one of the ways that RFC 7986 (6.1) knows.
  private(set) var hasKnownDisplay = true
  private(set) var fileName: String?
  /// Whether the text is in quoted-printable, which only vCalendar 1.0 allows here.
  private(set) var isQuotedPrintable = false

  /// The bytes of an inline attachment are not part of `text`.
  init(_ property: PropertyName, _ view: ContentView, isInline: Bool) {
    let type = PropertyTable.row(of: property)?.type ?? .text
    text = isInline ? "" : PropertyValue.string(view.value, type)
    view.forEachParameter { parameter, value in
      read(
        view.bytes.part(parameter.lowerBound, parameter.upperBound).trimmed,
        view.bytes.part(value.lowerBound, value.upperBound))
      return true
    }
  }

  /// Replaces the text, which is in quoted-printable, by its decoded bytes.
  mutating func decode(_ bytes: [UInt8], _ property: PropertyName) {
    let type = PropertyTable.row(of: property)?.type ?? .text
    text = bytes.withUnsafeBufferPointer { PropertyValue.string($0, type) }
  }

  private mutating func read(_ parameter: Bytes, _ value: Bytes) {
    // Longer values are never shown.
    guard value.count < 4096 else { return }
    switch parameter.count {
    case 2: if parameter.isName("CN") { name = ParameterValue.text(value, .commonName) }
    case 4:
      if parameter.isName("ROLE") { role = Self.role(ParameterValue.text(value, .role)) }
    case 6:
      if parameter.isName("STATUS"), participation == nil {
        participation = Self.participation(ofStatus: value)
      }
    case 5: if parameter.isName("EMAIL") { email = ParameterValue.text(value, .email) }
    case 7:
      if parameter.isName("FMTTYPE") {
        mediaType = ParameterValue.text(value, .mediaType)
      } else if parameter.isName("DISPLAY") {
        hasKnownDisplay = Self.hasKnownDisplay(ParameterValue.text(value))
      }
    case 8:
      if parameter.isName("PARTSTAT") {
        participation = ParameterValue.text(value, .participation)
      } else if parameter.isName("FILENAME") {
        fileName = ParameterValue.text(value, .fileName)
      } else if parameter.isName("ENCODING") {
        isQuotedPrintable = value.isName("QUOTED-PRINTABLE")
      }
    case 10, 16:
      guard fileName == nil else { return }
      if parameter.isName("X-FILENAME") || parameter.isName("X-APPLE-FILENAME") {
        fileName = ParameterValue.text(value)
      }
    default: break
    }
  }

  private static func hasKnownDisplay(_ text: String) -> Bool {
    text.split(separator: ",").contains {
      ["BADGE", "GRAPHIC", "FULLSIZE", "THUMBNAIL"].contains(String($0).trimmed.uppercased())
    }
  }

  /// The role that one of vCalendar 1.0 means. Others stay.
  static func role(_ role: String) -> String {
    switch role.uppercased() {
    case "ATTENDEE", "DELEGATE": "REQ-PARTICIPANT"
    case "OWNER": "CHAIR"
    default: role
    }
  }

  /// The answer that a STATUS of vCalendar 1.0 means.
  static func participation(ofStatus value: Bytes) -> String {
    if value.isName("CONFIRMED") { return "ACCEPTED" }
    if value.isName("SENT") { return "NEEDS-ACTION" }
    return value.text.split { !$0.isLetter }.joined(separator: "-")
  }
}
