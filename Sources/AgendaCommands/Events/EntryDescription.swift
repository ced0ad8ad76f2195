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
  private let lines: [EventLine]
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
    details = found.calendars.details(of: occurrence.event)
    lines = found.calendars.contentLines(of: occurrence.event)
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

  private var facts: [(heading: String, text: String)] {
    var facts: [(heading: String, text: String)] = []
    func add(_ heading: String, _ text: String?) {
      if let text, !text.isEmpty { facts.append((heading, text)) }
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
    let line = lines.named("CONFERENCE").first { $0.value == link }
    let notes = [line?.parameter("LABEL"), line?.parameter("FEATURE")?.lowercased()]
      .compactMap(\.self).filter { !$0.isEmpty }
    // A link without a note was shown as the event's own.
    if notes.isEmpty { return link == details.url ? nil : link }
    return "\(link) (\(notes.joined(separator: words.words.lists.semicolon)))"
  }

  /// What each attendee is, if not an individual: `group`, `resource` or `room` (RFC 5545 3.2.3).
  private var userTypes: [String?] {
    let written = lines.named("ATTENDEE")
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
    let others = lines.filter { line in
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
  private func isHTML(_ line: EventLine) -> Bool {
    guard let text = line.plainText, text.contains("<") || text.contains("&") else { return false }
    return text.trimmed != details.description?.trimmed
  }

  /// Descriptions as the file has them are never cut.
  private static let originals: Set<String> = ["DESCRIPTION", "STYLED-DESCRIPTION", "X-ALT-DESC"]

  /// A property of a program can be a whole document.
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

  /// `path` is where the listing with the same options has the entry; `nil` if it does not list it.
  func writeJSON(at path: EntryPath?, to sink: inout ByteSink) {
    ListFormat.writeDocument(fields(path), of: self, to: &sink)
  }

  private func fields(_ path: EntryPath?) -> [ListFormat<EntryDescription>.Field] {
    let zone = request.viewer.zone
    return [
      .init(
        "entry",
        object: { description, sink in
          let found = description.found
          JSONFormat(details: found.calendars.details(of:)).write(
            found.entry, at: path, zone: zone, to: &sink)
        }),
      .init("source") { FieldValue($0.found.calendars.sourceName(of: $0.occurrence.event)) },
      .init(rules) { $0.series.master.recurrence?.rules ?? [] },
      .init("next", values: { $0.next.map { .time(EntryTime($0.start, in: zone), zone) } }),
      .init(alarms) { $0.details.alarms },
      .init("class") { FieldValue($0.details.classification) },
      .init("priority") { FieldValue($0.details.priority) },
      .init("created") { FieldValue($0.details.created, in: zone) },
      .init("lastModified") { FieldValue($0.details.lastModified, in: zone) },
      .init("properties") { .texts($0.lines.map(\.text)) },
    ]
  }

  private var rules: ListFormat<Rule> {
    ListFormat(
      name: "rules",
      fields: [
        .init("rrule") { .text("\($0)") },
        .init("words") { .text(wordsOfJSON.words(for: $0, of: series.master)) },
      ])
  }

  private var alarms: ListFormat<Alarm> {
    ListFormat(
      name: "alarms",
      fields: [
        .init("action") { .text($0.action) },
        .init("words") { .text(wordsOfJSON.text(of: $0)) },
        .init("description") { FieldValue($0.description) },
      ])
  }
}
