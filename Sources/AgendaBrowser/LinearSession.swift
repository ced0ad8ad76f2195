internal import AgendaCore
internal import AgendaRendering
package import CivilTime

/// A browser that prints and asks line by line, for screen readers. It has the state and the keys of
/// the full screen; what has changed is printed after each key.
package final class LinearSession {
  private var state: BrowserState
  private let clock: (() -> Instant)?
  private let worker: any BrowserWorker
  private let nextLine: () -> String?
  private let print: (String) -> Void
  private var isOver = false
  /// Why it ended although nobody asked for it.
  package private(set) var loss: String?

  /// `nextLine` is `nil` when a person types no more.
  package init(
    _ settings: BrowserSettings, now: Instant, clock: (() -> Instant)?, columns: Int,
    worker: any BrowserWorker, nextLine: @escaping () -> String?, print: @escaping (String) -> Void
  ) {
    // The lines of a list do not depend on a screen.
    state = BrowserState(settings, now: now, columns: max(40, columns), rows: 24)
    self.clock = clock
    self.worker = worker
    self.nextLine = nextLine
    self.print = print
  }

  package func run() {
    do { handle(.calendars(try worker.calendars())) } catch { handle(.failed("\(error)")) }
    handle(.resized(columns: state.columns, rows: state.rows))
    say(LinearText(state).page)
    if let message = state.message { say([message]) }
    say([state.texts.help + state.wording.words.lists.colon + key(.help)])
    while !isOver {
      ask()
      guard let line = nextLine() else { return }
      if let clock { handle(.time(clock())) }
      // Other programs may have changed calendars while nobody typed.
      if state.prompt == nil {
        worker.forget()
        handle(.changed)
      }
      let before = state
      answer(line)
      if !isOver { tell(since: before) }
    }
  }

  private func key(_ action: BrowserAction) -> String {
    state.settings.keys.keys(of: action).first?.description ?? ""
  }

  /// Asks for what is typed next.
  private func ask() {
    switch state.prompt {
    case .line(let line):
      let text = line.editor.text
      let usual = text.isEmpty ? "" : " [\(SafeText.line(text))]"
      print(line.label + usual + state.wording.words.lists.colon)
    case .question(let question): print(question.text + " ")
    case .form(let form):
      let field = form.fields[form.cursor]
      print("\(field.label) [\(SafeText.line(field.text))]" + state.wording.words.lists.colon)
    case nil: print("> ")
    }
    handle(.drawn)
  }

  private func answer(_ line: String) {
    func type(_ code: Key.Code, control: Bool = false) {
      handle(.input(.key(Key(code, control: control))))
    }
    switch state.prompt {
    case .line:
      // An empty line keeps what is proposed.
      if line == "\t" { return type(.tab) }
      if !line.isEmpty {
        type(.character("u"), control: true)
        handle(.input(.paste(line)))
      }
      type(.enter)
      // What was typed cannot be understood.
      if case .line(let input) = state.prompt, let preview = input.preview { say([preview]) }
    case .question:
      if let first = line.first { type(.character(first)) } else { type(.escape) }
    case .form:
      // An empty line keeps the field, and a single space makes it empty.
      if !line.isEmpty {
        type(.end)
        type(.character("u"), control: true)
        if line != " " { handle(.input(.paste(line))) }
      }
      type(.enter)
    case nil:
      if line.isEmpty { return type(.enter) }
      let name = line == " " ? "Space" : line
      if let key = Key(name) {
        handle(.input(.key(key)))
      } else {
        handle(.input(.key(Key(.escape))))
        say([state.texts.help + state.wording.words.lists.colon + key(.help)])
      }
    }
  }

  /// Prints what another key has changed.
  private func tell(since before: BrowserState) {
    var lines: [String] = []
    switch state.panel {
    case .page(let page, _): lines = LinearText.lines(of: page.lines)
    case .help: lines = LinearText.lines(of: state.helpLines)
    case .calendars(let cursor):
      // The legend stays open: arrows and Space are about it.
      lines = LinearText(state).calendars(cursor)
    case nil:
      if case .calendars = before.panel { lines = LinearText(state).page }
    }
    if case .calendars = state.panel {
    } else if state.panel != nil, state.prompt == nil {
      handle(.input(.key(Key(.escape))))
    }
    if let message = state.message { lines.append(message) }
    if state.view != before.view || state.window != before.window && state.view != .list {
      lines += LinearText(state).page
    } else if state.target != before.target || state.date != before.date {
      lines += LinearText(state).selection(since: before.date)
    }
    say(lines)
  }

  private func say(_ lines: [String]) {
    for line in lines { print(line + "\n") }
  }

  // MARK: Work

  private func handle(_ event: BrowserEvent) {
    var events = [event]
    while !events.isEmpty {
      let requests = state.handle(events.removeFirst())
      for request in requests { if let event = perform(request) { events.append(event) } }
    }
  }

  private func perform(_ request: BrowserRequest) -> BrowserEvent? {
    do {
      switch request {
      case .load(let window, let hidden, let generation, let most):
        return .loaded(
          try worker.days(in: window, hidden: hidden, atMost: most), generation: generation)
      case .loadBusy(let window, let hidden, let generation):
        return .loadedBusy(
          try worker.busyTimes(in: window, hidden: hidden), generation: generation)
      case .loadTasks(let hidden, let generation):
        return .tasks(try worker.tasks(hidden: hidden), generation: generation)
      case .run(let command, let number):
        return .answered(worker.answer(command) { _ in }, to: number)
      case .suspend, .redraw: return nil
      case .quit:
        isOver = true
        return nil
      }
    } catch {
      guard worker.isLoss(error) else { return .failed("\(error)") }
      loss = "\(error)"
      isOver = true
      return nil
    }
  }
}

