internal import CivilTime

/// The occurrences of several rules together, in the order of their instants, with duplicates.
///
/// A heap, so that the next occurrence of thousands of rules takes a few comparisons and not one
/// for each of them.
struct RuleStreams: Sendable {
  private var streams: [RuleStream]
  /// The streams that have not ended, by index; the first one has the earliest occurrence.
  private var heap: [Int]
  /// How often any of them went on.
  private(set) var steps = 0

  init() { (streams, heap) = ([], []) }

  init(
    of rules: [Rule], start: EventTime, zone: Zone, from: CivilDateTime?, givesStart: Bool = true
  ) {
    streams = rules.map {
      RuleStream($0, start: start, zone: zone, from: from, givesStart: givesStart)
    }
    if streams.count < 2 {
      heap = streams.first?.head == nil ? [] : [0]
      return
    }
    // A sorted list is a heap.
    heap = []
    heap = streams.indices.filter { streams[$0].head != nil }
      .sorted { streams[$0].key < streams[$1].key }
  }

  /// How many have not ended.
  var count: Int { heap.count }
  var head: Candidate? { heap.first.flatMap { streams[$0].head } }

  /// Goes on with the one that gave `head`.
  mutating func advance() {
    guard let first = heap.first else { return }
    steps += 1
    streams[first].advance()
    if streams[first].head == nil {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
    }
    if heap.count > 1 { sink() }
  }

  private mutating func sink() {
    var place = 0
    while true {
      var least = place
      for child in 2 * place + 1...2 * place + 2
      where child < heap.count && streams[heap[child]].key < streams[heap[least]].key {
        least = child
      }
      if least == place { return }
      heap.swapAt(place, least)
      place = least
    }
  }
}

extension RuleStream {
  fileprivate var key: Int { head?.key ?? .max }
}
