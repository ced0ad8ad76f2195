internal import ICalendar
internal import Platform

/// The UID for a component without one. It is a digest of the content without DTSTAMP, so that every
/// import makes the same UID, even if the producer writes a new DTSTAMP each time.
enum MadeUID {
  private static let prefix: StaticString = "agenda-"

  static func text(of slots: ComponentSlots, in bytes: Bytes, _ room: UnfoldingBuffer) -> String {
    let (first, second) = digests(of: slots, in: bytes, room)
    let prefix = UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
    return String(unsafeUninitializedCapacity: prefix.count + 32) { text in
      var (_, end) = text.initialize(from: prefix)
      for number in [first, second] {
        for shift in stride(from: 60, through: 0, by: -4) {
          let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift) & 0xf)
          text[end] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
          end += 1
        }
      }
      return end
    }
  }

  static func digests(
    of slots: ComponentSlots, in bytes: Bytes, _ room: UnfoldingBuffer
  ) -> (UInt64, UInt64) {
    var first = StableDigest()
    var second = StableDigest(seed: 0x9e37_79b9_7f4a_7c15)
    var number: UInt8 = 0
    func add(_ slot: PropertySlot?) {
      defer { number &+= 1 }
      guard let slot else { return }
      let value = room.view(slot, of: bytes).value.trimmed
      first.add(number)
      first.add(value)
      second.add(number)
      second.add(value)
    }
    add(slots.start)
    add(slots.finish)
    add(slots.due)
    add(slots.duration)
    add(slots.summary)
    add(slots.location)
    add(slots.recurrenceID)
    for rule in slots.rules { add(rule) }
    return (first.value, second.value)
  }
}
