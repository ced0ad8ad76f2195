public import AgendaCore
internal import CivilTime

/// A week or a day on a terminal, with a row per half hour and a column per day. Overlapping entries are
/// side by side, all-day entries are above the hours, and a line marks the current time. Hours of the
/// night without entries are one line.
public struct WeekGrid {
  private let wording: DateWording
  private let style: GridStyle

  public init(_ wording: DateWording, style: GridStyle) {
    self.wording = wording
    self.style = style
  }

  /// Renders the days of the agenda's window, at most seven. The agenda must be grouped by days.
  public func render(_ agenda: Agenda, to sink: inout ByteSink) {
    canvas(GridContent(agenda, wording)).write(color: style.color, to: &sink)
  }

  /// The days of the window of the content, at most seven.
  package func canvas(_ content: GridContent) -> GridCanvas {
    var page = WeekPage(content, wording: wording, style: style)
    page.draw()
    return page.canvas
  }
}

private struct WeekPage {
  private let wording: DateWording
  private let style: GridStyle
  private let entryWording: EntryWording
  private let days: [CivilDate]
  /// The entries of each day.
  private let lists: [[Entry]]
  private let zone: Zone
  private let slots: WeekSlots
  private let today: Int?
  private let gutter: Int
  private let hasFullTimes: Bool
  private let dayWidth: Int
  private let timeWidth: Int
  private var marks: CalendarMarks
  private(set) var canvas: GridCanvas

  /// The hours that are shown even if they have no entries.
  private static let usualMinutes = (8 * 60)..<(18 * 60)
  /// Fewer half hours of a night are not folded.
  private static let shortestFold = 4
  /// Days narrower than this show hours without minutes.
  private static let narrowestDay = 4

  init(_ content: GridContent, wording: DateWording, style: GridStyle) {
    self.wording = wording
    self.style = style
    entryWording = content.wording
    let window = content.window
    let days = (0..<7).compactMap { window.firstDay.adding(days: $0) }
      .filter { $0 < window.dayAfterLast }
    self.days = days
    zone = window.zone
    slots = WeekSlots(days, zone: window.zone)
    today = days.firstIndex(of: window.zone.day(holding: style.now))
    let timeWidth =
      (0..<24).compactMap { TimeOfDay(hour: $0, minute: 0) }
      .map { DisplayWidth.of(wording.time($0)) }.max() ?? 5
    self.timeWidth = timeWidth
    let (count, gaps) = (max(1, days.count), max(0, days.count - 1))
    hasFullTimes = (style.columns - timeWidth - 1 - gaps) / count >= Self.narrowestDay
    gutter = hasFullTimes ? timeWidth + 1 : 3
    dayWidth = (style.columns - gutter - gaps) / count
    marks = CalendarMarks(content.calendars, style)
    canvas = GridCanvas(width: gutter + count * dayWidth + gaps)
    lists = days.map(content.entries)
  }

  mutating func draw() {
    putHead()
    canvas.headHeight = canvas.height
    putBand()
    canvas.bandHeight = canvas.height - canvas.headHeight
    putHours()
    if style.showsLegend { marks.writeLegend(to: &canvas) }
  }

  private func left(_ day: Int) -> Int { gutter + day * (dayWidth + 1) }
  private func columns(_ day: Int) -> Range<Int> { left(day)..<(left(day) + dayWidth) }

  /// The entries of a day that cover it, or those that begin or end on it.
  private func entries(_ day: Int, wholeDay: Bool) -> [Entry] {
    lists[day].filter { entryWording.times(of: $0).isWholeDay == wholeDay }
  }

  // MARK: Above the hours

