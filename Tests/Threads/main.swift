// Uses AgendaKit from several tasks at once: shared values, one store, and results that follow it.
//
//     swift run --package-path Tests/Threads --scratch-path .build/threads --sanitize=thread
//
// The thread sanitizer ends the program with an error if two threads use the same memory without
// order. The program itself checks only that nothing got lost.

import AgendaKit
import AgendaKitFoundation
import Foundation

/// Ends the program if something that must hold does not.
func check(_ condition: Bool, _ what: String) {
  guard !condition else { return }
  FileHandle.standardError.write(Data("failed: \(what)\n".utf8))
  exit(1)
}

func calendar(_ number: Int) -> String {
  let events = (1...20).map { day in
    """
    BEGIN:VEVENT
    UID:\(number)-\(day)
    DTSTART;TZID=Europe/Berlin:202611\(day < 10 ? "0" : "")\(day)T090000
    DURATION:PT1H
    SUMMARY:Meeting \(day) of \(number)
    DESCRIPTION:Room \(number)
    CATEGORIES:team
    ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ana@example.com
    ORGANIZER:mailto:bo@example.com
    \(day % 5 == 0 ? "RRULE:FREQ=WEEKLY;COUNT=9" : "LOCATION:Rome")
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT10M
    END:VALARM
    END:VEVENT

    """
  }
  let task = "BEGIN:VTODO\nUID:\(number)-t\nDUE:20261120T090000Z\nSUMMARY:Pay\nEND:VTODO\n"
  return "BEGIN:VCALENDAR\nVERSION:2.0\n\(events.joined())\(task)END:VCALENDAR\n"
}

