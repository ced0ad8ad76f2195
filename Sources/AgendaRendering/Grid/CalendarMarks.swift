internal import AgendaCore

/// Shows the calendar of an entry in a grid: by colour, or by a mark if there are no colours.
struct CalendarMarks {
  private let names: [String]
  private let marks: [String: Character]
  private let depth: ColorDepth
  private var colors: CalendarColors

  /// Characters with one column in every font, without letters and digits.
  private static let characters: [Character] = ["*", "+", "#", "=", "%", "@", "&", "$", "~", "^"]

  init(_ agenda: Agenda, _ style: GridStyle) {
    let found = Set(agenda.occurrences.map(\.event.calendar)).sorted()
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
  var areShown: Bool { depth == .none }

  /// The mark of an event; empty if colours are shown.
  func mark(of event: Event) -> String {
    areShown ? marks[event.calendar].map { String($0) } ?? "" : ""
  }

  mutating func color(of event: Event) -> CalendarColor { colors.color(of: event) }

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
