internal import AgendaKit

/// A year of results of a store: the first sections, positions, and a change of one event.
///
/// `results STORE [CACHE-FOLDER]` needs a store with a year of events; it adds an event and edits it.
enum ResultsBenchmarks {
  static func run(_ arguments: [String]) async throws {
    guard let path = arguments.first, let first = CivilDate(year: 2026, month: 1, day: 1),
      let window = DateWindow(firstDay: first, length: .years(1), zone: .utc)
    else { return }
    let clock = ContinuousClock()
    func least(_ rounds: Int, _ work: () async throws -> Void) async rethrows -> Duration {
      var least = Duration.seconds(1000)
      for _ in 0..<rounds { least = min(least, try await clock.measure(work)) }
      return least
    }
    var entryCount = 0
    let agenda = try await least(7) {
      entryCount = try CalendarCollection(storeAt: path).agenda(in: window).entryCount
    }
    let now = Instant(secondsSinceEpoch: 1_767_225_600)
    var request = ResultsRequest(
      .store(at: path), .fixed(window), .days(), zone: { .utc }, clock: { now })
    let sections = try await least(7) { _ = try await AgendaResults(request) }
    print("\(entryCount) entries; agenda \(agenda), sections \(sections), \(sections / agenda)")
    request.cache = try ResultsCache(named: "benchmark", in: arguments.dropFirst().first ?? "/tmp")
    _ = try await AgendaResults(request)
    let cached = try await least(7) { _ = try await AgendaResults(request) }
    print("from the cache \(cached), \(cached / sections)")
    try request.cache?.delete()
    request.cache = nil

    let results = try await AgendaResults(request)
    let entries = results.sections.flatMap(\.entries)
    let positions = clock.measure {
      for entry in entries { _ = results.indexPath(of: entry) }
    }
    print("position of an entry: \(positions / entries.count), with the index for all of them")

    let store = CalendarStore(at: path)
    let options = CalendarStore.WritingOptions(now: now, zone: .utc)
    var edit = EventEdit()
    edit.title = "A new event"
    edit.start = .date(first)
    _ = try store.add(edit, options)
    try await results.refresh()
    let daily = try Rule(parsing: "FREQ=DAILY")
    for (name, rule) in [("event", nil), ("daily event", daily)] {
      edit.repetition = rule.map { .rule($0) }
      var refreshes: [Duration] = []
      for round in 0..<21 {
        let days = try store.contents().results(in: window, .days())
        guard
          let entry = days.sections.first?.entries.first(where: { $0.title == edit.title })
        else { return print("the event is missing") }
        edit.title = "\(name) in round \(round)"
        _ = try store.edit(entry.occurrence, edit, scope: .all, options)
        refreshes.append(try await clock.measure { _ = try await results.refresh() })
      }
      refreshes.sort()
      print(
        "from one changed \(name) to its changes: median \(refreshes[10]), worst \(refreshes[20])")
    }
  }
}
