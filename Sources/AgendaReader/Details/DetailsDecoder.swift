internal import AgendaCore
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// Reads the details of one component line by line. libical makes texts, addresses, URIs, keywords
/// and parameters; times, durations, numbers and coordinates are read by our own code.
struct DetailsDecoder {
  private(set) var details = EventDetails()
  private(set) var findings: [Finding] = []
  /// Whether descriptions without tags have entities, too.
  var hasEntities = false
  /// The attachments that are part of the file.
  private var inlineAttachments: [DetailProperty] = []
  private let bytes: Bytes
  private let room: UnfoldingBuffer
  /// Whether to check the bytes of attachments, which only `check` needs.
  private let isThorough: Bool
  private var kind = ComponentKind.event
  private var line = 0
  private var texts = DetailTexts()
  private var propertyCount = 0
  private var attachmentCount = 0
  /// The number of properties beyond the limits.
  private var omittedCount = 0
  /// In the order of the component.
  private var alarms: [AlarmParts] = []
  /// The alarms of vCalendar 1.0, and DTSTART, from which they count.
  private var oldAlarms: [DetailProperty] = []
  private var startSlot: PropertySlot?

  /// The limits for one component. Real meetings have fewer attendees, and longer lines are not
  /// shown.
  private static let mostProperties = 10_000
  private static let longestLine = 1 << 20

  /// The properties of a VALARM that were read so far.
  private struct AlarmParts {
    var action = "display"
    var trigger: Alarm.Trigger?
    var repetitions = 0
    var interval: EventDuration?
    var description: String?
    var acknowledged: Instant?
  }

  init(of bytes: Bytes, _ room: UnfoldingBuffer, isThorough: Bool = false) {
    self.bytes = bytes
    self.room = room
    self.isThorough = isThorough
  }

  /// Reads a component that only the details use.
  mutating func read(_ stub: ComponentStub) {
    begin(stub)
    var walk = ComponentWalk(stub, of: bytes, room)
    while let (name, line, nameEnd) = walk.next() {
      read(name, line, nameEnd: nameEnd, alarm: walk.alarm)
    }
    finish(omittedAlarms: walk.omittedAlarms)
  }

  /// Begins a component whose lines follow.
  mutating func begin(_ stub: ComponentStub) {
    kind = stub.kind
    line = Int(stub.line)
    details = EventDetails()
    texts = DetailTexts()
    (propertyCount, attachmentCount, omittedCount) = (0, 0, 0)
    if !findings.isEmpty { findings.removeAll() }
    if !inlineAttachments.isEmpty { inlineAttachments.removeAll() }
    if !oldAlarms.isEmpty { oldAlarms.removeAll() }
    startSlot = nil
    if !alarms.isEmpty { alarms.removeAll(keepingCapacity: true) }
  }

  /// Reads a line that `ComponentWalk` returned.
  @inline(__always)
  mutating func read(_ name: PropertyName, _ line: ContentLine, nameEnd: Int, alarm: Int?) {
    if alarm == nil { texts.read(name, line, nameEnd: nameEnd, bytes: bytes) }
    if isThorough, name.isOtherText || name == .resources {
      checkCharset(PropertySlot(line: line, nameEnd: nameEnd), alarm: alarm)
    }
    if name == .start, alarm == nil { startSlot = PropertySlot(line: line, nameEnd: nameEnd) }
    if name.isDetail(inAlarm: alarm != nil) {
      read(
        DetailProperty(
          name: name, slot: PropertySlot(line: line, nameEnd: nameEnd), alarm: alarm))
    }
  }

  private mutating func read(_ property: DetailProperty) {
    let view = room.view(property.slot, of: bytes)
    guard !view.value.trimmed.isEmpty else { return }
    let isInline = property.isAttachment && DetailProperty.isInline(view)
    guard propertyCount < Self.mostProperties, isInline || view.bytes.count < Self.longestLine
    else {
      omittedCount += 1
      return
    }
    propertyCount += 1
    var property = property
    if property.isAttachment {
      attachmentCount += 1
      property.attachmentNumber = attachmentCount
      if isInline {
        property.byteCount = Base64.byteCount(view.value)
        inlineAttachments.append(property)
      }
    }
    // The first pass over the source already reports these two.
    if !take(property, view), property.name != .dateTimeStamp, property.name != .lastModified {
      reportUnread(property)
    }
  }

