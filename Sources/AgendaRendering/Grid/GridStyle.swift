public import CivilTime

/// How a grid is laid out, and when it is looked at.
public struct GridStyle: Sendable {
  /// The columns of the terminal. Narrower grids than 40 columns are not made.
  public let columns: Int
  public var color: ColorDepth
  public var now: Instant
  /// The colours that calendars ask for, by their names.
  public var calendarColors: [String: String]

  public init(
    columns: Int, color: ColorDepth = .none, now: Instant, calendarColors: [String: String] = [:]
  ) {
    self.columns = max(Self.fewestColumns, min(columns, Self.mostColumns))
    self.color = color
    self.now = now
    self.calendarColors = calendarColors
  }

  private static let fewestColumns = 40
  private static let mostColumns = 500
}
