public import CivilTime
public import Recurrence

/// What is to be set in an event. `nil` leaves a property as it is; an empty text or list removes it.
public struct EventEdit: Sendable {
  /// A date, or a time on the clock of whoever types it.
  public enum When: Hashable, Sendable {
    /// An event at a time of day keeps that time on the new date, unless its length is given in whole
    /// days.
    case date(CivilDate)
    case time(CivilDateTime)
    /// A time of day. The event keeps its date; an event without one gets the date `on`.
    case clock(TimeOfDay, on: CivilDate)
  }

  /// How long it lasts.
  public enum Length: Hashable, Sendable {
    case length(EventDuration)
    /// Until then; for whole days, the last day.
    case until(When)
    /// It has no end.
    case none
  }

  /// How an event recurs after an edit.
  public enum Repetition: Hashable, Sendable {
    case rule(Rule)
    case none
  }

  /// A file that becomes part of the event.
  public struct NewAttachment: Hashable, Sendable {
    public var bytes: [UInt8]
    public var mediaType: String?
    public var name: String?

    public init(bytes: [UInt8], mediaType: String? = nil, name: String? = nil) {
      self.bytes = bytes
      self.mediaType = mediaType
      self.name = name
    }
  }

  /// SUMMARY.
  public var title: String?
  /// The new start of the occurrence that is edited. Without a length, the event stays as long as it
  /// was.
  public var start: When?
  public var length: Length?
  /// The zone in which the times are typed and written. Alone it keeps the time on the clock.
  public var zone: Zone?
  public var location: String?
  /// DESCRIPTION.
  public var note: String?
  public var url: String?
  public var categories: [String]?
  /// COLOR.
  public var color: String?
  /// STATUS.
  public var status: String?
  public var repetition: Repetition?
  /// Alarms to add, as lengths before the start; an empty list removes all alarms.
  public var alarms: [EventDuration]?
  public var coordinates: Coordinates?
  public var attachments: [NewAttachment] = []
  /// The picture that represents the event (IMAGE of RFC 7986); it replaces the previous one.
  public var photo: NewAttachment?
  /// DUE of a task.
  public var due: When?
  /// PRIORITY, 0 for none.
  public var priority: Int?

  public init() {}
}

/// Which occurrences of a series a change is for.
public enum SeriesScope: String, Hashable, Sendable, CaseIterable {
  case only, following, all
}
