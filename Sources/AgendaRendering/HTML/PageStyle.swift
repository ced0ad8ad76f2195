public import CivilTime

/// The settings of a page or mail besides its agenda and its wording.
public struct PageStyle: Sendable {
  /// The day to be marked as today.
  public var today: CivilDate?
  /// The calendars' own colours, by their names.
  public var calendarColors: [String: String]
  /// A zone whose times are shown below those of the window.
  public var secondZone: Zone?

  public init(
    today: CivilDate? = nil, calendarColors: [String: String] = [:], secondZone: Zone? = nil
  ) {
    self.today = today
    self.calendarColors = calendarColors
    self.secondZone = secondZone
  }
}
