public import CivilTime

/// How text is laid out, and what for.
public struct TextStyle: Sendable {
  /// The columns of the terminal; `nil` where lines are not to be wrapped, as in a pipe.
  public var width: Int?
  public var color: ColorDepth
  /// The day to be marked as today.
  public var today: CivilDate?
  /// Says when an entry is in the zone that it was written in, where that shows another time.
  public var showsZones: Bool
  /// Shows each entry's identifier.
  public var showsIdentifiers: Bool
  /// The colours that calendars ask for, by their names.
  public var calendarColors: [String: String]

  public init(
    width: Int? = nil, color: ColorDepth = .none, today: CivilDate? = nil, showsZones: Bool = false,
    showsIdentifiers: Bool = false, calendarColors: [String: String] = [:]
  ) {
    self.width = width
    self.color = color
    self.today = today
    self.showsZones = showsZones
    self.showsIdentifiers = showsIdentifiers
    self.calendarColors = calendarColors
  }

  /// Below this many columns only what fits is shown: the start of a time, the place if there is room.
  static let narrow = 60

  var isNarrow: Bool { width.map { $0 < Self.narrow } ?? false }
}
