/// The properties that the details of an event show.
enum DetailName {
  case attendee, organizer, attachment, image, conference, coordinates, url
  case classification, priority, created, lastModified, stamp, percentComplete, completed
  case vendorConference, appleLocation
  // Of an alarm:
  case action, trigger, repetitions, interval, alarmDescription

  init?(_ name: PropertyName, isInAlarm: Bool) {
    let found = isInAlarm ? Self.ofAlarm(name) : Self.ofComponent(name)
    guard let found else { return nil }
    self = found
  }

  private static func ofComponent(_ name: PropertyName) -> DetailName? {
    switch name {
    case .attendee: .attendee
    case .organizer: .organizer
    case .attachment: .attachment
    case .image: .image
    case .conference: .conference
    case .vendorConference: .vendorConference
    case .coordinates: .coordinates
    case .appleLocation: .appleLocation
    case .url: .url
    case .classification: .classification
    case .priority: .priority
    case .created: .created
    case .lastModified: .lastModified
    case .dateTimeStamp: .stamp
    case .percentComplete: .percentComplete
    case .completed: .completed
    default: nil
    }
  }

  private static func ofAlarm(_ name: PropertyName) -> DetailName? {
    switch name {
    case .action: .action
    case .trigger: .trigger
    case .repetitions: .repetitions
    case .duration: .interval
    case .description: .alarmDescription
    default: nil
    }
  }

  var isAttachment: Bool { self == .attachment || self == .image }

  /// The name under which libical is given it.
  var libicalName: String {
    switch self {
    case .attendee: "ATTENDEE"
    case .organizer: "ORGANIZER"
    // IMAGE is parsed as ATTACH is: the two differ only in their parameter DISPLAY.
    case .attachment, .image: "ATTACH"
    // libical 3.0.16 reads a CONFERENCE as text.
    case .conference, .url: "URL"
    case .coordinates: "GEO"
    case .classification: "CLASS"
    case .priority: "PRIORITY"
    case .created: "CREATED"
    case .lastModified: "LAST-MODIFIED"
    case .stamp: "DTSTAMP"
    case .percentComplete: "PERCENT-COMPLETE"
    case .completed: "COMPLETED"
    case .vendorConference: "X-CONFERENCE"
    case .appleLocation: "X-LOCATION"
    case .action: "ACTION"
    case .trigger: "TRIGGER"
    case .repetitions: "REPEAT"
    case .interval: "DURATION"
    case .alarmDescription: "DESCRIPTION"
    }
  }

  /// As a finding names it.
  var propertyName: String {
    switch self {
    case .image: "IMAGE"
    case .conference: "CONFERENCE"
    case .vendorConference: "X-GOOGLE-CONFERENCE"
    case .appleLocation: "X-APPLE-STRUCTURED-LOCATION"
    default: libicalName
    }
  }
}
