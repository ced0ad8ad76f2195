package import AgendaCore
internal import CivilTime
internal import Recurrence

/// Occurrences and their events as bytes: the content of a cached day and of the cache of a listing.
/// Each event is written once, before its first occurrence.
enum StoredListing {
  /// Without their recurrence, events are smaller and faster to read.
  static func bytes(_ occurrences: [Occurrence], withRecurrence: Bool) -> [UInt8] {
    var writer = PackedBytesWriter(capacity: occurrences.count * bytesOfOccurrence)
    var numbers: [ObjectIdentifier: Int] = [:]
    var names: [String: Int] = [:]
    writer.add(occurrences.count)
    for occurrence in occurrences {
      let object = occurrence.event.object
      if let number = numbers[object] {
        writer.add(number)
      } else {
        let number = numbers.count
        numbers[object] = number
        writer.add(number)
        let name = occurrence.event.calendar
        let calendar = names[name] ?? names.count
        writer.add(calendar)
        if calendar == names.count {
          names[name] = calendar
          writer.add(name)
        }
        write(occurrence.event, withRecurrence: withRecurrence, to: &writer)
      }
      write(occurrence, to: &writer)
    }
    return writer.bytes
  }

  /// An estimate.
  private static let bytesOfOccurrence = 60

  private enum Flag {
    static let transparent = 1
    static let sharesUID = 2
    static let includesFollowing = 4
    static let sharesStart = 8
    static let recurs = 16
    static let hasModified = 32
    static let sharesTitle = 64
  }

  private static func write(
    _ event: Event, withRecurrence: Bool, to writer: inout PackedBytesWriter
  ) {
    let recurrence = withRecurrence ? event.recurrence : nil
    writer.add(event.reference.source)
    writer.add(event.reference.component)
    writer.add(StoredEnum.number(of: event.kind, in: StoredEnum.kinds))
    writer.add(event.status.map { StoredEnum.number(of: $0, in: StoredEnum.statuses) } ?? -1)
    let flags =
      (event.isTransparent ? Flag.transparent : 0) | (event.sharesUID ? Flag.sharesUID : 0)
      | (event.identity.includesFollowing ? Flag.includesFollowing : 0)
      | (event.sharesStart ? Flag.sharesStart : 0)
      | (recurrence == nil ? 0 : Flag.recurs)
      | (event.version.modified == nil ? 0 : Flag.hasModified)
      | (event.sharedTitleContent == nil ? 0 : Flag.sharesTitle)
    writer.add(flags)
    if let content = event.sharedTitleContent { writer.add(Int(content)) }
    writer.add(event.identity.uid)
    writer.add(event.title)
    writer.add(event.location)
    writer.add(event.color)
    writer.add(event.categories.count)
    for category in event.categories { writer.add(category) }
    writer.add(event.version.sequence)
    if let modified = event.version.modified { writer.add(modified.secondsSinceEpoch) }
    writer.add(event.identity.recurrenceID)
    writer.add(event.start)
    writer.add(event.due)
    writer.add(event.extent)
    if let recurrence {
      writer.add(StoredRecurrence.text(recurrence.rules) ?? "")
      writer.add(StoredRecurrence.text(recurrence.exceptionRules) ?? "")
      writer.add(StoredRecurrence.bytes(recurrence.dates) ?? [])
      writer.add(StoredRecurrence.bytes(recurrence.exceptionDates) ?? [])
    }
  }

  private static func write(_ occurrence: Occurrence, to writer: inout PackedBytesWriter) {
    writer.add(occurrence.start)
    writer.add(occurrence.begin.secondsSinceEpoch)
    writer.add(occurrence.finish.secondsSinceEpoch - occurrence.begin.secondsSinceEpoch)
    if let days = occurrence.allDay {
      writer.add(Int(days.upperBound.dayNumber - days.lowerBound.dayNumber))
      writer.add(Int(days.lowerBound.dayNumber))
    } else {
      writer.add(-1)
    }
    // Usually it is the same as the start.
    let isStart = occurrence.recurrenceID == occurrence.start
    writer.add(isStart ? 2 : occurrence.recurrenceID == nil ? 0 : 1)
    if !isStart, let recurrenceID = occurrence.recurrenceID { writer.add(recurrenceID) }
  }

