public import Recurrence

/// What an agenda must know of a component to place it and to name it: one VEVENT, VTODO or
/// VJOURNAL. Everything else is in `EventDetails`, read only when somebody asks.
///
/// It is one reference, however many occurrences carry it, and copied when one of them is changed.
public struct Event: Sendable {
  /// VEVENT, VTODO or VJOURNAL.
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

  private var storage: Storage

  /// Which event of the calendar this is.
  public var identity: EventIdentity {
    get { storage.fields.identity }
    set {
      makeUnique()
      storage.fields.identity = newValue
    }
  }
  public var kind: Kind {
    get { storage.fields.kind }
    set {
      makeUnique()
      storage.fields.kind = newValue
    }
  }
  /// DTSTART; for a task without one its DUE. `nil` if a task or journal has neither.
  public var start: EventTime? {
    get { storage.fields.start }
    set {
      makeUnique()
      storage.fields.start = newValue
    }
  }
  public var extent: Extent {
    get { storage.fields.extent }
    set {
      makeUnique()
      storage.fields.extent = newValue
    }
  }
  /// DUE of a task.
  public var due: EventTime? {
    get { storage.fields.due }
    set {
      makeUnique()
      storage.fields.due = newValue
    }
  }
  /// What makes it a series; `nil` for a single event and for an override.
  public var recurrence: Recurrence? {
    get { storage.fields.recurrence }
    set {
      makeUnique()
      storage.fields.recurrence = newValue
    }
  }
  /// SUMMARY, empty if it is missing.
  public var title: String {
    get { storage.fields.title }
    set {
      makeUnique()
      storage.fields.title = newValue
    }
  }
  public var location: String? {
    get { storage.fields.location }
    set {
      makeUnique()
      storage.fields.location = newValue
    }
  }
  public var status: Status? {
    get { storage.fields.status }
    set {
      makeUnique()
      storage.fields.status = newValue
    }
  }
  public var categories: [String] {
    get { storage.fields.categories }
    set {
      makeUnique()
      storage.fields.categories = newValue
    }
  }
  /// Whether it takes up time (TRANSP).
  public var isTransparent: Bool {
    get { storage.fields.isTransparent }
    set {
      makeUnique()
      storage.fields.isTransparent = newValue
    }
  }
  /// COLOR of RFC 7986, a CSS3 name.
  public var color: String? {
    get { storage.fields.color }
    set {
      makeUnique()
      storage.fields.color = newValue
    }
  }
  /// The order of its versions (RFC 5545 3.8.7): by sequence, then by stamp.
  public var version: EventVersion {
    get { storage.fields.version }
    set {
      makeUnique()
      storage.fields.version = newValue
    }
  }
  /// The name of its calendar.
  public var calendar: String {
    get { storage.fields.calendar }
    set {
      makeUnique()
      storage.fields.calendar = newValue
    }
  }
  /// Whether its calendar uses the same UID for other events, so that the UID alone does not identify
  /// it. `SeriesAssembly` sets it.
  public var sharesUID: Bool {
    get { storage.fields.sharesUID }
    set {
      makeUnique()
      storage.fields.sharesUID = newValue
    }
  }
  /// Whether its calendar uses the same UID for other events with the same start, so that only its
  /// title distinguishes it. `SeriesAssembly` sets it.
  public var sharesStart: Bool {
    get { storage.fields.sharesStart }
    set {
      makeUnique()
      storage.fields.sharesStart = newValue
    }
  }
  /// The details of an event that a program made; `nil` for an event of a source, whose details
  /// are decoded when somebody asks for them.
  public var ownDetails: EventDetails? {
    get { storage.fields.ownDetails?.details }
    set {
      makeUnique()
      storage.fields.ownDetails = newValue.map(OwnDetails.init)
    }
  }
  /// Where its details are to be asked for.
  public var reference: EventReference {
    get { storage.fields.reference }
    set {
      makeUnique()
      storage.fields.reference = newValue
    }
  }

