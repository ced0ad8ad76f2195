package import CivilTime
internal import Recurrence

/// An alarm of an occurrence, going off once.
package struct DueAlarm: Sendable {
  package let occurrence: Occurrence
  package let alarm: Alarm
  /// When it goes off.
  package let moment: Instant
  /// 0 for the alarm itself, then its repetitions.
  package let repetition: Int

  /// How often one alarm repeats at most; the rest is left out.
  package static let mostRepetitions = 1_000

  /// The times in `span` at which the alarms of an occurrence go off, in no order.
  package static func all(
    of occurrence: Occurrence, alarms: [Alarm], in span: Range<Instant>, viewer: Zone
  ) -> [DueAlarm] {
    var due: [DueAlarm] = []
    for alarm in alarms {
      guard let first = moment(of: alarm, for: occurrence, viewer: viewer) else { continue }
      var moment = first
      for repetition in 0...min(max(0, alarm.repetitions), mostRepetitions) {
        if repetition > 0 {
          guard let interval = alarm.interval else { break }
          moment = later(moment, by: interval, zone: occurrence.start.zone ?? viewer)
        }
        if span.contains(moment) {
          due.append(
            DueAlarm(
              occurrence: occurrence, alarm: alarm, moment: moment, repetition: repetition))
        }
      }
    }
    return due
  }

  /// How far before its occurrence the first of these alarms, and how far after its end the last one
  /// can be, in seconds and on the safe side; `nil` where none of them moves with an occurrence.
  package static func reach(of alarms: [Alarm]) -> (before: Int, after: Int)? {
    var reach: (before: Int, after: Int)?
    for alarm in alarms {
      let offset: Int
      switch alarm.trigger {
      case .at: continue
      case .fromStart(let duration), .fromEnd(let duration): offset = roughSeconds(duration)
      }
      let repeats = min(max(0, alarm.repetitions), mostRepetitions)
      let last = offset &+ (alarm.interval.map(roughSeconds) ?? 0) &* repeats
      let day = TimeOfDay.secondsPerCivilDay
      reach = (
        max(reach?.before ?? 0, max(0, -offset) + day), max(reach?.after ?? 0, max(0, last) + day)
      )
    }
    return reach
  }

  /// RFC 5545 3.8.6.3: days are nominal, the rest is exact.
  private static func moment(
    of alarm: Alarm, for occurrence: Occurrence, viewer: Zone
  ) -> Instant? {
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
