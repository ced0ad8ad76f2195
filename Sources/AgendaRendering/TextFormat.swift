public import AgendaCore
internal import CivilTime

/// An agenda for people: on a terminal, in a mail, on paper.
///
/// All-day entries are marked, times are aligned, and an entry of several days shows the number of
/// the day. On a terminal, long titles are wrapped and indented, and a bar at the left edge has the
/// colour of the calendar. In a pipe each entry is one line. If today has no entries, one line says so. It is not a section,
/// so it does not look like one: people count the sections for index paths.
public struct TextFormat {
  private let wording: DateWording
  private let style: TextStyle
  private let details: (EventReference) -> EventDetails

  /// - Parameters:
  ///   - wording: the words for dates and times.
  ///   - style: the layout and the optional parts.
  ///   - details: returns the details of an event. It is called only if the style shows links.
  package init(
    _ wording: DateWording, style: TextStyle = TextStyle(),
    details: @escaping (EventReference) -> EventDetails = { _ in EventDetails() }
  ) {
    self.wording = wording
    self.style = style
    self.details = details
  }

  public func render(_ agenda: Agenda, to sink: inout ByteSink) {
    var page = TextPage(agenda, wording: wording, style: style, details: details)
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
  private let moment: ListedMoment?
  private let details: (EventReference) -> EventDetails
  /// The links of events, of which each is looked up once.
  private var links: [EventReference: EntryLink?] = [:]
  private let namesCalendars: Bool
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
  private let pathWidth: Int
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

  init(
    _ agenda: Agenda, wording: DateWording, style: TextStyle,
    details: @escaping (EventReference) -> EventDetails
  ) {
    self.wording = wording
    words = wording.words.entries
    self.style = style
    self.details = details
    moment = style.now.map { ListedMoment($0, in: agenda) }
    namesCalendars =
      agenda.options.groupedBy != .calendar
      && (style.namesOnlyCalendar || agenda.hasSeveralCalendars)
    entryWording = EntryWording(wording, for: agenda)
    secondZone = style.secondZone.map { SecondZone($0, wording, window: agenda.window) }
    groupedBy = agenda.options.groupedBy
    zone = agenda.window.zone
    omission = agenda.options.omission
    layout = TextLayout(width: style.width, color: style.color)
    pathWidth =
      style.showsIndexPaths
      ? agenda.sections.map { "\($0.index + 1).\($0.entries.count)".utf8.count }.max() ?? 0 : 0
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
    case .day(let date):
      writeHeading(of: date, title: SafeText.line(section.title), to: &sink)
      if style.countsToday, date == style.today { writeCount(of: section, to: &sink) }
    default:
      layout.write(SafeText.line(section.title), .strong, to: &sink)
      layout.newLine(to: &sink)
    }
  }

