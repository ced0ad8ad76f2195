package import AgendaCore
package import CivilTime
package import Recurrence

/// Times of events in words, for a viewer.
package struct TimeWords {
  package let wording: DateWording
  package let zone: Zone

  package init(wording: DateWording, zone: Zone) {
    self.wording = wording
    self.zone = zone
  }

  package var words: Words { wording.words }

  /// `Saturday, 21 November 2026, 09:30`; a date without the time.
  package func time(_ time: EventTime) -> String {
    if case .date(let date) = time { return wording.fullDate(date) }
    let civil = zone.civil(at: time.instant(for: zone))
    return wording.dateAndTime(wording.fullDate(civil.date), wording.time(civil.time))
  }

  /// The first few of them in short form, and the number of the others.
  package func times(_ times: [EventTime]) -> String {
    let shown = times.prefix(Self.mostTimes).map { time in
      if case .date(let date) = time { return wording.shortDate(date) }
      let civil = zone.civil(at: time.instant(for: zone))
      return wording.dateAndTime(wording.shortDate(civil.date), wording.time(civil.time))
    }
    let more = times.count - shown.count
    let rest = more > 0 ? [wording.count(words.entries.more, more)] : []
    return (shown + rest).joined(separator: words.lists.semicolon)
  }

  /// The time of an occurrence: `Saturday, 21 November 2026, 09:30–09:45 (15 min)`.
  package func span(of occurrence: Occurrence) -> String {
    if occurrence.isUndated { return words.groups.noDate }
    if let days = occurrence.allDay { return span(of: days) }
    let begin = zone.civil(at: occurrence.begin)
    let date = wording.fullDate(begin.date)
    guard occurrence.finish > occurrence.begin else {
      return wording.dateAndTime(date, wording.time(begin.time))
    }
    let finish = zone.civil(at: occurrence.finish)
    let length = wording.duration(
      seconds: occurrence.finish.secondsSinceEpoch - occurrence.begin.secondsSinceEpoch)
    if finish.date == begin.date {
      let range = wording.timeRange(begin.time, finish.time)
      return "\(wording.dateAndTime(date, range)) (\(length))"
    }
    let start = wording.dateAndTime(date, wording.time(begin.time))
    let end = wording.dateAndTime(wording.fullDate(finish.date), wording.time(finish.time))
    return "\(start) – \(end) (\(length))"
  }

  private func span(of days: Range<CivilDate>) -> String {
    let first = wording.fullDate(days.lowerBound)
    let last = days.upperBound.adding(days: -1) ?? days.lowerBound
    if last <= days.lowerBound { return wording.dateAndTime(first, words.entries.allDay) }
    let count = days.lowerBound.days(until: days.upperBound)
    let end = wording.dateAndTime(wording.fullDate(last), words.entries.allDay)
    return "\(first) – \(end) (\(wording.count(words.durations.days, count)))"
  }

  /// `every month on the second Tuesday until 3 May 2027`
  package func words(for rule: Rule, of event: Event) -> String {
    RuleInWords(rule, start: event.start, wording: wording).description
  }

  /// A title on one line, or the words for a missing title.
  package func title(of event: Event) -> String {
    let title = SafeText.line(event.title)
    return title.isEmpty ? "(\(words.entries.noTitle))" : title
  }

  /// If there are more, the rest is only counted.
  private static let mostTimes = 5
}
