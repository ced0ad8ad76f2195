/// What a property's value is (RFC 5545 3.3), and so who makes the value: `Libical` for
/// texts, addresses, URIs and keywords, our own code for the rest. Docs/Architecture.md has the
/// reasons.
package enum ValueType: Sendable {
  case text, address, uri, attachment
  case status, transparency, classification, action, method
  case time, duration, trigger, integer, coordinates, rule
  case component
}

/// Where agenda shows a property.
package enum PropertyUse: Sendable {
  /// BEGIN and END.
  case syntax
  /// In every agenda: it places, names or identifies an event.
  case agenda
  /// In the details of an event.
  case details
  /// In the details of an event, as part of an alarm.
  case alarm
  /// In the agenda for an event, and in the details as part of an alarm.
  case agendaAndAlarm
  /// In the details, both of an event and of an alarm.
  case detailsAndAlarm
  /// As a property of the calendar.
  case calendar
  /// Only in its original wording.
  case wording
}

/// The one table of properties: name, how the program refers to it, type of its value, where it is
/// shown. Where several names share one case, the first is the one that findings print.
package struct PropertyTable: Sendable {
  package let name: StaticString
  package let property: PropertyName
  package let type: ValueType
  package let use: PropertyUse

  private init(
    _ name: StaticString, _ property: PropertyName, _ type: ValueType, _ use: PropertyUse
  ) {
    self.name = name
    self.property = property
    self.type = type
    self.use = use
  }

  package static let rows: [PropertyTable] = [
    .init("BEGIN", .begin, .component, .syntax),
    .init("END", .end, .component, .syntax),
    .init("UID", .uid, .text, .agenda),
    .init("RECURRENCE-ID", .recurrenceID, .time, .agenda),
    .init("SEQUENCE", .sequence, .integer, .agenda),
    .init("DTSTAMP", .dateTimeStamp, .time, .details),
    .init("LAST-MODIFIED", .lastModified, .time, .details),
    .init("DTSTART", .start, .time, .agenda),
    .init("DTEND", .finish, .time, .agenda),
    .init("DUE", .due, .time, .agenda),
    .init("DURATION", .duration, .duration, .agendaAndAlarm),
    .init("RRULE", .rule, .rule, .agenda),
    .init("EXRULE", .exceptionRule, .rule, .agenda),
    .init("RDATE", .recurrenceDate, .time, .agenda),
    .init("EXDATE", .exceptionDate, .time, .agenda),
    .init("SUMMARY", .summary, .text, .agenda),
    .init("LOCATION", .location, .text, .agenda),
    .init("STATUS", .status, .status, .agenda),
    .init("TRANSP", .transparency, .transparency, .agenda),
    .init("CATEGORIES", .categories, .text, .agenda),
    .init("COLOR", .color, .text, .agenda),
    .init("X-MICROSOFT-CDO-ALLDAYEVENT", .allDayOfMicrosoft, .text, .agenda),
    .init("DESCRIPTION", .description, .text, .detailsAndAlarm),
    .init("STYLED-DESCRIPTION", .styledDescription, .text, .details),
    .init("X-ALT-DESC", .alternativeDescription, .text, .details),
    .init("ATTENDEE", .attendee, .address, .details),
    .init("ORGANIZER", .organizer, .address, .details),
    .init("ATTACH", .attachment, .attachment, .details),
    .init("IMAGE", .image, .attachment, .details),
    .init("CONFERENCE", .conference, .uri, .details),
    .init("X-GOOGLE-CONFERENCE", .vendorConference, .uri, .details),
    .init("X-MICROSOFT-SKYPETEAMSMEETINGURL", .vendorConference, .uri, .details),
    .init("X-MICROSOFT-ONLINEMEETINGCONFLINK", .vendorConference, .uri, .details),
    .init("GEO", .coordinates, .coordinates, .details),
    .init("X-APPLE-STRUCTURED-LOCATION", .appleLocation, .uri, .details),
    .init("URL", .url, .uri, .details),
    .init("CLASS", .classification, .classification, .details),
    .init("PRIORITY", .priority, .integer, .details),
    .init("CREATED", .created, .time, .details),
    .init("DCREATED", .created, .time, .details),
    .init("DALARM", .oldAlarm, .trigger, .details),
    .init("AALARM", .oldAlarm, .trigger, .details),
    .init("MALARM", .oldAlarm, .trigger, .details),
    .init("PALARM", .oldAlarm, .trigger, .details),
    .init("PERCENT-COMPLETE", .percentComplete, .integer, .details),
    .init("COMPLETED", .completed, .time, .details),
    .init("ACTION", .action, .action, .alarm),
    .init("TRIGGER", .trigger, .trigger, .alarm),
    .init("REPEAT", .repetitions, .integer, .alarm),
    .init("ACKNOWLEDGED", .acknowledged, .time, .alarm),
    .init("X-MOZ-LASTACK", .alarmsAcknowledged, .time, .details),
    .init("METHOD", .method, .method, .calendar),
    .init("X-WR-CALNAME", .calendarName, .text, .calendar),
    .init("NAME", .name, .text, .calendar),
    .init("X-WR-TIMEZONE", .calendarZone, .text, .calendar),
    .init("X-APPLE-CALENDAR-COLOR", .appleColor, .text, .calendar),
    .init("VERSION", .version, .text, .calendar),
    .init("PRODID", .producer, .text, .calendar),
    .init("TZ", .oldZone, .text, .calendar),
    .init("DAYLIGHT", .oldDaylight, .text, .calendar),
    .init("COMMENT", .otherText, .text, .wording),
    .init("CONTACT", .otherText, .text, .wording),
    .init("RESOURCES", .resources, .text, .wording),
    .init("X-WR-CALDESC", .otherText, .text, .wording),
  ]
}

