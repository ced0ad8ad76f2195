internal import AgendaCore
internal import CivilTime
internal import Recurrence

extension Row {
  /// The columns of `detail` from `description` to `completed`.
  init(_ details: EventDetails) {
    let people = StoredPeople.bytes(details.attendees)
    self.init(
      columns: 17, bytes: (details.description?.utf8.count ?? 0) + (people?.count ?? 0) + 128)
    add(details.description)
    add(details.url)
    add(details.conference)
    add(details.coordinates?.latitude)
    add(details.coordinates?.longitude)
    add(details.organizer == nil ? nil : 1)
    add(details.organizer?.name)
    add(details.organizer?.email)
    add(blob: people)
    add(blob: StoredAlarms.bytes(details.alarms))
    add(details.classification)
    add(details.priority)
    add(details.created?.secondsSinceEpoch)
    add(details.lastModified?.secondsSinceEpoch)
    add(details.stamp?.secondsSinceEpoch)
    add(details.percentComplete)
    add(details.completed?.secondsSinceEpoch)
  }

  /// Where DTSTAMP stands.
  static let stampColumn = 14

  /// The columns of `attachment` from `number` to `bytes`.
  init(_ attachment: Attachment, bytes: [UInt8]?) {
    self.init(columns: 7, bytes: (bytes?.count ?? 0) + (attachment.uri?.utf8.count ?? 0) + 32)
    add(attachment.number)
    add(attachment.mediaType)
    add(attachment.byteCount)
    add(attachment.uri)
    add(attachment.name)
    add(attachment.isImage ? 1 : 0)
    add(blob: bytes)
  }
}

extension EventDetails {
  /// Reads the columns that `Row(_:)` wrote, `first` being the first of them.
  init?(_ statement: Statement, from first: Int32) {
    self.init()
    description = statement.textIfAny(first)
    url = statement.textIfAny(first + 1)
    conference = statement.textIfAny(first + 2)
    if let latitude = statement.doubleIfAny(first + 3),
      let longitude = statement.doubleIfAny(first + 4)
    {
      coordinates = Coordinates(latitude: latitude, longitude: longitude)
    }
    if !statement.isNull(first + 5) {
      organizer = Person(
        name: statement.textIfAny(first + 6), email: statement.textIfAny(first + 7))
    }
    guard let attendees = StoredPeople.attendees(statement.bytesIfAny(first + 8)),
      let alarms = StoredAlarms.alarms(statement.bytesIfAny(first + 9))
    else { return nil }
    self.attendees = attendees
    self.alarms = alarms
    classification = statement.textIfAny(first + 10)
    priority = statement.integerIfAny(first + 11)
    created = statement.instantIfAny(first + 12)
    lastModified = statement.instantIfAny(first + 13)
    stamp = statement.instantIfAny(first + 14)
    percentComplete = statement.integerIfAny(first + 15)
    completed = statement.instantIfAny(first + 16)
  }
}

extension Statement {
  func instantIfAny(_ column: Int32) -> Instant? {
    integerIfAny(column).map { Instant(secondsSinceEpoch: $0) }
  }
}

/// Attendees in one column.
enum StoredPeople {
  static func bytes(_ attendees: [Attendee]) -> [UInt8]? {
    guard !attendees.isEmpty else { return nil }
    // A name, an address and two words.
    var writer = PackedBytesWriter(capacity: attendees.count * 64)
    for attendee in attendees {
      writer.add(attendee.person.name)
      writer.add(attendee.person.email)
      writer.add(attendee.participation)
      writer.add(attendee.role)
    }
    return writer.bytes
  }

  static func attendees(_ bytes: [UInt8]?) -> [Attendee]? {
    guard let bytes else { return [] }
    var reader = PackedBytesReader(bytes)
    var attendees: [Attendee] = []
    while !reader.isAtEnd {
      guard let name = reader.optionalText(), let email = reader.optionalText(),
        let participation = reader.text(), let role = reader.text()
      else { return nil }
      attendees.append(
        Attendee(
          person: Person(name: name, email: email), participation: participation, role: role))
    }
    return attendees
  }
}

/// Alarms in one column.
enum StoredAlarms {
  private static let (fromStart, fromEnd, atMoment) = (0, 1, 2)

  static func bytes(_ alarms: [Alarm]) -> [UInt8]? {
    guard !alarms.isEmpty else { return nil }
    var writer = PackedBytesWriter(capacity: alarms.count * 32)
    for alarm in alarms {
      writer.add(alarm.action)
      switch alarm.trigger {
      case .fromStart(let duration):
        writer.add(fromStart)
        writer.add(duration)
      case .fromEnd(let duration):
        writer.add(fromEnd)
        writer.add(duration)
      case .at(let instant):
        writer.add(atMoment)
        writer.add(instant.secondsSinceEpoch)
      }
      writer.add(alarm.repetitions)
      writer.add(alarm.interval == nil ? 0 : 1)
      if let interval = alarm.interval { writer.add(interval) }
      writer.add(alarm.description)
    }
    return writer.bytes
  }

  static func alarms(_ bytes: [UInt8]?) -> [Alarm]? {
    guard let bytes else { return [] }
    var reader = PackedBytesReader(bytes)
    var alarms: [Alarm] = []
    while !reader.isAtEnd {
      guard let action = reader.text(), let form = reader.number(),
        let trigger = trigger(form, &reader), let repetitions = reader.number(),
        let hasInterval = reader.number()
      else { return nil }
      var interval: EventDuration?
      if hasInterval == 1 {
        guard let duration = reader.duration() else { return nil }
        interval = duration
      }
      guard let description = reader.optionalText() else { return nil }
      alarms.append(
        Alarm(
          action: action, trigger: trigger, repetitions: repetitions, interval: interval,
          description: description))
    }
    return alarms
  }

  private static func trigger(_ form: Int, _ reader: inout PackedBytesReader) -> Alarm.Trigger? {
    switch form {
    case fromStart: reader.duration().map { .fromStart($0) }
    case fromEnd: reader.duration().map { .fromEnd($0) }
    case atMoment: reader.number().map { .at(Instant(secondsSinceEpoch: $0)) }
    default: nil
    }
  }
}

extension PackedBytesWriter {
  mutating func add(_ duration: EventDuration) {
    add(duration.days)
    add(duration.seconds)
  }
}

extension PackedBytesReader {
  mutating func duration() -> EventDuration? {
    guard let days = number(), let seconds = number() else { return nil }
    return EventDuration(days: days, seconds: seconds)
  }
}
