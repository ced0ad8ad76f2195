package import AgendaCore
internal import CivilTime

// The values of fields, in the form for programs.

extension ByteSink {
  mutating func write(_ time: EntryTime, in zone: Zone) {
    switch time {
    case .date(let date): write(date)
    case .moment(let moment): write(moment, in: zone)
    }
  }

  mutating func write(_ id: OccurrenceID) {
    for shift in stride(from: 28, through: 0, by: -4) {
      let digit = UInt8(id.number >> UInt32(shift) & 0xf)
      write(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// `3.1`. The positions count from 0.
  mutating func write(_ path: EntryPath) {
    write(path.section + 1)
    write(UInt8(ascii: "."))
    write(path.entry + 1)
  }

  /// A value in a line of a table or of a template. `text` writes what can contain any character.
  package mutating func write(
    line value: FieldValue, text: (String, inout ByteSink) -> Void
  ) {
    func list(_ texts: [String]) { text(texts.joined(separator: ", "), &self) }
    switch value {
    case .none: break
    case .text(let value): text(value, &self)
    case .texts(let texts): list(texts)
    case .choice(let texts): if let first = texts.first { text(first, &self) }
    case .flag(let flag): write(json: flag)
    case .number(let number), .length(let number): write(number)
    case .numbers(let numbers): list(numbers.map(String.init))
    case .decimal(let number): write("\(number)")
    case .time(let time, let zone): write(time, in: zone)
    case .id(let id): write(id)
    case .path(let path): write(path)
    case .coordinates(let place): text("\(place.latitude),\(place.longitude)", &self)
    case .person(let person): text(person.name ?? person.email ?? "", &self)
    case .attendees(let attendees): list(attendees.compactMap { $0.person.name ?? $0.person.email })
    case .attachments(let attachments, _): list(attachments.compactMap { $0.uri ?? $0.mediaType })
    }
  }

  /// A value in JSON. `thumbnail` is the path to which the picture of an attachment was written.
  package mutating func write(
    json value: FieldValue,
    thumbnail: (EventReference, _ attachment: Int) -> String? = { _, _ in nil }
  ) {
    switch value {
    case .none: write("null" as StaticString)
    case .text(let text): write(json: text)
    case .texts(let texts), .choice(let texts): array(texts) { $0.write(json: $1) }
    case .flag(let flag): write(json: flag)
    case .number(let number), .length(let number): write(number)
    case .numbers(let numbers): array(numbers) { $0.write($1) }
    case .decimal(let number): write("\(number)")
    case .time(let time, let zone): quote { $0.write(time, in: zone) }
    case .id(let id): quote { $0.write(id) }
    case .path(let path): quote { $0.write(path) }
    case .coordinates(let coordinates):
      beginObject()
      key(.latitude)
      write("\(coordinates.latitude)")
      key(.longitude)
      write("\(coordinates.longitude)")
      endObject()
    case .person(let person):
      beginObject()
      write(jsonFieldsOf: person)
      endObject()
    case .attendees(let attendees):
      array(attendees) { sink, attendee in
        sink.beginObject()
        sink.write(jsonFieldsOf: attendee.person)
        sink.field(.status, attendee.participation)
        sink.endObject()
      }
    case .attachments(let attachments, let event):
      array(attachments) { sink, attachment in
        sink.beginObject()
        sink.field(.number, attachment.number)
        sink.field(.mediaType, attachment.mediaType)
        sink.field(.bytes, attachment.byteCount)
        sink.field(.uri, attachment.uri)
        sink.field(.thumbnail, thumbnail(event, attachment.number))
        sink.endObject()
      }
    }
  }

  private mutating func write(jsonFieldsOf person: Person) {
    field(.name, person.name)
    field(.email, person.email)
  }
}
