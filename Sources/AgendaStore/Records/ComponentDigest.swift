internal import CivilTime

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The digest of a component's bytes without its DTSTAMP, which many servers renew at every
/// download: by it an unchanged component is known without being read.
package struct ComponentDigest: Hashable, Sendable {
  package let value: Int
  /// DTSTAMP in seconds since 1970, by which two versions without LAST-MODIFIED are told apart.
  let stamp: Int?

  /// `bytes` runs from the component's BEGIN to its END line, with line ends of LF or CRLF.
  package init(of bytes: UnsafeRawBufferPointer, key: StoreKey) {
    var content = ContentDigest(key: key.number)
    var stamp: Int?
    var taken = 0
    var line = 0
    let count = bytes.count
    while line < count {
      if Self.isStamp(bytes, at: line) {
        content.add(UnsafeRawBufferPointer(rebasing: bytes[taken..<line]))
        taken = Self.nextLine(bytes, after: line)
        // Its folds.
        while taken < count, bytes[taken] == UInt8(ascii: " ") || bytes[taken] == UInt8(ascii: "\t")
        {
          taken = Self.nextLine(bytes, after: taken)
        }
        stamp = stamp ?? Self.moment(bytes[line..<taken])
        line = taken
      } else {
        line = Self.nextLine(bytes, after: line)
      }
    }
    content.add(UnsafeRawBufferPointer(rebasing: bytes[taken..<count]))
    value = content.value
    self.stamp = stamp
  }

  /// The moment of `DTSTAMP:20261121T083000Z`.
  private static func moment(_ line: Slice<UnsafeRawBufferPointer>) -> Int? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    var digits = 0
    var number = 0
    for byte in line[(colon + 1)...] where byte >= 0x30 && byte <= 0x39 && digits < 14 {
      number = number * 10 + Int(byte) - 0x30
      digits += 1
    }
    guard digits == 14 else { return nil }
    let (day, clock) = number.quotientAndRemainder(dividingBy: 1_000_000)
    guard
      let date = CivilDate(year: day / 10_000, month: day / 100 % 100, day: day % 100),
      let time = TimeOfDay(
        hour: clock / 10_000, minute: clock / 100 % 100, second: clock % 100)
    else { return nil }
    return CivilDateTime(date, time).civilSeconds
  }

  private static func nextLine(_ bytes: UnsafeRawBufferPointer, after start: Int) -> Int {
    guard let base = bytes.baseAddress,
      let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
    else { return bytes.count }
    return UnsafeRawPointer(found) - base + 1
  }

  private static let name = Array("dtstamp".utf8)

  @inline(__always)
  private static func isStamp(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    guard bytes[start] | 0x20 == UInt8(ascii: "d"), start + name.count < bytes.count,
      bytes[start + 2] | 0x20 == UInt8(ascii: "s")
    else { return false }
    for index in 0..<name.count where bytes[start + index] | 0x20 != name[index] { return false }
    let end = bytes[start + name.count]
    return end == UInt8(ascii: ":") || end == UInt8(ascii: ";")
  }
}