  /// `nil` if the bytes are damaged.
  static func occurrences(_ bytes: [UInt8], _ context: ReadingContext) -> [Occurrence]? {
    var reader = PackedBytesReader(bytes)
    guard let count = reader.number(), count >= 0, count <= bytes.count else { return nil }
    var occurrences: [Occurrence] = []
    occurrences.reserveCapacity(count)
    var events: [Event] = []
    var names: [String] = []
    for _ in 0..<count {
      guard let number = reader.number(), number >= 0, number <= events.count else { return nil }
      if number == events.count {
        guard let calendar = reader.number(), calendar >= 0, calendar <= names.count else {
          return nil
        }
        if calendar == names.count {
          guard let name = reader.text() else { return nil }
          names.append(name)
        }
        guard let event = event(&reader, calendar: names[calendar], context) else { return nil }
        events.append(event)
      }
      guard let occurrence = occurrence(&reader, of: events[number], context.zone) else {
        return nil
      }
      occurrences.append(occurrence)
    }
    return reader.isAtEnd ? occurrences : nil
  }

  private static func event(
    _ reader: inout PackedBytesReader, calendar: String, _ context: ReadingContext
  ) -> Event? {
    let zones = context.zone
    guard let source = reader.number(), let component = reader.number(),
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
      let categoryCount = reader.number(), (0..<1 << 20).contains(categoryCount)
    else { return nil }
    var categories: [String] = []
    for _ in 0..<categoryCount {
      guard let category = reader.text() else { return nil }
      categories.append(category)
    }
    guard let sequence = reader.number() else { return nil }
    var modified: Instant?
    if flags & Flag.hasModified != 0 {
      guard let seconds = reader.number() else { return nil }
      modified = Instant(secondsSinceEpoch: seconds)
    }
    guard let ownID = reader.optionalTime(zones), let start = reader.optionalTime(zones),
      let due = reader.optionalTime(zones), let extent = reader.extent(zones)
    else { return nil }
    var recurrence: Event.Recurrence?
    if flags & Flag.recurs != 0 {
      guard let rules = context.rules(reader.text()),
        let exceptionRules = context.rules(reader.text()),
        let dates = StoredRecurrence.dates(reader.list(), zones),
        let exceptionDates = StoredRecurrence.times(reader.list(), zones)
      else { return nil }
      recurrence = Event.Recurrence(
        rules: rules, exceptionRules: exceptionRules, dates: dates, exceptionDates: exceptionDates)
    }
    var event = Event(
      identity: EventIdentity(
        uid: uid, recurrenceID: ownID, includesFollowing: flags & Flag.includesFollowing != 0),
      kind: kind, start: start, extent: extent, due: due, recurrence: recurrence, title: title,
      location: location, status: StoredEnum.value(status, in: StoredEnum.statuses),
      categories: categories, isTransparent: flags & Flag.transparent != 0, color: color,
      version: EventVersion(sequence: sequence, modified: modified), calendar: calendar,
      sharesUID: flags & Flag.sharesUID != 0, sharesStart: flags & Flag.sharesStart != 0,
      reference: EventReference(source: source, component: component))
    event.sharedTitleContent = sharedTitleContent
    return event
  }

  private static func occurrence(
    _ reader: inout PackedBytesReader, of event: Event, _ zones: (Int) -> Zone?
  ) -> Occurrence? {
    guard let start = reader.time(zones), let begin = reader.number(),
      let length = reader.number(), let dayCount = reader.number()
    else { return nil }
    var allDay: Range<CivilDate>?
    if dayCount >= 0 {
      guard let first = reader.number().flatMap({ CivilDate(dayNumber: $0) }),
        let end = first.adding(days: dayCount)
      else { return nil }
      allDay = first..<end
    }
    var recurrenceID: EventTime?
    switch reader.number() {
    case 0: break
    case 1:
      guard let time = reader.time(zones) else { return nil }
      recurrenceID = time
    case 2: recurrenceID = start
    default: return nil
    }
    return Occurrence(
      event: event, start: start, begin: Instant(secondsSinceEpoch: begin),
      finish: Instant(secondsSinceEpoch: begin &+ length), allDay: allDay,
      recurrenceID: recurrenceID)
  }
}

extension Store {
  /// Occurrences of this store as bytes. They name zones of the store.
  package static func bytes(of occurrences: [Occurrence]) -> [UInt8] {
    StoredListing.bytes(occurrences, withRecurrence: true)
  }

  /// The occurrences that `bytes(of:)` wrote; `nil` if the bytes are damaged.
  package func occurrences(from bytes: [UInt8]) -> [Occurrence]? {
    StoredListing.occurrences(bytes, context)
  }

  /// Identifies exactly this content of this store: a digest of its last command, under its key.
  package func contentDigest() throws(StoreError) -> ContentDigest {
    try connection.reading { () throws(StoreError) in
      var digest = ContentDigest(key: key.number)
      let row = try connection.statement(
        "SELECT * FROM generation ORDER BY id DESC LIMIT 1")
      defer { row.reset() }
      guard try row.step() else { return digest }
      for column in [
        "id", "run", "source", "moment", "action", "first_component", "added", "updated", "removed",
      ] {
        digest.add(row.integer(column))
      }
      return digest
    }
  }
}
