internal import CivilTime
internal import Recurrence

/// The starts of different events, found by a start that can be written in another form.
struct NamedStarts {
  private enum Form: Hashable {
    case date, floating, moment

    init(_ time: EventTime) {
      switch time {
      case .date: self = .date
      case .floating: self = .floating
      case .zoned, .utc: self = .moment
      }
    }
  }

  private struct LocalTime: Hashable {
    let form: Form
    let civil: CivilDateTime
  }

  private struct Day: Hashable {
    let form: Form
    let date: CivilDate
  }

  private var starts: Set<ComparedStart> = []
  private var byLocalTime: [LocalTime: Set<ComparedStart>] = [:]
  private var byDay: [Day: Set<ComparedStart>] = [:]

  var count: Int { starts.count }

  mutating func add(_ start: EventTime) {
    let compared = ComparedStart(start)
    let form = Form(start)
    starts.insert(compared)
    byLocalTime[LocalTime(form: form, civil: start.civil), default: []].insert(compared)
    byDay[Day(form: form, date: start.civil.date), default: []].insert(compared)
  }

  /// The starts that a time means: the same one, or, if only one of the two is floating, those with
  /// the same local time. A date means all of that date. So do a floating time and a moment that
  /// cannot be compared otherwise, because the zone of a floating time can be the viewer's.
  func named(by time: EventTime) -> Set<ComparedStart> {
    let compared = ComparedStart(time)
    if starts.contains(compared) { return [compared] }
    func sameTime(_ form: Form) -> Set<ComparedStart>? {
      byLocalTime[LocalTime(form: form, civil: time.civil)]
    }
    func sameDate(_ forms: Form...) -> Set<ComparedStart> {
      forms.reduce(into: []) {
        $0.formUnion(byDay[Day(form: $1, date: time.civil.date)] ?? [])
      }
    }
    switch Form(time) {
    case .date: return sameDate(.floating, .moment)
    case .floating: return sameTime(.moment) ?? sameDate(.date, .moment)
    case .moment: return sameTime(.floating) ?? sameDate(.date, .floating)
    }
  }
}