  private mutating func putHead() {
    guard let first = days.first, let last = days.last else { return }
    for _ in 0..<3 { canvas.addLine() }
    let week = wording.shortWeek(wording.locale.weekNumbering.week(containing: first))
    // In some languages the year comes first, so it cannot be added to one of the two dates only.
    let dates = "\(week) · \(wording.shortDate(first)) – \(wording.shortDate(last))"
    let title =
      first == last
      ? wording.fullDate(first)
      : DisplayWidth.of(dates) <= canvas.width
        ? dates
        : "\(week) · \(wording.shortDateWithoutYear(first)) – \(wording.shortDateWithoutYear(last))"
    canvas.put(title, at: 0, line: 0, width: canvas.width, .strong)
    let locale = wording.locale
    for (day, date) in days.enumerated() {
      let weekday = Int(date.weekday.rawValue) - 1
      let long = locale.shortWeekdaysAlone[orEmpty: weekday]
      let name =
        DisplayWidth.of(long) <= dayWidth ? long : locale.shortestWeekdays[orEmpty: weekday]
      canvas.put(name, at: left(day), line: 1, width: dayWidth, .weak)
      let number = wording.number(date.day)
      let isToday = day == today
      canvas.put(
        isToday && style.color == .none ? "[\(number)]" : number, at: left(day), line: 2,
        width: dayWidth, isToday ? .today : .strong)
      canvas.rule("─", columns(day), line: 2, .weak)
      for line in 1...2 { canvas.mark(.day(date), line: line, columns(day)) }
    }
  }

  private mutating func putBand() {
    let band = WeekBand(days.indices.map { entries($0, wholeDay: true) })
    let top = canvas.height
    for _ in 0..<band.lineCount { canvas.addLine() }
    for piece in band.pieces {
      let range = left(piece.firstDay)..<(left(piece.lastDay) + dayWidth)
      let event = piece.entry.event
      let look = look(of: event)
      if !marks.areShown { canvas.fill(range, line: top + piece.line, look) }
      canvas.put(
        edge(of: event) + title(of: event), at: range.lowerBound,
        line: top + piece.line, width: range.count, look)
      canvas.mark(.entry(piece.entry), line: top + piece.line, range)
      if marks.areShown, piece.firstDay < piece.lastDay {
        canvas.rule("─", range, line: top + piece.line, .plain)
      }
    }
    guard band.rests.contains(where: { $0 > 0 }) else { return }
    canvas.addLine()
    for (day, rest) in band.rests.enumerated() where rest > 0 {
      canvas.put(
        "+" + wording.number(rest), at: left(day), line: canvas.height - 1, width: dayWidth, .weak)
      canvas.mark(.more(days[day]), line: canvas.height - 1, columns(day))
    }
  }

  // MARK: Hours

  private mutating func putHours() {
    let lanes = days.indices.map { day in
      WeekLanes(
        entries(day, wholeDay: false).map {
          ($0, slots.slots(from: $0.begin, to: $0.finish, day: day))
        }, width: dayWidth)
    }
    let nowSlot = today.map { slots.slot(holding: style.now, day: $0) }
    /// The line of each slot that is not folded.
    var lines: [Int: Int] = [:]
    // The line for the current time is below the half hour that contains it.
    var nowLine: Int?
    for row in rows(lanes, now: nowSlot) {
      switch row {
      case .slot(let slot):
        lines[slot] = canvas.height
        canvas.addLine()
        if slot == nowSlot {
          nowLine = canvas.height
          canvas.addLine()
        }
      case .fold:
        canvas.addLine()
        canvas.put("⋮", at: gutter - 2, line: canvas.height - 1, width: 1, .weak)
      }
    }
    for (slot, line) in lines where slots.slots[slot].beginsHour {
      putTime(minute: slots.slots[slot].minute, line: line, .weak)
    }
    for day in days.indices {
      for (slot, line) in lines {
        canvas.mark(
          .time(days[day], minute: slots.slots[slot].minute), line: line, columns(day))
      }
      for block in lanes[day].blocks {
        guard let first = lines[block.slots.lowerBound],
          let last = lines[block.slots.upperBound - 1]
        else { continue }
        put(block, day: day, lines: first...last, without: nowLine)
      }
      for rest in lanes[day].rests {
        guard let line = lines[rest.slot] else { continue }
        canvas.put(
          "+" + wording.number(rest.count), at: left(day) + rest.columns.lowerBound,
          line: line, width: rest.columns.count, .strong)
        let start = left(day) + rest.columns.lowerBound
        canvas.mark(.more(days[day]), line: line, start..<(start + rest.columns.count))
      }
      for (slot, line) in lines where !slots.has(slot, day: day) {
        canvas.rule("·", columns(day), line: line, .weak)
      }
    }
    if let nowLine, let nowSlot, let today {
      let minute = Int(zone.civil(at: style.now).time.secondOfDay) / 60
      // At a full hour the line above already has this time. Without minutes, it would have it at
      // any time.
      if !hasFullTimes || minute == slots.slots[nowSlot].minute && minute % 60 == 0 {
        canvas.put(">", at: gutter - 2, line: nowLine, width: 1, .strong)
      } else {
        putTime(minute: minute, line: nowLine, .strong)
      }
      canvas.rule("─", columns(today), line: nowLine, .strong)
    }
  }

