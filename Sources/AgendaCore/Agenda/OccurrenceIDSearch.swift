package import CivilTime
internal import Recurrence

/// Rules out series that have no occurrence with an identifier in a window, without computing their
/// occurrences.
///
/// A rule that only chooses dates gives each occurrence the time of day of DTSTART. So it is enough
/// to compute the identifier for every day of the window, even for days on which the rule has no
/// occurrence. That takes about a hundredth of the time.
package struct OccurrenceIDSearch {
  private let id: OccurrenceID
  private let window: DateWindow
  /// The starts on all days of the window, by the earliest start.
  private var startsOnDays: [EventTime: [EventTime]] = [:]

  /// Zones differ by about a day at most, and the start of the day before can be in the window.
  private static let margin = 2

  package init(for id: OccurrenceID, in window: DateWindow) {
    self.id = id
    self.window = window
  }

  /// Whether no occurrence in the window has the identifier, if that is quick to decide; otherwise
  /// false.
  package mutating func surelyMisses(_ series: Series) -> Bool {
    let master = series.master
    let stem = OccurrenceID.Stem(master)
    if series.isSingle {
      return OccurrenceID(recurrenceID: master.identity.recurrenceID, stem: stem) != id
    }
    guard master.kind == .event, series.overrides.isEmpty, let start = master.start,
      let recurrence = master.recurrence, !recurrence.rules.isEmpty, recurrence.dates.isEmpty,
      recurrence.rules.allSatisfy({ $0.keepsTimeOfDay }), let set = series.recurrenceSet
    else { return false }
    let daysBefore = set.longest(viewer: window.zone) / TimeOfDay.secondsPerCivilDay + Self.margin
    guard let first = window.firstDay.adding(days: -daysBefore) else { return false }
    let id = id
    let starts = starts(like: start, from: first)
    let step = recurrence.rules.count == 1 ? recurrence.rules[0].leastDaysApart : 1
    // No occurrence is before DTSTART.
    let begin = first.days(until: start.civil.date)
    let places = stride(
      from: begin < 0 ? (begin % step + step) % step : begin, to: starts.count, by: step)
    return !places.contains { OccurrenceID(recurrenceID: starts[$0], stem: stem) == id }
  }

  /// Times with the time of day of `start`, on each day from `first` to the end of the window.
  private mutating func starts(like start: EventTime, from first: CivilDate) -> [EventTime] {
    let earliest = start.at(CivilDateTime(first, start.civil.time))
    if let known = startsOnDays[earliest] { return known }
    let last = window.dayAfterLast.adding(days: Self.margin) ?? .last
    let starts = (0...first.days(until: last)).compactMap { days -> EventTime? in
      guard let date = first.adding(days: days) else { return nil }
      let time = start.at(CivilDateTime(date, start.civil.time))
      // The identifier is the same for the moment in UTC, and the zone is looked up once.
      return time.zone == nil ? time : .utc(time.instant(for: .utc).utc)
    }
    startsOnDays[earliest] = starts
    return starts
  }
}

extension Rule {
  /// Whether all of its occurrences have the time of day of DTSTART.
  fileprivate var keepsTimeOfDay: Bool {
    frequency >= .daily && byHour.isEmpty && byMinute.isEmpty && bySecond.isEmpty
  }

  /// All of its dates are a multiple of this number of days after DTSTART.
  fileprivate var leastDaysApart: Int {
    switch frequency {
    case .daily: interval
    case .weekly where byDay.isEmpty: Weekday.allCases.count * interval
    default: 1
    }
  }
}
