public import AgendaCore
public import AgendaRendering
public import AgendaSources
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

extension Calendars {
  /// The entries of a month, a week or a year in a grid, as `agenda calendar --grid` prints it without
  /// colours.
  ///
  /// - Parameters:
  ///   - grid: what the grid shows.
  ///   - day: a day of that month, week or year.
  ///   - selection: which entries it shows.
  ///   - zone: the zone in which days begin.
  ///   - now: the moment that is marked.
  ///   - columns: the width of the grid, at least 40.
  ///   - locale: the language of names and titles.
  /// - Returns: the lines; `nil` if the grid leaves the years 1 to 9999.
  /// - Throws: `CalendarError` if the store cannot be read.
  public func rendering(
    _ grid: CalendarGrid, holding day: CivilDate, of selection: Selection = Selection(),
    zone: Zone, now: Instant, columns: Int = 80, locale: LocaleData = .plain
  ) throws(CalendarError) -> String? {
    guard let window = grid.window(holding: day, locale: locale, zone: zone) else { return nil }
    let agenda = try agenda(in: window, of: selection, locale: locale)
    let bytes = ByteSink.bytes { sink in
      grid.render(
        agenda, wording: DateWording(locale), style: GridStyle(columns: columns, now: now),
        to: &sink)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
