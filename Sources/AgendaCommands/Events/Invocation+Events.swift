internal import AgendaCore
internal import AgendaReader
internal import AgendaStore
internal import CivilTime
internal import CommandLineOptions

extension Invocation {
  /// The events of the sources, or of the store where none is named.
  func events(
    of sources: [String], viewer: Viewer, window: DateWindow?
  ) throws -> any EventProvider {
    if sources.isEmpty {
      let events = try storeEvents(viewer)
      try warnOfUnknownCalendars(events, hint: ": agenda calendars lists them")
      return events
    }
    var options = CalendarReader.Options()
    options.window = window.map { $0.start..<$0.end }
    options.encoding = try encoding()
    var loader = SourceLoader(zones: viewer.database, options: options, messages: messages)
    for source in sources { loader.load(SourceAddress(source)) }
    let events = FileEvents(loader.outcomes)
    for (name, findings) in events.findingsOfAll { messages.report(findings, of: name) }
    try warnOfUnknownCalendars(events, hint: "")
    return events
  }

  /// A calendar that is not there is told, as nothing of it will be.
  private func warnOfUnknownCalendars(_ events: any EventProvider, hint: String) throws {
    let wanted = line.values(of: Options.calendar)
    if wanted.isEmpty { return }
    let names = inOrder(try events.calendarNames())
    for name in wanted
    where !names.contains(where: { Selection(calendars: [name]).admitsCalendar(named: $0) }) {
      let folded = names.map { $0.lowercased() }
      let nearest = nearestName(to: name.lowercased(), among: folded)
        .flatMap(folded.firstIndex).map { names[$0] }
      messages.warn(
        "no calendar is called \"\(name)\"" + (nearest.map { ": did you mean \($0)?" } ?? hint))
    }
  }

  private func storeEvents(_ viewer: Viewer) throws -> StoreEvents {
    StoreEvents(try filledStore(viewer.database), viewer: viewer, messages: messages)
  }

  /// The store for reading; `nil` where nothing was imported yet.
  func openStore(_ viewer: Viewer) throws -> Store? {
    try Store.open(reading: storePath(), zones: viewer.database)
  }

  /// The store for writing, made where there is none.
  func writableStore(_ viewer: Viewer) throws -> Store {
    try Store.open(writing: storePath(), zones: viewer.database)
  }

  /// The store for reading. Where nothing was imported yet it says what to do next: only what brings
  /// something in makes a store.
  func filledStore(_ zones: ZoneDatabase) throws -> Store {
    let path = try storePath()
    guard let store = try Store.open(reading: path, zones: zones), try store.hasSources() else {
      throw CommandError.failed(
        "nothing was imported yet into \(path): agenda import SOURCE does that, "
          + "agenda show SOURCE does without")
    }
    return store
  }

  /// `--encoding`.
  func encoding() throws(CommandError) -> TextEncoding? {
    guard let name = line.value(of: Options.encoding) else { return nil }
    guard let encoding = TextEncoding(named: name) else {
      let known = TextEncoding.allCases.map(\.rawValue).joined(separator: ", ")
      throw .wrongUsage("--encoding: \"\(name)\" is none of \(known)")
    }
    return encoding
  }

  /// `--store`, `AGENDA_STORE`, or the place that the XDG base directory specification gives.
  func storePath() throws(CommandError) -> String {
    if let path = line.value(of: Options.store) {
      guard !path.isEmpty else { throw .wrongUsage("--store: a path is missing") }
      return path
    }
    guard let path = environment.storePath else {
      throw .failed("no place for the store: set --store, AGENDA_STORE, XDG_DATA_HOME or HOME")
    }
    return path
  }
}
