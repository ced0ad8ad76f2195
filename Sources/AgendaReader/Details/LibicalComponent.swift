internal import CLibical

/// A component that libical parsed, freed with this value. It is used within
/// `LibicalLibrary.lock` only.
struct LibicalComponent: ~Copyable {
  private let library: LibicalLibrary
  private let handle: OpaquePointer

  /// Parses `text`, which ends with NUL and was made by `LibicalText`: one component whose BEGIN
  /// and END match. libical says on standard error what does not.
  init?(_ text: [UInt8], _ library: LibicalLibrary) {
    let handle = text.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { library.parseString($0.baseAddress) }
    }
    guard let handle else { return nil }
    self.handle = handle
    self.library = library
  }

  deinit {
    library.freeComponent(handle)
  }

  /// Gives the properties of the component itself.
  func forEachProperty(_ body: (borrowing LibicalProperty) -> Void) {
    Self.forEachProperty(of: handle, library, body)
  }

  /// Gives the components within it, each as a closure that goes through its properties.
  func forEachComponent(
    _ body: (_ properties: ((borrowing LibicalProperty) -> Void) -> Void) -> Void
  ) {
    var inner = library.firstComponent(handle, ICAL_ANY_COMPONENT)
    while let component = inner {
      body { Self.forEachProperty(of: component, library, $0) }
      inner = library.nextComponent(handle, ICAL_ANY_COMPONENT)
    }
  }

  private static func forEachProperty(
    of component: OpaquePointer, _ library: LibicalLibrary,
    _ body: (borrowing LibicalProperty) -> Void
  ) {
    var property = library.firstProperty(component, ICAL_ANY_PROPERTY)
    while let handle = property {
      body(LibicalProperty(handle, library))
      property = library.nextProperty(component, ICAL_ANY_PROPERTY)
    }
  }
}

/// A property within a `LibicalComponent`, borrowed for the length of a closure.
struct LibicalProperty: ~Copyable {
  private let library: LibicalLibrary
  private let handle: OpaquePointer

  fileprivate init(_ handle: OpaquePointer, _ library: LibicalLibrary) {
    self.handle = handle
    self.library = library
  }

  /// What libical put in the place of a property that it could not parse.
  var isError: Bool { library.kindOfProperty(handle) == ICAL_XLICERROR_PROPERTY }

  /// The value as iCalendar text, still escaped where it is TEXT.
  var value: String? { string(library.valueString(handle)) }

  /// A parameter's value, its escapes of RFC 6868 undone.
  func parameter(_ name: String) -> String? {
    guard let text = string(library.parameterString(handle, name)) else { return nil }
    return Array(text.utf8).withUnsafeBufferPointer { PropertyText.parameter($0) }
  }

  /// The value of a GEO.
  var coordinates: (latitude: Double, longitude: Double)? {
    guard let value = library.value(handle), library.kindOfValue(value) == ICAL_GEO_VALUE else {
      return nil
    }
    let geo = library.geo(value)
    return (geo.lat, geo.lon)
  }

  /// The value of a property that is a number.
  var integer: Int? {
    guard let value = library.value(handle), library.kindOfValue(value) == ICAL_INTEGER_VALUE
    else { return nil }
    return Int(library.integer(value))
  }

  private func string(_ buffer: UnsafeMutablePointer<CChar>?) -> String? {
    guard let buffer else { return nil }
    defer { library.freeBuffer(buffer) }
    return String(cString: buffer)
  }
}
