internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// Decodes and checks what places a component: its times, its length, its rules and its version.
///
/// The first pass over a source asks it for findings and keeps nothing; when an event is wanted it
/// decodes the same bytes again and keeps the values.
struct PlacementDecoder {
  let bytes: Bytes
  let room = UnfoldingRoom()
  /// For what findings say, which are made while a view of `room` is in use.
  private let noteRoom = UnfoldingRoom()
  /// Whether lists of values are kept, or only checked.
  let keepsValues: Bool
  var zones = ZoneNameTable()
  /// Findings of the component at hand, in the order in which they were met.
  var findings: [Finding] = []
  private var knownRules: [UInt64: (bytes: [UInt8], rule: Rule)] = [:]
  private var component = ""
  private var uid: PropertySlot?
  private var calendar = 0

  /// Days by which the day of a moment can differ from what is written, in the most absurd zone.
  private static let zoneMargin: Int32 = 6
  /// Rules without an UNTIL that are remembered, since sources repeat them.
  private static let mostKnownRules = 512
  /// A component with more values than these is not a calendar's.
  static let mostValues = 100_000

  init(bytes: Bytes, keepsValues: Bool) {
    self.bytes = bytes
    self.keepsValues = keepsValues
  }

  /// What the component says of its place; `nil` where it must be rejected, and the findings say
  /// why.
  mutating func placement(
    of slots: ComponentSlots, kind: ComponentKind, calendar: Int, isCancellation: Bool, line: Int
  ) -> Placement? {
    component = kind.name
    uid = slots.uid
    self.calendar = calendar
    var placement = Placement()
    if let slot = slots.start {
      guard let start = time(slot, .start, failure: kind.rejection) else { return nil }
      placement.start = start
    }
    if let slot = slots.recurrenceID {
      guard let moment = time(slot, .recurrenceID, failure: kind.rejection) else { return nil }
      placement.recurrenceID = moment
      placement.includesFollowing = hasRange(slot)
    }
    if kind == .task, let slot = slots.due {
      placement.due = time(slot, .due, failure: "left out")
      if placement.start == nil { placement.start = placement.due }
    }
    if placement.start == nil, kind == .event {
      guard isCancellation else {
        findings.append(
          Finding(
            severity: .error, line: line, component: component, uid: uidText, property: "DTSTART",
            message: "there is none", action: kind.rejection))
        return nil
      }
      placement.start = placement.recurrenceID
    }
    decodeAllDay(slots, &placement)
    decodeExtent(slots, kind, &placement)
    decodeVersion(slots, &placement)
    decodeRecurrence(slots, &placement)
    checkRepeated(slots)
    placement.days = days(of: placement)
    return placement
  }

  var uidText: String? {
    guard let uid else { return nil }
    return noteRoom.text(uid, of: bytes)
  }
}

// MARK: Findings

extension PlacementDecoder {
  /// Notes what is wrong with a part of a property's line, given as a range of the unfolded line.
  @inline(never)
  mutating func report(
    _ severity: Finding.Severity, _ slot: PropertySlot, _ range: Range<Int>? = nil,
    _ message: String, action: String
  ) {
    let name = noteRoom.view(slot, of: bytes).name.text.uppercased()
    let place = UnfoldingRoom.place(
      of: range ?? 0..<slot.nameLength, line: slot.line, in: bytes)
    findings.append(
      Finding(
        severity: severity, line: place.line, place: place.place, component: component,
        uid: uidText, property: name, message: message, action: action))
  }

  /// A value as a message shows it, not longer than a line.
  static func quoted(_ value: Bytes) -> String {
    let longest = 64
    let text = value.part(0, longest).trimmed.text
    return value.count > longest ? text + "…" : text
  }

  private mutating func checkRepeated(_ slots: ComponentSlots) {
    if let slot = slots.repeated {
      report(.warning, slot, nil, "stands more than once", action: "the first one taken")
    }
  }
}

// MARK: Times

extension PlacementDecoder {
  /// The time that a property with one value says; `nil` where it says none, which is reported.
  mutating func time(_ slot: PropertySlot, _ name: PropertyName, failure: String) -> LocalTime? {
    let view = room.view(slot, of: bytes).ofTime
    return time(view, view.valueStart..<view.bytes.count, slot, failure: failure)
  }

