import AgendaCore
import AgendaReader
import CivilTime
import Recurrence

/// What a file means, in a form that a person can compare with the file.
enum FixtureText {
  static func text(_ file: CalendarFile) -> String {
    var lines: [String] = []
    lines.append("calendar \(quoted(file.name))")
    if let color = file.color { lines.append("color \(color)") }
    if let method = file.method { lines.append("method \(method)") }
    lines.append("components \(file.componentCount), rejected \(file.rejectedCount)")
    if file.journalCount + file.freeBusyCount > 0 {
      lines.append("journals \(file.journalCount), free/busy \(file.freeBusyCount)")
    }
    lines += file.busyTimes.map { "busy \($0.lowerBound) to \($0.upperBound)" }
    if file.isTruncated { lines.append("cut off") }
    for event in file.allEvents {
      lines.append("")
      lines += self.lines(event)
      lines += self.lines(file.details(of: event.reference))
    }
    let assembly = SeriesAssembly(file.allEvents) {
      file.content(of: $0)
    }
    if !assembly.superseded.isEmpty {
      let numbers = assembly.superseded.map(\.component).sorted().map { "\($0 + 1)" }
        .joined(separator: ", ")
      lines += ["", "superseded: \(numbers)"]
    }
    let files = CalendarFiles([file])
    let findings =
      files.findings(ofFile: 0, files.commonFindings(keepsMails: false)) + file.ruleNotes()
    if !findings.isEmpty { lines.append("") }
    lines += findings.map(line)
    return lines.joined(separator: "\n") + "\n"
  }

  static func text(_ event: Event, _ details: EventDetails) -> String {
    (lines(event) + lines(details)).joined(separator: "\n")
  }

  static func line(_ finding: Finding) -> String {
    let place = finding.place.map { "[\($0.lowerBound)..<\($0.upperBound)]" } ?? ""
    let position = finding.line.map { "line \($0)\(place)" } ?? "source"
    let subject = [finding.component, finding.uid, finding.property].compactMap(\.self)
      .joined(separator: " ")
    let count = finding.count > 1 ? " (\(finding.count) times)" : ""
    return
      "\(finding.severity) at \(position): \(subject): \(finding.message): \(finding.action)\(count)"
  }

  private static func lines(_ event: Event) -> [String] {
    var lines = ["\(event.kind) \(event.identity.uid)"]
    func add(_ name: String, _ value: String?) {
      if let value { lines.append("  \(name) \(value)") }
    }
    add("recurrence-id", event.identity.recurrenceID.map(text))
    if event.identity.includesFollowing { add("range", "this and future") }
    add("start", event.start.map(text))
    switch event.extent {
    case .unstated: break
    case .end(let end): add("end", text(end))
    case .duration(let duration): add("duration", text(duration))
    }
    add("due", event.due.map(text))
    for rule in event.recurrence?.rules ?? [] { add("rule", "\(rule)") }
    for rule in event.recurrence?.exceptionRules ?? [] { add("without rule", "\(rule)") }
    for date in event.recurrence?.dates ?? [] {
      switch date.extent {
      case .end(let end)?: add("also", "\(text(date.start)) to \(text(end))")
      case .duration(let length)?: add("also", "\(text(date.start)) for \(text(length))")
      default: add("also", text(date.start))
      }
    }
    for date in event.recurrence?.exceptionDates ?? [] { add("not", text(date)) }
    add("title", quoted(event.title))
    add("location", event.location.map(quoted))
    add("status", event.status?.rawValue)
    if !event.categories.isEmpty {
      add("categories", event.categories.map(quoted).joined(separator: ", "))
    }
    if event.isTransparent { add("transparent", "yes") }
    add("color", event.color)
    if event.version != EventVersion() {
      add("version", "\(event.version.sequence) of \(event.version.modified?.description ?? "-")")
    }
    return lines
  }

  private static func lines(_ details: EventDetails) -> [String] {
    var lines: [String] = []
    func add(_ name: String, _ value: String?) {
      if let value { lines.append("  \(name) \(value)") }
    }
    add("description", details.description.map(quoted))
    add("url", details.url)
    add("conference", details.conference)
    add("coordinates", details.coordinates.map { "\($0.latitude) \($0.longitude)" })
    add("organizer", details.organizer.map(text))
    for attendee in details.attendees {
      add("attendee", "\(text(attendee.person)) \(attendee.participation) \(attendee.role)")
    }
    for attachment in details.attachments {
      let place = attachment.uri ?? "\(attachment.byteCount ?? -1) bytes"
      add(
        attachment.isImage ? "image" : "attachment",
        "\(attachment.number) \(attachment.mediaType ?? "-") \(place) \(attachment.name ?? "-")")
    }
    for alarm in details.alarms {
      let trigger =
        switch alarm.trigger {
        case .fromStart(let duration): "start \(text(duration))"
        case .fromEnd(let duration): "end \(text(duration))"
        case .at(let instant): "at \(instant)"
        }
      let repetition =
        alarm.repetitions > 0
        ? " again \(alarm.repetitions) after \(alarm.interval.map(text) ?? "-")" : ""
      let description = alarm.description.map { " \(quoted($0))" } ?? ""
      add("alarm", "\(alarm.action) \(trigger)\(repetition)\(description)")
    }
    add("class", details.classification)
    add("priority", details.priority.map(String.init))
    add("percent", details.percentComplete.map(String.init))
    add("completed", details.completed?.description)
    return lines
  }

  private static func text(_ time: EventTime) -> String {
    switch time {
    case .date(let date): "\(date)"
    case .floating(let civil): "\(civil) floating"
    case .zoned(let civil, let zone): "\(civil) \(zone.name)"
    case .utc(let civil): "\(civil)Z"
    }
  }

  private static func text(_ duration: EventDuration) -> String {
    "\(duration.days)d \(duration.seconds)s"
  }

  private static func text(_ person: Person) -> String {
    "\(person.name.map(quoted) ?? "-") <\(person.email ?? "-")>"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\\": quoted += "\\\\"
      case "\"": quoted += "\\\""
      default:
        if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
          quoted += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
          quoted.unicodeScalars.append(scalar)
        }
      }
    }
    return quoted + "\""
  }
}
