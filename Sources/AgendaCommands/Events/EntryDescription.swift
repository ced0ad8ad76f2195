internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import Recurrence

/// Everything about one entry.
struct EntryDescription {
  private let found: FoundEntry
  private let series: Series
  private let request: AgendaRequest
  private let occurrence: Occurrence
  private let details: EventDetails
  /// The properties as the source has them.
  private let lines: ComponentLines?
  private let words: TimeWords
  /// JSON is the same in every language.
  private let wordsOfJSON: TimeWords

  /// How many of the next occurrences are listed.
  private static let mostNext = 5

  init(_ found: FoundEntry, request: AgendaRequest) throws {
    self.found = found
    series = try found.series
    self.request = request
    occurrence = found.entry.occurrence
    details = found.calendars.details(of: occurrence.event.reference)
    lines = found.calendars.lines(of: occurrence.event)
    words = TimeWords(wording: request.presentation.wording, zone: request.viewer.zone)
    wordsOfJSON = TimeWords(wording: DateWording(.plain), zone: request.viewer.zone)
  }

  // MARK: Text

  func writeText(to sink: inout ByteSink) {
    var page = FactPage(request.presentation)
    page.writeTitle(occurrence.event.title, to: &sink)
    page.writeLine(words.span(of: occurrence), to: &sink)
    page.write(facts, to: &sink)
    if let text = details.description {
      let lines = SafeText.lines(text)
      if !lines.isEmpty { sink.write("\n") }
      for line in lines { page.writeLine(line, indent: 2, to: &sink) }
    }
  }

  private var facts: [Explanation.Fact] {
    var facts: [Explanation.Fact] = []
    func add(_ heading: String, _ text: String?) {
      if let text, !text.isEmpty { facts.append(.init(heading: heading, text: text)) }
    }
    let event = occurrence.event
    let labels = words.words.labels
    add("id", found.entry.id.description)
    add(labels.calendar, event.calendar)
    add(labels.location, event.location)
    if let coordinates = details.coordinates {
      let (latitude, longitude) = (coordinates.latitude, coordinates.longitude)
      add(labels.coordinates, "\(latitude), \(longitude)  geo:\(latitude),\(longitude)")
    }
    add(labels.status, event.status.map(words.words.statuses.text(of:)))
    if event.kind == .task {
      add(labels.due, event.due.map(words.time))
      add(labels.done, details.percentComplete.map { "\(words.wording.number($0)) %" })
    }
    add(labels.categories, event.categories.joined(separator: ", "))
    for rule in series.master.recurrence?.rules ?? [] {
      add(labels.repeats, words.words(for: rule, of: series.master))
    }
    if let zone = occurrence.start.zone, zone.name != request.viewer.zone.name {
      let civil = zone.civil(at: occurrence.begin)
      let time = words.wording.dateAndTime(
        words.wording.shortDate(civil.date), words.wording.time(civil.time))
      add(labels.writtenIn, zone.name + words.words.lists.colon + time)
    }
    add(labels.link, details.url)
    add(labels.join, conference)
    add(labels.organizer, details.organizer.map(text(of:)))
    for (attendee, type) in zip(details.attendees, userTypes) {
      let answer = words.words.statuses.text(ofParticipation: attendee.participation)
      let person = text(of: attendee.person) + (type.map { " (\($0))" } ?? "")
      add(labels.attendees, person + words.words.lists.colon + answer)
    }
    for attachment in details.attachments { add(labels.attachments, text(of: attachment)) }
    for alarm in details.alarms { add(labels.alarms, words.text(of: alarm)) }
    add(labels.classification, details.classification.map(words.words.keywords.text(ofClass:)))
    add(labels.priority, details.priority.map { words.wording.number($0) })
    if event.isTransparent { add(labels.availability, words.words.details.takesNoTime) }
    add(labels.created, details.created.map { words.time(.utc($0.utc)) })
    add(labels.modified, details.lastModified.map { words.time(.utc($0.utc)) })
    add(labels.next, next.isEmpty ? nil : words.times(next.map(\.start)))
    add("uid", event.identity.uid)
    add(labels.source, found.calendars.sourceName(of: event))
    for line in otherProperties { add(labels.otherProperties, line) }
    return facts
  }

  /// Those that come after this one.
  private var next: [Occurrence] {
    guard series.master.repeats else { return [] }
    var next: [Occurrence] = []
    let zone = request.viewer.zone
    var coming = series.occurrences(
      touching: occurrence.begin.adding(seconds: 1)..<zone.startOfDay(.afterLast), viewer: zone)
    while next.count < Self.mostNext, let later = coming.next() {
      if later.begin > occurrence.begin { next.append(later) }
    }
    return next
  }

