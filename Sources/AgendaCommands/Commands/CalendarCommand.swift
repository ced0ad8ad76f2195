internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions

extension AgendaCommand {
  static let calendar = AgendaCommand(
    Command(
      "calendar", summary: "show a month as a grid next to the entries of a day",
      discussion: [
        "Days with entries have a dot; on a terminal it has the colour of the calendar. The listed day is in brackets, or in reverse video on a terminal. Today is in parentheses, or bold on a terminal. --from chooses the day, and --months shows several months. A date in words in place of a SOURCE is the day: calendar december.",
        "With --grid the grid shows the entries. A month shows them in the cells of its days. A week has a row per hour and a column per day. It shows overlapping entries side by side and marks the current time with a line. A year shows the busy hours of each day. Hours of the night without entries are one line. Without colours, signs mark the calendars. The grid is as wide as the terminal, otherwise as COLUMNS, otherwise 80 columns.",
        "In a week, entries that are tentative or leave their time free have only an edge in their colour. Without colours they are written ?Title and (Title).",
        "With --grid month -f html it prints a web page with the months only. A printer puts each month on one sheet.",
      ],
      operands: [.sources],
      options: [Options.from, Options.shownMonths, Options.grid] + Options.momentOptions
        + Options.selectionOptions.filter { $0 != Options.limit && $0 != Options.once }
        + [Options.gridFormat, Options.locale, Options.color] + Options.sourceOptions,
      examples: [
        Command.Example("agenda calendar", "show this month and today"),
        Command.Example("agenda calendar --from 2027-01-01 --months 3", "show three months"),
        Command.Example("agenda calendar --grid week", "show this week hour by hour"),
        Command.Example(
          "agenda calendar --grid month -f html > month.html", "write a month to print on one sheet"
        ),
      ], group: "Agenda"),
    arguments: CalendarArguments.init
  ) { arguments, run in
    let request = arguments.request
    let found = try run.agenda(request)
    // A month without the entries of its sources would mislead people.
    if found.calendars.areUnreadable { return }
    let colors = try found.calendars.calendarColors()
    try run.write { sink in
      guard let grid = arguments.grid else {
        return MonthPage(
          found.agenda, months: arguments.months, day: arguments.day, request: request,
          calendarColors: colors, details: found.calendars.details(of:)
        ).write(to: &sink)
      }
      if request.presentation.format == .html {
        let style = PageStyle(today: request.viewer.today, calendarColors: colors)
        return HTMLFormat(
          request.presentation.wording, style: style, details: found.calendars.details(of:)
        ).renderMonths(found.agenda, to: &sink)
      }
      let style = GridStyle(
        columns: arguments.gridColumns, color: request.presentation.color,
        now: request.viewer.now, calendarColors: colors)
      grid.render(
        found.agenda, wording: request.presentation.wording, style: style, to: &sink)
    }
  }
}

private struct CalendarArguments {
  /// The agenda of all that is shown.
  let request: AgendaRequest
  let months: Int
  /// The day that is listed next to its month.
  let day: CivilDate
  /// `nil` for months next to the list of the day.
  let grid: CalendarGrid?
  let gridColumns: Int

  init(_ invocation: Invocation) throws(CommandError) {
    let (line, environment) = (invocation.line, invocation.environment)
    let (sources, firstDay) = try line.sourcesAndFirstDay(today: Viewer(invocation).today)
    var request = try AgendaRequest(
      invocation, window: .today, firstDay: firstDay, sources: sources)
    day = request.window.firstDay
    grid = line.value(of: Options.grid).flatMap(CalendarGrid.init)
    let typedMonths = line.number(of: Options.shownMonths)
    if typedMonths != nil, let grid, grid != .month {
      throw .wrongUsage("--months and --grid \(grid.rawValue) cannot be used together")
    }
    if request.presentation.format == .html, grid != .month {
      throw .wrongUsage("--format html can only be used with --grid month")
    }
    months = typedMonths ?? 1
    gridColumns =
      environment.outputColumns() ?? environment.filled("COLUMNS").flatMap { Int($0) } ?? 80
    guard
      let window = (grid ?? .month).window(
        holding: day, months: months, locale: request.presentation.wording.locale,
        zone: request.viewer.zone)
    else { throw .wrongValue(Options.from, "the window must be within the years 1 to 9999") }
    request.window = window
    self.request = request
  }
}

