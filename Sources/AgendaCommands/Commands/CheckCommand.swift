internal import AgendaCore
internal import AgendaReader
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let check = AgendaCommand(
    Command(
      "check", summary: "say every problem of a source, and what would be done about it",
      discussion: [
        "Nothing is written. The exit status is 1 where something would be rejected or left out.",
        "Each VEVENT and VTODO that begins in a source is counted: added, superseded (a duplicate, or outdated by a later version in the same source) or rejected.",
      ],
      operands: [
        Operand(
          Operand.sources.value, help: Operand.sources.help, isRepeatable: true)
      ],
      options: [
        Options.reportFormat, Options.intoCalendar, Options.strict, Options.quiet,
        Options.encoding,
      ] + Options.momentOptions,
      examples: [
        Command.Example("agenda check work.ics", "what is wrong with it, line by line"),
        Command.Example("agenda check -f json ~/calendars | jq '.sources[].rejected'", ""),
      ], group: "Store")
  ) { invocation in
    let line = invocation.line
    let viewer = try Viewer(invocation)
    var options = CalendarReader.Options()
    options.encoding = try invocation.encoding()
    options.calendar = line.value(of: Options.intoCalendar)
    var loader = SourceLoader(
      zones: viewer.database, options: options, messages: invocation.messages, isQuiet: true)
    for source in line.operands { loader.load(SourceAddress(source)) }
    let checks = loader.outcomes.map { SourceCheck($0, isStrict: line.has(Options.strict)) }
    for check in checks where check.hasFailures { invocation.messages.noteRejection() }
    let isQuiet = line.has(Options.quiet)
    let width = invocation.environment.outputColumns()
    try invocation.write { sink in
      if line.value(of: Options.reportFormat) == "json" {
        ReportFormat().renderJSON(checks.map(\.report), to: &sink)
        return
      }
      for check in checks {
        check.writeProblems(to: &sink, width: width)
        if !isQuiet || check.report.error != nil {
          sink.write(SafeText.line(ReportText(manner: .wouldBe).summary(check.report)) + "\n")
        }
      }
    }
  }
}

/// What a source would bring, and what is wrong with it.
private struct SourceCheck {
  private(set) var report: SourceReport
  /// Each file with all that is wrong with it, its details included, in the order of its lines.
  private let files: [(calendar: LoadedCalendar, findings: [Finding])]

  /// Something would be rejected or left out.
  var hasFailures: Bool {
    report.error != nil || report.problems.contains { $0.finding.severity == .error }
  }

  init(_ outcome: SourceLoader.Outcome, isStrict: Bool) {
    let together = CalendarFiles(outcome.calendars.map(\.file))
    // What a file that does nothing else cancels is in the store, if anywhere.
    let isCancellation = together.files.allSatisfy(\.isCancellation)
    files = outcome.calendars.enumerated().map { place, calendar in
      var findings = calendar.file.findings + calendar.file.detailFindings()
      if !isCancellation { findings += together.findings[place] ?? [] }
      return (calendar, findings.sorted { $0.line ?? 0 < $1.line ?? 0 })
    }
    report = SourceReport(source: outcome.name, calendar: outcome.calendarName)
    if let error = outcome.error {
      report.error = error
      return
    }
    for (calendar, findings) in files {
      report.components += calendar.file.componentCount
      report.rejected += calendar.file.rejectedCount
      report.problems += findings.map { SourceFinding(source: calendar.name, finding: $0) }
    }
    let events = isCancellation ? together.files.flatMap(\.allEvents) : together.allEvents
    report.problems += outcome.problems
    let assembly = SeriesAssembly(events)
    // What the files of a folder share; what one file has twice, it says itself, with the line.
    let told = Set(
      report.problems.map(\.finding).filter { $0.property == "UID" }.map(\.uid))
    report.problems += assembly.findings.filter { !told.contains($0.uid) }.map {
      SourceFinding(source: outcome.name, finding: $0)
    }
    let superseded = Set(assembly.superseded)
    report.added = events.indices.count {
      events[$0].kind != .journal && !superseded.contains($0)
    }
    report.superseded = max(0, report.components - report.rejected - report.added)
    if isStrict, report.rejected > 0 {
      report.error = "\(report.rejected) of its components cannot be read, and --strict is given"
      (report.components, report.added, report.superseded, report.rejected) = (0, 0, 0, 0)
    }
  }

  /// `width` is that of the terminal; `nil` where the result goes elsewhere.
  func writeProblems(to sink: inout ByteSink, width: Int?) {
    for (calendar, findings) in files {
      for (finding, excerpt) in zip(findings, calendar.file.excerpts(of: findings)) {
        sink.write(SafeText.line(FindingSummary.line(finding, of: calendar.name)) + "\n")
        if let excerpt { QuotedLine(excerpt, width: width).render(to: &sink) }
      }
    }
    let own = files.reduce(0) { $0 + $1.findings.count }
    for problem in report.problems.dropFirst(own) {
      sink.write(SafeText.line(FindingSummary.line(problem.finding, of: problem.source)) + "\n")
    }
  }
}
