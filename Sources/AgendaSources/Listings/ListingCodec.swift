internal import AgendaCore
internal import AgendaStore
internal import CivilTime
internal import Recurrence

/// Occurrences and their events as bytes: the content of a named cache of a listing. Each event is
/// written once, before its first occurrence, and each zone before its first time.
enum ListingCodec {
  static func bytes(_ occurrences: [Occurrence]) -> [UInt8] {
    var writer = ListingWriter(capacity: occurrences.count * bytesOfOccurrence)
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
        write(occurrence.event, to: &writer)
      }
      write(occurrence, to: &writer)
    }
    return writer.bytes
  }

  /// An estimate.
  private static let bytesOfOccurrence = 60

  /// The cases of the enums by their numbers. Both only grow at their ends.
  private static let kinds: [Event.Kind] = [.event, .task, .journal]
  private static let statuses: [Event.Status] = [
    .tentative, .confirmed, .cancelled, .needsAction, .inProcess, .completed, .draft, .final,
  ]

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
    _ event: Event, to writer: inout ListingWriter
  ) {
    let recurrence = event.recurrence
    writer.add(event.reference.source)
    writer.add(event.reference.component)
    writer.add(kinds.firstIndex(of: event.kind) ?? 0)
    writer.add(event.status.flatMap(statuses.firstIndex) ?? -1)
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
      writer.add(recurrence.rules)
      writer.add(recurrence.exceptionRules)
      writer.add(recurrence.dates.count)
      for date in recurrence.dates {
        writer.add(date.start)
        writer.add(date.extent ?? .unstated)
      }
      writer.add(recurrence.exceptionDates.count)
      for date in recurrence.exceptionDates { writer.add(date) }
    }
  }

  private static func write(_ occurrence: Occurrence, to writer: inout ListingWriter) {
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
  static func occurrences(_ bytes: [UInt8], zones: ZoneDatabase) -> [Occurrence]? {
    var reader = ListingReader(bytes, zones: zones)
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
        guard let event = event(&reader, calendar: names[calendar]) else { return nil }
        events.append(event)
      }
      guard let occurrence = occurrence(&reader, of: events[number]) else {
        return nil
      }
      occurrences.append(occurrence)
    }
    return reader.isAtEnd ? occurrences : nil
  }

  private static func event(
    _ reader: inout ListingReader, calendar: String
  ) -> Event? {
    guard let source = reader.number(), let component = reader.number(),
      let kind = reader.number(), kinds.indices.contains(kind),
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
    guard let ownID = reader.optionalTime(), let start = reader.optionalTime(),
      let due = reader.optionalTime(), let extent = reader.extent()
    else { return nil }
    var recurrence: Event.Recurrence?
    if flags & Flag.recurs != 0 {
      guard let rules = reader.rules(), let exceptionRules = reader.rules(),
        let dates = reader.dates(), let exceptionDates = reader.times()
      else { return nil }
      recurrence = Event.Recurrence(
        rules: rules, exceptionRules: exceptionRules, dates: dates, exceptionDates: exceptionDates)
    }
    var event = Event(
      identity: EventIdentity(
        uid: uid, recurrenceID: ownID, includesFollowing: flags & Flag.includesFollowing != 0),
      kind: kinds[kind], start: start, extent: extent, due: due, recurrence: recurrence,
      title: title,
      location: location, status: statuses.indices.contains(status) ? statuses[status] : nil,
      categories: categories, isTransparent: flags & Flag.transparent != 0, color: color,
      version: EventVersion(sequence: sequence, modified: modified), calendar: calendar,
      sharesUID: flags & Flag.sharesUID != 0, sharesStart: flags & Flag.sharesStart != 0,
      reference: EventReference(source: source, component: component))
    event.sharedTitleContent = sharedTitleContent
    return event
  }

  private static func occurrence(
    _ reader: inout ListingReader, of event: Event
  ) -> Occurrence? {
    guard let start = reader.time(), let begin = reader.number(),
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
      guard let time = reader.time() else { return nil }
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
