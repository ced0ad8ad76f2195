/// What is kept of every component that was accepted: where it stands, and as much of what it
/// says as decides whether its event can matter.
struct ComponentStub {
  var start: Int
  var length: Int32
  var line: Int32
  /// A digest of its UID, or of its content where it has none.
  var uidDigest: UInt64
  /// The days outside of which nothing of it can be.
  var firstDay: Int32
  var lastDay: Int32
  /// A digest of its DTSTART as written.
  var startDigest: UInt32
  var calendar: Int32
  var kind: ComponentKind
  var flags: Flags

  struct Flags: OptionSet {
    let rawValue: UInt8
    static let isOverride = Flags(rawValue: 1)
    static let hasNoUID = Flags(rawValue: 2)
    static let isRecurring = Flags(rawValue: 4)
  }

  var range: Range<Int> { start..<start + Int(length) }
}