  /// The time in a part of a property's value.
  mutating func time(
    _ view: ContentView, _ range: Range<Int>, _ slot: PropertySlot, failure: String
  ) -> LocalTime? {
    let value = view.bytes.part(range.lowerBound, range.upperBound).trimmed
    guard let text = TimeText(value) else {
      let message = "\(Self.quoted(value)) is no date" + (value.count > 8 ? " and time" : "")
      report(
        .error, slot, range,
        value.count > 8 && TimeText(value.part(0, 8)) == nil
          ? "\(Self.quoted(value)) is no date" : message, action: failure)
      return nil
    }
    if let repair = text.repair {
      report(
        .warning, slot, range, "\(Self.quoted(value)) \(repair.message)",
        action: "read as \(text.hasTime ? "\(text.civil)" : "\(text.civil.date)")")
    }
    return time(text, view, range, slot)
  }

  @inline(__always)
  private mutating func time(
    _ text: TimeText, _ view: ContentView, _ range: Range<Int>, _ slot: PropertySlot
  ) -> LocalTime {
    guard text.hasTime else { return LocalTime(civil: text.civil, form: .date) }
    if view.valueStart - view.nameEnd > 1 {
      if view.hasOpenQuote {
        report(.warning, slot, nil, "a quote is not closed", action: "read without it")
      }
      if let type = view.parameter("VALUE"),
        view.bytes.part(type.lowerBound, type.upperBound).isName("DATE")
      {
        if text.civil.time == .midnight {
          report(
            .warning, slot, range, "a time stands in a DATE", action: "read as the date alone")
          return LocalTime(civil: text.civil, form: .date)
        }
        report(.warning, slot, range, "a time stands in a DATE", action: "read as that time")
      }
      if !text.isUTC, let range = view.parameter("TZID") {
        let name = view.bytes.part(range.lowerBound, range.upperBound).trimmed
        if !name.isEmpty { return zoned(text.civil, name, range, slot) }
      }
    }
    return LocalTime(civil: text.civil, form: text.isUTC ? .utc : .floating)
  }

  private mutating func zoned(
    _ civil: CivilDateTime, _ name: Bytes, _ range: Range<Int>, _ slot: PropertySlot
  ) -> LocalTime {
    let (bytes, component) = (bytes, component)
    let uidSlot = uid
    let calendar = calendar
    let number = zones.number(of: name, calendar: calendar) { text in
      // A second room: the name may stand in the first.
      let uid = uidSlot.map { UnfoldingRoom().text($0, of: bytes) }
      let property = UnfoldingRoom().nameText(slot, of: bytes)
      let place = UnfoldingRoom.place(of: range, line: slot.line, in: bytes)
      return ZoneNameTable.Entry(
        name: text, line: place.line, place: place.place, component: component,
        property: property.uppercased(), uid: uid, calendar: calendar, uses: 1)
    }
    return LocalTime(civil: civil, form: .zoned, zone: number)
  }

  private func hasRange(_ slot: PropertySlot) -> Bool {
    let view = room.view(slot, of: bytes)
    guard let range = view.parameter("RANGE") else { return false }
    return view.bytes.part(range.lowerBound, range.upperBound).isName("THISANDFUTURE")
  }

  /// Outlook writes whole days as midnights and says so in a property of its own.
  private func decodeAllDay(_ slots: ComponentSlots, _ placement: inout Placement) {
    guard let slot = slots.allDay, let start = placement.start, !start.isDate,
      start.civil.time == .midnight,
      room.view(slot, of: bytes).value.trimmed.isName("TRUE")
    else { return }
    placement.start = start.dateOnly
  }
}

// MARK: Length

extension PlacementDecoder {
  private mutating func decodeExtent(
    _ slots: ComponentSlots, _ kind: ComponentKind, _ placement: inout Placement
  ) {
    guard let start = placement.start else { return }
    let endSlot = kind == .task ? (slots.start == nil ? nil : slots.due) : slots.finish
    if let slot = endSlot {
      let written =
        kind == .task
        ? placement.due : time(slot, .finish, failure: "left out, as if there were none")
      if slots.duration != nil, let duration = slots.duration {
        report(
          .warning, duration, nil, "stands beside \(kind == .task ? "DUE" : "DTEND")",
          action: "left out")
      }
      if let written { placement.extent = extent(from: start, to: written, slot) }
      return
    }
    guard let slot = slots.duration else { return }
    placement.extent = duration(slot, start)
  }

  private mutating func extent(
    from start: LocalTime, to written: LocalTime, _ slot: PropertySlot
  ) -> LocalExtent {
    var end = written
    if start.isDate, !end.isDate {
      // A moment ends a whole-day event on its date; Outlook's midnights mean just that.
      if end.civil.time != .midnight {
        report(.warning, slot, nil, "is a time, DTSTART a date", action: "read as its date")
      }
      end = end.dateOnly
    } else if end.isDate, !start.isDate {
      report(
        .warning, slot, nil, "is a date, DTSTART a time", action: "read as the start of that date")
      end = end.written(as: start)
    }
    // Without their zones two times can be compared only if they are a day apart, or in the same
    // zone; the rest is for the agenda, which takes a negative length as none.
    let isSameForm = end.form == start.form && end.zone == start.zone
    let reach = isSameForm ? 0 : 26 * 3600
    if end.civil.civilSeconds + reach < start.civil.civilSeconds {
      report(.warning, slot, nil, "is before DTSTART", action: "taken as missing")
      return .unstated
    }
    return start.isDate && end == start ? .unstated : .end(end)
  }

