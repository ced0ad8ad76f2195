internal import AgendaCore
package import AgendaRendering
internal import CivilTime

/// The picture of a state: a pure function of it.
package struct BrowserFrame {
  package internal(set) var canvas: GridCanvas
  /// Where a person types; `nil` if nothing is typed.
  package internal(set) var cursor: (column: Int, row: Int)?
  let state: BrowserState
  var marks: CalendarMarks

  package init(_ state: BrowserState) {
    self.state = state
    canvas = GridCanvas(width: state.columns, height: state.rows)
    let style = GridStyle(columns: state.columns, color: state.settings.color, now: state.now)
    var colored = style
    colored.calendarColors = state.calendarColors
    marks = CalendarMarks(state.calendars.map(\.name), colored)
    switch state.panel {
    case .page(let page, let scroll): draw(state.lines(of: page), scroll: scroll)
    case .help(let scroll): draw(state.helpLines, scroll: scroll)
    case .calendars(let cursor): drawCalendars(cursor)
    case nil: drawView()
    }
    drawHints()
    drawLastLines()
  }

  private mutating func drawView() {
    switch state.view {
    case .list: drawList()
    case .day, .week, .month, .year: drawGrid()
    case .tasks: drawTasks()
    }
  }

  // MARK: Pages

  private mutating func draw(_ lines: [BrowserPage.Line], scroll: Int) {
    let rows = state.bodyRows
    let first = min(scroll, max(0, lines.count - rows))
    for (row, line) in lines.dropFirst(first).prefix(rows).enumerated() {
      switch line {
      case .text(let text): canvas.put(text, at: 0, line: row, width: state.columns)
      case .heading(let text): canvas.put(text, at: 0, line: row, width: state.columns, .strong)
      case .picture(let pixels):
        for (column, pair) in pixels.enumerated() where column + 2 < state.columns {
          canvas.put(
            "▀", at: column + 2, line: row, width: 1,
            .pixels(upper: CalendarColor(pair.upper), lower: CalendarColor(pair.lower)))
        }
      }
    }
    // A mark says that there is more.
    if first > 0 { canvas.put("↑", at: state.columns - 1, line: 0, width: 1, .weak) }
    if first + rows < lines.count {
      canvas.put("↓", at: state.columns - 1, line: rows - 1, width: 1, .weak)
    }
  }

  private mutating func drawCalendars(_ cursor: Int) {
    let first = max(0, cursor - state.bodyRows + 1)
    for (row, calendar) in state.calendars.dropFirst(first).prefix(state.bodyRows).enumerated() {
      let box = state.hidden.contains(calendar.name) ? "[ ] " : "[x] "
      let name = SafeText.line(calendar.name)
      var column = canvas.put(box, at: 1, line: row, width: state.columns - 1) + 1
      let mark = marks.mark(ofCalendar: calendar.name)
      let sign = mark.isEmpty ? "  " : "\(mark) "
      let color = marks.color(ofCalendar: calendar.name)
      column += canvas.put(sign, at: column, line: row, width: 2, .ground(color)) + 1
      let end = column + canvas.put(name, at: column, line: row, width: state.columns - column)
      let notes = state.serverNotes(on: calendar).map { " · " + $0 }.joined()
      canvas.put(notes, at: end, line: row, width: max(0, state.columns - end), .strong)
      if row + first == cursor { canvas.select(column..<end, line: row) }
    }
  }

  /// The calendar in a row of the legend.
  func calendar(at mouse: MouseEvent) -> Int? {
    guard case .calendars(let cursor) = state.panel, mouse.row < state.bodyRows else { return nil }
    let row = mouse.row + max(0, cursor - state.bodyRows + 1)
    return state.calendars.indices.contains(row) ? row : nil
  }

  // MARK: The last lines

  /// Draws the fields above the last lines.
  private mutating func draw(_ form: Prompt.Form, above end: Int) {
    let rows = min(form.fields.count, max(0, end))
    let top = end - rows
    let first = max(0, min(form.cursor, form.fields.count - 1) - rows + 1)
    let widest = form.fields.map { DisplayWidth.of($0.label) }.max() ?? 0
    for row in 0..<rows {
      clear(top + row)
      let index = first + row
      let (field, editor) = (form.fields[index], form.editors[index])
      let isHere = index == form.cursor
      canvas.put(field.label, at: 0, line: top + row, width: widest, isHere ? .strong : .weak)
      let left = min(widest + 2, max(0, state.columns - 8))
      put(editor, at: left, line: top + row, isHere: isHere)
    }
  }

  private mutating func clear(_ line: Int) {
    guard line >= 0, line < state.rows else { return }
    canvas.blank(line)
  }

  /// Writes a line that is typed, so that its cursor can be seen.
  private mutating func put(_ editor: LineEditor, at left: Int, line: Int, isHere: Bool) {
    let room = state.columns - left
    guard room > 0 else { return }
    let text = editor.characters.map { $0 == "\n" ? "⏎" : $0 }
    let before = String(text[..<editor.cursor])
    var first = 0
    if isHere {
      var columns = DisplayWidth.of(before)
      while columns >= room, first < editor.cursor {
        columns -= DisplayWidth.of(text[first])
        first += 1
      }
      cursor = (min(state.columns - 1, left + max(0, columns)), line)
    }
    var column = left
    for character in text[first...] {
      let shown = SafeText.line(String(character))
      let width = character == " " ? 1 : DisplayWidth.of(shown)
      guard column + width <= state.columns else { break }
      canvas.put(character == " " ? " " : shown, at: column, line: line, width: width)
      column += width
    }
  }

  private mutating func drawHints() {
    guard state.rows >= BrowserState.rowsWithHints else { return }
    if case .form = state.prompt { return }
    let row = state.rows - 2
    clear(row)
    var column = 0
    for (key, text) in state.hints {
      let width = DisplayWidth.of(key) + 1 + DisplayWidth.of(text)
      guard column + width <= state.columns else { break }
      column += canvas.put(key, at: column, line: row, width: width, .strong) + 1
      column += canvas.put(text, at: column, line: row, width: width, .weak) + 2
    }
  }

  /// Draws what is asked or said. What does not fit in a line covers the lines above it, because a question
  /// that is cut cannot be answered.
  private mutating func drawLastLines() {
    let row = state.rows - 1
    let width = state.columns
    switch state.prompt {
    case .line(let line):
      clear(row)
      let label = line.label + state.wording.words.lists.colon
      let used = canvas.put(label, at: 0, line: row, width: max(0, min(width - 8, 40)), .strong)
      put(line.editor, at: used, line: row, isHere: true)
      if let preview = line.preview, state.rows > 1 {
        putLines(of: preview, above: row, line.isMistake ? .strong : .weak)
      }
    case .question(let question):
      let end = putLines(of: question.text, above: state.rows, .strong)
      cursor = (min(width - 1, end + 1), row)
    case .form(let form):
      let text = form.mistake ?? state.texts.formHint
      let count = min(state.wrapped(text).count, max(1, state.rows - 1))
      putLines(of: text, above: state.rows, most: count, form.mistake == nil ? .weak : .strong)
      draw(form, above: state.rows - count)
    case nil:
      var room = width
      if let progress = state.progress {
        let text = SafeText.line(progress)
        room -= min(DisplayWidth.of(text), width / 2) + 1
      }
      if let message = state.message {
        // The progress has the end of the last line.
        let lines = state.wrapped(message)
        let isWide = lines.last.map { DisplayWidth.of($0) > room } ?? false
        putLines(
          of: isWide ? message + "\n" : message, above: state.rows,
          state.isAlert ? .strong : .plain)
      } else {
        clear(row)
        let text = state.statusText
        // A long title leaves room for the time.
        let rest = DisplayWidth.of(text.rest)
        let isCut = DisplayWidth.of(text.title) + rest > width && rest < width / 2
        let used = canvas.put(
          text.title, at: 0, line: row, width: isCut ? width - rest : width, .strong)
        canvas.put(text.rest, at: used, line: row, width: width - used)
      }
      if let progress = state.progress, room < width {
        canvas.put(
          " " + SafeText.line(progress), at: room, line: row, width: width - room, .weak)
      }
    }
  }

  /// Writes all lines of a text above a row. The beginning is shown if the screen is too small. Returns the
  /// columns of the last line.
  @discardableResult
  private mutating func putLines(
    of text: String, above end: Int, most: Int = .max, _ look: GridCanvas.Look
  ) -> Int {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { state.wrapped(String($0)) }
    let count = min(lines.count, end, most)
    if count < lines.count, count > 0 {
      lines = Array(lines[..<count])
      lines[count - 1].append("…")
      if DisplayWidth.of(lines[count - 1]) > state.columns {
        lines[count - 1] = String(lines[count - 1].dropLast(2)) + "…"
      }
    }
    var used = 0
    for (offset, line) in lines.enumerated() {
      let row = end - count + offset
      clear(row)
      used = canvas.put(line, at: 0, line: row, width: state.columns, look)
    }
    return used
  }
}

extension CalendarColor {
  fileprivate init(_ pixel: BrowserPage.Pixel) {
    self.init(red: Int(pixel.red), green: Int(pixel.green), blue: Int(pixel.blue))
  }
}
