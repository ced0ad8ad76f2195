internal import AgendaCore

/// The problems of a source, with one line for each kind.
enum FindingSummary {
  /// The lines of errors and warnings. Notes need no action.
  static func lines(_ findings: [SourceFinding]) -> [String] {
    findings.filter { $0.finding.severity != .note }.map { line($0.finding, of: $0.source) }
  }

  /// `work.ics:120: warning: VEVENT 8f3c: message; action`
  static func line(_ finding: Finding, of source: String) -> String {
    var line = source
    if let number = finding.line { line += ":\(number)" }
    line += ": \(finding.severity.rawValue): "
    let what = [finding.component, finding.uid].compactMap(\.self).joined(separator: " ")
    if !what.isEmpty { line += what + ": " }
    if let property = finding.property, !finding.namesProperty, !finding.isAboutZoneName {
      line += property + ": "
    }
    let (message, action) = (finding.message, ErrorWording.action(of: finding))
    line += message
    if !action.isEmpty { line += (finding.isOneSentence ? " " : "; ") + action }
    if finding.count > 1 {
      let files = finding.fileCount > 1 ? " in \(finding.fileCount) files" : ""
      line += " (\(finding.count) times\(files))"
    }
    return line
  }
}
