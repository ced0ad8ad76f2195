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

/// The keys of an agenda, except for those of an entry, which `EntryField` lists.
/// Docs/agenda.schema.json describes their values.
extension JSONKey {
  // The document.
  static var version: JSONKey { "version" }
  static var window: JSONKey { "window" }
  static var groupedBy: JSONKey { "groupedBy" }
  static var sections: JSONKey { "sections" }
  static var warnings: JSONKey { "warnings" }

  // A section.
  static var id: JSONKey { "id" }
  static var title: JSONKey { "title" }
  static var indexTitle: JSONKey { "indexTitle" }
  static var entries: JSONKey { "entries" }

  // The times of a window or of an event.
  static var start: JSONKey { "start" }
  static var end: JSONKey { "end" }
  static var timeZone: JSONKey { "timeZone" }
  static var days: JSONKey { "days" }

  // The values inside of the details of an event.
  static var latitude: JSONKey { "latitude" }
  static var longitude: JSONKey { "longitude" }
  static var name: JSONKey { "name" }
  static var email: JSONKey { "email" }
  static var status: JSONKey { "status" }
  static var number: JSONKey { "number" }
  static var mediaType: JSONKey { "mediaType" }
  static var bytes: JSONKey { "bytes" }
  static var uri: JSONKey { "uri" }
  static var thumbnail: JSONKey { "thumbnail" }
  static var description: JSONKey { "description" }

  // A problem of a source.
  static var source: JSONKey { "source" }
  static var severity: JSONKey { "severity" }
  static var line: JSONKey { "line" }
  static var count: JSONKey { "count" }
  static var lines: JSONKey { "lines" }
  static var component: JSONKey { "component" }
  static var uid: JSONKey { "uid" }
  static var property: JSONKey { "property" }
  static var message: JSONKey { "message" }
  static var action: JSONKey { "action" }
}
