internal import ICalendar
internal import Platform

/// The UID for a component without one. It is a digest of the content without DTSTAMP, so that every
/// import makes the same UID, even if the producer writes a new DTSTAMP each time.
enum MadeUID {
  static func text(of slots: ComponentSlots, in bytes: Bytes, _ room: UnfoldingBuffer) -> String {
    let (first, second) = digests(of: slots, in: bytes, room)
    return "agenda-" + hexadecimal(first) + hexadecimal(second)
  }

  static func digests(
    of slots: ComponentSlots, in bytes: Bytes, _ room: UnfoldingBuffer
  ) -> (UInt64, UInt64) {
    var first = StableDigest()
    var second = StableDigest(seed: 0x9e37_79b9_7f4a_7c15)
    let single = [
      slots.start, slots.finish, slots.due, slots.duration, slots.summary, slots.location,
      slots.recurrenceID,
    ]
    for (number, slot) in (single + slots.rules.map(Optional.some)).enumerated() {
      guard let slot else { continue }
      let value = room.view(slot, of: bytes).value.trimmed
      first.add(UInt8(truncatingIfNeeded: number))
      first.add(value)
      second.add(UInt8(truncatingIfNeeded: number))
      second.add(value)
    }
    return (first.value, second.value)
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
