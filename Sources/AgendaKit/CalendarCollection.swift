public import AgendaCore
internal import AgendaPictures
public import AgendaRendering
package import AgendaSources
internal import AgendaStore
public import CivilTime

/// Calendars that can be asked what happens: .ics files, folders of them, text, or the store that
/// `agenda import` fills.
///
///     let calendars = try CalendarCollection(contentsOf: ["work.ics", "family/"])
///     let agenda = try calendars.agenda(in: window)
///
/// It is a value of one thread. What it was made of is read once; what a file says of an event beyond
/// its time and title is decoded when `details(of:)` asks for it.
public struct CalendarCollection {
  /// What was wrong with the sources, and what was done about it. One bad event never loses the
  /// file.
  public var findings: [SourceFinding] { findingsBySource.flatMap(\.self) }
  /// The same, by source.
  package let findingsBySource: [[SourceFinding]]
  package let source: any EventSource
  /// The path of the store, for its errors.
  private let storePath: String?

  /// Reads .ics files and folders of them; a folder is one calendar.
  ///
  /// - Parameters:
  ///   - paths: where they are.
  ///   - zones: the rules of the zones that they name.
  /// - Throws: `CalendarError` for the first source of which nothing can be read.
  public init(
    contentsOf paths: [String], zones: ZoneDatabase = .system(TZDIR: nil)
  ) throws(CalendarError) {
    var loader = SourceLoader(zones: zones)
    loader.load(paths.map(Source.path))
    try self.init(complete: loader.sources)
  }

  /// Reads the text of a calendar, which is called `name` if it does not say its own.
  public init(
    text: String, name: String, zones: ZoneDatabase = .system(TZDIR: nil)
  ) throws(CalendarError) {
    var loader = SourceLoader(zones: zones)
    loader.load(text: text, name: name)
    try self.init(complete: loader.sources)
  }

  /// Events that a program made, with their own details. Overrides belong to the master with the
  /// same UID and calendar.
  public init(events: [Event]) {
    source = ProgramEvents(events)
    findingsBySource = []
    storePath = nil
  }

  private init(complete sources: [LoadedSource]) throws(CalendarError) {
    for source in sources {
      if let error = source.error {
        throw CalendarError(source: source.name, reason: error.description)
      }
    }
    self.init(sources)
  }

  /// Sources of which some may have failed.
  package init(_ sources: [LoadedSource]) {
    let events = FileEvents(sources)
    let findings = events.findingsOfFiles
    var firstFile = 0
    findingsBySource = sources.map { source in
      defer { firstFile += source.files.count }
      return
        (findings[firstFile..<firstFile + source.files.count].flatMap(\.self)
        + source.problems).grouped
    }
    self.source = events
    storePath = nil
  }

  /// Opens the store that `agenda import` fills, to read it. One that is not there yet is empty.
  public init(
    storeAt path: String, zones: ZoneDatabase = .system(TZDIR: nil)
  ) throws(CalendarError) {
    self = try CalendarStore(at: path, zones: zones).contents()
  }

  /// A store; `nil` if it doesn't exist yet.
  init(
    _ store: Store?, path: String, zones: ZoneDatabase,
    reportFailure: @escaping (StoreError) -> Void = { _ in }
  ) {
    source = StoreEvents(store, zones: zones, reportFailure: reportFailure)
    findingsBySource = []
    storePath = path
  }

  /// What happens in a window, in sections.
  ///
  /// - Parameters:
  ///   - window: the days, in the zone in which they begin.
  ///   - selection: what is taken up; events that are not cancelled, if nothing else is said.
  ///   - options: what makes a section, and how many entries there are at most.
  ///   - locale: the language of the sections' titles.
  /// - Returns: the agenda, empty where nothing happens.
  /// - Throws: `CalendarError` where the store cannot be read. Files never throw here.
  public func agenda(
    in window: DateWindow, of selection: Selection = Selection(),
    options: Agenda.Options = Agenda.Options(), locale: LocaleData = .plain
  ) throws(CalendarError) -> Agenda {
    do {
      let found = try source.listing(of: selection, in: window)
      return Agenda(
        found.occurrences, in: window, options: options, wording: DateWording(locale))
    } catch {
      throw CalendarError(source: storePath ?? "", reason: "\(error)")
    }
  }

  /// The entries of a window in sections of any kind. An entry of several days is on each of them,
  /// unless `once` is true.
  public func results<SectionID>(
    in window: DateWindow, of selection: Selection = Selection(),
    _ layout: ResultsLayout<SectionID>, once: Bool = false
  ) throws(CalendarError) -> ResultsSnapshot<SectionID> {
    let days = try agenda(in: window, of: selection, options: Agenda.Options(once: once))
    return ResultsSnapshot(days.sections.flatMap(\.entries), layout)
  }

  /// The occurrences in a window, in no particular order.
  public func occurrences(
    in window: DateWindow, of selection: Selection = Selection()
  ) throws -> [Occurrence] {
    try source.occurrences(of: selection, in: window).occurrences
  }

  /// The times in a window that are taken up without an event (VFREEBUSY), in no particular order.
  public func busyTimes(
    in window: DateWindow, of selection: Selection = Selection()
  ) throws -> [Range<Instant>] {
    try source.busyTimes(in: window.start..<window.end, of: selection)
  }

  /// The whole series of an event: its rule and its overrides.
  public func series(of event: Event, in window: DateWindow) throws -> Series {
    var selection = Selection(includesCancelled: true, includesTasks: true)
    selection.includesJournals = true
    let all = try source.series(SeriesQuery(.complete, in: window, of: selection))
    return all.first { $0.master.reference == event.reference }
      ?? all.first { series in series.overrides.contains { $0.reference == event.reference } }
      ?? Series(event)
  }

  /// The bytes of an inline attachment; `nil` for one that is only a reference.
  public func attachmentBytes(of event: Event, number: Int) -> [UInt8]? {
    source.attachmentBytes(of: event.reference, number: number)
  }

  /// The thumbnail of an inline picture, as the store has it or made anew; `nil` if there is none.
  ///
  /// `program` is the path of `agenda`, which decodes pictures in a separate process. Without it only
  /// thumbnails that are stored already are found.
  public func thumbnail(
    of event: Event, number: Int, decodedBy program: String? = nil
  ) -> Thumbnail? {
    details(of: event).attachments.first { $0.number == number }.flatMap {
      source.thumbnail(
        of: event.reference, $0, maker: ThumbnailMaker(program.map { .init(path: $0) }))
    }
  }

  /// The content lines of an event's component, as its source has them.
  public func contentLines(of event: Event) -> [String] {
    source.lines(of: event.reference)?.all.map(\.text) ?? []
  }

  /// The description, people, attachments and alarms of an event.
  public func details(of event: Event) -> EventDetails {
    event.details(source.details)
  }

  func details(of reference: EventReference) -> EventDetails { source.details(of: reference) }
}

/// Why a source cannot be read at all.
public struct CalendarError: Error, Hashable, CustomStringConvertible {
  /// The path or name that was given.
  public let source: String
  /// In words: `not an iCalendar file: this is HTML`.
  public let reason: String

  public var description: String { "\(source): \(reason)" }
}
