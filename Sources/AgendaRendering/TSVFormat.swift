public import AgendaCore
public import CivilTime

/// An agenda as a table: one entry per line, with tabs or commas between columns, and a header row.
public struct TSVFormat {
  /// The columns, in their order. New ones are added at the end.
  public static let columns = fields.map(\.name)

  private static let fields: [EntryField] = [
    .start, .end, .title, .location, .calendar, .status, .kind, .allDay, .day, .days, .timeZone,
    .categories, .id, .path, .section, .uid, .recurrenceID,
  ]

  private let secondZone: Zone?
  private let style: TableStyle

  public init(secondZone: Zone? = nil) { self.init(.tsv, secondZone: secondZone) }

  package init(_ style: TableStyle, secondZone: Zone? = nil) {
    self.style = style
    self.secondZone = secondZone
  }

  public func render(_ agenda: Agenda, to sink: inout ByteSink) {
    let fields = Self.fields + (secondZone == nil ? [] : [.alsoStart, .alsoEnd])
    let style = style
    sink.write(style.row(fields.map(\.name)))
    let separators = Array(repeating: style.separator, count: fields.count - 1)
    var writer = EntryWriter(
      fields, between: [""] + separators + [style.lineEnd],
      FieldContext(zone: agenda.window.zone, secondZone: secondZone)
    ) { value, _, sink in sink.write(cell: value, style) }
    for section in agenda.sections {
      if sink.hasFailed { return }
      writer.write(section, to: &sink)
    }
  }
}

/// How the cells of a table are written. Characters that a terminal would act on are left out of both
/// kinds, as in text.
package struct TableStyle: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Characters that would break the table are escaped with a backslash: `\t`, `\n`, `\r` and `\\`.
    case tsv
    /// Cells with a comma, a quote or a line break are in quotes (RFC 4180).
    case csv
  }

  package var kind: Kind
  /// Whether a cell that a spreadsheet would take for a formula gets a `'` before it.
  package var isSafe = false

  package static let tsv = TableStyle(kind: .tsv)

  package init(kind: Kind, isSafe: Bool = false) {
    self.kind = kind
    self.isSafe = isSafe
  }

  package var separator: String { kind == .tsv ? "\t" : "," }
  package var lineEnd: String { kind == .tsv ? "\n" : "\r\n" }

  /// A row of cells without anything to escape, such as the names of columns.
  package func row(_ cells: [String]) -> String { cells.joined(separator: separator) + lineEnd }

  fileprivate func cell(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch (kind, scalar) {
      case (.csv, "\t"), (.csv, "\n"), (.csv, "\r"): shown.append(scalar)
      case (.tsv, "\t"): shown.append(contentsOf: "\\t".unicodeScalars)
      case (.tsv, "\n"): shown.append(contentsOf: "\\n".unicodeScalars)
      case (.tsv, "\r"): shown.append(contentsOf: "\\r".unicodeScalars)
      case (.tsv, "\\"): shown.append(contentsOf: "\\\\".unicodeScalars)
      default: if !SafeText.isUnsafe(scalar) { shown.append(scalar) }
      }
    }
    var cell = String(shown)
    if isSafe, let first = cell.utf8.first, "=+-@".utf8.contains(first) { cell = "'" + cell }
    guard kind == .csv, cell.utf8.contains(where: ",\"\r\n".utf8.contains) else { return cell }
    return "\"" + cell.replacing("\"", with: "\"\"") + "\""
  }
}

extension ByteSink {
  package mutating func write(cell value: FieldValue, _ style: TableStyle) {
    write(line: value) { text, sink in sink.write(cell: text, style) }
  }

  /// Writes the text of a cell, without what would break the table or harm a terminal.
  private mutating func write(cell text: String, _ style: TableStyle) {
    let isPlain =
      style == .tsv && SafeText.isHarmless(text) && !text.utf8.contains(UInt8(ascii: "\\"))
    write(isPlain ? text : style.cell(text))
  }
}
