internal import AgendaRendering

/// Facts with a heading each, laid out for people: the headings in a column, the texts wrapped
/// beside them.
struct FactPage {
  private var layout: TextLayout
  private let isNarrow: Bool

  /// From so many columns on the texts stand in a column of their own.
  private static let wide = 60

  init(_ presentation: Presentation) {
    layout = TextLayout(width: presentation.columns, color: presentation.color)
    isNarrow = presentation.columns.map { $0 < Self.wide } ?? false
  }

  /// In bold on a terminal.
  mutating func writeTitle(_ title: String, to sink: inout ByteSink) {
    let shown = SafeText.line(title)
    layout.write(shown.isEmpty ? "(no title)" : shown, .strong, to: &sink)
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

  mutating func write(_ facts: [Explanation.Fact], to sink: inout ByteSink) {
    guard !facts.isEmpty else { return }
    layout.newLine(to: &sink)
    let margin = 2
    let widest = facts.map { DisplayWidth.of($0.heading) }.max() ?? 0
    var last = ""
    for fact in facts {
      let heading = fact.heading == last ? "" : fact.heading
      last = fact.heading
      let text = SafeText.line(fact.text)
      let columns = DisplayWidth.of(heading)
      layout.space(margin, to: &sink)
      layout.write(heading, .weak, to: &sink)
      if !isNarrow {
        layout.space(margin + widest - columns, to: &sink)
      } else if !heading.isEmpty, layout.fits(margin + DisplayWidth.of(text)) {
        layout.space(margin, to: &sink)
      } else {
        if !heading.isEmpty {
          layout.newLine(to: &sink)
          layout.space(margin, to: &sink)
        }
        layout.space(margin, to: &sink)
      }
      layout.hang()
      layout.write(text, to: &sink)
      layout.newLine(to: &sink)
    }
  }
}
