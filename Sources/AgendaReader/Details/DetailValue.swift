/// What a property of the details says: its value and the parameters that matter.
struct DetailValue: Equatable {
  /// The value as iCalendar text.
  var text: String
  var name: String?
  var email: String?
  var participation: String?
  var role: String?
  var mediaType: String?
  var fileName: String?
  var coordinates: Position?

  struct Position: Equatable {
    var latitude: Double
    var longitude: Double
  }

  /// Read by our own code; `nil` where the value is none of its kind.
  init?(_ name: DetailName, _ view: ContentView) {
    text = view.value.trimmed.text
    takeParameters(of: view)
    if name == .coordinates {
      let parts = text.split(separator: ";", omittingEmptySubsequences: false)
      guard parts.count == 2, let latitude = Double(parts[0].trimmed),
        let longitude = Double(parts[1].trimmed)
      else { return nil }
      coordinates = Position(latitude: latitude, longitude: longitude)
    }
  }

  /// What libical made of a property.
  init?(_ property: borrowing LibicalProperty) {
    guard let value = property.value else { return nil }
    text = value
    name = property.parameter("CN")
    email = property.parameter("EMAIL")
    participation = property.parameter("PARTSTAT")
    role = property.parameter("ROLE")
    mediaType = property.parameter("FMTTYPE")
    fileName =
      property.parameter("FILENAME") ?? property.parameter("X-FILENAME")
      ?? property.parameter("X-APPLE-FILENAME")
    coordinates = property.coordinates.map { Position(latitude: $0, longitude: $1) }
  }

  private mutating func takeParameters(of view: ContentView) {
    view.forEachParameter { parameter, value in
      let parameter = view.bytes.part(parameter.lowerBound, parameter.upperBound).trimmed
      take(parameter, view.bytes.part(value.lowerBound, value.upperBound))
      return true
    }
  }

  private mutating func take(_ parameter: Bytes, _ value: Bytes) {
    switch parameter.count {
    case 2: if parameter.isName("CN") { name = PropertyText.parameter(value) }
    case 4: if parameter.isName("ROLE") { role = PropertyText.parameter(value) }
    case 5: if parameter.isName("EMAIL") { email = PropertyText.parameter(value) }
    case 7:
      if parameter.isName("FMTTYPE") { mediaType = PropertyText.parameter(value) }
    case 8:
      if parameter.isName("PARTSTAT") { participation = PropertyText.parameter(value) }
      if parameter.isName("FILENAME") { fileName = PropertyText.parameter(value) }
    case 10, 16:
      guard fileName == nil else { return }
      if parameter.isName("X-FILENAME") || parameter.isName("X-APPLE-FILENAME") {
        fileName = PropertyText.parameter(value)
      }
    default: break
    }
  }
}

extension Substring {
  fileprivate var trimmed: String { String(self).trimmed }
}
