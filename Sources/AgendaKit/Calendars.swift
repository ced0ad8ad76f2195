public import AgendaCore
internal import AgendaPictures
internal import AgendaReader
public import AgendaRendering
public import AgendaSources
internal import AgendaStore
public import CivilTime
internal import Platform

/// Calendars to read: .ics files, folders of them, text, your own events, or those of a store.
///
///     let calendars = try Calendars(contentsOf: ["work.ics", "family/"])
///     let agenda = try calendars.agenda(in: window)
///
/// Each source is read once. The details of an event are decoded when you call `details(of:)`.
///
/// A value belongs to one task or thread. A ``CalendarStore`` and ``AgendaResults`` can be shared by
/// several.
public struct Calendars {
  /// The problems of the sources, and what was done about each. An invalid event never prevents
  /// reading the rest of its file.
  public var findings: [SourceFinding] { readings.flatMap(\.findings) }
  /// The result of reading each source, in the order of the arguments; empty for a store.
  package let readings: [SourceReading]
  let source: any EventSource
  /// The store that they are in, for its errors and its decoder of pictures.
  private let store: CalendarStore.Configuration?

  /// Reads .ics files and folders of them; a folder is one calendar.
  ///
  /// - Parameters:
  ///   - paths: The paths of the files and folders.
  ///   - zones: The rules of the time zones that the calendars name.
  /// - Throws: `CalendarError` for the first source that can't be read.
  public init(
    contentsOf paths: [String], zones: ZoneDatabase = .system(TZDIR: nil)
  ) throws(CalendarError) {
    var loader = SourceLoader(zones: zones)
    loader.load(paths.map(Source.path))
    try self.init(complete: loader.sources)
  }

  /// For repeated reading: only files that have changed since the last time are read.
  init(
    contentsOf paths: [String], zones: ZoneDatabase, kept: inout KeptFiles?, now: Instant
  ) throws(CalendarError) {
    var loader = SourceLoader(zones: zones, previous: kept, now: now)
    loader.load(paths.map(Source.path))
    kept = loader.kept
    try self.init(complete: loader.sources)
  }

  /// Reads the text of a calendar. `name` is its name if the text does not state one.
  public init(
    text: String, name: String, zones: ZoneDatabase = .system(TZDIR: nil)
  ) throws(CalendarError) {
    var loader = SourceLoader(zones: zones)
    loader.load(text: text, name: name)
    try self.init(complete: loader.sources)
  }

  /// Events that your program made, with their own details. An override belongs to the series with the
  /// same UID and calendar.
  public init(events: [Event]) {
    source = ProgramEvents(events)
    readings = []
    store = nil
  }

  private init(complete sources: [LoadedSource]) throws(CalendarError) {
    self.init(sources)
    if let error = readings.lazy.compactMap(\.error).first { throw error }
  }

  /// Reads files, folders, addresses and standard input. `readings` has the error of each source that
  /// can't be read.
  package init(reading sources: [Source], _ options: ReadingOptions = ReadingOptions()) {
    var readerOptions = CalendarReader.Options()
    readerOptions.encoding = options.encoding
    var loader = SourceLoader(
      zones: options.zones, options: readerOptions, fetching: options.fetching)
    loader.load(sources)
    self.init(loader.sources)
  }

  /// How sources are read.
  package struct ReadingOptions: Sendable {
    /// The rules of the time zones that sources name.
    package var zones: ZoneDatabase
    /// The encoding of the sources; `nil` to detect it.
    package var encoding: TextEncoding?
    /// How addresses are fetched.
    package var fetching = FetchSettings()

    /// The default options.
    package init(zones: ZoneDatabase = .system(TZDIR: nil)) { self.zones = zones }
  }

  /// The result of reading one source.
  package struct SourceReading: Sendable {
    /// Why the source can't be read; `nil` if it was read.
    package let error: CalendarError?
    /// The problems of the source, and what was done about each.
    package let findings: [SourceFinding]
  }

  /// Sources that may have failed in part.
  private init(_ sources: [LoadedSource]) {
    let events = FileEvents(sources)
    let findings = events.findingsOfFiles
    var firstFile = 0
    readings = sources.map { source in
      defer { firstFile += source.files.count }
      let ofFiles = findings[firstFile..<firstFile + source.files.count].flatMap(\.self)
      return SourceReading(
        error: source.error.map {
          CalendarError.unreadable(source: source.name, reason: $0.description)
        },
        findings: (ofFiles + source.problems).grouped)
    }
    self.source = events
    store = nil
  }

