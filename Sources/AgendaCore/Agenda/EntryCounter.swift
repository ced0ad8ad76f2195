/// Finds how far a listing can go without more entries than it shows.
///
/// It counts entries in slots, which are days or seconds from the start of the listing. When there are
/// too many, the last slots drop out. An occurrence of many days takes one step.
struct EntryCounter {
  /// The number of slots that together have few enough entries.
  private(set) var slots: Int
  private let most: Int
  private var entries = 0
  private var entriesOfLastSlot = 0
  /// By how many entries each slot differs from the one before it.
  private var changes: [Int]

  init(slots: Int, atMost most: Int) {
    self.slots = slots
    self.most = most
    changes = [Int](repeating: 0, count: slots)
  }

  /// Counts an occurrence that has entries in some slots.
  mutating func add(_ wanted: ClosedRange<Int>, weight: Int) {
    guard wanted.lowerBound < slots else { return }
    let last = min(wanted.upperBound, slots - 1)
    entries += (last - wanted.lowerBound + 1) * weight
    changes[wanted.lowerBound] += weight
    if last == slots - 1 { entriesOfLastSlot += weight } else { changes[last + 1] -= weight }
    while entries > most { removeLastSlot() }
  }

  /// Drops the second half of the slots.
  mutating func halve() {
    let half = slots / 2
    while slots > half { removeLastSlot() }
  }

  private mutating func removeLastSlot() {
    slots -= 1
    entries -= entriesOfLastSlot
    entriesOfLastSlot -= changes[slots]
  }
}
