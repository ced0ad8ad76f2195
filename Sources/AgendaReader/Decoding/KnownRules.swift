internal import ICalendar
internal import Recurrence

/// The rules of a source that were parsed already, because sources repeat them. It keeps rules
/// without findings and without an UNTIL, which differs in nearly every event.
struct KnownRules {
  private var rules: [UInt64: (bytes: [UInt8], rule: Rule)] = [:]

  /// Calendars have few different rules; more of them cost memory.
  private static let most = 512

  func rule(_ text: Bytes) -> Rule? {
    guard let known = rules[text.digest()],
      known.bytes.withUnsafeBufferPointer({ $0.equals(text) })
    else { return nil }
    return known.rule
  }

  mutating func note(_ rule: Rule, for text: Bytes) {
    guard rule.until == nil, rules.count < Self.most else { return }
    rules[text.digest()] = (Array(text), rule)
  }
}
