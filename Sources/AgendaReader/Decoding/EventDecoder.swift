internal import AgendaCore
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// Makes events from components that the first pass accepted, directly from the bytes of the
/// source. Each thread that makes events has a separate decoder.
struct EventDecoder {
  let file: CalendarFile
  private let bytes: Bytes
  private(set) var slots = ComponentSlots()
  /// The details of the component that was read last, if they are read too.
  private(set) var details: DetailsDecoder
  private let scope: Scope
  var placements: PlacementDecoder
  /// The zones by their numbers in the table of `placements`.
  private var zones = NumberedZones()
  /// The VCALENDAR of the component that was read last.
  private var calendar: (number: Int, meaning: CalendarMeaning)?
  /// The zone of days of that VCALENDAR, once a component needed it.
  private var dayZone: Zone??

  /// A longer title or location is cut. It would not be readable, and every view would have to
  /// store it.
  private static let longestText = 64 << 10

  /// What is decoded of a component.
  enum Scope {
    case event
    case eventAndDetails
    /// The event without its texts, and of the details the alarms and attachments: what an index over
    /// components needs.
    case times
  }

  init(_ file: CalendarFile, _ scope: Scope = .event) {
    self.file = file
    self.scope = scope
    bytes = file.text.bytes.bytes
    placements = PlacementDecoder(bytes: bytes, keepsValues: true)
    details = DetailsDecoder(of: bytes, placements.room)
  }

  /// The event of a component; `nil` only if the component does not exist.
  mutating func event(at ordinal: Int) -> Event? {
    guard file.stubs.indices.contains(ordinal) else { return nil }
    let stub = file.stubs[ordinal]
    placements.omittedCostlyRules =
      ordinal >= file.firstWithoutCostlyRules ? Int(stub.costlyRules) : 0
    let calendar = Int(stub.calendar)
    if self.calendar?.number != calendar {
      self.calendar = (calendar, CalendarMeaning(file.calendars[calendar]))
      dayZone = nil
    }
    guard let meaning = self.calendar?.meaning else { return nil }
    placements.room.isVersion1 = meaning.isVersion1
    details.hasEntities = meaning.hasEntities
    readSlots(stub)
    guard
      let placement = placements.placement(
        of: slots, kind: stub.kind, calendar: calendar, meaning: meaning, line: Int(stub.line))
    else { return nil }
    let hasTexts = scope != .times
    let floating = file.zones.floating(inCalendar: calendar)
    for number in zones.count..<placements.zones.entries.count {
      let entry = placements.zones.entries[number]
      zones.append(
        file.zones.zone(named: entry.name, inCalendar: entry.calendar, of: file))
    }
    let dayZone = dayZone(of: placement, inCalendar: calendar)
    // A copy of this small value: the closures below would copy the whole decoder for each date.
    let zones = zones
    let start = placement.start.map { start in
      // The end of an event, or the due time of a task, has the zone if only DTSTART's is unknown.
      zones.time(start, near: placement.due ?? placement.extent.end, floating: floating)
    }
    var event = Event(
      identity: EventIdentity(
        uid: uid(), recurrenceID: recurrenceID(placement, from: start, zones),
        includesFollowing: placement.includesFollowing),
      kind: stub.kind.eventKind,
      start: start,
      extent: zones.extent(
        placement.extent, from: start, near: placement.start, floating: floating),
      due: placement.due.map { zones.time($0, near: placement.start, floating: floating) },
      recurrence: zones.recurrence(
        placement, from: start, floating: floating, dayZone: dayZone),
      title: hasTexts ? readable(slots.summary) ?? "" : "",
      location: hasTexts ? readable(slots.location) : nil,
      status: meaning.isCancellation
        ? .cancelled : hasTexts ? status(of: stub.kind.eventKind) : nil,
      categories: hasTexts ? categories(separator: meaning.isVersion1 ? 0x3B : 0x2C) : [],
      isTransparent: hasTexts && isTransparent(isVersion1: meaning.isVersion1),
      color: hasTexts ? text(slots.color) : nil,
      version: EventVersion(sequence: placement.sequence, modified: placement.modified),
      calendar: file.calendarName(of: calendar),
      reference: EventReference(
        source: file.source, component: file.number(ofComponent: ordinal)))
    event.dayZone = dayZone
    return event
  }

  /// The zone in which a moment in UTC names a date of a series of whole days; `nil` without one, and for
  /// a component that is not part of a series.
  private mutating func dayZone(of placement: Placement, inCalendar calendar: Int) -> Zone? {
    guard let start = placement.startInZone ?? placement.start,
      placement.recurrenceID != nil || placement.recurs && placement.start?.isDate == true
    else { return nil }
    if let zone = zones.zone(of: start) { return zone }
    if let dayZone { return dayZone }
    let zone =
      file.zones.floating(inCalendar: calendar)
      ?? file.zones.onlyDefined(inCalendar: calendar, of: file)
    dayZone = .some(zone)
    return zone
  }

