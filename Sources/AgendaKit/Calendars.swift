public import AgendaCore
internal import AgendaPictures
public import AgendaReader
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
  /// reading the rest of its file. A store has those of the last import of each source.
  public var findings: [SourceFinding] { readings.flatMap(\.findings) + source.findings }
  /// The result of reading each source, in the order of the arguments; empty for a store. A command goes
  /// on without a source that can't be read; for programs, the initializers throw.
  package let readings: [(error: CalendarError?, findings: [SourceFinding])]
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

  /// Sources that may have failed in part.
  init(_ sources: [LoadedSource]) {
    let events = FileEvents(sources)
    let findings = events.findingsOfFiles
    var firstFile = 0
    readings = sources.map { source in
      defer { firstFile += source.files.count }
      let ofFiles = findings[firstFile..<firstFile + source.files.count].flatMap(\.self)
      let error = source.error.map {
        CalendarError.unreadable(source: source.name, reason: $0.description)
      }
      return (error, (ofFiles + source.problems).grouped)
    }
    self.source = events
    store = nil
  }

  /// The calendars of a store, for longer than ``CalendarStore/read(_:)-8sh5b`` has them. They show the
  /// store as it is when they are asked.
  ///
  /// - Parameters:
  ///   - store: The store. One that doesn't exist yet is empty.
  ///   - reportFailure: Called once if the store fails while details are read, where nothing can be
  ///     thrown.
  /// - Throws: `CalendarError` if the store can't be read.
  public init(
    of store: CalendarStore, reportFailure: @escaping (CalendarError) -> Void = { _ in }
  ) throws(CalendarError) {
    let reader = try CalendarError.catching { try store.unusedReader() }
    self.init(reader?.store, store.configuration) { reportFailure(CalendarError($0)) }
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
  ///   - reportProblem: Called with each problem that shows while the agenda is made: an event with too
  ///     many occurrences, or too many entries.
  /// - Returns: The agenda, which is empty if nothing happens. If the days have more than 1,000,000
  ///   entries, its window ends with the last day that is complete.
  /// - Throws: `CalendarError` if the store can't be read. Calendars from files never throw.
  public func agenda(
    in window: DateWindow, of selection: Selection = Selection(),
    options: Agenda.Options = Agenda.Options(), locale: LocaleData = .plain,
    reportProblem: (SourceFinding) -> Void = { _ in }
  ) throws(CalendarError) -> Agenda {
    try agenda(
      in: window, of: selection, options: options, locale: locale, previous: nil,
      reportProblem: reportProblem)
  }

  /// The only function that lists the entries of a window. An entry that `previous` has with the same
  /// content keeps its section.
  func agenda(
    in window: DateWindow, of selection: Selection, options: Agenda.Options, locale: LocaleData,
    previous: Agenda?, reportProblem: (SourceFinding) -> Void = { _ in }
  ) throws(CalendarError) -> Agenda {
    try CalendarError.catching {
      var selection = selection
      selection.listsByCategory = options.groupedBy == .category
      var found = try occurrencesByDay(of: selection, in: window)
      found.problems.forEach(reportProblem)
      try addUndated(
        to: &found.occurrences, in: found.window, of: selection, today: options.today)
      var options = options
      if let (addresses, now) = options.viewer {
        options.unanswered = unanswered(by: addresses, among: found.occurrences, now: now)
        options.declined = declined(by: addresses, among: found.occurrences)
      }
      return Agenda(
        found.occurrences, of: selection, in: found.window, options: options,
        wording: DateWording(locale), previous: previous, details: source.details)
    }
  }

  /// The occurrences in a window. If the zone skipped its last day, as Samoa did with 30 December 2011, no
  /// moment is in that day, but whole days still are.
  private func occurrencesByDay(
    of selection: Selection, in window: DateWindow
  ) throws -> FoundOccurrences {
    var found = try source.occurrences(of: selection, in: window)
    guard let last = window.dayAfterLast.adding(days: -1),
      window.zone.startOfDay(last) == window.end,
      let before = window.firstDay.adding(days: -1),
      let after = window.dayAfterLast.adding(days: 1),
      let wider = DateWindow(firstDay: before, dayAfterLast: after, zone: window.zone)
    else { return found }
    let known = Set(found.occurrences.map { OccurrenceID(of: $0) })
    found.occurrences += try source.occurrences(of: selection, in: wider).occurrences.filter {
      guard let days = $0.allDay else { return false }
      return window.touches(days.lowerBound, days.upperBound)
        && !known.contains(OccurrenceID(of: $0))
    }
    return found
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

  /// The events of a series: the one with its rules, then those of the occurrences that were changed.
  ///
  /// - Parameters:
  ///   - event: The event of any occurrence of the series.
  ///   - zone: The zone of dates and floating times.
  /// - Returns: The events; only `event` itself if its source does not have it any more.
  /// - Throws: `CalendarError` if the store can't be read.
  public func series(of event: Event, zone: Zone) throws(CalendarError) -> [Event] {
    var selection = Selection(includesCancelled: true, includesTasks: true)
    selection.includesJournals = true
    let query = SeriesQuery(.uid(event.identity.uid), viewer: zone, of: selection)
    let all = try CalendarError.catching { try source.series(query) }
    let found =
      all.first { $0.master.reference == event.reference }
      ?? all.first { series in series.overrides.contains { $0.reference == event.reference } }
    return found.map { [$0.master] + $0.overrides } ?? [event]
  }

  /// The bytes of an attachment that is in the calendar itself; `nil` for one that is only linked.
  public func attachmentBytes(of event: Event, number: Int) -> [UInt8]? {
    source.attachmentBytes(of: event.reference, number: number)
  }

  /// The content lines of an event as its source has them, without those of its alarms; empty for an
  /// event that a program made. They have the properties that AgendaKit does not know, too.
  public func contentLines(of event: Event) -> [EventLine] {
    source.lines(of: event.reference)?.all ?? []
  }

  /// The source of an event and its line: `work.ics:120`; `nil` for an event that a program made.
  public func sourceName(of event: Event) -> String? { source.place(of: event.reference)?.name }

  /// The source of an event; of a file in a folder, the folder.
  package func nameOfSource(of event: Event) -> String? { source.place(of: event.reference)?.root }

  /// The description, people, attachments and alarms of an event.
  public func details(of event: Event) -> EventDetails {
    event.details(source.details)
  }

  /// The names of all calendars, sorted.
  public func calendarNames() throws(CalendarError) -> [String] {
    try CalendarError.catching { Set(try source.calendars().map(\.name)).sorted() }
  }

  /// The colours of all calendars, by their names. A calendar without a colour of its own gets one that
  /// no other calendar has, as long as there are enough. They are the same in every window.
  public func calendarColors() throws(CalendarError) -> [String: String] {
    let labels = try CalendarError.catching { try source.calendars() }
    return CalendarColors.distinct(labels.map { ($0.name, $0.color) })
  }
}

// Looking up an entry without listing everything.
extension Calendars {
  /// The occurrences in a window that have an identifier, in no particular order: one, unless
  /// identifiers collide or several calendars have the event.
  ///
  /// - Parameters:
  ///   - id: The identifier, which stays the same as long as the occurrence is not moved.
  ///   - window: The days, and the zone in which they begin.
  ///   - selection: Which events are included.
  ///   - today: The day under which an overdue task is listed; `nil` leaves it on the day when it was
  ///     due.
  /// - Returns: The occurrences, also those of completed tasks.
  /// - Throws: `CalendarError` if the store can't be read.
  public func occurrences(
    withID id: OccurrenceID, in window: DateWindow, of selection: Selection = Selection(),
    today: CivilDate? = nil
  ) throws(CalendarError) -> [Occurrence] {
    try CalendarError.catching {
      var search = OccurrenceIDSearch(for: id, in: window)
      let series = try source.series(SeriesQuery(.listed, in: window, of: selection))
      let possible = series.filter { !search.surelyMisses($0) }
      var found = selection.listing(of: possible, in: window, details: source.details).occurrences
      try addUndated(
        to: &found, in: window, of: selection, today: today, includesCompleted: true)
      return found.filter { OccurrenceID(of: $0) == id }
    }
  }

  /// The occurrences in a window of the events with a UID, in no particular order. For the parameters,
  /// see ``occurrences(withID:in:of:today:)``.
  public func occurrences(
    withUID uid: String, in window: DateWindow, of selection: Selection = Selection(),
    today: CivilDate? = nil
  ) throws(CalendarError) -> [Occurrence] {
    try CalendarError.catching {
      let series = try source.series(SeriesQuery(.uid(uid), viewer: window.zone, of: selection))
      var found = selection.listing(of: series, in: window, details: source.details).occurrences
      if series.contains(where: { $0.master.kind != .event }) {
        try addUndated(
          to: &found, in: window, of: selection, today: today, includesCompleted: true)
      }
      return found.filter { $0.event.identity.uid == uid }
    }
  }
}