  private enum Row {
    case slot(Int)
    /// Hours without entries.
    case fold
  }

  /// The half hours from top to bottom. Full hours without entries before and after the usual hours are
  /// folded.
  private func rows(_ lanes: [WeekLanes], now: Int?) -> [Row] {
    let shown = shownSlots(lanes, now: now)
    var taken = Set(lanes.flatMap { $0.blocks.flatMap(\.slots) + $0.rests.map(\.slot) })
    if let now { taken.insert(now) }
    func isFree(_ slot: Int) -> Bool {
      !taken.contains(slot) && !Self.usualMinutes.contains(slots.slots[slot].minute)
    }
    var rows: [Row] = []
    var slot = shown.lowerBound
    while slot < shown.upperBound {
      var end = slot
      if slots.slots[slot].beginsHour {
        while end < shown.upperBound, isFree(end) { end += 1 }
        while end > slot, end < shown.upperBound, !slots.slots[end].beginsHour { end -= 1 }
      }
      if end - slot >= Self.shortestFold {
        rows.append(.fold)
        slot = end
      } else {
        rows.append(.slot(slot))
        slot += 1
      }
    }
    return rows
  }

  /// The full hours that contain all entries, the current time, and the usual hours of a day.
  private func shownSlots(_ lanes: [WeekLanes], now: Int?) -> Range<Int> {
    let all = slots.slots
    var first = all.firstIndex { $0.minute >= Self.usualMinutes.lowerBound } ?? 0
    var end = all.lastIndex { $0.minute < Self.usualMinutes.upperBound }.map { $0 + 1 } ?? all.count
    for lane in lanes {
      for block in lane.blocks {
        first = min(first, block.slots.lowerBound)
        end = max(end, block.slots.upperBound)
      }
      for rest in lane.rests {
        first = min(first, rest.slot)
        end = max(end, rest.slot + 1)
      }
    }
    if let now {
      first = min(first, now)
      end = max(end, now + 1)
    }
    while first > 0, !all[first].beginsHour { first -= 1 }
    while end < all.count, !all[end].beginsHour { end += 1 }
    return first..<end
  }

  private mutating func putTime(minute: Int, line: Int, _ look: GridCanvas.Look) {
    guard let time = TimeOfDay(hour: minute / 60, minute: minute % 60) else { return }
    let text = hasFullTimes ? wording.time(time) : wording.number(time.hour, digits: 2)
    canvas.put(
      text, at: max(0, gutter - 1 - DisplayWidth.of(text)), line: line, width: gutter - 1, look)
  }

