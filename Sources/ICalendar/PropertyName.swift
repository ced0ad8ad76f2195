/// The properties that agenda reads. Properties that are read in the same way share a case.
@usableFromInline package enum PropertyName: UInt8, Sendable {
  /// No name at all: a raw newline in the text before it, or junk.
  case stray
  /// A well-formed name that agenda does not read.
  case other
  // Read for the details of an event only:
  case attendee, organizer, attachment, image, conference, coordinates, url
  case classification, priority, created, percentComplete, completed
  case vendorConference, appleLocation
  case resources, oldAlarm
  case acknowledged, alarmsAcknowledged
  case action, trigger, repetitions
  // Syntax:
  case begin, end
  // Read for the place of an event in the agenda:
  case uid, recurrenceID, sequence, dateTimeStamp, lastModified
  case start, finish, due, duration
  case rule, exceptionRule, recurrenceDate, exceptionDate
  case summary, location, status, transparency, categories, color
  case allDayOfMicrosoft
  // Properties of a calendar:
  case method, calendarName, name, calendarZone, appleColor, version, producer
  case oldZone, oldDaylight
  // Texts, which a stray line after them continues:
  case description, styledDescription, alternativeDescription
  case otherText

  /// Whether a line with this name takes no part in placing an event, not even as the text that a
  /// stray line continues.
  @inlinable @inline(__always)
  package var isPassedBy: Bool { rawValue <= PropertyName.repetitions.rawValue }

  /// Whether it is a text that the details show or that is kept as it is.
  @inlinable @inline(__always)
  package var isOtherText: Bool { rawValue >= PropertyName.description.rawValue }

  /// Whether people write whole sentences into it, so that a line without a name after it belongs
  /// to its text.
  package var isFreeText: Bool { isOtherText || self == .summary || self == .location }
}

extension PropertyName {
  /// The property that the content line at `start` names, and where its name ends.
  @usableFromInline
  package static func scan(
    _ bytes: Bytes, from start: Int, to end: Int
  ) -> (PropertyName, nameEnd: Int) {
    // Most lines begin with a name of the table, which needs no look at each of its characters.
    let delimiter = bytes.endOfName(from: start, to: end)
    if delimiter < end {
      let name = PropertyTable.name(bytes, at: start, length: delimiter &- start)
      if name != .other { return (name, delimiter) }
    }
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
    return (PropertyTable.name(bytes, at: start, length: index &- start), index)
  }

  /// Accepts `SUMMARY : x` and `DTSTART ;VALUE=DATE:…`, which people write by hand.
  private static func blankBeforeColon(
    _ bytes: Bytes, from start: Int, nameEnd: Int, to end: Int
  ) -> (PropertyName, nameEnd: Int) {
    var index = nameEnd
    while index < end, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    guard index > nameEnd, index < end, bytes[index] == 0x3A || bytes[index] == 0x3B,
      nameEnd > start
    else { return (.stray, nameEnd) }
    let name = PropertyTable.name(bytes, at: start, length: nameEnd - start)
    return name.isPassedBy ? (.stray, nameEnd) : (name, index)
  }
}

extension PropertyName {
  /// The name, or `stray` if the line is probably the continuation of a text.
  @inlinable @inline(__always)
  package func unlessProse(_ line: ContentLine, nameEnd: Int, _ bytes: Bytes) -> PropertyName {
    isPassedBy && self != .stray && Self.looksLikeProse(line, nameEnd: nameEnd, bytes)
      ? .stray : self
  }

  /// A description with raw newlines contains lines such as `Note: bring water` and
  /// `https://example.com`. They look like properties, but no producer writes properties like that.
  @usableFromInline
  static func looksLikeProse(_ line: ContentLine, nameEnd: Int, _ bytes: Bytes) -> Bool {
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
