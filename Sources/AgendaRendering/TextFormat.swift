public import AgendaCore
internal import CivilTime

/// An agenda for people: on a terminal, in a mail, on paper.
///
/// All-day entries are marked, times are aligned, and an entry of several days shows the number of
/// the day. On a terminal, long titles are wrapped and indented, and calendars have their colours.
/// In a pipe each entry is one line. If today has no entries, one line says so. It is not a section,
/// so it does not look like one: people count the sections for index paths.
public struct TextFormat {
  private let wording: DateWording
  private let style: TextStyle

  public init(_ wording: DateWording, style: TextStyle = TextStyle()) {
    self.wording = wording
    self.style = style
  }

  public func render(_ agenda: Agenda, to sink: inout ByteSink) {
    var page = TextPage(agenda, wording: wording, style: style)
    guard !agenda.isEmpty else { return page.writeNothing(to: &sink) }
    var emptyToday = page.emptyToday(of: agenda)
    for section in agenda.sections {
      if sink.hasFailed { return }
      if let today = emptyToday, case .day(let date) = section.value, date > today {
        page.writeEmptyDay(today, to: &sink)
        emptyToday = nil
      }
      page.writeHeading(of: section, to: &sink)
      for (index, entry) in section.entries.enumerated() {
        page.write(entry, at: EntryPath(section: section.index, entry: index), to: &sink)
      }
    }
    if let emptyToday { page.writeEmptyDay(emptyToday, to: &sink) }
    page.writeZoneNote(to: &sink)
  }
}

/// The text of an agenda while it is written, with values that all lines share.
private struct TextPage {
  private let wording: DateWording
  private let words: Words.Entries
  private let style: TextStyle
  private let entryWording: EntryWording
  private let secondZone: SecondZone?
  private let groupedBy: SectionKey
  private let zone: Zone
  private let omission: Omission
  private var layout: TextLayout

  /// The texts of times, by minute of the day. Each is made when it is first needed.
  private var times: [TimeText?] = Array(repeating: nil, count: 24 * 60)
  private var colors: [String: TerminalColor] = [:]
  private var lastCalendar: (name: String, safeName: String)?
  private var hasWritten = false
  private let allDayWidth: Int
  private let dash: String
  private let timeWidth: Int
  private let timesWidth: Int
  /// The times of the second zone, and the weekdays in front of them.
  private let secondTimesWidth: Int
  private let weekdayWidth: Int
  private let dateWidth: Int

  private struct TimeText {
    let text: String
    let columns: Int
    /// The spaces before it, so that all times have the same width.
    let leading: String
    /// Without AM or PM, which `period` has.
    let bare: String
    let bareColumns: Int
    let period: String
  }

  private static let open = "…"
  private static let separator = " · "
  private static let separatorWidth = 3
  private static let margin = 2

  init(_ agenda: Agenda, wording: DateWording, style: TextStyle) {
    self.wording = wording
    words = wording.words.entries
    self.style = style
    entryWording = EntryWording(wording, for: agenda)
    secondZone = style.secondZone.map { SecondZone($0, wording, window: agenda.window) }
    groupedBy = agenda.options.groupedBy
    zone = agenda.window.zone
    omission = agenda.options.omission
    layout = TextLayout(width: style.width, color: style.color)
    let timeWidth =
      (0..<24).compactMap {
        TimeOfDay(hour: $0, minute: 0).map { DisplayWidth.of(wording.time($0)) }
      }
      .max() ?? 0
    self.timeWidth = timeWidth
    allDayWidth = DisplayWidth.of(words.allDay)
    dash = wording.dash
    secondTimesWidth =
      style.isNarrow ? timeWidth + 1 : 2 * timeWidth + DisplayWidth.of(wording.dash)
    timesWidth = max(allDayWidth, secondTimesWidth)
    weekdayWidth =
      (Weekday.allCases.map { DisplayWidth.of(wording.shortWeekday($0)) }.max() ?? 0) + 1
    dateWidth = groupedBy == .day ? 0 : Self.widestDate(wording, withYear: !groupedBy.isTime)
  }

  /// The width of the column of dates: of every month and every weekday, with two digits.
  private static func widestDate(_ wording: DateWording, withYear: Bool) -> Int {
    var widest = 0
    for month in 1...12 {
      for day in 22...28 {
        guard let date = CivilDate(year: 2028, month: month, day: day) else { continue }
        let text = withYear ? wording.shortDate(date) : wording.shortDateWithoutYear(date)
        widest = max(widest, DisplayWidth.of(text))
      }
    }
    return widest
  }

  mutating func writeNothing(to sink: inout ByteSink) {
    layout.write(entryWording.nothing, to: &sink)
    layout.newLine(to: &sink)
  }

