/// The order of occurrences with the same time: by title, UID and calendar, then by other
/// properties.
enum NameOrder {
  /// `nil` if they differ only by their positions in a list. A call that is not inlined would copy
  /// both occurrences.
  @inline(__always)
  static func precedes(_ left: borrowing Occurrence, _ right: borrowing Occurrence) -> Bool? {
    let title = ComparedText.order(left.event.title, right.event.title)
    if title != 0 { return title < 0 }
    let uid = ComparedText.order(left.event.identity.uid, right.event.identity.uid)
    if uid != 0 { return uid < 0 }
    let calendar = ComparedText.order(left.event.calendar, right.event.calendar)
    if calendar != 0 { return calendar < 0 }
    let (leftID, rightID) = (OccurrenceID(of: left).number, OccurrenceID(of: right).number)
    if leftID != rightID { return leftID < rightID }
    let (one, other) = (left.event.reference, right.event.reference)
    if one.source != other.source { return one.source < other.source }
    return one.component != other.component ? one.component < other.component : nil
  }
}

extension Entry {
  /// Whether it comes first in an agenda by day: by day, all-day entries first, then by start, end
  /// and name. The other entry may belong to another agenda with the same window.
  package func precedes(_ other: Entry) -> Bool {
    let (day, otherDay) = (dayNumber, other.dayNumber)
    if day != otherDay { return day < otherDay }
    let (span, otherSpan) = (span, other.span)
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
