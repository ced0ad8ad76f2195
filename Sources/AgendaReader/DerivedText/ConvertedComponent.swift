package import AgendaCore
package import CivilTime
internal import ICalendar
internal import Recurrence

/// A component of vCalendar 1.0 as iCalendar 2.0, with the meaning that the reader gives it. Other
/// programs read vCalendar 1.0 badly or not at all.
///
/// Lines that mean the same in both formats stay. What iCalendar has no property for, and what was not
/// understood, gets the prefix X-.
package struct ConvertedComponent {
  /// The content lines without folds, from BEGIN to END.
  package private(set) var lines: [[UInt8]] = []
  /// The zones of its times that no name stands for: those of TZ and DAYLIGHT.
  package let zones: [Zone]

  private let event: Event
  private let details: EventDetails
  private var alarms: [[UInt8]] = []
  private var written: Set<String> = []

  /// `text` is the component as its source wrote it, and the others what the reader made of it.
  package init(_ text: [UInt8], event: Event, details: EventDetails) {
    self.event = event
    self.details = details
    var zones: [Zone] = []
    for zone in event.allTimes.compactMap(\.zone) where zone.origin == .definition {
      if !zones.contains(where: { $0.name == zone.name }) { zones.append(zone) }
    }
    self.zones = zones
    var content = FileLines(text, isVersion1: true)
    content.balance()
    let start = content.lines.first { $0.isProperty("DTSTART") }.map { PropertyLine($0).value }
    var depth = 0
    for line in content.lines {
      if line.isProperty("BEGIN") { depth += 1 }
      if line.isProperty("END"), depth == 1 { lines += alarms }
      if depth == 1, !line.isProperty("BEGIN"), !line.isProperty("END") {
        convert(line, start: start)
      } else {
        lines.append(line)
      }
      if line.isProperty("END") { depth -= 1 }
    }
  }

  private mutating func convert(_ line: [UInt8], start: [UInt8]?) {
    let property = PropertyLine(line)
    switch property.name {
    case "DTSTART": add(time: event.start, property)
    case "DTEND":
      if case .end(let end) = event.extent, event.kind == .event { add(time: end, property) }
    case "DUE": add(time: event.due, property)
    case "RECURRENCE-ID": add(time: event.identity.recurrenceID, property)
    case "RRULE": addOnce("RRULE", (event.recurrence?.rules ?? []).map(text), line)
    case "EXRULE": addOnce("EXRULE", (event.recurrence?.exceptionRules ?? []).map(text), line)
    case "RDATE": addDates("RDATE", event.recurrence?.dates ?? [], line)
    case "EXDATE":
      addDates(
        "EXDATE", (event.recurrence?.exceptionDates ?? []).map { RecurrenceDate(start: $0) }, line)
    case "AALARM", "DALARM", "MALARM", "PALARM": addAlarm(property, line, start: start)
    case "ATTENDEE": addAttendee(property, line)
    case "CATEGORIES": addOnce("CATEGORIES", [list(event.categories)], line)
    case "RESOURCES": addResources(property, line)
    case "STATUS": addOnce("STATUS", event.status.map { [$0.rawValue.uppercased()] } ?? [], line)
    case "TRANSP": addOnce("TRANSP", [event.isTransparent ? "TRANSPARENT" : "OPAQUE"], line)
    case "DCREATED", "CREATED": addOnce("CREATED", [details.created].compactMap(text), line)
    case "LAST-MODIFIED":
      addOnce("LAST-MODIFIED", [details.lastModified].compactMap(text), line)
    case "COMPLETED": addOnce("COMPLETED", [details.completed].compactMap(text), line)
    case "GEO":
      let place = details.coordinates.map { "\($0.latitude);\($0.longitude)" }
      addOnce("GEO", [place].compactMap(\.self), line)
    case "ATTACH": addAttachment(property, line)
    default: addOther(property, line)
    }
  }

  /// Adds all values of a property in place of its first line. A line whose property has no value was
  /// not understood.
  private mutating func addOnce(_ name: String, _ values: [String], _ line: [UInt8]) {
    if values.isEmpty { return keep(line) }
    guard written.insert(name).inserted else { return }
    lines += values.map { Array("\(name):\($0)".utf8) }
  }

  private mutating func keep(_ line: [UInt8]) {
    lines.append(Array("X-".utf8) + line)
  }

  // MARK: Times

  private mutating func add(time: EventTime?, _ property: PropertyLine) {
    guard let time, written.insert(property.name).inserted else { return }
    lines.append(
      TimeLine.line(property.name, time, replacing: nil, at: nil).content)
  }

  private mutating func addDates(_ name: String, _ dates: [RecurrenceDate], _ line: [UInt8]) {
    if dates.isEmpty { return keep(line) }
    guard written.insert(name).inserted else { return }
    for date in dates {
      var property = TimeLine.line(name, date.start, replacing: nil, at: nil)
      switch date.extent {
      case .end(let end):
        property["VALUE"] = "PERIOD"
        property.value += Array("/\(TimeLine.value(end))".utf8)
      case .duration(let length):
        property["VALUE"] = "PERIOD"
        property.value += Array("/\(TimeLine.text(length))".utf8)
      case .unstated, nil: break
      }
      lines.append(property.content)
    }
  }

  /// RFC 5545 3.3.10: UNTIL is in UTC if the start has a zone.
  private func text(_ rule: Rule) -> String {
    rule.parts.map { name, value in
      guard name == "UNTIL", case .local(let civil) = rule.until, let start = event.start else {
        return "\(name)=\(value)"
      }
      if start.isDate { return "UNTIL=\(TimeLine.text(civil.date))" }
      guard let zone = start.zone else { return "UNTIL=\(value)" }
      return "UNTIL=\(TimeLine.text(zone.instant(of: civil).utc))Z"
    }.joined(separator: ";")
  }

  private func text(_ moment: Instant?) -> String? {
    moment.map { TimeLine.text($0.utc) + "Z" }
  }

  // MARK: Alarms

  private mutating func addAlarm(_ property: PropertyLine, _ line: [UInt8], start: [UInt8]?) {
    let start = start.flatMap { value in
      value.withUnsafeBufferPointer { TimeText($0.trimmed) }
    }
    let value = line.decodedText ?? property.value
    let parsed = value.withUnsafeBufferPointer { VCalendarAlarm($0, start: start) }
    guard let parsed else { return keep(line) }
    let action = Array(property.name.utf8).withUnsafeBufferPointer {
      VCalendarAlarm.action(ofProperty: $0)
    }
    let alarm = parsed.alarm(action: action)
    var text = ["BEGIN:VALARM", "ACTION:\(action.uppercased())"]
    switch alarm.trigger {
    case .fromStart(let length): text.append("TRIGGER:\(TimeLine.text(length))")
    case .fromEnd(let length): text.append("TRIGGER;RELATED=END:\(TimeLine.text(length))")
    case .at(let moment):
      text.append("TRIGGER;VALUE=DATE-TIME:\(TimeLine.text(moment.utc))Z")
    }
    if alarm.repetitions > 0, let interval = alarm.interval {
      text += ["DURATION:\(TimeLine.text(interval))", "REPEAT:\(alarm.repetitions)"]
    }
    switch action {
    case "audio", "procedure":
      if let sound = parsed.text { text.append("ATTACH:\(sound.oneLine)") }
    case "email":
      // RFC 5545 3.6.6 requires all three.
      text.append("SUMMARY:\(escaped(event.title))")
      if let address = parsed.address { text.append("ATTENDEE:mailto:\(address.oneLine)") }
      text.append("DESCRIPTION:\(escaped(alarm.description ?? ""))")
    default: text.append("DESCRIPTION:\(escaped(alarm.description ?? ""))")
    }
    alarms += (text + ["END:VALARM"]).map { Array($0.utf8) }
  }

  // MARK: People

  private mutating func addAttendee(_ property: PropertyLine, _ line: [UInt8]) {
    var property = property
    if let decoded = line.decodedText { property.value = decoded }
    let person = String(decoding: property.value, as: UTF8.self).oneLine.trimmed
    let role = property["ROLE"]?.uppercased()
    let status = property["STATUS"]
    var converted = PropertyLine(
      name: role == "ORGANIZER" && written.insert("ORGANIZER").inserted ? "ORGANIZER" : "ATTENDEE",
      value: person)
    if let name = property["CN"] { converted["CN"] = name }
    if let (name, address) = Self.namedAddress(person) {
      if !name.isEmpty, property["CN"] == nil { converted["CN"] = name }
      converted.value = Array("mailto:\(address)".utf8)
    } else if let address = PersonAddress.mail(value: person, email: nil) {
      converted.value = Array("mailto:\(address)".utf8)
    }
    if converted.name == "ATTENDEE" {
      if let role { converted["ROLE"] = DetailValue.role(role) }
      if let status {
        converted["PARTSTAT"] = Array(status.utf8).withUnsafeBufferPointer {
          DetailValue.participation(ofStatus: $0)
        }.uppercased()
      }
      if let answer = property["RSVP"]?.uppercased() {
        converted["RSVP"] = ["YES", "TRUE"].contains(answer) ? "TRUE" : "FALSE"
      }
      if let expected = property["EXPECT"] { converted["X-EXPECT"] = expected }
    }
    lines.append(converted.content)
  }

  /// `Bo Baker <bo@example.com>`
  private static func namedAddress(_ text: String) -> (name: String, address: String)? {
    guard text.hasSuffix(">"), let open = text.lastIndex(of: "<") else { return nil }
    let address = String(text[text.index(after: open)...].dropLast()).trimmed
    guard address.contains("@") else { return nil }
    return (String(text[..<open]).trimmed, address)
  }

  // MARK: Texts

  private func escaped(_ text: String) -> String {
    String(decoding: PropertyValue.escaped(text), as: UTF8.self)
  }

  private func list(_ texts: [String]) -> String { texts.map(escaped).joined(separator: ",") }

  private mutating func addResources(_ property: PropertyLine, _ line: [UInt8]) {
    let value = line.decodedText ?? property.value
    let texts = value.withUnsafeBufferPointer {
      PropertyValue.list($0, separator: UInt8(ascii: ";"))
    }
    lines.append(Array("RESOURCES:\(list(texts))".utf8))
  }

  private mutating func addAttachment(_ property: PropertyLine, _ line: [UInt8]) {
    var converted = property
    converted.keepParameters { !["ENCODING", "VALUE", "TYPE", "CHARSET"].contains($0) }
    if let type = property["TYPE"] { converted["X-TYPE"] = type }
    let isInline = line.withUnsafeBufferPointer { line in
      ContentView(line, nameEnd: PropertyName.scan(line, from: 0, to: line.count).nameEnd).isBase64
    }
    if isInline {
      converted["ENCODING"] = "BASE64"
      converted["VALUE"] = "BINARY"
      converted.value.removeAll { $0 <= UInt8(ascii: " ") }
    } else if let decoded = line.decodedText {
      converted.value = Array(String(decoding: decoded, as: UTF8.self).oneLine.utf8)
    }
    lines.append(converted.content)
  }

  private mutating func addOther(_ property: PropertyLine, _ line: [UInt8]) {
    guard let decoded = line.decodedText else {
      guard property["CHARSET"] != nil || property["ENCODING"] != nil else {
        return lines.append(line)
      }
      var plain = property
      plain.keepParameters { $0 != "CHARSET" && $0 != "ENCODING" }
      return lines.append(plain.content)
    }
    var converted = property
    converted.keepParameters { $0 != "CHARSET" && $0 != "ENCODING" }
    // Escapes within encoded text mean the same as in plain text.
    let text = decoded.withUnsafeBufferPointer { PropertyValue.text($0) }
    converted.value =
      property.name == "URL" ? Array(text.oneLine.utf8) : PropertyValue.escaped(text)
    lines.append(converted.content)
  }
}

extension Event {
  fileprivate var allTimes: [EventTime] {
    var times = [start, due, identity.recurrenceID].compactMap(\.self)
    if case .end(let end) = extent { times.append(end) }
    for date in recurrence?.dates ?? [] {
      times.append(date.start)
      if case .end(let end)? = date.extent { times.append(end) }
    }
    return times + (recurrence?.exceptionDates ?? [])
  }
}

extension String {
  /// Without line breaks and other control characters.
  fileprivate var oneLine: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
  }
}
