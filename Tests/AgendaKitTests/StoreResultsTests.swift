import AgendaKit
import Foundation
import TestSupport
import Testing

/// Results that follow a store and read again only what commands have changed.
@Suite("results of a store")
struct StoreResultsTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private var path: String { folder.url.appendingPathComponent("agenda.sqlite").path }

  private func request(
    _ layout: SectionLayout, selection: Selection = Selection()
  ) throws -> ResultsRequest {
    let first = try #require(CivilDate(year: 2026, month: 11, day: 2))
    let window = try #require(DateWindow(firstDay: first, length: .days(20), zone: .utc))
    var request = ResultsRequest(
      .store(CalendarStore(at: path)), .fixed(window), layout, zone: { .utc },
      clock: { Instant(secondsSinceEpoch: 1_795_000_000) })
    request.selection = selection
    return request
  }

  private static func row(_ entry: Entry) -> String {
    """
    \(entry.event.identity.uid) \(entry.date) \(entry.begin) \(entry.title) \
    \(entry.location ?? "–") \(entry.calendar) \(entry.day)/\(entry.days)
    """
  }

  private static func rows(_ agenda: Agenda) -> [[String]] {
    agenda.sections.map { section in
      ["\(section.id) \(section.title) \(section.indexTitle)"] + section.entries.map(row)
    }
  }

  private static let layouts: [SectionLayout] = {
    let byDay = SectionLayout(sectionedBy: { $0.date.description }, title: { "on \($0)" })
    var byTitle = SectionLayout(sectionedBy: \.title)
    byTitle.order = [.ascending(\.title), .descending(\.begin)]
    var byCalendar = SectionLayout(sectionedBy: \.calendar)
    byCalendar.order = [.descending(\.duration)]
    byCalendar.predicate = { $0.title != "Choir" }
    var months = SectionLayout.months
    months.order = [.descending(\.title)]
    var initials = SectionLayout.initials
    initials.predicate = { $0.title != "Choir" }
    return [
      byDay, byTitle, byCalendar, SectionLayout(sectionedBy: { _ in "all" }), .days,
      .days.indexedByMonth(), .weeks, months, .calendars, .categories, .locations, initials,
      .single,
    ]
  }()

  @Test("what is read after each change equals what is read anew, for random commands")
  func equalsReadingAnew() async throws {
    var random = RandomCalendar(seed: 40)
    var selection = Selection(includesCancelled: true)
    selection.excludedCalendars = ["hidden"]
    var requests: [ResultsRequest] = []
    for layout in Self.layouts {
      requests.append(try request(layout))
      requests.append(try request(layout, selection: selection))
    }
    requests[1].once = true
    var live: [AgendaResults] = []
    for request in requests { live.append(try await AgendaResults(request)) }
    var lists = live.map { $0.agenda.sections.map { $0.entries.map(Self.row) } }
    var changeCount = 0
    for round in 0..<60 * TestSettings.rounds {
      try random.change(storeAt: path, in: folder, round: round)
      for (number, results) in live.enumerated() {
        let changes = try await results.refresh()
        changeCount += changes.entries.count
        let anew = try await AgendaResults(requests[number])
        #expect(Self.rows(results.agenda) == Self.rows(anew.agenda), "\(round) \(number)")
        #expect(results.agenda.sectionIndexTitles == anew.agenda.sectionIndexTitles)
        changes.apply(to: &lists[number], row: Self.row)
        #expect(lists[number] == anew.agenda.sections.map { $0.entries.map(Self.row) })
        for (index, section) in results.agenda.sections.enumerated() {
          for (place, entry) in section.entries.enumerated() {
            #expect(results.agenda.path(of: entry) == EntryPath(section: index, entry: place))
          }
        }
      }
    }
    #expect(changeCount > 500)
  }

  @Test("a cache is used for exactly the state that it was written for, until it is deleted")
  func cache() async throws {
    var random = RandomCalendar(seed: 41)
    let folder = folder.url.path
    let file = "\(folder)/year.agenda-results"
    for round in 0..<30 * TestSettings.rounds {
      try random.change(storeAt: path, in: self.folder, round: round)
      for (number, layout) in Self.layouts.enumerated() {
        var request = try request(layout)
        if number == 1 { request.selection.includesCancelled = true }
        let expected = Self.rows(try await AgendaResults(request).agenda)
        request.cache = try ResultsCache(named: "year", in: folder)
        let written = try await AgendaResults(request)
        #expect(Self.rows(written.agenda) == expected, "\(round) \(number)")
        let first = try bytes(of: file)
        let read = try await AgendaResults(request)
        #expect(Self.rows(read.agenda) == expected, "\(round) \(number)")
        // The events have all that the store has of them.
        #expect(read.agenda.sections.map(\.entries) == written.agenda.sections.map(\.entries))
        #expect(try bytes(of: file) == first)
        let reading = try await AgendaResults(self.request(layout, selection: request.selection))
        let withCache = read.agenda.sections.flatMap { $0.entries.map(\.occurrence) }
        #expect(withCache == reading.agenda.sections.flatMap { $0.entries.map(\.occurrence) })
      }
    }
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    // What is left of a file, or what somebody changed in it, is not used.
    var request = try request(Self.layouts[0])
    request.cache = try ResultsCache(named: "year", in: folder)
    let expected = Self.rows(try await AgendaResults(request).agenda)
    let whole = try bytes(of: file)
    for damage in [whole.count / 2, whole.count - 1, 20, 0] {
      var damaged = whole
      if damage == whole.count / 2 {
        damaged = damaged.prefix(damage)
      } else {
        damaged[damage] ^= 1
      }
      try damaged.write(to: URL(fileURLWithPath: file))
      #expect(Self.rows(try await AgendaResults(request).agenda) == expected)
      #expect(try bytes(of: file) == whole)
    }
    let cache = try #require(request.cache)
    try cache.delete()
    try cache.delete()
    #expect(!FileManager.default.fileExists(atPath: file))
    let names = [
      ("", "empty"), ("../up", "slash"), (".hidden", "dot"), ("a\0b", "slash"),
      (String(repeating: "é", count: 200), "400 bytes"),
    ]
    for (name, word) in names {
      let error = #expect(throws: CalendarError.self) { try ResultsCache(named: name, in: folder) }
      #expect(error?.description.contains(word) == true, "\(String(describing: error))")
    }
    // The longest name is that of a file that can be written.
    let longest = String(repeating: "y", count: 200)
    request.cache = try ResultsCache(named: longest, in: folder)
    _ = try await AgendaResults(request)
    #expect(FileManager.default.fileExists(atPath: "\(folder)/\(longest).agenda-results"))
  }

  @Test("the entries really come from the cache", .requires("python3"))
  func cacheIsRead() async throws {
    let text = calendar(event("1", "DTSTART:20261105T080000Z", "SUMMARY:Choir"))
    let source = try folder.write("work.ics", text)
    try await CalendarStore(at: path).write { try $0.importSources([source]) }
    var request = try request(Self.layouts[0])
    request.cache = try ResultsCache(named: "year", in: folder.url.path)
    _ = try await AgendaResults(request)
    // Changes a title without a command, as no program may do: the cache does not show it.
    let program = "import sqlite3, sys; store = sqlite3.connect(sys.argv[1]);"
    let update =
      "store.execute(\"UPDATE component SET text = CAST(replace(CAST(text AS TEXT), 'Choir', "
      + "'Other') AS BLOB)\"); store.commit()"
    let run = try Tool("python3").run(["-c", program + update, path])
    #expect(run.status == 0, "\(run.errors)")
    let cached = try await AgendaResults(request)
    #expect(cached.agenda.sections.flatMap(\.entries).map(\.title) == ["Choir"])
    try request.cache?.delete()
    let read = try await AgendaResults(request)
    #expect(read.agenda.sections.flatMap(\.entries).map(\.title) == ["Other"])
  }

  private func bytes(of file: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: file))
  }

  @Test("after a change of one event the other sections are not made again")
  func otherSectionsStay() async throws {
    func file(_ title: String) -> String {
      let events = (3...9).map {
        event("\($0)", "DTSTART;VALUE=DATE:2026110\($0)", "SUMMARY:Day \($0)")
      }
      return calendar(events + [event("m", "DTSTART:20261105T080000Z", "SUMMARY:\(title)")])
    }
    let store = CalendarStore(at: path)
    let source = try folder.write("work.ics", file("Choir"))
    try await store.write { try $0.importSources([source]) }
    let results = try await AgendaResults(request(Self.layouts[0]))
    let before = results.agenda.sections
    try folder.replace("work.ics", file("Choir practice"))
    try await store.write { try $0.importSources([source]) }
    let changes = try await results.refresh()
    #expect(changes.entries.count == 1)
    let after = results.agenda.sections
    #expect(after.map(\.id) == before.map(\.id))
    for (old, new) in zip(before, after) where old.id != "2026-11-05" {
      for (entry, other) in zip(old.entries, new.entries) {
        #expect(entry.isIdentical(to: other))
      }
    }
    #expect(after[2].entries.map(\.title) == ["Day 5", "Choir practice"])
  }
}

