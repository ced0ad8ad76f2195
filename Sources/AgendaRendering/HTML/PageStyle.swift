public import CivilTime

/// What a page or a mail needs to know besides its agenda and its wording.
public struct PageStyle: Sendable {
  /// The day to be marked as today.
  public var today: CivilDate?
  /// The colours that calendars ask for, by their names.
  public var calendarColors: [String: String]
  /// Its times are shown below those of the window.
  public var secondZone: Zone?

  public init(
    today: CivilDate? = nil, calendarColors: [String: String] = [:], secondZone: Zone? = nil
  ) {
    self.today = today
    self.calendarColors = calendarColors
    self.secondZone = secondZone
  }
}
