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
      var findings = together.files.findings(ofFile: firstFile + index)
      findings += file.calendar.ruleNotes() + file.calendar.libicalNotes().grouped
      if source.isMessage(file) { findings.keepMessages() }
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
      report.unchanged += file.calendar.answerCount
      report.problems += findings.map { SourceFinding(source: file.name, finding: $0) }
    }
    commonProblems = source.problems
    report.problems = (report.problems + commonProblems).grouped
    // No import has reported these problems before.
    report.newProblems = report.problems
    for place in firstFile..<firstFile + files.count {
      report.added += together.added[place] ?? 0
      report.unchanged += together.files.ineffectiveCount(ofFile: place)
    }
    if let file = source.files.first, source.isMessage(file) {
      // It only changes events of the other sources.
      report.added = 0
      report.updated = file.calendar.acceptedCount - report.unchanged
    }
    report.superseded = max(
      0,
      report.components - report.rejected - report.added - report.updated - report.unchanged)
    let rejected = report.rejected + files.reduce(0) { $0 + $1.file.calendar.rejectedJournalCount }
    if isStrict, rejected > 0 {
      report.error = "rejected components: \(rejected), and --strict is set"
      (report.components, report.added, report.superseded, report.rejected) = (0, 0, 0, 0)
      (report.updated, report.unchanged) = (0, 0)
      (report.journals, report.freeBusy) = (0, 0)
    }
  }
}

extension LoadedSource {
  /// Whether the source is a file that only changes events of other sources. An import keeps it.
  fileprivate func isMessage(_ file: LoadedFile) -> Bool {
    files.count == 1 && file.name == name && file.calendar.hasOnlyMessages
  }
}

extension [Finding] {
  /// The findings of an import, which keeps messages to events that it does not have.
  fileprivate mutating func keepMessages() {
    for index in indices {
      switch self[index].kind {
      case .cancellation(.missingEvent, _):
        self[index].kind = .cancellation(.missingEvent, isKept: true)
      case .reply(.missing, _): self[index].kind = .reply(.missing, isKept: true)
      default: continue
      }
    }
  }
}

/// The files of all sources of a check, and what an import of all of them would add.
private struct LoadedVersions {
  let files: CalendarFiles
  /// How many events and tasks of each file would be added, by its place.
  private(set) var added: [Int: Int] = [:]

  init(_ sources: [LoadedSource]) {
    let loaded = sources.flatMap(\.files)
    let files = CalendarFiles(loaded.map(\.calendar), names: loaded.map(\.name))
    self.files = files
    let events = files.allEvents
    let assembly = SeriesAssembly(events) { files.content(of: $0) }
    for event in events
    where event.kind != .journal && !assembly.superseded.contains(event.reference)
      && !files.isAnsweredOccurrence(event.reference)
    {
      if let place = files.fileIndex(of: event.reference) { added[place, default: 0] += 1 }
    }
  }
}
