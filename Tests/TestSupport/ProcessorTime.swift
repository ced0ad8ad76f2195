internal import Foundation

/// Compares the processor time of pieces of work on one thread, measured in the same run: what other
/// tests and programs do meanwhile hardly counts, and a slow machine is slow for both.
public enum ProcessorTime {
  /// The processor time of the thread in seconds: the least of three runs.
  public static func of(_ work: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<3 { least = min(least, try single(work)) }
    return least
  }

  private static var ofThread: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// How many times as long `work` takes for twice the size: about 2 if its time grows with the size,
  /// and 4 if it grows with the square.
  ///
  /// The two sizes take turns, and the least time of each counts, because other programs make single runs
  /// longer, never shorter. Turns that cannot change the answer of a test are left out.
  public static func growth(from size: Int, _ work: (Int) throws -> Void) rethrows -> Double {
    var (once, twice) = (Double.infinity, Double.infinity)
    for turn in 1...mostTurns {
      once = min(once, try single { try work(size) })
      twice = min(twice, try single { try work(2 * size) })
      if turn >= 3, twice / once < linearGrowth { break }
    }
    return twice / once
  }

  private static let mostTurns = 15

  private static func single(_ work: () throws -> Void) rethrows -> Double {
    let begin = ofThread
    try work()
    return ofThread - begin
  }

  /// The most growth of time that grows with the size, with room for other programs on the machine.
  public static let linearGrowth = 2.6
}
