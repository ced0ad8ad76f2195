public import CivilTime

/// The layout of text, and optional parts.
public struct TextStyle: Sendable {
  /// The columns of the terminal; `nil` to not wrap lines, as in a pipe.
  public var width: Int?
  public var color: ColorDepth
  /// The day to be marked as today.
  public var today: CivilDate?
  /// Lists today even if it has no entries. Not for a list that leaves out entries.
  public var listsEmptyToday: Bool
  /// Adds the time in an entry's own zone, if it differs.
  public var showsZones: Bool
  /// A zone whose times are shown in a second column.
  public var secondZone: Zone?
  /// Shows each entry's identifier.
  public var showsIdentifiers: Bool
  /// Shows each entry's index path.
  public var showsIndexPaths = false
  /// The calendars' own colours, by their names.
  public var calendarColors: [String: String]
  /// The current moment, for a listing that a person looks at now: the past of today is dimmed, and
  /// entries that are in progress, begin next or overlap are marked. `nil` for a listing that is kept.
  public var now: Instant?
  /// Shows the number of today's entries under the heading of today, and when the next one begins.
  public var countsToday = false
  /// Names the calendar of each entry even if all entries have the same.
  public var namesOnlyCalendar = true
  /// How an entry shows that it has a link.
  public var links = Links.none

  /// How an entry with a link is shown.
  public enum Links: Hashable, Sendable {
    /// The same as others.
    case none
    /// With a word after its title.
    case words
    /// Its title is a hyperlink of the terminal.
    case hyperlinks
  }

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

  /// Below this width only the start of a time is shown.
  package static let narrow = 60

  var isNarrow: Bool { width.map { $0 < Self.narrow } ?? false }
}
