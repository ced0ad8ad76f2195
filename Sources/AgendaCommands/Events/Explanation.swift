internal import AgendaCore
internal import AgendaReader
internal import CivilTime
internal import Recurrence

/// Why an occurrence is on its day at its time, as facts with a heading each.
struct Explanation {
  struct Fact: Equatable {
    let heading: String
    let text: String
  }

  private(set) var facts: [Fact] = []
  private let occurrence: Occurrence
  private let series: Series
  private let viewer: Viewer

  init(_ found: FoundEntry, viewer: Viewer, wording: TimeWords) throws {
    occurrence = found.entry.occurrence
    series = try found.series
    self.viewer = viewer
    let events = found.events
    let own = occurrence.event
    let isOverride = own.identity.recurrenceID != nil
    let masterLines = events.lines(of: series.master.reference)
    let ownLines = isOverride ? events.lines(of: own.reference) : masterLines

    if let place = events.sourceName(of: own.reference) { add("source", place) }
    for line in ownLines?.named("DTSTART") ?? [] { add("written as", line.text) }
    for name in ["DTEND", "DUE", "DURATION"] {
      for line in ownLines?.named(name) ?? [] { add("and", line.text) }
    }
    explainZone(of: own, writtenAs: ownLines?.named("DTSTART").first)
    explainClockChanges(wording)
    explainRule(wording: wording)
    explainOverride(isOverride, events: events, lines: ownLines, wording: wording)
    explainExclusions(wording)
    if own.status == .cancelled { add("status", "cancelled: hidden unless --include-cancelled") }
  }

  private mutating func add(_ heading: String, _ text: String) {
    facts.append(Fact(heading: heading, text: text))
  }

  // MARK: The zone

  private mutating func explainZone(of event: Event, writtenAs line: ComponentLines.Line?) {
    let written = line?.parameter("TZID")
    switch occurrence.start {
    case .date:
      add("zone", "none: a whole day, the same date everywhere")
    case .floating:
      let reason =
        written.map { "TZID \"\($0)\" is no zone that is known" } ?? "no zone was written"
      add("zone", "\(reason): floating, read in \(viewer.zone.name)")
    case .utc:
      add("zone", "UTC, shown in \(viewer.zone.name)")
    case .zoned(_, let zone):
      var text = zone.name
      switch zone.origin {
      case .utc: text += ", which has no rules"
      case .fixedOffset: text += ", an offset that never changes"
      case .database:
        text += ", by the rules of tzdata \(viewer.database.version ?? "of unknown version")"
        text += " in \(viewer.database.folder)"
      case .posixRule: text += ", a rule of TZ"
      case .definition: text += ", by the VTIMEZONE of the file itself"
      }
      if let written, written != zone.name { text += "; written as \"\(written)\"" }
      if written == nil { text += "; from the calendar's X-WR-TIMEZONE" }
      add("zone", text)
      if zone.name != viewer.zone.name {
        add(
          "shown in",
          "\(viewer.zone.name), "
            + offsetWords(
              viewer.zone.utcOffset(at: occurrence.begin)
                - zone.utcOffset(at: occurrence.begin)))
      }
    }
  }

  /// `1 h ahead of it`
  private func offsetWords(_ seconds: Int) -> String {
    if seconds == 0 { return "where the clocks show the same at that moment" }
    let length = DurationWords.text(seconds: abs(seconds))
    return "\(length) \(seconds > 0 ? "ahead of" : "behind") it at that moment"
  }

