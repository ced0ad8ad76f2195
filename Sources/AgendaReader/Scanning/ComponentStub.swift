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
  /// The number of its costly rules (`Rule.isCostly`).
  var costlyRules: Int32
  /// Whether its details or its rules must be decoded to find their problems.
  var mayHaveProblems: Bool

  var range: Range<Int> { start..<start + Int(length) }
}
