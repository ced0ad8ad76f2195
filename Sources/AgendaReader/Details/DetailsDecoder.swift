internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// Reads the details of one component: what is written as it should be by our own code, what that
/// does not understand by libical.
struct DetailsDecoder {
  private(set) var details = EventDetails()
  private(set) var findings: [Finding] = []
  private let bytes: Bytes
  private let room: UnfoldingRoom
  private let kind: ComponentKind
  /// Whether the bytes of attachments are judged, which nothing but a check of all needs.
  private let isThorough: Bool
  private let stub: ComponentStub
  private var uid: String?
  private var alarms: [Int: AlarmParts] = [:]

  /// What was read of a VALARM until its end.
  private struct AlarmParts {
    var action = "display"
    var trigger: Alarm.Trigger?
    var repetitions = 0
    var interval: EventDuration?
    var description: String?
  }

  init(
    _ stub: ComponentStub, of bytes: Bytes, _ room: UnfoldingRoom,
    libical: LibicalUse = .whereNeeded, isThorough: Bool = false
  ) {
    self.isThorough = isThorough
    self.bytes = bytes
    self.room = room
    self.stub = stub
    kind = stub.kind
    let texts = DetailTexts(stub, of: bytes, room)
    uid = texts.uid
    details.description = texts.description
    let text = DetailsText(stub.range, line: Int(stub.line), of: bytes, room)
    if !text.properties.isEmpty { parse(text, libical) }
    if text.omittedCount > 0 {
      report(
        .error, line: Int(stub.line), nil,
        message: "\(text.omittedCount) of its properties and alarms are too long or too many",
        action: "left out of the details")
    }
    if details.conference == nil {
      details.conference =
        ConferenceLink.find(in: texts.location) ?? ConferenceLink.find(in: details.description)
    }
  }

  private mutating func parse(_ text: DetailsText, _ libical: LibicalUse) {
    var doubtful: [Int] = []
    for (number, property) in text.properties.enumerated() {
      let value = DetailValue(property.name, room.view(property.slot, of: bytes))
      guard libical != .always, let value, take(property, value) else {
        doubtful.append(number)
        continue
      }
    }
    let found = libical == .never || doubtful.isEmpty ? [:] : libicalValues(doubtful, text)
    for number in doubtful {
      let property = text.properties[number]
      if let value = found[number], take(property, value) { continue }
      // What is wrong with these two the first pass has said.
      guard property.name != .stamp, property.name != .lastModified else { continue }
      report(property, action: "left out of the details")
    }
    for number in alarms.keys.sorted() {
      // Apple writes an alarm with the action NONE for an event that shall have none.
      guard let parts = alarms[number], let trigger = parts.trigger, parts.action != "none" else {
        continue
      }
      details.alarms.append(
        Alarm(
          action: parts.action, trigger: trigger, repetitions: parts.repetitions,
          interval: parts.interval, description: parts.description))
    }
  }

  /// The properties that libical understood, by their numbers; none where it is not installed.
  private func libicalValues(_ numbers: [Int], _ text: DetailsText) -> [Int: DetailValue] {
    guard let library = LibicalLibrary.loaded else { return [:] }
    let written = text.libicalText(numbers, of: bytes, room)
    return LibicalLibrary.lock.withLock { _ in
      Self.values(written, text.properties.count, library)
    }
  }

  private static func values(
    _ text: [UInt8], _ count: Int, _ library: LibicalLibrary
  ) -> [Int: DetailValue] {
    var values: [Int: DetailValue] = [:]
    guard let component = LibicalComponent(text, library) else { return values }
    func take(_ property: borrowing LibicalProperty) {
      guard !property.isError,
        let number = property.parameter(DetailsText.marker).flatMap({ Int($0) }),
        (0..<count).contains(number), let value = DetailValue(property)
      else { return }
      values[number] = value
    }
    component.forEachProperty(take)
    component.forEachComponent { properties in properties(take) }
    return values
  }
}

// MARK: Findings

extension DetailsDecoder {
  private mutating func report(
    _ severity: Finding.Severity, line: Int, _ property: DetailsText.Property?,
    place: Range<Int>? = nil, message: String, action: String
  ) {
    findings.append(
      Finding(
        severity: severity, line: line, place: place,
        component: property?.alarm != nil ? "VALARM" : kind.name, uid: uid,
        property: property?.name.propertyName, message: message, action: action))
  }

  private mutating func report(
    _ property: DetailsText.Property, _ fault: String = "is not understood", action: String
  ) {
    let view = room.view(property.slot, of: bytes)
    let quoted = view.value.quoted
    let place = UnfoldingRoom.place(
      of: view.valueRange, line: property.slot.line, in: bytes)
    report(
      .warning, line: place.line, property, place: place.place,
      message: "\(quoted) \(fault)", action: action)
  }
}

// MARK: Values

