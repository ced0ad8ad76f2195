internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let tasks = AgendaCommand(
    Command(
      "tasks", summary: "list open tasks, the most urgent first",
      discussion: [
        "Overdue tasks come first, then those of today, upcoming ones and those without a date, each by priority.",
        "A repeating task is listed once: on its latest date up to today, or on the next date if that one is done. agenda show --tasks --from shows earlier dates that were missed.",
      ],
      operands: [.sources],
      options: Options.momentOptions + [Options.calendar, Options.search, Options.limit]
        + [Options.linesFormat, Options.locale, Options.showIdentifiers, Options.ifAny]
        + Options.sourceOptions,
      examples: [
        Command.Example("agenda tasks --limit 5", "list the five most urgent tasks"),
        Command.Example(
          "agenda tasks --calendar home todo.ics", "list the tasks of one calendar of a file"),
      ], group: "Agenda"),
    arguments: TasksArguments.init
  ) { arguments, run in
    let request = arguments.request
    let calendars = try run.calendars(of: request.input, for: request.viewer)
    let tasks = try calendars.openTasks(
      request.selection, now: request.viewer.now, zone: request.viewer.zone)
    if tasks.isEmpty, request.presentation.printsNothingIfEmpty { return }
    let shown = Array(tasks.prefix(request.grouping.limit ?? tasks.count))
    try run.write { sink in TaskListing(shown, request: request).write(to: &sink) }
  }
}

private struct TasksArguments {
  let request: AgendaRequest

  init(_ invocation: Invocation) throws(CommandError) {
    request = try AgendaRequest(invocation, sources: invocation.line.operands)
  }
}

/// Open tasks in each format.
private struct TaskListing {
  private let tasks: [OpenTask]
  private let request: AgendaRequest
  private let zone: Zone
  private let words: TimeWords

  init(_ tasks: [OpenTask], request: AgendaRequest) {
    self.tasks = tasks
    self.request = request
    zone = request.viewer.zone
    words = TimeWords(wording: request.presentation.wording, zone: zone)
  }

  func write(to sink: inout ByteSink) {
    switch request.presentation.format {
    case .text, .html:
      var layout = TextLayout(
        width: request.presentation.columns, color: request.presentation.color)
      for task in tasks {
        layout.write(text(of: task), to: &sink)
        layout.newLine(to: &sink)
      }
    case .markdown:
      for task in tasks { sink.write("- [ ] \(MarkdownText.inline(text(of: task)))\n") }
    case .json: sink.write(document: "tasks", of: tasks) { writeObject($0, to: &$1) }
    case .jsonl: sink.write(linesOf: tasks) { writeObject($0, to: &$1) }
    case .tsv:
      var table = TableText([
        "urgency", "due", "priority", "title", "location", "calendar", "id", "uid",
      ])
      for task in tasks {
        table.add([
          task.urgency.rawValue, time(of: task) ?? "", task.priority.map(String.init) ?? "",
          task.event.title, task.event.location ?? "", task.event.calendar, task.id.description,
          task.event.identity.uid,
        ])
      }
      table.write(to: &sink)
    }
  }

  /// `Pay the rent · overdue · Fri, 20 Nov 2026, 18:00 · priority 1 · in process`
  private func text(of task: OpenTask) -> String {
    let wording = words.wording
    var parts = [words.title(of: task.event)]
    if task.urgency == .overdue { parts.append(words.words.entries.overdue) }
    if let occurrence = task.occurrence {
      if let days = occurrence.allDay {
        parts.append(wording.shortDate(days.lowerBound))
      } else {
        let civil = zone.civil(at: occurrence.begin)
        parts.append(wording.dateAndTime(wording.shortDate(civil.date), wording.time(civil.time)))
      }
    } else {
      parts.append(words.words.groups.noDate)
    }
    if let priority = task.priority {
      parts.append("\(words.words.labels.priority) \(wording.number(priority))")
    }
    if let status = task.event.status, status == .inProcess {
      parts.append(words.words.statuses.text(of: status))
    }
    if let location = task.event.location { parts.append(SafeText.line(location)) }
    if request.presentation.showsIdentifiers { parts.append(task.id.description) }
    return parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private func time(of task: OpenTask) -> String? {
    task.occurrence.map { occurrence in
      occurrence.allDay.map { $0.lowerBound.description } ?? occurrence.begin.rfc3339(in: zone)
    }
  }

  private func writeObject(_ task: OpenTask, to sink: inout ByteSink) {
    sink.beginObject()
    sink.field("urgency", task.urgency.rawValue)
    sink.field("due", time(of: task))
    sink.field("priority", task.priority)
    sink.field("percentComplete", task.percentComplete)
    sink.field("status", task.event.status?.rawValue)
    sink.field("id", task.id.description)
    sink.field("uid", task.event.identity.uid)
    sink.field("title", task.event.title)
    sink.field("location", task.event.location)
    sink.field("calendar", task.event.calendar)
    sink.endObject()
  }
}