  /// A store; `nil` if it doesn't exist yet.
  init(
    _ store: Store?, _ configuration: CalendarStore.Configuration,
    reportFailure: @escaping (StoreError) -> Void = { _ in }
  ) {
    source = StoreEvents(store, zones: configuration.zones, reportFailure: reportFailure)
    readings = []
    self.store = configuration
  }

  /// The path of `agenda`, which decodes pictures.
  var pictureDecoder: String? {
    store.map(\.pictureDecoder) ?? RunningProgram.path(of: "agenda")
  }

  /// The events of a window of days, grouped into sections.
  ///
  /// - Parameters:
  ///   - window: The days, and the zone in which they begin.
  ///   - selection: Which events are included. The default is all events that are not cancelled.
  ///   - options: How the agenda is grouped, and how many entries it lists.
  ///   - locale: The language of the sections' titles.
  /// - Returns: The agenda, which is empty if nothing happens. If the days have more than 1,000,000
  ///   entries, its window ends with the last day that is complete.
  /// - Throws: `CalendarError` if the store can't be read. Calendars from files never throw.
  public func agenda(
    in window: DateWindow, of selection: Selection = Selection(),
    options: Agenda.Options = Agenda.Options(), locale: LocaleData = .plain
  ) throws(CalendarError) -> Agenda {
    try agenda(in: window, of: selection, options: options, locale: locale, previous: nil)
  }

  /// An entry that `previous` has with the same content keeps its section.
  func agenda(
    in window: DateWindow, of selection: Selection, options: Agenda.Options, locale: LocaleData,
    previous: Agenda?
  ) throws(CalendarError) -> Agenda {
    do {
      var selection = selection
      selection.listsByCategory = options.groupedBy == .category
      return try listing(
        in: window, of: selection, options: options, wording: DateWording(locale),
        previous: previous
      ).agenda
    } catch {
      throw CalendarError(error)
    }
  }

  /// The occurrences in a window, in no particular order. If a condition is about days or positions,
  /// those with an entry in the agenda of the window.
  public func occurrences(
    in window: DateWindow, of selection: Selection = Selection()
  ) throws(CalendarError) -> [Occurrence] {
    let found = try CalendarError.catching { try source.occurrences(of: selection, in: window) }
    guard selection.condition?.concernsEntries ?? false else { return found.occurrences }
    return Agenda(
      found.occurrences, of: selection, in: found.window, details: source.details
    ).occurrences
  }

  /// The busy times in a window without an event (VFREEBUSY), in no particular order.
  public func busyTimes(
    in window: DateWindow, of selection: Selection = Selection()
  ) throws(CalendarError) -> [Range<Instant>] {
    try CalendarError.catching {
      try source.busyTimes(in: window.start..<window.end, of: selection)
    }
  }

  /// The whole series of an event: its rule and its overrides.
  package func series(of event: Event, in window: DateWindow) throws -> Series {
    var selection = Selection(includesCancelled: true, includesTasks: true)
    selection.includesJournals = true
    let query = SeriesQuery(.uid(event.identity.uid), viewer: window.zone, of: selection)
    let all = try source.series(query)
    return all.first { $0.master.reference == event.reference }
      ?? all.first { series in series.overrides.contains { $0.reference == event.reference } }
      ?? Series(event)
  }

  /// The bytes of an attachment that is in the calendar itself; `nil` for one that is only linked.
  public func attachmentBytes(of event: Event, number: Int) -> [UInt8]? {
    source.attachmentBytes(of: event.reference, number: number)
  }

  /// The content lines of an event as its source has them; empty for an event that a program made.
  public func contentLines(of event: Event) -> [String] {
    lines(of: event)?.all.map(\.text) ?? []
  }

  /// The content lines of an event by property, with their parameters; `nil` for an event that a
  /// program made.
  package func lines(of event: Event) -> ComponentLines? { source.lines(of: event.reference) }

