public import AgendaCore
package import CivilTime

/// An agenda for programs: one document (`json`), or one entry a line (`jsonl`).
///
/// Every key is always there; what an event lacks is `null` or `[]`. `Docs/agenda.schema.json`
/// describes the document. It stands on one line for each entry and is written as it is read from the
/// agenda, so it needs no memory of its own.
public struct JSONFormat {
  /// What each event says beside its place in the agenda.
  private let details: (EventReference) -> EventDetails
  /// Where the picture of an attachment was written, if it was.
  private let thumbnail: (EventReference, Int) -> String?

  public init(
    details: @escaping (EventReference) -> EventDetails,
    thumbnail: @escaping (EventReference, Int) -> String? = { _, _ in nil }
  ) {
    self.details = details
    self.thumbnail = thumbnail
  }

  /// One document with the window, the sections and the warnings.
  public func render(
    _ agenda: Agenda, warnings: [SourceFinding] = [], to sink: inout ByteSink
  ) {
    let zone = agenda.window.zone
    sink.write("{\"version\":1,\"window\":{\"start\":\"" as StaticString)
    sink.write(agenda.window.start, in: zone)
    sink.write("\",\"end\":\"" as StaticString)
    sink.write(agenda.window.end, in: zone)
    sink.write("\",\"timeZone\":" as StaticString)
    sink.write(json: zone.name)
    sink.write("},\"groupedBy\":" as StaticString)
    sink.write(json: agenda.options.groupedBy.rawValue)
    sink.write(",\"sections\":[" as StaticString)
    var cache = DetailsCache()
    for section in agenda.sections {
      if sink.hasFailed { return }
      sink.write(section.index == 0 ? "\n{\"id\":" as StaticString : ",\n{\"id\":")
      sink.write(json: section.id)
      sink.write(",\"title\":" as StaticString)
      sink.write(json: section.title)
      sink.write(",\"indexTitle\":" as StaticString)
      sink.write(json: section.indexTitle)
      sink.write(",\"entries\":[" as StaticString)
      var path = IndexPath(section: section.index, entry: 0)
      for entry in section.entries {
        sink.write(path.entry == 0 ? "\n{" as StaticString : ",\n{")
        write(entry, at: path, zone: zone, cache: &cache, to: &sink)
        sink.write(UInt8(ascii: "}"))
        path = IndexPath(section: path.section, entry: path.entry + 1)
      }
      sink.write("\n]}" as StaticString)
    }
    sink.write("\n],\"warnings\":" as StaticString)
    sink.write(jsonArray: warnings) { sink, warning in
      sink.write("\n{\"source\":" as StaticString)
      sink.write(json: warning.source)
      sink.write(UInt8(ascii: ","))
      sink.write(jsonFieldsOf: warning.finding)
      sink.write(UInt8(ascii: "}"))
    }
    sink.write("}\n" as StaticString)
  }

  /// One entry a line, with its section's identifier.
  public func renderLines(_ agenda: Agenda, to sink: inout ByteSink) {
    let zone = agenda.window.zone
    var cache = DetailsCache()
    for section in agenda.sections {
      if sink.hasFailed { return }
      let id = section.id
      var path = IndexPath(section: section.index, entry: 0)
      for entry in section.entries {
        sink.write("{\"section\":" as StaticString)
        sink.write(json: id)
        sink.write(UInt8(ascii: ","))
        write(entry, at: path, zone: zone, cache: &cache, to: &sink)
        sink.write("}\n" as StaticString)
        path = IndexPath(section: path.section, entry: path.entry + 1)
      }
    }
  }

  /// The keys of one entry, without the braces around them.
  package func write(_ entry: Entry, at path: IndexPath, zone: Zone, to sink: inout ByteSink) {
    var cache = DetailsCache()
    write(entry, at: path, zone: zone, cache: &cache, to: &sink)
  }

  private func write(
    _ entry: Entry, at path: IndexPath, zone: Zone, cache: inout DetailsCache,
    to sink: inout ByteSink
  ) {
    sink.write("\"indexPath\":\"" as StaticString)
    sink.write(path)
    sink.write("\"," as StaticString)
    write(entry.occurrence, id: entry.id, day: entry.day, days: entry.days, zone: zone, to: &sink)
    cache.write(entry.occurrence.event.reference, to: &sink) { sink in
      write(
        detailsOf: entry.occurrence.event.reference, categories: entry.occurrence.event.categories,
        to: &sink)
    }
  }

