public import AgendaCore
internal import CivilTime

/// An agenda for people: on a terminal, in a mail, on paper.
///
/// All-day entries say so, times are aligned, what lasts several days says which of them it is. On a
/// terminal long titles are wrapped under themselves and calendars have their colours; in a pipe each
/// entry is one line.
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
    for section in agenda.sections {
      if sink.hasFailed { return }
      page.writeHeading(of: section, to: &sink)
      for (index, entry) in section.entries.enumerated() {
        page.write(entry, at: IndexPath(section: section.index, entry: index), to: &sink)
      }
    }
  }
}

/// The agenda's text while it is written, with what is worked out once for all its lines.
private struct TextPage {
  private let wording: DateWording
  private let style: TextStyle
  private let entryWording: EntryWording
  private let groupedBy: SectionKey
  private let zone: Zone
  private var layout: TextLayout

  /// The texts of times, by minute of the day, made when first needed.
  private var times: [TimeText?] = Array(repeating: nil, count: 24 * 60)
  private var colors: [String: TerminalColor] = [:]
  /// Where all entries are of one calendar, its name is worth no line of its own.
  private let hasOneCalendar: Bool
  private let timeWidth: Int
  private let timesWidth: Int
  private let dateWidth: Int

  private struct TimeText {
    let text: String
    let columns: Int
    /// With spaces before it, so that all are as wide as the widest.
    let aligned: String
  }

  private static let allDay = "all day"
  private static let openBegin = "…"
  private static let openEnd = "–…"
  private static let dash = "–"
  private static let separator = " · "
  private static let separatorWidth = 3
  private static let margin = 2

  init(_ agenda: Agenda, wording: DateWording, style: TextStyle) {
    self.wording = wording
    self.style = style
    entryWording = EntryWording(wording, for: agenda)
    groupedBy = agenda.options.groupedBy
    zone = agenda.window.zone
    layout = TextLayout(width: style.width, color: style.color)
    hasOneCalendar = style.width != nil && Self.hasOneCalendar(agenda)
    let timeWidth =
      (0..<24).compactMap {
        TimeOfDay(hour: $0, minute: 0).map { DisplayWidth.of(wording.time($0)) }
      }
      .max() ?? 0
    self.timeWidth = timeWidth
    timesWidth = max(
      DisplayWidth.of(Self.allDay), style.isNarrow ? timeWidth + 1 : 2 * timeWidth + 1)
    dateWidth = groupedBy == .day ? 0 : Self.widestDate(wording, withYear: !groupedBy.isTime)
  }

  private static func hasOneCalendar(_ agenda: Agenda) -> Bool {
    let first = agenda.occurrences.first?.event.calendar
    return agenda.occurrences.allSatisfy { $0.event.calendar == first }
  }

  /// How wide the column of dates must be: every month and every weekday, with two digits.
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

  mutating func writeHeading(of section: Section, to sink: inout ByteSink) {
    if section.index > 0 { sink.write(UInt8(ascii: "\n")) }
    if case .all = section.value { return }
    var title = SafeText.line(section.title)
    var mark: String?
    if case .day(let date) = section.value {
      if let today = style.today { mark = wording.relativeDay(date, today: today) }
      let markWidth = mark.map { DisplayWidth.of($0) + DisplayWidth.of(Self.separator) } ?? 0
      if !layout.fits(DisplayWidth.of(title) + markWidth) { title = wording.shortDate(date) }
    }
    layout.write(title, .strong, to: &sink)
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

  mutating func write(_ entry: Entry, at path: IndexPath, to sink: inout ByteSink) {
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
        SafeText.line(calendar),
        style.color == .none
          ? .plain : .color(color(of: calendar, event: event.color)),
        isWorthALine: !hasOneCalendar, to: &sink)
    }
    if style.showsIdentifiers { writeAside(entry.id.description, .weak, to: &sink) }
    layout.newLine(to: &sink)
  }

  private mutating func writeDate(of entry: Entry, to sink: inout ByteSink) {
    let text =
      groupedBy.isTime ? wording.shortDateWithoutYear(entry.date) : wording.shortDate(entry.date)
    layout.write(text, to: &sink)
    layout.space(dateWidth - DisplayWidth.of(text) + Self.margin, to: &sink)
  }

  private mutating func writeTimes(of entry: Entry, to sink: inout ByteSink) {
    let shown: Int
    switch entryWording.times(of: entry) {
    case .allDay:
      layout.write(Self.allDay, .weak, to: &sink)
      shown = DisplayWidth.of(Self.allDay)
    case .at(let time):
      layout.write(text(of: time).aligned, to: &sink)
      shown = timeWidth
    case .span(let from, let to):
      layout.write(text(of: from).aligned, to: &sink)
      shown = timeWidth + (style.isNarrow ? 0 : writeEnd(text(of: to), to: &sink))
    case .from(let time):
      layout.write(text(of: time).aligned, to: &sink)
      if !style.isNarrow { layout.write(Self.openEnd, to: &sink) }
      shown = timeWidth + (style.isNarrow ? 0 : 2)
    case .until(let time):
      // Where there is room for one time only, it is the one of this day.
      if !style.isNarrow {
        layout.space(timeWidth - 1, to: &sink)
        layout.write(Self.openBegin, to: &sink)
      }
      shown = (style.isNarrow ? 0 : timeWidth) + writeEnd(text(of: time), to: &sink)
    }
    if !hasTitleBelow { layout.space(timesWidth - shown, to: &sink) }
  }

  /// On a narrow terminal a date and a time leave no room for a title beside them.
  private var hasTitleBelow: Bool { style.isNarrow && groupedBy != .day }

  /// A dash and a time; gives its width.
  private mutating func writeEnd(_ time: TimeText, to sink: inout ByteSink) -> Int {
    layout.write(Self.dash, to: &sink)
    layout.write(time.text, to: &sink)
    return 1 + time.columns
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
      title.isEmpty ? "(no title)" : title,
      isOff ? .struck : title.isEmpty ? .weak : .plain, to: &sink)
    var notes = entryWording.notes(of: entry)
    if style.showsZones, let time = entryWording.timeInOwnZone(of: entry) { notes.append(time) }
    if !notes.isEmpty {
      let note = "(\(notes.joined(separator: ", ")))"
      // A note stays in one piece where it can.
      let columns = style.width == nil ? 0 : DisplayWidth.of(note)
      if layout.fits(1 + columns) || !layout.fitsOnNextLine(columns) {
        layout.write(" " + note, .weak, to: &sink)
      } else {
        layout.breakLine(to: &sink)
        layout.write(note, .weak, to: &sink)
      }
    }
  }

  /// What stands beside the title: on its line if it fits, else on one of its own if it is worth
  /// that and the terminal is not narrow.
  private mutating func writeAside(
    _ text: String, _ emphasis: TextLayout.Emphasis, isWorthALine: Bool = true,
    to sink: inout ByteSink
  ) {
    guard !text.isEmpty else { return }
    if style.width == nil
      || layout.fits(Self.separatorWidth + DisplayWidth.of(text))
    {
      layout.write(Self.separator, .weak, to: &sink)
    } else if style.isNarrow || !isWorthALine {
      return
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
    let leading = String(repeating: " ", count: max(0, timeWidth - columns))
    let made = TimeText(text: text, columns: columns, aligned: leading + text)
    times[minute] = made
    return made
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
