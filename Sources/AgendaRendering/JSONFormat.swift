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
    var rendered = RenderedEvents<EventOutline>()
    for section in agenda.sections {
      if sink.hasFailed { return }
      sink.write(section.index == 0 ? "\n{\"id\":" as StaticString : ",\n{\"id\":")
      sink.write(json: section.id)
      sink.write(",\"title\":" as StaticString)
      sink.write(json: section.title)
      sink.write(",\"indexTitle\":" as StaticString)
      sink.write(json: section.indexTitle)
      sink.write(",\"entries\":[" as StaticString)
      section.forEachOccurrence { path, occurrence, day, days in
        sink.write(path.entry == 0 ? "\n{" as StaticString : ",\n{")
        write(occurrence, at: path, day: day, days: days, zone: zone, &rendered, to: &sink)
        sink.write(UInt8(ascii: "}"))
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
    var rendered = RenderedEvents<EventOutline>()
    for section in agenda.sections {
      if sink.hasFailed { return }
      let id = section.id
      section.forEachOccurrence { path, occurrence, day, days in
        sink.write("{\"section\":" as StaticString)
        sink.write(json: id)
        sink.write(UInt8(ascii: ","))
        write(occurrence, at: path, day: day, days: days, zone: zone, &rendered, to: &sink)
        sink.write("}\n" as StaticString)
      }
    }
  }

  /// The keys of one entry, without the braces around them.
  package func write(_ entry: Entry, at path: IndexPath, zone: Zone, to sink: inout ByteSink) {
    var rendered = RenderedEvents<EventOutline>()
    write(
      entry.occurrence, at: path, day: entry.day, days: entry.days, zone: zone, &rendered, to: &sink
    )
  }

  private func write(
    _ occurrence: borrowing Occurrence, at path: IndexPath, day: Int, days: Int, zone: Zone,
    _ rendered: inout RenderedEvents<EventOutline>, to sink: inout ByteSink
  ) {
    sink.write("\"indexPath\":\"" as StaticString)
    sink.write(path)
    sink.write("\",\"id\":\"" as StaticString)
    let isAllDay = occurrence.allDay != nil
    let timeZone = isAllDay ? nil : occurrence.start.zone
    rendered.use(
      occurrence.event, isRepeated: occurrence.isRepeated(days: days),
      rendering: { write(occurrence.event, timeZone, to: &$0) }
    ) { bytes, outline in
      sink.write(OccurrenceID(of: occurrence, stem: outline.stem))
      sink.write(UnsafeBufferPointer(rebasing: bytes[..<outline.calendar]))
      if let recurrenceID = occurrence.recurrenceID {
        sink.write(UInt8(ascii: "\""))
        sink.write(recurrenceID, in: zone)
        sink.write(UInt8(ascii: "\""))
      } else {
        sink.write("null" as StaticString)
      }
      sink.write(UnsafeBufferPointer(rebasing: bytes[outline.calendar..<outline.timeZone]))
      sink.write(isAllDay ? "true,\"start\":\"" as StaticString : "false,\"start\":\"")
      sink.write(startOf: occurrence, in: zone)
      sink.write("\",\"end\":\"" as StaticString)
      sink.write(endOf: occurrence, in: zone)
      if outline.zone === timeZone {
        sink.write(UnsafeBufferPointer(rebasing: bytes[outline.timeZone..<outline.status]))
      } else {
        Self.write(timeZone, to: &sink)
      }
      sink.write(day)
      sink.write(",\"days\":" as StaticString)
      sink.write(days)
      sink.write(UnsafeBufferPointer(rebasing: bytes[outline.status...]))
    }
  }

  private static func write(_ timeZone: Zone?, to sink: inout ByteSink) {
    sink.write("\",\"timeZone\":" as StaticString)
    sink.write(json: timeZone?.name)
    sink.write(",\"day\":" as StaticString)
  }

  /// What is the same for all occurrences of an event, without what stands between its parts.
  private func write(
    _ event: borrowing Event, _ timeZone: Zone?, to sink: inout ByteSink
  ) -> EventOutline {
    sink.write("\",\"uid\":" as StaticString)
    sink.write(json: event.identity.uid)
    sink.write(",\"recurrenceId\":" as StaticString)
    let calendarPlace = sink.count
    sink.write(",\"calendar\":" as StaticString)
    sink.write(json: event.calendar)
    sink.write(",\"kind\":" as StaticString)
    sink.write(json: event.kind.rawValue)
    sink.write(",\"title\":" as StaticString)
    let title = event.title
    sink.write(json: title.isEmpty ? nil : title)
    sink.write(",\"allDay\":" as StaticString)
    let timeZonePlace = sink.count
    Self.write(timeZone, to: &sink)
    let statusPlace = sink.count
    sink.write(",\"status\":" as StaticString)
    sink.write(json: event.status?.rawValue)
    sink.write(",\"location\":" as StaticString)
    sink.write(json: event.location)
    write(detailsOf: event.reference, categories: event.categories, to: &sink)
    return EventOutline(
      calendar: calendarPlace, timeZone: timeZonePlace, status: statusPlace, zone: timeZone,
      stem: OccurrenceID.Stem(event))
  }

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

/// Where the parts begin of what is the same for all occurrences of an event.
private struct EventOutline {
  /// From `calendar` to the key `allDay`; before it stands the UID.
  let calendar: Int
  /// From the end of the time of the end to the key `day`, for an occurrence in `zone`.
  let timeZone: Int
  /// The rest.
  let status: Int
  let zone: Zone?
  let stem: OccurrenceID.Stem
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
