public import CivilTime
public import Recurrence

/// The details of an event: its description, people, attachments, alarms and so on.
public struct EventDetails: Hashable, Sendable {
  /// DESCRIPTION as plain text, also if the source has HTML; `nil` if it is missing.
  public var description: String?
  /// URL; `nil` if it is missing.
  public var url: String?
  /// The link of an online meeting: CONFERENCE of RFC 7986, a vendor's property, or a link in the
  /// text.
  public var conference: String?
  /// GEO; `nil` if it is missing or invalid.
  public var coordinates: Coordinates?
  /// ORGANIZER; `nil` if it is missing.
  public var organizer: Person?
  /// The invited people (ATTENDEE), in the order of the source.
  public var attendees: [Attendee]
  /// The attachments and pictures (ATTACH, IMAGE), in the order of the source.
  public var attachments: [Attachment]
  /// The alarms (VALARM), in the order of the source.
  public var alarms: [Alarm]
  /// When the user dismissed all alarms, those of the occurrences of a series too (Thunderbird's
  /// X-MOZ-LASTACK).
  package var alarmsAcknowledged: Instant?
  /// CLASS in lower case: `public`, `private` or `confidential`; `nil` if it is missing.
  public var classification: String?
  /// PRIORITY from 1 (highest) to 9; `nil` if it is missing or 0.
  public var priority: Int?
  /// CREATED: when the event was made in a calendar program.
  public var created: Instant?
  /// LAST-MODIFIED: when the event was changed last.
  public var lastModified: Instant?
  /// DTSTAMP: when this version of the event was written or sent.
  package var stamp: Instant?
  /// PERCENT-COMPLETE of a task, from 0 to 100.
  public var percentComplete: Int?
  /// COMPLETED: when a task was done.
  public var completed: Instant?

  /// Details without any content.
  public init() {
    attendees = []
    attachments = []
    alarms = []
  }
}

extension EventDetails {
  /// Adds the people of the series to the cancellation of one of its occurrences, unless it names
  /// people itself.
  package mutating func takePeople(of series: EventDetails) {
    if organizer == nil { organizer = series.organizer }
    if attendees.isEmpty { attendees = series.attendees }
  }

  /// Changes the participation of the attendees with these addresses, which are in lower case.
  package mutating func take(answers: [String: String]) {
    for index in attendees.indices {
      guard let email = attendees[index].person.email?.lowercased(),
        let participation = answers[email]
      else { continue }
      attendees[index].participation = participation
    }
  }
}

/// A place on the Earth (GEO).
public struct Coordinates: Hashable, Sendable {
  /// Degrees north of the equator, from −90 to 90; negative in the south.
  public let latitude: Double
  /// Degrees east of Greenwich, from −180 to 180; negative in the west.
  public let longitude: Double

  /// `nil` if the latitude is outside of ±90 degrees or the longitude outside of ±180 degrees.
  public init?(latitude: Double, longitude: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A person or a group that an ORGANIZER or ATTENDEE names.
public struct Person: Hashable, Sendable {
  /// The name (CN); `nil` if the source does not have one.
  public var name: String?
  /// The address without `mailto:`; `nil` if the value is not a mail address.
  public var email: String?

  /// A person with a name, a mail address, or both.
  public init(name: String?, email: String?) {
    self.name = name
    self.email = email
  }
}

/// An invited person and their answer (ATTENDEE).
public struct Attendee: Hashable, Sendable {
  /// The invited person.
  public var person: Person
  /// The answer (PARTSTAT) in lower case, such as `accepted`; `needs-action` if the source has
  /// none.
  public var participation: String
  /// The role (ROLE) in lower case; `req-participant` if the source has none.
  public var role: String

  /// An attendee with an answer and a role in lower case.
  public init(person: Person, participation: String, role: String) {
    self.person = person
    self.participation = participation
    self.role = role
  }
}

/// An attachment or picture of an event (ATTACH, IMAGE). `Calendars.attachmentBytes` reads
/// its bytes if they are in the calendar.
public struct Attachment: Hashable, Sendable {
  /// The position among the attachments of the event, from 1.
  public package(set) var number: Int
  /// The media type (FMTTYPE), such as `image/png`; `nil` if it is unknown.
  public package(set) var mediaType: String?
  /// The size of an attachment that is in the calendar itself; `nil` for one that is only linked.
  public package(set) var byteCount: Int?
  /// The address of a linked attachment, which is never fetched; `nil` if the bytes are in the
  /// calendar.
  public package(set) var uri: String?
  /// The name of the file (FILENAME or X-FILENAME). Do not use it as a path: a stranger can have
  /// written it.
  public package(set) var name: String?
  /// Whether this is a picture that represents the event (IMAGE of RFC 7986).
  public package(set) var isImage: Bool
  /// Whether one of the ways to show the picture (DISPLAY) is known. A picture with other ones only is not
  /// shown (RFC 7986 6.1).
  package let hasKnownDisplay: Bool

  /// An attachment with these properties.
  package init(
    number: Int, mediaType: String?, byteCount: Int?, uri: String?, name: String?, isImage: Bool,
    hasKnownDisplay: Bool = true
  ) {
    self.number = number
    self.mediaType = mediaType
    self.byteCount = byteCount
    self.uri = uri
    self.name = name
    self.isImage = isImage
    self.hasKnownDisplay = hasKnownDisplay
  }
}

/// An alarm of an event (VALARM).
public struct Alarm: Hashable, Sendable {
  /// When an alarm goes off.
  public enum Trigger: Hashable, Sendable {
    /// A duration from the start of the occurrence; negative if the alarm goes off earlier.
    case fromStart(EventDuration)
    /// A duration from the end of the occurrence; negative if the alarm goes off earlier.
    case fromEnd(EventDuration)
    /// A fixed moment, which does not move with the event.
    case at(Instant)
  }

  /// ACTION in lower case: `display`, `audio`, `email`.
  public var action: String
  /// When the alarm goes off.
  public var trigger: Trigger
  /// How often the alarm goes off again after the first time.
  public var repetitions: Int
  /// The time between two repetitions; `nil` if the alarm does not repeat.
  public var interval: EventDuration?
  /// The text that the alarm shows; `nil` if it has none.
  public var description: String?
  /// When the user dismissed it. It does not go off at this moment or earlier, nor again after it.
  package var acknowledged: Instant?

  /// An alarm with an action in lower case, such as `display`.
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

  /// An alarm that the user may have dismissed.
  package init(
    action: String, trigger: Trigger, repetitions: Int, interval: EventDuration?,
    description: String?, acknowledged: Instant?
  ) {
    self.init(
      action: action, trigger: trigger, repetitions: repetitions, interval: interval,
      description: description)
    self.acknowledged = acknowledged
  }

  /// Whether the action is one of RFC 5545 or RFC 2445. Alarms with others do not go off (3.8.6.1).
  package var hasKnownAction: Bool {
    ["display", "audio", "email", "procedure"].contains(action)
  }
}