  private func write(
    _ occurrence: borrowing Occurrence, id: OccurrenceID, day: Int, days: Int, zone: Zone,
    to sink: inout ByteSink
  ) {
    sink.write("\"id\":\"" as StaticString)
    sink.write(id)
    sink.write("\",\"uid\":" as StaticString)
    sink.write(json: occurrence.event.identity.uid)
    sink.write(",\"recurrenceId\":" as StaticString)
    if let recurrenceID = occurrence.recurrenceID {
      sink.write(UInt8(ascii: "\""))
      sink.write(recurrenceID, in: zone)
      sink.write(UInt8(ascii: "\""))
    } else {
      sink.write("null" as StaticString)
    }
    sink.write(",\"calendar\":" as StaticString)
    sink.write(json: occurrence.event.calendar)
    sink.write(",\"kind\":" as StaticString)
    sink.write(json: occurrence.event.kind.rawValue)
    sink.write(",\"title\":" as StaticString)
    let title = occurrence.event.title
    sink.write(json: title.isEmpty ? nil : title)
    sink.write(",\"allDay\":" as StaticString)
    sink.write(json: occurrence.allDay != nil)
    sink.write(",\"start\":\"" as StaticString)
    sink.write(startOf: occurrence, in: zone)
    sink.write("\",\"end\":\"" as StaticString)
    sink.write(endOf: occurrence, in: zone)
    sink.write("\",\"timeZone\":" as StaticString)
    sink.write(json: occurrence.allDay == nil ? occurrence.start.zone?.name : nil)
    sink.write(",\"day\":" as StaticString)
    sink.write(day)
    sink.write(",\"days\":" as StaticString)
    sink.write(days)
    sink.write(",\"status\":" as StaticString)
    sink.write(json: occurrence.event.status?.rawValue)
    sink.write(",\"location\":" as StaticString)
    sink.write(json: occurrence.event.location)
  }

  /// What is the same for all occurrences of an event.
  private func write(
    detailsOf reference: EventReference, categories: [String], to sink: inout ByteSink
  ) {
    let details = details(reference)
    sink.write(",\"geo\":" as StaticString)
    if let coordinates = details.coordinates {
      sink.write("{\"latitude\":" as StaticString)
      sink.write("\(coordinates.latitude)")
      sink.write(",\"longitude\":" as StaticString)
      sink.write("\(coordinates.longitude)")
      sink.write(UInt8(ascii: "}"))
    } else {
      sink.write("null" as StaticString)
    }
    sink.write(",\"url\":" as StaticString)
    sink.write(json: details.url)
    sink.write(",\"description\":" as StaticString)
    sink.write(json: details.description)
    sink.write(",\"conference\":" as StaticString)
    sink.write(json: details.conference)
    sink.write(",\"categories\":" as StaticString)
    sink.write(jsonArray: categories) { $0.write(json: $1) }
    sink.write(",\"organizer\":" as StaticString)
    if let organizer = details.organizer {
      sink.write(UInt8(ascii: "{"))
      sink.write(jsonFieldsOf: organizer)
      sink.write(UInt8(ascii: "}"))
    } else {
      sink.write("null" as StaticString)
    }
    sink.write(",\"attendees\":" as StaticString)
    sink.write(jsonArray: details.attendees) { sink, attendee in
      sink.write(UInt8(ascii: "{"))
      sink.write(jsonFieldsOf: attendee.person)
      sink.write(",\"status\":" as StaticString)
      sink.write(json: attendee.participation)
      sink.write(UInt8(ascii: "}"))
    }
    sink.write(",\"attachments\":" as StaticString)
    sink.write(jsonArray: details.attachments) { sink, attachment in
      sink.write("{\"number\":" as StaticString)
      sink.write(attachment.number)
      sink.write(",\"mediaType\":" as StaticString)
      sink.write(json: attachment.mediaType)
      sink.write(",\"bytes\":" as StaticString)
      sink.write(json: attachment.byteCount)
      sink.write(",\"uri\":" as StaticString)
      sink.write(json: attachment.uri)
      sink.write(",\"thumbnail\":" as StaticString)
      sink.write(json: thumbnail(reference, attachment.number))
      sink.write(UInt8(ascii: "}"))
    }
  }
}

extension ByteSink {
  fileprivate mutating func write(jsonFieldsOf person: Person) {
    write("\"name\":" as StaticString)
    write(json: person.name)
    write(",\"email\":" as StaticString)
    write(json: person.email)
  }

  /// What is wrong, in the keys of a report's `problems`.
  package mutating func write(jsonFieldsOf finding: Finding) {
    write("\"severity\":" as StaticString)
    write(json: finding.severity.rawValue)
    write(",\"line\":" as StaticString)
    write(json: finding.line)
    write(",\"component\":" as StaticString)
    write(json: finding.component)
    write(",\"uid\":" as StaticString)
    write(json: finding.uid)
    write(",\"property\":" as StaticString)
    write(json: finding.property)
    write(",\"message\":" as StaticString)
    write(json: finding.message)
    write(",\"action\":" as StaticString)
    write(json: finding.action)
  }
}
