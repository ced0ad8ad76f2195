internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// Reads the details of one component, line by line: what is written as it should be by our own code,
/// what that does not understand by libical.
struct DetailsDecoder {
  private(set) var details = EventDetails()
  private(set) var findings: [Finding] = []
  /// The attachments that stand in the file.
  private var inlineAttachments: [DetailProperty] = []
  private let bytes: Bytes
  private let room: UnfoldingRoom
  private let libical: LibicalUse
  /// Whether the bytes of attachments are judged, which nothing but a check of all needs.
  private let isThorough: Bool
  private var kind = ComponentKind.event
  private var line = 0
  private var texts = DetailTexts()
  private var propertyCount = 0
  private var attachmentCount = 0
  /// Properties beyond the most that are taken.
  private var omittedCount = 0
  /// What our own code does not understand.
  private var doubtful: [DetailProperty] = []
  /// By their ordinals.
  private var alarms: [AlarmParts] = []

  /// Neither a meeting with more attendees nor a longer one of its lines is shown whole.
  private static let mostProperties = 10_000
  private static let longestLine = 1 << 20

  /// What was read of a VALARM until its end.
  private struct AlarmParts {
    var action = "display"
    var trigger: Alarm.Trigger?
    var repetitions = 0
    var interval: EventDuration?
    var description: String?
  }

  init(
    of bytes: Bytes, _ room: UnfoldingRoom, libical: LibicalUse = .whereNeeded,
    isThorough: Bool = false
  ) {
    self.bytes = bytes
    self.room = room
    self.libical = libical
    self.isThorough = isThorough
  }

  /// Reads a component, whose lines nobody else reads.
  mutating func read(_ stub: ComponentStub) {
    begin(stub)
    var walk = ComponentWalk(stub, of: bytes, room)
    while let (name, line, nameEnd) = walk.next() {
      read(name, line, nameEnd: nameEnd, alarm: walk.alarm)
    }
    finish(omittedAlarms: walk.omittedAlarms)
  }

  /// Begins a component, whose lines follow.
  mutating func begin(_ stub: ComponentStub) {
    kind = stub.kind
    line = Int(stub.line)
    details = EventDetails()
    texts = DetailTexts()
    (propertyCount, attachmentCount, omittedCount) = (0, 0, 0)
    if !findings.isEmpty { findings.removeAll() }
    if !inlineAttachments.isEmpty { inlineAttachments.removeAll() }
    if !doubtful.isEmpty { doubtful.removeAll() }
    if !alarms.isEmpty { alarms.removeAll(keepingCapacity: true) }
  }

  /// Reads a line that `ComponentWalk` gave.
  @inline(__always)
  mutating func read(_ name: PropertyName, _ line: ContentLine, nameEnd: Int, alarm: Int?) {
    if alarm == nil { texts.read(name, line, nameEnd: nameEnd) }
    if let name = DetailName(name, isInAlarm: alarm != nil) {
      read(
        DetailProperty(
          name: name, slot: PropertySlot(line: line, nameEnd: nameEnd), alarm: alarm))
    }
  }

  private mutating func read(_ property: DetailProperty) {
    let view = room.view(property.slot, of: bytes)
    guard !view.value.trimmed.isEmpty else { return }
    let isInline = property.name.isAttachment && DetailProperty.isInline(view)
    guard propertyCount < Self.mostProperties, isInline || view.bytes.count < Self.longestLine
    else {
      omittedCount += 1
      return
    }
    propertyCount += 1
    var property = property
    if property.name.isAttachment {
      attachmentCount += 1
      property.attachmentNumber = attachmentCount
      if isInline {
        property.byteCount = Base64.byteCount(view.value)
        inlineAttachments.append(property)
      }
    }
    if libical == .always || !take(property, view) { doubtful.append(property) }
  }

  /// After the last line.
  mutating func finish(omittedAlarms: Int) {
    omittedCount += omittedAlarms
    readDoubtful()
    if omittedCount > 0 {
      report(
        .error, line: line, nil,
        message: "\(omittedCount) of its properties and alarms are too long or too many",
        action: "left out of the details")
    }
    takeAlarms()
    takeDescription()
    if details.conference == nil {
      details.conference =
        texts.location.flatMap { ConferenceLink.find(in: room.text($0, of: bytes)) }
        ?? details.description.flatMap { ConferenceLink.find(in: $0) }
    }
    if !findings.isEmpty, let uid = text(texts.uid) {
      for index in findings.indices { findings[index].uid = uid }
    }
  }

