public import CivilTime

/// The layout of a grid, and the current time.
public struct GridStyle: Sendable {
  /// The columns of the terminal. A grid has at least 40 columns.
  public let columns: Int
  public var color: ColorDepth
  public var now: Instant
  /// The calendars' own colours, by their names.
  public var calendarColors: [String: String]
  /// The most lines of a day in a month. The last one counts further entries.
  package var linesPerDay = 6
  /// The lines of a day in a month that it has even without entries.
  package var fewestLinesPerDay = 1
  /// Whether the calendars are listed below a grid.
  package var showsLegend = true

  public init(
    columns: Int, color: ColorDepth = .none, now: Instant, calendarColors: [String: String] = [:]
  ) {
    self.columns = max(Self.fewestColumns, min(columns, Self.mostColumns))
    self.color = color
    self.now = now
    self.calendarColors = calendarColors
  }

  private static let fewestColumns = 40
  /// Wider terminals hardly exist.
  private static let mostColumns = 500
}
