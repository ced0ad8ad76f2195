package import AgendaCore
internal import AgendaReader

/// All problems of a source, and the result of importing it into an empty calendar.
package struct SourceCheck {
  /// The report that an import into an empty calendar would give.
  package private(set) var report: SourceReport
  /// A problem and the line that it is about, as the file has it.
  package struct QuotedProblem {
    /// The problem and the file that has it.
    package let problem: SourceFinding
    /// The line that has the problem; `nil` if the problem is not about a line that can be shown.
    package let excerpt: SourceExcerpt?
  }

  private let files: [(file: LoadedFile, findings: [Finding])]
  /// The files that can't be read.
  private var commonProblems: [SourceFinding] = []

  /// Each problem with its line, including problems of details. Problems are in the order of files and
  /// lines. Files that can't be read come last.
  package var quotedProblems: [QuotedProblem] {
    files.flatMap { file, findings in
      zip(findings, file.calendar.excerpts(of: findings)).map { finding, excerpt in
        QuotedProblem(
          problem: SourceFinding(source: file.name, finding: finding), excerpt: excerpt)
      }
    } + commonProblems.map { QuotedProblem(problem: $0, excerpt: nil) }
  }

  /// Whether an import would reject or skip something.
  package var hasFailures: Bool {
    report.error != nil || report.problems.contains { $0.finding.severity == .error }
  }

  /// Checks sources as one import of all of them: what one has can replace what another has.
  package static func all(of sources: [LoadedSource], isStrict: Bool) -> [SourceCheck] {
    let together = LoadedVersions(sources)
    var firstFile = 0
    return sources.map { source in
      defer { firstFile += source.files.count }
      return SourceCheck(source, together, firstFile: firstFile, isStrict: isStrict)
    }
  }

  /// `firstFile` is the place of its first file among those of all sources.
  private init(
    _ source: LoadedSource, _ together: LoadedVersions, firstFile: Int, isStrict: Bool
  ) {
    files = source.files.enumerated().map { index, file in
      var findings = together.files.findings(ofFile: firstFile + index, together.commonFindings)
      findings += file.calendar.ruleNotes() + file.calendar.libicalNotes().grouped
      return (file, findings.sortedByLine.grouped)
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
    commonProblems = source.problems
    report.problems = (report.problems + commonProblems).grouped
    // No import has reported these problems before.
    report.newProblems = report.problems
    let isMail = source.files.count == 1 && source.files[0].calendar.isMail
    let counts = together.counts(ofSource: source, isMail: isMail)
    (report.added, report.updated) = (counts.added, counts.updated)
    (report.unchanged, report.superseded) = (counts.unchanged, counts.superseded)
    let rejected = report.rejected + files.reduce(0) { $0 + $1.file.calendar.rejectedJournalCount }
    if isStrict, rejected > 0 {
      let refusal = SourceRefusal.rejectedComponents(rejected)
      report.refusal = refusal
      report.error = "\(refusal)"
      (report.components, report.added, report.superseded, report.rejected) = (0, 0, 0, 0)
      (report.updated, report.unchanged) = (0, 0)
      (report.journals, report.freeBusy) = (0, 0)
    }
  }
}

/// The files of all sources of a check, and what an import of all of them would do.
private struct LoadedVersions {
  let files: CalendarFiles
  let commonFindings: [Int: [Finding]]
  private let after: StoreExcerpt

  init(_ sources: [LoadedSource]) {
    let loaded = sources.flatMap(\.files)
    files = CalendarFiles(loaded.map(\.calendar), names: loaded.map(\.name))
    commonFindings = files.commonFindings(keepsMails: true)
    after = StoreExcerpt(files)
  }

  func counts(ofSource source: LoadedSource, isMail: Bool) -> VersionCounts {
    var counts = VersionCounts()
    guard let number = source.files.first?.calendar.source else { return counts }
    let components = source.files.flatMap { file in
      (0..<file.calendar.eventCount).map {
        VersionCounts.Component(id: file.calendar.number(ofComponent: $0), isNew: true)
      }
    }
    counts.count(
      components, gone: [], source: number, isMail: isMail,
      before: StoreExcerpt(CalendarFiles([])), after: after)
    return counts
  }
}
