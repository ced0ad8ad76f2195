internal import CLibical
internal import Synchronization

/// The set-up of libical and the preparation of its input.
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

  /// What libical makes; an empty text if it makes nothing.
  static func text(_ make: @autoclosure () -> String?) -> String {
    agenda_libical_forget_errors()
    if let made = make() { return made }
    if agenda_libical_lacks_memory() != 0 { lackOfMemory.store(true, ordering: .relaxed) }
    return ""
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
  static func withCString<Result>(
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
