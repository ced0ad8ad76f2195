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
  private var times: [String?] = Array(repeating: nil, count: 24 * 60)
  private var colors: [String: TerminalColor] = [:]
  private let timeWidth: Int
  private let timesWidth: Int
  private let dateWidth: Int

  private static let allDay = "all day"
  private static let ellipsis = "…"
  private static let dash = "–"
  private static let separator = " · "
  private static let margin = 2

  init(_ agenda: Agenda, wording: DateWording, style: TextStyle) {
    self.wording = wording
    self.style = style
    entryWording = EntryWording(wording, for: agenda)
    groupedBy = agenda.options.groupedBy
    zone = agenda.window.zone
    layout = TextLayout(width: style.width, color: style.color)
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
    layout.space(Self.margin, to: &sink)
    layout.hang()
    writeTitle(of: entry, to: &sink)
    if groupedBy != .location, let location = entry.occurrence.event.location {
      writeAside(SafeText.line(location), .weak, to: &sink)
    }
    if groupedBy != .calendar {
      let calendar = entry.occurrence.event.calendar
      writeAside(
        SafeText.line(calendar),
        style.color == .none
          ? .plain : .color(color(of: calendar, event: entry.occurrence.event.color)),
        to: &sink)
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
    let shown: String
    var emphasis = TextLayout.Emphasis.plain
    switch entryWording.times(of: entry) {
    case .allDay:
      shown = Self.allDay
      emphasis = .weak
    case .at(let time):
      shown = aligned(time)
    case .span(let from, let to):
      shown = aligned(from) + (style.isNarrow ? "" : Self.dash + text(of: to))
    case .from(let time):
      shown = aligned(time) + (style.isNarrow ? "" : Self.dash + Self.ellipsis)
    case .until(let time):
      // Where there is room for one time only, it is the one of this day.
      let start = style.isNarrow ? "" : leading(timeWidth - 1) + Self.ellipsis
      shown = start + Self.dash + text(of: time)
    }
    layout.write(shown, emphasis, to: &sink)
    layout.space(timesWidth - DisplayWidth.of(shown), to: &sink)
  }

  private mutating func writeTitle(of entry: Entry, to sink: inout ByteSink) {
    let status = entry.occurrence.event.status
    if entry.occurrence.event.kind == .task {
      layout.write(status == .completed ? "[x] " : "[ ] ", to: &sink)
    }
    let title = SafeText.line(entry.occurrence.event.title)
    let isOff = status == .cancelled
    layout.write(
      title.isEmpty ? "(no title)" : title,
      isOff ? .struck : title.isEmpty ? .weak : .plain, to: &sink)
    var notes = entryWording.notes(of: entry)
    if style.showsZones, let time = entryWording.timeInOwnZone(of: entry) { notes.append(time) }
    if !notes.isEmpty {
      layout.write(" (\(notes.joined(separator: ", ")))", .weak, to: &sink)
    }
  }

  /// What stands beside the title: on its line if it fits, else on one of its own, or where the
  /// terminal is narrow nowhere.
  private mutating func writeAside(
    _ text: String, _ emphasis: TextLayout.Emphasis, to sink: inout ByteSink
  ) {
    guard !text.isEmpty else { return }
    if layout.fits(
      DisplayWidth.of(Self.separator) + (style.width == nil ? 0 : DisplayWidth.of(text)))
    {
      layout.write(Self.separator, .weak, to: &sink)
    } else if style.isNarrow {
      return
    } else {
      layout.breakLine(to: &sink)
    }
    layout.write(text, emphasis, to: &sink)
  }

  // MARK: Worked out once

  private mutating func text(of time: TimeOfDay) -> String {
    let minute = Int(time.secondOfDay) / 60
    if let made = times[minute] { return made }
    let text = wording.time(time)
    times[minute] = text
    return text
  }

  private mutating func aligned(_ time: TimeOfDay) -> String {
    let text = text(of: time)
    return leading(timeWidth - DisplayWidth.of(text)) + text
  }

  private func leading(_ count: Int) -> String {
    count > 0 ? String(repeating: " ", count: count) : ""
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
