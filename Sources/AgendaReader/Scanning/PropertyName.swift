/// The properties that agenda reads. The scanner looks at those that place and name a component, and
/// passes the others by.
enum PropertyName: UInt8 {
  /// No name at all: a raw newline within the text before it, or junk.
  case stray
  /// A well-formed name of no interest to anybody.
  case other
  // Of the details, which the scanner passes by:
  case attendee, organizer, attachment, image, conference, coordinates, url
  case classification, priority, created, percentComplete, completed
  case vendorConference, appleLocation
  case action, trigger, repetitions
  // Of the scanner:
  case begin, end
  case uid, recurrenceID, sequence, dateTimeStamp, lastModified
  case start, finish, due, duration
  case rule, exceptionRule, recurrenceDate, exceptionDate
  case summary, location, status, transparency, categories, color
  case allDayOfMicrosoft
  // Of a calendar:
  case method, calendarName, name, calendarZone, appleColor, version
  // Texts that the scanner passes by; a stray line after one belongs to it:
  case description, styledDescription, alternativeDescription
  case otherText

  /// Whether the scanner takes nothing from it, not even a line that may go on with its text.
  @inline(__always)
  var isPassedBy: Bool { rawValue <= PropertyName.repetitions.rawValue }

  /// Whether it is one of the texts that the scanner passes by.
  @inline(__always)
  var isOtherText: Bool { rawValue >= PropertyName.description.rawValue }
}

extension PropertyName {
  /// The property that the content line beginning at `start` names, and where the name ends.
  @inline(__always)
  static func scan(_ bytes: Bytes, from start: Int, to end: Int) -> (PropertyName, nameEnd: Int) {
    var index = start
    while index < end {
      let byte = bytes[index]
      guard byte.isLetter || byte == 0x2D || byte.isDigit || byte == 0x5F || byte == 0x2E else {
        break
      }
      index &+= 1
    }
    guard index > start, index < end, bytes[index] == 0x3A || bytes[index] == 0x3B else {
      return blankBeforeColon(bytes, from: start, nameEnd: index, to: end)
    }
    return (named(bytes, start, index &- start), index)
  }

  /// `SUMMARY : x` of hand-written files is read as meant.
  private static func blankBeforeColon(
    _ bytes: Bytes, from start: Int, nameEnd: Int, to end: Int
  ) -> (PropertyName, nameEnd: Int) {
    var index = nameEnd
    while index < end, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    guard index > nameEnd, index < end, bytes[index] == 0x3A, nameEnd > start else {
      return (.stray, nameEnd)
    }
    let name = named(bytes, start, nameEnd - start)
    return name.isPassedBy ? (.stray, nameEnd) : (name, index)
  }

  private static func named(_ bytes: Bytes, _ start: Int, _ length: Int) -> PropertyName {
    let first = bytes[start] & 0xDF
    @inline(__always)
    func has(_ name: StaticString) -> Bool {
      first == name.utf8Start.pointee && bytes.hasName(name, at: start)
    }
    switch length {
    case 3:
      if has("END") { return .end }
      if has("UID") { return .uid }
      if has("DUE") { return .due }
      if has("GEO") { return .coordinates }
      if has("URL") { return .url }
    case 4:
      if has("NAME") { return .name }
    case 5:
      if has("BEGIN") { return .begin }
      if has("DTEND") { return .finish }
      if has("RRULE") { return .rule }
      if has("RDATE") { return .recurrenceDate }
      if has("COLOR") { return .color }
      if has("CLASS") { return .classification }
      if has("IMAGE") { return .image }
    case 6:
      if has("STATUS") { return .status }
      if has("TRANSP") { return .transparency }
      if has("EXDATE") { return .exceptionDate }
      if has("EXRULE") { return .exceptionRule }
      if has("METHOD") { return .method }
      if has("ATTACH") { return .attachment }
      if has("ACTION") { return .action }
      if has("REPEAT") { return .repetitions }
    case 7:
      if has("DTSTART") { return .start }
      if has("DTSTAMP") { return .dateTimeStamp }
      if has("SUMMARY") { return .summary }
      if has("CREATED") { return .created }
      if has("TRIGGER") { return .trigger }
      if has("COMMENT") || has("CONTACT") { return .otherText }
      if has("VERSION") { return .version }
    case 8:
      if has("SEQUENCE") { return .sequence }
      if has("LOCATION") { return .location }
      if has("ATTENDEE") { return .attendee }
      if has("DURATION") { return .duration }
      if has("PRIORITY") { return .priority }
    case 9:
      if has("ORGANIZER") { return .organizer }
      if has("COMPLETED") { return .completed }
    case 10:
      if has("CATEGORIES") { return .categories }
      if has("CONFERENCE") { return .conference }
      if has("X-ALT-DESC") { return .alternativeDescription }
    case 11:
      if has("DESCRIPTION") { return .description }
    case 12:
      if has("X-WR-CALNAME") { return .calendarName }
      if has("X-WR-CALDESC") { return .otherText }
    case 13:
      if has("LAST-MODIFIED") { return .lastModified }
      if has("RECURRENCE-ID") { return .recurrenceID }
      if has("X-WR-TIMEZONE") { return .calendarZone }
    case 16:
      if has("PERCENT-COMPLETE") { return .percentComplete }
    case 18:
      if has("STYLED-DESCRIPTION") { return .styledDescription }
    case 19:
      if has("X-GOOGLE-CONFERENCE") { return .vendorConference }
    case 22:
      if has("X-APPLE-CALENDAR-COLOR") { return .appleColor }
    case 27:
      if has("X-MICROSOFT-CDO-ALLDAYEVENT") { return .allDayOfMicrosoft }
      if has("X-APPLE-STRUCTURED-LOCATION") { return .appleLocation }
    case 32:
      if has("X-MICROSOFT-SKYPETEAMSMEETINGURL") { return .vendorConference }
    case 33:
      if has("X-MICROSOFT-ONLINEMEETINGCONFLINK") { return .vendorConference }
    default: break
    }
    return .other
  }
}

extension PropertyName {
  /// The name, or `stray` where the line is no property, but more of the text before it.
  @inline(__always)
  func unlessProse(_ line: ContentLine, nameEnd: Int, _ bytes: Bytes) -> PropertyName {
    isPassedBy && self != .stray && Self.looksLikeProse(line, nameEnd: nameEnd, bytes)
      ? .stray : self
  }

  /// A description with raw newlines goes on with lines such as `Note: bring water` and
  /// `https://example.com`: they look like properties, but no property is written so.
  private static func looksLikeProse(_ line: ContentLine, nameEnd: Int, _ bytes: Bytes) -> Bool {
    guard nameEnd + 1 < line.end, bytes[nameEnd] == 0x3A,
      bytes[line.start] >= 0x61
        || bytes[nameEnd + 1] == 0x20
    else { return false }
    let name = bytes.part(line.start, nameEnd)
    guard name.contains(where: { $0 >= 0x61 }) else { return false }
    if name.isName("HTTP") || name.isName("HTTPS") || name.isName("MAILTO") { return true }
    return bytes[nameEnd + 1] == 0x20 && !name.beginsWithName("X-")
  }
}
