internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering

/// What a refresh has done, in as few words as the last line of a screen needs.
struct RefreshSummary {
  /// Counts of all calendars, then each calendar that failed.
  let parts: [String]

  init(_ reports: [SourceReport], at request: AgendaRequest) {
    let counts = [
      (reports.reduce(0) { $0 + $1.added }, "added"),
      (reports.reduce(0) { $0 + $1.updated }, "updated"),
      (reports.reduce(0) { $0 + $1.removed }, "removed"),
      (reports.reduce(0) { $0 + ($1.exchange?.sent ?? 0) }, "sent"),
      (reports.reduce(0) { $0 + ($1.exchange?.waiting ?? 0) }, "waiting to be sent"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let text = ReportText(
      manner: .done, now: request.viewer.now, zone: request.viewer.zone,
      wording: request.presentation.wording)
    var parts = ["refreshed: " + (counts.isEmpty ? "no changes" : counts.joined(separator: ", "))]
    for report in reports {
      let name = report.calendar ?? report.source
      if let error = text.error(of: report) {
        parts.append("\(name): \(error)")
        continue
      }
      // What was rejected before is not news.
      let errors = report.newProblems.filter { $0.finding.severity == .error }
      guard let first = errors.first?.finding else { continue }
      let more = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
      parts.append("\(name): \(first.message)\(more)")
    }
    self.parts = parts
  }
}
