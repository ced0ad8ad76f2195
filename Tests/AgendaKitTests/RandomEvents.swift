import AgendaKit
import TestSupport

/// Events of November 2026 in UTC, many of which share their times, titles and calendars.
struct RandomEvents {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  static let titles = ["Stand-up", "Dentist", "Choir", "Trip", "Émile", ""]
  static let calendars = ["work", "home", "family"]

  mutating func event(uid: String) -> Event {
    let day = CivilDate.first.adding(years: 2025)?.adding(months: 10)?
      .adding(days: Int.random(in: 0..<6, using: &random))
    let date = day ?? .first
    let lengthInDays = Int.random(in: 0..<3, using: &random)
    let start: EventTime
    let extent: Extent
    if Int.random(in: 0..<3, using: &random) == 0 {
      start = .date(date)
      extent = .duration(EventDuration(days: 1 + lengthInDays, seconds: 0))
    } else {
      let hour = Int.random(in: 8..<12, using: &random)
      start = .utc(CivilDateTime(date, TimeOfDay(hour: hour, minute: 0) ?? .midnight))
      let isLong = Int.random(in: 0..<4, using: &random) == 0
      extent = .duration(
        EventDuration(days: 0, seconds: isLong ? 40 * 3600 : 1800 * lengthInDays))
    }
    return Event(
      uid: uid, title: Self.titles.randomElement(using: &random) ?? "", start: start,
      extent: extent, calendar: Self.calendars.randomElement(using: &random) ?? "")
  }

  mutating func events(_ count: Int) -> [Event] {
    (0..<count).map { event(uid: "\($0)") }
  }

  /// The same events with some changed, removed or added.
  mutating func changed(_ events: [Event]) -> [Event] {
    var changed: [Event] = []
    for original in events {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: break
      case 1: changed.append(event(uid: original.identity.uid))
      case 2:
        var other = original
        other.title = Self.titles.randomElement(using: &random) ?? ""
        changed.append(other)
      case 3:
        var other = original
        other.location = "Room \(Int.random(in: 1..<4, using: &random))"
        changed.append(other)
      default: changed.append(original)
      }
    }
    for number in 0..<Int.random(in: 0..<3, using: &random) {
      changed.append(event(uid: "new \(number)"))
    }
    if Int.random(in: 0..<4, using: &random) == 0 { changed.shuffle(using: &random) }
    return changed
  }

  static func window() -> DateWindow? {
    CivilDate(year: 2026, month: 11, day: 1).flatMap {
      DateWindow(firstDay: $0, length: .days(7), zone: .utc)
    }
  }
}
