internal import CLibical
internal import Synchronization

/// libical makes the texts that agenda shows of values and parameters.
package enum Libical {
  /// The version that agenda was built with.
  package static let version = ICAL_VERSION

  /// Turns fatal errors off, once for the process: builds differ in the default, and a fatal error
  /// ends the process. `ICalendar` calls only functions that print nothing to standard error.
  static let setUp: Void = icalerror_set_errors_are_fatal(0)

  private static let lackOfMemory = Atomic(false)

  /// Whether memory was missing for a value since this was last asked. The value counts as empty, so
  /// nothing that follows from it may be stored.
  package static func takeLackOfMemory() -> Bool {
    lackOfMemory.exchange(false, ordering: .relaxed)
  }

  /// The kinds of texts that libical decodes.
  enum Kind {
    case value(icalvalue_kind)
    case parameter(icalparameter_kind)

    /// Whether libical gives such a text back as it is. It changes only escapes, and letters of
    /// keywords that are not capitals.
    fileprivate func keeps(_ text: Bytes) -> Bool {
      switch self {
      case .value(ICAL_TEXT_VALUE): !text.has(0x5C)
      case .value(ICAL_URI_VALUE), .value(ICAL_CALADDRESS_VALUE): true
      case .parameter(ICAL_PARTSTAT_PARAMETER), .parameter(ICAL_ROLE_PARAMETER),
        .parameter(ICAL_CUTYPE_PARAMETER), .parameter(ICAL_FEATURE_PARAMETER), .value:
        text.allSatisfy { 0x41...0x5A ~= $0 || $0 == 0x2D }
      case .parameter: true
      }
    }

    /// What libical makes of a text; `nil` if it refuses it.
    fileprivate func made(_ text: UnsafePointer<CChar>) -> String? {
      switch self {
      case .value(let kind):
        guard let value = icalvalue_new_from_string(kind, text) else { return nil }
        defer { icalvalue_free(value) }
        switch kind {
        case ICAL_TEXT_VALUE: return icalvalue_get_text(value).map { String(cString: $0) }
        case ICAL_URI_VALUE: return icalvalue_get_uri(value).map { String(cString: $0) }
        case ICAL_CALADDRESS_VALUE:
          return icalvalue_get_caladdress(value).map { String(cString: $0) }
        default:
          // The RFC's keyword in capitals, or the text as it is written if libical does not know it.
          guard let buffer = icalvalue_as_ical_string_r(value) else { return nil }
          defer { icalmemory_free_buffer(buffer) }
          return String(cString: buffer)
        }
      case .parameter(let kind):
        guard let parameter = icalparameter_new_from_value_string(kind, text) else { return nil }
        defer { icalparameter_free(parameter) }
        // Texts, and keywords that libical does not know.
        if let text = icalparameter_get_xvalue(parameter) { return String(cString: text) }
        let keyword: CInt? =
          switch kind {
          case ICAL_PARTSTAT_PARAMETER: CInt(icalparameter_get_partstat(parameter).rawValue)
          case ICAL_ROLE_PARAMETER: CInt(icalparameter_get_role(parameter).rawValue)
          case ICAL_CUTYPE_PARAMETER: CInt(icalparameter_get_cutype(parameter).rawValue)
          case ICAL_FEATURE_PARAMETER: CInt(icalparameter_get_feature(parameter).rawValue)
          default: nil
          }
        return keyword.flatMap { icalparameter_enum_to_string($0) }.map { String(cString: $0) }
      }
    }
  }

  static func string(_ text: Bytes, _ kind: Kind) -> String {
    if kind.keeps(text), text.count <= longestValue, text.isUTF8, !text.has(0) {
      return String(decoding: text, as: UTF8.self)
    }
    let body = { (text: UnsafePointer<CChar>) in
      agenda_libical_forget_errors()
      if let made = kind.made(text) { return made }
      if agenda_libical_lacks_memory() != 0 { lackOfMemory.store(true, ordering: .relaxed) }
      return ""
    }
    if case .value(ICAL_TEXT_VALUE) = kind { return withCString(ofText: text, body) }
    return withCString(text, body)
  }

  /// Longer values are cut, at the limit that libical 4 sets for a value.
  private static let longestValue = 10 << 20

  /// Calls `body` with the value in UTF-8, without NUL and ended by one, as C strings are.
  static func withCString<Result>(
    _ value: Bytes, _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    withPrepared(value) { value, text in
      text.append(withoutNULs: value)
    } _: {
      body($0)
    }
  }

  /// The same for a TEXT value (RFC 5545 3.3.11). A backslash that begins no escape of the RFC is
  /// doubled, because libical reads `C:\Users` as `C: sers`. `\:` becomes `:`, as producers that
  /// write it mean it.
  private static func withCString<Result>(
    ofText value: Bytes, _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    withPrepared(value) { value, text in
      var index = 0
      while index < value.count {
        let backslash = value.index(of: 0x5C, from: index, to: value.count)
        text.append(withoutNULs: value.part(index, backslash))
        guard backslash < value.count else { break }
        index = backslash &+ 1
        let next = index < value.count ? value[index] : 0
        switch next {
        case 0x6E, 0x4E, 0x5C, 0x3B, 0x2C, 0x22:
          text.append(0x5C)
          text.append(next)
          index &+= 1
        case 0x3A:
          text.append(next)
          index &+= 1
        default:
          text.append(0x5C)
          text.append(0x5C)
        }
      }
    } _: {
      body($0)
    }
  }

  /// Room for a text that is written byte by byte.
  private struct Text {
    let room: UnsafeMutablePointer<UInt8>
    var count = 0

    @inline(__always)
    mutating func append(_ byte: UInt8) {
      room[count] = byte
      count &+= 1
    }

    mutating func append(withoutNULs bytes: Bytes) {
      var index = 0
      while index < bytes.count {
        let end = bytes.index(of: 0, from: index, to: bytes.count)
        if let start = bytes.baseAddress {
          (room + count).update(from: start + index, count: end &- index)
        }
        count &+= end &- index
        index = end &+ 1
      }
    }
  }

  /// Transcodes and cuts the value; `prepare` writes at most two bytes for each of its bytes.
  @inline(__always)
  private static func withPrepared<Result>(
    _ value: Bytes, _ prepare: (Bytes, inout Text) -> Void,
    _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    _ = setUp
    guard value.isUTF8 else {
      let utf8 = Windows1252.repaired(value)
      return utf8.withUnsafeBufferPointer { withPrepared(utf8: $0, prepare, body) }
    }
    return withPrepared(utf8: value, prepare, body)
  }

  @inline(__always)
  private static func withPrepared<Result>(
    utf8 value: Bytes, _ prepare: (Bytes, inout Text) -> Void,
    _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    var length = min(value.count, longestValue)
    // Not within a character.
    while length > 0, length < value.count, value[length] & 0xC0 == 0x80 { length -= 1 }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * length + 1) { room in
      guard let start = room.baseAddress else { return "".withCString(body) }
      var text = Text(room: start)
      prepare(value.part(0, length), &text)
      text.append(0)
      return start.withMemoryRebound(to: CChar.self, capacity: text.count) { body($0) }
    }
  }
}
