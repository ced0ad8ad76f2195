internal import AgendaCore
package import CivilTime

/// The months of a page as tables, with a row for each week and a cell for each day. A cell shows
/// the first entries of its day and links to the day, if the page lists the days.
struct MonthTables {
  /// The first days of the months that are shown.
  let months: [CivilDate]
  private let agenda: Agenda
  /// The agenda, grouped by days.
  private let days: Agenda
  private let wording: DateWording
  private let style: PageStyle
  /// Whether the page has nothing else.
  private let areAlone: Bool

  /// A longer window shows only the months with entries.
  private static let mostMonths = 24
  /// Further entries of a day are only counted.
  private static let entriesPerCell = 3
  /// The same for a page of a month alone: so many fit on a sheet of paper in six weeks.
  private static let entriesPerLargeCell = 5

  init(_ agenda: Agenda, wording: DateWording, style: PageStyle, areAlone: Bool = false) {
    self.areAlone = areAlone
    self.agenda = agenda
    self.wording = wording
    self.style = style
    if agenda.options.groupedBy == .day {
      days = agenda
    } else {
      var options = agenda.options
      options.groupedBy = .day
      days = Agenda(agenda.occurrences, in: agenda.window, options: options)
    }
    months = Self.months(of: agenda.window, days)
  }

  static func identifier(of month: CivilDate) -> String { "~" + month.description.dropLast(3) }

  private static func months(of window: DateWindow, _ days: Agenda) -> [CivilDate] {
    let last = window.dayAfterLast.adding(days: -1) ?? .last
    var months: [CivilDate] = []
    var month = window.firstDay.firstOfMonth
    while let current = month, current <= last, months.count <= mostMonths {
      months.append(current)
      month = current.adding(months: 1)
    }
    if months.count <= mostMonths { return months }
    months = []
    for section in days.sections {
      guard case .day(let date) = section.value, let month = date.firstOfMonth,
        month != months.last
      else { continue }
      months.append(month)
    }
    return months
  }

  func write(to sink: inout ByteSink) {
    var cells = MonthCells(
      agenda, days, wording: wording, style: style,
      entriesPerCell: areAlone ? Self.entriesPerLargeCell : Self.entriesPerCell,
      areLinks: !areAlone)
    for month in months {
      if sink.hasFailed { return }
      write(month, &cells, to: &sink)
    }
  }

  private func write(_ month: CivilDate, _ cells: inout MonthCells, to sink: inout ByteSink) {
    sink.write("<table id=\"" as StaticString)
    sink.write(Self.identifier(of: month))
    sink.write("\">\n<caption><h2>" as StaticString)
    sink.write(html: wording.monthAndYear(month))
    sink.write("</h2></caption>\n<thead><tr><td class=\"wk\"></td>" as StaticString)
    let locale = wording.locale
    for offset in 0..<7 {
      let weekday = (Int(locale.firstWeekday.rawValue) - 1 + offset) % 7
      sink.write("<th scope=\"col\">" as StaticString)
      writeAbbreviation(
        locale.shortestWeekdays[orEmpty: weekday], of: locale.weekdaysAlone[orEmpty: weekday],
        to: &sink)
      sink.write("</th>" as StaticString)
    }
    sink.write("</tr></thead>\n<tbody>\n" as StaticString)
    let lead = month.weekday.days(after: locale.firstWeekday)
    let count = CivilDate.daysInMonth(month.month, year: month.year)
    for start in stride(from: -lead, to: count, by: 7) {
      let firstOfWeek = month.adding(days: start) ?? month
      let daysOfWeek = max(0, start)..<min(count, start + 7)
      let isEmpty = daysOfWeek.allSatisfy { day in
        month.adding(days: day).map(isOutside) ?? true
      }
      sink.write(isEmpty ? "<tr class=\"low\">" as StaticString : "<tr>")
      sink.write("<th class=\"wk\" scope=\"row\">" as StaticString)
      let week = locale.weekNumbering.week(containing: firstOfWeek)
      writeAbbreviation(wording.number(week), of: wording.shortWeek(week), to: &sink)
      sink.write("</th>" as StaticString)
      for day in start..<start + 7 {
        if daysOfWeek.contains(day), let date = month.adding(days: day) {
          cells.write(date, to: &sink)
        } else {
          sink.write("<td class=\"out\"></td>" as StaticString)
        }
      }
      sink.write("</tr>\n" as StaticString)
    }
    sink.write("</tbody>\n</table>\n" as StaticString)
  }

  private func isOutside(_ date: CivilDate) -> Bool {
    date < agenda.window.firstDay || date >= agenda.window.dayAfterLast
  }

  private func writeAbbreviation(_ short: String, of long: String, to sink: inout ByteSink) {
    sink.write("<abbr title=\"" as StaticString)
    sink.write(html: long)
    sink.write("\">" as StaticString)
    sink.write(html: short)
    sink.write("</abbr>" as StaticString)
  }

