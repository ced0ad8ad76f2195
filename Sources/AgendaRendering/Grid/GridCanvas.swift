/// Lines of a terminal into which text can be written at any position.
struct GridCanvas {
  /// The look of a character. Without colours all look the same.
  enum Look: Hashable {
    case plain, strong, weak, today
    /// Letters in a colour.
    case letters(CalendarColor)
    /// Weak letters in a colour.
    case faint(CalendarColor)
    /// Letters on a coloured background.
    case ground(CalendarColor)
  }

  private struct Cell {
    /// Empty for the second column of a wide letter.
    var text = " "
    var look = Look.plain
  }

  let width: Int
  private var lines: [[Cell]] = []

  init(width: Int) {
    self.width = width
  }

  var height: Int { lines.count }

  /// Adds an empty line at the end.
  mutating func addLine() {
    lines.append(Array(repeating: Cell(), count: width))
  }

  /// Writes text from a column on, in at most this many columns. Longer text ends with `…`.
  mutating func put(_ text: String, at column: Int, line: Int, width: Int, _ look: Look = .plain) {
    let room = min(width, self.width - column)
    guard room > 0, lines.indices.contains(line) else { return }
    let isCut = DisplayWidth.of(text) > room
    let end = column + (isCut ? room - 1 : room)
    var place = column
    for character in text {
      let columns = DisplayWidth.of(character)
      guard columns > 0 else { continue }
      guard place + columns <= end else { break }
      lines[line][place] = Cell(text: String(character), look: look)
      for second in (place + 1)..<(place + max(1, columns)) {
        lines[line][second] = Cell(text: "", look: look)
      }
      place += columns
    }
    if isCut { lines[line][place] = Cell(text: "…", look: look) }
  }

  /// Sets the look of columns.
  mutating func fill(_ columns: Range<Int>, line: Int, _ look: Look) {
    guard lines.indices.contains(line) else { return }
    for column in columns.clamped(to: 0..<width) { lines[line][column].look = look }
  }

  /// Writes a character into those columns that are empty.
  mutating func rule(_ character: Character, _ columns: Range<Int>, line: Int, _ look: Look) {
    guard lines.indices.contains(line) else { return }
    for column in columns.clamped(to: 0..<width)
    where lines[line][column].text == " " && lines[line][column].look == .plain {
      lines[line][column] = Cell(text: String(character), look: look)
    }
  }

  /// Writes the lines without spaces at their ends.
  func write(color depth: ColorDepth, to sink: inout ByteSink) {
    for line in lines {
      let end =
        (line.lastIndex { $0.text != " " || (depth != .none && $0.look.isVisibleOnBlanks) } ?? -1)
        + 1
      var parameters = ""
      for cell in line[..<end] {
        let wanted = cell.look.parameters(depth)
        if wanted != parameters {
          if !parameters.isEmpty { sink.write("\u{1b}[0m" as StaticString) }
          if !wanted.isEmpty { sink.write("\u{1b}[\(wanted)m") }
          parameters = wanted
        }
        sink.write(cell.text)
      }
      if !parameters.isEmpty { sink.write("\u{1b}[0m" as StaticString) }
      sink.write(UInt8(ascii: "\n"))
    }
  }
}

extension GridCanvas.Look {
  /// Whether a space with this look is visible.
  fileprivate var isVisibleOnBlanks: Bool {
    switch self {
    case .plain, .strong, .weak, .letters, .faint: false
    case .today, .ground: true
    }
  }

  fileprivate func parameters(_ depth: ColorDepth) -> String {
    guard depth != .none else { return "" }
    return switch self {
    case .plain: ""
    case .strong: "1"
    case .weak: "2"
    case .today: "1;7"
    case .letters(let color): TerminalColor(color).parameters(depth)
    case .faint(let color): "2;" + TerminalColor(color).parameters(depth)
    case .ground(let color): color.backgroundParameters(depth)
    }
  }
}
