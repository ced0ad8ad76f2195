internal import AgendaCore
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// Decodes and checks the values that place a component: its times, its length, its rules and its
/// version.
///
/// The first pass over a source uses only its findings. When an event is needed, it decodes the
/// same bytes again and keeps the values.
struct PlacementDecoder {
  let bytes: Bytes
  let room = UnfoldingBuffer()
  /// Whether lists of values are kept, or only checked.
  let keepsValues: Bool
  var zones = ZoneNameTable()
  /// The problems of the present component.
  var findings: ComponentFindings
  var knownRules = KnownRules()
  /// The number of the VCALENDAR of the present component.
  private(set) var calendar = 0
  /// The work of the present component's rules, if those that take long are left out, because the rules of
  /// the source take too long.
  var omittedRuleWork = 0
  /// The work of the rules so far. When it is more than a source may have, nothing needs to be measured
  /// exactly.
  var ruleWork = 0
  /// The start of the present component, which a rule of vCalendar 1.0 needs.
  private(set) var startDate: CivilDate?

  init(bytes: Bytes, keepsValues: Bool) {
    self.bytes = bytes
    self.keepsValues = keepsValues
    findings = ComponentFindings(of: bytes)
  }

  /// The placement of the component; `nil` if the component must be rejected. The findings have the
  /// reason.
  mutating func placement(
    of slots: ComponentSlots, kind: ComponentKind, calendar: Int, meaning: CalendarMeaning,
    line: Int
  ) -> Placement? {
    findings.begin(kind, uid: slots.uid)
    let isNeeded = findings.isNeeded
    if keepsValues { findings.isNeeded = false }
    defer { findings.isNeeded = isNeeded }
    self.calendar = calendar
    room.isVersion1 = meaning.isVersion1
    var placement = Placement()
    if let slot = slots.start {
      guard let start = time(slot, failure: .rejected) else { return nil }
      placement.start = start
    }
    if let slot = slots.recurrenceID {
      guard let moment = time(slot, failure: .rejected) else { return nil }
      placement.recurrenceID = moment
      checkZone(ofRecurrenceID: moment, near: placement.start, slot)
      placement.includesFollowing = hasRange(slot)
    }
    if kind == .task, let slot = slots.due {
      placement.due = time(slot, failure: .ignored)
      if placement.start == nil { placement.start = placement.due }
    }
    if placement.start == nil, kind == .event {
      guard meaning.isMessage || isCancelledOccurrence(slots) else {
        findings.report(.missingStart(kind), line: line, missing: "DTSTART")
        return nil
      }
      placement.start = placement.recurrenceID
    }
    startDate = placement.start?.civil.date
    decodeAllDay(slots, &placement)
    if meaning.isAddition, placement.recurrenceID == nil {
      // RFC 5546 3.2.4: it has the UID of the event to which it adds an occurrence.
      placement.recurrenceID = placement.start
    }
    decodeExtent(slots, kind, &placement)
    decodeVersion(slots, &placement)
    decodeRecurrence(slots, &placement)
    checkCharset(slots.summary)
    checkCharset(slots.location)
    if let slot = slots.repeated {
      findings.report(.repeatedProperty, slot)
    }
    return placement
  }

  /// Programs write an override that cancels an occurrence without its DTSTART.
  private func isCancelledOccurrence(_ slots: ComponentSlots) -> Bool {
    guard slots.recurrenceID != nil, let slot = slots.status else { return false }
    let status = room.view(slot, of: bytes).value.trimmed
    return status.isName("CANCELLED") || status.isName("CANCELED")
  }

  private mutating func checkCharset(_ slot: PropertySlot?) {
    guard let slot, let problem = room.charsetProblem(slot, of: bytes) else { return }
    findings.report(.charset(problem), slot)
  }

  /// Outlook writes whole days as midnights and marks them with a property of Microsoft's.
  private mutating func decodeAllDay(_ slots: ComponentSlots, _ placement: inout Placement) {
    guard let start = placement.start else { return }
    if start.isDate {
      if let slot = slots.start, slots.hasRecurrence {
        placement.startInZone = zoned(start.civil, slot)
      }
      return
    }
    guard let slot = slots.allDay, start.civil.time == .midnight,
      room.view(slot, of: bytes).value.trimmed.isName("TRUE")
    else { return }
    placement.start = start.dateOnly
    placement.startInZone = start
  }
}

// MARK: Version

extension PlacementDecoder {
  private mutating func decodeVersion(_ slots: ComponentSlots, _ placement: inout Placement) {
    if let slot = slots.sequence {
      let view = room.view(slot, of: bytes)
      let value = view.value.trimmed
      // RFC 5545 3.3.8 allows a plus sign.
      let digits = value.first == UInt8(ascii: "+") ? value.part(1, value.count) : value
      if let number = Self.number(digits) {
        placement.sequence = number
      } else {
        let isNegative =
          value.first == UInt8(ascii: "-") && Self.number(value.part(1, value.count)) != nil
        findings.report(
          .invalidSequence(value.excerpt, isNegative: isNegative), slot, view.valueRange)
      }
    }
    if let slot = slots.lastModified { placement.modified = stamp(slot) }
    if let slot = slots.stamp {
      let stamp = stamp(slot)
      placement.modified = placement.modified ?? stamp
    }
  }

  private mutating func stamp(_ slot: PropertySlot) -> Instant? {
    let view = room.view(slot, of: bytes)
    let value = view.value.trimmed
    guard let text = TimeText(value) else {
      findings.report(.invalidStamp(value.excerpt), slot, view.valueRange)
      return nil
    }
    return Instant(utc: text.civil)
  }

  /// A decimal number. Some producers write the Unix time, which exceeds the range of INTEGER
  /// (RFC 5545 3.3.8); 18 digits fit into 64 bits.
  private static func number(_ value: Bytes) -> Int? {
    guard !value.isEmpty, value.count <= 18 else { return nil }
    var number = 0
    for byte in value {
      guard byte.isDigit else { return nil }
      number = number * 10 + Int(byte &- 0x30)
    }
    return number
  }
}
