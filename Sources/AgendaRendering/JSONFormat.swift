public import AgendaCore
package import CivilTime

/// An agenda for programs: one document (`json`), or one entry per line (`jsonl`).
///
/// Every key is always present; missing values are `null` or `[]`. `Docs/agenda.schema.json`
/// describes the document. It has one line per entry and is written while the agenda is read, so
/// that it needs no extra memory.
public struct JSONFormat {
  /// Returns the details of an event.
  private let details: (EventReference) -> EventDetails
  /// Returns the path to which the picture of an attachment was written, or `nil`.
  private let thumbnail: (EventReference, Int) -> String?
  /// The zone of `alsoStart` and `alsoEnd`; `nil` leaves them out.
  private let secondZone: Zone?

  package init(
    details: @escaping (EventReference) -> EventDetails,
    thumbnail: @escaping (EventReference, Int) -> String? = { _, _ in nil },
    secondZone: Zone? = nil
  ) {
    self.details = details
    self.thumbnail = thumbnail
    self.secondZone = secondZone
  }

  /// One document with the window, the sections and the warnings.
  public func render(
    _ agenda: Agenda, warnings: [SourceFinding] = [], to sink: inout ByteSink
  ) {
    let zone = agenda.window.zone
    sink.beginObject()
    sink.field(.version, 1)
    sink.key(.window)
    sink.beginObject()
    sink.key(.start)
    sink.quote { $0.write(agenda.window.start, in: zone) }
    sink.key(.end)
    sink.quote { $0.write(agenda.window.end, in: zone) }
    sink.field(.timeZone, zone.name)
    sink.endObject()
    sink.field(.groupedBy, agenda.options.groupedBy.rawValue)
    sink.key(.sections)
    sink.write(UInt8(ascii: "["))
    var writer = writer(
      EntryField.keys.filter { $0.owner != .listing }, zone, before: "\n{", after: "}")
    for section in agenda.sections {
      if sink.hasFailed { return }
      sink.write(section.index == 0 ? "\n" as StaticString : ",\n")
      sink.beginObject()
      sink.field(.id, section.id.description)
      sink.field(.title, section.title)
      sink.field(.indexTitle, section.indexTitle)
      sink.key(.entries)
      sink.write(UInt8(ascii: "["))
      writer.write(section, separator: ",", to: &sink)
      sink.write("\n]" as StaticString)
      sink.endObject()
    }
    sink.write("\n]" as StaticString)
    sink.array(.warnings, warnings) { sink, warning in
      sink.write("\n")
      sink.beginObject()
      sink.field(.source, warning.source)
      sink.write(jsonFieldsOf: warning.finding)
      sink.endObject()
    }
    sink.endObject()
    sink.write("\n" as StaticString)
  }

  /// One entry per line, with its section's identifier.
  public func renderLines(_ agenda: Agenda, to sink: inout ByteSink) {
    var writer = writer(EntryField.keys, agenda.window.zone, before: "{", after: "}\n")
    for section in agenda.sections {
      if sink.hasFailed { return }
      writer.write(section, to: &sink)
    }
  }

  /// The keys of one entry, without the braces around them. `path` is `nil` if no listing has the entry.
  package func write(_ entry: Entry, at path: EntryPath?, zone: Zone, to sink: inout ByteSink) {
    var writer = writer(EntryField.keys.filter { $0.owner != .listing }, zone)
    writer.write(entry.occurrence, at: path, day: entry.day, days: entry.days, to: &sink)
  }

  private func writer(
    _ fields: [EntryField], _ zone: Zone, before: String = "", after: String = ""
  ) -> EntryWriter {
    let fields = secondZone == nil ? fields.filter { $0.owner != .secondZone } : fields
    return EntryWriter(
      fields,
      between: fields.enumerated().map { "\($0 == 0 ? before : ",")\"\($1.name)\":" } + [after],
      FieldContext(zone: zone, secondZone: secondZone), details: details
    ) { [thumbnail] value, _, sink in sink.write(json: value, thumbnail: thumbnail) }
  }
}

extension ByteSink {
  /// A problem, with the keys of a report's `problems`.
  package mutating func write(jsonFieldsOf finding: Finding, action: String? = nil) {
    field(.severity, finding.severity.rawValue)
    field(.line, finding.line)
    field(.count, finding.count)
    array(.lines, finding.lines) { $0.write(json: $1) }
    field(.component, finding.component)
    field(.uid, finding.uid)
    field(.property, finding.property)
    field(.message, finding.message)
    field(.action, action ?? finding.action)
  }
}
