/// What is kept of every accepted component: its place, and the values that decide whether its
/// event can be in a window.
struct ComponentStub {
  var start: Int
  var length: Int32
  var line: Int32
  /// A digest of its UID, or of its content where it has none.
  var uidDigest: UInt64
  /// SEQUENCE.
  var sequence: Int
  /// The days outside of which nothing of it can be.
  var firstDay: Int32
  var lastDay: Int32
  var calendar: Int32
  var kind: ComponentKind
  /// Whether it has a RECURRENCE-ID.
  var isOverride: Bool
  /// Whether its zones decide if it ends before it starts.
  var mayEndEarly: Bool
  /// How many of its rules are costly (`Rule.isCostly`).
  var costlyRules: Int32
  /// Whether its details or its rules must be decoded to know what is wrong with them.
  var mayHaveProblems: Bool

  var range: Range<Int> { start..<start + Int(length) }
}
