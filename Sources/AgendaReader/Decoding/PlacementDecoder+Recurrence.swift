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
      findings.report(.tooManyRules(limit: Self.mostRules), last)
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
    judgeWork(from: start, &placement)
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
    for (line, slot) in slots.exceptionDates.enumerated() {
      var isReported = false
      forEachValue(slot) { decoder, view, range in
        guard let written = decoder.time(view, range, slot, failure: .ignored) else { return }
        let date = decoder.inZone(of: start, written, slot, isReported: &isReported)
        if !date.isDate, !start.isDate, date.civil.time == .midnight,
          !date.isSameClock(as: start) || start.civil.time != .midnight
        {
          placement.hasExceptionAtMidnight = true
        }
        if decoder.keepsValues {
          placement.exceptionDates.append(date)
          placement.exceptionLines.append(line)
        }
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
    let kind = findings.kind
    findings.report(.startOutsideTable(calendar, kind), slot)
    return false
  }

  /// Adds up the work of rules that take long, and leaves them out if those of the source take too long.
  private mutating func judgeWork(from start: LocalTime, _ placement: inout Placement) {
    // The first pass has measured it.
    if keepsValues, omittedRuleWork == 0 { return }
    let ruleCount = placement.rules.count + placement.exceptionRules.count
    if omittedRuleWork == ruleCount * Rule.unmeasuredWork {
      placement.ruleWork = omittedRuleWork
      placement.rules.removeAll()
      placement.exceptionRules.removeAll()
      return
    }
    // Zones hardly affect the work.
    let time: EventTime = start.isDate ? .date(start.civil.date) : .floating(start.civil)
    var sum = 0
    func isKept(_ rule: Rule) -> Bool {
      let isKnown = omittedRuleWork > 0 || ruleWork > CalendarFile.mostRuleWork
      let work = rule.work(from: time, coarsely: isKnown)
      sum += work
      return work == 0 || omittedRuleWork == 0
    }
    placement.rules = placement.rules.filter(isKept)
    placement.exceptionRules = placement.exceptionRules.filter(isKept)
    placement.ruleWork = sum
    ruleWork += sum
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
            .tooManyValues(limit: Self.mostValues), slot, index..<view.bytes.count)
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
        findings.report(.invalidPeriodDuration(value.excerpt), slot, rest)
        return nil
      }
      return (start, .duration(text.duration))
    }
    guard let end = time(view, rest, slot, failure: .ignored) else { return nil }
    if end.isSameClock(as: start), end.civil.civilSeconds < start.civil.civilSeconds {
      findings.report(.periodEndBeforeStart(value.excerpt), slot, rest)
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
          .invalidRule(error, "ignored", .warning), slot, view.valueRange)
        return [outer]
      }
      let kind = findings.kind
      findings.report(.invalidRule(error, failure.text(kind)), slot, view.valueRange)
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
        findings.report(.repairedRule(text.notes), slot, view.valueRange)
      } else {
        knownRules.note(text.rule, for: value)
      }
      return text.rule
    } catch {
      let (kind, rule) = (findings.kind, view.valueRange)
      let place = error.place.isEmpty ? 0..<rule.count : error.place
      findings.report(
        .invalidRule(error, failure.text(kind)), slot,
        rule.lowerBound + place.lowerBound..<rule.lowerBound + place.upperBound)
      return nil
    }
  }
}