extension DetailsDecoder {
  /// Takes what a property says into the details; whether it says something.
  private mutating func take(_ property: DetailsText.Property, _ value: DetailValue) -> Bool {
    let text = value.text
    switch property.name {
    case .attendee: takeAttendee(value)
    case .organizer: details.organizer = Self.person(value)
    case .attachment, .image: takeAttachment(property, value)
    case .conference, .vendorConference:
      if details.conference == nil { details.conference = Self.plain(text) }
    case .coordinates:
      // libical makes 0 of a half without digits.
      guard let geo = value.coordinates, Self.hasTwoNumbers(room.view(property.slot, of: bytes)),
        let coordinates = Coordinates(latitude: geo.latitude, longitude: geo.longitude)
      else { return false }
      details.coordinates = coordinates
    case .appleLocation:
      if details.coordinates == nil { details.coordinates = Self.coordinates(ofURI: text) }
    case .url: if details.url == nil { details.url = Self.plain(text) }
    case .classification: details.classification = text.lowercased()
    case .priority:
      guard let number = Self.number(property, room, bytes), 0...9 ~= number else { return false }
      details.priority = number == 0 ? nil : number
    case .percentComplete:
      guard let number = Self.number(property, room, bytes), 0...100 ~= number else { return false }
      details.percentComplete = number
    case .created, .lastModified, .stamp, .completed: return takeInstant(property)
    case .action: alarm(property) { $0.action = text.lowercased() }
    case .trigger: return takeTrigger(property, value)
    case .repetitions:
      guard let number = Self.number(property, room, bytes), number >= 0 else { return false }
      alarm(property) { $0.repetitions = min(number, 1000) }
    case .interval:
      guard let interval = DurationText(room.view(property.slot, of: bytes).value.trimmed) else {
        return false
      }
      alarm(property) { $0.interval = interval.duration }
    case .alarmDescription:
      let description = room.text(property.slot, of: bytes).trimmed
      alarm(property) { $0.description = description }
    }
    return true
  }

  private mutating func alarm(
    _ property: DetailsText.Property, _ change: (inout AlarmParts) -> Void
  ) {
    guard let number = property.alarm else { return }
    change(&alarms[number, default: AlarmParts()])
  }

  private mutating func takeAttendee(_ value: DetailValue) {
    details.attendees.append(
      Attendee(
        person: Self.person(value),
        participation: value.participation?.lowercased() ?? "needs-action",
        role: value.role?.lowercased() ?? "req-participant"))
  }

  private static func person(_ value: DetailValue) -> Person {
    let address = value.text.trimmed
    let mailto = "mailto:"
    var email = value.email
    if address.lowercased().hasPrefix(mailto) {
      email = String(address.dropFirst(mailto.count)).trimmed
    } else if email == nil, address.contains("@"), !address.contains(":") {
      email = address
    }
    let name = value.name?.trimmed
    return Person(
      name: name?.isEmpty ?? true ? nil : name, email: email?.isEmpty ?? true ? nil : email)
  }

  private mutating func takeAttachment(_ property: DetailsText.Property, _ value: DetailValue) {
    if isThorough, property.byteCount != nil { judgeBytes(of: property) }
    details.attachments.append(
      Attachment(
        number: property.attachmentNumber, mediaType: value.mediaType?.lowercased(),
        byteCount: property.byteCount,
        uri: property.byteCount == nil ? Self.plain(value.text) : nil, name: value.fileName,
        isImage: property.name == .image))
  }

  private mutating func judgeBytes(of property: DetailsText.Property) {
    let view = room.view(property.slot, of: bytes)
    guard let fault = Base64.fault(in: view.value) else { return }
    let start = view.valueRange.lowerBound + fault
    let place = UnfoldingRoom.place(of: start..<start + 1, line: property.slot.line, in: bytes)
    report(
      .warning, line: place.line, property, place: place.place,
      message: "its bytes are no whole BASE64 here", action: "read without what is none")
  }

  /// A value that is no TEXT, though some producers escape it as if it were.
  private static func plain(_ text: String) -> String? {
    let plain = Array(text.utf8).withUnsafeBufferPointer { PropertyText.text($0) }.trimmed
    return plain.isEmpty ? nil : plain
  }

  private static func hasTwoNumbers(_ view: ContentView) -> Bool {
    let halves = view.value.split(separator: 0x3B, omittingEmptySubsequences: false)
    return halves.count == 2 && halves.allSatisfy { $0.contains(where: \.isDigit) }
  }

  /// `geo:37.33,-122.03`, as Apple's calendar writes the place of an event.
  private static func coordinates(ofURI text: String) -> Coordinates? {
    guard let plain = plain(text), plain.lowercased().hasPrefix("geo:") else { return nil }
    let parts = plain.dropFirst(4).prefix { $0 != ";" }.split(separator: ",")
    guard parts.count >= 2, let latitude = Double(parts[0]), let longitude = Double(parts[1])
    else { return nil }
    return Coordinates(latitude: latitude, longitude: longitude)
  }

  /// libical makes 0 of `high` and wraps what is too large, so numbers are read from the text.
  private static func number(
    _ property: DetailsText.Property, _ room: UnfoldingRoom, _ bytes: Bytes
  ) -> Int? {
    Int(room.view(property.slot, of: bytes).value.trimmed.text)
  }

  private mutating func takeInstant(_ property: DetailsText.Property) -> Bool {
    // libical checks no ranges and makes 2 March of 30 February.
    guard let text = TimeText(room.view(property.slot, of: bytes).value.trimmed) else {
      return false
    }
    let instant = Instant(utc: text.civil)
    switch property.name {
    case .created: details.created = instant
    case .lastModified: details.lastModified = instant
    case .stamp: details.stamp = instant
    default: details.completed = instant
    }
    return true
  }

  private mutating func takeTrigger(_ property: DetailsText.Property, _ value: DetailValue) -> Bool
  {
    let written = room.view(property.slot, of: bytes).value.trimmed
    if let duration = DurationText(written) {
      let isEnd = value.related?.lowercased() == "end"
      alarm(property) {
        $0.trigger = isEnd ? .fromEnd(duration.duration) : .fromStart(duration.duration)
      }
      if duration.isMalformed { report(property, "is malformed", action: "read as meant") }
      return true
    }
    guard let time = TimeText(written), time.hasTime else { return false }
    alarm(property) { $0.trigger = .at(Instant(utc: time.civil)) }
    return true
  }
}
