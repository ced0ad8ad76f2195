internal import AgendaCore
internal import AgendaKit
internal import CivilTime
internal import CommandLineOptions

/// What a command has read of its sources. A search in wider windows asks for it again: standard input
/// can be read only once, and problems are reported once.
final class ReadSources {
  var calendars: Calendars?
}

extension CommandRun {
  /// The calendars of the sources, or of the store if no source is given.
  func calendars(
    of input: SourceArguments, for viewer: Viewer
  ) throws -> Calendars {
    if input.usesStore {
      let calendars = try Calendars(of: filledStore(input.store, for: viewer)) {
        messages.reject("\($0)")
      }
      if !input.calendars.isEmpty {
        warnOfUnknownCalendars(input.calendars, inStoreWith: try calendars.calendarNames())
      }
      return calendars
    }
    if let calendars = sources.calendars { return calendars }
    let calendars = Calendars(
      reading: input.sources, zones: viewer.database, encoding: input.encoding,
      fetching: input.fetching)
    for reading in calendars.readings {
      if let error = reading.error { messages.reject("\(error)") }
      messages.report(reading.findings)
    }
    if !input.calendars.isEmpty {
      warnOfUnknownCalendars(input.calendars, among: try calendars.calendarNames(), hint: "")
    }
    sources.calendars = calendars
    return calendars
  }

  /// Warns of calendars that the store doesn't have, because nothing of them will be shown.
  func warnOfUnknownCalendars(_ wanted: [ChosenCalendar], inStoreWith names: [String]) {
    warnOfUnknownCalendars(
      wanted, among: names, hint: "; agenda calendars lists all calendars")
  }

  private func warnOfUnknownCalendars(
    _ wanted: [ChosenCalendar], among names: [String], hint: String
  ) {
    let names = inOrder(names)
    for calendar in wanted where names.calendar(named: calendar.name) == nil {
      let folded = names.map { $0.lowercased() }
      let nearest = nearestName(to: calendar.name.lowercased(), among: folded)
        .flatMap(folded.firstIndex).map { names[$0] }
      let place = calendar.origin.map { "\($0): " } ?? ""
      messages.warn(
        "\(place)unknown calendar \"\(calendar.name)\""
          + (nearest.map { "; did you mean \($0)?" } ?? hint))
    }
  }

  /// The store of a command, for its viewer.
  func store(_ argument: StoreArgument, for viewer: Viewer) throws -> CalendarStore {
    let zone = viewer.zone
    return try store(argument, zones: viewer.database, now: viewer.now) { zone }
  }

  /// The same for a command that can do without a zone.
  func store(
    _ argument: StoreArgument, zones: ZoneDatabase, now: Instant,
    zone: @escaping @Sendable () throws -> Zone
  ) throws -> CalendarStore {
    var configuration = CalendarStore.Configuration(at: try argument.path, zone: zone) { now }
    configuration.zones = zones
    configuration.pictureDecoder = environment.pictureDecoder
    configuration.temporaryFolder =
      environment.filled("TMPDIR") ?? configuration.temporaryFolder
    return CalendarStore(configuration)
  }

  /// The store of a command that begins none: a chosen path without a store is probably misspelt.
  func existingStore(_ argument: StoreArgument, for viewer: Viewer) throws -> CalendarStore {
    if let reason = argument.missingReason { throw CommandError.failed(reason) }
    return try store(argument, for: viewer)
  }

  /// The store, if anything was imported into it.
  func filledStore(_ argument: StoreArgument, for viewer: Viewer) throws -> CalendarStore {
    try filled(existingStore(argument, for: viewer))
  }

  /// A store, if anything was imported into it. Otherwise the error says which command to run.
  func filled(_ store: CalendarStore) throws -> CalendarStore {
    guard try !store.isEmpty else {
      let kept =
        try store.mails().isEmpty
        ? "" : "; answers and cancellations are kept until their events come"
      throw CommandError.failed(
        "no calendars imported yet\(kept). Run agenda import FILE or agenda add TITLE, "
          + "or agenda show FILE to view one without importing")
    }
    return store
  }
}

extension [String] {
  /// The calendar among these that a person means by a name: letter case does not matter, unless two
  /// calendars differ only in it.
  func calendar(named name: String) -> String? {
    let selection = Selection(calendars: [name])
    return first { $0 == name } ?? first { selection.admitsCalendar(named: $0) }
  }
}
