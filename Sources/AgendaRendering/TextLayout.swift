/// Lays out one paragraph of text: its line breaks and its highlighted parts.
///
/// Lines are broken at spaces and between letters of East Asian scripts. A word is broken only if
/// it is longer than a line. The following lines are indented to the start of the paragraph's text.
package struct TextLayout {
  /// The look of a part of the text, if there are colours.
  package enum Emphasis: Hashable {
    case plain, strong, weak, struck, today
    case color(TerminalColor)
  }

  private let width: Int?
  private let depth: ColorDepth
  /// The column of the next character.
  private(set) var column = 0
  private var indent = 0

  package init(width: Int?, color depth: ColorDepth) {
    // On a terminal of width 0, every letter would be on a separate line.
    let least = 16
    self.width = width.map { max(least, $0) }
    self.depth = depth
  }

  /// Lets broken lines begin at the present column from now on.
  package mutating func hang() { indent = column }

  /// Ends the line.
  package mutating func newLine(to sink: inout ByteSink) {
    sink.write(UInt8(ascii: "\n"))
    column = 0
    indent = 0
  }

  package mutating func space(_ count: Int, to sink: inout ByteSink) {
    for _ in 0..<max(0, count) { sink.write(UInt8(ascii: " ")) }
    column += max(0, count)
  }

  /// Begins a line under the paragraph's text, unless one has just begun.
  mutating func breakLine(to sink: inout ByteSink) {
    guard column > indent else { return }
    sink.write(UInt8(ascii: "\n"))
    column = 0
    space(indent, to: &sink)
  }

  /// Whether this many columns are left on this line.
  package func fits(_ columns: Int) -> Bool {
    guard let width else { return true }
    return column + columns <= width
  }

  /// Whether a separate line under the paragraph's text has this many columns.
  func fitsOnNextLine(_ columns: Int) -> Bool {
    guard let width else { return true }
    return indent + columns <= width
  }

  /// Writes harmless text that fits or may be broken. A piece that does not fit as a whole still
  /// begins on this line.
  package mutating func write(
    _ text: String, _ emphasis: Emphasis = .plain, to sink: inout ByteSink
  ) {
    guard !text.isEmpty else { return }
    let parameters = parameters(of: emphasis)
    begin(parameters, to: &sink)
    if let width {
      writeWrapped(text, width: width, parameters: parameters, to: &sink)
    } else {
      sink.write(text)
    }
    end(parameters, to: &sink)
  }

  private mutating func writeWrapped(
    _ text: String, width: Int, parameters: String, to sink: inout ByteSink
  ) {
    let columns = DisplayWidth.of(text)
    if column + columns <= width {
      sink.write(text)
      column += columns
      return
    }
    var pending = 0
    for unit in Unit.units(of: text) {
      switch unit {
      case .space:
        pending = column > indent ? 1 : 0
      case .word(let word, let columns):
        if column + pending + columns > width, column > indent {
          end(parameters, to: &sink)
          breakLine(to: &sink)
          begin(parameters, to: &sink)
        } else {
          space(pending, to: &sink)
        }
        pending = 0
        if column + columns <= width {
          sink.write(String(word))
          column += columns
        } else {
          writeBroken(word, width: width, parameters: parameters, to: &sink)
        }
      }
    }
    space(pending, to: &sink)
  }

  /// A word that is longer than a line.
  private mutating func writeBroken(
    _ word: Substring, width: Int, parameters: String, to sink: inout ByteSink
  ) {
    for character in word {
      let columns = DisplayWidth.of(character)
      if column + columns > width, column > indent {
        end(parameters, to: &sink)
        breakLine(to: &sink)
        begin(parameters, to: &sink)
      }
      sink.write(String(character))
      column += columns
    }
  }

  // MARK: Emphasis

  private func parameters(of emphasis: Emphasis) -> String {
    guard depth != .none else { return "" }
    switch emphasis {
    case .plain: return ""
    case .strong: return "1"
    case .weak: return "2"
    case .struck: return "9;2"
    case .today: return "1;7"
    case .color(let color): return color.parameters(depth)
    }
  }

  private func begin(_ parameters: String, to sink: inout ByteSink) {
    guard !parameters.isEmpty else { return }
    sink.write("\u{1b}[" as StaticString)
    sink.write(parameters)
    sink.write(UInt8(ascii: "m"))
  }

  private func end(_ parameters: String, to sink: inout ByteSink) {
    guard !parameters.isEmpty else { return }
    sink.write("\u{1b}[0m" as StaticString)
  }

  // MARK: Words

  private enum Unit {
    case space
    case word(Substring, columns: Int)

    /// Words and the spaces between them; a wide letter is a separate word.
    static func units(of text: String) -> [Unit] {
      var units: [Unit] = []
      var start = text.startIndex
      var columns = 0
      func word(before end: String.Index) -> Unit? {
        start < end ? .word(text[start..<end], columns: columns) : nil
      }
      for index in text.indices {
        let character = text[index]
        let width = DisplayWidth.of(character)
        guard character == " " || width == 2 else {
          columns += width
          continue
        }
        if let word = word(before: index) { units.append(word) }
        start = text.index(after: index)
        columns = 0
        units.append(character == " " ? .space : .word(text[index..<start], columns: width))
      }
      if let word = word(before: text.endIndex) { units.append(word) }
      return units
    }
  }
}