  /// Without a known zone it stays floating, and means the time on the clocks of the series. What
  /// METHOD:ADD adds has its start as RECURRENCE-ID.
  private func recurrenceID(
    _ placement: Placement, from start: EventTime?, _ zones: NumberedZones
  ) -> EventTime? {
    slots.recurrenceID == nil && placement.recurrenceID != nil
      ? start : placement.recurrenceID.map { zones.time($0, floating: nil) }
  }

  private func view(_ slot: PropertySlot) -> ContentView {
    placements.room.view(slot, of: bytes)
  }

  /// A digest of the UID of a component; without a UID, of its content.
  mutating func uidDigest(of stub: ComponentStub) -> UInt64 {
    placements.room.isVersion1 = file.calendars[Int(stub.calendar)].isVersion1
    readSlots(stub)
    return slots.uidDigest(in: bytes, placements.room)
  }

  mutating func readSlots(_ stub: ComponentStub) {
    slots.removeAll()
    var walk = ComponentWalk(stub, of: bytes, placements.room)
    guard scope != .event else {
      while let (name, line, nameEnd) = walk.next() {
        if walk.alarm == nil { slots.read(name, line, nameEnd: nameEnd, bytes: bytes) }
      }
      return
    }
    details.begin(stub)
    while let (name, line, nameEnd) = walk.next() {
      if walk.alarm == nil { slots.read(name, line, nameEnd: nameEnd, bytes: bytes) }
      if scope == .eventAndDetails || walk.alarm != nil || name.isOfAlarmsOrAttachments {
        details.read(name, line, nameEnd: nameEnd, alarm: walk.alarm)
      }
    }
    if scope == .times, !details.hasContent { return }
    details.finish(omittedAlarms: walk.omittedAlarms)
  }
}

// MARK: Texts

extension EventDecoder {
  private func uid() -> String {
    if let slot = slots.uid {
      let uid = placements.room.text(slot, of: bytes).trimmed
      if !uid.isEmpty { return uid }
    }
    return MadeUID.text(of: slots, in: bytes, placements.room)
  }

  private func text(_ slot: PropertySlot?) -> String? {
    guard let slot else { return nil }
    var text = placements.room.text(slot, of: bytes).trimmed
    if text.utf8.count > Self.longestText {
      var end = text.utf8.index(text.startIndex, offsetBy: Self.longestText)
      // Not within a character (RFC 5545, 5).
      while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
      text = String(text[..<end])
    }
    return text.isEmpty ? nil : text
  }

  private func readable(_ slot: PropertySlot?) -> String? {
    text(slot).map { ReadableText.withoutEntities($0).trimmed }
  }

  private func categories(separator: UInt8) -> [String] {
    slots.categories.flatMap { placements.room.list($0, of: bytes, separator: separator) }
  }

  private func status(of kind: Event.Kind) -> Event.Status? {
    guard let slot = slots.status else { return kind == .task && isDone ? .completed : nil }
    let keyword = PropertyValue.string(view(slot).value, .status).lowercased()
    if let status = Event.Status(rawValue: keyword) { return status }
    // `NEEDS ACTION` of vCalendar 1.0, `needs_action` and the like.
    let value = view(slot).value.trimmed.text.lowercased()
      .split { !$0.isLetter }.joined(separator: "-")
    return Event.Status(rawValue: value) ?? (value == "canceled" ? .cancelled : nil)
  }

  /// Whether there is the time at which a task was done. In a series it can be that of an occurrence.
  private var isDone: Bool {
    guard let slot = slots.completed, slots.rules.isEmpty, slots.dates.isEmpty else {
      return false
    }
    return TimeText(view(slot).value) != nil
  }

  private func isTransparent(isVersion1: Bool) -> Bool {
    guard let slot = slots.transparency else { return false }
    // vCalendar 1.0 numbers how transparent an event is, from 0.
    if isVersion1, let number = Int(view(slot).value.trimmed.text) { return number > 0 }
    // Includes Outlook's TRANSPARENT-NOCONFLICT.
    return PropertyValue.string(view(slot).value, .transparency).dropping("TRANSPARENT") != nil
  }
}

extension PropertyName {
  /// Whether the alarms or attachments of a component need it. Alarms of vCalendar 1.0 count from
  /// DTSTART.
  fileprivate var isOfAlarmsOrAttachments: Bool {
    self == .attachment || self == .image || self == .oldAlarm || self == .start
  }
}
