package import AgendaCore

/// Shows the calendar of an entry in a grid: by colour, or by a mark if there are no colours.
package struct CalendarMarks {
  private let names: [String]
  private let marks: [String: Character]
  private let depth: ColorDepth
  private var colors: CalendarColors

  /// Characters with one column in every font, without letters and digits.
  private static let characters: [Character] = ["*", "+", "#", "=", "%", "@", "&", "$", "~", "^"]

  package init(_ found: [String], _ style: GridStyle) {
    var marks: [String: Character] = [:]
    for (number, name) in found.enumerated() {
      marks[name] = Self.characters[number % Self.characters.count]
    }
    names = found
    self.marks = marks
    depth = style.color
    colors = CalendarColors(style.calendarColors)
  }

  /// Whether entries begin with a mark.
  package var areShown: Bool { depth == .none }

  /// The mark of an event; empty if colours are shown.
  package func mark(of event: Event) -> String {
    areShown ? marks[event.calendar].map { String($0) } ?? "" : ""
  }

  /// The mark of a calendar; empty if colours are shown.
  package func mark(ofCalendar name: String) -> String {
    areShown ? marks[name].map { String($0) } ?? "" : ""
  }

  package mutating func color(ofCalendar name: String) -> CalendarColor {
    colors.color(ofCalendar: name)
  }

  package mutating func color(of event: Event) -> CalendarColor { colors.color(of: event) }

  /// The calendars with their marks or colours, at the end of a grid.
  mutating func writeLegend(to canvas: inout GridCanvas) {
    let shown = names.filter { !SafeText.line($0).isEmpty }
    guard !shown.isEmpty else { return }
    canvas.addLine()
    canvas.addLine()
    var column = 0
    for name in shown {
      let mark = areShown ? marks[name].map { "\($0) " } ?? "" : ""
      let text = mark + SafeText.line(name)
      let width = min(DisplayWidth.of(text), canvas.width)
      if column > 0, column + width > canvas.width {
        canvas.addLine()
        column = 0
      }
      canvas.put(
        text, at: column, line: canvas.height - 1, width: width,
        areShown ? .plain : .ground(colors.color(ofCalendar: name)))
      column += width + 2
    }
  }
}
