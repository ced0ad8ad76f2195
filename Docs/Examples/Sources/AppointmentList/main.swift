// The appointments of the coming year, from the start of today: a section for each day with its long
// date, and for each entry "all day" or its time, in the user's language.
//
//     swift run AppointmentList ~/calendars/work.ics

import AgendaKit
import AgendaKitFoundation
import Foundation

let zones = ZoneDatabase.system()
let zone = try zones.zone(TimeZone.current)
let variables = ProcessInfo.processInfo.environment
let locale = LocaleData.fromEnvironment { variables[$0] }
let now = variables["AGENDA_NOW"].flatMap { Instant(rfc3339: $0) } ?? .now
let year = DateWindow.year(from: zone.civil(at: now).date, in: zone)

let calendars = try Calendars(contentsOf: Array(CommandLine.arguments.dropFirst()))
let agenda = try calendars.agenda(in: year, locale: locale)
let wording = DateWording(locale)
for section in agenda.sections {
  print(section.title)
  for entry in section.entries {
    let time =
      entry.isAllDay ? wording.allDay : wording.time(zone.civil(at: entry.begin).time)
    print("  \(time)  \(entry.title)")
  }
}
