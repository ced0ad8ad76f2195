/// Makes one finding of those that report the same kind of problem: many files repeat a deviation
/// in every event.
package struct FindingGroups<Place: Hashable> {
  /// In the order in which each kind first appears.
  package private(set) var all: [(place: Place, finding: Finding)] = []
  private var indexOfKind: [Kind: Int] = [:]

  /// More lines of one kind are only counted.
  package static var mostLines: Int { 10 }

  package init() {}

  /// What makes two problems one kind.
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
      // The name of a zone is what the problem is about.
      let isAboutName = finding.message.hasPrefix("TZID") || finding.property == "X-WR-TIMEZONE"
      message = isAboutName ? finding.message : Self.wording(finding.message)
      action = isAboutName ? finding.action : Self.wording(finding.action)
    }

    /// The words, without what they quote and without digits: values differ within one kind.
    private static func wording(_ text: String) -> String {
      var isQuoted = false
      var kept: [UInt8] = []
      for byte in text.utf8 {
        if byte == 0x22 { isQuoted.toggle() }
        if !isQuoted, !(0x30...0x39).contains(byte) { kept.append(byte) }
      }
      return String(decoding: kept, as: UTF8.self)
    }
  }

  /// `place` is the file that a finding is about. The lines are those of the first file that has
  /// the problem.
  package mutating func add(_ finding: Finding, in place: Place) {
    let kind = Kind(finding)
    guard let index = indexOfKind[kind] else {
      indexOfKind[kind] = all.count
      all.append((place, finding))
      return
    }
    all[index].finding.count += finding.count
    if all[index].place == place {
      let room = Self.mostLines - all[index].finding.lines.count
      all[index].finding.laterLines += finding.lines.prefix(max(0, room))
    }
  }
}

extension Array where Element == Finding {
  /// One finding for each kind of problem in one file, in the order in which each first appears.
  package var grouped: [Finding] {
    var groups = FindingGroups<Int>()
    for finding in self { groups.add(finding, in: 0) }
    return groups.all.map(\.finding)
  }
}

extension Array where Element == SourceFinding {
  /// One finding for each kind of problem in the files of one source.
  package var grouped: [SourceFinding] {
    var groups = FindingGroups<String>()
    for finding in self { groups.add(finding.finding, in: finding.source) }
    return groups.all.map { SourceFinding(source: $0.place, finding: $0.finding) }
  }
}
