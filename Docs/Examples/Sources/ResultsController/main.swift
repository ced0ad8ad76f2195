// A results controller: sections by any key, index titles, the way from an entry to its position and
// back, and live changes as a list view applies them.
//
//     swift run ResultsController FOLDER calendar|category|initial

import AgendaKit
import AgendaKitFoundation
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 3 else { exit(2) }
let zones = ZoneDatabase.system()
let keys: [String: @Sendable (Entry) -> String] = [
  "calendar": \.calendar,
  "category": { $0.categories.first ?? "none" },
  "initial": { String($0.title.prefix(1)) },
]
guard let key = keys[arguments[2]] else { exit(2) }

var layout = SectionLayout(sectionedBy: key)
layout.order = [.ascending(key), .ascending(\.begin)]
let moment = ProcessInfo.processInfo.environment["AGENDA_NOW"]
let results = try await AgendaResults(
  ResultsRequest(
    .files([arguments[1]]), .fromToday(.years(1)), layout,
    zone: { try zones.zone(TimeZone.current) },
    clock: { moment.flatMap { Instant(rfc3339: $0) } ?? .now }))

let agenda = results.agenda
var rows = agenda.sections.map { $0.entries.map(\.title) }
for section in agenda.sections {
  print("\(section.title): \(section.entries.map(\.title).joined(separator: ", "))")
}
print("index: \(agenda.sectionIndexTitles.joined(separator: " "))")
for (index, title) in agenda.sectionIndexTitles.enumerated() {
  guard let section = agenda.section(forIndexTitle: title, at: index),
    let entry = agenda[EntryPath(section: section, entry: 0)],
    let path = agenda.path(of: entry)
  else { continue }
  print("\(title) leads to \(path): \(entry.title)")
}

let changes = results.changes
print("watching")
fflush(nil)
for await change in changes {
  for section in change.sections { print(section) }
  for entry in change.entries { print(entry) }
  change.apply(to: &rows) { $0.title }
  print("rows: \(rows)")
  fflush(nil)
}
