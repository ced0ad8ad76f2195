// Uses AgendaKit from several tasks at once: shared values, one store, and results that follow it.
//
//     swift build
//     PATH=$PWD/.build/debug:$PATH swift run --package-path Tests/Threads \
//       --scratch-path .build/threads --sanitize=thread
//
// `agenda-fetch` in PATH fetches addresses from a web server in Python, and `agenda` decodes pictures.
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

/// The program with that name in PATH.
func program(_ name: String) -> String {
  let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  guard
    let folder = folders.first(where: {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    })
  else {
    check(false, "\(name) is missing in PATH")
    exit(1)
  }
  return "\(folder)/\(name)"
}

let decoder = program("agenda")
_ = program("agenda-fetch")

// The server writes its port, and ends when its input does: also when this program fails.
let script = """
  import functools, http.server, sys, threading
  handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
  server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
  print(server.server_port, flush=True)
  threading.Thread(target=server.serve_forever, daemon=True).start()
  sys.stdin.read()
  """
let server = Process()
let (input, output) = (Pipe(), Pipe())
server.executableURL = URL(fileURLWithPath: program("python3"))
server.arguments = ["-c", script, folder.path]
server.standardInput = input
server.standardOutput = output
server.standardError = FileHandle.nullDevice
try server.run()
let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
guard let port = Int(line.prefix { $0 != "\n" }) else {
  check(false, "the server did not name its port: \(line)")
  exit(1)
}

// A PNG of 40 × 30 pixels.
guard
  let picture = Data(
    base64Encoded: """
      iVBORw0KGgoAAAANSUhEUgAAACgAAAAeCAIAAADRv8uKAAAANUlEQVR42u3NMQ0AIAwAsEmcHJSgBBETgZh9fNx7mvRv\
      5L4jQiwWi8Vi8YvrrBFisVgsFn815QerOfi5/H8AAAAASUVORK5CYII=
      """)
else { exit(1) }

let taskCount = 4
let rounds = 6
let now = Instant(secondsSinceEpoch: 1_793_500_000)
// One database of zones, one locale, one layout and one window for all tasks.
let zones = ZoneDatabase.system(TZDIR: nil)
let berlin = try zones.loadZone(named: "Europe/Berlin")
let german = try LocaleData("de_DE")
guard let first = CivilDate(year: 2026, month: 11, day: 1) else { exit(1) }
let window = DateWindow.window(.months(3), from: first, in: berlin)
let wording = DateWording(german)
let files = try (0..<taskCount).map { number in
  let url = folder.appendingPathComponent("\(number).ics")
  try Data(calendar(number).utf8).write(to: url)
  return url.path
}
let addresses = try (0..<taskCount).map { number in
  let url = folder.appendingPathComponent("web\(number).ics")
  try Data(calendar(number + taskCount).utf8).write(to: url)
  return "http://127.0.0.1:\(port)/web\(number).ics"
}
var configuration = CalendarStore.Configuration(
  at: folder.appendingPathComponent("agenda.sqlite").path, zone: { berlin }, clock: { now })
configuration.zones = zones
configuration.pictureDecoder = decoder
let store = CalendarStore(configuration)