/// Calendars with singles, series, overrides and exception dates, and commands that change a store of
/// them.
private struct RandomCalendar {
  private var random: SeededGenerator
  /// By file, then by UID.
  private var files: [[String: [String]]] = [[:], [:], [:]]
  private var hasHistory = false

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private static let titles = ["Choir", "Dentist", "Émile", "Trip"]

  mutating func change(storeAt path: String, in folder: ScratchFolder, round: Int) throws {
    let store = CalendarStore(at: path)
    var options = StoreWriter.ImportOptions()
    options.allowsShrinking = true
    switch Int.random(in: 0..<12, using: &random) {
    case 0 where hasHistory:
      try store.write { try $0.undo() }
      hasHistory = false
    case 1 where round % 4 == 3:
      for name in try store.read({ try $0.calendarNames() }).prefix(1) {
        try store.write { try $0.remove(calendar: name) }
      }
      hasHistory = true
    default:
      // Several commands can come between two looks.
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let file = Int.random(in: 0..<files.count, using: &random)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let uid = "u\(Int.random(in: 0..<9, using: &random))"
          files[file][uid] = Bool.random(using: &random) || round < 8 ? components(uid) : nil
        }
        let components = files[file].sorted { $0.key < $1.key }.flatMap(\.value)
        let source = try folder.write("\(file).ics", calendar(components))
        // Two files share a calendar; now and then the third one moves to another.
        let moves = Int.random(in: 0..<6, using: &random) == 0
        options.calendar = file < 2 ? "work" : moves ? "hidden" : "home"
        try store.write { try $0.importSources([source], options) }
        hasHistory = true
      }
    }
  }

  private mutating func components(_ uid: String) -> [String] {
    let day = Int.random(in: 1...20, using: &random)
    let date = "202611\(day < 10 ? "0" : "")\(day)"
    let hour = Int.random(in: 10..<14, using: &random)
    let title = Self.titles.randomElement(using: &random) ?? ""
    var lines = ["SUMMARY:\(title)"]
    if Bool.random(using: &random) {
      lines.append("LOCATION:Room \(Int.random(in: 1..<4, using: &random))")
    }
    if Int.random(in: 0..<8, using: &random) == 0 { lines.append("STATUS:CANCELLED") }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      lines.append("DTSTART;VALUE=DATE:\(date)")
      lines.append("DURATION:P\(Int.random(in: 1..<4, using: &random))D")
    case 1:
      lines.append("DTSTART:\(date)T\(hour)0000Z")
      lines.append("DURATION:PT\(Int.random(in: 0..<30, using: &random))H")
    default:
      lines.append("DTSTART:\(date)T\(hour)0000Z")
      lines.append("DURATION:PT1H")
      lines.append("RRULE:FREQ=DAILY;INTERVAL=\(Int.random(in: 1..<4, using: &random));COUNT=7")
      if Bool.random(using: &random) { lines.append("EXDATE:\(date)T\(hour)0000Z") }
      if Bool.random(using: &random) {
        let override = [
          "RECURRENCE-ID:\(date)T\(hour)0000Z", "SUMMARY:\(title) moved", "DTSTART:\(date)T150000Z",
        ]
        return [component("VEVENT", uid, lines), component("VEVENT", uid, override)]
      }
    }
    return [component("VEVENT", uid, lines)]
  }
}
