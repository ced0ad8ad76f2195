public import CivilTime
public import Recurrence

/// The properties to set in an event. `nil` keeps a property; an empty text or list removes it.
public struct EventEdit: Hashable, Sendable {
  /// A date, or a local time in `zone`.
  public enum When: Hashable, Sendable {
    /// A whole day. An event at a time of day keeps that time on the new date, unless its length is
    /// given in whole days.
    case date(CivilDate)
    /// A date with a time of day.
    case time(CivilDateTime)
    /// A time of day. The event keeps its date; an event without one gets the date `on`.
    case clock(TimeOfDay, on: CivilDate)
  }

  /// How long an event lasts.
  public enum Length: Hashable, Sendable {
    /// A duration.
    case length(EventDuration)
    /// An end. For whole days, this is the last day.
    case until(When)
    /// The event has a start only.
    case none
  }

  /// How an event recurs after an edit.
  public enum Repetition: Hashable, Sendable {
    /// A series with this rule. Nothing happens on the dates of `except`, which the rule must have.
    case rule(Rule, except: [CivilDate] = [])
    /// A single event: the rule is removed.
    case none
  }

  /// A file that becomes part of the event.
  public struct NewAttachment: Hashable, Sendable {
    /// The content of the file.
    package var bytes: [UInt8]
    /// The media type, such as `image/png`; `nil` if it is unknown.
    package var mediaType: String?
    /// The name of the file; `nil` if it has none.
    package var name: String?

    /// A file with this content.
    public init(bytes: [UInt8], mediaType: String? = nil, name: String? = nil) {
      self.bytes = bytes
      self.mediaType = mediaType
      self.name = name
    }
  }

  /// The title (SUMMARY).
  public var title: String?
  /// The start of a new event, or the new start of the edited occurrence. Without `length`, the event
  /// keeps its length.
  public var start: When?
  /// How much later the edited occurrence starts, on the clock of its own zone; negative if it starts
  /// earlier. `start` comes before this. An all-day event moves by the days alone.
  public var startShift: EventDuration?
  /// The new length; `nil` keeps it.
  public var length: Length?
  /// The zone of the times. If only the zone is set, the event keeps its local time and moves to the
  /// new zone.
  public var zone: Zone?
  /// The location (LOCATION).
  public var location: String?
  /// The description (DESCRIPTION).
  public var note: String?
  /// The link of the event (URL).
  public var url: String?
  /// All categories of the event (CATEGORIES).
  public var categories: [String]?
  /// The colour (COLOR), a CSS3 name.
  public var color: String?
  /// The status (STATUS), such as `confirmed`.
  public var status: String?
  /// How the event recurs; `nil` keeps its rule.
  public var repetition: Repetition?
  /// Alarms to add, as times before the start; an empty list removes all alarms.
  public var alarms: [EventDuration]?
  /// Whether the event loses its present alarms.
  public var removesAlarms = false
  /// The place (GEO).
  public var coordinates: Coordinates?
  /// Whether the event loses its coordinates.
  public var removesCoordinates = false
  /// Files to attach, in addition to the present attachments.
  public var attachments: [NewAttachment] = []
  /// Whether the event loses its present attachments.
  public var removesAttachments = false
  /// The picture that represents the event (IMAGE of RFC 7986); it replaces the previous one.
  public var photo: NewAttachment?
  /// Whether the event loses its picture.
  public var removesPhoto = false
  /// When a task is due (DUE).
  public var due: When?
  /// How much later a task is due, on the clock of its own zone. `due` comes before this.
  public var dueShift: EventDuration?
  /// Whether the task loses its due date.
  public var removesDue = false
  /// The priority (PRIORITY) from 1 (highest) to 9; 0 removes it.
  public var priority: Int?

  /// Whether the task gets another due date.
  package var setsDue: Bool { due != nil || dueShift != nil }

  /// An edit that changes nothing but what is given here.
  public init(title: String? = nil, start: When? = nil) {
    self.title = title
    self.start = start
  }
}

/// Which occurrences of a series a change is for.
public enum SeriesScope: String, Hashable, Sendable, CaseIterable {
  /// This occurrence only.
  case only
  /// This occurrence and all later ones.
  case following
  /// The whole series.
  case all
}
