public import CivilTime

/// A calendar of the store and its sources.
public struct CalendarSummary: Hashable, Sendable {
  /// The name of the calendar.
  public var name: String
  /// The colour that the calendar states; `nil` if it has none.
  public var color: String?
  /// The sources of the calendar, sorted by their locations.
  public var sources: [SourceSummary]

  /// The number of events in all sources. Of several versions of an event, one counts.
  public var events: Int { sources.reduce(0) { $0 + $1.events } }
  /// The number of tasks in all sources. Of several versions of a task, one counts.
  public var tasks: Int { sources.reduce(0) { $0 + $1.tasks } }
  /// The number of journals in all sources, counted in the same way.
  public var journals: Int { sources.reduce(0) { $0 + $1.journals } }
  /// The number of VFREEBUSY components in all sources.
  public var freeBusy: Int { sources.reduce(0) { $0 + $1.freeBusy } }
}

/// A source of the store.
public struct SourceSummary: Hashable, Sendable {
  /// The number of the source. Sources are numbered in the order of their first imports.
  public var number: Int
  /// The location and the calendar of the source.
  public var source: ImportedSource
  /// The number of events, without those that another source of the calendar replaces. An override
  /// counts separately.
  public var events: Int
  /// The number of tasks, counted in the same way.
  public var tasks: Int
  /// The number of journals.
  public var journals: Int
  /// The number of VFREEBUSY components.
  public var freeBusy: Int
  /// How many removals of events and occurrences are hidden here, because agenda does not change the
  /// source.
  public var hidden: Int
  /// When the source was imported successfully last; `nil` if it never was.
  public var lastImport: Instant?
  /// Why its last import was refused; `nil` if it succeeded.
  public var lastError: String?
}

extension Store {
  /// Whether anything was ever imported or added.
  package func hasSources() throws(StoreError) -> Bool {
    try connection.integer("SELECT id FROM source LIMIT 1") != nil
  }

  /// Whether it keeps messages about events (see `EventMessage`).
  package func hasMessages() throws(StoreError) -> Bool {
    try connection.integer("SELECT id FROM message LIMIT 1") != nil
  }

  /// The calendars by name, their sources by location. The counts are those of the components that
  /// the calendar shows.
  package func countedCalendars() throws(StoreError) -> [CalendarSummary] {
    try connection.reading { () throws(StoreError) in
      var calendars = try calendars()
      try addFreeBusy(to: &calendars)
      for place in calendars.indices where calendars[place].sources.count > 1 {
        try takeOutSuperseded(&calendars[place])
      }
      return calendars
    }
  }

  private func takeOutSuperseded(_ calendar: inout CalendarSummary) throws(StoreError) {
    let sources = calendar.sources.map(\.number).sorted()
    var uids = try SourcesOfUIDs(of: sources, in: self)
    for uid in try uids.uidsOfSeveral(in: self) {
      let versions = try versions(of: uid, in: sources, calendar: calendar.name)
      for event in versions.events where versions.assembly.superseded.contains(event.reference) {
        let place = calendar.sources.firstIndex { $0.number == event.reference.source }
        guard let place else { continue }
        switch event.kind {
        case .event: calendar.sources[place].events -= 1
        case .task: calendar.sources[place].tasks -= 1
        case .journal: calendar.sources[place].journals -= 1
        }
      }
    }
  }

  private func addFreeBusy(to calendars: inout [CalendarSummary]) throws(StoreError) {
    let rows = try connection.statement(
      """
      SELECT source, sum(free_busy) AS free_busy
      FROM revision JOIN document ON document.id = revision.document
      WHERE revision.removed IS NULL AND free_busy > 0 GROUP BY source
      """)
    var counts: [Int: Int] = [:]
    while try rows.step() { counts[rows.integer("source")] = rows.integer("free_busy") }
    for place in calendars.indices {
      for index in calendars[place].sources.indices {
        let number = calendars[place].sources[index].number
        calendars[place].sources[index].freeBusy = counts[number] ?? 0
      }
    }
  }

  /// The calendars by name, their sources by location. Each source counts all of its components,
  /// also those that another source of the calendar replaces, but no VFREEBUSY.
  package func calendars() throws(StoreError) -> [CalendarSummary] {
    try connection.reading { () throws(StoreError) in
      let rows = try connection.statement(
        """
        SELECT source.id, calendar.name, calendar.color, kind, location, encoding,
          has_explicit_name, last_import, last_error, events, tasks, journals,
          (SELECT count(*) FROM adjustment
           WHERE adjustment.source = source.id AND address IS NULL) AS hidden
        FROM source JOIN calendar ON calendar.id = source.calendar
        WHERE source.removed IS NULL ORDER BY calendar.name, location
        """)
      var calendars: [CalendarSummary] = []
      while try rows.step() {
        let name = rows.text("name")
        let color = rows.optionalText("color")
        let source = ImportedSource(
          kind: ImportedSource.Kind(rawValue: rows.integer("kind")) ?? .file,
          location: rows.text("location"), calendar: name,
          hasExplicitName: rows.bool("has_explicit_name"), color: color,
          encoding: rows.optionalText("encoding"))
        let summary = SourceSummary(
          number: rows.integer("id"), source: source, events: rows.integer("events"),
          tasks: rows.integer("tasks"),
          journals: rows.integer("journals"), freeBusy: 0,
          hidden: rows.integer("hidden"), lastImport: rows.optionalInstant("last_import"),
          lastError: rows.optionalText("last_error"))
        if calendars.last?.name == name {
          calendars[calendars.count - 1].sources.append(summary)
        } else {
          calendars.append(CalendarSummary(name: name, color: color, sources: [summary]))
        }
      }
      return calendars
    }
  }
}