  mutating func writeHeading(of section: AgendaSection, to sink: inout ByteSink) {
    if hasWritten { sink.write(UInt8(ascii: "\n")) }
    hasWritten = true
    switch section.value {
    case .all: return
    case .day(let date): writeHeading(of: date, title: SafeText.line(section.title), to: &sink)
    default:
      layout.write(SafeText.line(section.title), .strong, to: &sink)
      layout.newLine(to: &sink)
    }
  }

  /// Today, if the agenda lists days and has no entry today. `nil` for a list that is cut or shows
  /// each entry once, because it leaves out days anyway.
  func emptyToday(of agenda: Agenda) -> CivilDate? {
    guard style.listsEmptyToday, let today = style.today, groupedBy == .day, !agenda.options.once,
      agenda.options.limit == nil, agenda.window.firstDay <= today,
      today < agenda.window.dayAfterLast
    else { return nil }
    let hasEntries = agenda.sections.contains { section in
      if case .day(let date) = section.value { date == today } else { false }
    }
    return hasEntries ? nil : today
  }

  /// `Today: no entries`, `Today: nothing more`
  mutating func writeEmptyDay(_ date: CivilDate, to sink: inout ByteSink) {
    if hasWritten { sink.write(UInt8(ascii: "\n")) }
    hasWritten = true
    let day = wording.relativeDay(date, today: date) ?? wording.shortDate(date)
    layout.write(wording.noEntries(on: day, leavingOut: omission), .weak, to: &sink)
    layout.newLine(to: &sink)
  }

  /// Writes the dates on which the difference to the second zone changes.
  mutating func writeZoneNote(to sink: inout ByteSink) {
    guard let note = secondZone?.note else { return }
    sink.write(UInt8(ascii: "\n"))
    layout.write(note, .weak, to: &sink)
    layout.newLine(to: &sink)
  }

  /// If the date does not fit together with its mark, a short date is used.
  private mutating func writeHeading(
    of date: CivilDate, title: String, to sink: inout ByteSink
  ) {
    let mark = style.today.flatMap { wording.relativeDay(date, today: $0) }
    let markWidth = mark.map { DisplayWidth.of($0) + DisplayWidth.of(Self.separator) } ?? 0
    let fits = layout.fits(DisplayWidth.of(title) + markWidth)
    layout.write(fits ? title : wording.shortDate(date), .strong, to: &sink)
    if let mark {
      if style.color == .none {
        layout.write(Self.separator + mark, to: &sink)
      } else {
        layout.space(1, to: &sink)
        layout.write(" \(mark) ", .today, to: &sink)
      }
    }
    layout.newLine(to: &sink)
  }

  mutating func write(_ entry: Entry, at path: EntryPath, to sink: inout ByteSink) {
    layout.space(Self.margin, to: &sink)
    if groupedBy != .day { writeDate(of: entry, to: &sink) }
    writeTimes(of: entry, to: &sink)
    if hasTitleBelow {
      layout.newLine(to: &sink)
      layout.space(Self.margin, to: &sink)
    }
    layout.space(Self.margin, to: &sink)
    layout.hang()
    let event = entry.event
    writeTitle(of: entry, event, to: &sink)
    if groupedBy != .location, let location = event.location {
      writeAside(SafeText.line(location), .weak, to: &sink)
    }
    if groupedBy != .calendar {
      let calendar = event.calendar
      writeAside(
        safeName(of: calendar),
        style.color == .none
          ? .plain : .color(color(of: calendar, event: event.color)),
        to: &sink)
    }
    if style.showsIdentifiers { writeAside(entry.id.description, .weak, to: &sink) }
    layout.newLine(to: &sink)
  }

  private mutating func writeDate(of entry: Entry, to sink: inout ByteSink) {
    let text =
      entry.occurrence.isUndated
      ? ""
      : groupedBy.isTime
        ? wording.shortDateWithoutYear(entry.date) : wording.shortDate(entry.date)
    layout.write(text, to: &sink)
    layout.space(dateWidth - DisplayWidth.of(text) + Self.margin, to: &sink)
  }

  private mutating func writeTimes(of entry: Entry, to sink: inout ByteSink) {
    let times = entryWording.times(of: entry)
    let shown = write(times, to: &sink)
    guard let secondZone else {
      if !hasTitleBelow { layout.space(timesWidth - shown, to: &sink) }
      return
    }
    let second = secondZone.times(of: entry, shownAs: times)
    if second == nil, hasTitleBelow { return }
    layout.space(timesWidth - shown + Self.margin, to: &sink)
    let weekday = second?.weekday ?? ""
    layout.write(weekday, to: &sink)
    layout.space(weekdayWidth - DisplayWidth.of(weekday), to: &sink)
    let secondShown = second.map { write($0.times, to: &sink) } ?? 0
    if !hasTitleBelow { layout.space(secondTimesWidth - secondShown, to: &sink) }
  }

