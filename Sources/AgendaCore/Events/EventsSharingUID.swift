internal import CivilTime
internal import Recurrence

/// Different events with one UID that a calendar shows (see `ComponentVersions`). A message names one
/// of them by its DTSTART.
struct EventsSharingUID {
  private struct Place: Hashable {
    let source: Int
    let start: ComparedStart
  }

  private var starts = NamedStarts()
  private var masters: [Place: [Int]] = [:]
  private var overrides: [Place: [Int]] = [:]

  /// `nil` if the calendar shows only one event, or only events with one start. `sources` are those of
  /// one calendar; the calendar shows the masters with the SEQUENCE `shownSequence`.
  init?(_ sources: [NamedComponents.Members], shownSequence: Int, of events: [Event]) {
    let shown = sources.flatMap(\.masters).filter {
      events[$0].version.sequence == shownSequence
    }
    guard shown.count > 1 else { return nil }
    for index in shown {
      if let start = events[index].start { starts.add(start) }
    }
    guard starts.count > 1 else { return nil }
    let owners = OverrideOwners(shown, of: events)
    var looks = OverrideOwners.mostLooks
    for members in sources {
      for index in members.masters {
        guard let start = events[index].start else { continue }
        let place = Place(source: members.source, start: ComparedStart(start))
        masters[place, default: []].append(index)
      }
      for index in members.allOverrides {
        guard let owner = owners.owner(of: events[index], looks: &looks),
          let start = events[owner].start
        else { continue }
        let place = Place(source: members.source, start: ComparedStart(start))
        overrides[place, default: []].append(index)
      }
    }
  }

  /// The masters of a source that begin at the DTSTART of a message, and their overrides. `nil` if
  /// none of the events begins then: the message is about all of them.
  func targets(of message: Event, in source: Int) -> (masters: [Int], overrides: [Int])? {
    guard let named = message.start.map(starts.named), !named.isEmpty else { return nil }
    let places = named.map { Place(source: source, start: $0) }
    return (
      places.flatMap { masters[$0] ?? [] }.sorted(), places.flatMap { overrides[$0] ?? [] }.sorted()
    )
  }
}

/// The starts of different events, found by a start that can be written in another form.
private struct NamedStarts {
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
