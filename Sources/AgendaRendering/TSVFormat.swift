public import AgendaCore
public import CivilTime

/// An agenda as a table: one entry per line, with tabs between columns, and a header row.
///
/// Characters that would break the table are escaped with a backslash: `\t`, `\n`, `\r` and `\\`.
/// Characters that a terminal would act on are left out, as in text.
public struct TSVFormat {
  /// The columns, in their order. New ones are added at the end.
  public static let columns = [
    "start", "end", "title", "location", "calendar", "status", "kind", "allDay", "day", "days",
    "timeZone", "categories", "id", "indexPath", "section", "uid", "recurrenceId",
  ]

  /// The columns at the end if there is a second zone.
  static let secondZoneColumns = ["alsoStart", "alsoEnd"]

  private let secondZone: Zone?

  public init(secondZone: Zone? = nil) { self.secondZone = secondZone }

  public func render(_ agenda: Agenda, to sink: inout ByteSink) {
    let zone = agenda.window.zone
    let tab = UInt8(ascii: "\t")
    let columns = Self.columns + (secondZone == nil ? [] : Self.secondZoneColumns)
    sink.write(columns.joined(separator: "\t"))
    sink.write(UInt8(ascii: "\n"))
    for section in agenda.sections {
      if sink.hasFailed { return }
      let id = section.id.description
      section.forEachOccurrence { path, occurrence, day, days in
        write(occurrence, zone: zone, to: &sink)
        sink.write(tab)
        sink.write(day)
        sink.write(tab)
        sink.write(days)
        sink.write(tab)
        sink.write(cell: occurrence.timeZoneName ?? "")
        sink.write(tab)
        sink.write(cell: occurrence.event.categories.joined(separator: ", "))
        sink.write(tab)
        sink.write(OccurrenceID(of: occurrence))
        sink.write(tab)
        sink.write(path)
        sink.write(tab)
        sink.write(cell: id)
        sink.write(tab)
        sink.write(cell: occurrence.event.identity.uid)
        sink.write(tab)
        if let recurrenceID = occurrence.recurrenceID { sink.write(recurrenceID, in: zone) }
        if let secondZone {
          sink.write(tab)
          sink.write(startOf: occurrence, in: secondZone)
          sink.write(tab)
          sink.write(endOf: occurrence, in: secondZone)
        }
        sink.write(UInt8(ascii: "\n"))
      }
    }
  }

  /// The first columns, up to `allDay`.
  private func write(_ occurrence: borrowing Occurrence, zone: Zone, to sink: inout ByteSink) {
    let tab = UInt8(ascii: "\t")
    sink.write(startOf: occurrence, in: zone)
    sink.write(tab)
    sink.write(endOf: occurrence, in: zone)
    sink.write(tab)
    sink.write(cell: occurrence.event.title)
    sink.write(tab)
    sink.write(cell: occurrence.event.location ?? "")
    sink.write(tab)
    sink.write(cell: occurrence.event.calendar)
    sink.write(tab)
    sink.write(occurrence.event.status?.rawValue ?? "")
    sink.write(tab)
    sink.write(occurrence.event.kind.rawValue)
    sink.write(tab)
    sink.write(occurrence.allDay == nil ? "false" as StaticString : "true")
  }
}

extension ByteSink {
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
