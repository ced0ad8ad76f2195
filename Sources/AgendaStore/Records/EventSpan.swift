internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// The time in which a component can be shown, in seconds since 1970, with dates and floating times
/// read as UTC. A query extends its window by `margin` to allow for that.
struct EventSpan: Hashable {
  var begin: Int
  var end: Int

  /// The most by which dates and floating times can differ for a viewer (UTC−12 to UTC+14), or a
  /// zone's rules can change after the import.
  static let margin = secondsOfDay

  /// Spans are sorted into classes by the power of two of days that they fit into. So an index on
  /// (class, begin) finds the spans that touch a window without looking at those that ended long
  /// ago.
  static let longestClass = 20

  /// The greatest length of a span of that class; `nil` for the last class, which has all longer
  /// ones.
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
      // A task is listed during the whole day on which it is due.
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

  /// Extends the span of a series to the last moment that its rules and dates allow.
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
  /// Exact except for changes of the clocks, and limited to a thousand years.
  var roughSeconds: Int {
    let limit = 366_000
    return max(-limit, min(limit, days)) * secondsOfDay
      + max(-limit * secondsOfDay, min(limit * secondsOfDay, seconds))
  }
}
