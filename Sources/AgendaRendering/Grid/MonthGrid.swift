public import AgendaCore
internal import CivilTime

/// Months of a terminal with the entries in the cells of their days.
///
///     47 16──────── 17──────── 18──────── 19──────── 20──────── 21──────── 22────────
///        *Stand-up             *Dentist              +Choir     *Trip to   *Trip to …
public struct MonthGrid {
  private let wording: DateWording
  private let style: GridStyle

  /// The columns for the number of a week and a space.
  private static let gutter = 3
  /// A time is shown if at least this many columns are left for the title.
  private static let shortestTitle = 8

  public init(_ wording: DateWording, style: GridStyle) {
    self.wording = wording
    self.style = style
  }

  /// Renders every month that the agenda's window touches. The agenda must be grouped by days.
  public func render(_ agenda: Agenda, to sink: inout ByteSink) {
    canvas(GridContent(agenda, wording)).write(color: style.color, to: &sink)
  }

  /// Every month that the window of the content touches.
  package func canvas(_ content: GridContent) -> GridCanvas {
    var page = Page(content, wording: wording, style: style)
    page.draw()
    return page.canvas
  }

  private struct Page {
    let content: GridContent
    let wording: DateWording
    let style: GridStyle
    let today: CivilDate
    let cellWidth: Int
    var marks: CalendarMarks
    var canvas: GridCanvas

    init(_ content: GridContent, wording: DateWording, style: GridStyle) {
      self.content = content
      self.wording = wording
      self.style = style
      today = content.window.zone.day(holding: style.now)
      cellWidth = (style.columns - MonthGrid.gutter - 6) / 7
      marks = CalendarMarks(content.calendars, style)
      canvas = GridCanvas(width: MonthGrid.gutter + 7 * cellWidth + 6)
    }

    mutating func draw() {
      var month = content.window.firstDay.firstOfMonth
      while let first = month, first < content.window.dayAfterLast {
        if canvas.height > 0 { canvas.addLine() }
        put(first)
        month = first.adding(months: 1)
      }
      if style.showsLegend { marks.writeLegend(to: &canvas) }
    }

    private func column(of weekday: Int) -> Int { MonthGrid.gutter + weekday * (cellWidth + 1) }

    private mutating func put(_ month: CivilDate) {
      canvas.addLine()
      let title = wording.monthAndYear(month)
      let indent = max(0, (canvas.width - DisplayWidth.of(title)) / 2)
      canvas.put(title, at: indent, line: canvas.height - 1, width: canvas.width, .strong)
      canvas.addLine()
      let locale = wording.locale
      for offset in 0..<7 {
        let weekday = (Int(locale.firstWeekday.rawValue) - 1 + offset) % 7
        let long = locale.shortWeekdaysAlone[orEmpty: weekday]
        let isLong = DisplayWidth.of(long) <= cellWidth
        canvas.put(
          isLong ? long : locale.shortestWeekdays[orEmpty: weekday], at: column(of: offset),
          line: canvas.height - 1, width: cellWidth, .weak)
      }
      let lead = month.weekday.days(after: locale.firstWeekday)
      let count = CivilDate.daysInMonth(month.month, year: month.year)
      for start in stride(from: -lead, to: count, by: 7) {
        let days = (0..<7).map { offset in
          (0..<count).contains(start + offset) ? month.adding(days: start + offset) : nil
        }
        putWeek(days)
      }
    }

    private mutating func putWeek(_ days: [CivilDate?]) {
      canvas.addLine()
      let top = canvas.height - 1
      if let date = days.lazy.compactMap({ $0 }).first {
        let week = wording.number(wording.locale.weekNumbering.week(containing: date))
        canvas.put(
          week, at: MonthGrid.gutter - 1 - DisplayWidth.of(week), line: top, width: 2, .weak)
      }
      let lists = days.map { $0.map(content.entries) ?? [] }
      let counts = days.map { $0.map(content.count) ?? 0 }
      let height = min(style.linesPerDay, counts.max() ?? 0)
      for _ in 0..<max(style.fewestLinesPerDay, height) { canvas.addLine() }
      for (offset, date) in days.enumerated() {
        guard let date else { continue }
        let left = column(of: offset)
        let number = wording.number(date.day)
        let isToday = date == today
        let shown = isToday && style.color == .none ? "[\(number)]" : number
        canvas.put(shown, at: left, line: top, width: cellWidth, isToday ? .today : .strong)
        canvas.rule("─", left..<(left + cellWidth), line: top, .weak)
        for line in top..<canvas.height {
          canvas.mark(.day(date), line: line, left..<(left + cellWidth))
        }
        put(lists[offset], counts[offset], of: date, at: left, below: top)
      }
    }

    private mutating func put(
      _ entries: [Entry], _ count: Int, of date: CivilDate, at left: Int, below top: Int
    ) {
      let room = style.linesPerDay
      let shown = min(entries.count, count > room ? room - 1 : count)
      for (number, entry) in entries.prefix(shown).enumerated() {
        let event = entry.event
        let color = marks.color(of: event)
        let look: GridCanvas.Look = entry.isAllDay ? .ground(color) : .letters(color)
        let mark = marks.mark(of: event)
        let line = top + 1 + number
        if entry.isAllDay, !marks.areShown {
          canvas.fill(left..<(left + cellWidth), line: line, look)
        }
        canvas.put(
          mark + text(of: entry, width: cellWidth - mark.count), at: left, line: line,
          width: cellWidth, look)
        canvas.mark(.entry(entry), line: line, left..<(left + cellWidth))
      }
      if shown < count {
        canvas.put(
          "+" + wording.number(count - shown), at: left, line: top + room,
          width: cellWidth, .weak)
        canvas.mark(.more(date), line: top + room, left..<(left + cellWidth))
      }
    }

    private func text(of entry: Entry, width: Int) -> String {
      let title = wording.title(of: entry.event)
      let time: String
      switch content.wording.times(of: entry) {
      case .allDay, .unstated: return title
      case .at(let begin), .span(let begin, _), .from(let begin): time = wording.time(begin)
      case .until(let end): time = "–" + wording.time(end)
      }
      guard DisplayWidth.of(time) + 1 + MonthGrid.shortestTitle <= width else { return title }
      return "\(time) \(title)"
    }
  }
}
