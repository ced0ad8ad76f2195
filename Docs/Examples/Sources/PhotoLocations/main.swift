// Photos with places: adds an event with a picture and a place, lists events by date with their
// thumbnails, writes the full picture on demand, edits and deletes.
//
//     swift run PhotoLocations STORE add PICTURE TITLE DATE LATITUDE LONGITUDE
//     swift run PhotoLocations STORE list | picture TITLE FILE | rename TITLE NEW | delete TITLE
//
// A store with an older schema is brought up to date when it is opened. One with a newer schema is
// left as it is.

import AgendaKit
import AgendaKitFoundation
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else { exit(2) }
let variables = ProcessInfo.processInfo.environment
let store = SharedStore(at: URL(fileURLWithPath: arguments[0]))
let now = variables["AGENDA_NOW"].flatMap { Instant(rfc3339: $0) } ?? .now
let decoder = variables["AGENDA_PROGRAM"]
var writing = CalendarStore.WritingOptions(now: now, zone: .utc)
writing.pictureDecoder = decoder
let options = writing
do {
  _ = try await store.perform { try $0.hasSources }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}

/// The events with a title, or all of them, by date.
@Sendable func events(_ calendars: CalendarCollection, _ title: String? = nil) throws -> [Entry] {
  let always = DateWindow(from: .first, zone: .utc)
  return try calendars.results(in: always, .days(), once: true).sections.flatMap(\.entries)
    .filter { title == nil || $0.title == title }
}

switch arguments[1] {
case "add" where arguments.count == 7:
  guard let latitude = Double(arguments[5]), let longitude = Double(arguments[6]) else { exit(2) }
  let today = options.zone.civil(at: now).date
  var new = EventEdit()
  new.title = arguments[3]
  new.start = .date(try DatePhrase.parse(arguments[4], today: today))
  new.coordinates = Coordinates(latitude: latitude, longitude: longitude)
  new.attachments = [try .init(pictureAt: arguments[2])]
  let photo = new
  try await store.perform { store in _ = try store.add(photo, options) }
case "list":
  try await store.perform { store in
    let calendars = try store.contents()
    for entry in try events(calendars) {
      let place = calendars.details(of: entry.event).coordinates.map {
        "at \($0.latitude), \($0.longitude)"
      }
      let thumbnail = calendars.thumbnail(of: entry.event, number: 1, decodedBy: decoder)
      print(
        entry.date, entry.title, place ?? "without a place",
        thumbnail == nil ? "without a thumbnail" : "with a thumbnail")
    }
  }
case "picture" where arguments.count == 4:
  try await store.perform { store in
    let calendars = try store.contents()
    guard let entry = try events(calendars, arguments[2]).first else { exit(1) }
    try calendars.attachmentData(of: entry.event, number: 1)?
      .write(to: URL(fileURLWithPath: arguments[3]))
  }
case "rename" where arguments.count == 4:
  try await store.perform { store in
    guard let entry = try events(store.contents(), arguments[2]).first else { exit(1) }
    var edit = EventEdit()
    edit.title = arguments[3]
    _ = try store.edit(entry.occurrence, edit, scope: .all, options)
  }
case "delete" where arguments.count == 3:
  try await store.perform { store in
    guard let entry = try events(store.contents(), arguments[2]).first else { exit(1) }
    _ = try store.remove(entry.occurrence, scope: .all, options)
  }
default: exit(2)
}
