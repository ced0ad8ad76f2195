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
    var digits: [Int] = []
    for byte in line[(colon + 1)...] where byte >= 0x30 && byte <= 0x39 && digits.count < 14 {
      digits.append(Int(byte) - 0x30)
    }
    guard digits.count == 14 else { return nil }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
    guard
      let date = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8)),
      let time = TimeOfDay(hour: number(8..<10), minute: number(10..<12), second: number(12..<14))
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
