/// The properties that the scanner looks at; all others pass it by unread.
enum PropertyName: UInt8 {
  /// No name at all: a raw newline within the text before it, or junk.
  case stray
  /// A well-formed name of no interest to the scanner.
  case other
  /// One whose value is text, so that a stray line after it belongs to it.
  case otherText
  case begin, end
  case uid, recurrenceID, sequence, dateTimeStamp, lastModified
  case start, finish, due, duration
  case rule, exceptionRule, recurrenceDate, exceptionDate
  case summary, location, status, transparency, categories, color
  case allDayOfMicrosoft
  // Of a calendar:
  case method, calendarName, name, calendarZone, appleColor, version
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
    return name == .other ? (.stray, nameEnd) : (name, index)
  }

  @inline(__always)
  private static func named(_ bytes: Bytes, _ start: Int, _ length: Int) -> PropertyName {
    func has(_ name: StaticString) -> Bool { bytes.hasName(name, at: start) }
    switch length {
    case 3:
      if has("END") { return .end }
      if has("UID") { return .uid }
      if has("DUE") { return .due }
    case 4:
      if has("NAME") { return .name }
    case 5:
      if has("BEGIN") { return .begin }
      if has("DTEND") { return .finish }
      if has("RRULE") { return .rule }
      if has("RDATE") { return .recurrenceDate }
      if has("COLOR") { return .color }
    case 6:
      if has("STATUS") { return .status }
      if has("TRANSP") { return .transparency }
      if has("EXDATE") { return .exceptionDate }
      if has("EXRULE") { return .exceptionRule }
      if has("METHOD") { return .method }
    case 7:
      if has("DTSTART") { return .start }
      if has("DTSTAMP") { return .dateTimeStamp }
      if has("SUMMARY") { return .summary }
      if has("COMMENT") || has("CONTACT") { return .otherText }
      if has("VERSION") { return .version }
    case 8:
      if has("SEQUENCE") { return .sequence }
      if has("LOCATION") { return .location }
      if has("DURATION") { return .duration }
    case 10:
      if has("CATEGORIES") { return .categories }
      if has("X-ALT-DESC") { return .otherText }
    case 11:
      if has("DESCRIPTION") { return .otherText }
    case 12:
      if has("X-WR-CALNAME") { return .calendarName }
      if has("X-WR-CALDESC") { return .otherText }
    case 13:
      if has("LAST-MODIFIED") { return .lastModified }
      if has("RECURRENCE-ID") { return .recurrenceID }
      if has("X-WR-TIMEZONE") { return .calendarZone }
    case 18:
      if has("STYLED-DESCRIPTION") { return .otherText }
    case 22:
      if has("X-APPLE-CALENDAR-COLOR") { return .appleColor }
    case 27:
      if has("X-MICROSOFT-CDO-ALLDAYEVENT") { return .allDayOfMicrosoft }
    default: break
    }
    return .other
  }
}
