/// The values that are kept of every accepted component: its position, and the values that decide
/// whether its event can be in a window.
struct ComponentStub {
  var start: Int
  var length: Int32
  var line: Int32
  /// A digest of its UID; without a UID, of its content.
  var uidDigest: UInt64
  /// SEQUENCE.
  var sequence: Int
  /// The days that it can touch.
  var firstDay: Int32
  var lastDay: Int32
  var calendar: Int32
  var kind: ComponentKind
  /// Whether it has a RECURRENCE-ID.
  var isOverride: Bool
  /// Whether the RECURRENCE-ID is a midnight, but DTSTART is another time.
  var replacesMidnight: Bool
  /// Whether its zones decide if it ends before it starts.
  var mayEndEarly: Bool
  /// The work of its rules (`Rule.work`).
  var ruleWork: Int32
  /// Whether its details or its rules must be decoded to find their problems.
  var mayHaveProblems: Bool

  var range: Range<Int> { start..<start + Int(length) }
}

extension ComponentStub {
  /// A component of a store, whose index has what the first pass finds in a file. `CalendarFile` finds
  /// its UID when it is needed.
  init(stored range: Range<Int>, kind: ComponentKind, calendar: Int32, omitsCostlyRules: Bool) {
    self.init(
      start: range.lowerBound, length: Int32(clamping: range.count), line: 0, uidDigest: 0,
      sequence: 0, firstDay: .min, lastDay: .max, calendar: calendar, kind: kind,
      isOverride: false, replacesMidnight: false, mayEndEarly: false,
      ruleWork: omitsCostlyRules ? .max : 0, mayHaveProblems: false)
  }
}
