internal import AgendaRendering

/// Facts with a heading each, for people: the headings in a column, the texts wrapped in another.
struct FactPage {
  private var layout: TextLayout
  private let noTitle: String
  /// Wider headings have their text below them, so that texts keep most of a narrow terminal.
  private let widestHeading: Int

  init(_ presentation: Presentation) {
    layout = TextLayout(width: presentation.columns, color: presentation.color)
    noTitle = "(\(presentation.wording.words.entries.noTitle))"
    widestHeading = presentation.columns.map { max(8, $0 / 3) } ?? .max
  }

  /// In bold on a terminal.
  mutating func writeTitle(_ title: String, to sink: inout ByteSink) {
    let shown = SafeText.line(title)
    layout.write(shown.isEmpty ? noTitle : shown, .strong, to: &sink)
    layout.newLine(to: &sink)
  }

  mutating func writeLine(_ text: String, indent: Int = 0, to sink: inout ByteSink) {
    let text = SafeText.line(text)
    if !text.isEmpty {
      layout.space(indent, to: &sink)
      layout.hang()
      layout.write(text, to: &sink)
    }
    layout.newLine(to: &sink)
  }

  mutating func write(_ facts: [(heading: String, text: String)], to sink: inout ByteSink) {
    guard !facts.isEmpty else { return }
    layout.newLine(to: &sink)
    let margin = 2
    let widths = facts.map { DisplayWidth.of($0.heading) }
    let widest = widths.filter { $0 <= widestHeading }.max() ?? 0
    var last = ""
    for fact in facts {
      let heading = fact.heading == last ? "" : fact.heading
      last = fact.heading
      let text = SafeText.line(fact.text)
      let columns = DisplayWidth.of(heading)
      layout.space(margin, to: &sink)
      layout.write(heading, .weak, to: &sink)
      if columns > widest {
        layout.newLine(to: &sink)
        layout.space(2 * margin + widest, to: &sink)
      } else {
        layout.space(margin + widest - columns, to: &sink)
      }
      layout.hang()
      layout.write(text, to: &sink)
      layout.newLine(to: &sink)
    }
  }
}
