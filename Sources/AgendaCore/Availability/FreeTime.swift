public import CivilTime

/// Finds the free time within the working hours of a window's days.
///
///     let free = FreeTime(begin: nine, finish: five).slots(in: window, around: occurrences)
public struct FreeTime: Sendable {
  /// When a working day begins.
  package var begin: TimeOfDay
  /// When it ends; `nil` for the end of the day.
  package var finish: TimeOfDay?
  /// Whether only Monday to Friday are searched.
  package var isOnWeekdaysOnly: Bool
  /// The smallest number of seconds that counts as free time.
  package var shortest: Int
  /// Times before this moment are never listed as free.
  package var earliest: Instant
  /// Whether an all-day entry makes its days busy.
  package var countsWholeDays: Bool

  /// Working hours from `begin` to `finish` of each day, with any length of free time.
  public init(
    begin: TimeOfDay, finish: TimeOfDay?, isOnWeekdaysOnly: Bool = false, shortest: Int = 1,
    earliest: Instant = Instant(secondsSinceEpoch: .min), countsWholeDays: Bool = false
  ) {
    self.begin = begin
    self.finish = finish
    self.isOnWeekdaysOnly = isOnWeekdaysOnly
    self.shortest = shortest
    self.earliest = earliest
    self.countsWholeDays = countsWholeDays
  }

  /// A stretch of free time within one day.
  public struct Slot: Hashable, Sendable {
    /// The day that the free time belongs to.
    public let day: CivilDate
    /// The moment at which the free time begins.
    public let begin: Instant
    /// The moment at which the free time ends.
    public let finish: Instant

    /// The length of the free time in seconds.
    public var seconds: Int { finish.secondsSinceEpoch - begin.secondsSinceEpoch }
  }

  /// The free time in chronological order, in whole minutes. Transparent events (TRANSP:TRANSPARENT) and cancelled ones
  /// leave their time free. `busy` lists busy times without an event (VFREEBUSY).
  public func slots(
    in window: DateWindow, around occurrences: [Occurrence], busy: [Range<Instant>] = []
  ) -> [Slot] {
    let busy = BusyTime(occurrences, countsWholeDays: countsWholeDays, and: busy).spans
    var slots: [Slot] = []
    var nextBusy = 0
    var day = window.firstDay
    while day < window.dayAfterLast {
      defer { day = day.adding(days: 1) ?? window.dayAfterLast }
      if isOnWeekdaysOnly, day.weekday == .saturday || day.weekday == .sunday { continue }
      let dayEnd = window.zone.startOfDay(day.adding(days: 1) ?? window.dayAfterLast)
      let opening = max(window.zone.instant(of: CivilDateTime(day, begin)), earliest)
      let closing = min(
        finish.map { window.zone.instant(of: CivilDateTime(day, $0)) } ?? dayEnd, dayEnd)
      var free = opening
      while nextBusy < busy.count, busy[nextBusy].upperBound <= opening { nextBusy += 1 }
      var index = nextBusy
      while index < busy.count, busy[index].lowerBound < closing {
        append(free, min(busy[index].lowerBound, closing), of: day, to: &slots)
        free = max(free, busy[index].upperBound)
        index += 1
      }
      append(free, closing, of: day, to: &slots)
    }
    return slots
  }

  private func append(
    _ begin: Instant, _ finish: Instant, of day: CivilDate, to slots: inout [Slot]
  ) {
    guard begin < finish else { return }
    // A meeting at 14:00:33 helps nobody.
    let slot = Slot(
      day: day, begin: begin.adding(seconds: -1).minute.adding(seconds: 60), finish: finish.minute)
    if slot.seconds >= max(1, shortest) { slots.append(slot) }
  }
}

/// Busy times in order, joined if they overlap or touch.
package struct BusyTime {
  package let spans: [Range<Instant>]

  package init(
    _ occurrences: [Occurrence], countsWholeDays: Bool, and others: [Range<Instant>] = []
  ) {
    var spans = others
    for occurrence in occurrences
    where occurrence.takesTime && (countsWholeDays || occurrence.allDay == nil) {
      spans.append(occurrence.begin..<occurrence.finish)
    }
    spans.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    var joined: [Range<Instant>] = []
    for span in spans {
      if let last = joined.last, span.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
      } else {
        joined.append(span)
      }
    }
    self.spans = joined
  }
}

extension Instant {
  /// The beginning of its minute.
  fileprivate var minute: Instant {
    let second = secondsSinceEpoch % 60
    return adding(seconds: second < 0 ? -second - 60 : -second)
  }
}

extension Occurrence {
  /// Whether the event makes its time busy.
  var takesTime: Bool {
    event.kind == .event && !event.isTransparent && event.status != .cancelled && begin < finish
  }
}
