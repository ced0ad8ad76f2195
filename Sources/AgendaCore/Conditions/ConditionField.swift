/// The fields that a condition can name: those of an entry in the JSON, the keys inside of them after
/// a dot, and two more.
enum ConditionField: String, CaseIterable {
  case id, uid, recurrenceId, calendar, kind, title, allDay, start, end, timeZone, days, status
  case location, geo, url, description, conference, categories, organizer, attendees, attachments
  case duration, category
  case latitude = "geo.latitude"
  case longitude = "geo.longitude"
  case organizerName = "organizer.name"
  case organizerEmail = "organizer.email"
  case attendeeName = "attendees.name"
  case attendeeEmail = "attendees.email"
  case attendeeStatus = "attendees.status"
  case attachmentNumber = "attachments.number"
  case attachmentMediaType = "attachments.mediaType"
  case attachmentBytes = "attachments.bytes"
  case attachmentURI = "attachments.uri"

  enum ValueType {
    case text, flag, time, number, decimal, length
    /// Only whether there is a value can be asked.
    case presence
  }

  var type: ValueType {
    switch self {
    case .allDay: .flag
    case .start, .end, .recurrenceId: .time
    case .days, .attachmentNumber, .attachmentBytes: .number
    case .latitude, .longitude: .decimal
    case .duration: .length
    case .geo: .presence
    default: .text
    }
  }

  /// Whether all occurrences of an event have the same value.
  var belongsToEvent: Bool {
    switch self {
    case .id, .recurrenceId, .allDay, .start, .end, .timeZone, .days, .duration: false
    default: true
    }
  }
}
