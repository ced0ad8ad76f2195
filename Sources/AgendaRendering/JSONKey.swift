/// A key of a JSON object. `ByteSink` writes it, and `Codable` reads and writes it.
package struct JSONKey: CodingKey, ExpressibleByStringLiteral {
  /// At most 59 ASCII characters, none of which needs an escape.
  package let name: StaticString

  @inline(__always)
  package init(stringLiteral name: StaticString) { self.name = name }

  package var stringValue: String { name.description }
  package var intValue: Int? { nil }

  // Objects are read with the keys below. Other keys are ignored, so they need no value.
  package init?(stringValue: String) { nil }
  package init?(intValue: Int) { nil }
}

/// The keys of an agenda: the only list of them. Docs/agenda.schema.json describes their values.
extension JSONKey {
  // The document.
  static var version: JSONKey { "version" }
  static var window: JSONKey { "window" }
  static var groupedBy: JSONKey { "groupedBy" }
  static var sections: JSONKey { "sections" }
  static var warnings: JSONKey { "warnings" }

  // A section, and its name in JSON lines.
  static var section: JSONKey { "section" }
  static var indexTitle: JSONKey { "indexTitle" }
  static var entries: JSONKey { "entries" }

  // An entry.
  static var indexPath: JSONKey { "indexPath" }
  static var id: JSONKey { "id" }
  static var uid: JSONKey { "uid" }
  static var recurrenceID: JSONKey { "recurrenceId" }
  static var calendar: JSONKey { "calendar" }
  static var kind: JSONKey { "kind" }
  static var title: JSONKey { "title" }
  static var allDay: JSONKey { "allDay" }
  static var start: JSONKey { "start" }
  static var end: JSONKey { "end" }
  static var alsoStart: JSONKey { "alsoStart" }
  static var alsoEnd: JSONKey { "alsoEnd" }
  static var timeZone: JSONKey { "timeZone" }
  static var day: JSONKey { "day" }
  static var days: JSONKey { "days" }
  static var status: JSONKey { "status" }
  static var location: JSONKey { "location" }

  // Its details.
  static var geo: JSONKey { "geo" }
  static var latitude: JSONKey { "latitude" }
  static var longitude: JSONKey { "longitude" }
  static var url: JSONKey { "url" }
  static var description: JSONKey { "description" }
  static var conference: JSONKey { "conference" }
  static var categories: JSONKey { "categories" }
  static var organizer: JSONKey { "organizer" }
  static var name: JSONKey { "name" }
  static var email: JSONKey { "email" }
  static var attendees: JSONKey { "attendees" }
  static var attachments: JSONKey { "attachments" }
  static var number: JSONKey { "number" }
  static var mediaType: JSONKey { "mediaType" }
  static var bytes: JSONKey { "bytes" }
  static var uri: JSONKey { "uri" }
  static var thumbnail: JSONKey { "thumbnail" }

  // A problem of a source.
  static var source: JSONKey { "source" }
  static var severity: JSONKey { "severity" }
  static var line: JSONKey { "line" }
  static var count: JSONKey { "count" }
  static var lines: JSONKey { "lines" }
  static var component: JSONKey { "component" }
  static var property: JSONKey { "property" }
  static var message: JSONKey { "message" }
  static var action: JSONKey { "action" }
}
