/// Combines the findings of one kind of problem in a file, because many files have the same
/// deviation in every event.
package struct FindingGroups<Place: Hashable> {
  /// In the order in which each kind first appears.
  package private(set) var all: [(place: Place, finding: Finding)] = []
  private var indexes: [Key: Int] = [:]

  /// Further lines of one kind are only counted.
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
    let message: String
    let action: String

    init(_ finding: Finding) {
      severity = finding.severity
      component = finding.component
      property = finding.property
      // A UID that several events share is a separate problem.
      uid = finding.property == "UID" ? finding.uid : nil
      let isAboutName = finding.isAboutZoneName || finding.property == "X-WR-TIMEZONE"
      message = isAboutName ? finding.message : Self.wording(finding.message)
      action = isAboutName ? finding.action : Self.wording(finding.action)
    }

    /// The words without quoted text and digits, because values differ within one kind, and without
    /// the other values that a group names.
    private static func wording(_ text: String) -> String {
      var isQuoted = false
      var kept: [UInt8] = []
      kept.reserveCapacity(text.utf8.count)
      for byte in text.utf8 {
        if byte == 0x22 { isQuoted.toggle() }
        if !isQuoted, !(0x30...0x39).contains(byte) { kept.append(byte) }
      }
      let words = String(decoding: kept, as: UTF8.self)
      return OtherValues.start(in: words).map { String(words[..<$0]) } ?? words
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
    OtherValues.add(finding.message, to: &all[index].finding.message)
    all[index].finding.count += finding.count
    let known = all[index].finding.lines
    if let line = finding.lines.first, let last = known.last, line < last {
      // Values of one component are decoded by their meaning, not by their lines.
      let sorted = (known + finding.lines).sorted().prefix(Self.mostLines)
      all[index].finding.line = sorted.first
      all[index].finding.laterLines = Array(sorted.dropFirst())
    } else {
      all[index].finding.laterLines += finding.lines.prefix(max(0, Self.mostLines - known.count))
    }
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
        OtherValues.add(all[index].finding.message, to: &all[indexes[0]].finding.message)
        all[indexes[0]].finding.count += all[index].finding.count
        all[indexes[0]].finding.fileCount += all[index].finding.fileCount
        merged.insert(index)
      }
    }
    all = all.enumerated().filter { !merged.contains($0.offset) }.map(\.element)
    indexes = [:]
  }
}

/// The different values of a group, in the message of its first problem:
/// `"high" is not understood (also "low", "urgent" and others)`.
private enum OtherValues {
  private static let start = " (also "
  private static let others = " and others)"
  /// The number of other values that are named.
  private static let most = 3

  /// The position of the other values in a message; `nil` if it has none. `firstRange` of the
  /// standard library would take most of the time of a file with many problems.
  static func start(in message: String) -> String.Index? {
    message.utf8.indices.first {
      message.utf8[$0] == UInt8(ascii: " ") && message.utf8[$0...].starts(with: start.utf8)
    }
  }

  /// Adds the values of a message to one of the same kind.
  static func add(_ message: String, to first: inout String) {
    guard message != first, !first.hasSuffix(others) else { return }
    let known = values(in: first)
    guard !known.isEmpty else { return }
    var all = known
    for value in values(in: message) where !all.contains(value) { all.append(value) }
    let hasOthers = message.hasSuffix(others)
    guard all.count > known.count || hasOthers else { return }
    let base = start(in: first).map { first[..<$0] } ?? first[...]
    first =
      base + start + all.dropFirst().prefix(most).joined(separator: ", ")
      + (hasOthers || all.count - 1 > most ? others : ")")
  }

  /// The first text in quotes, and those after `start`, with their quotes.
  private static func values(in message: String) -> [String] {
    func quoted(_ text: Substring) -> [String] {
      let parts = text.split(separator: "\"" as Character, omittingEmptySubsequences: false)
      return stride(from: 1, to: parts.count - 1, by: 2).map { "\"\(parts[$0])\"" }
    }
    guard let start = start(in: message) else {
      return Array(quoted(message[...]).prefix(1))
    }
    return quoted(message[..<start]).prefix(1) + quoted(message[start...])
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
