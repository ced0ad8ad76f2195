internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// From when to when a component can have something to show, in seconds since 1970, with dates
/// and floating times read as UTC. A query widens its window by `margin` to make up for that.
struct EventSpan: Hashable {
  var begin: Int
  var end: Int

  /// What dates and floating times can be off for a viewer (UTC−12 to UTC+14), and what a zone's
  /// rules can change after the import.
  static let margin = secondsOfDay

  /// Spans are kept apart by the power of two of days that they fit in, so that an index on
  /// (class, begin) finds those that touch a window without looking at long gone ones.
  static let longestClass = 20

  /// The longest that a span of that class lasts; `nil` for the last class, which holds the rest.
  static func length(ofClass number: Int) -> Int? {
    number >= longestClass ? nil : secondsOfDay << number
  }

  /// 0 for spans of up to a day, 1 up to two, 2 up to four, …
  var spanClass: Int {
    let (length, overflow) = end.subtractingReportingOverflow(begin)
    guard !overflow, length > secondsOfDay else { return overflow ? Self.longestClass : 0 }
    let days = (length - 1) / secondsOfDay
    return min(Self.longestClass, Int.bitWidth - days.leadingZeroBitCount)
  }

  init(begin: Int, end: Int) {
    self.begin = begin
    self.end = end
  }

  /// `nil` for a component without a time.
  init?(_ event: Event) {
    self.init(singleOf: event)
    if event.recurrence != nil || event.identity.includesFollowing {
      widen(event)
    }
  }

  /// The span of the component itself, without its recurrence.
  private init?(singleOf event: Event) {
    guard let start = event.start else { return nil }
    let moment = Self.moment(start)
    begin = moment
    end = Self.end(of: start, from: moment, event.extent)
    if let due = event.due {
      let moment = Self.moment(due)
      begin = min(begin, moment)
      // It is listed all through the day on which it is due.
      end = max(end, due.isDate ? moment + secondsOfDay : moment)
    }
  }

  private static func moment(_ time: EventTime) -> Int {
    switch time {
    case .zoned(let civil, let zone): zone.instant(of: civil).secondsSinceEpoch
    default: StoredTime(time).roughMoment
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

  /// Series: to the last moment that the rules and dates can give.
  private mutating func widen(_ event: Event) {
    guard !event.identity.includesFollowing else {
      (begin, end) = (.min, .max)
      return
    }
    let series = Series(event)
    let dueDay = event.kind == .task ? secondsOfDay : 0
    begin = min(begin, series.firstMoment?.secondsSinceEpoch ?? .min)
    end = max(end, series.lastMoment?.adding(seconds: dueDay).secondsSinceEpoch ?? .max)
  }
}

extension EventDuration {
  /// To within what a change of the clocks makes; held to a thousand years.
  var roughSeconds: Int {
    let limit = 366_000
    return max(-limit, min(limit, days)) * secondsOfDay
      + max(-limit * secondsOfDay, min(limit * secondsOfDay, seconds))
  }
}
