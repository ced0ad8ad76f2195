internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let check = AgendaCommand(
    Command(
      "check", summary: "list every problem in a source without importing it",
      discussion: [
        "Each problem is listed with its line and what agenda would do about it. Nothing is written. The exit status is 1 if something would be rejected or skipped.",
        "The last line counts each VEVENT and VTODO that begins in the source: added, superseded (a duplicate, or replaced by a later version) or rejected.",
        "Several sources are checked as one import of all of them: in one calendar, an event of one source can replace that of another. Sources whose calendars have the same name are different calendars, unless --calendar names one.",
      ],
      operands: [
        Operand(
          Operand.sources.value, help: Operand.sources.help, isOptional: true, isRepeatable: true)
      ],
      options: [
        Options.reportFormat, Options.intoCalendar, Options.strict, Options.quiet,
        Options.encoding, Options.addressesFrom,
      ] + Options.fetchOptions + Options.momentOptions,
      examples: [
        Command.Example("agenda check work.ics", "list the problems of a file"),
        Command.Example(
          "agenda check -f json ~/calendars | jq '.sources[].rejected'",
          "count the rejected components of a folder"),
      ], group: "Store"),
    arguments: CheckArguments.init
  ) { arguments, run in
    let checks = AgendaKit.checks(
      of: arguments.sources, arguments.options, zones: arguments.zones)
    for check in checks where check.hasFailures { run.messages.noteRejection() }
    let text = ReportText(manner: .wouldBe)
    if arguments.isJSON {
      var reports = checks.map(\.report)
      if arguments.isQuiet { reports.removeAll { $0.error == nil && $0.problems.isEmpty } }
      if arguments.isQuiet, reports.isEmpty { return }
      return try run.write { text.format.renderJSON(reports, to: &$0) }
    }
    let width = run.environment.outputColumns()
    try run.write { sink in
      for check in checks {
        check.writeProblems(to: &sink, width: width)
        if !arguments.isQuiet || check.report.error != nil {
          sink.write(SafeText.line(text.summary(check.report)) + "\n")
        }
      }
    }
  }
}

private struct CheckArguments {
  let sources: [Source]
  let options: StoreWriter.ImportOptions
  let zones: ZoneDatabase
  let isJSON: Bool
  let isQuiet: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    zones = try Viewer(invocation).database
    var options = StoreWriter.ImportOptions()
    options.encoding = try TextEncoding(invocation)
    options.calendar = line.value(of: Options.intoCalendar)
    options.isStrict = line.has(Options.strict)
    options.fetching = try invocation.fetchSettings()
    self.options = options
    sources = try invocation.sources(line.operands)
    if sources.isEmpty { throw .wrongUsage("missing SOURCE; see agenda check --help") }
    isJSON = line.value(of: Options.reportFormat) == "json"
    isQuiet = line.has(Options.quiet)
  }
}

extension SourceCheck {
  /// Writes each problem and the line that it is about. `width` is the terminal's, if there is one.
  fileprivate func writeProblems(to sink: inout ByteSink, width: Int?) {
    for quoted in quotedProblems {
      let problem = quoted.problem
      sink.write(SafeText.line(FindingSummary.line(problem.finding, of: problem.source)) + "\n")
      if let excerpt = quoted.excerpt { QuotedLine(excerpt, width: width).render(to: &sink) }
    }
  }
}
