internal import AgendaCore
internal import AgendaRendering
internal import CivilTime
internal import Recurrence

extension TimeWords {
  /// `10 min before the start (message)`
  func text(of alarm: Alarm) -> String {
    let phrases = words.details
    var text: String
    switch alarm.trigger {
    case .at(let instant): text = time(.utc(instant.utc))
    case .fromStart(let duration):
      text = Self.text(
        of: duration, at: phrases.atStart, before: phrases.beforeStart, after: phrases.afterStart,
        wording)
    case .fromEnd(let duration):
      text = Self.text(
        of: duration, at: phrases.atEnd, before: phrases.beforeEnd, after: phrases.afterEnd,
        wording)
    }
    text += " (\(words.keywords.text(ofAction: alarm.action)))"
    if alarm.repetitions > 0 {
      text += words.lists.comma + wording.count(phrases.again, alarm.repetitions)
    }
    return text
  }

  private static func text(
    of duration: EventDuration, at point: String, before: Phrase1, after: Phrase1,
    _ wording: DateWording
  ) -> String {
    let (days, overflow) = duration.days.multipliedReportingOverflow(
      by: TimeOfDay.secondsPerCivilDay)
    let (sum, tooLong) = days.addingReportingOverflow(duration.seconds)
    // A length beyond all calendars is shown as the longest one.
    let seconds = overflow || tooLong ? (duration.days < 0 ? Int.min : Int.max) : sum
    if seconds == 0 { return point }
    return (seconds < 0 ? before : after)(wording.duration(seconds: seconds))
  }
}
