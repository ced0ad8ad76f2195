public import AgendaCore
internal import AgendaReader

/// All problems of a source, and the result of importing it into an empty calendar.
public struct SourceCheck {
  /// The report that an import into an empty calendar would give.
  public private(set) var report: SourceReport
  /// A problem and the line that it is about, as the file has it.
  public struct QuotedProblem {
    /// The problem and the file that has it.
    public let problem: SourceFinding
    /// The line that has the problem; `nil` if the problem is not about a line that can be shown.
    public let excerpt: SourceExcerpt?
  }

  private let files: [(file: LoadedFile, findings: [Finding])]
  /// The files that can't be read.
  private var commonProblems: [SourceFinding] = []

  /// Each problem with its line, including problems of details. Problems are in the order of files and
  /// lines. Files that can't be read come last.
  public var quotedProblems: [QuotedProblem] {
    files.flatMap { file, findings in
      zip(findings, file.calendar.excerpts(of: findings)).map { finding, excerpt in
        QuotedProblem(
          problem: SourceFinding(source: file.name, finding: finding), excerpt: excerpt)
      }
    } + commonProblems.map { QuotedProblem(problem: $0, excerpt: nil) }
  }

  /// Whether an import would reject or skip something.
  public var hasFailures: Bool {
    report.error != nil || report.problems.contains { $0.finding.severity == .error }
  }

  package init(_ source: LoadedSource, isStrict: Bool) {
    let together = CalendarFiles(
      source.files.map(\.calendar), names: source.files.map(\.name))
    files = source.files.enumerated().map { index, file in
      var findings = file.calendar.findings + file.calendar.ruleNotes()
      findings += file.calendar.libicalNotes().grouped
      findings += together.findings[index] ?? []
      // Stable, so that the findings of a line keep their order.
      let ordered = findings.enumerated().sorted {
        ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
      }
      return (file, ordered.map(\.element).grouped)
    }
    report = SourceReport(source: source.name, calendar: source.calendarName)
    if let error = source.error {
      report.error = error.description
      return
    }
    for (file, findings) in files {
      report.components += file.calendar.componentCount
      report.rejected += file.calendar.rejectedCount
      report.journals += file.calendar.journalCount
      report.freeBusy += file.calendar.freeBusyCount
      report.problems += findings.map { SourceFinding(source: file.name, finding: $0) }
    }
    let events = together.allEvents
    let assembly = SeriesAssembly(events) { together.content(of: $0.reference) }
    commonProblems = source.problems
    report.problems = (report.problems + commonProblems).grouped
    // No import has reported these problems before.
    report.newProblems = report.problems
    let superseded = Set(assembly.superseded)
    report.added = events.indices.count {
      events[$0].kind != .journal && !superseded.contains($0)
        && !together.isAnsweredOccurrence(events[$0].reference)
    }
    report.unchanged = together.files.reduce(0) { $0 + $1.answerCount } + together.ineffectiveCount
    if let file = source.files.first, source.files.count == 1, file.name == source.name,
      file.calendar.hasOnlyMessages
    {
      // It only changes events of other sources, and an empty store has none.
      report.unchanged = file.calendar.acceptedCount
    }
    report.superseded = max(
      0, report.components - report.rejected - report.added - report.unchanged)
    if isStrict, report.rejected > 0 {
      report.error = "rejected components: \(report.rejected), and --strict is set"
      (report.components, report.added, report.superseded, report.rejected) = (0, 0, 0, 0)
      (report.unchanged, report.journals, report.freeBusy) = (0, 0, 0)
    }
  }
}