  /// The bytes of an attachment that stands in the file, by its number.
  func attachmentBytes(_ number: Int) -> [UInt8]? {
    let attachment = inlineAttachments.first { $0.attachmentNumber == number }
    return attachment.map { room.decodedBase64($0.slot, of: bytes) }
  }

  private mutating func readDoubtful() {
    guard !doubtful.isEmpty else { return }
    let found = libical == .never ? [:] : libicalValues(of: doubtful)
    for (number, property) in doubtful.enumerated() {
      let view = room.view(property.slot, of: bytes)
      if let value = found[number], take(property, value, view) { continue }
      // What is wrong with these two the first pass has said.
      guard property.name != .stamp, property.name != .lastModified else { continue }
      report(property, action: "left out of the details")
    }
  }

  private mutating func takeAlarms() {
    for parts in alarms {
      // Apple writes an alarm with the action NONE for an event that shall have none.
      guard let trigger = parts.trigger, parts.action != "none" else { continue }
      details.alarms.append(
        Alarm(
          action: parts.action, trigger: trigger, repetitions: parts.repetitions,
          interval: parts.interval, description: parts.description))
    }
  }

  /// DESCRIPTION as readable text; where it says nothing, STYLED-DESCRIPTION or X-ALT-DESC.
  private mutating func takeDescription() {
    let written =
      text(texts.description) ?? text(texts.styledDescription)
      ?? text(texts.alternativeDescription)
    let readable = written.map(ReadableText.plain)
    details.description = readable?.isEmpty ?? true ? nil : readable
  }

  private func text(_ slot: PropertySlot?) -> String? {
    guard let slot else { return nil }
    let text = room.text(slot, of: bytes).trimmed
    return text.isEmpty ? nil : text
  }

  /// What libical understood of properties, by their places in the list; nothing where it is not
  /// installed.
  private func libicalValues(of properties: [DetailProperty]) -> [Int: DetailValue] {
    guard let library = LibicalLibrary.loaded else { return [:] }
    let written = LibicalText.text(of: properties, in: bytes, room)
    return LibicalLibrary.lock.withLock { _ in
      Self.values(written, properties.count, library)
    }
  }