  private mutating func put(
    _ block: WeekLanes.Block, day: Int, lines: ClosedRange<Int>, without nowLine: Int?
  ) {
    let event = block.entry.event
    let look = look(of: event)
    let start = left(day) + block.columns.lowerBound
    // A blank column separates lanes that are wide enough.
    let isLast = block.columns.upperBound == dayWidth
    let width = block.columns.count - (isLast || block.columns.count < 4 ? 0 : 1)
    let edge = width < 3 && !marks.areShown ? "" : edge(of: event)
    var texts = WrappedLines(
      text(of: block.entry, width: width - edge.count), width: width - edge.count,
      lines: lines.count(where: { $0 != nowLine }))
    for line in lines {
      if !marks.areShown { canvas.fill(start..<(start + width), line: line, look) }
      let text = line == nowLine ? "" : texts.next() ?? ""
      canvas.put(edge + text, at: start, line: line, width: width, look)
      canvas.mark(.entry(block.entry), line: line, start..<(start + width))
    }
  }

  /// An event that takes its time is on a ground of its colour. One that is tentative or leaves its time
  /// free has only letters and an edge in it.
  private mutating func look(of event: Event) -> GridCanvas.Look {
    let color = marks.color(of: event)
    if event.isTransparent { return .faint(color) }
    return event.status == .tentative ? .letters(color) : .ground(color)
  }

  /// The text at the left of each line of an entry.
  private func edge(of event: Event) -> String {
    if marks.areShown { return marks.mark(of: event) }
    if event.isTransparent { return "│" }
    return event.status == .tentative ? "┊" : ""
  }

  /// Without colours, a tentative title begins with `?`, and brackets are around the title of an entry
  /// that leaves its time free.
  private func title(of event: Event) -> String {
    let title = wording.title(of: event)
    guard marks.areShown else { return title }
    if event.isTransparent { return "(\(title))" }
    return event.status == .tentative ? "?" + title : title
  }

  /// The title, with the time before it if there is room.
  private func text(of entry: Entry, width: Int) -> String {
    let title = title(of: entry.event)
    guard width >= timeWidth + 6 else { return title }
    switch entryWording.times(of: entry) {
    case .allDay, .unstated: return title
    case .at(let begin), .span(let begin, _), .from(let begin):
      return "\(wording.time(begin)) \(title)"
    case .until(let end): return "–\(wording.time(end)) \(title)"
    }
  }
}

/// Splits a text at spaces into at most this many lines and columns. A word that is wider than a line
/// ends with `…`, unless lines have only a few letters. The last line contains the rest, and is cut when it is written.
private struct WrappedLines: IteratorProtocol {
  private var rest: Substring
  private let width: Int
  private var lines: Int

  /// In narrower lines too little of each word would be left.
  private static let narrowestCut = 5

  init(_ text: String, width: Int, lines: Int) {
    rest = Substring(text)
    self.width = width
    self.lines = lines
  }

  mutating func next() -> String? {
    lines -= 1
    guard lines > 0, DisplayWidth.of(String(rest)) > width else {
      defer { rest = "" }
      return String(rest)
    }
    var columns = 0
    var end = rest.startIndex
    var lastBlank: Substring.Index?
    while end < rest.endIndex {
      let next = columns + DisplayWidth.of(rest[end])
      if rest[end] == " " { lastBlank = end }
      guard next <= width else { break }
      columns = next
      end = rest.index(after: end)
    }
    if lastBlank == nil, width >= Self.narrowestCut, let letter = rest[end...].first,
      DisplayWidth.of(letter) < 2,
      rest[..<end].allSatisfy({ DisplayWidth.of($0) < 2 })
    {
      let line = rest[..<end].dropLast() + "…"
      rest = rest[end...].drop { $0 != " " }.drop { $0 == " " }
      return String(line)
    }
    // Wide letters are words of their own. One that is wider than the line is cut when it is written.
    let stop = lastBlank ?? (end > rest.startIndex ? end : rest.index(after: end))
    let line = String(rest[..<stop])
    rest = rest[stop...].drop { $0 == " " }
    return line
  }
}
