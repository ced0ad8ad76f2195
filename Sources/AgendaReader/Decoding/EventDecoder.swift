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
  /// The zones by their numbers in the table of `placements`; `nil` means floating.
  private var zones: [Zone?] = []
  /// The VCALENDAR of the component that was read last.
  private var calendar: (number: Int, meaning: CalendarMeaning)?

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
    placements.omitsCostlyRules =
      stub.costlyRules > 0 && ordinal >= file.firstWithoutCostlyRules
    let calendar = Int(stub.calendar)
    if self.calendar?.number != calendar {
      self.calendar = (calendar, CalendarMeaning(file.calendars[calendar]))
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
      zones.append(file.zones.zone(named: entry.name, inCalendar: entry.calendar))
    }
    let start = placement.start.map { start in
      // The end of an event, or the due time of a task, has the zone if only DTSTART's is unknown.
      let zoneOfEnd = placement.due ?? placement.extent.end
      return eventTime(start, floating: unknownZone(start, near: zoneOfEnd) ?? floating)
    }
    // A date of the series whose zone is unknown is in that of the start.
    func date(_ time: LocalTime) -> EventTime {
      eventTime(time, floating: zone(ofUnknown: time, near: start) ?? floating)
    }
    return Event(
      identity: EventIdentity(
        uid: uid(), recurrenceID: recurrenceID(placement, from: start),
        includesFollowing: placement.includesFollowing),
      kind: stub.kind.eventKind,
      start: start,
      extent: extent(placement.extent, from: start, near: placement.start, floating),
      due: placement.due.map { due in
        eventTime(due, floating: unknownZone(due, near: placement.start) ?? floating)
      },
      recurrence: recurrence(placement, date, floating),
      title: hasTexts ? text(slots.summary) ?? "" : "",
      location: hasTexts ? text(slots.location) : nil,
      status: meaning.isCancellation ? .cancelled : hasTexts ? status() : nil,
      categories: hasTexts ? categories(separator: meaning.isVersion1 ? 0x3B : 0x2C) : [],
      isTransparent: hasTexts && isTransparent(isVersion1: meaning.isVersion1),
      color: hasTexts ? text(slots.color) : nil,
      version: EventVersion(sequence: placement.sequence, modified: placement.modified),
      calendar: file.calendarName(of: calendar),
      reference: EventReference(
        source: file.source, component: file.number(ofComponent: ordinal)))
  }

  private func view(_ slot: PropertySlot) -> ContentView {
    placements.room.view(slot, of: bytes)
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

// MARK: Times

extension EventDecoder {
  /// The zone of the other time of an event if only that of `time` is unknown. Otherwise the length
  /// of the event would depend on the viewer's zone.
  private func unknownZone(_ time: LocalTime, near other: LocalTime?) -> Zone? {
    guard time.form == .zoned, zone(of: time) == nil, let other else { return nil }
    return other.form == .utc ? .utc : zone(of: other)
  }

  private func zone(ofUnknown time: LocalTime, near start: EventTime?) -> Zone? {
    time.form == .zoned && zone(of: time) == nil ? start?.zone : nil
  }

  /// Without a known zone it stays floating, and means the time on the clocks of the series. What
  /// METHOD:ADD adds has its start as RECURRENCE-ID.
  private func recurrenceID(_ placement: Placement, from start: EventTime?) -> EventTime? {
    slots.recurrenceID == nil && placement.recurrenceID != nil
      ? start : placement.recurrenceID.map { eventTime($0, floating: nil) }
  }

  private func zone(of time: LocalTime) -> Zone? {
    let number = Int(time.zone)
    return time.form == .zoned && zones.indices.contains(number) ? zones[number] : nil
  }

  private func eventTime(_ time: LocalTime, floating: Zone?) -> EventTime {
    switch time.form {
    case .date: return .date(time.civil.date)
    case .utc: return .utc(time.civil)
    case .floating, .zoned:
      // A time whose TZID is unknown is floating.
      return (zone(of: time) ?? floating).map { Self.zoned(time.civil, $0) }
        ?? .floating(time.civil)
    }
  }

  private static func zoned(_ civil: CivilDateTime, _ zone: Zone) -> EventTime {
    zone === Zone.utc ? .utc(civil) : .zoned(civil, zone)
  }

  private func extent(
    _ extent: LocalExtent, from start: EventTime?, near written: LocalTime?, _ floating: Zone?
  ) -> Extent {
    switch extent {
    case .unstated: return .unstated
    case .duration(let duration): return .duration(duration)
    case .end(let end):
      let end = eventTime(end, floating: unknownZone(end, near: written) ?? floating)
      // With two zones, an end can be before its start although the local times do not show it. For
      // a floating time, this depends on the viewer.
      if let start, let zone = start.zone, let endZone = end.zone, zone != endZone,
        end.instant(for: endZone) < start.instant(for: zone)
      {
        return .unstated
      }
      return .end(end)
    }
  }

  private func recurrence(
    _ placement: Placement, _ time: (LocalTime) -> EventTime, _ floating: Zone?
  ) -> Event.Recurrence? {
    // An EXDATE can remove the only date of an event.
    guard placement.isRecurring || !placement.exceptionDates.isEmpty else { return nil }
    return Event.Recurrence(
      rules: placement.rules, exceptionRules: placement.exceptionRules,
      dates: placement.dates.map { date in
        let start = time(date.start)
        return RecurrenceDate(
          start: start,
          extent: date.extent.map {
            extent($0, from: start, near: date.start, start.zone ?? floating)
          })
      },
      exceptionDates: placement.exceptionDates.map(time))
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
      text = String(decoding: text.utf8.prefix(Self.longestText), as: UTF8.self)
    }
    return text.isEmpty ? nil : text
  }

  private func categories(separator: UInt8) -> [String] {
    slots.categories.flatMap { placements.room.list($0, of: bytes, separator: separator) }
  }

  private func status() -> Event.Status? {
    guard let slot = slots.status else { return nil }
    let keyword = PropertyValue.string(view(slot).value, .status).lowercased()
    if let status = Event.Status(rawValue: keyword) { return status }
    // `NEEDS ACTION` of vCalendar 1.0, `needs_action` and the like.
    let value = view(slot).value.trimmed.text.lowercased()
      .split { !$0.isLetter }.joined(separator: "-")
    return Event.Status(rawValue: value) ?? (value == "canceled" ? .cancelled : nil)
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
