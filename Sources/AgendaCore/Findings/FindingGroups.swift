/// Combines the findings of one kind of problem in a file, because many files have the same
/// deviation in every event.
package struct FindingGroups<Place: Hashable> {
  /// In the order in which each kind first appears.
  package private(set) var all: [(place: Place, finding: Finding)] = []
  private var indexes: [Key: Int] = [:]

  /// Further lines of one kind are only counted, unless it is an error.
  package static var mostLines: Int { 10 }
  /// If more files have a problem of one kind, only the first is named.
  package static var mostFiles: Int { 5 }

  package init() {}

  private struct Key: Hashable {
    let kind: Kind
    let place: Place
  }

  /// Two problems are of one kind if these values are equal.
  private struct Kind: Hashable {
    let severity: Finding.Severity
    let component: String?
    let property: String?
    let uid: String?
    let code: String
    let message: String
    let action: String
    /// Events of several files are not combined with those of others.
    let files: [String]

    init(_ finding: Finding) {
      severity = finding.severity
      component = finding.component
      property = finding.property
      // A UID that several events share is a separate problem.
      uid = finding.property == "UID" ? finding.uid : nil
      code = finding.code
      message = finding.messageText.kind
      action = finding.actionText.kind
      files = finding.positions.files
    }
  }

  /// `place` is the file of the finding.
  package mutating func add(_ finding: Finding, in place: Place) {
    let key = Key(kind: Kind(finding), place: place)
    guard let index = indexes[key] else {
      indexes[key] = all.count
      all.append((place, finding))
      return
    }
    all[index].finding.addValues(of: finding)
    all[index].finding.count += finding.count
    all[index].finding.addLines(of: finding)
  }

  /// Combines the findings of one kind in more files than `mostFiles`.
  package mutating func summarizeFiles() {
    var indexesOfKind: [Kind: [Int]] = [:]
    for (index, item) in all.enumerated() {
      indexesOfKind[Kind(item.finding), default: []].append(index)
    }
    var merged: Set<Int> = []
    for indexes in indexesOfKind.values where indexes.count > Self.mostFiles {
      for index in indexes.dropFirst() {
        all[indexes[0]].finding.addValues(of: all[index].finding)
        all[indexes[0]].finding.count += all[index].finding.count
        all[indexes[0]].finding.fileCount += all[index].finding.fileCount
        merged.insert(index)
      }
    }
    all = all.enumerated().filter { !merged.contains($0.offset) }.map(\.element)
    indexes = [:]
  }
}

extension Finding {
  /// The value of the first problem and the others of its group.
  package var listedValues: [String] {
    (messageText.listed.map { [$0] } ?? []) + otherValues
  }

  /// Adds the values of a problem of the same kind, for a message such as
  /// `"high" is not understood (also "low", "urgent" and others)`.
  fileprivate mutating func addValues(of other: Finding) {
    guard !hasMoreValues, messageText != other.messageText || !other.otherValues.isEmpty else {
      return
    }
    let known = listedValues
    let added = other.listedValues.filter { !known.contains($0) }
    let all = otherValues + added
    hasMoreValues = other.hasMoreValues || all.count > Self.mostOtherValues
    otherValues = Array(all.prefix(Self.mostOtherValues))
  }

  /// Adds the lines of a problem of the same kind. Values of one component are decoded by their
  /// meaning, not by their lines.
  fileprivate mutating func addLines(of other: Finding) {
    let limit = severity == .error ? Int.max : FindingGroups<Int>.mostLines - 1
    for line in other.lines {
      guard let first = self.line else {
        self.line = line
        continue
      }
      if line < first { self.line = line }
      let later = max(line, first)
      if laterLines.count >= limit, let last = laterLines.last, later >= last { continue }
      laterLines.insert(later, at: laterLines.lastIndex { $0 <= later }.map { $0 + 1 } ?? 0)
      if laterLines.count > limit { laterLines.removeLast() }
    }
  }
}

extension Array where Element == Finding {
  /// One finding for each kind of problem in one file, in the order in which the kinds first
  /// appear.
  package var grouped: [Finding] {
    var groups = FindingGroups<Int>()
    for finding in self { groups.add(finding, in: 0) }
    return groups.all.map(\.finding)
  }
}

extension Array where Element == SourceFinding {
  /// One finding for each kind of problem in each file of one source, or in all of them if many
  /// files have it.
  package var grouped: [SourceFinding] {
    var groups = FindingGroups<String>()
    for finding in self { groups.add(finding.finding, in: finding.source) }
    groups.summarizeFiles()
    return groups.all.map { SourceFinding(source: $0.place, finding: $0.finding) }
  }
}
