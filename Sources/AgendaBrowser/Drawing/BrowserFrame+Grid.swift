internal import AgendaCore
internal import AgendaRendering
internal import CivilTime

extension BrowserFrame {
  mutating func drawGrid() {
    guard let window = state.window else { return }
    var style = GridStyle(
      columns: state.columns, color: state.settings.color, now: state.now,
      calendarColors: state.calendarColors)
    style.showsLegend = false
    let rows = state.bodyRows
    let grid: GridCanvas
    let days = state.days
    let content = GridContent(
      window: window, calendars: state.calendars.map(\.name), state.wording, options: days.options,
      count: { days.count(on: $0) }, entries: { days.entries(on: $0) })
    switch state.view {
    case .month:
      let lead = window.firstDay.weekday.days(after: state.wording.locale.firstWeekday)
      let count = window.firstDay.days(until: window.dayAfterLast)
      let weeks = (lead + count + 6) / 7
      // Each week has a line with its days.
      let room = max(1, (rows - 2) / weeks - 1)
      style.linesPerDay = room
      style.fewestLinesPerDay = room
      var month = MonthGrid(state.wording, style: style).canvas(content)
      month.headHeight = min(2, month.height)
      grid = month
    case .year:
      grid = YearGrid(state.wording, style: style).canvas(
        year: state.date.year, today: state.today
      ) { days.busyDay($0) }
    default: grid = WeekGrid(state.wording, style: style).canvas(content)
    }
    put(selecting(in: grid), rows: rows)
  }

  /// The grid with the selected entry and day.
  private func selecting(in grid: GridCanvas) -> GridCanvas {
    var grid = grid
    var hasDay = false
    var selectedLine: Int?
    for area in grid.areas {
      switch area.target {
      case .entry(let entry):
        guard let target = state.target, entry.begin == target.begin,
          entry.event.calendar == target.calendar, entry.id == target.id,
          state.view != .month || entry.date == state.date
        else { continue }
        // Its title alone, so that little is written when another entry is selected.
        if let selectedLine, selectedLine != area.line { continue }
        selectedLine = area.line
        let cells = grid.lines[area.line][area.columns]
        let end = (cells.lastIndex { $0.text != " " } ?? area.columns.lowerBound) + 1
        grid.select(area.columns.lowerBound..<end, line: area.line)
      case .day(let date) where date == state.date && !hasDay:
        // Only the number, so that little is written when another day is selected.
        let isWeek = state.view == .week || state.view == .day
        if isWeek, area.line != 2 { continue }
        hasDay = true
        let end = min(area.columns.upperBound, area.columns.lowerBound + 2)
        grid.select(area.columns.lowerBound..<end, line: area.line)
      case .day, .time, .more: continue
      }
    }
    if let drag = state.drag, let to = drag.to {
      for area in grid.areas where area.target == to { grid.select(area.columns, line: area.line) }
    }
    return grid
  }

  /// Copies the part of a grid that fits. The head stays, with the entries of whole days unless they would
  /// fill the screen. The selected entry is visible.
  private mutating func put(_ grid: GridCanvas, rows: Int) {
    let fixed = grid.bandHeight <= rows / 3 ? grid.headHeight + grid.bandHeight : grid.headHeight
    let head = min(fixed, max(0, rows - 1))
    let room = rows - head
    guard room > 0 else { return }
    let selected = grid.areas.filter { area in
      switch area.target {
      case .entry(let entry):
        state.target.map { $0.begin == entry.begin && $0.names(entry.occurrence) } ?? false
      case .day(let date): date == state.date
      case .time, .more: false
      }
    }
    let body = selected.filter { $0.line >= head }
    let line = (body.filter(\.isEntry).map(\.line).min() ?? body.map(\.line).min() ?? 0) - head
    let first = Self.offset(of: line, length: grid.height - head, room: room)
    let column = selected.map(\.columns.lowerBound).min() ?? 0
    let left = Self.offset(of: column, length: grid.width, room: state.columns)
    func copy(_ source: Int, to row: Int) {
      canvas.copyLine(source, of: grid, from: left, to: row, at: 0, width: state.columns)
    }
    for row in 0..<head { copy(row, to: row) }
    for row in 0..<room { copy(head + first + row, to: head + row) }
    for area in grid.areas {
      let row = area.line < head ? area.line : area.line - first
      guard area.line < head || (head..<rows).contains(row) else { continue }
      let columns = (area.columns.lowerBound - left)..<(area.columns.upperBound - left)
      canvas.mark(area.target, line: row, columns.clamped(to: 0..<state.columns))
    }
  }

  /// The first of the lines to show, in steps of half a screen.
  private static func offset(of line: Int, length: Int, room: Int) -> Int {
    guard length > room else { return 0 }
    let step = max(1, room / 2)
    let wanted = line / step * step - step / 2
    // One that ends the screen is visible, too.
    return max(0, min(length - room, wanted))
  }
}

extension GridCanvas.Area {
  fileprivate var isEntry: Bool { if case .entry = target { true } else { false } }
}
