internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let `import` = AgendaCommand(
    Command(
      "import", summary: "import calendars into the store",
      discussion: [
        "Importing a source again updates its events: new ones are added, changed ones are updated, and those that the source does not contain any more are removed.",
        "If a source would lose all of its events, or more than half of them, agenda keeps what it has and reports it. --allow-shrink imports it anyway. Sources that had 10 events or fewer may lose more than half, but not all.",
        "A folder of .ics files is one calendar. If only its subfolders have .ics files, each of them is a separate calendar, and refresh finds new ones.",
        "The address of a CalDAV server imports the calendars of your account there, with their names and colours. agenda asks for your password, or gets it from --password-command, and does not keep it. What you change in such a calendar is stored at once and sent by the next refresh. agenda help refresh says more.",
        "An imported calendar belongs to others: agenda keeps your changes to it in the store. --into copies the events into a calendar that you can write, once. They are yours from then on, and events whose UID it has already stay as they are.",
        "Each import is one transaction: if it is interrupted, the store stays as it was.",
      ],
      operands: [
        Operand(
          Operand.sources.value, help: Operand.sources.help, isOptional: true, isRepeatable: true)
      ],
      options: [
        Options.intoCalendar, Options.copiedInto, Options.dryRun, Options.strict,
        Options.allowShrink, Options.quiet,
        Options.reportFormat, Options.encoding, Options.store, Options.now, Options.addressesFrom,
        Options.jobs, Options.locale,
      ] + Options.fetchOptions + Options.serverOptions,
      examples: [
        Command.Example("agenda import ~/calendars/work.ics", "import a file"),
        Command.Example(
          "agenda import --url-from ~/.config/agenda/addresses",
          "import calendars from the web; agenda refresh fetches them again"),
        Command.Example(
          "agenda import https://cloud.example.com/ --user ana",
          "import the calendars of a CalDAV server; agenda refresh sends and receives changes"),
        Command.Example("agenda import old.ics --into home", "copy events into your own calendar"),
      ], group: "Store"),
    isPaged: false,
    arguments: ImportArguments.init,
    run: { arguments, run in
      let settings = arguments.settings
      let store = try run.store(settings)
      try run.reporting(settings) { progress in
        try run.writing {
          try store.write(isDryRun: settings.isDryRun) {
            $0.questions = run.serverQuestions
            return try $0.importSources(arguments.sources, settings.options, progress: progress)
          }
        }
      }
    })

  static let refresh = AgendaCommand(
    Command(
      "refresh", summary: "import all sources of the store again",
      discussion: [
        "Addresses are fetched in parallel, and downloaded only if they changed. If an address fails, the store keeps what it has, and the next refresh tries it again. A problem in a calendar's content is reported once.",
        "An address waits as long as its server or its calendar asks for (Retry-After, max-age, REFRESH-INTERVAL). It waits up to an hour if the server is too busy, or if its host has failed ten times in a row. The report says what waits and until when; --force, --allow-shrink or the name of the calendar fetches it now. An address that is gone for good (410) is asked once a day, and is an error each time.",
        "For calendars on CalDAV servers, refresh sends what you changed and then receives what others changed. Changes of different properties or occurrences of an event are merged; for others, agenda resolve shows both versions. What the server refuses waits and is sent again each time, until agenda undo.",
      ],
      operands: [
        Operand(
          Value("CALENDAR", .listed("calendars")), help: "import only the sources of this calendar",
          isOptional: true, isRepeatable: true)
      ],
      options: [
        Options.dryRun, Options.strict, Options.allowShrink, Options.quiet, Options.reportFormat,
        Options.store, Options.now, Options.jobs, Options.force, Options.staleReport,
        Options.locale,
      ] + Options.fetchOptions,
      examples: [
        Command.Example("agenda refresh --quiet", "print only errors, for cron"),
        Command.Example(
          "agenda refresh --quiet --stale 24h", "report a failing address only once a day"),
      ], group: "Store"),
    isPaged: false,
    arguments: RefreshArguments.init,
    run: { arguments, run in
      let settings = arguments.settings
      let store = try run.store(settings)
      // Without anything to fetch, a refresh is complete: cron runs it before the first import, too.
      if let reason = settings.store.missingReason { run.messages.warn(reason) }
      let isEmpty = try store.isEmpty && store.mails().isEmpty
      if !arguments.calendars.isEmpty {
        _ = try run.filled(store)
      }
      try run.reporting(settings, ifNone: nothingToFetch) { progress in
        if isEmpty { return [] }
        return try store.write(isDryRun: settings.isDryRun) {
          $0.questions = run.serverQuestions
          return try $0.refresh(
            calendars: arguments.calendars, settings.options, progress: progress)
        }
      }
    })

  private static let nothingToFetch =
    "nothing to fetch: no calendar comes from a file, a folder or an address. "
    + "Run agenda import SOURCE to add one\n"
}

