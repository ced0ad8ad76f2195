public import Recurrence

/// What an agenda must know of a component to place it and to name it: one VEVENT, VTODO or
/// VJOURNAL. Everything else is in `EventDetails`, read only when somebody asks.
public struct Event: Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case event, task, journal
  }

  /// RFC 5545 3.8.1.11, of all three kinds.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    case tentative, confirmed, cancelled
    case needsAction = "needs-action"
    case inProcess = "in-process"
    case completed
    case draft, final
  }

  /// Which event of the calendar this is.
  public var identity: EventIdentity
  public var kind: Kind
  /// DTSTART; for a task without one its DUE. `nil` where a task or journal has neither.
  public var start: EventTime?
  public var extent: Extent
  /// DUE of a task.
  public var due: EventTime?
  /// What makes it a series; `nil` for a single event and for an override.
  public var recurrence: Recurrence?
  /// SUMMARY, empty where there is none.
  public var title: String
  public var location: String?
  public var status: Status?
  public var categories: [String]
  /// Whether it takes up time (TRANSP).
  public var isTransparent: Bool
  /// COLOR of RFC 7986, a CSS3 name.
  public var color: String?
  /// How its versions are told apart (RFC 5545 3.8.7): the higher sequence, then the later stamp.
  public var version: EventVersion
  /// The name of its calendar.
  public var calendar: String
  /// Whether its source uses the same UID for events with other starts, so that the UID alone does
  /// not tell which event this is. Whoever reads a source as a whole sets it.
  public var sharesUID: Bool
  /// Where its details are to be asked for.
  public var reference: EventReference

  public init(
    identity: EventIdentity, kind: Kind, start: EventTime?, extent: Extent, due: EventTime? = nil,
    recurrence: Recurrence? = nil, title: String, location: String? = nil, status: Status? = nil,
    categories: [String] = [], isTransparent: Bool = false, color: String? = nil,
    version: EventVersion = EventVersion(), calendar: String,
    sharesUID: Bool = false, reference: EventReference
  ) {
    self.identity = identity
    self.kind = kind
    self.start = start
    self.extent = extent
    self.due = due
    self.recurrence = recurrence
    self.title = title
    self.location = location
    self.status = status
    self.categories = categories
    self.isTransparent = isTransparent
    self.color = color
    self.version = version
    self.calendar = calendar
    self.sharesUID = sharesUID
    self.reference = reference
  }

  /// The recurrence properties of a component, as it wrote them.
  public struct Recurrence: Hashable, Sendable {
    /// RRULE, parsed.
    public var rules: [Rule]
    /// EXRULE of old files.
    public var exceptionRules: [Rule]
    /// RDATE.
    public var dates: [RecurrenceDate]
    /// EXDATE.
    public var exceptionDates: [EventTime]

    public init(
      rules: [Rule] = [], exceptionRules: [Rule] = [], dates: [RecurrenceDate] = [],
      exceptionDates: [EventTime] = []
    ) {
      self.rules = rules
      self.exceptionRules = exceptionRules
      self.dates = dates
      self.exceptionDates = exceptionDates
    }
  }
}

/// Where an event came from: which of the sources at hand, and which component of it (its ordinal
/// in a file, its row in a store).
public struct EventReference: Hashable, Sendable {
  public var source: Int
  public var component: Int

  public init(source: Int, component: Int) {
    self.source = source
    self.component = component
  }
}
