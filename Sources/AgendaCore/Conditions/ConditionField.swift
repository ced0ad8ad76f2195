/// The fields that a condition can name: those of an entry in the JSON, and two more.
enum ConditionField: String, CaseIterable {
  case id, uid, recurrenceId, calendar, kind, title, allDay, start, end, timeZone, days, status
  case location, geo, url, description, conference, categories, organizer, attendees, attachments
  case duration, category

  enum ValueType {
    case text, flag, time, number, length
    /// Only whether there is a value can be asked.
    case presence
  }

  var type: ValueType {
    switch self {
    case .allDay: .flag
    case .start, .end, .recurrenceId: .time
    case .days: .number
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
