internal import Platform

/// The processor time of the calling thread in seconds: what other programs do meanwhile does not
/// count.
public enum ThreadTime {
  public static var now: Double {
    SystemClock.processorTimeOfThread / .seconds(1)
  }

  /// How long it takes to do something, in seconds.
  public static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let begin = now
    try body()
    return now - begin
  }

  /// How many times as long something takes that is `factor` times as large. A factor of 8 gives
  /// about 8 if the time is linear, and about 64 if it is quadratic. `body` gets the part of the whole
  /// that it does, from 0 to 1.
  public static func growth(by factor: Int, _ body: (Double) throws -> Void) rethrows -> Double {
    let part = try seconds { try body(1 / Double(factor)) }
    let whole = try seconds { try body(1) }
    // What is too short to be measured has no growth.
    return whole / max(part, 0.002)
  }
}
