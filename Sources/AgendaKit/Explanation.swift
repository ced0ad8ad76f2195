public import AgendaCore
internal import AgendaReader
public import AgendaRendering
public import AgendaSources
public import CivilTime
internal import Recurrence

extension Calendars {
  /// Why an occurrence is on its day at its time: the facts, in the order in which they lead to it.
  ///
  /// Times are named in the zone of the window. `zones` is where its rules come from.
  public func explanation(
    of occurrence: Occurrence, in window: DateWindow, zones: ZoneDatabase = .system(TZDIR: nil),
    locale: LocaleData = .plain
  ) throws(CalendarError) -> [ExplanationFact] {
    let events = try series(of: occurrence.event, zone: window.zone)
    var writer = ExplanationWriter(
      occurrence, of: Series(events[0], overrides: Array(events.dropFirst())),
      viewer: window.zone, zones: zones,
      TimeWords(wording: DateWording(locale), zone: window.zone))
    writer.explain(source)
    return writer.facts
  }
}

/// One of the facts that explain why an occurrence is on its day at its time.
public struct ExplanationFact: Hashable, Sendable {
  /// What the fact is about, in the language of the explanation: `Rule`.
  public let heading: String
  /// The fact, in the language of the explanation.
  public let text: String
}

/// Finds the facts of one explanation.
private struct ExplanationWriter {
  private(set) var facts: [ExplanationFact] = []
  private let occurrence: Occurrence
  private let series: Series
  private let viewer: Zone
  private let zones: ZoneDatabase
  private let time: TimeWords
  private let labels: Words.Labels
  private let phrases: Words.Explanation

  init(
    _ occurrence: Occurrence, of series: Series, viewer: Zone, zones: ZoneDatabase,
    _ words: TimeWords
  ) {
    self.occurrence = occurrence
    self.series = series
    self.viewer = viewer
    self.zones = zones
    time = words
    labels = words.words.labels
    phrases = words.words.explanation
  }

  mutating func explain(_ events: any EventSource) {
    let own = occurrence.event
    let isOverride = own.identity.recurrenceID != nil
    let masterLines = events.lines(of: series.master.reference)
    let ownLines = isOverride ? events.lines(of: own.reference) : masterLines

    if let place = events.place(of: own.reference) { add(labels.source, place.name) }
    for name in ["DTSTART", "DTEND", "DUE", "DURATION"] {
      for line in ownLines?.named(name) ?? [] { add(labels.writtenAs, line.text) }
    }
    // A task without DTSTART begins when it is due.
    explainZone(
      of: own, writtenAs: ownLines?.named("DTSTART").first ?? ownLines?.named("DUE").first, events)
    explainClockChanges()
    explainRule(lines: masterLines)
    explainOverride(isOverride, lines: ownLines)
    explainExclusions()
    if own.status == .cancelled {
      add(labels.status, time.words.statuses.cancelled)
    }
  }

  private mutating func add(_ heading: String, _ text: String) {
    facts.append(ExplanationFact(heading: heading, text: text))
  }

  // MARK: The zone

  private mutating func explainZone(
    of event: Event, writtenAs line: EventLine?, _ events: any EventSource
  ) {
    let written = line?.parameter("TZID")
    switch occurrence.start {
    case .date:
      add(labels.timeZone, phrases.allDayZone)
    case .floating:
      add(
        labels.timeZone,
        written.map { phrases.unknownZone($0, viewer.name) }
          ?? phrases.noZone(viewer.name))
    case .utc:
      add(labels.timeZone, phrases.utc(viewer.name))
    case .zoned(_, let zone):
      var text =
        switch zone.origin {
        case .utc: zone.name
        case .fixedOffset: phrases.constantOffset(zone.name)
        case .database:
          phrases.databaseRules(
            zone.name, zones.version ?? "?", zones.folder)
        case .posixRule: phrases.ruleOfTZ(zone.name)
        case .definition: phrases.rulesOfFile(zone.name)
        }
      if let written, written != zone.name {
        text += time.words.lists.semicolon + phrases.writtenAs(written)
        if isZone(zone, ofCalendarOf: event, insteadOf: written, events) {
          text += time.words.lists.semicolon + phrases.zoneOfCalendar
        }
      }
      // An event that a program made has no line, and its zone comes from the program.
      if line != nil, written == nil {
        // Only vCalendar 1.0 has offsets for a zone, in TZ and DAYLIGHT.
        let isOffset = zone.name.hasPrefix("+") || zone.name.hasPrefix("-")
        if isOffset { text = zone.name }
        text +=
          time.words.lists.semicolon
          + (isOffset
            ? phrases.zoneOfCalendar.replacing("X-WR-TIMEZONE", with: "TZ")
            : phrases.zoneOfCalendar)
      }
      add(labels.timeZone, text)
      if zone.name != viewer.name {
        let difference = time.wording.zoneDifference(
          seconds: viewer.utcOffset(at: occurrence.begin)
            - zone.utcOffset(at: occurrence.begin))
        add(labels.shownIn, "\(viewer.name) (\(difference))")
      }
    }
  }

  /// Whether a TZID is unknown, so that the calendar's X-WR-TIMEZONE counts.
  private func isZone(
    _ zone: Zone, ofCalendarOf event: Event, insteadOf TZID: String, _ events: any EventSource
  ) -> Bool {
    let names = ZoneNames(database: zones)
    guard zone.origin != .definition, names.resolution(of: TZID).zone == nil,
      let name = events.calendarZoneName(of: event.reference)
    else { return false }
    return names.resolution(of: name).zone == zone
  }

  private func text(of civil: CivilDateTime) -> String {
    time.wording.dateAndTime(
      time.wording.shortDate(civil.date), time.wording.time(civil.time))
  }