  private mutating func duration(_ slot: PropertySlot, _ start: LocalTime) -> LocalExtent {
    let view = room.view(slot, of: bytes)
    let value = view.value.trimmed
    let range = view.valueStart..<view.bytes.count
    guard let text = DurationText(value) else {
      report(
        .error, slot, range, "\(Self.quoted(value)) is no duration",
        action: "left out, as if there were none")
      return .unstated
    }
    var duration = text.duration
    if text.isMalformed {
      report(.warning, slot, range, "\(Self.quoted(value)) is malformed", action: "read as meant")
    }
    if duration.days < 0 || duration.seconds < 0 {
      report(.warning, slot, range, "\(Self.quoted(value)) is negative", action: "sign ignored")
      duration = EventDuration(days: -duration.days, seconds: -duration.seconds)
    }
    if start.isDate, duration.seconds > 0 {
      let day = TimeOfDay.secondsPerCivilDay
      duration = EventDuration(
        days: duration.days + (duration.seconds + day - 1) / day, seconds: 0)
    }
    if duration.days == 0, duration.seconds == 0 { return .unstated }
    return .duration(duration)
  }
}

// MARK: Version

extension PlacementDecoder {
  private mutating func decodeVersion(_ slots: ComponentSlots, _ placement: inout Placement) {
    if let slot = slots.sequence {
      let value = room.view(slot, of: bytes).value.trimmed
      if let number = Self.number(value) {
        placement.sequence = number
      } else {
        report(
          .warning, slot, nil, "\(Self.quoted(value)) is no sequence number", action: "read as 0")
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
      report(
        .warning, slot, view.valueStart..<view.bytes.count,
        "\(Self.quoted(value)) is no date and time", action: "left out")
      return nil
    }
    return Instant(utc: text.civil)
  }

  /// A decimal number of at most nine digits; a negative sequence counts as 0.
  private static func number(_ value: Bytes) -> Int? {
    guard !value.isEmpty, value.count <= 9 else { return nil }
    var number = 0
    for byte in value {
      guard byte.isDigit else { return nil }
      number = number * 10 + Int(byte &- 0x30)
    }
    return number
  }
}

// MARK: Recurrence

extension PlacementDecoder {
  private mutating func decodeRecurrence(_ slots: ComponentSlots, _ placement: inout Placement) {
    guard let start = placement.start else { return }
    let properties = [slots.rules, slots.exceptionRules, slots.dates, slots.exceptionDates]
    guard properties.contains(where: { !$0.isEmpty }) else { return }
    if placement.recurrenceID != nil {
      if let slot = slots.rules.first ?? slots.dates.first {
        report(
          .warning, slot, nil, "stands in an override, beside RECURRENCE-ID", action: "ignored")
      }
      return
    }
    for slot in slots.rules {
      if let rule = rule(slot, failure: "left out: shown without this repetition") {
        placement.rules.append(rule)
      }
    }
    for slot in slots.exceptionRules {
      if let rule = rule(slot, failure: "left out: excludes nothing") {
        placement.exceptionRules.append(rule)
      }
    }
    var lastDate = Int32.min
    var firstDate = Int32.max
    for slot in slots.dates {
      forEachValue(slot) { decoder, view, range in
        guard let date = decoder.recurrenceDate(view, range, slot) else { return }
        lastDate = max(lastDate, date.start.civil.date.dayNumber)
        firstDate = min(firstDate, date.start.civil.date.dayNumber)
        if case .end(let end)? = date.extent {
          lastDate = max(lastDate, end.civil.date.dayNumber)
        } else if case .duration(let duration)? = date.extent {
          lastDate = max(lastDate, Self.day(date.start, after: duration))
        }
        if decoder.keepsValues { placement.dates.append(date) }
      }
    }
    for slot in slots.exceptionDates {
      forEachValue(slot) { decoder, view, range in
        let failure = "left out: excludes nothing"
        guard let date = decoder.time(view, range, slot, failure: failure) else { return }
        if decoder.keepsValues { placement.exceptionDates.append(date) }
      }
    }
    placement.isRecurring = !placement.rules.isEmpty || lastDate > Int32.min
    var last = max(lastDate, start.civil.date.dayNumber)
    for rule in placement.rules {
      switch rule.until {
      case .date(let date): last = max(last, date.dayNumber)
      case .local(let civil), .utc(let civil): last = max(last, civil.date.dayNumber)
      case nil: last = .max
      }
    }
    placement.days = min(firstDate, start.civil.date.dayNumber)...last
  }