let folder = FileManager.default.temporaryDirectory
  .appendingPathComponent("agenda-threads-\(ProcessInfo.processInfo.processIdentifier)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

let taskCount = 4
let rounds = 6
let now = Instant(secondsSinceEpoch: 1_793_500_000)
// One database of zones, one locale, one layout and one window for all tasks.
let zones = ZoneDatabase.system(TZDIR: nil)
let berlin = try zones.loadZone(named: "Europe/Berlin")
let german = try LocaleData("de_DE")
guard let first = CivilDate(year: 2026, month: 11, day: 1),
  let window = DateWindow(firstDay: first, length: .months(3), zone: berlin)
else { exit(1) }
let wording = DateWording(german)
let files = try (0..<taskCount).map { number in
  let url = folder.appendingPathComponent("\(number).ics")
  try Data(calendar(number).utf8).write(to: url)
  return url.path
}
let store = SharedStore(at: folder.appendingPathComponent("agenda.sqlite"), zones: zones)

/// What a task reads of calendars: agendas in all formats, details, alarms, tasks, conflicts, free
/// time, explanations.
@Sendable func read(_ calendars: CalendarCollection) throws -> Agenda {
  var selection = Selection(words: ["meeting"], includesTasks: true)
  selection.condition = try Condition("duration >= 1h and categories = team", zone: berlin)
  let agenda = try calendars.agenda(in: window, of: selection, locale: german)
  for format in AgendaFormat.allCases { _ = calendars.rendering(agenda, as: format) }
  let detailed = calendars.withDetails(agenda)
  let json = try detailed.json()
  check(try Agenda(json: json, zones: zones) == Agenda(json: json, zones: zones), "JSON")
  for entry in agenda.sections.prefix(3).flatMap(\.entries) {
    check(calendars.details(of: entry.event).description?.hasPrefix("Room") == true, "details")
    check(agenda.indexPath(of: entry) != nil, "index path")
    _ = try calendars.explanation(of: entry.occurrence, in: window, zones: zones, locale: german)
    _ = calendars.contentLines(of: entry.event)
    _ = calendars.sourceName(of: entry.event)
    _ = calendars.thumbnail(of: entry.event, number: 1)
    _ = calendars.attachmentData(of: entry.event, number: 1)
  }
  let occurrences = try calendars.occurrences(in: window)
  _ = Conflict.all(among: occurrences)
  let free = FreeTime(begin: .midnight, finish: nil, earliest: now)
  _ = free.slots(in: window, around: occurrences, busy: try calendars.busyTimes(in: window))
  _ = try calendars.alarms(in: window.start..<window.end, zone: berlin)
  _ = try calendars.openTasks(now: now, zone: berlin)
  _ = try calendars.search(Selection(words: ["meeting"]), now: now, zone: berlin)
  _ = try calendars.results(in: window, .months(german)).sectionIndexTitles
  return agenda
}

var request = ResultsRequest(
  .store(at: store.path), .fixed(window), .days(german), zones: zones, zone: { berlin },
  clock: { now })
request.cache = try ResultsCache(named: "threads", in: folder)
let results = try await AgendaResults(request)
let folderResults = try await AgendaResults(
  ResultsRequest(
    .files(files), .fromToday(.years(1)), ResultsLayout(sectionedBy: \.calendar), zones: zones,
    zone: { berlin }, clock: { now }))
let ownResults = try await AgendaResults(
  ResultsRequest(
    .events([]), .fixed(window), .months(), zones: zones, zone: { berlin }, clock: { now }))

let listeners = (0..<3).map { _ in
  Task {
    var rows = results.sections.map { $0.entries.map(\.title) }
    var count = 0
    for await change in results.changes {
      // A listener that begins late has other rows, so only their number is looked at.
      if count > 0 { change.apply(to: &rows) { $0.title } }
      rows = change.snapshot.sections.map { $0.entries.map(\.title) }
      count += change.entries.count
    }
    return count
  }
}

try await withThrowingTaskGroup(of: Void.self) { group in
  for number in 0..<taskCount {
    group.addTask {
      let path = files[number]
      for try await step in store.importing([path], CalendarStore.ImportOptions(now: now)) {
        if case .finished(let reports) = step {
          check(reports.map(\.components) == [21], "report \(reports)")
        }
      }
      var agendas: [Agenda] = []
      for round in 0..<rounds {
        // A value of this task, read from shared zones.
        let calendars = try CalendarCollection(contentsOf: [path], zones: zones)
        agendas.append(try read(calendars))
        check(agendas[0] == agendas[round], "the same agenda")
        check(checkSources([path], CheckOptions(zones: zones)).count == 1, "check")
        let stored = try await store.perform { try read(try $0.contents()) }
        check(!stored.isEmpty, "the store has entries")
        var edit = EventEdit()
        edit.title = "Own \(number).\(round)"
        edit.start = .date(first)
        let new = edit
        let written = try await store.perform { store in
          try store.add(new, .init(now: now, zone: berlin)).events
        }
        check(written.count == 1, "added")
        try await results.refresh()
        try await folderResults.refresh()
        try await ownResults.update(events: written)
        for section in results.sections.prefix(5) {
          for entry in section.entries {
            check(results.snapshot.entryCount > 0, "count")
            _ = results.indexPath(of: entry)
            _ = try await results.details(of: entry)
          }
        }
        _ = results.section(forIndexTitle: results.sectionIndexTitles.first ?? "", at: 0)
        _ = folderResults.entry(at: IndexPath(section: 0, entry: 0))
        try await results.saveCache()
        _ = try await store.perform { store in
          try store.changes(viewer: berlin).events.count + store.calendars().count
            + store.subscriptions().count + (store.health()?.problems.count ?? 0)
        }
        _ = wording.title(of: .day(first), groupedBy: .day)
      }
      let last = try await store.perform { store in
        var pieces = 0
        try store.export { pieces += $0.count }
        _ = store.diagnosis()
        return pieces
      }
      check(last > 1000, "export")
    }
  }
  try await group.waitForAll()
}

try await results.refresh()
let added = results.sections.flatMap(\.entries).count { $0.title.hasPrefix("Own ") }
check(added == taskCount * rounds, "\(added) added events are in the results")
for listener in listeners { listener.cancel() }
_ = try await store.perform { try $0.undo() }
for try await step in store.refreshing(CalendarStore.ImportOptions(now: now)) {
  if case .finished(let reports) = step { check(reports.count == taskCount, "refreshed") }
}
try request.cache?.delete()
print("\(taskCount) tasks, \(rounds) rounds, \(results.snapshot.entryCount) entries")
