internal import ICalendar

/// The positions of the properties that place and name a component. It is reused for every
/// component.
struct ComponentSlots {
  var uid: PropertySlot?
  var recurrenceID: PropertySlot?
  var sequence: PropertySlot?
  var stamp: PropertySlot?
  var lastModified: PropertySlot?
  var start: PropertySlot?
  var finish: PropertySlot?
  var due: PropertySlot?
  var duration: PropertySlot?
  var summary: PropertySlot?
  var location: PropertySlot?
  var status: PropertySlot?
  /// Of a task. With it, a task without STATUS is completed.
  var completed: PropertySlot?
  var transparency: PropertySlot?
  var color: PropertySlot?
  var allDay: PropertySlot?
  var rules: [PropertySlot] = []
  var exceptionRules: [PropertySlot] = []
  var dates: [PropertySlot] = []
  var exceptionDates: [PropertySlot] = []
  var categories: [PropertySlot] = []
  /// The second of two properties that may occur only once. The first one is used.
  var repeated: PropertySlot?
  /// The first line that is not a property, and whether it was added to the text of the line before
  /// it.
  var stray: (line: ContentLine, isText: Bool)?
  /// The last property if it was a text, to which a stray line can belong, and the end of that text.
  private var lastText: PropertyName?
  private var lastEnd = 0
  /// A SUMMARY or LOCATION without a value. A stray line after it gives it one.
  private var emptyText: PropertySlot?

  /// Whether it has any property that makes a series.
  var hasRecurrence: Bool {
    !(rules.isEmpty && exceptionRules.isEmpty && dates.isEmpty && exceptionDates.isEmpty)
  }

  mutating func removeAll() {
    (uid, recurrenceID, sequence, stamp, lastModified) = (nil, nil, nil, nil, nil)
    (start, finish, due, duration) = (nil, nil, nil, nil)
    (summary, location, status, transparency, color, allDay) = (nil, nil, nil, nil, nil, nil)
    (completed, repeated, stray, lastText, emptyText) = (nil, nil, nil, nil, nil)
    if !rules.isEmpty { rules.removeAll(keepingCapacity: true) }
    if !exceptionRules.isEmpty { exceptionRules.removeAll(keepingCapacity: true) }
    if !dates.isEmpty { dates.removeAll(keepingCapacity: true) }
    if !exceptionDates.isEmpty { exceptionDates.removeAll(keepingCapacity: true) }
    if !categories.isEmpty { categories.removeAll(keepingCapacity: true) }
  }

  /// Records a content line of the component that is neither BEGIN nor END. Its name is that of
  /// `PropertyName.unlessProse`.
  @inline(__always)
  mutating func read(_ name: PropertyName, _ line: ContentLine, nameEnd: Int, bytes: Bytes) {
    if name == .stray {
      recordStray(line, bytes)
    } else {
      record(name, line, nameEnd: nameEnd)
    }
  }

  /// Records a property. If one that may occur once is repeated, the first one counts.
  @inline(__always)
  private mutating func record(_ name: PropertyName, _ line: ContentLine, nameEnd: Int) {
    lastText = nil
    if name.isPassedBy {
      if name == .completed, completed == nil {
        completed = PropertySlot(line: line, nameEnd: nameEnd)
      }
      return
    }
    lastEnd = line.end
    if name.isOtherText {
      lastText = .otherText
      return
    }
    let slot = PropertySlot(line: line, nameEnd: nameEnd)
    // An empty property counts as missing.
    if nameEnd &+ 1 >= line.end {
      if name == .summary || name == .location { (lastText, emptyText) = (name, slot) }
      return
    }
    switch name {
    case .uid: Self.keep(&uid, slot, &repeated)
    case .recurrenceID: Self.keep(&recurrenceID, slot, &repeated)
    case .sequence: Self.keep(&sequence, slot, &repeated)
    case .dateTimeStamp: Self.keep(&stamp, slot, &repeated)
    case .lastModified: Self.keep(&lastModified, slot, &repeated)
    case .start: Self.keep(&start, slot, &repeated)
    case .finish: Self.keep(&finish, slot, &repeated)
    case .due: Self.keep(&due, slot, &repeated)
    case .duration: Self.keep(&duration, slot, &repeated)
    case .status: Self.keep(&status, slot, &repeated)
    case .transparency: Self.keep(&transparency, slot, &repeated)
    case .color: Self.keep(&color, slot, &repeated)
    case .allDayOfMicrosoft: if allDay == nil { allDay = slot }
    case .summary:
      (lastText, emptyText) = (summary == nil ? .summary : .otherText, nil)
      Self.keep(&summary, slot, &repeated)
    case .location:
      (lastText, emptyText) = (location == nil ? .location : .otherText, nil)
      Self.keep(&location, slot, &repeated)
    case .rule: rules.append(slot)
    case .exceptionRule: exceptionRules.append(slot)
    case .recurrenceDate: dates.append(slot)
    case .exceptionDate: exceptionDates.append(slot)
    case .categories: categories.append(slot)
    default: break
    }
  }

  @inline(__always)
  private static func keep(
    _ slot: inout PropertySlot?, _ property: PropertySlot, _ repeated: inout PropertySlot?
  ) {
    if slot == nil { slot = property } else if repeated == nil { repeated = property }
  }

  /// Records a line without a name. The producer wrote a raw newline within the text before it, unless
  /// another component is between them.
  private mutating func recordStray(_ line: ContentLine, _ bytes: Bytes) {
    if bytes.part(line.start, line.end).trimmed.isEmpty { return }
    if !line.follows(lastEnd, in: bytes) { lastText = nil }
    lastEnd = line.end
    if stray == nil { stray = (line, lastText != nil) }
    switch lastText {
    case .summary:
      summary = summary ?? emptyText
      summary?.append(line)
    case .location:
      location = location ?? emptyText
      location?.append(line)
    default: break
    }
  }
}

extension ComponentSlots {
  /// A digest of the UID; without a UID, of the content.
  func uidDigest(in bytes: Bytes, _ room: UnfoldingBuffer) -> UInt64 {
    guard let uid else { return MadeUID.digests(of: self, in: bytes, room).0 }
    return room.view(uid, of: bytes).value.trimmed.digest()
  }
}
