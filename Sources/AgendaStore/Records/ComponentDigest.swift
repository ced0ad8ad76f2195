internal import CivilTime
internal import ICalendar

/// The digest of a component's bytes without DTSTAMP and LAST-MODIFIED, which many servers renew at
/// every download. A component with a known digest is unchanged and need not be decoded.
package struct ComponentDigest: Hashable, Sendable {
  package let value: Int
  /// LAST-MODIFIED, or DTSTAMP without it, in seconds since 1970: it orders versions of one event.
  let stamp: Int?

  init(value: Int, stamp: Int?) {
    self.value = value
    self.stamp = stamp
  }

  /// `bytes` are the component from its BEGIN to its END line.
  package init(of bytes: UnsafeRawBufferPointer, key: StoreKey) {
    let bytes = bytes.bindMemory(to: UInt8.self)
    var content = ContentDigest(key: key.number)
    var stamps: (created: Int?, modified: Int?) = (nil, nil)
    var taken = 0
    var cursor = LineCursor(bytes, from: 0, to: bytes.count)
    while let line = cursor.next() {
      let isModification = bytes.hasProperty("LAST-MODIFIED", at: line)
      guard isModification || bytes.hasProperty("DTSTAMP", at: line) else { continue }
      content.add(UnsafeRawBufferPointer(bytes.part(taken, line.start)))
      taken = cursor.position
      let moment = Self.moment(bytes.part(line.start, line.end))
      if isModification {
        stamps.modified = stamps.modified ?? moment
      } else {
        stamps.created = stamps.created ?? moment
      }
    }
    content.add(UnsafeRawBufferPointer(bytes.part(taken, bytes.count)))
    value = content.value
    stamp = stamps.modified ?? stamps.created
  }

  /// The moment of `DTSTAMP:20261121T083000Z`.
  private static func moment(_ line: Bytes) -> Int? {
    var digits = 0
    var number = 0
    for byte in line.part(line.index(of: 0x3A, from: 0, to: line.count), line.count)
    where byte.isDigit && digits < 14 {
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
}
