internal import CLibical

/// libical's own line parser (`icalparser_add_line`), for finding out how programs built on libical
/// read a component. Each thread needs its own.
///
/// The caller limits the input: whole components, nested at most `Nesting.most` deep, and no line
/// longer than `longestLine`.
struct LibicalLineParser: ~Copyable {
  private let parser: OpaquePointer

  /// The parser searches a line once for every parameter, so its time is quadratic in the length.
  static let longestLine = 64 << 10
  /// `MAXIMUM_ALLOWED_PARAMETERS` and `MAXIMUM_ALLOWED_MULTIPLE_VALUES` in libical 3.0.
  static let mostParameters = 100
  static let mostValues = 500

  init?() {
    _ = Libical.setUp
    guard let parser = icalparser_new() else { return nil }
    self.parser = parser
  }

  deinit {
    // Also frees the components that are still open.
    icalparser_free(parser)
  }

  /// Adds a content line without its folds. Returns whether the parser accepts it.
  mutating func accepts(_ line: Bytes) -> Bool {
    Self.withCString(line) { text in
      // A component is complete with the END of the outermost one.
      if let component = icalparser_add_line(parser, text) { icalcomponent_free(component) }
    }
    return icalparser_get_state(parser) != ICALPARSER_ERROR
  }

  /// The values that libical makes of one property line, as iCalendar text; empty if it refuses
  /// the line. A TEXT value is decoded.
  static func values(of line: Bytes) -> [String] {
    guard let parser = icalparser_new() else { return [] }
    defer { icalparser_free(parser) }
    var component: OpaquePointer?
    let (begin, end) = (Array("BEGIN:VEVENT".utf8), Array("END:VEVENT".utf8))
    for text in [begin, Array(line), end] {
      component = text.withUnsafeBufferPointer { text in
        withCString(text) { icalparser_add_line(parser, $0) }
      }
    }
    guard let component else { return [] }
    defer { icalcomponent_free(component) }
    var values: [String] = []
    var next = icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY)
    while let property = next {
      if icalproperty_isa(property) != ICAL_XLICERROR_PROPERTY {
        values.append(value(of: property))
      }
      next = icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY)
    }
    return values
  }

  private static func value(of property: OpaquePointer) -> String {
    if let value = icalproperty_get_value(property), icalvalue_isa(value) == ICAL_TEXT_VALUE,
      let text = icalvalue_get_text(value)
    {
      return String(cString: text)
    }
    guard let buffer = icalproperty_get_value_as_string_r(property) else { return "" }
    defer { icalmemory_free_buffer(buffer) }
    return String(cString: buffer)
  }

  /// The parser does not change the line, though its parameter is not `const`.
  private static func withCString<Result>(
    _ line: Bytes, _ body: (UnsafeMutablePointer<CChar>) -> Result
  ) -> Result {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: line.count + 1)
    defer { text.deallocate() }
    var count = 0
    for byte in line where byte != 0 {
      text[count] = CChar(bitPattern: byte)
      count += 1
    }
    text[count] = 0
    return body(text)
  }
}
