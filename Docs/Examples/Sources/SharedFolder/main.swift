// Edits a folder of .ics files that another program writes too, such as a synchroniser. A file that has
// changed meanwhile is never overwritten: the change is made again on what is there now.
//
//     swift run SharedFolder STORE FOLDER OLD-TITLE NEW-TITLE

import AgendaKit
import AgendaKitFoundation
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 5 else { exit(2) }
let store = CalendarStore(at: URL(fileURLWithPath: arguments[1]))
let selection = Selection(words: [arguments[3]])
let edit = EventEdit(title: arguments[4])
for attempt in 1...5 {
  do {
    let count = try store.write { writer in
      // What the other program wrote since the last time is read first.
      try writer.importSources([arguments[2]])
      let found = try writer.calendars().search(
        selection, now: writer.now, zone: store.configuration.zone())
      for occurrence in found { try writer.edit(occurrence, edit, scope: .all) }
      return found.count
    }
    print("renamed \(count)")
    break
  } catch CalendarError.conflict(let file, _, _) {
    print("\(file) was changed by another program; attempt \(attempt)")
  }
}
