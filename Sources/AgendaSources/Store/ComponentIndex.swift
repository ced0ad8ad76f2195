internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import ICalendar
internal import Recurrence

/// Derives from a component how the store finds it: its kind, its UID, and where it is in time.
enum ComponentIndex {
  /// `details` need only the alarms. A message is indexed as an event is: it can move an occurrence to
  /// its own time.
  static func columns(of event: Event, _ details: EventDetails) -> IndexColumns {
    let span = TimeSpan(event)
    return IndexColumns(
      span: span, touchedDays: event.touchedDays?.bits,
      alarms: TimeSpan(of: details.alarms, around: span), rank: rank(of: event))
  }

  private static func rank(of event: Event) -> VersionRank {
    if let time = event.identity.recurrenceID, !time.isDate, time.civil.time == .midnight {
      return .doubtful
    }
    return VersionRank(
      sequence: event.version.sequence, isOverride: event.identity.recurrenceID != nil)
  }

  /// Changes when a version of agenda derives other values from the same text.
  static let version = 4
}

extension ComponentKind {
  init(_ kind: Event.Kind, isMessage: Bool = false) {
    let own: ComponentKind =
      switch kind {
      case .event: .event
      case .task: .task
      case .journal: .journal
      }
    self = isMessage ? own.message : own
  }

  /// What events call it.
  var eventKind: Event.Kind {
    switch subject {
    case .task: .task
    case .journal: .journal
    default: .event
    }
  }
}

extension TimeSpan {
  /// The time in which a component can be shown; `nil` for a component without a time.
  init?(_ event: Event) {
    guard let start = event.start else { return nil }
    let moment = Self.moment(start)
    self.init(begin: moment, end: Self.end(of: start, from: moment, event.extent))
    if let due = event.due {
      let moment = Self.moment(due)
      begin = min(begin, moment)
      // A task is listed during the whole day on which it is due.
      end = max(end, due.isDate ? moment + Self.secondsOfDay : moment)
    }
    if event.recurrence != nil || event.identity.includesFollowing { widen(event) }
  }

  /// The time in which alarms can go off; `nil` without alarms. `span` is that of their event.
  init?(of alarms: [Alarm], around span: TimeSpan?) {
    var spans = alarms.compactMap(DueAlarm.span(ofFixed:)).map {
      TimeSpan(begin: $0.lowerBound.secondsSinceEpoch, end: $0.upperBound.secondsSinceEpoch)
    }
    if let reach = DueAlarm.reach(of: alarms), let span {
      spans.append(
        TimeSpan(
          begin: span.begin.subtractingOrLeast(max(reach.before, reach.after)),
          end: span.end.addingOrMost(max(reach.before, reach.after))))
    }
    guard let first = spans.first else { return nil }
    self = spans.dropFirst().reduce(first) {
      TimeSpan(begin: min($0.begin, $1.begin), end: max($0.end, $1.end))
    }
  }

  private static func moment(_ time: EventTime) -> Int {
    switch time {
    case .date(let date): Int(date.dayNumber) * secondsOfDay
    case .floating(let civil), .utc(let civil): civil.civilSeconds
    case .zoned(let civil, let zone): zone.instant(of: civil).secondsSinceEpoch
    }
  }

  private static func end(of start: EventTime, from moment: Int, _ extent: Extent) -> Int {
    let end =
      switch extent {
      case .unstated: moment
      case .end(let time): Self.moment(time)
      case .duration(let duration): moment + duration.roughSeconds
      }
    return max(end, start.isDate ? moment + secondsOfDay : moment)
  }

  /// Extends the span of a series to the last moment that its rules and dates allow.
  private mutating func widen(_ event: Event) {
    guard !event.identity.includesFollowing else {
      (begin, end) = (.min, .max)
      return
    }
    let series = Series(event)
    let dueDay = event.kind == .task ? Self.secondsOfDay : 0
    begin = min(begin, series.firstMoment?.secondsSinceEpoch ?? .min)
    end = max(end, series.lastMoment?.adding(seconds: dueDay).secondsSinceEpoch ?? .max)
  }
}

extension EventDuration {
  /// Exact except for changes of the clocks, and limited to a thousand years.
  fileprivate var roughSeconds: Int {
    let limit = 366_000
    return max(-limit, min(limit, days)) * TimeSpan.secondsOfDay
      + max(-limit * TimeSpan.secondsOfDay, min(limit * TimeSpan.secondsOfDay, seconds))
  }
}

extension Event {
  /// The days that a series touches. `nil` for an event that does not recur, which is found by its
  /// span, and for a component that can touch other days than those of its rules.
  fileprivate var touchedDays: TouchedDays? {
    guard kind == .event, identity.recurrenceID == nil, let start, let recurrence else {
      return nil
    }
    let days = TouchedDays(
      RecurrenceSet(
        start: start, extent: extent, rules: recurrence.rules,
        exceptionRules: recurrence.exceptionRules, dates: recurrence.dates))
    return days == .all ? nil : days
  }
}

extension Store.WindowDays {
  init(_ window: Range<Instant>) {
    func parts(_ days: TouchedDays) -> [Int] {
      [TouchedDays.weekdays, TouchedDays.monthDays, TouchedDays.months].map { days.bits & $0 }
    }
    let window = TouchedDays.Window(window)
    self.init(
      days: parts(window.days), datesOfUTC: parts(window.datesOfUTC),
      laterDates: parts(window.laterDates), earlierDates: parts(window.earlierDates),
      isOnDateOfUTC: TouchedDays.isOnDateOfUTC,
      lastHour: (TouchedDays.lastHour, window.beginHour),
      firstHour: (TouchedDays.firstHour, window.endHour))
  }
}