  private mutating func explainClockChanges() {
    guard occurrence.allDay == nil else { return }
    let zone = occurrence.start.zone ?? viewer
    let shown = zone.civil(at: occurrence.begin)
    let written = occurrence.start.civil
    if occurrence.start.zone != .utc, shown != written {
      add(
        labels.clockChange,
        phrases.skippedTime(text(of: written), zone.name, time.wording.time(shown.time)))
    } else if isRepeated(written, in: zone) {
      add(labels.clockChange, phrases.repeatedTime(text(of: written), zone.name))
    }
    if let first = series.master.start, series.master.repeats {
      let begin = first.instant(for: viewer)
      let then = zone.utcOffset(at: begin)
      let now = zone.utcOffset(at: occurrence.begin)
      if then != now {
        add(
          labels.clockChange,
          phrases.changedSinceFirst(zone.name, offset(then), offset(now)))
      }
    }
    let atEnd = zone.utcOffset(at: occurrence.finish)
    let atBegin = zone.utcOffset(at: occurrence.begin)
    if atEnd != atBegin {
      let length = occurrence.finish.secondsSinceEpoch - occurrence.begin.secondsSinceEpoch
      add(
        labels.clockChange,
        phrases.changesDuring(
          offset(atBegin), offset(atEnd), time.wording.duration(seconds: length)))
    }
  }

  private func isRepeated(_ civil: CivilDateTime, in zone: Zone) -> Bool {
    let first = zone.instant(of: civil)
    for hours in 1...3 {
      for later in [first.adding(seconds: hours * 1800), first.adding(seconds: hours * 3600)]
      where zone.civil(at: later) == civil { return true }
    }
    return false
  }

  /// `+01:00`
  private func offset(_ seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(seconds < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
  }

  // MARK: The rule

  private mutating func explainRule(lines: ComponentLines?) {
    guard let recurrence = series.master.recurrence else {
      add(labels.rule, phrases.once)
      // A rule that agenda cannot read, for which the reader has a finding.
      for line in lines?.named("RRULE") ?? [] { add(labels.writtenAs, line.text) }
      return
    }
    if series.master.identity.recurrenceID != nil, recurrence.rules.isEmpty {
      add(labels.rule, phrases.missingSeries)
      return
    }
    for rule in recurrence.rules {
      add(labels.rule, time.words(for: rule, of: series.master))
    }
    for line in lines?.named("RRULE") ?? [] { add(labels.writtenAs, line.text) }
    for calendar in CalendarSystem.allCases
    where recurrence.rules.contains(where: { $0.calendar == calendar }) {
      let date = (occurrence.recurrenceID ?? occurrence.start).civil.date
      if let date = CalendarDate(date, in: calendar) { add(calendar.name, "\(date)") }
    }
    for rule in recurrence.exceptionRules {
      add(labels.exceptRule, time.words(for: rule, of: series.master))
    }
    if let first = firstOccurrence(recurrence), series.master.hasOccurrence(at: first) {
      add(labels.firstOccurrence, time.time(first))
    }
    if !recurrence.dates.isEmpty {
      add(labels.addedDates, time.times(recurrence.dates.map(\.start)))
    }
    if let number = numberInRule { add(labels.number, number) }
  }

  /// DTSTART, unless all rules end before it: then only the dates of RDATE count.
  private func firstOccurrence(_ recurrence: Event.Recurrence) -> EventTime? {
    guard let start = series.master.start, !recurrence.rules.isEmpty,
      recurrence.rules.allSatisfy({ RuleExpansion($0, start: start).endsBeforeStart })
    else { return series.master.start }
    return recurrence.dates.map(\.start).min { $0.instant(for: viewer) < $1.instant(for: viewer) }
  }

  /// Which one it is of those that the rule gives, excluded ones counted, DTSTART being the first.
  private var numberInRule: String? {
    guard let id = occurrence.recurrenceID else { return nil }
    var bare = series.master
    bare.recurrence?.exceptionDates = []
    bare.recurrence?.exceptionRules = []
    let moment = id.instant(for: viewer)
    guard let first = bare.start?.instant(for: viewer), first <= moment else { return nil }
    var count = 0
    var occurrences = Series(bare).occurrences(
      touching: first..<moment.adding(seconds: 1), viewer: viewer, includingCancelled: true)
    while let next = occurrences.next() {
      if next.begin >= first { count += 1 }
    }
    let number = time.wording.number(count)
    return occurrences.finding == nil ? number : phrases.moreThan(number)
  }

  private mutating func explainOverride(_ isOverride: Bool, lines: ComponentLines?) {
    if isOverride {
      let original = occurrence.recurrenceID ?? series.master.start
      if let original, original != occurrence.start {
        add(labels.override, phrases.movedFrom(time.time(original)))
      } else {
        add(labels.override, phrases.changedInPlace)
      }
      if let line = lines?.named("RECURRENCE-ID").first { add(labels.writtenAs, line.text) }
      if occurrence.event.identity.includesFollowing {
        add(labels.override, phrases.appliesToFollowing)
      }
    } else if !series.overrides.isEmpty {
      add(labels.otherOverrides, counted(series.overrides.compactMap(\.identity.recurrenceID)))
    }
  }

  private mutating func explainExclusions() {
    guard let recurrence = series.master.recurrence, !recurrence.exceptionDates.isEmpty else {
      return
    }
    add(labels.excluded, counted(recurrence.exceptionDates))
  }

  /// How many, and the first few.
  private func counted(_ times: [EventTime]) -> String {
    time.wording.number(times.count) + time.words.lists.colon + time.times(times)
  }
}