/// Months as grids, next to or above the list of a day.
private struct MonthPage {
  private let agenda: Agenda
  private let months: Int
  private let day: CivilDate
  private let request: AgendaRequest
  private let locale: LocaleData
  private let wording: DateWording
  private let hasColor: Bool
  private let cellWidth: Int
  private let calendarColors: [String: String]
  private let details: (EventReference) -> EventDetails

  /// Between the grid and the list.
  private static let gap = 3
  /// A list in fewer columns goes below the grid.
  private static let narrowestList = 24
  /// The default width.
  private static let usualColumns = 80

  init(
    _ agenda: Agenda, months: Int, day: CivilDate, request: AgendaRequest,
    calendarColors: [String: String], details: @escaping (EventReference) -> EventDetails
  ) {
    self.calendarColors = calendarColors
    self.details = details
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
      sink.write(contentsOf: list(columns))
      return
    }
    // The list can be long, so it stays bytes.
    var list = list(room)[...]
    var index = 0
    while index < grid.count || !list.isEmpty {
      let left = index < grid.count ? grid[index] : Cell("", width: 0)
      let right = list.prefix { $0 != UInt8(ascii: "\n") }
      list = list.dropFirst(right.count + 1)
      if right.isEmpty {
        sink.write(left.text.trimmingEnd)
      } else {
        sink.write(left.text)
        sink.write(String(repeating: " ", count: gridWidth - left.width + Self.gap))
        sink.write(contentsOf: right)
      }
      sink.write("\n")
      index += 1
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
    let marks = marks
    var line = Cell("", width: 0)
    let lead = first.weekday.days(after: locale.firstWeekday)
    line.text = String(repeating: " ", count: lead * cellWidth)
    line.width = lead * cellWidth
    let dayCount = CivilDate.daysInMonth(first.month, year: first.year)
    for number in 1...dayCount {
      guard let date = CivilDate(year: first.year, month: first.month, day: number) else {
        continue
      }
      line.text += cell(of: date, mark: marks[date])
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

  /// A number at the right of its cell, then its mark: ` 21• `, the listed day `[21•]`, today `(21•)`.
  private func cell(of date: CivilDate, mark: String?) -> String {
    let number = wording.number(date.day)
    let blank = String(repeating: " ", count: max(0, cellWidth - 2 - DisplayWidth.of(number)))
    let shownMark = mark ?? " "
    let isToday = date == request.viewer.today
    guard date == day || isToday else { return blank + number + shownMark + " " }
    if hasColor {
      let shown = date == day ? "\u{1b}[7m\(number)\u{1b}[0m" : strong(number)
      return blank + shown + shownMark + " "
    }
    let (open, close) = date == day ? ("[", "]") : ("(", ")")
    return blank.dropLast() + open + number + (mark.map { $0 + close } ?? close + " ")
      + (blank.isEmpty ? "" : " ")
  }

  /// The marks of the days that have entries, in the colour of the first entry.
  private var marks: [CivilDate: String] {
    var colors = CalendarColors(calendarColors)
    var marks: [CivilDate: String] = [:]
    for section in agenda.sections {
      guard case .day(let date) = section.value, let entry = section.entries.first else { continue }
      let color = TerminalColor(colors.color(of: entry.event))
      let parameters = color.parameters(request.presentation.color)
      marks[date] = parameters.isEmpty ? "•" : "\u{1b}[\(parameters)m•\u{1b}[0m"
    }
    return marks
  }

  // MARK: The list

  /// The lines of the listed day, without empty ones at the end.
  private func list(_ width: Int) -> [UInt8] {
    let listed = agenda.day(day)
    var page = ByteSink.bytes { sink in
      let format = TextFormat(
        wording,
        style: request.presentation.textStyle(
          request, width: width, calendarColors: calendarColors), details: details)
      guard let listed else {
        let nothing = wording.words.entries.noEntries(leavingOut: agenda.options.omission)
        sink.write("\(fullDate(width))\n  \(nothing)\n")
        return
      }
      format.render(listed, to: &sink)
    }
    while page.last == UInt8(ascii: "\n") { page.removeLast() }
    if !page.isEmpty { page.append(UInt8(ascii: "\n")) }
    return page
  }

  private func fullDate(_ width: Int) -> String {
    let mark = wording.relativeDay(day, today: request.viewer.today).map { " · \($0)" } ?? ""
    let long = wording.fullDate(day) + mark
    return strong(DisplayWidth.of(long) <= width ? long : wording.shortDate(day) + mark)
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
