internal import AgendaCore

/// What is wrong with a source in a few lines: of problems of one kind the first, and how many more
/// there are.
///
///     work.ics:120: warning: VEVENT 8f3c: TZID "W. Europe Standard Time" read as Europe/Berlin
///     work.ics: warning: 41 more like that of line 120
struct FindingSummary {
  let lines: [String]

  /// More kinds than this are only counted.
  static let mostKinds = 20

  /// `source` is what those are counted of that are not listed.
  init(_ findings: [SourceFinding], of source: String) {
    var order: [Kind] = []
    var groups: [Kind: (first: SourceFinding, count: Int)] = [:]
    for finding in findings where finding.finding.severity != .note {
      let kind = Kind(finding.finding)
      if groups[kind] == nil {
        groups[kind] = (finding, 0)
        order.append(kind)
      }
      groups[kind]?.count += 1
    }
    var lines: [String] = []
    for kind in order.prefix(Self.mostKinds) {
      guard let group = groups[kind] else { continue }
      let (first, severity) = (group.first, group.first.finding.severity.rawValue)
      lines.append(Self.line(first.finding, of: first.source))
      if group.count > 1 {
        lines.append(
          "\(source): \(severity): \(group.count - 1) more like the one\(Self.place(first, in: source))"
        )
      }
    }
    let unlisted = order.dropFirst(Self.mostKinds).reduce(0) { $0 + (groups[$1]?.count ?? 0) }
    if unlisted > 0 {
      lines.append("\(source): \(unlisted) more problems; agenda check \(source) lists them all")
    }
    self.lines = lines
  }

  private static func place(_ finding: SourceFinding, in source: String) -> String {
    let line = finding.finding.line
    if finding.source == source { return line.map { " in line \($0)" } ?? " before" }
    return " in \(finding.source)" + (line.map { ":\($0)" } ?? "")
  }

  /// `TZID "…" read as Europe/Berlin`: the action says what the message names was taken for.
  private static func isOneSentence(_ finding: Finding) -> Bool {
    finding.message.hasPrefix("TZID") && finding.action.hasPrefix("read as")
  }

  /// `work.ics:120: warning: VEVENT 8f3c: message; action`
  static func line(_ finding: Finding, of source: String) -> String {
    var line = source
    if let number = finding.line { line += ":\(number)" }
    line += ": \(finding.severity.rawValue): "
    let what = [finding.component, finding.uid].compactMap(\.self).joined(separator: " ")
    if !what.isEmpty { line += what + ": " }
    if let property = finding.property, !finding.message.contains(property),
      !finding.message.hasPrefix("TZID ")
    {
      line += property + ": "
    }
    line += finding.message
    if !finding.action.isEmpty {
      line += Self.isOneSentence(finding) ? " \(finding.action)" : "; \(finding.action)"
    }
    return line
  }

  /// What makes two problems one kind.
  private struct Kind: Hashable {
    let severity: Finding.Severity
    let component: String?
    let property: String?
    let message: String
    let action: String

    init(_ finding: Finding) {
      severity = finding.severity
      component = finding.component
      property = finding.property
      // Of messages that quote their own value (a date, a duration) the words are the kind.
      message =
        finding.severity == .warning
        ? finding.message : String(finding.message.filter { !$0.isNumber })
      action = finding.action
    }
  }
}
