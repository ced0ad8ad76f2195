internal import AgendaCore
internal import CivilTime
internal import Recurrence

extension Row {
  /// The columns of `detail` from `description` to `completed`, without LAST-MODIFIED and DTSTAMP,
  /// which many servers renew at every download.
  init(_ details: EventDetails, key: StoreKey) {
    let people = StoredPeople.bytes(details.attendees)
    self.init(
      columns: 17, bytes: (details.description?.utf8.count ?? 0) + (people?.count ?? 0) + 128,
      key: key)
    add("description", details.description)
    add("url", details.url)
    add("conference", details.conference)
    add("latitude", details.coordinates?.latitude)
    add("longitude", details.coordinates?.longitude)
    add("has_organizer", details.organizer == nil ? nil : 1)
    add("organizer_name", details.organizer?.name)
    add("organizer_email", details.organizer?.email)
    add("attendees", blob: people)
    add("alarms", blob: StoredAlarms.bytes(details.alarms))
    add("classification", details.classification)
    add("priority", details.priority)
    add("created", details.created?.secondsSinceEpoch)
    add("percent_complete", details.percentComplete)
    add("completed", details.completed?.secondsSinceEpoch)
  }
}

extension EventDetails {
  /// Reads a row of `detail`; `nil` if it contains something that agenda doesn't write.
  init?(_ row: Statement) {
    self.init()
    description = row.optionalText("description")
    url = row.optionalText("url")
    conference = row.optionalText("conference")
    if let latitude = row.optionalDouble(row.column("latitude")),
      let longitude = row.optionalDouble(row.column("longitude"))
    {
      coordinates = Coordinates(latitude: latitude, longitude: longitude)
    }
    if !row.isNull("has_organizer") {
      organizer = Person(
        name: row.optionalText("organizer_name"), email: row.optionalText("organizer_email"))
    }
    guard let attendees = StoredPeople.attendees(row.optionalBytes("attendees")),
      let alarms = StoredAlarms.alarms(row.optionalBytes("alarms"))
    else { return nil }
    self.attendees = attendees
    self.alarms = alarms
    classification = row.optionalText("classification")
    priority = row.optionalInteger("priority")
    created = row.optionalInstant("created")
    lastModified = row.optionalInstant("last_modified")
    percentComplete = row.optionalInteger("percent_complete")
    completed = row.optionalInstant("completed")
    stamp = row.optionalInstant("stamp")
  }
}

extension Statement {
  func optionalInstant(_ name: String) -> Instant? {
    optionalInteger(name).map { Instant(secondsSinceEpoch: $0) }
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
