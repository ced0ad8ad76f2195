internal import AgendaCore
internal import CivilTime
internal import Recurrence

/// The occurrences of one day as bytes, with the properties that a listing shows.
enum CachedDay {
  static func bytes(_ occurrences: [Occurrence]) -> [UInt8] {
    var writer = PackedBytesWriter(capacity: occurrences.count * bytesOfOccurrence)
    var names: [String] = []
    // There are few calendars, and consecutive occurrences often have the same one.
    let calendars = occurrences.map { occurrence in
      let name = occurrence.event.calendar
      if let known = names.lastIndex(of: name) { return known }
      names.append(name)
      return names.count - 1
    }
    writer.add(names.count)
    for name in names { writer.add(name) }
    writer.add(occurrences.count)
    for (occurrence, calendar) in zip(occurrences, calendars) {
      write(occurrence, calendar: calendar, to: &writer)
    }
    return writer.bytes
  }

  /// An estimate.
  private static let bytesOfOccurrence = 200

  private enum Flag {
    static let transparent = 1
    static let sharesUID = 2
    static let includesFollowing = 4
    static let sharesStart = 8
    static let sharesTitle = 16
  }

  private static func write(
    _ occurrence: Occurrence, calendar: Int, to writer: inout PackedBytesWriter
  ) {
    let event = occurrence.event
    writer.add(event.reference.source)
    writer.add(event.reference.component)
    writer.add(calendar)
    writer.add(StoredEnum.number(of: event.kind, in: StoredEnum.kinds))
    writer.add(event.status.map { StoredEnum.number(of: $0, in: StoredEnum.statuses) } ?? -1)
    writer.add(
      (event.isTransparent ? Flag.transparent : 0) | (event.sharesUID ? Flag.sharesUID : 0)
        | (event.identity.includesFollowing ? Flag.includesFollowing : 0)
        | (event.sharesStart ? Flag.sharesStart : 0)
        | (event.sharedTitleContent == nil ? 0 : Flag.sharesTitle))
    if let content = event.sharedTitleContent { writer.add(Int(content)) }
    writer.add(event.identity.uid)
    writer.add(event.title)
    writer.add(event.location)
    writer.add(event.color)
    writer.add(event.categories.count)
    for category in event.categories { writer.add(category) }
    writer.add(event.identity.recurrenceID)
    writer.add(event.start)
    writer.add(Optional(occurrence.start))
    writer.add(occurrence.begin.secondsSinceEpoch)
    writer.add(occurrence.finish.secondsSinceEpoch)
    writer.add(occurrence.allDay == nil ? 0 : 1)
    if let days = occurrence.allDay {
      writer.add(Int(days.lowerBound.dayNumber))
      writer.add(Int(days.upperBound.dayNumber))
    }
    writer.add(occurrence.recurrenceID)
  }

  /// `nil` if the bytes are damaged.
  static func occurrences(_ bytes: [UInt8], zones: (Int) -> Zone?) -> [Occurrence]? {
    var reader = PackedBytesReader(bytes)
    var calendars: [String] = []
    guard let calendarCount = reader.count(atMost: bytes.count) else { return nil }
    for _ in 0..<calendarCount {
      guard let name = reader.text() else { return nil }
      calendars.append(name)
    }
    guard let count = reader.count(atMost: bytes.count) else { return nil }
    var occurrences: [Occurrence] = []
    occurrences.reserveCapacity(count)
    for _ in 0..<count {
      guard let occurrence = occurrence(&reader, calendars, zones) else { return nil }
      occurrences.append(occurrence)
    }
    return occurrences
  }

  private static func occurrence(
    _ reader: inout PackedBytesReader, _ calendars: [String], _ zones: (Int) -> Zone?
  ) -> Occurrence? {
    guard let source = reader.number(), let component = reader.number(),
      let calendar = reader.number(), calendars.indices.contains(calendar),
      let kind = reader.number().flatMap({ StoredEnum.value($0, in: StoredEnum.kinds) }),
      let status = reader.number(), let flags = reader.number()
    else { return nil }
    var sharedTitleContent: UInt32?
    if flags & Flag.sharesTitle != 0 {
      guard let content = reader.number() else { return nil }
      sharedTitleContent = UInt32(truncatingIfNeeded: content)
    }
    guard let uid = reader.text(), let title = reader.text(),
      let location = reader.optionalText(), let color = reader.optionalText(),
      let categoryCount = reader.count(atMost: 1 << 20)
    else { return nil }
    var categories: [String] = []
    for _ in 0..<categoryCount {
      guard let category = reader.text() else { return nil }
      categories.append(category)
    }
    guard let ownID = reader.optionalTime(zones), let eventStart = reader.optionalTime(zones),
      let found = reader.optionalTime(zones), let start = found,
      let begin = reader.number(), let finish = reader.number(), let hasDays = reader.number()
    else { return nil }
    var allDay: Range<CivilDate>?
    if hasDays == 1 {
      guard let first = reader.number().flatMap({ CivilDate(dayNumber: $0) }),
        let last = reader.number().flatMap({ CivilDate(dayNumber: $0) }), first <= last
      else { return nil }
      allDay = first..<last
    }
    guard let recurrenceID = reader.optionalTime(zones) else { return nil }
    var event = Event(
      identity: EventIdentity(
        uid: uid, recurrenceID: ownID, includesFollowing: flags & Flag.includesFollowing != 0),
      kind: kind, start: eventStart, extent: .unstated, title: title, location: location,
      status: StoredEnum.value(status, in: StoredEnum.statuses), categories: categories,
      isTransparent: flags & Flag.transparent != 0, color: color, calendar: calendars[calendar],
      sharesUID: flags & Flag.sharesUID != 0, sharesStart: flags & Flag.sharesStart != 0,
      reference: EventReference(source: source, component: component))
    event.sharedTitleContent = sharedTitleContent
    return Occurrence(
      event: event, start: start, begin: Instant(secondsSinceEpoch: begin),
      finish: Instant(secondsSinceEpoch: finish), allDay: allDay, recurrenceID: recurrenceID)
  }
}

extension PackedBytesWriter {
  mutating func add(_ time: EventTime?) {
    add(time == nil ? 0 : 1)
    if let time { add(time) }
  }
}

extension PackedBytesReader {
  fileprivate mutating func count(atMost most: Int) -> Int? {
    number().flatMap { $0 >= 0 && $0 <= most ? $0 : nil }
  }

  /// The outer optional is `nil` if the bytes are damaged, the inner one if no time was written.
  mutating func optionalTime(_ zones: (Int) -> Zone?) -> EventTime?? {
    switch number() {
    case 0: .some(nil)
    case 1: time(zones).map { .some($0) }
    default: nil
    }
  }
}