  /// Whether any alarm or attachment was read.
  var hasContent: Bool { !alarms.isEmpty || !oldAlarms.isEmpty || attachmentCount > 0 }

  /// Is called after the last line.
  mutating func finish(omittedAlarms: Int) {
    omittedCount += omittedAlarms
    if omittedCount > 0 {
      report(.omittedDetails(omittedCount), line: line, nil)
    }
    takeAlarms()
    takeOldAlarms()
    // Neither can have a problem.
    if !isThorough { takeDescriptionAndLink() }
    if !findings.isEmpty, let uid = text(texts.uid) {
      for index in findings.indices { findings[index].uid = uid }
    }
  }

  /// The location as text if it may contain a link. Most locations do not, and are decoded only for
  /// the event.
  private func locationWithLink() -> String? {
    guard let slot = texts.location else { return nil }
    // In quoted-printable a colon may be `=3A`.
    let mayHaveLink = room.view(slot, of: bytes).value.contains { $0 == 0x3A || $0 == 0x3D }
    return mayHaveLink ? ReadableText.withoutEntities(room.text(slot, of: bytes)) : nil
  }

  /// The bytes of an inline attachment, by its number.
  func attachmentBytes(_ number: Int) -> [UInt8]? {
    let attachment = inlineAttachments.first { $0.attachmentNumber == number }
    return attachment.map { room.decodedBase64($0.slot, of: bytes) }
  }

  private mutating func takeAlarms() {
    for parts in alarms {
      // Apple writes an alarm with the action NONE for an event without alarms.
      guard let trigger = parts.trigger, parts.action != "none" else { continue }
      details.alarms.append(
        Alarm(
          action: parts.action, trigger: trigger, repetitions: parts.repetitions,
          interval: parts.interval, description: parts.description,
          acknowledged: parts.acknowledged))
    }
  }

  /// DESCRIPTION as readable text; if it is empty, STYLED-DESCRIPTION or X-ALT-DESC. A link to a
  /// meeting in it or in LOCATION, if no property has one.
  private mutating func takeDescriptionAndLink() {
    let readable =
      readable(texts.description) ?? readable(texts.styledDescription)
      ?? readable(texts.alternativeDescription, isHTML: true)
    details.description = readable?.isEmpty ?? true ? nil : readable
    if details.conference == nil {
      details.conference =
        locationWithLink().flatMap { ConferenceLink.find(in: $0) }
        ?? details.description.flatMap { ConferenceLink.find(in: $0) }
    }
  }

  private func readable(_ slot: PropertySlot?, isHTML: Bool = false) -> String? {
    guard let slot, let text = text(slot) else { return nil }
    let view = room.view(slot, of: bytes)
    let mediaType = view.parameter("FMTTYPE").map { view.bytes.part($0.lowerBound, $0.upperBound) }
    if mediaType?.trimmed.isName("TEXT/PLAIN") == true { return text }
    return ReadableText.plain(
      text, isHTML: mediaType.map { $0.trimmed.isName("TEXT/HTML") } ?? isHTML,
      hasEntities: hasEntities)
  }

  private mutating func takeOldAlarms() {
    for property in oldAlarms {
      let view = room.view(property.slot, of: bytes)
      let action = VCalendarAlarm.action(ofProperty: view.name)
      let start = startSlot.flatMap { slot in
        TimeText(room.view(slot, of: bytes).value.trimmed)
      }
      // The earlier view may be invalid by now.
      let alarm = VCalendarAlarm(room.view(property.slot, of: bytes).value, start: start)
      guard let alarm else {
        reportUnread(property)
        continue
      }
      details.alarms.append(alarm.alarm(action: action))
    }
  }

  private func text(_ slot: PropertySlot?) -> String? {
    guard let slot else { return nil }
    let text = room.text(slot, of: bytes).trimmed
    return text.isEmpty ? nil : text
  }
}

// MARK: Findings

