internal import AgendaCore
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let calendar = AgendaCommand(
    Command(
      "calendar", summary: "print the month as a grid, beside the list of the day",
      discussion: [
        "Days with entries are marked with a dot, on a terminal in the colour of a calendar, and the day that is listed is marked with brackets or in reverse. --from says which day that is; --months shows more months below each other."
      ],
      operands: [.sources],
      options: [Options.from, Options.shownMonths] + Options.momentOptions
        + Options.selectionOptions.filter { $0 != Options.limit && $0 != Options.once }
        + [Options.locale, Options.color] + Options.sourceOptions,
      examples: [
        Command.Example("agenda calendar", "this month and today"),
        Command.Example("agenda calendar --from 2027-01-01 --months 3", "a quarter"),
      ], group: "Agenda")
  ) { invocation in
    var request = try AgendaRequest(invocation, window: .today)
    let day = request.window.firstDay
    let months = invocation.line.number(of: Options.shownMonths) ?? 1
    guard let first = CivilDate(year: day.year, month: day.month, day: 1),
      let window = DateWindow(firstDay: first, length: .months(months), zone: request.viewer.zone)
    else { throw CommandError.wrongUsage("--months: the window leaves the years 1 to 9999") }
    request.window = window
    let found = try invocation.agenda(request, sources: invocation.line.operands)
    try invocation.write { sink in
      MonthPage(found.agenda, months: months, day: day, request: request).write(to: &sink)
    }
  }
}

/// Months as grids, beside or above the list of a day.
private struct MonthPage {
  private let agenda: Agenda
  private let months: Int
  private let day: CivilDate
  private let request: AgendaRequest
  private let locale: LocaleData
  private let wording: DateWording
  private let hasColor: Bool
  private let cellWidth: Int

  /// Between the grid and the list.
  private static let gap = 3
  /// A list in fewer columns goes below the grid.
  private static let narrowestList = 24
  /// Where nobody says how wide it may be.
  private static let usualColumns = 80

  init(_ agenda: Agenda, months: Int, day: CivilDate, request: AgendaRequest) {
    self.agenda = agenda
    self.months = months
    self.day = day
    self.request = request
    wording = request.presentation.wording
    locale = wording.locale
    hasColor = request.presentation.color != .none
    cellWidth = max(5, (locale.shortestWeekdays.map(DisplayWidth.of).max() ?? 2) + 2)
  }

  func write(to sink: inout ByteSink) {
    let columns = request.presentation.columns ?? Self.usualColumns
    let gridWidth = 7 * cellWidth
    let room = columns - gridWidth - Self.gap
    var grid: [Cell] = []
    for offset in 0..<months {
      guard let first = agenda.window.firstDay.adding(months: offset) else { continue }
      if offset > 0 { grid.append(Cell("", width: 0)) }
      grid += self.grid(of: first)
    }
    guard room >= Self.narrowestList else {
      for line in grid { sink.write(line.text.trimmingEnd + "\n") }
      sink.write("\n")
      for line in list(columns) { sink.write(line + "\n") }
      return
    }
    let list = list(room)
    for index in 0..<max(grid.count, list.count) {
      let left = index < grid.count ? grid[index] : Cell("", width: 0)
      let right = index < list.count ? list[index] : ""
      let blank = String(repeating: " ", count: gridWidth - left.width + Self.gap)
      sink.write((right.isEmpty ? left.text.trimmingEnd : left.text + blank + right) + "\n")
    }
  }

  // MARK: The grid

  /// Text with escape sequences, and how wide it looks.
  private struct Cell {
    var text: String
    var width: Int

    init(_ text: String, width: Int) {
      self.text = text
      self.width = width
    }
  }

  private func grid(of first: CivilDate) -> [Cell] {
    let width = 7 * cellWidth
    let title = wording.monthAndYear(first)
    let indent = String(repeating: " ", count: max(0, (width - DisplayWidth.of(title)) / 2))
    var lines = [
      Cell(indent + strong(title), width: indent.count + DisplayWidth.of(title)),
      weekdays,
    ]
    let busy = busyDays
    var line = Cell("", width: 0)
    let lead = first.weekday.days(after: locale.firstWeekday)
    line.text = String(repeating: " ", count: lead * cellWidth)
    line.width = lead * cellWidth
    let dayCount = CivilDate.daysInMonth(first.month, year: first.year)
    for number in 1...dayCount {
      guard let date = CivilDate(year: first.year, month: first.month, day: number) else {
        continue
      }
      line.text += cell(of: date, isBusy: busy.contains(date))
      line.width += cellWidth
      if line.width >= width {
        lines.append(line)
        line = Cell("", width: 0)
      }
    }
    if line.width > 0 { lines.append(line) }
    return lines
  }

  private var weekdays: Cell {
    var text = ""
    for offset in 0..<7 {
      let index = (Int(locale.firstWeekday.rawValue) - 1 + offset) % 7
      let name =
        locale.shortestWeekdays.indices.contains(index)
        ? locale.shortestWeekdays[index] : ""
      text +=
        String(repeating: " ", count: max(0, cellWidth - 1 - DisplayWidth.of(name))) + name + " "
    }
    return Cell(weak(text), width: 7 * cellWidth)
  }

  /// A number at the right of its cell, then its mark: ` 21• `, `[21•]`.
  private func cell(of date: CivilDate, isBusy: Bool) -> String {
    let number = wording.number(date.day)
    let blank = String(repeating: " ", count: max(0, cellWidth - 2 - DisplayWidth.of(number)))
    let mark = isBusy ? "•" : " "
    if date != day {
      return blank + (date == request.viewer.today ? strong(number) : number) + mark + " "
    }
    if hasColor { return blank + "\u{1b}[7m\(number)\(mark)\u{1b}[0m " }
    return blank.dropLast() + "[\(number)" + (isBusy ? "•]" : "] ") + (blank.isEmpty ? "" : " ")
  }

  /// The days that anything touches.
  private var busyDays: Set<CivilDate> {
    var days: Set<CivilDate> = []
    for section in agenda.sections {
      if case .day(let date) = section.value { days.insert(date) }
    }
    return days
  }

  // MARK: The list

  private func list(_ width: Int) -> [String] {
    var page: [String] = []
    let section = agenda.sections.first { section in
      if case .day(let date) = section.value { date == day } else { false }
    }
    let bytes = ByteSink.bytes { sink in
      let format = TextFormat(
        wording,
        style: TextStyle(
          width: width, color: request.presentation.color, today: request.viewer.today))
      guard section != nil,
        let window = DateWindow(
          firstDay: day, length: .days(1), zone: agenda.window.zone)
      else {
        sink.write(fullDate(width) + "\n")
        return
      }
      format.render(
        Agenda(agenda.occurrences, in: window, wording: wording), to: &sink)
    }
    for line in String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      page.append(String(line))
    }
    while page.last?.isEmpty == true { page.removeLast() }
    if section == nil { page.append("  nothing") }
    return page
  }

  private func fullDate(_ width: Int) -> String {
    let long = wording.fullDate(day)
    return strong(DisplayWidth.of(long) <= width ? long : wording.shortDate(day))
  }

  private func strong(_ text: String) -> String { hasColor ? "\u{1b}[1m\(text)\u{1b}[0m" : text }
  private func weak(_ text: String) -> String { hasColor ? "\u{1b}[2m\(text)\u{1b}[0m" : text }
}

extension String {
  fileprivate var trimmingEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
