// The next entry, for a status bar: a line now, and another one each time the answer changes, because
// the entry has begun, the store or its zone has changed, or a new day begins.
//
//     swift run StatusBar STORE

import AgendaKit
import AgendaKitFoundation
import Foundation

guard CommandLine.arguments.count == 2 else { exit(2) }
let store = CalendarStore(at: URL(fileURLWithPath: CommandLine.arguments[1]))
let configuration = store.configuration
let wording = DateWording(configuration.locale)
let answers = store.observe(until: { (next: Entry?) in next?.begin }) { calendars in
  let year = try DateWindow.year(from: .today, in: configuration.zone())
  return try calendars.agenda(in: year).entries.first { $0.begin > configuration.clock() }
}
for try await next in answers {
  let time = try next.map { try configuration.zone().civil(at: $0.begin) }
  let when = time.map { "\(wording.shortDate($0.date)) \(wording.time($0.time)) " } ?? ""
  print(when + (next?.title ?? "nothing in the coming year"))
  fflush(nil)
}
