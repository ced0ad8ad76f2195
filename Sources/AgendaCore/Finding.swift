/// What is wrong with a source, and what was done about it: a value, not a message on the way to
/// somewhere.
public struct Finding: Hashable, Sendable {
  /// How bad a problem is.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// Something was left out.
    case error
    /// It was read, though not as it was written.
    case warning
    /// A fact that needs no action, such as what other programs make of the source.
    case note
  }

  public var severity: Severity
  /// The line of the source, from 1; `nil` if it speaks of the source as a whole.
  public var line: Int?
  /// Where in that line the offending part begins, in bytes from 0, with its length.
  public var place: Range<Int>?
  /// `VEVENT`, `VTIMEZONE`, …
  public var component: String?
  public var uid: String?
  /// `DTSTART`, …
  public var property: String?
  /// The problem: `invalid DTSTART "20260230T090000": no such date`.
  public var message: String
  /// What was done: `event rejected`, `read as Europe/Berlin`.
  public var action: String
  /// How often the source has a problem of this kind. This finding describes the first.
  public var count = 1
  /// Where the next ones are: at most nine lines.
  public var laterLines: [Int] = []

  public init(
    severity: Severity, line: Int? = nil, place: Range<Int>? = nil, component: String? = nil,
    uid: String? = nil, property: String? = nil, message: String, action: String
  ) {
    self.severity = severity
    self.line = line
    self.place = place
    self.component = component
    self.uid = uid
    self.property = property
    self.message = message
    self.action = action
  }

  /// The lines of the first ten problems of this kind.
  public var lines: [Int] { (line.map { [$0] } ?? []) + laterLines }
}
