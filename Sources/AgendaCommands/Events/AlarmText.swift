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

  /// Alarms for programs.
  var list: ListFormat<DueAlarm> {
    ListFormat(
      name: "alarms",
      fields: [
        .init("alarm") { [zone = words.zone] in FieldValue($0.moment, in: zone) },
        .init("action") { .text($0.alarm.action) },
        .init("description") { FieldValue($0.alarm.description) },
        .init("repetition") { .number($0.repetition) },
      ]
        + [ListFormat<Occurrence>.Field].ofAgenda(
          [.id, .uid, .title, .start, .location, .calendar], in: words.zone
        ).of(\.occurrence),
      columns: ["alarm", "start", "title", "location", "calendar", "action", "id"])
  }
}
