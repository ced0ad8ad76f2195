/// A problem of a source, and what was done about it.
public struct Finding: Hashable, Sendable {
  /// How bad a problem is.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// An event or a part of it was skipped.
    case error
    /// The reader repaired something.
    case warning
    /// A fact that needs no action, such as what other programs make of the source.
    case note
  }

  /// How bad the problem is.
  public var severity: Severity
  /// The line of the source, from 1; `nil` if the problem concerns the source as a whole.
  public var line: Int?
  /// The range of the invalid part within the line, in bytes from 0; `nil` for the whole line.
  public var place: Range<Int>?
  /// The kind of component: `VEVENT`, `VTIMEZONE`, …
  public var component: String?
  /// The UID of the component; `nil` if it has none.
  public var uid: String?
  /// The name of the property: `DTSTART`, …
  public var property: String?
  /// The problem: `invalid DTSTART "20260230T090000": no such date`.
  public var message: String
  /// What was done: `event rejected`, `read as Europe/Berlin`.
  public var action: String
  /// The number of problems of this kind in the source. The finding describes the first one.
  public var count = 1
  /// The lines of the next problems of this kind, at most nine.
  public var laterLines: [Int] = []
  /// In how many files of a folder. The lines are those of the first.
  public var fileCount = 1

  /// A problem with its place and what was done about it.
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

extension Finding {
  /// Whether the message is about the name of a time zone: `TZID "Romance Standard Time"`.
  package var isAboutZoneName: Bool {
    message.hasPrefix("TZID ") || message.hasPrefix("unknown TZID ")
  }

  /// The message with its property: `DTEND: is before DTSTART`, `missing DTSTART`.
  package var reason: String {
    guard let property else { return "the event: \(message)" }
    return message.contains(property) ? message : "\(property): \(message)"
  }
}
