internal import CivilTime

/// The half hours of some days, as lines of a grid that all days share.
///
/// A line is a time on the clock. If a day skips a half hour (clocks go forward), the line stays
/// empty on that day. If a day has it twice (clocks go back), it has a second line, which only that
/// day uses.
struct WeekSlots {
  struct Slot: Hashable {
    /// Minutes since midnight on the clock.
    let minute: Int
    /// Whether clocks show this time for the second time.
    let isSecond: Bool

    var beginsHour: Bool { minute % 60 == 0 }
  }

  static let minutes = 30

  let slots: [Slot]
  /// The start of each slot, for each day; `nil` if the day lacks it.
  private let starts: [[Instant?]]

  init(_ days: [CivilDate], zone: Zone) {
    var slots: [Slot] = []
    var repeated: [Slot] = []
    for minute in stride(from: 0, to: 24 * 60, by: Self.minutes) {
      if days.contains(where: { Self.isRepeated(minute, on: $0, zone) }) {
        repeated.append(Slot(minute: minute, isSecond: true))
      } else {
        slots += repeated
        repeated = []
      }
      slots.append(Slot(minute: minute, isSecond: false))
    }
    self.slots = slots + repeated
    starts = days.map { date in
      let start = zone.startOfDay(date)
      let end = date.adding(days: 1).map(zone.startOfDay) ?? start.adding(seconds: 24 * 60 * 60)
      return (slots + repeated).map { slot in
        Self.start(of: slot, on: date, zone).flatMap { $0 >= start && $0 < end ? $0 : nil }
      }
    }
  }

  private static func civil(_ minute: Int, on date: CivilDate) -> CivilDateTime {
    CivilDateTime(date, TimeOfDay(secondOfDay: minute * 60) ?? .midnight)
  }

  private static func isRepeated(_ minute: Int, on date: CivilDate, _ zone: Zone) -> Bool {
    if case .fold = zone.resolution(of: civil(minute, on: date)) { true } else { false }
  }

  private static func start(of slot: Slot, on date: CivilDate, _ zone: Zone) -> Instant? {
    switch zone.resolution(of: civil(slot.minute, on: date)) {
    case .unique(let instant): slot.isSecond ? nil : instant
    case .fold(let first, let second): slot.isSecond ? second : first
    case .gap: nil
    }
  }

  func has(_ slot: Int, day: Int) -> Bool { starts[day][slot] != nil }

  /// The last slot of a day that begins at or before an instant, otherwise the first one.
  func slot(holding instant: Instant, day: Int) -> Int {
    let first = starts[day].firstIndex { $0 != nil } ?? 0
    return starts[day].lastIndex { $0.map { $0 <= instant } ?? false } ?? first
  }

  /// The slots that a span touches on a day; at least one.
  func slots(from begin: Instant, to finish: Instant, day: Int) -> Range<Int> {
    let first = slot(holding: begin, day: day)
    let last = slot(holding: finish.adding(seconds: -1), day: day)
    return first..<(max(first, last) + 1)
  }
}
