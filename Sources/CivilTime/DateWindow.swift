/// The days that an agenda covers, in one time zone.
///
/// A window reaches from the start of its first day to the start of the day after its last day. An
/// event that begins at `end` is outside. If the zone skipped the first day, the window begins at the
/// next moment that exists.
public struct DateWindow: Hashable, Sendable {
  /// The first day.
  public let firstDay: CivilDate
  /// The day after the last day. After 9999-12-31, it is a date that no event can have.
  public let dayAfterLast: CivilDate
  /// The zone in which the days begin.
  public let zone: Zone
  /// The moment at which the first day begins.
  public let start: Instant
  /// The moment at which the last day is over.
  public let end: Instant

  /// The days from `firstDay` to the day before `dayAfterLast`; `nil` if there are none.
  public init?(firstDay: CivilDate, dayAfterLast: CivilDate, zone: Zone) {
    guard firstDay < dayAfterLast else { return nil }
    self.firstDay = firstDay
    self.dayAfterLast = dayAfterLast
    self.zone = zone
    start = zone.startOfDay(firstDay)
    end = zone.startOfDay(dayAfterLast)
  }

  /// The length of a window in units of the calendar.
  public enum Length: Hashable, Sendable {
    /// A number of days.
    case days(Int)
    /// A number of weeks of seven days.
    case weeks(Int)
    /// A number of months. A month from the 31st ends with the last day of a shorter month.
    case months(Int)
    /// A number of years.
    case years(Int)
  }

  /// A window of a length: one year from 2028-02-29 ends with 2029-02-27. `nil` if the length is less
  /// than one day, or if the window would leave the years 1 to 9999.
  package init?(firstDay: CivilDate, length: Length, zone: Zone) {
    guard let end = Self.end(of: firstDay, length) else { return nil }
    self.init(firstDay: firstDay, dayAfterLast: end, zone: zone)
  }

  /// A window from a day to 9999-12-31.
  public init(from firstDay: CivilDate, zone: Zone) {
    self.firstDay = firstDay
    dayAfterLast = .afterLast
    self.zone = zone
    start = zone.startOfDay(firstDay)
    end = zone.startOfDay(.afterLast)
  }

  /// A window of a length from a day on: one day at least, and 9999-12-31 at the latest.
  public static func window(
    _ length: Length, from firstDay: CivilDate, in zone: Zone
  ) -> DateWindow {
    let count =
      switch length {
      case .days(let count), .weeks(let count), .months(let count), .years(let count): count
      }
    let whole = count < 1 ? .days(1) : length
    return DateWindow(firstDay: firstDay, length: whole, zone: zone)
      ?? DateWindow(from: firstDay, zone: zone)
  }

  /// One day.
  package static func day(_ day: CivilDate, in zone: Zone) -> DateWindow {
    window(.days(1), from: day, in: zone)
  }

  /// The year from a day on: `DateWindow.year(from: .today, in: zone)`.
  public static func year(from firstDay: CivilDate, in zone: Zone) -> DateWindow {
    window(.years(1), from: firstDay, in: zone)
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

  /// Whether an event from `begin` to `finish` touches the window. An event that begins when the
  /// window ends, or ends when it begins, does not; an event without a length touches its day.
  @inlinable
  package func touches(_ begin: Instant, _ finish: Instant) -> Bool {
    begin < end && start < end && (finish > start || (begin >= start && finish == begin))
  }

  /// The same for whole days, `finish` exclusive.
  @inlinable
  package func touches(_ begin: CivilDate, _ finish: CivilDate) -> Bool {
    begin < dayAfterLast && (finish > firstDay || (begin >= firstDay && finish == begin))
  }

  /// The days of the window that [begin, finish) touches, in order, without those that the zone
  /// left out. What ends at the start of a day does not touch that day.
  package func days(touchedBy begin: Instant, _ finish: Instant) -> [CivilDate] {
    guard touches(begin, finish) else { return [] }
    let from = max(firstDay, zone.day(holding: begin))
    let last = finish > begin ? zone.day(holding: finish.adding(seconds: -1)) : from
    return dates(from: from, before: last.adding(days: 1)).filter(zone.hasDay)
  }

  /// The same for whole days, `finish` exclusive; dates are the same everywhere.
  package func days(touchedBy begin: CivilDate, _ finish: CivilDate) -> [CivilDate] {
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
