/// The fields that a condition can name: those of an entry in the JSON, the keys inside of them
/// after a dot, and two more.
package enum ConditionField: String, CaseIterable {
  case indexPath, id, uid, recurrenceId, calendar, kind, title, allDay, start, end, timeZone, day
  case days, status, location, geo, url, description, conference, categories, organizer, attendees
  case attachments, duration, category
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

  package enum ValueType {
    case text, flag, time, number, decimal, length
    /// A field that a condition can only compare with null.
    case presence
  }

  package var type: ValueType {
    switch self {
    case .allDay: .flag
    case .start, .end, .recurrenceId: .time
    case .day, .days, .attachmentNumber, .attachmentBytes: .number
    case .latitude, .longitude: .decimal
    case .duration: .length
    case .geo: .presence
    default: .text
    }
  }

  /// The owner of the value, from the event to one line of a listing.
  enum Scope: Comparable {
    case event, occurrence, entry
  }

  var scope: Scope {
    switch self {
    case .day, .indexPath: .entry
    case .id, .recurrenceId, .allDay, .start, .end, .timeZone, .days, .duration: .occurrence
    default: .event
    }
  }
}