extension DetailsDecoder {
  private mutating func report(
    _ finding: Finding, line: Int, _ property: DetailProperty?, place: Range<Int>? = nil
  ) {
    findings.append(
      finding.at(
        line: line, place: place, component: property?.alarm != nil ? "VALARM" : kind.name,
        property: property?.title))
  }

  /// Reports the value of a property, which `finding` gets.
  private mutating func report(_ property: DetailProperty, _ finding: (String) -> Finding) {
    let view = room.view(property.slot, of: bytes)
    let excerpt = view.value.excerpt
    let place = UnfoldingBuffer.place(
      of: view.valueRange, line: property.slot.line, in: bytes)
    report(finding(excerpt), line: place.line, property, place: place.place)
  }

  private mutating func reportUnread(_ property: DetailProperty) {
    let severity = isZeroYear(property) ? Finding.Severity.note : .warning
    report(property) { .notUnderstood($0, "not shown in the details", severity) }
  }

  /// Google writes `CREATED:00001231T000000Z` into invitations from other programs.
  private func isZeroYear(_ property: DetailProperty) -> Bool {
    property.name == .created
      && room.view(property.slot, of: bytes).value.trimmed.starts(with: "0000".utf8)
  }
}

extension DetailsDecoder {
  private mutating func checkCharset(_ slot: PropertySlot, alarm: Int?) {
    guard let problem = room.charsetProblem(slot, of: bytes) else { return }
    findings.append(
      .charset(problem).at(
        line: slot.line.line, place: 0..<slot.nameLength,
        component: alarm != nil ? "VALARM" : kind.name,
        property: room.nameText(slot, of: bytes).uppercased()))
  }
}

// MARK: Values

extension DetailsDecoder {
  /// Stores the value of a property in the details. Returns whether it is valid.
  private mutating func take(_ property: DetailProperty, _ view: ContentView) -> Bool {
    let value = view.value.trimmed
    switch property.name {
    case .priority:
      guard let number = Int(value.text), 0...9 ~= number else { return false }
      details.priority = number == 0 ? nil : number
    case .percentComplete:
      guard let number = Int(value.text), 0...100 ~= number else { return false }
      details.percentComplete = number
    case .created, .lastModified, .dateTimeStamp, .completed:
      guard let text = TimeText(value) else { return false }
      take(Instant(utc: text.civil), property.name)
    case .acknowledged:
      guard let text = TimeText(value) else { return false }
      alarm(property) { $0.acknowledged = Instant(utc: text.civil) }
    case .alarmsAcknowledged:
      guard let text = TimeText(value) else { return false }
      details.alarmsAcknowledged = Instant(utc: text.civil)
    case .coordinates:
      guard let coordinates = CoordinatesText.value(value) else {
        return takeMalformedCoordinates(property, value)
      }
      details.coordinates = coordinates
    case .oldAlarm: oldAlarms.append(property)
    case .trigger: return takeTrigger(property, view)
    case .repetitions:
      guard let number = Int(value.text), number >= 0 else { return false }
      alarm(property) { $0.repetitions = min(number, 1000) }
    case .duration:
      guard let interval = DurationText(value) else { return false }
      alarm(property) { $0.interval = interval.duration }
    case .description:
      let description = room.text(property.slot, of: bytes).trimmed
      alarm(property) { $0.description = description }
    default:
      var value = DetailValue(property.name, view, isInline: property.byteCount != nil)
      if value.isQuotedPrintable, let decoded = room.decodedText(property.slot, of: bytes) {
        value.decode(decoded, property.name)
      }
      take(property, value)
    }
    return true
  }

  /// Stores a value that libical made.
  private mutating func take(_ property: DetailProperty, _ value: DetailValue) {
    let text = value.text
    switch property.name {
    case .attendee: takeAttendee(value)
    case .organizer: details.organizer = Self.person(value)
    case .attachment, .image: takeAttachment(property, value)
    case .conference, .vendorConference:
      if details.conference == nil { details.conference = Self.unescaped(text) }
    case .appleLocation:
      if details.coordinates == nil {
        details.coordinates = Self.unescaped(text).flatMap(CoordinatesText.uri)
      }
    case .url: if details.url == nil { details.url = Self.unescaped(text) }
    case .classification: details.classification = text.lowercased()
    case .action: alarm(property) { $0.action = text.lowercased() }
    default: break
    }
  }

