package import CivilTime
public import Recurrence

/// An event, a task or a journal: its time, its title, and what an agenda needs to list it.
/// `EventDetails` has everything else, and is read on demand.
///
/// An event is a value. Its copies share their memory until one of them is changed, so an event can
/// be part of many occurrences.
public struct Event: Sendable {
  /// VEVENT, VTODO or VJOURNAL.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// VEVENT.
    case event
    /// VTODO.
    case task
    /// VJOURNAL.
    case journal
  }

  /// STATUS of events, tasks and journals (RFC 5545 3.8.1.11).
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// An event that may take place.
    case tentative
    /// An event that will take place.
    case confirmed
    /// An event, task or journal that was cancelled.
    case cancelled
    /// A task that has not been started.
    case needsAction = "needs-action"
    /// A task that somebody is working on.
    case inProcess = "in-process"
    /// A task that is done.
    case completed
    /// A journal that is not final.
    case draft
    /// A journal that is complete.
    case final
  }

  private var storage: Storage

  /// UID: what all occurrences of the event have in common. If its source has none, it is computed from
  /// the content of the event.
  public var uid: String {
    get { identity.uid }
    set { identity.uid = newValue }
  }
  /// RECURRENCE-ID: the start of the occurrence that an override replaces; `nil` for all other events.
  public var recurrenceID: EventTime? {
    get { identity.recurrenceID }
    set { identity.recurrenceID = newValue }
  }
  /// What identifies the event within its calendar.
  package var identity: EventIdentity {
    get { storage.fields.identity }
    set {
      makeUnique()
      storage.fields.identity = newValue
    }
  }
  /// Whether this is an event, a task or a journal.
  public var kind: Kind {
    get { storage.fields.kind }
    set {
      makeUnique()
      storage.fields.kind = newValue
    }
  }
  /// The start (DTSTART), or DUE of a task without a start; `nil` if a task or journal has neither.
  public var start: EventTime? {
    get { storage.fields.start }
    set {
      makeUnique()
      storage.fields.start = newValue
    }
  }
  /// How long each occurrence lasts: an end, a duration, or neither.
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
  /// The rules and dates of a series; `nil` for a single event and for an override.
  package var recurrence: Recurrence? {
    get { storage.fields.recurrence }
    set {
      makeUnique()
      storage.fields.recurrence = newValue
    }
  }
  /// The title (SUMMARY); empty if it is missing.
  public var title: String {
    get { storage.fields.title }
    set {
      makeUnique()
      storage.fields.title = newValue
    }
  }
  /// LOCATION; `nil` if it is missing.
  public var location: String? {
    get { storage.fields.location }
    set {
      makeUnique()
      storage.fields.location = newValue
    }
  }
  /// STATUS; `nil` if it is missing.
  public var status: Status? {
    get { storage.fields.status }
    set {
      makeUnique()
      storage.fields.status = newValue
    }
  }
  /// CATEGORIES, in the order of the source; empty if there are none.
  public var categories: [String] {
    get { storage.fields.categories }
    set {
      makeUnique()
      storage.fields.categories = newValue
    }
  }
  /// Whether the event leaves its time free (TRANSP:TRANSPARENT).
  public var isTransparent: Bool {
    get { storage.fields.isTransparent }
    set {
      makeUnique()
      storage.fields.isTransparent = newValue
    }
  }
  /// The colour (COLOR of RFC 7986), a CSS3 name; `nil` if it is missing.
  public var color: String? {
    get { storage.fields.color }
    set {
      makeUnique()
      storage.fields.color = newValue
    }
  }
  /// The version of the event, which is ordered by sequence and then by stamp (RFC 5545 3.8.7).
  package var version: EventVersion {
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
  /// Whether the calendar uses the same UID for other events, so that the UID alone does not identify
  /// this one. The reader sets it.
  package var sharesUID: Bool {
    get { storage.fields.sharesUID }
    set {
      makeUnique()
      storage.fields.sharesUID = newValue
    }
  }
  /// Whether the calendar uses the same UID for other events with the same start, so that only the
  /// title distinguishes them. The reader sets it.
  package var sharesStart: Bool {
    get { storage.fields.sharesStart }
    set {
      makeUnique()
      storage.fields.sharesStart = newValue
    }
  }
  /// A digest of the content, if the calendar has other events with the same UID, start and title.
  /// The reader sets it.
  package var sharedTitleContent: UInt32? {
    get { storage.fields.sharedTitleContent }
    set {
      makeUnique()
      storage.fields.sharedTitleContent = newValue
    }
  }
  /// The details of an event that a program made. `nil` for an event of a source: its details are
  /// decoded when `Calendars.details(of:)` is called.
  package var ownDetails: EventDetails? {
    get { storage.fields.ownDetails?.details }
    set {
      makeUnique()
      storage.fields.ownDetails = newValue.map { OwnDetails($0, id: occurrenceID) }
    }
  }
  /// The identifier of the single occurrence of a decoded event. It cannot be computed, because
  /// JSON does not contain the other events of the calendar with the same UID.
  package var occurrenceID: OccurrenceID? {
    get { storage.fields.ownDetails?.id }
    set {
      makeUnique()
      let details = storage.fields.ownDetails?.details ?? EventDetails()
      storage.fields.ownDetails = OwnDetails(details, id: newValue)
    }
  }
  /// Where the details of the event are stored. `Calendars.details(of:)` uses it.
  package var reference: EventReference {
    get { storage.fields.reference }
    set {
      makeUnique()
      storage.fields.reference = newValue
    }
  }

  /// The zone in which a moment in UTC names a date of a series of whole days: that of DTSTART if it is a
  /// midnight with a TZID, otherwise X-WR-TIMEZONE, otherwise the only VTIMEZONE. `nil` without any of
  /// these, and for an event that neither recurs nor replaces an occurrence. It is not part of what
  /// the event says: `onOwnClock` uses it to find the date.
  package var dayZone: Zone? {
    get { storage.dayZone }
    set {
      if newValue === storage.dayZone { return }
      makeUnique()
      storage.dayZone = newValue
    }
  }

  /// X-WR-TIMEZONE, for a RECURRENCE-ID without a zone whose series is missing.
  package var calendarZone: Zone? {
    get { storage.calendarZone }
    set {
      if newValue === storage.calendarZone { return }
      makeUnique()
      storage.calendarZone = newValue
    }
  }

  /// Makes an event with all its properties. Programs usually use
  /// `init(uid:kind:title:start:extent:rules:location:categories:calendar:details:)` instead.
  package init(
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
        calendar: calendar, sharesUID: sharesUID, sharesStart: sharesStart, sharedTitleContent: nil,
        reference: reference, ownDetails: nil))
  }

  /// An event that a program makes, with its own details.
  ///
  ///     let event = Event(
  ///       uid: "dinner", title: "Dinner", start: start,
  ///       extent: .duration(EventDuration(days: 0, seconds: 7200)), calendar: "own")
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

  /// Whether a task or an event is neither completed nor cancelled.
  package var isOpen: Bool { status != .completed && status != .cancelled }

  /// Whether a task has DUE, or DTSTART and DURATION.
  package var hasDueTime: Bool {
    if case .duration = extent { return true }
    return due != nil
  }

  /// Its own details, or those that `source` returns for its reference.
  package func details(_ source: (EventReference) -> EventDetails) -> EventDetails {
    storage.fields.ownDetails?.details ?? source(storage.fields.reference)
  }

  /// Identifies this event and its copies, as long as one of them exists.
  package var object: ObjectIdentifier { ObjectIdentifier(storage) }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) {
      storage = Storage(
        storage.fields, dayZone: storage.dayZone, calendarZone: storage.calendarZone)
    }
  }

  /// The recurrence properties of an event, as its source has them.
  package struct Recurrence: Hashable, Sendable {
    /// RRULE.
    package var rules: [Rule]
    /// EXRULE of old files.
    package var exceptionRules: [Rule]
    /// RDATE.
    package var dates: [RecurrenceDate]
    /// EXDATE.
    package var exceptionDates: [EventTime]

    /// A recurrence of these rules and dates.
    package init(
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

extension Event {
  /// The rules of a series (RRULE); empty for a single event, and for a changed occurrence.
  public var rules: [Rule] {
    get { recurrence?.rules ?? [] }
    set { setRecurrence { $0.rules = newValue } }
  }

  /// The dates of a series that were removed (EXDATE).
  public var exceptionDates: [EventTime] {
    get { recurrence?.exceptionDates ?? [] }
    set { setRecurrence { $0.exceptionDates = newValue } }
  }

  private mutating func setRecurrence(_ change: (inout Recurrence) -> Void) {
    var changed = recurrence ?? Recurrence()
    change(&changed)
    recurrence = changed == Recurrence() ? nil : changed
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

  /// Whether both have the same content, whatever their sources are.
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
  var sharedTitleContent: UInt32?
  var reference: EventReference
  var ownDetails: OwnDetails?
}

/// By reference, because most events have none, and a value would make every event larger.
private final class OwnDetails: Hashable, Sendable {
  let details: EventDetails
  let id: OccurrenceID?

  init(_ details: EventDetails, id: OccurrenceID?) {
    self.details = details
    self.id = id
  }

  static func == (left: OwnDetails, right: OwnDetails) -> Bool {
    left.details == right.details && left.id == right.id
  }
  func hash(into hasher: inout Hasher) { hasher.combine(details) }
}

// Only the single event that refers to it writes to it. `makeUnique` makes sure of that.
private final class Storage: @unchecked Sendable {
  var fields: Fields
  var dayZone: Zone?
  var calendarZone: Zone?

  init(_ fields: Fields, dayZone: Zone? = nil, calendarZone: Zone? = nil) {
    self.fields = fields
    self.dayZone = dayZone
    self.calendarZone = calendarZone
  }
}

/// Where an event came from: the number of its source, and the number of its component in that
/// source.
package struct EventReference: Hashable, Sendable {
  /// The reference of an event that a program made.
  package static let own = EventReference(source: -1, component: -1)

  /// The number of the source: its position among the files that were read, or its number in the
  /// store.
  package var source: Int
  /// The number of the component: its position in the file, or its row in the store.
  package var component: Int

  /// A reference to a component of a source. For events that your program makes, use `own`.
  package init(source: Int, component: Int) {
    self.source = source
    self.component = component
  }
}