  public init(
    identity: EventIdentity, kind: Kind, start: EventTime?, extent: Extent, due: EventTime? = nil,
    recurrence: Recurrence? = nil, title: String, location: String? = nil, status: Status? = nil,
    categories: [String] = [], isTransparent: Bool = false, color: String? = nil,
    version: EventVersion = EventVersion(), calendar: String,
    sharesUID: Bool = false, sharesStart: Bool = false, reference: EventReference
  ) {
    storage = Storage(
      Fields(
        identity: identity, kind: kind, start: start, extent: extent, due: due,
        recurrence: recurrence, title: title, location: location, status: status,
        categories: categories, isTransparent: isTransparent, color: color, version: version,
        calendar: calendar, sharesUID: sharesUID, sharesStart: sharesStart, reference: reference,
        ownDetails: nil))
  }

  /// An event that a program makes, with its own details.
  ///
  ///     let event = Event(
  ///       uid: "dinner", title: "Dinner", start: start,
  ///       extent: .duration(EventDuration(seconds: 7200)), calendar: "own")
  public init(
    uid: String, kind: Kind = .event, title: String, start: EventTime?,
    extent: Extent = .unstated, rules: [Rule] = [], location: String? = nil,
    categories: [String] = [], calendar: String, details: EventDetails = EventDetails()
  ) {
    self.init(
      identity: EventIdentity(uid: uid), kind: kind, start: start, extent: extent,
      recurrence: rules.isEmpty ? nil : Recurrence(rules: rules), title: title,
      location: location, categories: categories, calendar: calendar, reference: .own)
    ownDetails = details
  }

  /// Its own details, or those that its source gives for its reference.
  package func details(_ source: (EventReference) -> EventDetails) -> EventDetails {
    storage.fields.ownDetails?.details ?? source(storage.fields.reference)
  }

  /// Tells this event from all others at hand, as long as one of its copies is kept.
  package var object: ObjectIdentifier { ObjectIdentifier(storage) }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields) }
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

extension Event: Hashable {
  public static func == (left: Event, right: Event) -> Bool {
    left.storage === right.storage || left.storage.fields == right.storage.fields
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage.fields.identity)
    hasher.combine(storage.fields.calendar)
    hasher.combine(storage.fields.title)
    hasher.combine(storage.fields.start)
  }

  /// Whether both look the same, wherever each of them came from.
  package func hasSameContent(as other: Event) -> Bool {
    if storage === other.storage { return true }
    var fields = other.storage.fields
    fields.reference = storage.fields.reference
    return storage.fields == fields
  }
}

private struct Fields: Hashable, Sendable {
  var identity: EventIdentity
  var kind: Event.Kind
  var start: EventTime?
  var extent: Extent
  var due: EventTime?
  var recurrence: Event.Recurrence?
  var title: String
  var location: String?
  var status: Event.Status?
  var categories: [String]
  var isTransparent: Bool
  var color: String?
  var version: EventVersion
  var calendar: String
  var sharesUID: Bool
  var sharesStart: Bool
  var reference: EventReference
  var ownDetails: OwnDetails?
}

/// By reference, because most events have none and every event pays for its fields.
private final class OwnDetails: Hashable, Sendable {
  let details: EventDetails

  init(_ details: EventDetails) { self.details = details }

  static func == (left: OwnDetails, right: OwnDetails) -> Bool { left.details == right.details }
  func hash(into hasher: inout Hasher) { hasher.combine(details) }
}

// Written to only by the one event that refers to it, which `makeUnique` sees to.
private final class Storage: @unchecked Sendable {
  var fields: Fields

  init(_ fields: Fields) {
    self.fields = fields
  }
}

/// Where an event came from: which of the sources at hand, and which component of it (its ordinal
/// in a file, its row in a store).
public struct EventReference: Hashable, Sendable {
  /// The reference of an event that a program made: that of no source.
  public static let own = EventReference(source: -1, component: -1)

  public var source: Int
  public var component: Int

  public init(source: Int, component: Int) {
    self.source = source
    self.component = component
  }
}
