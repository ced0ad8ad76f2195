public import AgendaCore
internal import CivilTime

/// A year in a terminal as a heat map: a line for each week, with the busy hours of its days.
///
///     Nov 45     2  3  ·  8  1
public struct YearGrid {
  private let wording: DateWording
  private let style: GridStyle

  private static let gap = 3
  /// The colours of days by their busy hours: green, yellow, orange, red.
  private static let heat: [(hours: Int, color: CalendarColor)] = [
    (1, CalendarColor(red: 0x5f, green: 0xbf, blue: 0x6f)),
    (3, CalendarColor(red: 0xe0, green: 0xc3, blue: 0x41)),
    (5, CalendarColor(red: 0xe0, green: 0x7a, blue: 0x2e)),
    (8, CalendarColor(red: 0xc8, green: 0x40, blue: 0x2f)),
  ]

  public init(_ wording: DateWording, style: GridStyle) {
    self.wording = wording
    self.style = style
  }

  /// Renders the year in which the agenda's window begins. The agenda must be grouped by days.
  public func render(_ agenda: Agenda, to sink: inout ByteSink) {
    let year = agenda.window.firstDay.year
    guard let first = CivilDate(year: year, month: 1, day: 1),
      let last = CivilDate(year: year, month: 12, day: 31)
    else { return }
    let busy = BusyDays(agenda)
    let locale = wording.locale
    let lead = first.weekday.days(after: locale.firstWeekday)
    let weeks = (lead + first.days(until: last)) / 7 + 1
    let layout = Layout(wording, columns: style.columns)
    let lines = (weeks + layout.blocks - 1) / layout.blocks
    var canvas = GridCanvas(width: style.columns)
    canvas.addLine()
    let title =
      "\(wording.year(year)) · \(wording.count(wording.words.entries.busyHours, busy.totalHours))"
    canvas.put(title, at: 0, line: 0, width: style.columns, .strong)
    for _ in 0...lines { canvas.addLine() }
    for block in 0..<layout.blocks where block * lines < weeks {
      putHeader(at: block * (layout.width + Self.gap), layout, on: &canvas)
    }
    let today = agenda.window.zone.day(holding: style.now)
    for week in 0..<weeks {
      let left = week / lines * (layout.width + Self.gap)
      let line = 2 + week % lines
      let days = (0..<7).map { first.adding(days: week * 7 - lead + $0) }
        .map { $0.flatMap { $0.year == year ? $0 : nil } }
      guard let any = days.lazy.compactMap({ $0 }).first else { continue }
      if let start = days.lazy.compactMap({ $0 }).first(where: { $0.day == 1 }) {
        canvas.put(
          locale.shortMonthsAlone[orEmpty: start.month - 1], at: left, line: line,
          width: layout.monthWidth)
      }
      let number = wording.number(locale.weekNumbering.week(containing: any))
      canvas.put(
        number, at: left + layout.monthWidth + 3 - DisplayWidth.of(number), line: line, width: 2,
        .weak)
      for (offset, date) in days.enumerated() {
        guard let date else { continue }
        put(
          busy.day(date), isToday: date == today,
          endingAt: left + layout.monthWidth + 3 + (offset + 1) * layout.cellWidth, line: line,
          on: &canvas)
      }
    }
    canvas.write(color: style.color, to: &sink)
  }

  private func putHeader(at left: Int, _ layout: Layout, on canvas: inout GridCanvas) {
    let locale = wording.locale
    for offset in 0..<7 {
      let weekday = (Int(locale.firstWeekday.rawValue) - 1 + offset) % 7
      let name = locale.shortestWeekdays[orEmpty: weekday]
      let width = min(layout.cellWidth - 1, DisplayWidth.of(name))
      let end = left + layout.monthWidth + 3 + (offset + 1) * layout.cellWidth
      canvas.put(name, at: end - width, line: 1, width: width, .weak)
    }
  }

  /// Writes the hours at the right of a cell, or a dot if the day has entries but no busy time.
  private func put(
    _ day: BusyDays.Day, isToday: Bool, endingAt right: Int, line: Int,
    on canvas: inout GridCanvas
  ) {
    let text = day.hours > 0 ? wording.number(day.hours) : day.hasEntries || isToday ? "·" : ""
    let color = Self.heat.last { $0.hours <= day.hours }?.color
    let look = isToday ? .today : color.map { GridCanvas.Look.ground($0) } ?? .weak
    if color != nil || isToday { canvas.fill((right - 2)..<right, line: line, look) }
    canvas.put(text, at: right - DisplayWidth.of(text), line: line, width: 2, look)
    if isToday, style.color == .none { canvas.put(">", at: right - 3, line: line, width: 1) }
  }

  /// The number of blocks of weeks side by side, and their width.
  private struct Layout {
    let monthWidth: Int
    let cellWidth: Int
    let width: Int
    let blocks: Int

    init(_ wording: DateWording, columns: Int) {
      let locale = wording.locale
      monthWidth = min(5, locale.shortMonthsAlone.map(DisplayWidth.of).max() ?? 0) + 1
      let widestDay = locale.shortestWeekdays.map(DisplayWidth.of).max() ?? 2
      // The hours and the mark of today take three columns.
      cellWidth = min(max(2, widestDay), 3) + 1
      width = monthWidth + 3 + 7 * cellWidth
      blocks = max(1, (columns + YearGrid.gap) / (width + YearGrid.gap))
    }
  }
}

/// The busy hours of days. Time of overlapping entries counts once.
private struct BusyDays {
  struct Day {
    var hours = 0
    var hasEntries = false
  }

  private var days: [CivilDate: Day] = [:]
  private(set) var totalHours = 0

  init(_ agenda: Agenda) {
    let zone = agenda.window.zone
    var total = 0
    for section in agenda.sections {
      guard case .day(let date) = section.value else { continue }
      let start = zone.startOfDay(date)
      let end = date.adding(days: 1).map(zone.startOfDay) ?? agenda.window.end
      var seconds = 0
      for span in BusyTime(section.entries.map(\.occurrence), countsWholeDays: false).spans {
        let (from, to) = (max(span.lowerBound, start), min(span.upperBound, end))
        seconds += max(0, to.secondsSinceEpoch - from.secondsSinceEpoch)
      }
      total += seconds
      // Half hours are rounded up, so that no busy day looks free.
      days[date] = Day(hours: seconds == 0 ? 0 : max(1, (seconds + 1800) / 3600), hasEntries: true)
    }
    totalHours = (total + 1800) / 3600
  }

  func day(_ date: CivilDate) -> Day { days[date] ?? Day() }
}
