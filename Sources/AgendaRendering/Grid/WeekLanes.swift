internal import AgendaCore

/// Puts the entries of one day side by side if they share a line.
struct WeekLanes {
  struct Block {
    let entry: Entry
    /// The slots that it covers.
    let slots: Range<Int>
    /// The columns that it covers, from the left of the day.
    var columns: Range<Int>
  }

  /// The number of entries without room, at the slot where the first of them begins.
  struct Rest {
    let count: Int
    let slot: Int
    let columns: Range<Int>
  }

  private(set) var blocks: [Block] = []
  private(set) var rests: [Rest] = []

  /// A lane has room for a mark and a letter.
  private static let narrowestLane = 2

  init(_ entries: [(entry: Entry, slots: Range<Int>)], width: Int) {
    // If entries begin together, longer ones come first, so that short ones are on the right.
    let sorted = entries.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      if a.slots.lowerBound != b.slots.lowerBound {
        return a.slots.lowerBound < b.slots.lowerBound
      }
      if a.entry.begin != b.entry.begin { return a.entry.begin < b.entry.begin }
      return (-a.slots.count, left.offset) < (-b.slots.count, right.offset)
    }.map(\.element)
    var cluster: [(entry: Entry, slots: Range<Int>, lane: Int)] = []
    var laneEnds: [Int] = []
    /// The lanes that are free at the slot, the first one last.
    var freeLanes: [Int] = []
    var slot: Int?
    for (entry, slots) in sorted {
      if slots.lowerBound != slot {
        slot = slots.lowerBound
        freeLanes = laneEnds.indices.reversed().filter { laneEnds[$0] <= slots.lowerBound }
        if freeLanes.count == laneEnds.count {
          place(cluster, lanes: laneEnds.count, width: width)
          cluster = []
          laneEnds = []
          freeLanes = []
        }
      }
      let lane = freeLanes.popLast() ?? laneEnds.count
      if lane == laneEnds.count { laneEnds.append(0) }
      laneEnds[lane] = slots.upperBound
      cluster.append((entry, slots, lane))
    }
    place(cluster, lanes: laneEnds.count, width: width)
  }

  /// Places entries that overlap each other, directly or through others.
  private mutating func place(
    _ cluster: [(entry: Entry, slots: Range<Int>, lane: Int)], lanes: Int, width: Int
  ) {
    guard lanes > 0 else { return }
    var shownLanes = lanes
    var room = width
    var counts = Array(repeating: 0, count: lanes)
    for entry in cluster { counts[entry.lane] += 1 }
    var hidden = 0
    while shownLanes > 0, room / shownLanes < Self.narrowestLane {
      shownLanes -= 1
      // The last columns show the number of hidden entries, such as `+3`.
      hidden += counts[shownLanes]
      room = max(0, width - 1 - String(hidden).utf8.count)
    }
    for (entry, slots, lane) in cluster where lane < shownLanes {
      let columns = (lane * room / shownLanes)..<((lane + 1) * room / shownLanes)
      blocks.append(Block(entry: entry, slots: slots, columns: columns))
    }
    if let first = cluster.lazy.filter({ $0.lane >= shownLanes }).map(\.slots.lowerBound).min() {
      rests.append(Rest(count: hidden, slot: first, columns: room..<width))
    }
  }
}