private struct ImportArguments {
  let sources: [Source]
  let settings: ImportSettings

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    let calendar = line.value(of: Options.intoCalendar)
    let copiedInto = line.value(of: Options.copiedInto)
    if calendar != nil, copiedInto != nil {
      throw .wrongUsage("--calendar and --into cannot be used together")
    }
    if let calendar, calendar.isEmpty {
      throw .wrongValue(Options.intoCalendar, "expected a name, got an empty one")
    }
    sources = try invocation.sources(line.operands)
    guard !sources.isEmpty else {
      throw .wrongUsage("missing SOURCE; see agenda import --help")
    }
    if calendar != nil, let root = sources.first(where: { $0.isRoot }) {
      throw .wrongValue(
        Options.intoCalendar,
        "each folder in \(root.displayName) is a separate calendar; "
          + "name one of these folders instead")
    }
    var settings = try ImportSettings(invocation, calendar: calendar)
    try invocation.addServerSettings(to: &settings.options.fetching)
    settings.options.copiesInto = copiedInto
    self.settings = settings
  }
}

private struct RefreshArguments {
  /// All of them if it is empty.
  let calendars: [String]
  let settings: ImportSettings

  init(_ invocation: Invocation) throws(CommandError) {
    calendars = invocation.line.operands
    settings = try ImportSettings(invocation, calendar: nil)
  }
}

/// The arguments that `import` and `refresh` share.
private struct ImportSettings {
  var options: StoreWriter.ImportOptions
  let isDryRun: Bool
  let now: Instant
  /// An import works without a zone; then the report names no days.
  let zone: Result<Zone, CommandError>
  let store: StoreArgument
  let zones: ZoneDatabase
  let text: ReportText
  let isJSON: Bool
  let isQuiet: Bool

  init(_ invocation: Invocation, calendar: String?) throws(CommandError) {
    let (line, environment) = (invocation.line, invocation.environment)
    now = try Viewer.now(invocation)
    isDryRun = line.has(Options.dryRun)
    zone = Result { () throws(CommandError) in try Viewer(invocation).zone }
    var options = StoreWriter.ImportOptions()
    options.calendar = calendar
    options.encoding = try TextEncoding(invocation)
    options.allowsShrinking = line.has(Options.allowShrink)
    options.isStrict = line.has(Options.strict)
    options.jobs = line.number(of: Options.jobs) ?? options.jobs
    options.isForced = line.has(Options.force)
    options.staleAge = try invocation.staleAge(Options.staleReport)?.seconds
    options.fetching = try invocation.fetchSettings()
    self.options = options
    store = try StoreArgument(invocation)
    zones = .system(TZDIR: environment.filled("TZDIR"))
    text = ReportText(
      manner: isDryRun ? .wouldBe : .done, now: now, zone: try? zone.get(),
      wording: try Presentation(invocation).wording)
    isJSON = line.value(of: Options.reportFormat) == "json"
    isQuiet = line.has(Options.quiet)
  }
}

extension SourceReport {
  /// What `--quiet` reports: new errors, because cron would mail the others each time, and conflicts when
  /// they appear, because only the user can settle them.
  fileprivate var urgentProblems: [SourceFinding] {
    newProblems.filter { problem in
      if problem.finding.code == "open-conflicts" { return exchange?.newConflicts ?? 0 > 0 }
      return problem.finding.severity == .error
    }
  }

  /// The new problems, and all errors: those of an unchanged source are not solved yet.
  fileprivate var shownProblems: [SourceFinding] {
    if newProblems == problems { return problems }
    let errors = problems.filter { $0.finding.severity == .error }
    return (errors + newProblems.filter { $0.finding.severity != .error }).sortedByLine
  }

  fileprivate var hasErrors: Bool { problems.contains { $0.finding.severity == .error } }
}

extension CommandRun {
  fileprivate func store(_ settings: ImportSettings) throws -> CalendarStore {
    let zone = settings.zone
    return try store(settings.store, zones: settings.zones, now: settings.now) { try zone.get() }
  }

  /// Runs imports, shows their progress and prints their reports. Without a report it prints `sentence`.
  fileprivate func reporting(
    _ arguments: ImportSettings, ifNone sentence: String? = nil,
    _ body: (_ progress: @escaping (SourceProgress) -> Void) throws -> [SourceReport]
  ) throws {
    let progress = ImportProgress(self, isQuiet: arguments.isQuiet)
    let all = try body(progress.show)
    let reports = all.filter { $0.remote?.isSilent != true }
    environment.noteReports(reports)
    progress.end()
    let text = arguments.text
    for report in reports where report.error != nil || report.hasErrors {
      messages.noteRejection()
    }
    if arguments.isJSON {
      let shown =
        arguments.isQuiet
        ? reports.filter { $0.error != nil || !$0.urgentProblems.isEmpty } : reports
      if arguments.isQuiet, shown.isEmpty { return }
      return try write { text.format.renderJSON(shown, to: &$0) }
    }
    for report in reports {
      messages.report(arguments.isQuiet ? report.urgentProblems : report.shownProblems)
      if report.error != nil { messages.reject(text.failure(report)) }
    }
    if arguments.isQuiet { return }
    if all.isEmpty, let sentence { return try environment.print(sentence) }
    try write { sink in
      for report in reports where report.error == nil {
        sink.write(SafeText.line(text.summary(report)) + "\n")
      }
    }
  }
}
