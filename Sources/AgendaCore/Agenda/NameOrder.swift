internal import enum Platform.Memory

/// The order of occurrences with the same time: by title, UID and calendar, then by other
/// properties.
enum NameOrder {
  /// `nil` if they differ only by their positions in a list. A call that is not inlined would copy
  /// both occurrences.
  @inline(__always)
  static func precedes(_ left: borrowing Occurrence, _ right: borrowing Occurrence) -> Bool? {
    let title = left.event.title.order(right.event.title)
    if title != 0 { return title < 0 }
    let uid = left.event.identity.uid.order(right.event.identity.uid)
    if uid != 0 { return uid < 0 }
    let calendar = left.event.calendar.order(right.event.calendar)
    if calendar != 0 { return calendar < 0 }
    let (leftID, rightID) = (OccurrenceID(of: left).number, OccurrenceID(of: right).number)
    if leftID != rightID { return leftID < rightID }
    let (one, other) = (left.event.reference, right.event.reference)
    if one.source != other.source { return one.source < other.source }
    return one.component != other.component ? one.component < other.component : nil
  }
}

extension String {
  /// So many bytes of a long text are compared as characters, and the rest as bytes: `<` converts
  /// text that is not ASCII to its normal form, each time that two texts are compared.
  private static let longest = 128

  /// Whether it comes before another text (-1), after it (1) or is the same (0).
  fileprivate func order(_ other: String) -> Int {
    guard utf8.count > Self.longest || other.utf8.count > Self.longest else {
      return self == other ? 0 : self < other ? -1 : 1
    }
    let (start, otherStart) = (longStart, other.longStart)
    guard start == otherStart else { return start < otherStart ? -1 : 1 }
    var (rest, otherRest) = (self[start.endIndex...], other[otherStart.endIndex...])
    return rest.withUTF8 { rest in otherRest.withUTF8 { Memory.order(rest, $0) } }
  }

  /// Its first characters.
  private var longStart: Substring {
    let end = utf8.index(utf8.startIndex, offsetBy: Self.longest, limitedBy: utf8.endIndex)
    return Substring(unicodeScalars[..<(end ?? utf8.endIndex)])
  }
}

extension Entry {
  /// Whether it comes first in an agenda by day: by day, all-day entries first, then by start, end
  /// and name. The other entry may belong to another agenda with the same window.
  package func precedes(_ other: Entry) -> Bool {
    let (day, otherDay) = (dayNumber, other.dayNumber)
    if day != otherDay { return day < otherDay }
    let (span, otherSpan) = (
      storage.span(ofOccurrence: occurrenceIndex),
      other.storage.span(ofOccurrence: other.occurrenceIndex)
    )
    if span.isTimed != otherSpan.isTimed { return otherSpan.isTimed }
    if span.isTimed {
      if begin != other.begin { return begin < other.begin }
      if finish != other.finish { return finish < other.finish }
    } else {
      if span.first != otherSpan.first { return span.first < otherSpan.first }
      if span.last != otherSpan.last { return span.last < otherSpan.last }
    }
    return NameOrder.precedes(occurrence, other.occurrence) ?? false
  }
}