  /// `3 entries, next in 25 min`
  private mutating func writeCount(of section: AgendaSection, to sink: inout ByteSink) {
    var text = wording.count(words.count, section.entries.count)
    if let moment {
      let timed = section.entries.filter { !$0.isAllDay }
      if let until = moment.untilNext {
        text += wording.words.lists.comma + words.nextIn(until.duration(wording))
      } else if !timed.isEmpty, timed.allSatisfy(moment.isOver) {
        text += wording.words.lists.comma + words.noEntries(leavingOut: .started)
      }
    }
    layout.write(text, .weak, to: &sink)
    layout.newLine(to: &sink)
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
    let event = entry.event
    let color = style.color == .none ? nil : color(of: event.calendar, event: event.color)
    layout.begin(
      at: Self.margin, bar: color, isDimmed: moment?.isPastOfToday(entry) ?? false, to: &sink)
    if style.showsIndexPaths {
      let text = "\(path)"
      layout.write(text, .weak, to: &sink)
      layout.space(pathWidth - text.utf8.count + Self.margin, to: &sink)
    }
    if groupedBy != .day { writeDate(of: entry, to: &sink) }
    writeTimes(of: entry, to: &sink)
    if hasTitleBelow { layout.breakLine(at: Self.margin, to: &sink) }
    layout.space(Self.margin, to: &sink)
    layout.hang()
    writeTitle(of: entry, event, to: &sink)
    if groupedBy != .location, let location = event.location {
      writeAside(
        SafeText.line(location), .weak,
        link: style.links == .hyperlinks ? LinkDestination.ofWebPage(location) : nil, to: &sink)
    }
    if namesCalendars {
      writeAside(
        safeName(of: event.calendar), color.map { .color($0) } ?? .plain, to: &sink)
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
    let link = link(of: event)
    layout.write(
      title.isEmpty ? "(\(words.noTitle))" : title,
      isOff
        ? .struck
        : title.isEmpty ? .weak : moment?.isInProgress(entry) ?? false ? .strong : .plain,
      link: style.links == .hyperlinks ? link?.address : nil, to: &sink)
    writeNotes(notes(of: entry, link), to: &sink)
  }

  private struct Note {
    let text: String
    var emphasis = TextLayout.Emphasis.weak
  }

  /// What is said in brackets after the title.
  private func notes(of entry: Entry, _ link: EntryLink?) -> [Note] {
    var notes: [Note] = []
    if let moment {
      if moment.isInProgress(entry) { notes.append(Note(text: words.now, emphasis: .good)) }
      if moment.isNext(entry), let until = moment.untilNext {
        notes.append(Note(text: words.inTime(until.duration(wording)), emphasis: .good))
      }
      if moment.overlaps(entry) { notes.append(Note(text: words.overlaps, emphasis: .caution)) }
      if entry.occurrence.listing == .onItsDays, moment.isOverdue(entry) {
        notes.append(Note(text: words.overdue, emphasis: .alert))
      }
    }
    // The first note of an entry that is listed on another day says that it is overdue.
    var emphasis = TextLayout.Emphasis.weak
    if case .on = entry.occurrence.listing { emphasis = .alert }
    for note in entryWording.notes(of: entry) {
      notes.append(Note(text: note, emphasis: emphasis))
      emphasis = .weak
    }
    if style.showsZones, let time = entryWording.timeInOwnZone(of: entry) {
      notes.append(Note(text: time))
    }
    // An address that is shown needs no mark.
    if style.links == .words, let link,
      groupedBy == .location || entry.event.location.flatMap(LinkDestination.ofWebPage) == nil
    {
      notes.append(Note(text: link.isConference ? words.join : words.link))
    }
    return notes
  }

  private mutating func writeNotes(_ notes: [Note], to sink: inout ByteSink) {
    guard !notes.isEmpty else { return }
    let comma = wording.words.lists.comma
    let note = "(\(notes.map(\.text).joined(separator: comma)))"
    // A note is not split if possible.
    let columns = style.width == nil ? 0 : DisplayWidth.of(note)
    var open = " ("
    if !layout.fits(1 + columns), layout.fitsOnNextLine(columns) {
      layout.breakLine(to: &sink)
      open = "("
    }
    guard notes.contains(where: { $0.emphasis != .weak }), style.color != .none else {
      layout.write(open + note.dropFirst(), .weak, to: &sink)
      return
    }
    // A space at the end of a piece could be wider than the line, so it begins the next piece.
    let gap = comma.hasSuffix(" ") ? " " : ""
    layout.write(open, .weak, to: &sink)
    for (index, note) in notes.enumerated() {
      if index > 0 { layout.write(String(comma.dropLast(gap.count)), .weak, to: &sink) }
      layout.write(index > 0 ? gap + note.text : note.text, note.emphasis, to: &sink)
    }
    layout.write(")", .weak, to: &sink)
  }

  private mutating func link(of event: Event) -> EntryLink? {
    guard style.links != .none else { return nil }
    if let known = links[event.reference] { return known }
    let link = EntryLink(event, event.details(details))
    links[event.reference] = link
    return link
  }

  /// The text after the title: on the same line if it fits, otherwise on a separate line.
  private mutating func writeAside(
    _ text: String, _ emphasis: TextLayout.Emphasis, link: String? = nil, to sink: inout ByteSink
  ) {
    guard !text.isEmpty else { return }
    if style.width == nil
      || layout.fits(Self.separatorWidth + DisplayWidth.of(text))
    {
      layout.write(Self.separator, .weak, to: &sink)
    } else {
      layout.breakLine(to: &sink)
    }
    layout.write(text, emphasis, link: link, to: &sink)
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

extension Agenda {
  /// Whether its entries are of more than one calendar.
  fileprivate var hasSeveralCalendars: Bool {
    guard let first = occurrences.first?.event.calendar else { return false }
    return occurrences.contains { $0.event.calendar != first }
  }
}