  private mutating func explainClockChanges(_ wording: TimeWords) {
    guard occurrence.allDay == nil else { return }
    let zone = occurrence.start.zone ?? viewer.zone
    let shown = zone.civil(at: occurrence.begin)
    let written = occurrence.start.civil
    if occurrence.start.zone != .utc, shown != written {
      add(
        "clock change",
        "\(written.time) does not exist on \(written.date) in \(zone.name): "
          + "the clocks are put forward, it is at \(shown.time)")
    } else if isRepeated(written, in: zone) {
      add(
        "clock change",
        "\(written.time) is twice on \(written.date) in \(zone.name): the first one is meant")
    }
    if let first = series.master.start, series.master.recurrence != nil {
      let begin = first.instant(for: viewer.zone)
      let then = zone.utcOffset(at: begin)
      let now = zone.utcOffset(at: occurrence.begin)
      if then != now {
        add(
          "clock change",
          "\(zone.name) was at \(offset(then)) on \(first.civil.date) and is at \(offset(now)) now: "
            + "the clock there shows the same hour, other zones another one")
      }
    }
    let atEnd = zone.utcOffset(at: occurrence.finish)
    let atBegin = zone.utcOffset(at: occurrence.begin)
    if atEnd != atBegin {
      add(
        "clock change",
        "the clocks change from \(offset(atBegin)) to \(offset(atEnd)) while it lasts: it takes "
          + DurationWords.text(
            seconds: occurrence.finish.secondsSinceEpoch - occurrence.begin.secondsSinceEpoch))
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

  private mutating func explainRule(wording: TimeWords) {
    guard let recurrence = series.master.recurrence else {
      add("rule", "none: it happens once")
      return
    }
    if series.master.identity.recurrenceID != nil, recurrence.rules.isEmpty {
      add("rule", "none: a change to an event that the source does not have")
      return
    }
    for rule in recurrence.rules {
      add("rule", wording.words(for: rule, of: series.master))
      add("written as", "RRULE:\(rule)")
    }
    for rule in recurrence.exceptionRules {
      add("but not", wording.words(for: rule, of: series.master))
    }
    if let first = series.master.start { add("first one", wording.time(first)) }
    if !recurrence.dates.isEmpty {
      add("added dates", wording.times(recurrence.dates.map(\.start)))
    }
    if let number = numberInRule { add("number", number) }
  }

  /// Which one it is of those that the rule gives, excluded ones counted, DTSTART being the first.
  private var numberInRule: String? {
    guard let id = occurrence.recurrenceID else { return nil }
    var bare = series.master
    bare.recurrence?.exceptionDates = []
    bare.recurrence?.exceptionRules = []
    let moment = id.instant(for: viewer.zone)
    guard let first = bare.start?.instant(for: viewer.zone), first <= moment else { return nil }
    var count = 0
    var occurrences = Series(bare).occurrences(
      touching: first..<moment.adding(seconds: 1), viewer: viewer.zone, includingCancelled: true)
    while let next = occurrences.next() {
      if next.begin >= first { count += 1 }
    }
    return occurrences.finding == nil ? "\(count)" : "beyond \(count)"
  }

  private mutating func explainOverride(
    _ isOverride: Bool, events: any EventProvider, lines: ComponentLines?, wording: TimeWords
  ) {
    if isOverride {
      let line = lines?.named("RECURRENCE-ID").first?.text ?? "a RECURRENCE-ID"
      if let original = occurrence.recurrenceID, original != occurrence.start {
        add("changed", "by an override: the rule has it at \(wording.time(original))")
      } else if occurrence.recurrenceID == nil, let original = series.master.start,
        original != occurrence.start
      {
        add("changed", "by an override: the event had it at \(wording.time(original))")
      } else if occurrence.recurrenceID == nil {
        add("changed", "by an override, at the same time")
      } else {
        add("changed", "by an override, at the time that the rule gives")
      }
      add("written as", line)
      if occurrence.event.identity.includesFollowing {
        add("also", "the override holds for all that follow (RANGE=THISANDFUTURE)")
      }
    } else if !series.overrides.isEmpty {
      let moved = series.overrides.compactMap(\.identity.recurrenceID)
      add("elsewhere", "\(moved.count) changed: \(wording.times(moved))")
    }
  }

  private mutating func explainExclusions(_ wording: TimeWords) {
    guard let recurrence = series.master.recurrence, !recurrence.exceptionDates.isEmpty else {
      return
    }
    add(
      "excluded",
      "\(recurrence.exceptionDates.count): \(wording.times(recurrence.exceptionDates))")
  }
}
