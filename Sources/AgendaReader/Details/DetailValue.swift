internal import ICalendar

/// The value of a property of the details, and the parameters that are shown with it, all made by
/// libical.
struct DetailValue {
  let text: String
  private(set) var name: String?
  private(set) var email: String?
  private(set) var participation: String?
  private(set) var role: String?
  private(set) var mediaType: String?
  private(set) var fileName: String?

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

  private mutating func read(_ parameter: Bytes, _ value: Bytes) {
    // Longer values are never shown.
    guard value.count < 4096 else { return }
    switch parameter.count {
    case 2: if parameter.isName("CN") { name = ParameterValue.text(value, .commonName) }
    case 4: if parameter.isName("ROLE") { role = ParameterValue.text(value, .role) }
    // vCalendar 1.0.
    case 6:
      if parameter.isName("STATUS"), participation == nil {
        participation = value.text.split { !$0.isLetter }.joined(separator: "-")
      }
    case 5: if parameter.isName("EMAIL") { email = ParameterValue.text(value, .email) }
    case 7: if parameter.isName("FMTTYPE") { mediaType = ParameterValue.text(value, .mediaType) }
    case 8:
      if parameter.isName("PARTSTAT") {
        participation = ParameterValue.text(value, .participation)
      } else if parameter.isName("FILENAME") {
        fileName = ParameterValue.text(value, .fileName)
      }
    case 10, 16:
      guard fileName == nil else { return }
      if parameter.isName("X-FILENAME") || parameter.isName("X-APPLE-FILENAME") {
        fileName = ParameterValue.text(value)
      }
    default: break
    }
  }
}
