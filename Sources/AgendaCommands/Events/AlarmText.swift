internal import AgendaCore
internal import AgendaRendering
internal import CivilTime

/// What is said of an alarm that goes off.
struct AlarmText {
  private let words: TimeWords
  private let today: CivilDate

  init(_ words: TimeWords, today: CivilDate) {
    self.words = words
    self.today = today
  }

  /// `Stand-up · 09:30 · Room 2`
  func line(_ alarm: DueAlarm) -> String {
    [title(alarm), time(alarm), place(alarm)].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  func title(_ alarm: DueAlarm) -> String { words.title(of: alarm.occurrence.event) }

  /// The start of the occurrence, with its date if it is not today: `09:30`.
  func time(_ alarm: DueAlarm) -> String {
    let begin = words.zone.civil(at: alarm.occurrence.begin)
    let time =
      alarm.occurrence.allDay == nil
      ? words.wording.time(begin.time) : words.words.entries.allDay
    return withDate(begin.date, time)
  }

  /// A time in words, with its date if that is not today.
  func withDate(_ date: CivilDate, _ time: String) -> String {
    if date == today { return time }
    return words.wording.dateAndTime(words.wording.shortDateWithoutYear(date), time)
  }

  /// The location; empty without one.
  func place(_ alarm: DueAlarm) -> String {
    alarm.occurrence.event.location.map(SafeText.line) ?? ""
  }

  /// A date of an all-day occurrence, otherwise RFC 3339.
  func start(_ alarm: DueAlarm) -> String {
    alarm.occurrence.allDay.map { $0.lowerBound.description }
      ?? alarm.occurrence.begin.rfc3339(in: words.zone)
  }

  /// The alarm as an object of JSON.
  func write(_ alarm: DueAlarm, to sink: inout ByteSink) {
    sink.beginObject()
    sink.field("alarm", alarm.moment.rfc3339(in: words.zone))
    sink.field("action", alarm.alarm.action)
    sink.field("description", alarm.alarm.description)
    sink.field("repetition", alarm.repetition)
    sink.field("id", OccurrenceID(of: alarm.occurrence).description)
    sink.field("uid", alarm.occurrence.event.identity.uid)
    sink.field("title", alarm.occurrence.event.title)
    sink.field("start", start(alarm))
    sink.field("location", alarm.occurrence.event.location)
    sink.field("calendar", alarm.occurrence.event.calendar)
    sink.endObject()
  }
}
