/// The work that an assembly may do. Ordinary calendars need a small part of it. Hostile ones can have
/// thousands of events, overrides and messages with one UID, each of which could concern every other
/// one.
///
/// Pass it on to the next part of the same task, so that all parts together stay within it.
package struct WorkBudget: Sendable {
  package enum Work: Int, Hashable, Sendable, CaseIterable {
    /// Checks whether a rule has an occurrence.
    case ruleChecks
    /// Comparisons of a message with an event.
    case comparisons
    /// Occurrences without an override that cancellations name, searched in the rule of their series.
    case cancelledOccurrences
    /// The same for replies.
    case answeredOccurrences
    /// What messages copy from series to single occurrences, in bytes. Without a limit, a file of two
    /// megabytes can become an export of five gigabytes.
    case copies
  }

  private var left = [50_000, 1_000_000, 1_000, 1_000, 32 << 20]
  /// What there was not enough of.
  package private(set) var exhausted: Set<Work> = []

  package init() {}

  /// Whether any of it is left.
  package func has(_ work: Work) -> Bool { left[work.rawValue] > 0 }

  /// Uses as much as there is left, and returns whether that was enough.
  package mutating func spend(_ amount: Int = 1, on work: Work) -> Bool {
    guard amount <= left[work.rawValue] else {
      exhausted.insert(work)
      return false
    }
    left[work.rawValue] -= amount
    return true
  }
}
