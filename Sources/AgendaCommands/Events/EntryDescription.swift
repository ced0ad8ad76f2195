internal import AgendaCore
internal import AgendaReader
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
  private let words: TimeWords

  /// How many of the next occurrences are told.
  private static let mostNext = 5

  init(_ found: FoundEntry, request: AgendaRequest) throws {
    self.found = found
    series = try found.series
    self.request = request
    occurrence = found.entry.occurrence
    details = found.events.details(of: occurrence.event.reference)
    words = TimeWords(wording: request.presentation.wording, zone: request.viewer.zone)
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
    add("id", found.entry.id.description)
    add("calendar", event.calendar)
    add("location", event.location)
    if let coordinates = details.coordinates {
      let (latitude, longitude) = (coordinates.latitude, coordinates.longitude)
      add("coordinates", "\(latitude), \(longitude)  geo:\(latitude),\(longitude)")
    }
    add("status", event.status?.rawValue)
    if event.kind == .task {
      add("due", event.due.map(words.time))
      add("done", details.percentComplete.map { "\($0) %" })
    }
    add("categories", event.categories.joined(separator: ", "))
    for rule in series.master.recurrence?.rules ?? [] {
      add("repeats", words.words(for: rule, of: series.master))
    }
    if let zone = occurrence.start.zone, zone.name != request.viewer.zone.name {
      let civil = zone.civil(at: occurrence.begin)
      add(
        "written in",
        "\(zone.name), where it is \(words.wording.time(civil.time)) on \(words.wording.shortDate(civil.date))"
      )
    }
    add("link", details.url)
    add("join", details.conference == details.url ? nil : details.conference)
    add("organizer", details.organizer.map(text(of:)))
    for attendee in details.attendees {
      add("attendees", "\(text(of: attendee.person)): \(attendee.participation)")
    }
    for attachment in details.attachments { add("attachments", text(of: attachment)) }
    for alarm in details.alarms { add("alarms", text(of: alarm)) }
    add("class", details.classification)
    add("priority", details.priority.map(String.init))
    if event.isTransparent { add("time", "takes none up (TRANSP:TRANSPARENT)") }
    add("created", details.created.map { words.time(.utc($0.utc)) })
    add("modified", details.lastModified.map { words.time(.utc($0.utc)) })
    add("next", next.isEmpty ? nil : words.times(next.map(\.start)))
    add("uid", event.identity.uid)
    add("source", found.events.sourceName(of: event.reference))
    for line in otherProperties { add("other", line) }
    return facts
  }

  /// Those that come after this one.
  private var next: [Occurrence] {
    guard series.master.recurrence != nil else { return [] }
    var next: [Occurrence] = []
    let zone = request.viewer.zone
    var coming = series.occurrences(
      touching: occurrence.begin.adding(seconds: 1)..<zone.startOfDay(.afterLast), viewer: zone)
    while next.count < Self.mostNext, let later = coming.next() {
      if later.begin > occurrence.begin { next.append(later) }
    }
    return next
  }

  /// What the source says beside what is told above, as it wrote it.
  private var otherProperties: [String] {
    guard let lines = found.events.lines(of: occurrence.event.reference) else { return [] }
    let others = lines.all.filter { line in
      // Of several conferences one is told above.
      line.name == "CONFERENCE"
        ? line.value != details.conference : !Self.toldProperties.contains(line.name)
    }
    return others.map {
      let line = $0.text
      return line.count > Self.longestProperty ? "\(line.prefix(Self.longestProperty))…" : line
    }
  }

  private static let longestProperty = 200
  private static let toldProperties: Set<String> = [
    "UID", "DTSTAMP", "DTSTART", "DTEND", "DURATION", "DUE", "SUMMARY", "DESCRIPTION", "LOCATION",
    "GEO", "STATUS", "CATEGORIES", "RRULE", "URL", "ORGANIZER", "ATTENDEE", "ATTACH",
    "IMAGE", "CLASS", "PRIORITY", "TRANSP", "CREATED", "LAST-MODIFIED", "PERCENT-COMPLETE",
    "X-ALT-DESC", "STYLED-DESCRIPTION",
  ]

  private func text(of person: Person) -> String {
    switch (person.name, person.email) {
    case (let name?, let email?): name == email ? email : "\(name) <\(email)>"
    case (let name?, nil): name
    case (nil, let email?): email
    case (nil, nil): "(no name)"
    }
  }

  private func text(of attachment: Attachment) -> String {
    var parts = ["\(attachment.number):"]
    if let name = attachment.name { parts.append(name) }
    if let type = attachment.mediaType { parts.append(type) }
    if let count = attachment.byteCount { parts.append("\(count) bytes") }
    if let uri = attachment.uri { parts.append(uri) }
    return parts.joined(separator: " ")
  }

  private func text(of alarm: Alarm) -> String {
    var text: String
    switch alarm.trigger {
    case .at(let instant): text = words.time(.utc(instant.utc))
    case .fromStart(let duration): text = Self.text(of: duration, "the start")
    case .fromEnd(let duration): text = Self.text(of: duration, "the end")
    }
    text += " (\(alarm.action))"
    if alarm.repetitions > 0 { text += ", again \(alarm.repetitions) times" }
    return text
  }

  private static func text(of duration: EventDuration, _ point: String) -> String {
    let (days, overflow) = duration.days.multipliedReportingOverflow(
      by: TimeOfDay.secondsPerCivilDay)
    let (seconds, tooLong) = days.addingReportingOverflow(duration.seconds)
    if overflow || tooLong { return "far from \(point)" }
    if seconds == 0 { return "at \(point)" }
    return "\(DurationWords.text(seconds: seconds)) \(seconds < 0 ? "before" : "after") \(point)"
  }

  // MARK: JSON

  func writeJSON(to sink: inout ByteSink) {
    let zone = request.viewer.zone
    sink.write("{\"version\":1,\"entry\":{")
    JSONFormat(details: found.events.details).write(
      found.entry, at: found.path, zone: zone, to: &sink)
    sink.write("},\"source\":")
    sink.write(json: found.events.sourceName(of: occurrence.event.reference))
    sink.write(",\"rules\":")
    sink.write(jsonArray: series.master.recurrence?.rules ?? []) { sink, rule in
      sink.write("{\"rrule\":")
      sink.write(json: "\(rule)")
      sink.write(",\"words\":")
      sink.write(json: words.words(for: rule, of: series.master))
      sink.write("}")
    }
    sink.write(",\"next\":")
    sink.write(jsonArray: next) { sink, occurrence in
      sink.write(json: occurrence.start.json(in: zone))
    }
    sink.write(",\"alarms\":")
    sink.write(jsonArray: details.alarms) { sink, alarm in
      sink.write("{\"action\":")
      sink.write(json: alarm.action)
      sink.write(",\"words\":")
      sink.write(json: text(of: alarm))
      sink.write(",\"description\":")
      sink.write(json: alarm.description)
      sink.write("}")
    }
    sink.write(",\"class\":")
    sink.write(json: details.classification)
    sink.write(",\"priority\":")
    sink.write(json: details.priority)
    sink.write(",\"created\":")
    sink.write(json: details.created?.rfc3339(in: zone))
    sink.write(",\"lastModified\":")
    sink.write(json: details.lastModified?.rfc3339(in: zone))
    sink.write(",\"properties\":")
    let lines = found.events.lines(of: occurrence.event.reference)?.all ?? []
    sink.write(jsonArray: lines) { sink, line in
      sink.write(json: line.text)
    }
    sink.write("}\n")
  }
}

extension EventTime {
  /// A date, or the moment in a zone, as JSON has it.
  func json(in zone: Zone) -> String {
    if case .date(let date) = self { return date.description }
    return instant(for: zone).rfc3339(in: zone)
  }
}
