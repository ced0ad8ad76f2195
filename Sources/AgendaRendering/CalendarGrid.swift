package import AgendaCore
public import CivilTime

/// A month, a week or a year of a terminal with its entries in a grid.
public enum CalendarGrid: String, Hashable, Sendable, CaseIterable {
  /// The days of whole months.
  case month
  /// The hours of seven days.
  case week
  /// The busy hours of each day of a year.
  case year

  /// The calendar month, week or year that holds a day; weeks begin as the locale has it. `months` is
  /// how many months `month` shows. `nil` if the window leaves the years 1 to 9999.
  public func window(
    holding day: CivilDate, months: Int = 1, locale: LocaleData = .plain, zone: Zone
  ) -> DateWindow? {
    switch self {
    case .month:
      day.adding(days: 1 - day.day).flatMap {
        DateWindow(firstDay: $0, length: .months(months), zone: zone)
      }
    case .week:
      day.adding(days: -day.weekday.days(after: locale.firstWeekday)).flatMap {
        DateWindow(firstDay: $0, length: .weeks(1), zone: zone)
      }
    case .year:
      day.adding(days: 1 - day.dayOfYear).flatMap {
        DateWindow(firstDay: $0, length: .years(1), zone: zone)
      }
    }
  }

  package func render(
    _ agenda: Agenda, wording: DateWording, style: GridStyle, to sink: inout ByteSink
  ) {
    switch self {
    case .month: MonthGrid(wording, style: style).render(agenda, to: &sink)
    case .week: WeekGrid(wording, style: style).render(agenda, to: &sink)
    case .year: YearGrid(wording, style: style).render(agenda, to: &sink)
    }
  }
}
