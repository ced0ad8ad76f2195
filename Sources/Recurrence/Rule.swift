public import CivilTime

/// A recurrence rule (RFC 5545 3.3.10), as parsed: no part of it is out of range.
public struct Rule: Hashable, Sendable {
  public enum Frequency: UInt8, Hashable, Sendable, CaseIterable, Comparable {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly

    public static func < (left: Frequency, right: Frequency) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  public var frequency: Frequency
}