  /// The link to join, with its LABEL and FEATURE (RFC 7986 6.3 and 6.4).
  private var conference: String? {
    guard let link = details.conference else { return nil }
    let line = lines?.named("CONFERENCE").first { $0.value == link }
    let notes = [line?.parameter("LABEL"), line?.parameter("FEATURE")?.lowercased()]
      .compactMap(\.self).filter { !$0.isEmpty }
    // A link without a note was shown as the event's own.
    if notes.isEmpty { return link == details.url ? nil : link }
    return "\(link) (\(notes.joined(separator: words.words.lists.semicolon)))"
  }

  /// What each attendee is, if not an individual: `group`, `resource` or `room` (RFC 5545 3.2.3).
  private var userTypes: [String?] {
    let written = lines?.named("ATTENDEE") ?? []
    // Empty attendees and those beyond the limit are not shown.
    guard written.count == details.attendees.count else {
      return details.attendees.map { _ in nil }
    }
    return written.map { line in
      line.parameter("CUTYPE").flatMap { words.words.keywords.text(ofUserType: $0.lowercased()) }
    }
  }

  /// The properties that are not shown above, as the source has them; texts without their escapes.
  private var otherProperties: [String] {
    guard let lines else { return [] }
    let others = lines.all.filter { line in
      switch line.name {
      // Of several conferences one is shown above.
      case "CONFERENCE": line.value != details.conference
      case "DESCRIPTION": isHTML(line)
      case "STYLED-DESCRIPTION", "X-ALT-DESC": lines.named("DESCRIPTION").isEmpty
      default: !Self.shownProperties.contains(line.name)
      }
    }
    return others.map { property in
      let line = property.plainText.map { "\(property.name): \($0)" } ?? property.text
      let isCut = line.count > Self.longestProperty && !Self.originals.contains(property.name)
      return isCut ? "\(line.prefix(Self.longestProperty))…" : line
    }
  }

  /// Whether the description above is only the readable text of this line, which has elements.
  private func isHTML(_ line: ComponentLines.Line) -> Bool {
    guard let text = line.plainText, text.contains("<") || text.contains("&") else { return false }
    return text.trimmed != details.description?.trimmed
  }

  /// Descriptions as the file has them are never cut.
  private static let originals: Set<String> = ["DESCRIPTION", "STYLED-DESCRIPTION", "X-ALT-DESC"]

  private static let longestProperty = 200
  private static let shownProperties: Set<String> = [
    "UID", "DTSTAMP", "DTSTART", "DTEND", "DURATION", "DUE", "SUMMARY", "LOCATION", "GEO", "STATUS",
    "CATEGORIES", "RRULE", "URL", "ORGANIZER", "ATTENDEE", "ATTACH",
    "IMAGE", "CLASS", "PRIORITY", "TRANSP", "CREATED", "LAST-MODIFIED", "PERCENT-COMPLETE",
  ]

  private func text(of person: Person) -> String {
    switch (person.name, person.email) {
    case (let name?, let email?): name == email ? email : "\(name) <\(email)>"
    case (let name?, nil): name
    case (nil, let email?): email
    case (nil, nil): "(\(words.words.details.noName))"
    }
  }

  private func text(of attachment: Attachment) -> String {
    var parts = ["\(attachment.number):"]
    if let name = attachment.name { parts.append(name) }
    if let type = attachment.mediaType { parts.append(type) }
    if let count = attachment.byteCount {
      parts.append(words.wording.count(words.words.details.bytes, count))
    }
    if let uri = attachment.uri { parts.append(uri) }
    return parts.joined(separator: " ")
  }

  // MARK: JSON

  func writeJSON(to sink: inout ByteSink) {
    let zone = request.viewer.zone
    sink.beginObject()
    sink.field("version", 1)
    sink.key("entry")
    sink.beginObject()
    JSONFormat(details: found.calendars.details(of:)).write(
      found.entry, at: found.path, zone: zone, to: &sink)
    sink.endObject()
    sink.field("source", found.calendars.sourceName(of: occurrence.event))
    sink.array("rules", series.master.recurrence?.rules ?? []) { sink, rule in
      sink.beginObject()
      sink.field("rrule", "\(rule)")
      sink.field("words", wordsOfJSON.words(for: rule, of: series.master))
      sink.endObject()
    }
    sink.array("next", next) { sink, occurrence in
      sink.write(json: .time(EntryTime(occurrence.start, in: zone), zone))
    }
    sink.array("alarms", details.alarms) { sink, alarm in
      sink.beginObject()
      sink.field("action", alarm.action)
      sink.field("words", wordsOfJSON.text(of: alarm))
      sink.field("description", alarm.description)
      sink.endObject()
    }
    sink.field("class", details.classification)
    sink.field("priority", details.priority)
    sink.field("created", details.created?.rfc3339(in: zone))
    sink.field("lastModified", details.lastModified?.rfc3339(in: zone))
    sink.array("properties", lines?.all ?? []) { $0.write(json: $1.text) }
    sink.endObject()
    sink.write("\n")
  }
}
