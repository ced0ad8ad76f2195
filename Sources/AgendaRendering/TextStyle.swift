public import CivilTime

/// How text is laid out, and what for.
public struct TextStyle: Sendable {
  /// The columns of the terminal; `nil` if lines are not to be wrapped, as in a pipe.
  public var width: Int?
  public var color: ColorDepth
  /// The day to be marked as today.
  public var today: CivilDate?
  /// Lists today even if it has no entries. Not for a list that leaves entries out.
  public var listsEmptyToday: Bool
  /// Says when an entry is in the zone that it was written in, where that shows another time.
  public var showsZones: Bool
  /// Its times are shown in a second column.
  public var secondZone: Zone?
  /// Shows each entry's identifier.
  public var showsIdentifiers: Bool
  /// The colours that calendars ask for, by their names.
  public var calendarColors: [String: String]

  public init(
    width: Int? = nil, color: ColorDepth = .none, today: CivilDate? = nil,
    listsEmptyToday: Bool = false, showsZones: Bool = false, secondZone: Zone? = nil,
    showsIdentifiers: Bool = false, calendarColors: [String: String] = [:]
  ) {
    self.width = width
    self.color = color
    self.today = today
    self.listsEmptyToday = listsEmptyToday
    self.showsZones = showsZones
    self.secondZone = secondZone
    self.showsIdentifiers = showsIdentifiers
    self.calendarColors = calendarColors
  }

  /// Below this many columns only the start of a time is shown.
  static let narrow = 60

  var isNarrow: Bool { width.map { $0 < Self.narrow } ?? false }
}
