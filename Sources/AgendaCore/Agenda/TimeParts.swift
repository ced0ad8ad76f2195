internal import CivilTime

/// Equal parts of a window, each with about a thousand of many moments.
///
/// A part fits into the caches of the processor. Work on one part after the other takes the same time
/// for each moment, however many there are.
struct TimeParts {
  let count: Int
  private let start: Int
  private let length: Int

  private static let usualCount = 1024

  init(of window: DateWindow, moments: Int) {
    count = max(1, moments / Self.usualCount)
    start = window.start.secondsSinceEpoch
    length = max(1, window.end.secondsSinceEpoch - start)
  }

  /// The part of a moment. Moments outside of the window are in the first or the last part.
  func number(of moment: Int) -> Int {
    let (distance, isFar) = moment.subtractingReportingOverflow(start)
    if isFar { return moment < start ? 0 : count - 1 }
    return min(max(0, distance), length - 1) * count / length
  }

  /// Moves the elements of each part next to each other, in the order of the parts. Returns the
  /// positions after the last element of each part.
  @inline(__always)
  static func gather<Element>(
    _ elements: UnsafeMutableBufferPointer<Element>, into count: Int,
    _ part: (borrowing Element) -> Int
  ) -> [Int] {
    var ends = [Int](repeating: 0, count: count)
    for index in elements.indices { ends[part(elements[index])] += 1 }
    for part in 1..<max(1, count) { ends[part] += ends[part - 1] }
    // The first position of each part whose element may belong to another one.
    var next = [0] + ends.dropLast()
    for here in 0..<count {
      while next[here] < ends[here] {
        let there = part(elements[next[here]])
        if there != here { elements.swapAt(next[here], next[there]) }
        next[there] += 1
      }
    }
    return ends
  }
}
