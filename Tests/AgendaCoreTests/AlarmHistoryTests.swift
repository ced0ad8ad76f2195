import AgendaCore
import CivilTime
import Recurrence
import Testing

/// Which alarms are shown, whatever the program, the computer and its clock do.
@Suite struct AlarmHistoryTests {
  /// 12:00 UTC.
  private static let noon = Instant(secondsSinceEpoch: 1_795_262_400)

  private func after(_ minutes: Int) -> Instant { Self.noon.adding(seconds: minutes * 60) }

  /// An alarm so many minutes after noon, of an event with these minutes as its begin and end.
  private func alarm(_ uid: String, at minutes: Int, _ begin: Int, _ end: Int) -> DueAlarm {
    let occurrence = Occurrence(
      event: AgendaSample.event(uid, uid: uid), start: .utc(after(begin).utc), begin: after(begin),
      finish: after(end), allDay: nil, recurrenceID: nil)
    return DueAlarm(
      occurrence: occurrence, alarm: Alarm(action: "display", trigger: .at(after(minutes))),
      moment: after(minutes), repetition: 0)
  }

  private func due(
    _ history: inout AlarmHistory, _ alarms: [DueAlarm], at minutes: Int
  ) -> [String] {
    history.due(among: alarms, at: after(minutes)).map(\.occurrence.event.title)
  }

  @Test("each alarm is shown once, when it goes off")
  func once() {
    let alarms = [alarm("a", at: 5, 15, 45), alarm("b", at: 20, 20, 20)]
    var history = AlarmHistory()
    var shown: [String] = []
    for minute in 0...60 { shown += due(&history, alarms, at: minute).map { "\(minute) \($0)" } }
    #expect(shown == ["5 a", "20 b"])
    #expect(AlarmHistory().next(among: alarms, after: after(0)) == after(5))
    #expect(history.next(among: alarms, after: after(60)) == nil)
  }

  @Test("a first run shows what is still useful, and a later one also what it missed")
  func late() {
    let alarms = [
      alarm("over", at: -120, -110, -100), alarm("running", at: -40, -30, 30),
      alarm("soon", at: -5, 5, 35), alarm("yesterday", at: -24 * 60 - 1, 60, 90),
    ]
    var first = AlarmHistory()
    #expect(due(&first, alarms, at: 0) == ["running", "soon"])
    #expect(due(&first, alarms, at: 1) == [])
    var later = AlarmHistory(lastCheck: after(-130))
    #expect(due(&later, alarms, at: 0) == ["over", "running", "soon"])
    // An event that is added after its end is no news.
    var knowing = AlarmHistory(lastCheck: after(-90))
    #expect(due(&knowing, alarms, at: 0) == ["running", "soon"])
  }

  // Checks limit: AlarmHistory.longestDelay
  @Test("an alarm is shown at most a day late")
  func longestDelay() {
    for (minutes, shown) in [(24 * 60 - 1, ["a"]), (24 * 60, []), (24 * 60 + 1, [])] {
      var history = AlarmHistory(lastCheck: after(-60))
      #expect(due(&history, [alarm("a", at: 0, 0, 7 * 24 * 60)], at: minutes) == shown)
    }
  }

  @Test("a clock that is set back or was years ahead shows nothing twice and hides nothing")
  func clock() {
    let alarms = [alarm("a", at: 5, 15, 45), alarm("b", at: 70, 80, 90)]
    var history = AlarmHistory()
    #expect(due(&history, alarms, at: 10) == ["a"])
    // An hour back, and again past the alarm.
    for minute in [-50, 0, 5, 10, 60] { #expect(due(&history, alarms, at: minute) == []) }
    #expect(due(&history, alarms, at: 70) == ["b"])
    var ahead = AlarmHistory(lastCheck: after(3 * 365 * 24 * 60))
    #expect(due(&ahead, alarms, at: 10) == ["a"])
    #expect(due(&ahead, alarms, at: 75) == ["b"])
  }

  @Test("an alarm that is put off comes back once, also much later")
  func snooze() {
    let alarms = [alarm("a", at: 5, 15, 45)]
    var history = AlarmHistory()
    #expect(due(&history, alarms, at: 5) == ["a"])
    history.snooze(AlarmHistory.Key(alarms[0]), until: after(15))
    #expect(history.next(among: alarms, after: after(6)) == after(15))
    #expect(history.span(at: after(6), lookingAhead: 60).contains(after(5)))
    for minute in [6, 14] { #expect(due(&history, alarms, at: minute) == []) }
    #expect(due(&history, alarms, at: 15) == ["a"])
    #expect(due(&history, alarms, at: 16) == [])
    history.snooze(AlarmHistory.Key(alarms[0]), until: after(26 * 60))
    #expect(history.span(at: after(26 * 60), lookingAhead: 60).contains(after(5)))
    #expect(due(&history, alarms, at: 25 * 60) == [])
    #expect(due(&history, alarms, at: 26 * 60) == ["a"])
    #expect(due(&history, alarms, at: 26 * 60 + 1) == [])
  }

  @Test("two alarms of an event at one time are shown once; a moved event has new alarms")
  func same() {
    var history = AlarmHistory()
    let twice = [alarm("a", at: 5, 15, 45), alarm("a", at: 5, 15, 45)]
    #expect(due(&history, twice, at: 5) == ["a"])
    #expect(due(&history, twice + [alarm("a", at: 6, 16, 46)], at: 6) == ["a"])
  }

  @Test("what cannot be shown any more is forgotten")
  func forgetting() {
    var history = AlarmHistory()
    for day in 0..<30 {
      let begin = day * 24 * 60
      _ = due(&history, [alarm("\(day)", at: begin, begin, begin + 10)], at: begin)
    }
    #expect(history.shown.count <= 2)
  }
}