  private mutating func alarm(
    _ property: DetailProperty, _ change: (inout AlarmParts) -> Void
  ) {
    guard let number = property.alarm else { return }
    while alarms.count <= number { alarms.append(AlarmParts()) }
    change(&alarms[number])
  }

  private mutating func takeAttendee(_ value: DetailValue) {
    // vCalendar 1.0 has no ORGANIZER.
    if details.organizer == nil, value.role?.lowercased() == "organizer" {
      details.organizer = Self.person(value)
      return
    }
    details.attendees.append(
      Attendee(
        person: Self.person(value),
        participation: value.participation?.lowercased() ?? "needs-action",
        role: value.role?.lowercased() ?? "req-participant"))
  }

  private static func person(_ value: DetailValue) -> Person {
    let address = value.text.trimmed
    let email = PersonAddress.mail(value: address, email: value.email)
    if value.name == nil, let person = namedAddress(address) { return person }
    let name = value.name?.trimmed
    return Person(
      name: name?.isEmpty ?? true ? nil : name, email: email?.isEmpty ?? true ? nil : email)
  }

  /// `Bo Baker <bo@example.com>` of vCalendar 1.0.
  private static func namedAddress(_ text: String) -> Person? {
    guard text.utf8.last == 0x3E, let open = text.lastIndex(of: "<") else { return nil }
    let email = String(text[text.index(after: open)...].dropLast()).trimmed
    guard email.utf8.contains(0x40) else { return nil }
    let name = String(text[..<open]).trimmed
    return Person(name: name.isEmpty ? nil : name, email: email)
  }

  private mutating func takeAttachment(_ property: DetailProperty, _ value: DetailValue) {
    if isThorough, property.byteCount != nil { checkBytes(of: property) }
    details.attachments.append(
      Attachment(
        number: property.attachmentNumber, mediaType: value.mediaType?.lowercased(),
        byteCount: property.byteCount,
        uri: property.byteCount == nil ? Self.unescaped(value.text) : nil, name: value.fileName,
        isImage: property.name == .image,
        hasKnownDisplay: property.name != .image || value.hasKnownDisplay))
  }

  private mutating func checkBytes(of property: DetailProperty) {
    let view = room.view(property.slot, of: bytes)
    guard let fault = Base64.fault(in: view.value) else { return }
    let start = view.valueRange.lowerBound + fault
    let place = UnfoldingBuffer.place(of: start..<start + 1, line: property.slot.line, in: bytes)
    report(.invalidBase64, line: place.line, property, place: place.place)
  }

  /// A URI, which some producers escape as if it were TEXT or HTML.
  private static func unescaped(_ text: String) -> String? {
    var text = text
    if text.utf8.contains(0x5C) { text = text.withUTF8 { PropertyValue.text($0) } }
    // Data is no link.
    if text.dropping("DATA:") == nil { text = ReadableText.withoutEntities(text) }
    text = text.trimmed
    return text.isEmpty ? nil : text
  }

  private mutating func take(_ instant: Instant, _ name: PropertyName) {
    switch name {
    case .created: details.created = instant
    case .lastModified: details.lastModified = instant
    case .dateTimeStamp: details.stamp = instant
    default: details.completed = instant
    }
  }

  private mutating func takeMalformedCoordinates(
    _ property: DetailProperty, _ value: Bytes
  ) -> Bool {
    guard let coordinates = CoordinatesText.malformedValue(value) else { return false }
    details.coordinates = coordinates
    let readAs = "\(coordinates.latitude);\(coordinates.longitude)"
    report(property) { .malformedCoordinates($0, readAs: readAs) }
    return true
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
      if duration.isMalformed {
        report(property) { .malformedDuration($0, readAs: duration.readAs) }
      }
      return true
    }
    guard let time = TimeText(written), time.hasTime else { return false }
    alarm(property) { $0.trigger = .at(Instant(utc: time.civil)) }
    return true
  }
}
