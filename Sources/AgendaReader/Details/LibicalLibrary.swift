internal import CLibical
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The functions of libical 3, looked up when the first of them is needed. The library is not
/// linked: a command that shows no details does not pay for loading it.
struct LibicalLibrary: Sendable {
  let parseString: libical_parse_string
  let freeComponent: libical_component_free
  let kindOfComponent: libical_component_isa
  let firstProperty: libical_component_property
  let nextProperty: libical_component_property
  let firstComponent: libical_component_component
  let nextComponent: libical_component_component
  let kindOfProperty: libical_property_isa
  let valueString: libical_property_value_string
  let parameterString: libical_property_parameter_string
  let value: libical_property_value
  let kindOfValue: libical_value_isa
  let geo: libical_value_geo
  let integer: libical_value_integer
  let freeBuffer: libical_free_buffer

  /// `nil` where the system has no libical 3.
  static let loaded = LibicalLibrary()

  /// libical keeps its error number and its tables in globals: one caller at a time.
  static let lock = Mutex(())

  private init?() {
    #if canImport(Darwin)
      let names = [
        "libical.3.dylib", "/opt/homebrew/lib/libical.3.dylib", "/usr/local/lib/libical.3.dylib",
      ]
    #else
      let names = ["libical.so.3"]
    #endif
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
      return nil
    }
    func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: type) }
    }
    guard
      let parseString = function("icalparser_parse_string", libical_parse_string.self),
      let freeComponent = function("icalcomponent_free", libical_component_free.self),
      let kindOfComponent = function("icalcomponent_isa", libical_component_isa.self),
      let firstProperty = function(
        "icalcomponent_get_first_property", libical_component_property.self),
      let nextProperty = function(
        "icalcomponent_get_next_property", libical_component_property.self),
      let firstComponent = function(
        "icalcomponent_get_first_component", libical_component_component.self),
      let nextComponent = function(
        "icalcomponent_get_next_component", libical_component_component.self),
      let kindOfProperty = function("icalproperty_isa", libical_property_isa.self),
      let valueString = function(
        "icalproperty_get_value_as_string_r", libical_property_value_string.self),
      let parameterString = function(
        "icalproperty_get_parameter_as_string_r", libical_property_parameter_string.self),
      let value = function("icalproperty_get_value", libical_property_value.self),
      let kindOfValue = function("icalvalue_isa", libical_value_isa.self),
      let geo = function("icalvalue_get_geo", libical_value_geo.self),
      let integer = function("icalvalue_get_integer", libical_value_integer.self),
      let freeBuffer = function("icalmemory_free_buffer", libical_free_buffer.self),
      let setErrorsAreFatal = function(
        "icalerror_set_errors_are_fatal", libical_set_errors_are_fatal.self)
    else { return nil }
    // Builds differ in the default, and a fatal error would end the process.
    setErrorsAreFatal(0)
    self.parseString = parseString
    self.freeComponent = freeComponent
    self.kindOfComponent = kindOfComponent
    self.firstProperty = firstProperty
    self.nextProperty = nextProperty
    self.firstComponent = firstComponent
    self.nextComponent = nextComponent
    self.kindOfProperty = kindOfProperty
    self.valueString = valueString
    self.parameterString = parameterString
    self.value = value
    self.kindOfValue = kindOfValue
    self.geo = geo
    self.integer = integer
    self.freeBuffer = freeBuffer
  }
}
