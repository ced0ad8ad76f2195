// Photos with places: adds an event with a picture and a place, lists events by date with their
// thumbnails, writes the full picture on demand, edits and deletes.
//
//     swift run PhotoLocations STORE add PICTURE TITLE DATE LATITUDE LONGITUDE
//     swift run PhotoLocations STORE list | picture TITLE FILE | rename TITLE NEW | delete TITLE

import AgendaKit
import AgendaKitFoundation
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else { exit(2) }
let store = CalendarStore(at: URL(fileURLWithPath: arguments[0]))

/// All photos by date.
func photos(_ calendars: Calendars) throws -> [Entry] {
  try calendars.agenda(in: DateWindow(from: .first, zone: .utc), options: .init(once: true)).entries
}

/// The photo with the title that the third argument names.
func photo(_ calendars: Calendars) throws -> Occurrence {
  let found = try photos(calendars).first { $0.title == arguments[2] }
  guard let found else { exit(1) }
  return found.occurrence
}

do {
  switch arguments[1] {
  case "add" where arguments.count == 7:
    guard let latitude = Double(arguments[5]), let longitude = Double(arguments[6]) else { exit(2) }
    let date = try DatePhrase.parse(arguments[4], today: .today)
    var photo = EventEdit(title: arguments[3], start: .date(date))
    photo.coordinates = Coordinates(latitude: latitude, longitude: longitude)
    photo.attachments = [try .init(pictureAt: arguments[2])]
    try store.write { try $0.add(photo) }
  case "list":
    try store.read { calendars in
      for entry in try photos(calendars) {
        let position =
          calendars.details(of: entry.event).coordinates
          .map { "at \($0.latitude), \($0.longitude)" } ?? "without a place"
        let thumbnail = calendars.thumbnail(of: entry.event, number: 1)
        print(
          entry.date, entry.title, position, thumbnail == nil ? "without" : "with", "a thumbnail")
      }
    }
  case "picture" where arguments.count == 4:
    try store.read { calendars in
      try calendars.attachmentData(of: photo(calendars).event, number: 1)?
        .write(to: URL(fileURLWithPath: arguments[3]))
    }
  case "rename" where arguments.count == 4:
    try store.write { try $0.edit(photo($0.calendars()), .init(title: arguments[3]), scope: .all) }
  case "delete" where arguments.count == 3:
    try store.write { try $0.remove(photo($0.calendars()), scope: .all) }
  default: exit(2)
  }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
