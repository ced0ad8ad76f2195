internal import AgendaCore
internal import AgendaKit
internal import AgendaReader
internal import AgendaSources
internal import CivilTime
internal import CommandLineOptions

extension CommandRun {
  /// The calendars of the sources, or of the store if there are none.
  func calendars(
    of input: SourceArguments, zones: ZoneDatabase
  ) throws -> CalendarCollection {
    if input.usesStore {
      let calendars = try filledStore(input.store, zones: zones).contents {
        messages.reject("\($0)")
      }
      try warnOfUnknownCalendars(
        input.calendars, in: calendars, hint: "; agenda calendars lists all calendars")
      return calendars
    }
    var options = CalendarReader.Options()
    options.encoding = input.encoding
    var loader = SourceLoader(zones: zones, options: options, fetching: input.fetching)
    loader.load(input.sources)
    let calendars = CalendarCollection(loader.sources)
    for (source, findings) in zip(loader.sources, calendars.findingsBySource) {
      if let error = source.error { messages.reject("\(source.name): \(error)") }
      messages.report(findings)
    }
    try warnOfUnknownCalendars(input.calendars, in: calendars, hint: "")
    return calendars
  }

  /// Warns of calendars that don't exist: nothing of them will be shown.
  private func warnOfUnknownCalendars(
    _ wanted: [String], in calendars: CalendarCollection, hint: String
  ) throws {
    if wanted.isEmpty { return }
    let names = inOrder(try calendars.source.calendars().map(\.name))
    for name in wanted
    where !names.contains(where: { Selection(calendars: [name]).admitsCalendar(named: $0) }) {
      let folded = names.map { $0.lowercased() }
      let nearest = nearestName(to: name.lowercased(), among: folded)
        .flatMap(folded.firstIndex).map { names[$0] }
      messages.warn(
        "unknown calendar \"\(name)\"" + (nearest.map { "; did you mean \($0)?" } ?? hint))
    }
  }

  /// The store, if anything was imported into it. Otherwise the error says what to do next.
  func filledStore(_ store: StoreArgument, zones: ZoneDatabase) throws -> CalendarStore {
    let store = CalendarStore(at: try store.path, zones: zones)
    guard try store.hasSources else {
      throw CommandError.failed(
        "no calendars imported yet. Run agenda import FILE, "
          + "or agenda show FILE to view one without importing")
    }
    return store
  }
}