// MARK: Looking names up

extension PropertyTable {
  // A scanner looks up every line of a source, so the rows are chained by length and first letter:
  // `first` has the first row of each chain, `next` the following one, 0 none. Rows count from 1.
  private static let longestName = 40
  private static let chains: (first: [UInt8], next: [UInt8]) = {
    var first = [UInt8](repeating: 0, count: longestName * 32)
    var next = [UInt8](repeating: 0, count: rows.count + 1)
    for (index, row) in rows.enumerated().reversed() {
      let key = key(length: row.name.utf8CodeUnitCount, initial: row.name.utf8Start.pointee)
      next[index + 1] = first[key]
      first[key] = UInt8(index + 1)
    }
    return (first, next)
  }()

  private static func key(length: Int, initial: UInt8) -> Int {
    length &* 32 &+ Int(initial & 0x1F)
  }

  /// The property with a name of that length at `start`, ignoring letter case.
  static func name(_ bytes: Bytes, at start: Int, length: Int) -> PropertyName {
    guard length < longestName, length > 0 else { return .other }
    var row = Int(chains.first[key(length: length, initial: bytes[start])])
    while row != 0 {
      if bytes.hasName(rows[row &- 1].name, at: start) { return rows[row &- 1].property }
      row = Int(chains.next[row])
    }
    return .other
  }

  private static let byProperty: [PropertyTable?] = {
    var found = [PropertyTable?](repeating: nil, count: 256)
    for row in rows.reversed() { found[Int(row.property.rawValue)] = row }
    return found
  }()

  /// The row of a property; of several names the first.
  package static func row(of property: PropertyName) -> PropertyTable? {
    byProperty[Int(property.rawValue)]
  }
}

extension PropertyName {
  /// Whether the details of an event, or of an alarm in it, show the property as a value.
  @inline(__always)
  package func isDetail(inAlarm: Bool) -> Bool {
    Self.details[Int(rawValue)] & (inAlarm ? 2 : 1) != 0
  }

  /// By raw value: bit 0 for the details of an event, bit 1 for those of an alarm.
  private static let details: [UInt8] = {
    var found = [UInt8](repeating: 0, count: 256)
    for row in PropertyTable.rows {
      let bits: UInt8 =
        switch row.use {
        case .details: row.type == .text ? 0 : 1
        case .alarm, .agendaAndAlarm, .detailsAndAlarm: 2
        case .syntax, .agenda, .calendar, .wording: 0
        }
      found[Int(row.property.rawValue)] |= bits
    }
    return found
  }()
}