  /// Writes the cells of days. Days must be passed in their order.
  private struct MonthCells {
    private let agenda: Agenda
    private let days: Agenda
    private let wording: DateWording
    private let entriesPerCell: Int
    private let areLinks: Bool
    private let today: CivilDate?
    private let entryWording: EntryWording
    private var colors: CalendarColors
    /// The section of the next day that has entries.
    private var next = 0

    init(
      _ agenda: Agenda, _ days: Agenda, wording: DateWording, style: PageStyle,
      entriesPerCell: Int, areLinks: Bool
    ) {
      self.entriesPerCell = entriesPerCell
      self.areLinks = areLinks
      self.agenda = agenda
      self.days = days
      self.wording = wording
      today = style.today
      entryWording = EntryWording(wording, for: days)
      colors = CalendarColors(style.calendarColors)
    }

    mutating func write(_ date: CivilDate, to sink: inout ByteSink) {
      let window = agenda.window
      let isOutside = date < window.firstDay || date >= window.dayAfterLast
      sink.write(
        date == today
          ? "<td class=\"now\">"
          : isOutside
            ? "<td class=\"out\">"
            : "<td>"
              as StaticString)
      let section = next < days.sections.count ? days.sections[next] : nil
      if let section, case .day(date) = section.value {
        next += 1
        write(section, of: date, to: &sink)
      } else {
        writeNumber(of: date, to: &sink)
      }
      sink.write("</td>" as StaticString)
    }

    private func writeNumber(of date: CivilDate, to sink: inout ByteSink) {
      sink.write(
        date == today
          ? "<span class=\"no\" aria-current=\"date\">"
          : "<span class=\"no\">"
            as StaticString)
      sink.write(wording.number(date.day))
      sink.write("</span>" as StaticString)
    }

    private mutating func write(
      _ section: AgendaSection, of date: CivilDate, to sink: inout ByteSink
    ) {
      let entries = section.entries
      if let target = identifier(ofSectionHolding: date) {
        sink.write("<a class=\"no\" href=\"#" as StaticString)
        sink.write(html: target)
        if date == today { sink.write("\" aria-current=\"date" as StaticString) }
        sink.write("\" aria-label=\"" as StaticString)
        sink.write(
          html:
            "\(wording.fullDate(date)), \(wording.count(wording.words.entries.count, entries.count))"
        )
        sink.write("\">" as StaticString)
        sink.write(wording.number(date.day))
        sink.write("</a>" as StaticString)
      } else {
        writeNumber(of: date, to: &sink)
      }
      sink.write("<ul>" as StaticString)
      for entry in entries.prefix(entriesPerCell) { write(entry, to: &sink) }
      sink.write("</ul>" as StaticString)
      if entries.count > entriesPerCell {
        sink.write("<p class=\"more\">+" as StaticString)
        sink.write(wording.number(entries.count - entriesPerCell))
        sink.write("</p>" as StaticString)
      }
    }

    private mutating func write(_ entry: Entry, to sink: inout ByteSink) {
      let event = entry.event
      let color = colors.color(of: event)
      sink.write("<li style=\"background:" as StaticString)
      sink.write(color.hexadecimal)
      sink.write(
        color.takesBlackText ? ";color:#000\">" as StaticString : ";color:#fff\">")
      let isOff = event.status == .cancelled
      sink.write(isOff ? "<s>" as StaticString : "<span>")
      switch entryWording.times(of: entry) {
      case .allDay, .unstated: break
      case .at(let time), .span(let time, _), .from(let time):
        sink.write(html: wording.time(time))
        sink.write(UInt8(ascii: " "))
      case .until(let time):
        sink.write("–" as StaticString)
        sink.write(html: wording.time(time))
        sink.write(UInt8(ascii: " "))
      }
      sink.write("<bdi>" as StaticString)
      let title = event.title
      sink.write(html: title.isEmpty ? wording.noTitle : title)
      sink.write(isOff ? "</bdi></s></li>" as StaticString : "</bdi></span></li>")
    }

    /// The id of the section that a day's cell links to: the day's own, or that of its week, month
    /// or year.
    private func identifier(ofSectionHolding date: CivilDate) -> String? {
      guard areLinks else { return nil }
      let value: SectionValue
      switch agenda.options.groupedBy {
      case .day: value = .day(date)
      // In these sections an entry is listed on its first day only.
      case .week, .month, .year: return nil
      case .none: value = .all
      case .calendar, .category, .location, .status, .initial, .custom: return nil
      }
      return PageIdentifier.of(value.id)
    }
  }
}

extension CivilDate {
  package var firstOfMonth: CivilDate? { adding(days: 1 - day) }
}

extension [String] {
  /// The element at an index; empty if it is missing.
  subscript(orEmpty index: Int) -> String { indices.contains(index) ? self[index] : "" }
}