  private static func values(
    _ text: [UInt8], _ count: Int, _ library: LibicalLibrary
  ) -> [Int: DetailValue] {
    var values: [Int: DetailValue] = [:]
    guard let component = LibicalComponent(text, library) else { return values }
    func take(_ property: borrowing LibicalProperty) {
      guard !property.isError,
        let number = property.parameter(LibicalText.marker).flatMap({ Int($0) }),
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
    _ severity: Finding.Severity, line: Int, _ property: DetailProperty?,
    place: Range<Int>? = nil, message: String, action: String
  ) {
    findings.append(
      Finding(
        severity: severity, line: line, place: place,
        component: property?.alarm != nil ? "VALARM" : kind.name,
        property: property?.name.propertyName, message: message, action: action))
  }

  private mutating func report(
    _ property: DetailProperty, _ fault: String = "is not understood", action: String
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
  /// Takes what a property says into the details, read by our own code; whether it says something.
  private mutating func take(_ property: DetailProperty, _ view: ContentView) -> Bool {
    let value = view.value.trimmed
    switch property.name {
    case .priority:
      guard let number = Int(value.text), 0...9 ~= number else { return false }
      details.priority = number == 0 ? nil : number
    case .percentComplete:
      guard let number = Int(value.text), 0...100 ~= number else { return false }
      details.percentComplete = number
    case .created, .lastModified, .stamp, .completed:
      guard let text = TimeText(value) else { return false }
      take(Instant(utc: text.civil), property.name)
    case .trigger: return takeTrigger(property, view)
    case .repetitions:
      guard let number = Int(value.text), number >= 0 else { return false }
      alarm(property) { $0.repetitions = min(number, 1000) }
    case .interval:
      guard let interval = DurationText(value) else { return false }
      alarm(property) { $0.interval = interval.duration }
    case .alarmDescription:
      let description = room.text(property.slot, of: bytes).trimmed
      alarm(property) { $0.description = description }
    default:
      guard let value = DetailValue(property.name, view) else { return false }
      return take(property, value, view)
    }
    return true
  }

  /// The same for what `value` says, our own code or libical having read it. Numbers and times are
  /// always read from the text: libical makes 0 of `high` and 2 March of 30 February.
  private mutating func take(
    _ property: DetailProperty, _ value: DetailValue, _ view: ContentView
  ) -> Bool {
    let text = value.text
    switch property.name {
    case .attendee: takeAttendee(value)
    case .organizer: details.organizer = Self.person(value)
    case .attachment, .image: takeAttachment(property, value)
    case .conference, .vendorConference:
      if details.conference == nil { details.conference = Self.plain(text) }
    case .coordinates:
      // libical makes 0 of a half without digits.
      guard let geo = value.coordinates, Self.hasTwoNumbers(view),
        let coordinates = Coordinates(latitude: geo.latitude, longitude: geo.longitude)
      else { return false }
      details.coordinates = coordinates
    case .appleLocation:
      if details.coordinates == nil { details.coordinates = Self.coordinates(ofURI: text) }
    case .url: if details.url == nil { details.url = Self.plain(text) }
    case .classification: details.classification = text.lowercased()
    case .action: alarm(property) { $0.action = text.lowercased() }
    default: return take(property, view)
    }
    return true
  }

  private mutating func alarm(
    _ property: DetailProperty, _ change: (inout AlarmParts) -> Void
  ) {
    guard let number = property.alarm else { return }
    while alarms.count <= number { alarms.append(AlarmParts()) }
    change(&alarms[number])
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
    var email = value.email
    if let written = address.dropping("MAILTO:") {
      email = written.trimmed
    } else if email == nil, address.utf8.contains(0x40), !address.utf8.contains(0x3A) {
      email = address
    }
    let name = value.name?.trimmed
    return Person(
      name: name?.isEmpty ?? true ? nil : name, email: email?.isEmpty ?? true ? nil : email)
  }

  private mutating func takeAttachment(_ property: DetailProperty, _ value: DetailValue) {
    if isThorough, property.byteCount != nil { judgeBytes(of: property) }
    details.attachments.append(
      Attachment(
        number: property.attachmentNumber, mediaType: value.mediaType?.lowercased(),
        byteCount: property.byteCount,
        uri: property.byteCount == nil ? Self.plain(value.text) : nil, name: value.fileName,
        isImage: property.name == .image))
  }

  private mutating func judgeBytes(of property: DetailProperty) {
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
    var text = text
    let plain = text.withUTF8 { PropertyText.text($0) }.trimmed
    return plain.isEmpty ? nil : plain
  }

  private static func hasTwoNumbers(_ view: ContentView) -> Bool {
    let halves = view.value.split(separator: 0x3B, omittingEmptySubsequences: false)
    return halves.count == 2 && halves.allSatisfy { $0.contains(where: \.isDigit) }
  }

  /// `geo:37.33,-122.03`, as Apple's calendar writes the place of an event.
  private static func coordinates(ofURI text: String) -> Coordinates? {
    guard let place = plain(text)?.dropping("GEO:") else { return nil }
    let parts = place.prefix { $0 != ";" }.split(separator: ",")
    guard parts.count >= 2, let latitude = Double(parts[0]), let longitude = Double(parts[1])
    else { return nil }
    return Coordinates(latitude: latitude, longitude: longitude)
  }

  private mutating func take(_ instant: Instant, _ name: DetailName) {
    switch name {
    case .created: details.created = instant
    case .lastModified: details.lastModified = instant
    case .stamp: details.stamp = instant
    default: details.completed = instant
    }
  }

  private mutating func takeTrigger(_ property: DetailProperty, _ view: ContentView) -> Bool {
    let written = view.value.trimmed
    if let duration = DurationText(written) {
      let isEnd =
        view.parameter("RELATED").map {
          view.bytes.part($0.lowerBound, $0.upperBound).isName("END")
        } ?? false
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
