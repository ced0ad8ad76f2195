package import AgendaStore
public import CivilTime
internal import Platform

/// A calendar of the store and its sources.
public struct CalendarSummary: Hashable, Sendable {
  /// The name of the calendar.
  public package(set) var name: String
  /// The colour that the calendar states; `nil` if it has none.
  public package(set) var color: String?
  /// The sources of the calendar, sorted by their locations.
  public package(set) var sources: [SourceSummary]

  /// The number of events in all sources. Of several versions of an event, one counts.
  public var events: Int { sources.reduce(0) { $0 + $1.events } }
  /// The number of tasks in all sources. Of several versions of a task, one counts.
  public var tasks: Int { sources.reduce(0) { $0 + $1.tasks } }
  /// The number of changes that wait to be sent to its server.
  public var waiting: Int { sources.reduce(0) { $0 + $1.waiting } }
  /// The number of events that were changed here and on its server, and that are not settled.
  public var conflicts: Int { sources.reduce(0) { $0 + $1.conflicts } }
  /// The number of journals in all sources, counted in the same way.
  package var journals: Int { sources.reduce(0) { $0 + $1.journals } }
  /// The number of VFREEBUSY components in all sources.
  package var freeBusy: Int { sources.reduce(0) { $0 + $1.freeBusy } }
}

/// A source of the store. A source with several calendars has a summary in each of them.
public struct SourceSummary: Hashable, Sendable {
  /// The number of the source. Sources are numbered in the order of their first imports.
  package var number: Int
  /// The location and the calendar of the source.
  package var source: ImportedSource
  /// The absolute path, the address or the name that identifies the source in later imports.
  public var location: String { source.location }
  /// The number of events, without those that another source of the calendar replaces. An override
  /// counts separately.
  public package(set) var events = 0
  /// The number of tasks, counted in the same way.
  public package(set) var tasks = 0
  /// The number of journals.
  package var journals = 0
  /// The number of VFREEBUSY components.
  package var freeBusy = 0
  /// How many removals of events and occurrences are hidden here, because agenda does not change the
  /// source.
  package var hidden = 0
  /// The number of changes that wait to be sent to the server of the calendar.
  public package(set) var waiting = 0
  /// The number of events that were changed here and on the server, and that are not settled.
  public package(set) var conflicts = 0
  /// Whether the user may change the calendar on its server.
  package var isServerWritable = false
  /// When the source was imported successfully last; `nil` if it never was.
  public package(set) var lastImport: Instant?
  /// Why its last import was refused; `nil` if it succeeded.
  public package(set) var lastError: String?

  /// Whether `agenda` writes events into it.
  package var isWritable: Bool {
    switch source.kind {
    case .local: true
    case .folder: FileAccess.canWrite(source.location)
    case .server: isServerWritable
    case .file, .standardInput, .url, .decisions: false
    }
  }

  init(_ stored: StoredSource, calendar: String, color: String?) {
    number = stored.id
    source = stored.source
    source.calendar = calendar
    source.color = color
    lastImport = stored.lastImport
    lastError = stored.lastError
  }
}
