internal import AgendaKit
internal import Platform

/// A year of results of a store: the first sections, positions, and a change of one event.
///
/// `results STORE [CACHE-FOLDER]` needs a store with a year of events; it adds an event and edits it.
/// Each figure is the time that passed, and then the processor time of all threads.
enum ResultsBenchmarks {
  static func run(_ arguments: [String]) async throws {
    guard let path = arguments.first, let first = CivilDate(year: 2026, month: 1, day: 1),
      let window = DateWindow(firstDay: first, length: .years(1), zone: .utc)
    else { return }
    func least(_ rounds: Int, _ work: () async throws -> Void) async rethrows -> Time {
      var least = try await Time.measure(work)
      for _ in 1..<rounds {
        let time = try await Time.measure(work)
        least = Time(
          passed: min(least.passed, time.passed), processor: min(least.processor, time.processor))
      }
      return least
    }
    let now = Instant(secondsSinceEpoch: 1_767_225_600)
    var entryCount = 0
    let agenda = try await least(7) {
      // A new store, because one that was used keeps what it has opened.
      let store = CalendarStore(.init(at: path, zone: { .utc }, clock: { now }))
      entryCount = try await store.read { try $0.agenda(in: window).entryCount }
    }
    let store = CalendarStore(.init(at: path, zone: { .utc }, clock: { now }))
    var request = ResultsRequest(store, .fixed(window))
    let sections = try await least(7) { _ = try await AgendaResults(request) }
    print(
      "\(entryCount) entries; agenda \(agenda), sections \(sections),",
      "\(sections.processor / agenda.processor) times the processor time")
    request.cache = try ResultsCache(named: "benchmark", in: arguments.dropFirst().first ?? "/tmp")
    _ = try await AgendaResults(request)
    let cached = try await least(7) { _ = try await AgendaResults(request) }
    print(
      "from the cache \(cached), \(cached.processor / sections.processor) times the processor time")
    try request.cache?.delete()
    request.cache = nil

    let results = try await AgendaResults(request)
    let entries = results.agenda.sections.flatMap(\.entries)
    let listed = results.agenda
    let positions = await Time.measure {
      for entry in entries { _ = listed.path(of: entry) }
    }
    print(
      "position of an entry: \(positions.processor / entries.count) of processor time,",
      "with the index for all of them")

    var edit = EventEdit()
    edit.title = "A new event"
    edit.start = .date(first)
    let new = edit
    try await store.write { try $0.add(new) }
    try await results.refresh()
    let daily = try Rule(parsing: "FREQ=DAILY")
    for (name, rule) in [("event", nil), ("daily event", daily)] {
      edit.repetition = rule.map { .rule($0) }
      var refreshes: [Time] = []
      for round in 0..<21 {
        let days = try await store.read { try $0.agenda(in: window) }
        guard
          let entry = days.sections.first?.entries.first(where: { $0.title == edit.title })
        else { return print("the event is missing") }
        edit.title = "\(name) in round \(round)"
        let change = edit
        try await store.write { try $0.edit(entry.occurrence, change, scope: .all) }
        refreshes.append(try await Time.measure { _ = try await results.refresh() })
      }
      let passed = refreshes.map(\.passed).sorted()
      let processor = refreshes.map(\.processor).sorted()
      let median = Time(passed: passed[10], processor: processor[10])
      let worst = Time(passed: passed[20], processor: processor[20])
      print("from one changed \(name) to its changes: median \(median), worst \(worst)")
    }
  }
}

extension ResultsBenchmarks {
  /// The day of `agenda today` in a program: a store is opened, and the day is read and written as text.
  ///
  /// `opening STORE MOMENT ZONE` prints the least processor time of 51 rounds, in milliseconds.
  static func open(_ arguments: [String]) throws {
    guard arguments.count == 3, let now = Instant(rfc3339: arguments[1]) else { return }
    let zone = try ZoneDatabase.system().loadZone(named: arguments[2])
    let today = zone.civil(at: now).date
    let window = DateWindow.window(.days(1), from: today, in: zone)
    var least = Duration.seconds(1_000)
    for _ in 0..<51 {
      let before = SystemClock.processorTime
      // A new store, because one that was used keeps what it has opened.
      let store = CalendarStore(.init(at: arguments[0], zone: { zone }, clock: { now }))
      let text = try store.read { calendars in
        let agenda = try calendars.agenda(in: window, options: .init(today: today))
        return calendars.rendering(agenda, as: .text, .init(today: today))
      }
      guard !text.isEmpty else { return print("the day is empty") }
      least = min(least, SystemClock.processorTime - before)
    }
    print(least / .milliseconds(1))
  }
}

private struct Time: CustomStringConvertible {
  let passed: Duration
  let processor: Duration

  var description: String { "\(passed) (\(processor))" }

  static func measure(_ work: () async throws -> Void) async rethrows -> Time {
    let before = SystemClock.processorTime
    let passed = try await ContinuousClock().measure(work)
    return Time(passed: passed, processor: SystemClock.processorTime - before)
  }
}
