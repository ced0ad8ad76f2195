public import AgendaCore
public import AgendaRendering
public import CivilTime

/// How an agenda is rendered.
public struct RenderingOptions: Sendable {
  /// The language and conventions of dates and times.
  let locale: LocaleData
  /// The width of text in columns; `nil` writes each entry on one line.
  let columns: Int?
  /// The day that is marked as today; `nil` for none.
  let today: CivilDate?
  /// A zone whose times are shown next to those of the agenda's own zone.
  let secondZone: Zone?

  /// English dates and no line breaks, unless the arguments ask for something else.
  public init(
    locale: LocaleData = .plain, columns: Int? = nil, today: CivilDate? = nil,
    secondZone: Zone? = nil
  ) {
    self.locale = locale
    self.columns = columns
    self.today = today
    self.secondZone = secondZone
  }
}

extension Calendars {
  /// The same agenda with the details of its events and the problems of the sources, so that nothing is
  /// missing if it is encoded. `JSONEncoder` makes the document of `rendering(agenda, as: .json)` of
  /// it.
  public func withDetails(_ agenda: Agenda) -> Agenda {
    agenda.with(details: details(of:), warnings: findings)
  }

  /// An agenda of these calendars as text, Markdown, HTML, JSON, JSON lines, TSV or CSV.
  ///
  ///     print(calendars.rendering(agenda, as: .markdown))
  public func rendering(
    _ agenda: Agenda, as format: AgendaFormat, _ options: RenderingOptions = RenderingOptions()
  ) -> String {
    let bytes = ByteSink.bytes { render(agenda, as: format, options, to: &$0) }
    return String(decoding: bytes, as: UTF8.self)
  }

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