  /// Returns the width of the times.
  private mutating func write(_ times: EntryWording.Times, to sink: inout ByteSink) -> Int {
    switch times {
    case .allDay:
      layout.write(words.allDay, .weak, to: &sink)
      return allDayWidth
    case .unstated: return 0
    case .at(let time): return writeBegin(text(of: time), to: &sink)
    case .span(let from, let to):
      let (begin, end) = (text(of: from), text(of: to))
      if style.isNarrow { return writeBegin(begin, to: &sink) }
      if begin.period.isEmpty || begin.period != end.period {
        return writeBegin(begin, to: &sink) + writeEnd(end.text, end.columns, to: &sink)
      }
      if wording.locale.time.beginsWithDayPeriod {
        return writeBegin(begin, to: &sink) + writeEnd(end.bare, end.bareColumns, to: &sink)
      }
      layout.write(begin.leading, to: &sink)
      layout.write(begin.bare, to: &sink)
      return begin.leading.utf8.count + begin.bareColumns
        + writeEnd(end.text, end.columns, to: &sink)
    case .from(let time):
      return writeBegin(text(of: time), to: &sink)
        + (style.isNarrow ? 0 : writeEnd(Self.open, 1, to: &sink))
    case .until(let time):
      let end = text(of: time)
      // If there is room for only one time, it is the one on this day.
      if !style.isNarrow {
        layout.space(timeWidth - 1, to: &sink)
        layout.write(Self.open, to: &sink)
      }
      return (style.isNarrow ? 0 : timeWidth) + writeEnd(end.text, end.columns, to: &sink)
    }
  }

  /// On a narrow terminal a line with a date and a time has no room for a title.
  private var hasTitleBelow: Bool { style.isNarrow && groupedBy != .day }

  /// Returns its width.
  private mutating func writeBegin(_ time: TimeText, to sink: inout ByteSink) -> Int {
    layout.write(time.leading, to: &sink)
    layout.write(time.text, to: &sink)
    return timeWidth
  }

  /// Writes a dash and a time. Returns their width.
  private mutating func writeEnd(
    _ time: String, _ columns: Int, to sink: inout ByteSink
  ) -> Int {
    layout.write(dash, to: &sink)
    layout.write(time, to: &sink)
    return dash.unicodeScalars.count + columns
  }

  private mutating func writeTitle(
    of entry: Entry, _ event: Event, to sink: inout ByteSink
  ) {
    let status = event.status
    if event.kind == .task {
      layout.write(status == .completed ? "[x] " : "[ ] ", to: &sink)
    }
    let title = SafeText.line(event.title)
    let isOff = status == .cancelled
    layout.write(
      title.isEmpty ? "(\(words.noTitle))" : title,
      isOff ? .struck : title.isEmpty ? .weak : .plain, to: &sink)
    var notes = entryWording.notes(of: entry)
    if style.showsZones, let time = entryWording.timeInOwnZone(of: entry) { notes.append(time) }
    if !notes.isEmpty {
      let note = "(\(notes.joined(separator: wording.words.lists.comma)))"
      // A note is not split if possible.
      let columns = style.width == nil ? 0 : DisplayWidth.of(note)
      if layout.fits(1 + columns) || !layout.fitsOnNextLine(columns) {
        layout.write(" " + note, .weak, to: &sink)
      } else {
        layout.breakLine(to: &sink)
        layout.write(note, .weak, to: &sink)
      }
    }
  }

  /// The text after the title: on the same line if it fits, otherwise on a separate line.
  private mutating func writeAside(
    _ text: String, _ emphasis: TextLayout.Emphasis, to sink: inout ByteSink
  ) {
    guard !text.isEmpty else { return }
    if style.width == nil
      || layout.fits(Self.separatorWidth + DisplayWidth.of(text))
    {
      layout.write(Self.separator, .weak, to: &sink)
    } else {
      layout.breakLine(to: &sink)
    }
    layout.write(text, emphasis, to: &sink)
  }

  // MARK: Worked out once

  private mutating func text(of time: TimeOfDay) -> TimeText {
    let minute = Int(time.secondOfDay) / 60
    if let made = times[minute] { return made }
    let text = wording.time(time)
    let columns = DisplayWidth.of(text)
    let bare = wording.timeWithoutDayPeriod(time)
    let made = TimeText(
      text: text, columns: columns,
      leading: String(repeating: " ", count: max(0, timeWidth - columns)), bare: bare,
      bareColumns: DisplayWidth.of(bare), period: wording.dayPeriod(at: time))
    times[minute] = made
    return made
  }

  /// Nearly all entries have the calendar of the entry before.
  private mutating func safeName(of calendar: String) -> String {
    if let last = lastCalendar, last.name == calendar { return last.safeName }
    let safeName = SafeText.line(calendar)
    lastCalendar = (calendar, safeName)
    return safeName
  }

  private mutating func color(of calendar: String, event: String?) -> TerminalColor {
    if let event, let color = TerminalColor(event) { return color }
    if let known = colors[calendar] { return known }
    let color =
      style.calendarColors[calendar].flatMap(TerminalColor.init)
      ?? TerminalColor(standingFor: calendar)
    colors[calendar] = color
    return color
  }
}
