/// Lays out one paragraph of text: its line breaks and its highlighted parts.
///
/// Lines are broken at spaces and between letters of East Asian scripts. A word is broken only if
/// it is longer than a line. The following lines are indented to the start of the paragraph's text.
package struct TextLayout {
  /// The look of a part of the text, if there are colours.
  package enum Emphasis: Hashable {
    case plain, strong, weak, struck, today
    /// Good news, something to look at, and something that is wrong.
    case good, caution, alert
    case color(TerminalColor)
  }

  private let width: Int?
  private let depth: ColorDepth
  /// The column of the next character.
  private(set) var column = 0
  private var indent = 0
  /// The parameters of the colour of the bar at the left edge of the paragraph; `nil` without a bar.
  private var bar: String?
  /// Whether the paragraph is weak as a whole.
  private var isDimmed = false
  private var linkCount = 0

  private static let barText = "▌"

  package init(width: Int?, color depth: ColorDepth) {
    // On a terminal of width 0, every letter would be on a separate line.
    let least = 16
    self.width = width.map { max(least, $0) }
    self.depth = depth
  }

  /// Lets broken lines begin at the present column from now on.
  package mutating func hang() { indent = column }

  /// Begins a paragraph at a column. If there are colours, each of its lines begins with a bar in this
  /// colour.
  package mutating func begin(
    at column: Int, bar color: TerminalColor?, isDimmed: Bool = false, to sink: inout ByteSink
  ) {
    self.isDimmed = isDimmed
    bar = depth == .none ? nil : color.map { parameters(of: .color($0)) }
    space(column, to: &sink)
  }

  /// Ends the line and the paragraph.
  package mutating func newLine(to sink: inout ByteSink) {
    sink.write(UInt8(ascii: "\n"))
    column = 0
    indent = 0
    bar = nil
    isDimmed = false
  }

  package mutating func space(_ count: Int, to sink: inout ByteSink) {
    var count = max(0, count)
    if column == 0, count > 0, let bar {
      begin(Look(parameters: bar), to: &sink)
      sink.write(Self.barText)
      end(Look(parameters: bar), to: &sink)
      column = 1
      count -= 1
    }
    for _ in 0..<count { sink.write(UInt8(ascii: " ")) }
    column += count
  }

  /// Begins a line under the paragraph's text, unless one has just begun.
  package mutating func breakLine(to sink: inout ByteSink) {
    if column > indent { breakLine(at: indent, to: &sink) }
  }

  /// Begins a line of the paragraph at a column.
  mutating func breakLine(at column: Int, to sink: inout ByteSink) {
    sink.write(UInt8(ascii: "\n"))
    self.column = 0
    space(column, to: &sink)
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
  ///
  /// `link` is the address that the text leads to. It must have only printable ASCII characters, as
  /// `LinkDestination.ofWebPage` returns it.
  package mutating func write(
    _ text: String, _ emphasis: Emphasis = .plain, link: String? = nil, to sink: inout ByteSink
  ) {
    guard !text.isEmpty else { return }
    let look = Look(parameters: parameters(of: emphasis), link: link.map { hyperlink(to: $0) })
    begin(look, to: &sink)
    if let width {
      writeWrapped(text, width: width, look: look, to: &sink)
    } else {
      sink.write(text)
    }
    end(look, to: &sink)
  }

  private mutating func writeWrapped(
    _ text: String, width: Int, look: Look, to sink: inout ByteSink
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
          end(look, to: &sink)
          breakLine(to: &sink)
          begin(look, to: &sink)
        } else {
          space(pending, to: &sink)
        }
        pending = 0
        if column + columns <= width {
          sink.write(String(word))
          column += columns
        } else {
          writeBroken(word, width: width, look: look, to: &sink)
        }
      }
    }
    space(pending, to: &sink)
  }

  /// A word that is longer than a line.
  private mutating func writeBroken(
    _ word: Substring, width: Int, look: Look, to sink: inout ByteSink
  ) {
    for character in word {
      let columns = DisplayWidth.of(character)
      if column + columns > width, column > indent {
        end(look, to: &sink)
        breakLine(to: &sink)
        begin(look, to: &sink)
      }
      sink.write(String(character))
      column += columns
    }
  }

  // MARK: Emphasis

  /// What turns the look of a text on and off.
  private struct Look {
    /// The parameters of the control sequence for its emphasis; empty without one.
    let parameters: String
    /// The parameters and the address of a hyperlink.
    var link: String?
  }

  private func parameters(of emphasis: Emphasis) -> String {
    guard depth != .none else { return "" }
    let own =
      switch emphasis {
      case .plain: ""
      case .strong: isDimmed ? "" : "1"
      case .weak: isDimmed ? "" : "2"
      case .struck: isDimmed ? "9" : "9;2"
      case .today: "1;7"
      case .good: "32"
      case .caution: "33"
      case .alert: "31"
      case .color(let color): color.parameters(depth)
      }
    guard isDimmed else { return own }
    return own.isEmpty ? "2" : "2;" + own
  }

  /// The number lets a terminal highlight all lines of a link together.
  private mutating func hyperlink(to address: String) -> String {
    linkCount += 1
    return "id=\(linkCount);\(address)"
  }

  private func begin(_ look: Look, to sink: inout ByteSink) {
    if let link = look.link { write(hyperlink: link, to: &sink) }
    guard !look.parameters.isEmpty else { return }
    sink.write("\u{1b}[" as StaticString)
    sink.write(look.parameters)
    sink.write(UInt8(ascii: "m"))
  }

  private func end(_ look: Look, to sink: inout ByteSink) {
    if !look.parameters.isEmpty { sink.write("\u{1b}[0m" as StaticString) }
    if look.link != nil { write(hyperlink: ";", to: &sink) }
  }

  /// OSC 8, which terminals without hyperlinks ignore.
  private func write(hyperlink: String, to sink: inout ByteSink) {
    sink.write("\u{1b}]8;" as StaticString)
    sink.write(hyperlink)
    sink.write("\u{1b}\\" as StaticString)
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
