/// The work that an assembly may do. Ordinary calendars need a small part of it. Hostile ones can have
/// thousands of events, overrides and messages with one UID, each of which could concern every other
/// one.
///
/// Pass it on to the next part of the same task, so that all parts together stay within it.
package struct WorkBudget: Sendable {
  package enum Work: Hashable, Sendable, CaseIterable {
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

  private var ruleChecks = 50_000
  private var comparisons = 1_000_000
  private var cancelledOccurrences = 1_000
  private var answeredOccurrences = 1_000
  private var copies = 32 << 20
  private var missing: Set<Work> = []

  package init() {}

  /// A budget for some checks of rules.
  init(ruleChecks: Int) { self.ruleChecks = ruleChecks }

  /// Forgets what there was not enough of.
  mutating func startRecording() {
    if !missing.isEmpty { missing = [] }
  }

  /// What there was not enough of, in the order of the cases.
  var recorded: [Work] { missing.isEmpty ? [] : Work.allCases.filter(missing.contains) }

  /// Spends an amount if there is so much left, and returns whether there was.
  mutating func spend(_ amount: Int = 1, on work: Work) -> Bool {
    let isEnough =
      switch work {
      case .ruleChecks: Self.take(amount, from: &ruleChecks)
      case .comparisons: Self.take(amount, from: &comparisons)
      case .cancelledOccurrences: Self.take(amount, from: &cancelledOccurrences)
      case .answeredOccurrences: Self.take(amount, from: &answeredOccurrences)
      case .copies: Self.take(amount, from: &copies)
      }
    if !isEnough { missing.insert(work) }
    return isEnough
  }

  private static func take(_ amount: Int, from left: inout Int) -> Bool {
    guard amount <= left else { return false }
    left -= amount
    return true
  }
}
