internal import AgendaCore
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// The length of a component, from its DTEND, DUE or DURATION.
extension PlacementDecoder {
  mutating func decodeExtent(
    _ slots: ComponentSlots, _ kind: ComponentKind, _ placement: inout Placement
  ) {
    guard let start = placement.start else { return }
    let endSlot = kind == .task ? (slots.start == nil ? nil : slots.due) : slots.finish
    if let slot = endSlot {
      let written =
        kind == .task
        ? placement.due : time(slot, failure: .ignored)
      if slots.duration != nil, let duration = slots.duration {
        findings.report(.durationNextToEnd(kind), duration)
      }
      if let written {
        let end = inZone(of: start, written, slot)
        if !end.isSameClock(as: start) { zones.note(start, end) }
        if kind == .task { placement.due = end }
        placement.extent = extent(from: start, to: end, slot)
      }
      return
    }
    guard let slot = slots.duration else { return }
    placement.extent = duration(slot, start)
  }

  /// An end without a TZID or `Z` is in the zone of DTSTART; otherwise the length would depend on
  /// the viewer's zone. That is so if only DTSTART lacks them, and is reported.
  private mutating func inZone(
    of start: LocalTime, _ end: LocalTime, _ slot: PropertySlot
  ) -> LocalTime {
    switch (start.form, end.form) {
    case (.zoned, .floating):
      findings.report(.missingZone(startIsUTC: false), slot)
      return end.written(as: start)
    case (.utc, .floating):
      findings.report(.missingZone(startIsUTC: true), slot)
      return end.written(as: start)
    case (.floating, .zoned), (.floating, .utc):
      findings.report(.zoneNextToLocalStart, slot)
      return end
    default: return end
    }
  }

  private mutating func extent(
    from start: LocalTime, to written: LocalTime, _ slot: PropertySlot
  ) -> LocalExtent {
    var end = written
    if start.isDate, !end.isDate {
      // Outlook writes the midnight after the last day. A later time is on the last day.
      let lastDay = end.civil
      end = end.dateOnly
      if lastDay.time != .midnight, let next = lastDay.date.adding(days: 1) {
        findings.report(.timeNextToDate, slot)
        end = LocalTime(civil: CivilDateTime(next, .midnight), form: .date)
      }
    } else if end.isDate, !start.isDate {
      findings.report(.dateNextToTime, slot)
      end = end.written(as: start)
    }
    // Without their zones, two times can be compared only if they are a day apart or in the same
    // zone. The other cases are checked when the zones are known.
    let reach = end.isSameClock(as: start) ? 0 : Placement.secondsBetweenZones
    if end.civil.civilSeconds + reach < start.civil.civilSeconds {
      findings.report(.endBeforeStart, slot)
      return .unstated
    }
    return start.isDate && end == start ? .unstated : .end(end)
  }

  private mutating func duration(_ slot: PropertySlot, _ start: LocalTime) -> LocalExtent {
    let view = room.view(slot, of: bytes)
    let value = view.value.trimmed
    let range = view.valueRange
    guard let text = DurationText(value) else {
      findings.report(.invalidDuration(value.excerpt), slot, range)
      return .unstated
    }
    var duration = text.duration
    if text.isMalformed {
      findings.report(
        .malformedDuration(value.excerpt, readAs: text.readAs), slot, range)
    }
    if duration.days < 0 || duration.seconds < 0 {
      findings.report(.negativeDuration(value.excerpt), slot, range)
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
