internal import AgendaBrowser
internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let browse = AgendaCommand(
    Command(
      "browse", summary: "look at calendars, and change them, in the full screen",
      discussion: [
        "It begins with today, or with --from. With --to, --days or another length, only the days of that window have entries. The keys 1 to 6 show a list of all days, a day, a week, a month, a year, or the tasks. The arrow keys and h, j, k and l move. Enter shows the details of the selected entry, / searches, and ? lists all keys. The mouse selects, scrolls, and moves entries.",
        "a adds an entry in plain words, e edits the fields of an entry, x removes it, u undoes. All changes are those of agenda add, edit, remove, done, reply, undo, redo and refresh. Sources that are named on the command line are only shown.",
        "Changes by other programs appear by themselves. --linear shows and asks line by line, for screen readers. It takes the same keys, each followed by Enter.",
        "--key sets keys, best in the configuration file, as in key = done = D, F2. agenda(1) lists the actions.",
        "The exit code is 0 after q and Control-C, and 128 + n after the signal n.",
      ],
      operands: [.sources],
      options: [Options.firstView, Options.linear, Options.browserKey] + Options.windowOptions
        + Options.selectionOptions.filter { $0 != Options.limit && $0 != Options.once }
        + [Options.secondZone, Options.locale, Options.color] + Options.sourceOptions
        + [Options.addressesFrom, Options.defaultCalendar] + Options.fetchOptions,
      examples: [
        Command.Example("agenda browse", "browse your calendars"),
        Command.Example("agenda browse --view week", "begin with this week"),
        Command.Example("agenda browse invitation.ics", "look at a file without importing it"),
      ], group: "Agenda"),
    isPaged: false,
    arguments: BrowseArguments.init
  ) { arguments, run in
    let request = arguments.request
    let environment = run.environment
    guard environment.outputColumns() != nil else {
      throw CommandError.wrongUsage(
        "agenda browse needs a terminal; use agenda show --days 7 for a list")
    }
    var settings = arguments.settings
    if request.input.usesStore {
      do {
        _ = try run.filled(run.store(request.input.store, for: request.viewer))
      } catch CommandError.failed(let reason) {
        // An empty store can be filled here, too.
        settings.notice = reason
      }
    }
    for source in request.input.sources {
      if let reason = source.missingReason {
        throw CommandError.failed("\(source.displayName): \(reason)")
      }
    }
    let shared = arguments.shared
    let makeWorker: @Sendable () -> any BrowserWorker = { BrowserCalendars(shared) }
    let clock = shared.isFixed ? nil : environment.clock
    let status: Int32
    do {
      if arguments.isLinear {
        guard let nextLine = environment.typedLines() else {
          throw CommandError.wrongUsage(
            "--linear needs a terminal for keys; neither standard input nor /dev/tty is one")
        }
        let session = LinearSession(
          settings, now: request.viewer.now, clock: clock, columns: environment.textWidth,
          worker: makeWorker(), nextLine: nextLine, print: { try? environment.print($0) })
        session.run()
        if let loss = session.loss { throw CommandError.failed(loss) }
        status = 0
      } else {
        let session = try BrowserSession(
          settings, now: request.viewer.now, clock: clock,
          keyboard: environment.hasKeyboardProtocol, worker: makeWorker)
        let watch = arguments.watch(session.reportChange)
        status = withExtendedLifetime(watch) { session.run() }
        for failure in session.lateFailures { run.messages.warn(failure) }
        if let loss = session.loss { throw CommandError.failed(loss) }
      }
    } catch let obstacle as BrowserSession.Obstacle {
      throw CommandError.wrongUsage("agenda browse needs a terminal: \(obstacle.reason)")
    }
    guard status == 0 else { throw CommandError.endedBySignal(status: status) }
  }
}

private struct BrowseArguments {
  let request: AgendaRequest
  let settings: BrowserSettings
  let isLinear: Bool
  let shared: BrowserCalendars.Shared

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    let (sources, firstDay) = try line.sourcesAndFirstDay(today: Viewer(invocation).today)
    var request = try AgendaRequest(
      invocation, window: .today, firstDay: firstDay, sources: sources)
    request.grouping.groupedBy = .day
    self.request = request
    isLinear = line.has(Options.linear)
    let presentation = request.presentation
    var settings = BrowserSettings(
      zone: request.viewer.zone, wording: presentation.wording,
      secondZone: presentation.secondZone, color: presentation.color,
      isStore: request.input.usesStore)
    settings.view = line.value(of: Options.firstView).flatMap(BrowserView.init) ?? .list
    settings.firstDay =
      request.window.firstDay == request.viewer.today ? nil : request.window.firstDay
    // The declaration of the option refuses wrong ones.
    for text in line.values(of: Options.browserKey) { try? settings.keys.bind(text) }
    // One calendar that is shown alone gets the new entries, too.
    let shown = line.values(of: Options.calendar)
    let usual = shown.count == 1 ? shown.first : line.value(of: Options.defaultCalendar)
    if let usual { settings.calendarOfNewEntries = usual }
    shared = BrowserCalendars.Shared(invocation, request, keys: settings.keys)
    self.settings = settings
    if !isLinear, invocation.environment.filled("TERM") == "dumb" {
      throw .wrongUsage("the terminal (TERM=dumb) has no full screen; use --linear")
    }
  }

  func watch(_ report: @escaping @Sendable () -> Void) -> CalendarWatch? {
    if request.input.usesStore {
      return (try? request.input.store.path).map {
        CalendarWatch(store: $0, zones: request.viewer.database, report: report)
      }
    }
    // An address would be fetched again for each change of a file, and standard input cannot be read
    // again.
    let paths = request.input.sources.compactMap(\.path)
    guard paths.count == request.input.sources.count else { return nil }
    return CalendarWatch(files: paths, report: report)
  }
}

extension KeyBindings {
  /// What is wrong with the text of a binding.
  static func objection(to text: String) -> String? {
    var keys = KeyBindings.usual
    do throws(KeyBindings.Mistake) {
      try keys.bind(text)
      return nil
    } catch {
      switch error {
      case .form: return "expected an action and its keys such as \"done = D\", got \"\(text)\""
      case .unknownAction(let name):
        let names = BrowserAction.allCases.map(\.rawValue)
        return "unknown action \"\(name)\""
          + wayOut(ofUnknownField: name, among: names, called: "actions")
      case .unknownKey(let name):
        return
          "unknown key \"\(name)\"; keys are a letter or a sign, Up, PageDown, Enter, Space, F1 to "
          + "F12, or one of them after Ctrl- or Alt-"
      }
    }
  }
}

extension Environment {
  /// Whether the terminal is known to have kitty's keyboard protocol. Others would show its control
  /// sequence.
  fileprivate var hasKeyboardProtocol: Bool {
    guard let terminal = filled("TERM"), filled("TMUX") == nil else { return false }
    return ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm", "contour"].contains(
      where: terminal.hasPrefix)
  }
}
