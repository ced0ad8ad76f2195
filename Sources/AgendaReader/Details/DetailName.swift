/// The properties that the details of an event show.
enum DetailName {
  case attendee, organizer, attachment, image, conference, coordinates, url
  case classification, priority, created, lastModified, stamp, percentComplete, completed
  case vendorConference, appleLocation
  // Of an alarm:
  case action, trigger, repetitions, interval, alarmDescription

  init?(_ name: Bytes, isInAlarm: Bool) {
    let table = isInAlarm ? Self.alarmNames : Self.names
    guard let found = table.first(where: { name.isName($0.0) })?.1 else { return nil }
    self = found
  }

  /// Whether a property of the details begins with that letter; most lines of a component do not
  /// need to be looked at any further.
  static func canBegin(_ letter: UInt8) -> Bool {
    switch letter & 0xDF {
    case 0x41, 0x43, 0x44, 0x47, 0x49, 0x4C, 0x4F, 0x50, 0x52, 0x54, 0x55, 0x58: true
    default: false
    }
  }

  private static let names: [(StaticString, DetailName)] = [
    ("ATTENDEE", .attendee), ("ORGANIZER", .organizer), ("ATTACH", .attachment),
    ("IMAGE", .image), ("CONFERENCE", .conference), ("GEO", .coordinates), ("URL", .url),
    ("CLASS", .classification), ("PRIORITY", .priority), ("CREATED", .created),
    ("LAST-MODIFIED", .lastModified), ("DTSTAMP", .stamp),
    ("PERCENT-COMPLETE", .percentComplete), ("COMPLETED", .completed),
    ("X-GOOGLE-CONFERENCE", .vendorConference),
    ("X-MICROSOFT-SKYPETEAMSMEETINGURL", .vendorConference),
    ("X-MICROSOFT-ONLINEMEETINGCONFLINK", .vendorConference),
    ("X-APPLE-STRUCTURED-LOCATION", .appleLocation),
  ]

  private static let alarmNames: [(StaticString, DetailName)] = [
    ("ACTION", .action), ("TRIGGER", .trigger), ("REPEAT", .repetitions),
    ("DURATION", .interval), ("DESCRIPTION", .alarmDescription),
  ]

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
