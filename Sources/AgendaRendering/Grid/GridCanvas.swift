package import AgendaCore
package import CivilTime

/// Lines of a terminal into which text can be written at any position.
package struct GridCanvas: Sendable {
  /// The look of a character. Without colours all look the same.
  package enum Look: Hashable, Sendable {
    case plain, strong, weak, today
    /// Letters in a colour.
    case letters(CalendarColor)
    /// Weak letters in a colour.
    case faint(CalendarColor)
    /// Letters on a coloured background.
    case ground(CalendarColor)
    /// A part of a picture: two colours, one above the other.
    case pixels(upper: CalendarColor, lower: CalendarColor)
  }

  package struct Cell: Hashable, Sendable {
    /// Empty for the second column of a wide letter.
    package var text = " "
    package var look = Look.plain
    /// Whether it belongs to what a person has chosen on a screen.
    package var isSelected = false

    package init() {}

    init(text: String, look: Look) {
      (self.text, self.look) = (text, look)
    }
  }

  /// Columns of a line, and what they show.
  package struct Area: Sendable {
    package enum Target: Hashable, Sendable {
      case entry(Entry)
      case day(CivilDate)
      /// A line of the hours of a day, in minutes since midnight on the clock.
      case time(CivilDate, minute: Int)
      /// The number of entries of a day that are not shown.
      case more(CivilDate)
    }

    package var line: Int
    package var columns: Range<Int>
    package let target: Target
  }

  package let width: Int
  package private(set) var lines: [[Cell]] = []
  /// What is shown where; later ones are above earlier ones.
  package private(set) var areas: [Area] = []
  /// The lines at the top that stay if the others are scrolled.
  package var headHeight = 0
  /// The number of lines below the head that have entries of whole days.
  package var bandHeight = 0

  package init(width: Int, height: Int = 0) {
    self.width = width
    lines = Array(repeating: Array(repeating: Cell(), count: width), count: height)
  }

  package var height: Int { lines.count }

  /// Adds an empty line at the end.
  package mutating func addLine() {
    lines.append(Array(repeating: Cell(), count: width))
  }

  /// Makes a line empty.
  package mutating func blank(_ line: Int) {
    guard lines.indices.contains(line) else { return }
    lines[line] = Array(repeating: Cell(), count: width)
    areas.removeAll { $0.line == line }
  }

  package mutating func mark(_ target: Area.Target, line: Int, _ columns: Range<Int>) {
    areas.append(Area(line: line, columns: columns, target: target))
  }

  /// A letter with marks has at most so many code points. A picture of a family has seven, the flag of
  /// a region too.
  private static let mostScalars = 12

  /// Writes text from a column on, in at most this many columns. Longer text ends with `…`. Returns the
  /// columns that it takes.
  @discardableResult
  package mutating func put(
    _ text: String, at column: Int, line: Int, width: Int, _ look: Look = .plain
  ) -> Int {
    let room = min(width, self.width - column)
    guard room > 0, column >= 0, lines.indices.contains(line) else { return 0 }
    // Half of a wide letter cannot be shown.
    if column > 0, lines[line][column].text.isEmpty { lines[line][column - 1].text = " " }
    let isCut = DisplayWidth.of(text) > room
    let end = column + (isCut ? room - 1 : room)
    var place = column
    for character in text {
      let columns = DisplayWidth.of(character)
      guard columns > 0 else { continue }
      guard place + columns <= end else { break }
      var shown = String(character)
      if shown.unicodeScalars.count > Self.mostScalars {
        shown = String(String.UnicodeScalarView(shown.unicodeScalars.prefix(Self.mostScalars)))
      }
      lines[line][place] = Cell(text: shown, look: look)
      for second in (place + 1)..<(place + max(1, columns)) {
        lines[line][second] = Cell(text: "", look: look)
      }
      place += columns
    }
    if isCut {
      lines[line][place] = Cell(text: "…", look: look)
      place += 1
    }
    if place < self.width, lines[line][place].text.isEmpty { lines[line][place].text = " " }
    return place - column
  }

  /// Sets the look of columns.
  package mutating func fill(_ columns: Range<Int>, line: Int, _ look: Look) {
    guard lines.indices.contains(line) else { return }
    for column in columns.clamped(to: 0..<width) { lines[line][column].look = look }
  }

  /// Marks columns as selected.
  package mutating func select(_ columns: Range<Int>, line: Int) {
    guard lines.indices.contains(line) else { return }
    for column in columns.clamped(to: 0..<width) { lines[line][column].isSelected = true }
  }

  /// Writes a character into those columns that are empty.
  package mutating func rule(
    _ character: Character, _ columns: Range<Int>, line: Int, _ look: Look
  ) {
    guard lines.indices.contains(line) else { return }
    for column in columns.clamped(to: 0..<width)
    where lines[line][column].text == " " && lines[line][column].look == .plain {
      lines[line][column] = Cell(text: String(character), look: look)
    }
  }

  /// Copies a line of another canvas, from one of its columns on, with what it shows.
  package mutating func copyLine(
    _ source: Int, of other: GridCanvas, from left: Int, to line: Int, at column: Int, width: Int
  ) {
    guard lines.indices.contains(line), other.lines.indices.contains(source) else { return }
    let count = min(width, self.width - column, other.width - left)
    guard count > 0 else { return }
    for offset in 0..<count {
      var cell = other.lines[source][left + offset]
      // Half of a wide letter cannot be shown.
      let isWide =
        left + offset + 1 < other.width && other.lines[source][left + offset + 1].text == ""
      if offset == 0, cell.text == "" { cell.text = " " }
      if offset == count - 1, isWide { cell.text = " " }
      lines[line][column + offset] = cell
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
    case .today, .ground, .pixels: true
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
    case .pixels(let upper, let lower):
      "\(upper.exactParameters(depth, isGround: false));\(lower.exactParameters(depth, isGround: true))"
    }
  }
}

extension GridCanvas.Cell {
  /// The parameters of its look on a screen, where bold and reverse letters do not depend on colours.
  package func parameters(_ depth: ColorDepth) -> String {
    let own: String =
      if depth != .none {
        look.parameters(depth)
      } else {
        switch look {
        case .strong: "1"
        case .today: "1;4"
        case .plain, .weak, .letters, .faint, .ground, .pixels: ""
        }
      }
    guard isSelected else { return own }
    if case .today = look { return "1;4;7" }
    // In reverse colours alone, letters in a colour would look like an entry of the whole day.
    return own.isEmpty ? "7" : own + ";4;7"
  }

  /// Whether a space looks like any other.
  package var isBlank: Bool { text == " " && !isSelected && !look.isVisibleOnBlanks }
}
