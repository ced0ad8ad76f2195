/// The days that an agenda covers: from the start of its first day to the start of the day after
/// its last, in one zone. Half-open: what begins at `end` is outside.
///
/// In a zone that left its first date out, it begins at the next moment that there is.
public struct DateWindow: Hashable, Sendable {
  public let firstDay: CivilDate
  /// The day after the last one; after 9999-12-31 it is a date that no event can have.
  public let dayAfterLast: CivilDate
  public let zone: Zone
  /// The first instant of the first day.
  public let start: Instant
  /// The first instant after the last day.
  public let end: Instant

  /// `nil` if the last day would come before the first.
  public init?(firstDay: CivilDate, dayAfterLast: CivilDate, zone: Zone) {
    guard firstDay < dayAfterLast else { return nil }
    self.firstDay = firstDay
    self.dayAfterLast = dayAfterLast
    self.zone = zone
    start = zone.startOfDay(firstDay)
    end = zone.startOfDay(dayAfterLast)
  }

  /// How long a window is, by calendar arithmetic.
  public enum Length: Hashable, Sendable {
    case days(Int)
    case weeks(Int)
    case months(Int)
    case years(Int)
  }

  /// One year from 2028-02-29 ends where 2029-02-28 begins. `nil` if the length is not at least one
  /// day or the window would leave the years 1 to 9999.
  public init?(firstDay: CivilDate, length: Length, zone: Zone) {
    guard let end = Self.end(of: firstDay, length) else { return nil }
    self.init(firstDay: firstDay, dayAfterLast: end, zone: zone)
  }

  /// From a day to the end of the calendar, 9999-12-31 included.
  public init(from firstDay: CivilDate, zone: Zone) {
    self.firstDay = firstDay
    dayAfterLast = .afterLast
    self.zone = zone
    start = zone.startOfDay(firstDay)
    end = zone.startOfDay(.afterLast)
  }

  private static func end(of firstDay: CivilDate, _ length: Length) -> CivilDate? {
    let end =
      switch length {
      case .days(let count): firstDay.adding(days: count)
      case .weeks(let count): firstDay.adding(weeks: count)
      case .months(let count): firstDay.adding(months: count)
      case .years(let count): firstDay.adding(years: count)
      }
    return end ?? (endsWithCalendar(firstDay, length) ? .afterLast : nil)
  }

  /// 9999-12-31 is the last date.
  private static func endsWithCalendar(_ firstDay: CivilDate, _ length: Length) -> Bool {
    let daysLeft = firstDay.days(until: .afterLast)
    let (year, month, day) = firstDay.components
    let monthsLeft = (10_000 - year) * 12 - (month - 1)
    return switch length {
    case .days(let count): count == daysLeft
    case .weeks(let count): daysLeft % 7 == 0 && count == daysLeft / 7
    case .months(let count): day == 1 && count == monthsLeft
    case .years(let count): day == 1 && month == 1 && count == monthsLeft / 12
    }
  }

  /// Whether what lasts from `begin` to before `finish` touches the window; what has no length
  /// touches the day that it is on. Nothing touches the window of a date that the zone skips.
  @inlinable
  public func touches(_ begin: Instant, _ finish: Instant) -> Bool {
    begin < end && start < end && (finish > start || (begin >= start && finish == begin))
  }

  /// The same for whole days, `finish` exclusive.
  @inlinable
  public func touches(_ begin: CivilDate, _ finish: CivilDate) -> Bool {
    begin < dayAfterLast && (finish > firstDay || (begin >= firstDay && finish == begin))
  }

  /// The days of the window that [begin, finish) touches, in order, without those that the zone
  /// left out. What ends at the start of a day does not touch that day.
  public func days(touchedBy begin: Instant, _ finish: Instant) -> [CivilDate] {
    guard touches(begin, finish) else { return [] }
    let from = max(firstDay, zone.day(holding: begin))
    let last = finish > begin ? zone.day(holding: finish.adding(seconds: -1)) : from
    return dates(from: from, before: last.adding(days: 1)).filter(zone.hasDay)
  }

  /// The same for whole days, `finish` exclusive; dates are the same everywhere.
  public func days(touchedBy begin: CivilDate, _ finish: CivilDate) -> [CivilDate] {
    guard touches(begin, finish) else { return [] }
    let from = max(firstDay, begin)
    return dates(from: from, before: finish > begin ? finish : from.adding(days: 1))
  }

  private func dates(from: CivilDate, before finish: CivilDate?) -> [CivilDate] {
    let finish = min(finish ?? dayAfterLast, dayAfterLast)
    guard from < finish else { return [] }
    return (Int(from.dayNumber)..<Int(finish.dayNumber)).compactMap(CivilDate.init(dayNumber:))
  }
}
