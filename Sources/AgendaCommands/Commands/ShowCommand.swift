internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions
internal import Phrases
internal import Platform

extension AgendaCommand {
  static let show = agenda(
    "show",
    summary: "show what is coming up in your calendars, or in sources without importing them",
    discussion: [
      "Without a SOURCE it shows the calendars that you have imported. With sources it shows them together in one agenda and does not use the store.",
      "The default window is one year from the start of today.",
    ],
    options: Options.windowOptions,
    examples: [
      Command.Example("agenda show calendar.ics --days 7", "show the next seven days of a file"),
      Command.Example(
        "agenda show --from monday --weeks 1 --format markdown", "show next week as Markdown"),
      Command.Example("agenda show --months 3 -f html > agenda.html", "write a web page"),
      Command.Example(
        "curl -s https://example.com/a.ics | agenda show - -f json", "read standard input"),
    ], window: .year)

  static let today = agenda(
    "today", summary: "show the events of today", options: Options.momentOptions,
    examples: [
      Command.Example("agenda today", "show the events of today"),
      Command.Example("agenda today --mail ana@example.com | sendmail -t", "send today as a mail"),
    ], window: .today)

  static let tomorrow = agenda(
    "tomorrow", summary: "show the events of tomorrow", options: Options.momentOptions,
    examples: [
      Command.Example("agenda tomorrow", "show the events of tomorrow"),
      Command.Example("agenda tomorrow --tasks", "show the tasks of tomorrow too"),
    ], window: .tomorrow)

  static let week = agenda(
    "week", summary: "show seven days from today",
    options: [Options.from, Options.whole] + Options.momentOptions,
    examples: [
      Command.Example("agenda week", "show today and the six days after it"),
      Command.Example("agenda week --whole", "show this calendar week"),
      Command.Example("agenda week next week", "show next week"),
    ], window: .week)

  static let month = agenda(
    "month", summary: "show one month from today",
    options: [Options.from, Options.whole] + Options.momentOptions,
    examples: [
      Command.Example("agenda month --group-by week", "show the coming month by weeks"),
      Command.Example("agenda month --whole", "show this calendar month"),
      Command.Example("agenda month december", "show the month from 1 December"),
    ], window: .month)

  /// `show` and the commands that are `show` with another default window.
  private static func agenda(
    _ name: String, summary: String, discussion: [String] = [], options: [Option],
    examples: [Command.Example] = [], window: AgendaRequest.WindowDefault
  ) -> AgendaCommand {
    AgendaCommand(
      Command(
        name, summary: summary,
        discussion: discussion
          + (window == .tomorrow
            ? []
            : [
              "A date in words in place of a SOURCE is the first day: \(name) \(window.dateExample)."
            ]),
        operands: [.sources],
        options: options
          + ([.year, .week, .month].contains(window) ? [Options.printedGrid] : [])
          + Options.options(
            Options.selectionOptions + Options.presentationOptions,
            unlisting: [.today, .tomorrow].contains(window)
              ? [Options.tableOfContents] : [])
          + Options.sourceOptions + [Options.addressesFrom] + Options.fetchOptions
          + [Options.staleWarning],
        examples: examples, group: "Agenda"),
      arguments: { try ShowArguments($0, window: window) },
      run: { arguments, run in
        try run.show(arguments.request)
        if let age = arguments.staleAge {
          try run.warnOfCalendars(olderThan: age, arguments.request)
        }
      })
  }
}

extension Operand {
  /// `[SOURCE…]`
  static let sources = Operand(
    Value("SOURCE", .file(endings: [".ics", ".eml"])),
    help: "an .ics file, a folder of them, an address, or - for standard input", isOptional: true,
    isRepeatable: true)
}

extension CommandRun {
  /// Prints the agenda of a request.
  func show(_ request: AgendaRequest) throws {
    let found = try agenda(request)
    try render(found.agenda, request, found.calendars)
  }
}

private struct ShowArguments {
  let request: AgendaRequest
  /// `--stale`.
  let staleAge: Age?

  init(_ invocation: Invocation, window: AgendaRequest.WindowDefault) throws(CommandError) {
    let line = invocation.line
    if line.has(Options.printedGrid), line.value(of: Options.format) != "html" {
      throw .wrongUsage(
        "--grid can only be used with --format html; agenda calendar --grid month is for a terminal"
      )
    }
    let today = try Viewer(invocation).today
    let (sources, firstDay) = try line.sourcesAndFirstDay(today: today)
    if window == .tomorrow, let firstDay, firstDay != today.adding(days: 1) {
      let text = line.operands.joined(separator: " ")
      throw .wrongUsage(
        "\"\(text)\" is neither a source nor tomorrow; agenda today \(text) shows that day")
    }
    var request = try AgendaRequest(
      invocation, window: window, firstDay: window == .tomorrow ? nil : firstDay,
      sources: sources)
    request.countsToday = window == .today
    if line.has(Options.whole) {
      let grid = window == .week ? CalendarGrid.week : .month
      guard
        let whole = grid.window(
          holding: request.window.firstDay, locale: request.presentation.wording.locale,
          zone: request.viewer.zone)
      else { throw .wrongValue(Options.whole, "the window must be within the years 1 to 9999") }
      request.window = whole
    }
    self.request = request
    staleAge = try invocation.staleAge(Options.staleWarning)
  }
}

extension ParsedCommandLine {
  /// The sources among the operands, and the first day that their other words name: `week next week`, `month
  /// december`. What exists as a file is a source.
  func sourcesAndFirstDay(
    today: CivilDate, after skipped: Int = 0
  ) throws(CommandError) -> (sources: [String], firstDay: CivilDate?) {
    let operands = operands.dropFirst(skipped)
    var (sources, words) = ([String](), Array(operands))
    if words.contains(where: FileAccess.exists)
      || (try? DatePhrase.parse(words.joined(separator: " "), today: today, side: .first)) == nil
    {
      sources = operands.filter(\.namesSource)
      words = operands.filter { !$0.namesSource }
    }
    guard !words.isEmpty else { return (sources, nil) }
    let text = words.joined(separator: " ")
    let day: CivilDate
    do throws(DatePhraseError) {
      day = try DatePhrase.parse(text, today: today, side: .first)
    } catch {
      guard case .notADate = error.problem else { throw .wrongUsage("\(error)") }
      let commands = AgendaCommand.all.map(\.declaration.name)
      let nearest = nearestName(to: text, among: commands).map { "did you mean agenda \($0)?" }
      throw .wrongUsage(
        "\"\(text)\" is neither a file nor a date; "
          + (nearest ?? "agenda search \(text.asArgument) lists entries with these words"))
    }
    if isTyped(Options.from) {
      throw .wrongUsage("--from and \"\(text)\" cannot be used together")
    }
    return (sources, day)
  }

  /// The sources among the operands of a command that has no window.
  func sources(
    of invocation: Invocation, after skipped: Int = 0
  ) throws(CommandError) -> [String] {
    let (sources, day) = try sourcesAndFirstDay(today: Viewer(invocation).today, after: skipped)
    if day == nil { return sources }
    let text = operands.dropFirst(skipped).filter { !$0.namesSource }.joined(separator: " ")
    throw .wrongUsage(
      "\"\(text)\" is a date, and this command has none; agenda show \(text) shows that day")
  }
}