/// The lines that a linear browser prints.
private struct LinearText {
  let state: BrowserState

  init(_ state: BrowserState) { self.state = state }

  private func strong(_ text: String) -> String {
    state.settings.color == .none ? text : "\u{1b}[1m\(text)\u{1b}[0m"
  }

  /// What the view shows.
  var page: [String] {
    switch state.view {
    case .list, .day: return lines(of: state.date)
    case .week, .month:
      guard let window = state.window else { return [] }
      let days = BrowserState.range(window).compactMap { CivilDate(dayNumber: $0) }
      let busy = days.filter { !state.days.entries(on: $0).isEmpty }
      return (busy.isEmpty ? [state.date] : busy).flatMap(lines(of:))
    case .year:
      guard let window = state.window else { return [] }
      return (0..<12).compactMap { offset -> String? in
        guard let first = window.firstDay.adding(months: offset),
          let end = first.adding(months: 1)
        else { return nil }
        let days = (0..<first.days(until: end)).compactMap { first.adding(days: $0) }
        let count = days.count { state.days.busyDay($0) != nil }
        let text = state.wording.count(state.wording.words.durations.days, count)
        return state.wording.monthAndYear(first) + state.wording.words.lists.colon + text
      }
    case .tasks:
      guard let tasks = state.tasks, !tasks.isEmpty else {
        return [state.wording.words.time.noOpenTasks]
      }
      return tasks.map(line(of:))
    }
  }

  private func lines(of date: CivilDate) -> [String] {
    let wording = state.wording
    let relative = wording.relativeDay(date, today: state.today).map { " · \($0)" } ?? ""
    let entries = state.days.entries(on: date)
    let nothing = wording.words.entries.noEntries(leavingOut: state.days.options.omission)
    let more = state.days.count(on: date) - entries.count
    return [strong(wording.fullDate(date) + relative)]
      + (entries.isEmpty ? [nothing] : entries.map { line(of: $0, on: date) })
      + (more > 0 ? ["+" + wording.number(more)] : [])
  }

  private func line(of entry: Entry, on date: CivilDate) -> String {
    let columns = ListColumns(state)
    let times = columns.wording.times(of: entry)
    var parts = [state.wording.text(of: times), state.title(of: entry.event)]
    if let second = columns.second.flatMap({ zone in
      zone.times(of: entry, shownAs: times).map { "\(zone.name) \(zone.text(of: $0))" }
    }) {
      parts.insert(second, at: 1)
    }
    parts += columns.wording.notes(of: entry)
    if state.isOverdue(entry) { parts.append(state.wording.words.entries.overdue) }
    parts += state.serverNotes(on: entry.event)
    if let place = entry.location.map(SafeText.line), !place.isEmpty { parts.append(place) }
    return parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private func line(of task: BrowserTask) -> String {
    "\(task.time) · \(state.title(task.target.title)) · \(task.heading)"
  }

  /// The selected entry, with its day if that is another one than before.
  func selection(since date: CivilDate) -> [String] {
    if state.view == .tasks {
      return state.taskPosition.flatMap { state.tasks?[$0] }.map { [line(of: $0)] } ?? []
    }
    guard let position = state.position else { return lines(of: state.date) }
    let lines = lines(of: state.date)
    let selected = line(of: state.entries[position], on: state.date)
    return state.date == date ? [selected] : [lines[0], selected]
  }

  func calendars(_ cursor: Int) -> [String] {
    state.calendars.enumerated().map { index, calendar in
      (index == cursor ? "> " : "  ") + (state.hidden.contains(calendar.name) ? "[ ] " : "[x] ")
        + ([SafeText.line(calendar.name)] + state.serverNotes(on: calendar)).joined(
          separator: " · ")
    }
  }

  static func lines(of page: [BrowserPage.Line]) -> [String] {
    page.compactMap { line in
      switch line {
      case .text(let text), .heading(let text): text
      case .picture: nil
      }
    }
  }
}