/// What a task reads of calendars: agendas in all formats, details, alarms, tasks, conflicts, free
/// time, explanations.
@Sendable func read(_ calendars: Calendars) throws -> Agenda {
  var selection = Selection(words: ["meeting"], includesTasks: true)
  selection.condition = try Condition("duration >= 1h and categories = team", zone: berlin)
  let agenda = try calendars.agenda(in: window, of: selection, locale: german)
  for format in AgendaFormat.allCases { _ = calendars.rendering(agenda, as: format) }
  let detailed = calendars.withDetails(agenda)
  let json = try detailed.json()
  check(try Agenda(json: json, zones: zones) == Agenda(json: json, zones: zones), "JSON")
  for entry in agenda.sections.prefix(3).flatMap(\.entries) {
    check(calendars.details(of: entry.event).description?.hasPrefix("Room") == true, "details")
    check(agenda.path(of: entry) != nil, "index path")
    _ = try calendars.explanation(of: entry.occurrence, in: window, zones: zones, locale: german)
    check(try calendars.series(of: entry.event, zone: berlin).isEmpty == false, "series")
    check(
      try calendars.occurrences(withID: entry.id, in: window, of: selection).isEmpty == false,
      "identifier")
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
  _ = try calendars.agenda(in: window, options: .init(.months), locale: german).sectionIndexTitles
  return agenda
}

var request = ResultsRequest(store, .fixed(window))
request.locale = german
request.cache = try ResultsCache(named: "threads", in: folder)
let results = try await AgendaResults(request)
let folderResults = try await AgendaResults(
  ResultsRequest(
    .files(files), .fromToday(.years(1)), SectionLayout(sectionedBy: \.calendar), zones: zones,
    zone: { berlin }, clock: { now }))
let ownResults = try await AgendaResults(
  ResultsRequest(
    .events([]), .fixed(window), .months, zones: zones, zone: { berlin }, clock: { now }))

let listeners = (0..<3).map { _ in
  Task {
    let (agenda, changes) = results.follow()
    var rows = agenda.sections.map { $0.entries.map(\.title) }
    for await change in changes {
      change.apply(to: &rows) { $0.title }
      check(rows == change.agenda.sections.map { $0.entries.map(\.title) }, "rows")
    }
  }
}

try await withThrowingTaskGroup(of: Void.self) { group in
  for number in 0..<taskCount {
    group.addTask {
      let path = files[number]
      let sources = [path, addresses[number]]
      let reports = try await store.write { try $0.importSources(sources) }
      check(reports.map { $0.added + $0.unchanged } == [21, 21], "reports \(reports)")
      let reply = try await store.write { writer in
        let selection = Selection(calendars: ["\(number)"], words: ["meeting"])
        let meetings = try writer.calendars().search(selection, now: now, zone: berlin)
        guard let meeting = meetings.first else { throw CancellationError() }
        return try writer.reply(.accepted, to: meeting)
      }
      check(reply.organizer == "bo@example.com" && !reply.message.isEmpty, "reply")
      var agendas: [Agenda] = []
      for round in 0..<rounds {
        // A value of this task, read from shared zones.
        let calendars = try Calendars(contentsOf: [path], zones: zones)
        agendas.append(try read(calendars))
        check(agendas[0] == agendas[round], "the same agenda")
        check(checkSources([path], zones: zones).count == 1, "check")
        let stored = try await store.read(read)
        check(!stored.isEmpty, "the store has entries")
        var edit = EventEdit()
        edit.title = "Own \(number).\(round)"
        edit.start = .date(first)
        edit.coordinates = Coordinates(latitude: 54.1, longitude: 13.7)
        edit.attachments = [.init(bytes: Array(picture), mediaType: "image/png")]
        let new = edit
        let written = try await store.write { writer in
          let written = try writer.add(new).events
          let calendars = try writer.calendars()
          let thumbnail = calendars.thumbnail(of: written[0], number: 1)
          check(thumbnail?.isEmpty == false, "thumbnail")
          check(calendars.attachmentData(of: written[0], number: 1) == picture, "picture")
          return written
        }
        check(written.count == 1, "added")
        try await results.refresh()
        try await folderResults.refresh()
        try await ownResults.update(events: written)
        for section in results.agenda.sections.prefix(5) {
          for entry in section.entries {
            check(results.agenda.entryCount > 0, "count")
            _ = results.agenda.path(of: entry)
            _ = try await results.details(of: entry)
          }
        }
        _ = results.agenda.section(
          forIndexTitle: results.agenda.sectionIndexTitles.first ?? "", at: 0)
        _ = folderResults.agenda[EntryPath(section: 0, entry: 0)]
        try await results.saveCache()
        _ =
          try store.changes().events.count + store.calendars().count
          + store.subscriptions().count + store.problems().count
          + store.conflicts().count + (store.isEmpty ? 1 : 0)
        _ = wording.fullDate(first)
      }
      var exported = 0
      try store.export { exported += $0.count }
      check(exported > 1000, "export")
    }
  }
  try await group.waitForAll()
}

try await results.refresh()
let added = results.agenda.sections.flatMap(\.entries).count { $0.title.hasPrefix("Own ") }
check(added == taskCount * rounds, "\(added) added events are in the results")
for listener in listeners { listener.cancel() }
for listener in listeners { await listener.value }
try await store.write { try $0.undo() }
let refreshed = try await store.write { try $0.refresh() }
check(refreshed.count == 2 * taskCount, "refreshed")
try request.cache?.delete()
print("\(taskCount) tasks, \(rounds) rounds, \(results.agenda.entryCount) entries")
