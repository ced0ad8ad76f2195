public import AgendaCore
package import CivilTime

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
    let zone = agenda.window.zone
    var days: [CivilDate: BusyDay] = [:]
    for section in agenda.sections {
      guard case .day(let date) = section.value else { continue }
      days[date] = BusyDay(section.entries.map(\.occurrence), on: date, zone: zone)
    }
    canvas(year: agenda.window.firstDay.year, today: zone.day(holding: style.now)) { days[$0] }
      .write(color: style.color, to: &sink)
  }

  /// `day` returns what is known of a day; `nil` for one without entries.
  package func canvas(
    year: Int, today: CivilDate, day: (CivilDate) -> BusyDay?
  ) -> GridCanvas {
    guard let first = CivilDate(year: year, month: 1, day: 1),
      let last = CivilDate(year: year, month: 12, day: 31)
    else { return GridCanvas(width: style.columns) }
    let busy = (0...first.days(until: last)).map { first.adding(days: $0).flatMap(day) }
    let seconds = busy.reduce(0) { $0 + ($1?.seconds ?? 0) }
    let locale = wording.locale
    let lead = first.weekday.days(after: locale.firstWeekday)
    let weeks = (lead + first.days(until: last)) / 7 + 1
    let layout = Layout(wording, columns: style.columns)
    let lines = (weeks + layout.blocks - 1) / layout.blocks
    var canvas = GridCanvas(width: style.columns)
    canvas.addLine()
    let title =
      "\(wording.year(year)) · \(wording.count(wording.words.entries.busyHours, (seconds + 1800) / 3600))"
    canvas.put(title, at: 0, line: 0, width: style.columns, .strong)
    for _ in 0...lines { canvas.addLine() }
    for block in 0..<layout.blocks where block * lines < weeks {
      putHeader(at: block * (layout.width + Self.gap), layout, on: &canvas)
    }
    canvas.headHeight = 2
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
        let right = left + layout.monthWidth + 3 + (offset + 1) * layout.cellWidth
        put(
          busy[first.days(until: date)], isToday: date == today, endingAt: right, line: line,
          on: &canvas)
        canvas.mark(.day(date), line: line, (right - 2)..<right)
      }
    }
    return canvas
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
    _ day: BusyDay?, isToday: Bool, endingAt right: Int, line: Int,
    on canvas: inout GridCanvas
  ) {
    let hours = day?.hours ?? 0
    let text = hours > 0 ? wording.number(hours) : day != nil || isToday ? "·" : ""
    let color = Self.heat.last { $0.hours <= hours }?.color
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

/// The busy time of a day that has entries. Time of overlapping entries counts once.
package struct BusyDay: Sendable {
  let seconds: Int

  /// Half hours are rounded up, so that no busy day looks free.
  var hours: Int { seconds == 0 ? 0 : max(1, (seconds + 1800) / 3600) }

  /// `occurrences` are those with an entry on the day.
  package init(_ occurrences: [Occurrence], on date: CivilDate, zone: Zone) {
    let start = zone.startOfDay(date)
    let end = zone.startOfDay(date.adding(days: 1) ?? .afterLast)
    seconds = BusyTime(occurrences, countsWholeDays: false).spans.reduce(0) { sum, span in
      let (from, to) = (max(span.lowerBound, start), min(span.upperBound, end))
      return sum + max(0, to.secondsSinceEpoch - from.secondsSinceEpoch)
    }
  }
}
