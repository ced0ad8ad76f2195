internal import AgendaCore
internal import AgendaRendering
internal import CivilTime

extension BrowserFrame {
  mutating func drawList() {
    let rows = state.bodyRows
    let lines = state.visibleLines(from: state.top, count: rows).lines
    let columns = ListColumns(state)
    for (row, line) in lines.enumerated() {
      switch line {
      case .heading(let date): putHeading(date, row)
      case .entry(let date, let index):
        guard let day = state.days[date], day.entries.indices.contains(index) else { continue }
        put(
          day.entries[index], on: date, overlaps: day.overlapping.contains(index),
          isSelected: date == state.date && index == state.position, row, columns)
      case .nothing(let date):
        let text =
          state.days.knows(date)
          ? state.wording.words.entries.noEntries(leavingOut: state.days.options.omission)
          : state.texts.loading
        let used = canvas.put(text, at: columns.margin, line: row, width: state.columns, .weak)
        if date == state.date {
          canvas.select(columns.margin..<(columns.margin + used), line: row)
        }
        canvas.mark(.day(date), line: row, 0..<state.columns)
      case .now:
        let time = state.wording.time(state.settings.zone.civil(at: state.now).time)
        let used = canvas.put(time, at: columns.margin, line: row, width: state.columns, .strong)
        canvas.rule(
          "─", (columns.margin + used + 1)..<max(columns.margin + used + 1, state.columns),
          line: row,
          .weak)
      case .blank: break
      }
    }
  }

  private mutating func putHeading(_ date: CivilDate, _ row: Int) {
    let wording = state.wording
    let full = wording.fullDate(date)
    let text = DisplayWidth.of(full) <= state.columns ? full : wording.shortDate(date)
    var used = canvas.put(text, at: 0, line: row, width: state.columns, .strong)
    if let relative = wording.relativeDay(date, today: state.today) {
      used += canvas.put(
        " · \(relative)", at: used, line: row, width: state.columns - used, .strong)
    }
    let week = wording.shortWeek(wording.locale.weekNumbering.week(containing: date))
    if used + 2 + DisplayWidth.of(week) <= state.columns {
      canvas.put(
        week, at: state.columns - DisplayWidth.of(week), line: row, width: state.columns, .weak)
    }
    canvas.mark(.day(date), line: row, 0..<state.columns)
  }

  private mutating func put(
    _ entry: Entry, on date: CivilDate, overlaps: Bool, isSelected: Bool, _ row: Int,
    _ columns: ListColumns
  ) {
    let wording = state.wording
    let event = entry.event
    let color = marks.color(of: event)
    let times = columns.wording.times(of: entry)
    let isOver = state.isOver(entry)
    // The edge has the colour of the calendar, or its mark.
    let mark = marks.mark(of: event)
    canvas.put(mark.isEmpty ? "▌" : mark, at: 0, line: row, width: 1, .letters(color))
    var column = columns.margin
    let time = state.texts(of: entry, times)
    canvas.put(
      time, at: column, line: row, width: columns.times, isOver ? .weak : .plain)
    column += columns.times + 2
    if let zone = columns.second {
      if let second = zone.times(of: entry, shownAs: times) {
        canvas.put(zone.text(of: second), at: column, line: row, width: columns.secondTimes, .weak)
      }
      column += columns.secondTimes + 2
    }
    let start = column
    var look: GridCanvas.Look = isOver ? .weak : .plain
    if event.status == .cancelled { look = .weak }
    column += canvas.put(
      state.title(of: event), at: column, line: row, width: state.columns - column, look)
    if isSelected { canvas.select(start..<max(column, start + 1), line: row) }
    var notes = columns.wording.notes(of: entry)
    if overlaps { notes.append(wording.words.entries.overlaps) }
    if state.isOverdue(entry) { notes.append(wording.words.entries.overdue) }
    notes += state.serverNotes(on: event)
    if let place = event.location.map(SafeText.line), !place.isEmpty { notes.append(place) }
    if !notes.isEmpty, column + 3 < state.columns {
      canvas.put(
        "  " + notes.joined(separator: " · "), at: column, line: row,
        width: state.columns - column, .weak)
    }
    canvas.mark(.entry(entry), line: row, 0..<state.columns)
  }

  // MARK: Tasks

  mutating func drawTasks() {
    guard let tasks = state.tasks else {
      canvas.put(state.texts.loading, at: 0, line: 0, width: state.columns, .weak)
      return
    }
    guard !tasks.isEmpty else {
      let text = state.wording.words.time.noOpenTasks
      canvas.put(text, at: 0, line: 0, width: state.columns, .weak)
      return
    }
    let widest = min(max(0, state.columns / 3), tasks.map { DisplayWidth.of($0.time) }.max() ?? 0)
    for (row, task) in state.visibleTasks.enumerated() {
      let color = marks.color(ofCalendar: task.target.calendar)
      let mark = marks.mark(ofCalendar: task.target.calendar)
      canvas.put(mark.isEmpty ? "▌" : mark, at: 0, line: row, width: 1, .letters(color))
      canvas.put(
        task.time, at: 2, line: row, width: widest, task.isOverdue ? .strong : .plain)
      let start = widest + 4
      let title = state.title(task.target.title)
      let used = canvas.put(title, at: start, line: row, width: state.columns - start)
      if task.target == state.target, used > 0 { canvas.select(start..<(start + used), line: row) }
      if start + used + 3 < state.columns {
        canvas.put(
          "  " + task.heading, at: start + used, line: row, width: state.columns - start - used,
          .weak)
      }
    }
  }

  /// The task in a row.
  func task(at mouse: MouseEvent) -> Int? {
    guard mouse.row < state.bodyRows else { return nil }
    return state.firstVisibleTask + mouse.row
  }
}

/// The columns of the list.
struct ListColumns {
  let margin = 2
  let times: Int
  let second: SecondZone?
  let secondTimes: Int
  let wording: EntryWording

  init(_ state: BrowserState) {
    let wording = state.wording
    let timeWidth =
      (0..<24).compactMap { TimeOfDay(hour: $0, minute: 0) }
      .map { DisplayWidth.of(wording.time($0)) }.max() ?? 5
    let span = 2 * timeWidth + DisplayWidth.of(wording.dash)
    let isNarrow = state.columns < 40
    times = isNarrow ? timeWidth + 1 : max(span, DisplayWidth.of(wording.allDay))
    let window = DateWindow.day(state.date, in: state.settings.zone)
    let hasRoom = state.columns >= 60
    second =
      hasRoom ? state.settings.secondZone.map { SecondZone($0, wording, window: window) } : nil
    secondTimes = second == nil ? 0 : span + 4
    self.wording = EntryWording(wording, window: window, options: state.days.options)
  }
}
