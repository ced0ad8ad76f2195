package import AgendaCore
package import CivilTime

/// An agenda by a template: one line per entry. Values of several lines become one line, and
/// characters that a terminal would act on are left out, as in text.
package struct TemplateFormat {
  private let template: EntryTemplate
  private let wording: DateWording
  private let now: Instant
  private let details: (EventReference) -> EventDetails
  /// The zone of `alsoStart` and `alsoEnd`.
  private let secondZone: Zone?

  package init(
    _ template: EntryTemplate, _ wording: DateWording, now: Instant, secondZone: Zone? = nil,
    details: @escaping (EventReference) -> EventDetails
  ) {
    self.template = template
    self.wording = wording
    self.now = now
    self.details = details
    self.secondZone = secondZone
  }

  package func render(_ agenda: Agenda, to sink: inout ByteSink) {
    let detailFields = template.detailFields
    var rendered = RenderedEvents<DetailEnds>()
    for section in agenda.sections {
      if sink.hasFailed { return }
      let id = section.id.description
      section.forEachOccurrence { path, occurrence, day, days in
        let line = Line(
          occurrence: copy occurrence, path: path, section: id, day: day, days: days,
          zone: agenda.window.zone)
        if detailFields.isEmpty {
          write(line, to: &sink)
          return
        }
        rendered.use(
          occurrence.event, isRepeated: occurrence.isRepeated(days: days),
          rendering: { write(detailFields, of: line.occurrence.event, to: &$0) }
        ) { bytes, ends in write(line, details: bytes, ends, to: &sink) }
      }
    }
  }

  /// The end of each detail field of a template in the bytes of all of them.
  private struct DetailEnds {
    var places: [Int] = []
  }

  private func write(
    _ fields: [EntryTemplate.Field], of event: Event, to sink: inout ByteSink
  ) -> DetailEnds {
    let details = event.details(details)
    var ends = DetailEnds()
    for field in fields {
      sink.write(SafeText.line(text(field, of: details) ?? ""))
      ends.places.append(sink.count)
    }
    return ends
  }

  /// `details` are the bytes of all detail fields.
  private func write(
    _ line: Line, details: UnsafeBufferPointer<UInt8> = .init(start: nil, count: 0),
    _ ends: DetailEnds = DetailEnds(), to sink: inout ByteSink
  ) {
    var start = 0
    var nextEnds = ends.places.makeIterator()
    for part in template.parts {
      switch part {
      case .text(let text): sink.write(text)
      case .field(let field) where field.isDetail:
        let end = nextEnds.next() ?? start
        sink.write(UnsafeBufferPointer(rebasing: details[start..<end]))
        start = end
      case .field(let field): write(field, of: line, to: &sink)
      case .time(let field, let pattern):
        sink.write(SafeText.line(text(pattern, field, of: line)))
      }
    }
    sink.write(UInt8(ascii: "\n"))
  }

  /// An occurrence and its position in the listing.
  private struct Line {
    let occurrence: Occurrence
    let path: EntryPath
    let section: String
    let day: Int
    let days: Int
    let zone: Zone
  }

  private func write(_ field: EntryTemplate.Field, of line: Line, to sink: inout ByteSink) {
    let occurrence = line.occurrence
    switch field {
    case .start: sink.write(startOf: occurrence, in: line.zone)
    case .end: sink.write(endOf: occurrence, in: line.zone)
    case .alsoStart: if let secondZone { sink.write(startOf: occurrence, in: secondZone) }
    case .alsoEnd: if let secondZone { sink.write(endOf: occurrence, in: secondZone) }
    case .recurrenceId:
      if let recurrenceID = occurrence.recurrenceID { sink.write(recurrenceID, in: line.zone) }
    case .id: sink.write(OccurrenceID(of: occurrence))
    case .indexPath: sink.write(line.path)
    case .day: sink.write(line.day)
    case .days: sink.write(line.days)
    default: sink.write(SafeText.line(text(field, of: line) ?? ""))
    }
  }

  /// `nil` if the value is `null` in the JSON.
  private func text(_ field: EntryTemplate.Field, of line: Line) -> String? {
    let occurrence = line.occurrence
    let event = occurrence.event
    switch field {
    case .start, .end, .alsoStart, .alsoEnd, .recurrenceId, .id, .indexPath, .day, .days, .geo,
      .url, .description, .conference, .organizer, .attendees, .attachments:
      return nil
    case .title: return event.title
    case .location: return event.location
    case .calendar: return event.calendar
    case .status: return event.status?.rawValue
    case .kind: return event.kind.rawValue
    case .allDay: return occurrence.allDay == nil ? "false" : "true"
    case .timeZone: return occurrence.timeZoneName
    case .uid: return event.identity.uid
    case .section: return line.section
    case .category: return event.categories.first
    case .categories: return list(event.categories)
    case .in: return wording.duration(seconds: secondsUntilStart(of: occurrence))
    case .duration: return wording.duration(seconds: length(of: occurrence))
    }
  }

  private func text(_ field: EntryTemplate.Field, of details: EventDetails) -> String? {
    switch field {
    case .geo: return details.coordinates.map { "\($0.latitude),\($0.longitude)" }
    case .url: return details.url
    case .description: return details.description
    case .conference: return details.conference
    case .organizer: return details.organizer.flatMap { $0.name ?? $0.email }
    case .attendees: return list(details.attendees.compactMap { $0.person.name ?? $0.person.email })
    case .attachments: return list(details.attachments.compactMap { $0.uri ?? $0.mediaType })
    default: return nil
    }
  }

  private func list(_ texts: [String]) -> String { texts.joined(separator: ", ") }

  /// 0 for an entry that has started.
  private func secondsUntilStart(of occurrence: Occurrence) -> Int {
    occurrence.isUndated ? 0 : TimeUntil(occurrence.begin, from: now).seconds
  }

  /// An all-day entry has 24 hours per day, as in conditions.
  private func length(of occurrence: Occurrence) -> Int {
    if let days = occurrence.allDay {
      return days.lowerBound.days(until: min(days.upperBound, .last))
        * TimeOfDay.secondsPerCivilDay
    }
    return occurrence.finish.secondsSinceEpoch - occurrence.begin.secondsSinceEpoch
  }

  private func text(
    _ pattern: TimePattern, _ field: EntryTemplate.Field, of line: Line
  ) -> String {
    let occurrence = line.occurrence
    if field == .recurrenceId {
      switch occurrence.recurrenceID {
      case nil: return ""
      case .date(let date): return wording.text(pattern, date: date)
      case .some(let time):
        return wording.text(pattern, moment: time.instant(for: line.zone), zone: line.zone)
      }
    }
    if occurrence.isUndated { return "" }
    let isStart = field == .start || field == .alsoStart
    if let days = occurrence.allDay {
      let date = isStart ? days.lowerBound : min(days.upperBound, .last)
      return wording.text(pattern, date: date)
    }
    let moment = isStart ? occurrence.begin : occurrence.finish
    let zone = field.needsSecondZone ? secondZone ?? line.zone : line.zone
    return wording.text(pattern, moment: moment, zone: zone)
  }
}
