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
  /// What is wrong and what was done.
  package var kind: Kind
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

  package init(
    _ severity: Severity, _ kind: Kind, line: Int? = nil, place: Range<Int>? = nil,
    component: String? = nil, uid: String? = nil, property: String? = nil
  ) {
    self.severity = severity
    self.kind = kind
    self.line = line
    self.place = place
    self.component = component
    self.uid = uid
    self.property = property
  }

  /// The lines of the problems of this kind: of errors all, of others the first ten.
  package var lines: [Int] { (line.map { [$0] } ?? []) + laterLines }
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
