package import Recurrence

/// A problem of a source, and what was done about it. The function that notices a problem also words it;
/// the functions are in files `Finding+….swift`.
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
  public package(set) var severity: Severity
  /// The line of the source, from 1; `nil` if the problem concerns the source as a whole.
  public package(set) var line: Int?
  /// The range of the invalid part within the line, in bytes from 0; `nil` for the whole line.
  package var place: Range<Int>?
  /// The kind of component: `VEVENT`, `VTIMEZONE`, …
  package var component: String?
  /// The UID of the component; `nil` if it has none.
  public package(set) var uid: String?
  /// The name of the property: `DTSTART`, …
  public package(set) var property: String?
  /// A short identifier of the function that words it. A store keeps it, so it never gets another meaning.
  package private(set) var code: String
  /// What is wrong, without the values and positions that `message` adds.
  package private(set) var messageText: Sentence
  /// What was done.
  package private(set) var actionText: Sentence
  /// Where its events are, if it is about several.
  package var positions = Positions()
  /// The number of problems of this kind in the source. The finding describes the first one.
  public package(set) var count = 1
  /// The lines of the next problems of this kind: of errors all, of others at most nine.
  package var laterLines: [Int] = []
  /// In how many files of a folder. The lines are those of the first.
  package var fileCount = 1

  /// Other values of this kind in the source, at most `mostOtherValues`.
  package var otherValues: [String] = []
  /// Whether the source has more values of this kind.
  package var hasMoreValues = false

  /// They fit into a line of a message.
  package static let mostOtherValues = 3

  /// A text from a source is shortened and without its quotes.
  package init(
    _ severity: Severity, _ code: String, _ message: Sentence, _ action: Sentence
  ) {
    self.severity = severity
    self.code = code
    messageText = message
    actionText = action
  }

  /// The same problem at a place.
  package consuming func at(
    line: Int? = nil, place: Range<Int>? = nil, component: String? = nil, uid: String? = nil,
    property: String? = nil
  ) -> Finding {
    self.line = line
    self.place = place
    self.component = component
    self.uid = uid
    self.property = property
    return self
  }

  /// The problem of another finding at the place of this one.
  package func reworded(as other: Finding) -> Finding {
    var finding = self
    finding.code = other.code
    finding.messageText = other.messageText
    finding.actionText = other.actionText
    return finding
  }

  /// Counts further unknown zones in the message.
  package mutating func addOtherZones(_ count: Int) { messageText += " and \(count) others" }

  /// The lines of the problems of this kind: of errors all, of others the first ten.
  package var lines: [Int] { (line.map { [$0] } ?? []) + laterLines }
}

// MARK: Words

extension Finding {
  /// Where the events of a finding are.
  package struct Positions: Hashable, Sendable {
    package var lines: [Int] = []
    /// Files with their lines, if there are several files: `a.ics:12`.
    package var files: [String] = []
    /// Whether there are more.
    package var isCut = false

    /// The number of positions that a finding names.
    package static let most = 10

    package init() {}

    /// ` (lines 12, 40)`, ` (a.ics:12, b.ics:3, …)`
    fileprivate var text: String {
      if lines.isEmpty, files.isEmpty { return "" }
      let list =
        files.isEmpty
        ? "lines " + lines.map(String.init).joined(separator: ", ") : files.joined(separator: ", ")
      return " (\(list)\(isCut ? ", …" : ""))"
    }
  }

  /// What is wrong: `invalid DTSTART "20260230T090000": no such date`.
  public var message: String {
    let message = messageText.text + positions.text
    guard !otherValues.isEmpty else { return message }
    let others = otherValues.map { "\"\($0)\"" }.joined(separator: ", ")
    return message + " (also \(others)\(hasMoreValues ? " and others" : ""))"
  }

  /// What was done: `event rejected`, `read as Europe/Berlin`.
  public var action: String { actionText.text }

  /// Whether the message names the property.
  package var namesProperty: Bool {
    switch code {
    case "missing-start", "invalid-time", "shared-uid": true
    case "repaired-rule":
      property.map { messageText.text.contains("the value begins with \"\($0):\"") } ?? false
    default: false
    }
  }

  /// Whether it is about the name of a time zone: `TZID "Romance Standard Time"`.
  package var isAboutZoneName: Bool { isOneSentence || code == "unknown-zone" }

  /// Whether the message and the action are one sentence: `TZID "…" read as Europe/Berlin`.
  package var isOneSentence: Bool { code == "zone" || code == "zone-of-definition" }

  /// The message with its property: `DTEND: is before DTSTART`, `missing DTSTART`.
  package var reason: String {
    guard let property else { return "the event: \(message)" }
    return namesProperty ? message : "\(property): \(message)"
  }
}

extension Array where Element == Finding {
  /// By line, with those about the whole source first. Findings of one line keep their order.
  package var sortedByLine: [Finding] {
    enumerated().sorted {
      ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
    }.map(\.element)
  }
}

extension Array where Element == SourceFinding {
  /// The findings of each source by line. The sources keep their order.
  package var sortedByLine: [SourceFinding] {
    var numbers: [String: Int] = [:]
    for finding in self where numbers[finding.source] == nil {
      numbers[finding.source] = numbers.count
    }
    func key(_ index: Int) -> (Int, Int, Int) {
      (numbers[self[index].source] ?? 0, self[index].finding.line ?? 0, index)
    }
    return indices.sorted { key($0) < key($1) }.map { self[$0] }
  }
}
