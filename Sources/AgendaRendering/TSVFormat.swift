public import AgendaCore
public import CivilTime

/// An agenda as a table: one entry per line, with tabs between columns, and a header row.
///
/// Characters that would break the table are escaped with a backslash: `\t`, `\n`, `\r` and `\\`.
/// Characters that a terminal would act on are left out, as in text.
public struct TSVFormat {
  /// The columns, in their order. New ones are added at the end.
  public static let columns = fields.map(\.name)

  private static let fields: [EntryField] = [
    .start, .end, .title, .location, .calendar, .status, .kind, .allDay, .day, .days, .timeZone,
    .categories, .id, .path, .section, .uid, .recurrenceID,
  ]

  private let secondZone: Zone?

  public init(secondZone: Zone? = nil) { self.secondZone = secondZone }

  public func render(_ agenda: Agenda, to sink: inout ByteSink) {
    let fields = Self.fields + (secondZone == nil ? [] : [.alsoStart, .alsoEnd])
    sink.write(fields.map(\.name).joined(separator: "\t") + "\n")
    var writer = EntryWriter(
      fields, between: [""] + Array(repeating: "\t", count: fields.count - 1) + ["\n"],
      FieldContext(zone: agenda.window.zone, secondZone: secondZone)
    ) { value, _, sink in sink.write(cell: value) }
    for section in agenda.sections {
      if sink.hasFailed { return }
      writer.write(section, to: &sink)
    }
  }
}

extension ByteSink {
  package mutating func write(cell value: FieldValue) {
    write(line: value) { text, sink in sink.write(cell: text) }
  }

  /// Writes the text of a cell, with escapes for characters that break the table or harm a terminal.
  package mutating func write(cell text: String) {
    if SafeText.isHarmless(text), !text.utf8.contains(UInt8(ascii: "\\")) { return write(text) }
    var cell = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\t": cell.append(contentsOf: "\\t".unicodeScalars)
      case "\n": cell.append(contentsOf: "\\n".unicodeScalars)
      case "\r": cell.append(contentsOf: "\\r".unicodeScalars)
      case "\\": cell.append(contentsOf: "\\\\".unicodeScalars)
      default: if !SafeText.isUnsafe(scalar) { cell.append(scalar) }
      }
    }
    write(String(cell))
  }
}
