public import CivilTime
internal import Recurrence

/// A moment at which an alarm of an occurrence goes off.
public struct DueAlarm: Sendable {
  /// The occurrence that the alarm belongs to.
  public let occurrence: Occurrence
  /// The alarm as the calendar defines it.
  public let alarm: Alarm
  /// The moment at which the alarm goes off.
  public let moment: Instant
  /// 0 for the alarm itself, 1 for its first repetition, and so on.
  package let repetition: Int

  package init(occurrence: Occurrence, alarm: Alarm, moment: Instant, repetition: Int) {
    self.occurrence = occurrence
    self.alarm = alarm
    self.moment = moment
    self.repetition = repetition
  }

  /// The most repetitions of one alarm; further ones are left out.
  package static let mostRepetitions = 1_000

  /// Gives the times in `span` at which an alarm of an occurrence goes off, until `limit` times were
  /// looked at. Returns how many that were, one more than `limit` if there are more.
  package static func forEach(
    _ alarm: Alarm, of occurrence: Occurrence, in span: Range<Instant>, viewer: Zone,
    atMost limit: Int, _ body: (DueAlarm) -> Void
  ) -> Int {
    var moment = moment(of: alarm, for: occurrence, viewer: viewer)
    // RFC 9074 6.1.
    if let acknowledged = alarm.acknowledged, moment <= acknowledged { return 1 }
    let last = alarm.interval == nil ? 0 : min(max(0, alarm.repetitions), mostRepetitions)
    var repetition = 0
    if let interval = alarm.interval, interval.days == 0, interval.seconds > 0,
      moment < span.lowerBound
    {
      let seconds = span.lowerBound.secondsSinceEpoch - moment.secondsSinceEpoch
      repetition = (seconds + interval.seconds - 1) / interval.seconds
      guard repetition <= last else { return 1 }
      moment = moment.adding(seconds: repetition * interval.seconds)
    }
    var looks = 1
    while looks <= limit {
      if span.contains(moment) {
        body(
          DueAlarm(occurrence: occurrence, alarm: alarm, moment: moment, repetition: repetition))
      }
      guard repetition < last, let interval = alarm.interval else { return looks }
      // What follows is later still, so that the rest cannot be in the span.
      if moment >= span.upperBound, interval.days >= 0, interval.seconds >= 0 { return looks }
      moment = later(moment, by: interval, zone: occurrence.start.zone ?? viewer)
      repetition += 1
      looks += 1
    }
    return looks
  }

  /// The span in which an alarm with a fixed moment can go off, or a longer one; `nil` for all
  /// others.
  package static func span(ofFixed alarm: Alarm) -> ClosedRange<Instant>? {
    guard case .at(let moment) = alarm.trigger else { return nil }
    let repeating = roughRepetition(of: alarm)
    return moment.adding(seconds: min(0, repeating))...moment.adding(seconds: max(0, repeating))
  }

  /// The approximate time from the first to the last repetition.
  private static func roughRepetition(of alarm: Alarm) -> Int {
    guard let interval = alarm.interval, alarm.repetitions > 0 else { return 0 }
    let length = roughSeconds(interval) &* min(alarm.repetitions, mostRepetitions)
    return length + (length < 0 ? -slack(interval) : slack(interval))
  }

  /// The greatest difference between a duration and its approximate length: days follow the clocks.
  private static func slack(_ duration: EventDuration) -> Int {
    duration.days == 0 ? 60 : TimeOfDay.secondsPerCivilDay
  }

  /// The greatest distance of these alarms before their occurrence and after its end, in seconds.
  /// The result can be too large, but never too small. `nil` if none of them moves with an
  /// occurrence.
  package static func reach(of alarms: some Sequence<Alarm>) -> (before: Int, after: Int)? {
    var reach: (before: Int, after: Int)?
    for alarm in alarms {
      let offset: EventDuration
      switch alarm.trigger {
      case .at: continue
      case .fromStart(let duration), .fromEnd(let duration): offset = duration
      }
      let repeating = roughRepetition(of: alarm)
      let first = roughSeconds(offset) + min(0, repeating) - slack(offset)
      let last = roughSeconds(offset) + max(0, repeating) + slack(offset)
      reach = (max(reach?.before ?? 0, -first), max(reach?.after ?? 0, last))
    }
    return reach
  }

  /// RFC 5545 3.8.6.3: days are nominal, the rest is exact.
  private static func moment(
    of alarm: Alarm, for occurrence: Occurrence, viewer: Zone
  ) -> Instant {
    let zone = occurrence.start.zone ?? viewer
    switch alarm.trigger {
    case .fromStart(let duration): return later(occurrence.begin, by: duration, zone: zone)
    case .fromEnd(let duration): return later(occurrence.finish, by: duration, zone: zone)
    case .at(let instant): return instant
    }
  }

  private static func later(_ moment: Instant, by duration: EventDuration, zone: Zone) -> Instant {
    guard duration.days != 0 else { return moment.adding(seconds: duration.seconds) }
    let civil = zone.civil(at: moment)
    guard let date = civil.date.adding(days: duration.days) else { return moment }
    return zone.instant(of: CivilDateTime(date, civil.time)).adding(seconds: duration.seconds)
  }

  private static func roughSeconds(_ duration: EventDuration) -> Int {
    let (days, overflow) = duration.days.multipliedReportingOverflow(
      by: TimeOfDay.secondsPerCivilDay)
    let limit = 10_000 * 366 * TimeOfDay.secondsPerCivilDay
    if overflow { return duration.days < 0 ? -limit : limit }
    let (sum, sumOverflow) = days.addingReportingOverflow(duration.seconds)
    if sumOverflow { return duration.seconds < 0 ? -limit : limit }
    return min(max(sum, -limit), limit)
  }
}
