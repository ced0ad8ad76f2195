internal import AgendaRendering

/// Facts with a heading each, laid out for people: the headings in a column, the texts wrapped
/// beside them.
struct FactPage {
  private let width: Int?
  private let hasColor: Bool

  init(_ presentation: Presentation) {
    width = presentation.columns
    hasColor = presentation.color != .none
  }

  /// In bold on a terminal.
  func writeTitle(_ title: String, to sink: inout ByteSink) {
    let shown = SafeText.line(title)
    let text = shown.isEmpty ? "(no title)" : shown
    writeWrapped(text, indent: 0, first: 0, to: &sink, isStrong: true)
  }

  func writeLine(_ text: String, indent: Int = 0, to sink: inout ByteSink) {
    writeWrapped(SafeText.line(text), indent: indent, first: indent, to: &sink)
  }

  func write(_ facts: [Explanation.Fact], to sink: inout ByteSink) {
    guard !facts.isEmpty else { return }
    sink.write("\n")
    let widest = facts.map { DisplayWidth.of($0.heading) }.max() ?? 0
    let isNarrow = (width ?? Self.wide) < Self.wide
    let column = isNarrow ? 4 : widest + 4
    var last = ""
    for fact in facts {
      let heading = fact.heading == last ? "" : fact.heading
      last = fact.heading
      let used = 2 + DisplayWidth.of(heading)
      if isNarrow {
        if !heading.isEmpty { sink.write("  \(heading)\n") }
        writeWrapped(SafeText.line(fact.text), indent: column, first: column, to: &sink)
      } else {
        sink.write("  ")
        sink.write(weak(heading))
        writeWrapped(
          SafeText.line(fact.text), indent: column, first: column - used, startsAt: used, to: &sink)
      }
    }
  }

  /// Lines of words behind `indent` columns, the first one behind `first` more.
  private func writeWrapped(
    _ text: String, indent: Int, first: Int, startsAt: Int = 0, to sink: inout ByteSink,
    isStrong: Bool = false
  ) {
    var line = String(repeating: " ", count: first)
    var used = startsAt + first
    var isEmpty = true
    func flush(_ line: String, to sink: inout ByteSink) {
      sink.write(isStrong && hasColor ? "\u{1b}[1m\(line)\u{1b}[0m\n" : line + "\n")
    }
    for word in text.split(separator: " ") {
      let length = DisplayWidth.of(String(word))
      if let width, !isEmpty, used + 1 + length > width {
        flush(line, to: &sink)
        line = String(repeating: " ", count: indent)
        used = indent
        isEmpty = true
      }
      if !isEmpty {
        line += " "
        used += 1
      }
      line += word
      used += length
      isEmpty = false
    }
    flush(line, to: &sink)
  }

  private func weak(_ text: String) -> String {
    hasColor && !text.isEmpty ? "\u{1b}[2m\(text)\u{1b}[0m" : text
  }

  /// From so many columns on the texts stand beside their headings.
  private static let wide = 60
}
