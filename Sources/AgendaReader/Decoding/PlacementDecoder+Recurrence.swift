internal import AgendaCore
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// RRULE, RDATE, EXDATE and EXRULE of a component.
extension PlacementDecoder {
  /// No real component has more values.
  private static let mostValues = 100_000
  /// The same for rules. Each of them needs memory while the component is read.
  private static let mostRules = 2_000

  mutating func decodeRecurrence(_ slots: ComponentSlots, _ placement: inout Placement) {
    guard let start = placement.start else { return }
    // Nearly every component has none of the four, so the check makes no list of them.
    guard slots.hasRecurrence else { return }
    // In an override only rules and dates matter, and only if its master does not exist.
    if placement.recurrenceID != nil, slots.rules.isEmpty, slots.dates.isEmpty { return }
    if slots.rules.count + slots.exceptionRules.count > Self.mostRules,
      let last = slots.rules.last ?? slots.exceptionRules.last
    {
      findings.report(.error, .tooManyRules(limit: Self.mostRules), last)
    }
    for slot in slots.rules.prefix(Self.mostRules) {
      for rule in rules(slot, from: start, failure: .noRepetition)
      where isInTable(start, of: rule, slot) {
        placement.rules.append(rule)
      }
    }
    for slot in slots.exceptionRules.prefix(max(0, Self.mostRules - slots.rules.count)) {
      placement.exceptionRules += rules(slot, from: start, failure: .ignored)
    }
    judgeCosts(from: start, &placement)
    var lastDate = Int32.min
    var firstDate = Int32.max
    for slot in slots.dates {
      var isReported = false
      forEachValue(slot) { decoder, view, range in
        guard var date = decoder.recurrenceDate(view, range, slot) else { return }
        date.start = decoder.inZone(of: start, date.start, slot, isReported: &isReported)
        if case .end(let end)? = date.extent {
          date.extent = .end(decoder.inZone(of: start, end, slot, isReported: &isReported))
        }
        lastDate = max(lastDate, date.start.civil.date.dayNumber)
        firstDate = min(firstDate, date.start.civil.date.dayNumber)
        if case .end(let end)? = date.extent {
          lastDate = max(lastDate, end.civil.date.dayNumber)
        } else if case .duration(let duration)? = date.extent {
          lastDate = max(lastDate, date.start.day(after: duration))
        }
        if decoder.keepsValues { placement.dates.append(date) }
      }
    }
    for slot in slots.exceptionDates {
      var isReported = false
      forEachValue(slot) { decoder, view, range in
        guard let written = decoder.time(view, range, slot, failure: .ignored) else { return }
        let date = decoder.inZone(of: start, written, slot, isReported: &isReported)
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
    placement.recurrenceDays = min(firstDate, start.civil.date.dayNumber)...last
  }

  /// Whether the table of months of the rule's calendar contains DTSTART. Otherwise no date can be
  /// counted.
  private mutating func isInTable(
    _ start: LocalTime, of rule: Rule, _ slot: PropertySlot
  ) -> Bool {
    guard let calendar = rule.calendar, let table = calendar.tableDates,
      !table.contains(start.civil.date)
    else { return true }
    findings.report(.warning, .startOutsideTable(calendar), slot)
    return false
  }

  /// Counts the costly rules, and leaves them out if the source has too many.
  private func judgeCosts(from start: LocalTime, _ placement: inout Placement) {
    // The first pass has measured the costs.
    if keepsValues, omittedCostlyRules == 0 { return }
    if omittedCostlyRules == placement.rules.count + placement.exceptionRules.count {
      placement.costlyRules = omittedCostlyRules
      placement.rules.removeAll()
      placement.exceptionRules.removeAll()
      return
    }
    // Zones hardly affect the cost of a rule.
    let time: EventTime = start.isDate ? .date(start.civil.date) : .floating(start.civil)
    var costly = 0
    func isKept(_ rule: Rule) -> Bool {
      guard rule.isCostly(from: time) else { return true }
      costly += 1
      return omittedCostlyRules == 0
    }
    placement.rules = placement.rules.filter(isKept)
    placement.exceptionRules = placement.exceptionRules.filter(isKept)
    placement.costlyRules = costly
  }

  /// Calls `body` with each of the comma-separated values of a property.
  private mutating func forEachValue(
    _ slot: PropertySlot, _ body: (inout PlacementDecoder, ContentView, Range<Int>) -> Void
  ) {
    let view = room.view(slot, of: bytes)
    var index = view.valueStart
    var count = 0
    // The next comma and the next semicolon, which separates values in vCalendar 1.0. Each search
    // starts after the last one found, because a search per value would read the whole line every
    // time.
    var (comma, semicolon) = (-1, -1)
    while index < view.bytes.count {
      if comma < index { comma = view.bytes.index(of: 0x2C, from: index, to: view.bytes.count) }
      if semicolon < index {
        semicolon = view.bytes.index(of: 0x3B, from: index, to: view.bytes.count)
      }
      let end = min(comma, semicolon)
      if !view.bytes.part(index, end).trimmed.isEmpty {
        count += 1
        guard count <= Self.mostValues else {
          findings.report(
            .error, .tooManyValues(limit: Self.mostValues), slot, index..<view.bytes.count)
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
    guard let start = time(view, range.lowerBound..<slash, slot, failure: .ignored) else {
      return nil
    }
    guard slash < range.upperBound else { return (start, nil) }
    let rest = slash + 1..<range.upperBound
    let value = view.bytes.part(rest.lowerBound, rest.upperBound).trimmed
    if let first = value.first, first | 0x20 == 0x70 || first == 0x2B || first == 0x2D {
      guard let text = DurationText(value), text.duration.days >= 0, text.duration.seconds >= 0
      else {
        findings.report(.error, .invalidPeriodDuration(value.excerpt), slot, rest)
        return nil
      }
      return (start, .duration(text.duration))
    }
    guard let end = time(view, rest, slot, failure: .ignored) else { return nil }
    if end.isSameClock(as: start), end.civil.civilSeconds < start.civil.civilSeconds {
      findings.report(.warning, .periodEndBeforeStart(value.excerpt), slot, rest)
      return (start, nil)
    }
    return (start, .end(end))
  }

  /// Usually one rule. A rule of vCalendar 1.0 with another one inside can mean several.
  private mutating func rules(
    _ slot: PropertySlot, from start: LocalTime, failure: Finding.Consequence
  ) -> [Rule] {
    let view = room.view(slot, of: bytes)
    let value = view.value.trimmed
    guard VCalendarRule.isRule(value) else {
      return rule(slot, failure: failure).map { [$0] } ?? []
    }
    do {
      return try VCalendarRule.parse(value.text, start: start.civil, isDate: start.isDate)
    } catch {
      if case .nested = error.reason,
        let outer = try? VCalendarRule.outer(value.text, start: start.civil)
      {
        findings.report(
          .warning, .invalidRule(error.reason, part: error.part, .ignored), slot, view.valueRange)
        return [outer]
      }
      findings.report(
        .error, .invalidRule(error.reason, part: error.part, failure), slot, view.valueRange)
      return []
    }
  }

  private mutating func rule(
    _ slot: PropertySlot, failure: Finding.Consequence
  ) -> Rule? {
    let view = room.view(slot, of: bytes)
    let value = view.value.trimmed
    if let known = knownRules.rule(value) { return known }
    do throws(RuleError) {
      let text = try RuleText(bytes: value)
      // Without a part, an EXRULE would remove more than it says.
      if failure == .ignored, let part = text.firstUnreadablePart { throw part }
      if !text.notes.isEmpty {
        findings.report(.warning, .repairedRule(text.notes), slot, view.valueRange)
      } else {
        knownRules.note(text.rule, for: value)
      }
      return text.rule
    } catch {
      var (severity, rule) = (Finding.Severity.error, view.valueRange)
      // The event itself is complete. RFC 7529 4.1 allows a program to ignore such a rule.
      if case .otherCalendar = error.reason { severity = .warning }
      let place = error.place.isEmpty ? 0..<rule.count : error.place
      findings.report(
        severity, .invalidRule(error.reason, part: error.part, failure), slot,
        rule.lowerBound + place.lowerBound..<rule.lowerBound + place.upperBound)
      return nil
    }
  }
}
