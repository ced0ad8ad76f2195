internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let tasks = AgendaCommand(
    Command(
      "tasks", summary: "list open tasks, the most urgent first, or completed ones",
      discussion: [
        "Overdue tasks come first, then those of today, upcoming ones and those without a date, each by priority.",
        "A repeating task is listed once: on its latest date up to today, or on the next date if that one is done. agenda show --tasks --from shows earlier dates that were missed.",
      ],
      operands: [.sources],
      options: [
        Options.calendar, Options.search, Options.completedTasks, Options.limit,
        Options.linesFormat, Options.safe, Options.locale, Options.showIdentifiers, Options.ifAny,
        Options.color,
      ] + Options.momentOptions + Options.sourceOptions,
      examples: [
        Command.Example("agenda tasks --limit 5", "list the five most urgent tasks"),
        Command.Example("agenda tasks --done", "list what was done, the latest first"),
        Command.Example(
          "agenda tasks --calendar home todo.ics", "list the tasks of one calendar of a file"),
      ], group: "Agenda"),
    arguments: TasksArguments.init
  ) { arguments, run in
    let request = arguments.request
    let presentation = request.presentation
    let (now, zone) = (request.viewer.now, request.viewer.zone)
    let calendars = try run.calendars(of: request.input, for: request.viewer)
    let tasks =
      arguments.listsCompleted
      ? try calendars.completedTasks(request.selection, zone: zone).map {
        ListedTask($0, details: calendars.details(of: $0.event))
      }
      : try calendars.openTasks(request.selection, now: now, zone: zone).map {
        ListedTask($0.occurrence, $0.urgency, details: calendars.details(of: $0.occurrence.event))
      }
    if tasks.isEmpty, presentation.printsNothingIfEmpty { return }
    let shown = Array(tasks.prefix(request.grouping.limit ?? tasks.count))
    if tasks.isEmpty, presentation.isOnTerminal, presentation.format == .text {
      // A pipe gets no line that is not a task.
      let time = presentation.wording.words.time
      return try run.environment.print(
        (arguments.listsCompleted ? time.noCompletedTasks : time.noOpenTasks) + "\n")
    }
    let colors = presentation.format == .text ? try calendars.calendarColors() : [:]
    try run.write { sink in
      TaskListing(
        shown, areCompleted: arguments.listsCompleted, request: request, calendarColors: colors
      ).write(to: &sink)
    }
  }
}

private struct TasksArguments {
  let request: AgendaRequest
  /// `--done`.
  let listsCompleted: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    request = try AgendaRequest(invocation, sources: invocation.line.sources(of: invocation))
    listsCompleted = invocation.line.has(Options.completedTasks)
  }
}

/// An open or a completed task.
private struct ListedTask {
  let event: Event
  let id: OccurrenceID
  /// `nil` without a date.
  let occurrence: Occurrence?
  /// `nil` for a completed task.
  let urgency: OpenTask.Urgency?
  /// When it was completed.
  let completed: Instant?
  let priority: Int?
  let percentComplete: Int?

  init(_ occurrence: Occurrence, _ urgency: OpenTask.Urgency? = nil, details: EventDetails) {
    event = occurrence.event
    id = OccurrenceID(of: occurrence)
    self.occurrence = occurrence.isUndated ? nil : occurrence
    self.urgency = urgency
    completed = urgency == nil ? details.completed : nil
    priority = details.priority
    percentComplete = details.percentComplete
  }
}

/// Tasks in each format.
private struct TaskListing {
  private let tasks: [ListedTask]
  private let areCompleted: Bool
  private let request: AgendaRequest
  private let zone: Zone
  private let words: TimeWords
  private let calendarColors: [String: String]

  init(
    _ tasks: [ListedTask], areCompleted: Bool, request: AgendaRequest,
    calendarColors: [String: String]
  ) {
    self.tasks = tasks
    self.areCompleted = areCompleted
    self.request = request
    self.calendarColors = calendarColors
    zone = request.viewer.zone
    words = TimeWords(wording: request.presentation.wording, zone: zone)
  }

  func write(to sink: inout ByteSink) {
    let presentation = request.presentation
    switch presentation.format {
    case .text where presentation.isOnTerminal || presentation.color != .none:
      writeColumns(to: &sink)
    case .text, .html:
      for task in tasks { sink.write(text(of: task) + "\n") }
    case .markdown:
      let box = areCompleted ? "- [x] " : "- [ ] "
      for task in tasks { sink.write("\(box)\(MarkdownText.inline(text(of: task)))\n") }
    case .json, .jsonl, .tsv, .csv:
      list.write(tasks, as: presentation.format, safe: presentation.isSafe, to: &sink)
    }
  }

  // MARK: For people

