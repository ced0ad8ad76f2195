public import CivilTime
public import Recurrence

/// What a detail view, JSON and an export show of an event in addition to its place in the agenda.
public struct EventDetails: Hashable, Sendable {
  /// DESCRIPTION as readable text; HTML made plain.
  public var description: String?
  public var url: String?
  /// CONFERENCE of RFC 7986, or the link that a vendor's property or the text gives for it.
  public var conference: String?
  public var coordinates: Coordinates?
  public var organizer: Person?
  public var attendees: [Attendee]
  public var attachments: [Attachment]
  public var alarms: [Alarm]
  /// CLASS, in lower case: `public`, `private`, `confidential`.
  public var classification: String?
  /// 1 (highest) to 9; `nil` if undefined or 0.
  public var priority: Int?
  public var created: Instant?
  public var lastModified: Instant?
  public var stamp: Instant?
  /// PERCENT-COMPLETE of a task.
  public var percentComplete: Int?
  /// COMPLETED of a task.
  public var completed: Instant?

  public init() {
    attendees = []
    attachments = []
    alarms = []
  }
}

/// GEO: degrees north and east.
public struct Coordinates: Hashable, Sendable {
  public let latitude: Double
  public let longitude: Double

  /// `nil` outside of ±90 and ±180 degrees.
  public init?(latitude: Double, longitude: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// Who an ORGANIZER or ATTENDEE names.
public struct Person: Hashable, Sendable {
  /// CN.
  public var name: String?
  /// The address without `mailto:`; `nil` if the value is not a mail address.
  public var email: String?

  public init(name: String?, email: String?) {
    self.name = name
    self.email = email
  }
}

/// A person who is invited, and their answer.
public struct Attendee: Hashable, Sendable {
  public var person: Person
  /// PARTSTAT in lower case, `needs-action` where it is not given.
  public var participation: String
  /// ROLE in lower case, `req-participant` where it is not given.
  public var role: String

  public init(person: Person, participation: String, role: String) {
    self.person = person
    self.participation = participation
    self.role = role
  }
}

/// An ATTACH or IMAGE. Its bytes, if they are in the file, are read only when asked for.
public struct Attachment: Hashable, Sendable {
  /// From 1, in the order of the component.
  public var number: Int
  /// FMTTYPE.
  public var mediaType: String?
  /// How many bytes an inline one has; `nil` for a reference.
  public var byteCount: Int?
  /// Where a referenced one is; `nil` for an inline one. It is never fetched.
  public var uri: String?
  /// FILENAME or X-FILENAME: data, never a path to write to.
  public var name: String?
  /// Whether it is a picture that represents the event (IMAGE of RFC 7986).
  public var isImage: Bool

  public init(
    number: Int, mediaType: String?, byteCount: Int?, uri: String?, name: String?, isImage: Bool
  ) {
    self.number = number
    self.mediaType = mediaType
    self.byteCount = byteCount
    self.uri = uri
    self.name = name
    self.isImage = isImage
  }
}

/// A VALARM.
public struct Alarm: Hashable, Sendable {
  /// When an alarm goes off.
  public enum Trigger: Hashable, Sendable {
    case fromStart(EventDuration)
    case fromEnd(EventDuration)
    case at(Instant)
  }

  /// ACTION in lower case: `display`, `audio`, `email`.
  public var action: String
  /// When it goes off; the durations are as written, so one before the event is negative.
  public var trigger: Trigger
  /// How often it goes off again, and after how long each time.
  public var repetitions: Int
  public var interval: EventDuration?
  public var description: String?

  public init(
    action: String, trigger: Trigger, repetitions: Int = 0, interval: EventDuration? = nil,
    description: String? = nil
  ) {
    self.action = action
    self.trigger = trigger
    self.repetitions = repetitions
    self.interval = interval
    self.description = description
  }
}