  /// The source of an event and its line: `work.ics:120`; `nil` for an event that a program made.
  public func sourceName(of event: Event) -> String? { source.place(of: event.reference)?.name }

  /// The description, people, attachments and alarms of an event.
  public func details(of event: Event) -> EventDetails {
    event.details(source.details)
  }

  package func details(of reference: EventReference) -> EventDetails {
    source.details(of: reference)
  }
}

// Functions for the commands.
extension Calendars {
  /// Whether a source was read, or a store exists.
  package var isReadable: Bool { source.isReadable }

  /// The problems that the store recorded when its sources were imported.
  package var storedFindings: [SourceFinding] { source.findings }

  /// The names of the calendars.
  package func calendarNames() throws -> [String] { try source.calendars().map(\.name) }

  /// The colours of all calendars, by their names. A calendar without a colour of its own gets one that
  /// no other calendar has, as long as there are enough. They are the same in every window.
  public func calendarColors() throws -> [String: String] {
    CalendarColors.distinct(try source.calendars().map { ($0.name, $0.color) })
  }

  /// The occurrences in a window, in no particular order, and the problems that showed while they
  /// were computed. `isListing` allows events that lack what makes them recur.
  package func found(
    _ selection: Selection, in window: DateWindow, isListing: Bool
  ) throws -> FoundOccurrences {
    isListing
      ? try source.listing(of: selection, in: window)
      : try source.occurrences(of: selection, in: window)
  }
}

extension Calendars {
  /// An agenda, and the problems that showed while it was made.
  package struct Listing {
    package let agenda: Agenda
    package let findings: [SourceFinding]
    /// Says that the listing ends too early, because it has too many entries.
    package let cut: SourceFinding?
  }

  /// The only function that lists the entries of a window. `isListing` allows events that lack what
  /// makes them recur. `viewer` has the addresses of a person, to mark what the person was invited to and
  /// declined, and the present moment. An entry that `previous` has with the same content keeps its section.
  package func listing(
    in window: DateWindow, of selection: Selection, options: Agenda.Options, wording: DateWording,
    isListing: Bool = true, viewer: (addresses: [String], now: Instant)? = nil,
    previous: Agenda? = nil
  ) throws -> Listing {
    var found = try found(selection, in: window, isListing: isListing)
    try addUndated(to: &found.occurrences, in: found.window, of: selection, today: options.today)
    var options = options
    if let (addresses, now) = viewer {
      options.unanswered = unanswered(by: addresses, among: found.occurrences, now: now)
      options.declined = declined(by: addresses, among: found.occurrences)
    }
    let agenda = Agenda(
      found.occurrences, of: selection, in: found.window, options: options, wording: wording,
      previous: previous, details: source.details)
    return Listing(agenda: agenda, findings: found.findings, cut: found.cut)
  }
}

// Looking up an entry without listing everything.
extension Calendars {
  /// The occurrences in a window of all events with one of these UIDs, and the tasks and journals that
  /// an agenda lists apart from their days.
  package func occurrences(
    ofUIDs uids: Set<String>, in window: DateWindow, of selection: Selection, today: CivilDate?
  ) throws -> [Occurrence] {
    var series: [Series] = []
    for uid in uids {
      series += try source.series(SeriesQuery(.uid(uid), viewer: window.zone, of: selection))
    }
    var found = selection.listing(of: series, in: window, details: source.details).occurrences
    if series.contains(where: { $0.master.kind != .event }) {
      try addUndated(
        to: &found, in: window, of: selection, today: today, includesCompleted: true)
    }
    return found
  }

  /// The UIDs of the occurrences in a window that have this identifier: one UID, unless identifiers
  /// collide.
  package func uids(
    of id: OccurrenceID, in window: DateWindow, of selection: Selection, today: CivilDate?
  ) throws -> Set<String> {
    var search = OccurrenceIDSearch(for: id, in: window)
    let series = try source.series(SeriesQuery(.listed, in: window, of: selection))
    let possible = series.filter { !search.surelyMisses($0) }
    var found = selection.listing(of: possible, in: window, details: source.details).occurrences
    try addUndated(
      to: &found, in: window, of: selection, today: today, includesCompleted: true)
    return Set(found.lazy.filter { OccurrenceID(of: $0) == id }.map(\.event.identity.uid))
  }
}
