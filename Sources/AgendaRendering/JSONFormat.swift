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
    var rendered = RenderedEvents<EventOutline>()
    for section in agenda.sections {
      if sink.hasFailed { return }
      sink.write(section.index == 0 ? "\n" as StaticString : ",\n")
      sink.beginObject()
      sink.field(.id, section.id.description)
      sink.field(.title, section.title)
      sink.field(.indexTitle, section.indexTitle)
      sink.key(.entries)
      sink.write(UInt8(ascii: "["))
      section.forEachOccurrence { path, occurrence, day, days in
        sink.write(path.entry == 0 ? "\n" as StaticString : ",\n")
        sink.beginObject()
        write(occurrence, at: path, day: day, days: days, zone: zone, &rendered, to: &sink)
        sink.endObject()
      }
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
    let zone = agenda.window.zone
    var rendered = RenderedEvents<EventOutline>()
    for section in agenda.sections {
      if sink.hasFailed { return }
      let id = section.id.description
      section.forEachOccurrence { path, occurrence, day, days in
        sink.beginObject()
        sink.field(.section, id)
        write(occurrence, at: path, day: day, days: days, zone: zone, &rendered, to: &sink)
        sink.endObject()
        sink.write("\n" as StaticString)
      }
    }
  }

  /// The keys of one entry, without the braces around them.
  package func write(_ entry: Entry, at path: EntryPath, zone: Zone, to sink: inout ByteSink) {
    var rendered = RenderedEvents<EventOutline>()
    write(
      entry.occurrence, at: path, day: entry.day, days: entry.days, zone: zone, &rendered, to: &sink
    )
  }

  private func write(
    _ occurrence: borrowing Occurrence, at path: EntryPath, day: Int, days: Int, zone: Zone,
    _ rendered: inout RenderedEvents<EventOutline>, to sink: inout ByteSink
  ) {
    sink.key(.indexPath)
    sink.quote { $0.write(path) }
    sink.key(.id)
    let isAllDay = occurrence.allDay != nil
    let timeZone = isAllDay || occurrence.isUndated ? nil : occurrence.start.zone
    rendered.use(
      occurrence.event, isRepeated: occurrence.isRepeated(days: days),
      rendering: { write(occurrence.event, timeZone, to: &$0) }
    ) { bytes, outline in
      sink.quote { $0.write(OccurrenceID(of: occurrence, stem: outline.stem)) }
      sink.write(UnsafeBufferPointer(rebasing: bytes[..<outline.calendar]))
      if let recurrenceID = occurrence.recurrenceID {
        sink.quote { $0.write(recurrenceID, in: zone) }
      } else {
        sink.write("null" as StaticString)
      }
      sink.write(UnsafeBufferPointer(rebasing: bytes[outline.calendar..<outline.timeZone]))
      sink.write(json: isAllDay)
      sink.key(.start)
      sink.write(jsonStartOf: occurrence, in: zone)
      sink.key(.end)
      sink.write(jsonEndOf: occurrence, in: zone)
      if let secondZone {
        sink.key(.alsoStart)
        sink.write(jsonStartOf: occurrence, in: secondZone)
        sink.key(.alsoEnd)
        sink.write(jsonEndOf: occurrence, in: secondZone)
      }
      if outline.zone === timeZone {
        sink.write(UnsafeBufferPointer(rebasing: bytes[outline.timeZone..<outline.status]))
      } else {
        Self.write(timeZone, to: &sink)
      }
      sink.write(day)
      sink.field(.days, days)
      sink.write(UnsafeBufferPointer(rebasing: bytes[outline.status...]))
    }
  }

  private static func write(_ timeZone: Zone?, to sink: inout ByteSink) {
    sink.field(.timeZone, timeZone?.standardName)
    sink.key(.day)
  }

  /// Writes the keys that are the same for all occurrences of an event. The others are between
  /// them.
  private func write(
    _ event: borrowing Event, _ timeZone: Zone?, to sink: inout ByteSink
  ) -> EventOutline {
    sink.field(.uid, event.identity.uid)
    sink.key(.recurrenceID)
    let calendarPlace = sink.count
    sink.field(.calendar, event.calendar)
    sink.field(.kind, event.kind.rawValue)
    let title = event.title
    sink.field(.title, title.isEmpty ? nil : title)
    sink.key(.allDay)
    let timeZonePlace = sink.count
    Self.write(timeZone, to: &sink)
    let statusPlace = sink.count
    sink.field(.status, event.status?.rawValue)
    sink.field(.location, event.location)
    write(detailsOf: event, to: &sink)
    return EventOutline(
      calendar: calendarPlace, timeZone: timeZonePlace, status: statusPlace, zone: timeZone,
      stem: OccurrenceID.Stem(event))
  }

  private func write(detailsOf event: borrowing Event, to sink: inout ByteSink) {
    let details = event.details(details)
    let reference = event.reference
    sink.key(.geo)
    if let coordinates = details.coordinates {
      sink.beginObject()
      sink.key(.latitude)
      sink.write("\(coordinates.latitude)")
      sink.key(.longitude)
      sink.write("\(coordinates.longitude)")
      sink.endObject()
    } else {
      sink.write("null" as StaticString)
    }
    sink.field(.url, details.url)
    sink.field(.description, details.description)
    sink.field(.conference, details.conference)
    sink.array(.categories, event.categories) { $0.write(json: $1) }
    sink.key(.organizer)
    if let organizer = details.organizer {
      sink.beginObject()
      sink.write(jsonFieldsOf: organizer)
      sink.endObject()
    } else {
      sink.write("null" as StaticString)
    }
    sink.array(.attendees, details.attendees) { sink, attendee in
      sink.beginObject()
      sink.write(jsonFieldsOf: attendee.person)
      sink.field(.status, attendee.participation)
      sink.endObject()
    }
    sink.array(.attachments, details.attachments) { sink, attachment in
      sink.beginObject()
      sink.field(.number, attachment.number)
      sink.field(.mediaType, attachment.mediaType)
      sink.field(.bytes, attachment.byteCount)
      sink.field(.uri, attachment.uri)
      sink.field(.thumbnail, thumbnail(reference, attachment.number))
      sink.endObject()
    }
  }
}

/// The positions of the parts that are the same for all occurrences of an event.
private struct EventOutline {
  /// From `calendar` to the key `allDay`; the UID comes before it.
  let calendar: Int
  /// From the end of the end time to the key `day`, for an occurrence in `zone`.
  let timeZone: Int
  /// The remaining keys.
  let status: Int
  let zone: Zone?
  let stem: OccurrenceID.Stem
}

extension ByteSink {
  fileprivate mutating func write(jsonStartOf occurrence: borrowing Occurrence, in zone: Zone) {
    if occurrence.isUndated { return write("null" as StaticString) }
    write(UInt8(ascii: "\""))
    write(startOf: occurrence, in: zone)
    write(UInt8(ascii: "\""))
  }

  fileprivate mutating func write(jsonEndOf occurrence: borrowing Occurrence, in zone: Zone) {
    if occurrence.isUndated { return write("null" as StaticString) }
    write(UInt8(ascii: "\""))
    write(endOf: occurrence, in: zone)
    write(UInt8(ascii: "\""))
  }

  fileprivate mutating func write(jsonFieldsOf person: Person) {
    field(.name, person.name)
    field(.email, person.email)
  }

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
