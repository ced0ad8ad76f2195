internal import AgendaCore
internal import AgendaRendering
internal import CivilTime
internal import Recurrence

/// Times of events in words, as a viewer reads them.
struct TimeWords {
  let wording: DateWording
  let zone: Zone

  /// `Saturday, 21 November 2026, 09:30`, of a date without the time.
  func time(_ time: EventTime) -> String {
    if case .date(let date) = time { return wording.fullDate(date) }
    let civil = zone.civil(at: time.instant(for: zone))
    return "\(wording.fullDate(civil.date)), \(wording.time(civil.time))"
  }

  /// A few of them, shortly, and how many more there are.
  func times(_ times: [EventTime]) -> String {
    let shown = times.prefix(Self.mostTimes).map { time in
      if case .date(let date) = time { return wording.shortDate(date) }
      let civil = zone.civil(at: time.instant(for: zone))
      return "\(wording.shortDate(civil.date)) \(wording.time(civil.time))"
    }
    let more = times.count - shown.count
    return shown.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
  }

  /// When an occurrence is: `Saturday, 21 November 2026, 09:30–09:45 (15 min)`.
  func span(of occurrence: Occurrence) -> String {
    if let days = occurrence.allDay {
      let last = days.upperBound.adding(days: -1) ?? days.lowerBound
      if last <= days.lowerBound { return "\(wording.fullDate(days.lowerBound)), all day" }
      let count = days.lowerBound.days(until: days.upperBound)
      return
        "\(wording.fullDate(days.lowerBound)) – \(wording.fullDate(last)), all day (\(count) days)"
    }
    let begin = zone.civil(at: occurrence.begin)
    let start = "\(wording.fullDate(begin.date)), \(wording.time(begin.time))"
    guard occurrence.finish > occurrence.begin else { return start }
    let finish = zone.civil(at: occurrence.finish)
    let length = DurationWords.text(
      seconds: occurrence.finish.secondsSinceEpoch - occurrence.begin.secondsSinceEpoch)
    let end =
      finish.date == begin.date
      ? "–\(wording.time(finish.time))"
      : " – \(wording.fullDate(finish.date)), \(wording.time(finish.time))"
    return "\(start)\(end) (\(length))"
  }

  /// `every second Tuesday of the month until 3 May 2027`
  func words(for rule: Rule, of event: Event) -> String {
    RuleInWords(rule, start: event.start).description
  }

  /// More than these are only counted.
  private static let mostTimes = 5
}