  /// Gives each of the comma-separated values of a property.
  private mutating func forEachValue(
    _ slot: PropertySlot, _ body: (inout PlacementDecoder, ContentView, Range<Int>) -> Void
  ) {
    let view = room.view(slot, of: bytes).ofTime
    var index = view.valueStart
    var count = 0
    while index < view.bytes.count {
      let end = view.bytes.index(of: 0x2C, from: index, to: view.bytes.count)
      if !view.bytes.part(index, end).trimmed.isEmpty {
        count += 1
        guard count <= Self.mostValues else {
          report(
            .error, slot, index..<view.bytes.count, "more than \(Self.mostValues) values",
            action: "the rest left out")
          return
        }
        body(&self, view, index..<end)
      }
      index = end + 1
    }
  }

  private mutating func recurrenceDate(
    _ view: ContentView, _ range: Range<Int>, _ slot: PropertySlot
  ) -> (start: LocalTime, extent: LocalExtent?)? {
    let slash = view.bytes.index(of: 0x2F, from: range.lowerBound, to: range.upperBound)
    let failure = "left out"
    guard let start = time(view, range.lowerBound..<slash, slot, failure: failure) else {
      return nil
    }
    guard slash < range.upperBound else { return (start, nil) }
    let rest = slash + 1..<range.upperBound
    let value = view.bytes.part(rest.lowerBound, rest.upperBound).trimmed
    if let first = value.first, first | 0x20 == 0x70 || first == 0x2B || first == 0x2D {
      guard let text = DurationText(value), text.duration.days >= 0, text.duration.seconds >= 0
      else {
        report(
          .error, slot, rest, "\(Self.quoted(value)) is no duration of a period", action: failure)
        return nil
      }
      return (start, .duration(text.duration))
    }
    guard let end = time(view, rest, slot, failure: failure) else { return nil }
    return (start, .end(end))
  }

  private mutating func rule(_ slot: PropertySlot, failure: String) -> Rule? {
    let view = room.view(slot, of: bytes)
    let value = view.value.trimmed
    let digest = value.digest()
    if let known = knownRules[digest],
      known.bytes.withUnsafeBufferPointer({ $0.equals(value) })
    {
      return known.rule
    }
    do {
      let text = try RuleText(bytes: value)
      if let note = text.notes.first {
        report(
          .warning, slot, view.valueStart..<view.bytes.count,
          text.notes.count == 1 ? "\(note)" : text.notes.map(\.description).joined(separator: ", "),
          action: note == .countAndUntil ? "whichever ends first holds" : "read as meant")
      } else if text.rule.until == nil, knownRules.count < Self.mostKnownRules {
        knownRules[digest] = (Array(value), text.rule)
      }
      return text.rule
    } catch {
      report(.error, slot, view.valueStart..<view.bytes.count, "\(error)", action: failure)
      return nil
    }
  }
}

// MARK: Bounds

extension PlacementDecoder {
  private static func day(_ time: LocalTime, after duration: EventDuration) -> Int32 {
    let day =
      Int(time.civil.date.dayNumber) + duration.days
      + duration.seconds / TimeOfDay.secondsPerCivilDay + 1
    return Int32(clamping: day)
  }

  /// The days that the component can touch, wide enough for every zone.
  private func days(of placement: Placement) -> ClosedRange<Int32> {
    guard let start = placement.start, !placement.includesFollowing else {
      return Int32.min...Int32.max
    }
    let startDay = start.civil.date.dayNumber
    var first = startDay
    var last = startDay
    if let due = placement.due {
      first = min(first, due.civil.date.dayNumber)
      last = max(last, due.civil.date.dayNumber)
    }
    switch placement.extent {
    case .unstated: break
    case .end(let end): last = max(last, end.civil.date.dayNumber)
    case .duration(let duration): last = max(last, Self.day(start, after: duration))
    }
    if placement.isRecurring {
      let length = last - startDay
      first = min(first, placement.days.lowerBound)
      let end = placement.days.upperBound.addingReportingOverflow(length)
      last = end.overflow ? .max : max(last, end.partialValue)
    }
    let upper = last.addingReportingOverflow(Self.zoneMargin)
    return first - Self.zoneMargin...(upper.overflow ? .max : upper.partialValue)
  }
}
