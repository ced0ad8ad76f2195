internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

/// The agenda that a command line asks for: its window, its selection and its grouping.
struct AgendaRequest {
  private(set) var viewer: Viewer
  var window: DateWindow
  var selection: Selection
  var grouping: Agenda.Options
  var presentation: Presentation
  /// Whether a terminal shows how many entries today has.
  var countsToday = false
  var input: SourceArguments
  /// The calendars on the command line. A default of the configuration doesn't decide which entry a
  /// REF names.
  var typedCalendars: [String]
  /// Whether the command line sets the window.
  let hasTypedWindow: Bool
  /// Whether the command changes the entry that it finds. Words then name no entry outside the window.
  private(set) var isForWriting = false

  init(
    _ invocation: Invocation, window: WindowDefault = .year, firstDay: CivilDate? = nil,
    sources: [String]
  ) throws(CommandError) {
    let line = invocation.line
    viewer = try Viewer(invocation)
    self.window = try DateWindow.asked(
      by: line, viewer: viewer, from: firstDay ?? window.firstDay(of: viewer), length: window.length
    )
    selection = try Selection(line, viewer: viewer)
    grouping = Agenda.Options(
      groupedBy: line.value(of: Options.groupBy).flatMap(SectionKey.init) ?? .day,
      once: line.has(Options.once), limit: line.number(of: Options.limit), today: viewer.today)
    presentation = try Presentation(invocation)
    selection.mostEntries = invocation.environment.mostEntries
    selection.entrySize = presentation.entrySize
    selection.listsByCategory = grouping.groupedBy == .category
    input = try SourceArguments(invocation, sources: sources)
    typedCalendars = line.typedValues(of: Options.calendar)
    hasTypedWindow = line.hasTypedWindow
  }

  /// The same for a command whose `--calendar` sets a property of an event: a REF is looked up in all
  /// calendars.
  var inAllCalendars: AgendaRequest {
    var request = self
    request.typedCalendars = []
    request.selection = Selection(words: selection.words)
    request.input.calendars = []
    return request
  }

  /// The same for a command that changes the entry that it finds.
  var forWriting: AgendaRequest {
    var request = self
    request.isForWriting = true
    return request
  }

  /// The same request at a later moment.
  func asked(at now: Instant) -> AgendaRequest {
    var request = self
    request.viewer.now = now
    request.grouping.today = request.viewer.today
    if selection.notStartedAt != nil { request.selection.notStartedAt = now }
    return request
  }

  /// Windows of growing length around today, to find an entry that is not in the requested window.
  var widerWindows: [DateWindow] {
    [(years: -1, 2), (years: -10, 20), (years: -100, 200)].compactMap { years in
      viewer.today.adding(years: years.0).flatMap {
        DateWindow(firstDay: $0, length: .years(years.1), zone: viewer.zone)
      }
    }
  }

  /// The past year, today included.
  var pastYear: DateWindow? {
    guard let first = viewer.today.adding(years: -1), let next = viewer.today.adding(days: 1)
    else { return nil }
    return DateWindow(firstDay: first, dayAfterLast: next, zone: viewer.zone)
  }

  /// The first days of the window, in which as many entries as the limit allows may be found. In
  /// sections other than days, what comes later may be listed before them, and what has no date comes
  /// after all days.
  var narrowerWindows: [DateWindow] {
    guard grouping.limit != nil, grouping.groupedBy == .day, !selection.includesTasks,
      !selection.includesJournals
    else { return [] }
    return [8, 64].compactMap { days in
      let narrow = DateWindow(
        firstDay: window.firstDay, length: .days(days), zone: window.zone)
      return narrow.flatMap { $0.dayAfterLast < window.dayAfterLast ? $0 : nil }
    }
  }

  /// The window of a command without options for it.
  enum WindowDefault {
    case year, today, tomorrow, week, month

    var length: DateWindow.Length {
      switch self {
      case .year: .years(1)
      case .today, .tomorrow: .days(1)
      case .week: .weeks(1)
      case .month: .months(1)
      }
    }

    /// A date in words, for help.
    var dateExample: String {
      switch self {
      case .year, .month, .tomorrow: "december"
      case .today: "fri"
      case .week: "monday"
      }
    }

    func firstDay(of viewer: Viewer) -> CivilDate? {
      self == .tomorrow ? viewer.today.adding(days: 1) : viewer.today
    }
  }
}

extension AgendaRequest {
  /// A request of alarms, which have no positions in sections.
  init(ofAlarms invocation: Invocation, sources: [String]) throws(CommandError) {
    try self.init(invocation, sources: sources)
    if selection.condition?.concernsPositions ?? false {
      throw .wrongValue(
        Options.condition, "indexPath cannot be used with alarms, which are not in sections")
    }
  }
}

extension Selection {
  fileprivate init(_ line: ParsedCommandLine, viewer: Viewer) throws(CommandError) {
    self.init(
      calendars: line.values(of: Options.calendar),
      words: line.value(of: Options.search).map(Self.words) ?? [],
      includesCancelled: line.has(Options.includeCancelled),
      includesTasks: line.has(Options.tasks),
      notStartedAt: line.has(Options.notStarted) ? viewer.now : nil,
      notDeclinedBy: line.value(of: Options.notDeclined))
    includesJournals = line.has(Options.journal)
    excludedCalendars = line.values(of: Options.notCalendar)
    if line.has(Options.timed) {
      timeKind = .timed
    } else if line.command.options.contains(Options.timed), line.has(Options.onlyAllDay) {
      // `free` has no `--timed`, and its `--all-day` has another meaning.
      timeKind = .allDay
    }
    condition = try line.value(of: Options.condition).map { text throws(CommandError) in
      try Self.condition(text, viewer)
    }
  }

  private static func condition(
    _ text: String, _ viewer: Viewer
  ) throws(CommandError) -> Condition {
    do throws(ConditionError) {
      return try Condition(text, zone: viewer.zone, now: viewer.now)
    } catch {
      var reason = SafeText.line(error.description)
      if case .unknownField(let name) = error.problem {
        reason += wayOut(ofUnknownField: name, among: Condition.fieldNames)
      }
      throw .wrongValue(Options.condition, reason)
    }
  }

  /// The words of a search, without the spaces between them.
  static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}

/// The end of the message about an unknown field: the most similar field, or all fields.
func wayOut(
  ofUnknownField name: String, among names: [String], called plural: String = "fields"
) -> String {
  if let nearest = nearestName(to: name, among: names) { return "; did you mean \"\(nearest)\"?" }
  return "; the \(plural) are \(names.joined(separator: ", "))"
}