  /// Dates and titles in columns, then the rest. Overdue tasks are red.
  private func writeColumns(to sink: inout ByteSink) {
    let presentation = request.presentation
    var layout = TextLayout(width: presentation.columns, color: presentation.color)
    var colors = CalendarColors(calendarColors)
    let dates = tasks.map(date)
    let titles = tasks.map { words.title(of: $0.event) }
    let dateWidth = dates.map(DisplayWidth.of).max() ?? 0
    let hasRoom = presentation.columns.map { $0 >= TextStyle.narrow } ?? true
    // A long title is followed by the rest without a column.
    let widest = presentation.columns.map { max(0, ($0 - dateWidth) / 2) } ?? 40
    let titleWidth = hasRoom ? titles.map(DisplayWidth.of).filter { $0 <= widest }.max() ?? 0 : 0
    let hasSeveralCalendars = Set(tasks.map(\.event.calendar)).count > 1
    for (index, task) in tasks.enumerated() {
      let isOverdue = task.urgency == .overdue
      layout.begin(at: 2, bar: TerminalColor(colors.color(of: task.event)), to: &sink)
      layout.write(
        dates[index], isOverdue ? .alert : task.occurrence == nil ? .weak : .plain, to: &sink)
      layout.space(dateWidth - DisplayWidth.of(dates[index]) + 2, to: &sink)
      layout.hang()
      layout.write(titles[index], to: &sink)
      var facts: [(text: String, emphasis: TextLayout.Emphasis)] = []
      if isOverdue { facts.append((words.words.entries.overdue, .alert)) }
      facts += notes(of: task).map { ($0, .weak) }
      if hasSeveralCalendars || !presentation.isOnTerminal {
        facts.append((SafeText.line(task.event.calendar), .weak))
      }
      if presentation.listsIdentifiers(in: presentation.columns) {
        facts.append((task.id.description, .weak))
      }
      var column = titleWidth - DisplayWidth.of(titles[index])
      for fact in facts where !fact.text.isEmpty {
        let gap = column >= 0 && hasRoom ? column + 2 : 3
        if layout.fits(gap + DisplayWidth.of(fact.text)) {
          if gap == 3, column < 0 || !hasRoom {
            layout.write(" · ", .weak, to: &sink)
          } else {
            layout.space(gap, to: &sink)
          }
        } else {
          layout.breakLine(to: &sink)
        }
        layout.write(fact.text, fact.emphasis, to: &sink)
        column = -1
      }
      layout.newLine(to: &sink)
    }
  }

  /// When it is due, or when it was completed.
  private func date(of task: ListedTask) -> String {
    let wording = words.wording
    func text(_ date: CivilDate, _ time: TimeOfDay?) -> String {
      let day =
        date.year == request.viewer.today.year
        ? wording.shortDateWithoutYear(date) : wording.shortDate(date)
      return time.map { wording.dateAndTime(day, wording.time($0)) } ?? day
    }
    if let completed = task.completed {
      let civil = zone.civil(at: completed)
      return text(civil.date, civil.time)
    }
    guard let occurrence = task.occurrence, !areCompleted else {
      return areCompleted ? "" : words.words.groups.noDate
    }
    if let days = occurrence.allDay { return text(days.lowerBound, nil) }
    let civil = zone.civil(at: occurrence.begin)
    return text(civil.date, civil.time)
  }

  /// `priority 1`, `in process`, the place.
  private func notes(of task: ListedTask) -> [String] {
    var notes: [String] = []
    if let priority = task.priority {
      notes.append("\(words.words.labels.priority) \(words.wording.number(priority))")
    }
    if let status = task.event.status, status == .inProcess {
      notes.append(words.words.statuses.text(of: status))
    }
    if let location = task.event.location { notes.append(SafeText.line(location)) }
    return notes
  }

  /// `Pay the rent · overdue · Fri, 20 Nov 2026, 18:00 · priority 1 · in process`
  private func text(of task: ListedTask) -> String {
    let wording = words.wording
    var parts = [words.title(of: task.event)]
    if task.urgency == .overdue { parts.append(words.words.entries.overdue) }
    if let completed = task.completed {
      parts.append(
        words.words.labels.done + words.words.lists.colon + words.times([.utc(completed.utc)]))
    } else if areCompleted {
      parts.append(words.words.statuses.completed)
    } else if let occurrence = task.occurrence {
      if let days = occurrence.allDay {
        parts.append(wording.shortDate(days.lowerBound))
      } else {
        let civil = zone.civil(at: occurrence.begin)
        parts.append(wording.dateAndTime(wording.shortDate(civil.date), wording.time(civil.time)))
      }
    } else {
      parts.append(words.words.groups.noDate)
    }
    parts += notes(of: task)
    if request.presentation.showsIdentifiers { parts.append(task.id.description) }
    return parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  // MARK: For programs

  private var list: ListFormat<ListedTask> {
    let first = areCompleted ? "completed" : "urgency"
    return ListFormat(
      name: "tasks",
      fields: [
        .init(first) { [zone] task in
          task.urgency.map { .text($0.rawValue) } ?? FieldValue(task.completed, in: zone)
        },
        .init("due") { [zone] in
          FieldValue($0.occurrence.flatMap(EntryTime.init(startOf:)), in: zone)
        },
        .init("priority") { FieldValue($0.priority) },
        .init("percentComplete") { FieldValue($0.percentComplete) },
        .init("status") { FieldValue($0.event.status?.rawValue) },
        .init("id") { .id($0.id) },
      ]
        + [ListFormat<Occurrence>.Field].ofAgenda([.uid, .title, .location, .calendar], in: zone)
        .of { Occurrence(undated: $0.event) },
      columns: [first, "due", "priority", "title", "location", "calendar", "id", "uid"])
  }
}
