package import AgendaCore
internal import AgendaReader

/// Every problem of a source, and what an import into an empty calendar would make of it.
package struct SourceCheck {
  package private(set) var report: SourceReport
  /// Each file with its problems, including those of details, in the order of its lines.
  package let files: [(file: LoadedFile, findings: [Finding])]
  /// The problems that belong to no single file: files that can't be read, and what files share.
  package private(set) var commonProblems: [SourceFinding] = []

  /// Something would be rejected or left out.
  package var hasFailures: Bool {
    report.error != nil || report.problems.contains { $0.finding.severity == .error }
  }

  package init(_ source: LoadedSource, isStrict: Bool) {
    let together = CalendarFiles(source.files.map(\.calendar))
    // The events that such a file cancels are in the store, if anywhere.
    let isCancellation = together.files.allSatisfy(\.isCancellation)
    files = source.files.enumerated().map { index, file in
      var findings = file.calendar.findings + file.calendar.detailFindings()
      findings += file.calendar.libicalNotes()
      if !isCancellation { findings += together.findings[index] ?? [] }
      return (file, findings.sorted { $0.line ?? 0 < $1.line ?? 0 })
    }
    report = SourceReport(source: source.name, calendar: source.calendarName)
    if let error = source.error {
      report.error = error.description
      return
    }
    for (file, findings) in files {
      report.components += file.calendar.componentCount
      report.rejected += file.calendar.rejectedCount
      report.problems += findings.map { SourceFinding(source: file.name, finding: $0) }
    }
    let events = isCancellation ? together.files.flatMap(\.allEvents) : together.allEvents
    let assembly = SeriesAssembly(events) { together.content(of: $0.reference) }
    commonProblems = source.problems
    // A UID that one file uses twice is already reported there, with the line.
    let reported = Set(
      (report.problems + commonProblems).map(\.finding).filter { $0.property == "UID" }.map(\.uid))
    commonProblems += assembly.findings.filter { !reported.contains($0.uid) }.map {
      SourceFinding(source: source.name, finding: $0)
    }
    report.problems += commonProblems
    let superseded = Set(assembly.superseded)
    report.added = events.indices.count {
      events[$0].kind != .journal && !superseded.contains($0)
    }
    report.unchanged = together.files.reduce(0) { $0 + $1.answerCount }
    report.superseded = max(
      0, report.components - report.rejected - report.added - report.unchanged)
    if isStrict, report.rejected > 0 {
      report.error = "rejected components: \(report.rejected), and --strict is set"
      (report.components, report.added, report.superseded, report.rejected) = (0, 0, 0, 0)
      report.unchanged = 0
    }
  }
}
