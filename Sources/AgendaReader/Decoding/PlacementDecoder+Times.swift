internal import AgendaCore
internal import CivilTime
internal import ICalendar

/// The times of a component, their forms and the names of their zones.
extension PlacementDecoder {
  /// The time in a property with one value; `nil` if the value is invalid, which is reported.
  mutating func time(_ slot: PropertySlot, failure: Finding.Consequence) -> LocalTime? {
    let view = room.view(slot, of: bytes)
    return time(view, view.valueRange, slot, failure: failure)
  }

  /// The time in a part of a property's value.
  mutating func time(
    _ view: ContentView, _ range: Range<Int>, _ slot: PropertySlot, failure: Finding.Consequence
  ) -> LocalTime? {
    let range = view.bytes.trimmed(range)
    let value = view.bytes.part(range.lowerBound, range.upperBound)
    guard let text = TimeText(value) else {
      let (name, kind) = (findings.name(of: slot), findings.kind)
      findings.report(
        .invalidTime(value.excerpt, of: name, Self.fault(of: value), failure.text(kind)), slot,
        range)
      return nil
    }
    if let repair = text.repair {
      let readAs = text.hasTime ? "\(text.civil)" : "\(text.civil.date)"
      findings.report(
        .repairedTime(value.excerpt, repair.words, readAs: readAs), slot, range)
    }
    return time(text, view, range, slot)
  }

  /// The problem of a value that is not a date or time.
  private static func fault(of value: Bytes) -> String {
    let date = value.part(0, 8)
    guard date.count == 8, date.allSatisfy(\.isDigit) else { return "not a date" }
    return TimeText(date) == nil ? "no such date" : "not a date and time"
  }

  @inline(__always)
  private mutating func time(
    _ text: TimeText, _ view: ContentView, _ range: Range<Int>, _ slot: PropertySlot
  ) -> LocalTime {
    guard text.hasTime else { return LocalTime(civil: text.civil, form: .date) }
    if view.valueStart - view.nameEnd > 1 {
      if view.hasOpenQuote {
        findings.report(.openQuote, slot)
      }
      if let type = view.parameter("VALUE"),
        view.bytes.part(type.lowerBound, type.upperBound).isName("DATE")
      {
        findings.report(.timeMarkedAsDate, slot, range)
      }
      if !text.isUTC, let time = zoned(text.civil, view, slot) { return time }
    }
    return LocalTime(civil: text.civil, form: text.isUTC ? .utc : .floating)
  }

  /// A time in the zone that a property names; `nil` if it names none.
  mutating func zoned(_ civil: CivilDateTime, _ slot: PropertySlot) -> LocalTime? {
    zoned(civil, room.view(slot, of: bytes), slot)
  }

  private mutating func zoned(
    _ civil: CivilDateTime, _ view: ContentView, _ slot: PropertySlot
  ) -> LocalTime? {
    guard let range = view.parameter("TZID") else { return nil }
    let name = view.bytes.part(range.lowerBound, range.upperBound).trimmed
    return name.isEmpty ? nil : zoned(civil, name, range, slot)
  }

  private mutating func zoned(
    _ civil: CivilDateTime, _ name: Bytes, _ range: Range<Int>, _ slot: PropertySlot
  ) -> LocalTime {
    let (bytes, component, uidSlot) = (bytes, findings.kind.name, findings.uid)
    let calendar = calendar
    let number = zones.number(of: name, calendar: calendar, line: slot.line.line) { text in
      // A second buffer: the first may contain the name.
      let uid = uidSlot.map { UnfoldingBuffer().text($0, of: bytes) }
      let property = UnfoldingBuffer().nameText(slot, of: bytes)
      let place = UnfoldingBuffer.place(of: range, line: slot.line, in: bytes)
      return ZoneNameTable.Entry(
        name: text, line: place.line, place: place.place, component: component,
        property: property.uppercased(), uid: uid, calendar: calendar, uses: 1)
    }
    return LocalTime(civil: civil, form: .zoned, zone: number)
  }

  /// An RDATE or EXDATE without a TZID or `Z` is in the zone of DTSTART (RFC 5545 3.8.5.1 and
  /// 3.8.5.2). Otherwise it would depend on X-WR-TIMEZONE or on the viewer's zone. Of the values of
  /// one property, the first is reported.
  mutating func inZone(
    of start: LocalTime, _ time: LocalTime, _ slot: PropertySlot, isReported: inout Bool
  ) -> LocalTime {
    if time.isSameClock(as: start) { return time }
    guard lacksZone(time, near: start) else {
      zones.note(time, near: start)
      return time
    }
    if !isReported {
      reportZone(of: start, slot)
      isReported = true
    }
    return time.written(as: start)
  }

  /// A RECURRENCE-ID without a TZID or `Z` is in the zone of the series, which may be another one
  /// than that of the override.
  mutating func checkZone(
    ofRecurrenceID moment: LocalTime, near start: LocalTime?, _ slot: PropertySlot
  ) {
    guard let start else { return }
    if lacksZone(moment, near: start) {
      reportZone(of: start, slot, isOfSeries: true)
    } else {
      zones.note(moment, near: start)
    }
  }

  private func lacksZone(_ time: LocalTime, near start: LocalTime) -> Bool {
    time.form == .floating && (start.form == .zoned || start.form == .utc)
  }

  private mutating func reportZone(
    of start: LocalTime, _ slot: PropertySlot, isOfSeries: Bool = false
  ) {
    findings.report(
      .missingZone(startIsUTC: start.form == .utc, isOfSeries: isOfSeries), slot)
  }

  func hasRange(_ slot: PropertySlot) -> Bool {
    let view = room.view(slot, of: bytes)
    guard let range = view.parameter("RANGE") else { return false }
    return view.bytes.part(range.lowerBound, range.upperBound).isName("THISANDFUTURE")
  }
}
