internal import Foundation

/// Compares the processor time of pieces of work on one thread, measured in the same run: what other
/// tests and programs do meanwhile hardly counts, and a slow machine is slow for both.
public enum ProcessorTime {
  /// The processor time of the thread in seconds: the least of three runs.
  public static func of(_ work: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<3 {
      let begin = ofThread
      try work()
      least = min(least, ofThread - begin)
    }
    return least
  }

  private static var ofThread: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// How many times as long `work` takes for twice the size: about 2 if its time grows with the size,
  /// and 4 if it grows with the square.
  public static func growth(from size: Int, _ work: (Int) throws -> Void) rethrows -> Double {
    let once = try of { try work(size) }
    let twice = try of { try work(2 * size) }
    return twice / once
  }

  /// The most growth of time that grows with the size, with room for other programs on the machine.
  public static let linearGrowth = 2.6
}
