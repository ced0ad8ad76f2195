import AgendaCore
import AgendaReader
import AgendaStore
import CivilTime
import Foundation
import TestSupport

@testable import AgendaSources

/// A store in a temporary folder, and imports of texts into it.
final class StoreSession {
  let folder: URL
  let zones = ZoneDatabase.system(TZDIR: nil)
  var now = Instant(secondsSinceEpoch: 1_795_000_000)

  init() throws {
    folder = ScratchFolder.parent
      .appendingPathComponent("agenda-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var path: String { folder.appendingPathComponent("agenda.sqlite").path }

  func store() throws -> Store { try Store.open(writing: path) }

  /// The export of all calendars.
  func export() throws -> [UInt8] {
    var bytes: [UInt8] = []
    try CalendarExport(StoreReader(store(), zones: zones)).write(calendars: []) { bytes += $0 }
    return bytes
  }

  /// Imports a calendar's text under a name, as `agenda import NAME` would.
  @discardableResult
  func importing(
    _ text: String, as name: String = "/calendars/work.ics", calendar: String = "work",
    _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> SourceReport {
    try importing(Array(text.utf8), as: name, calendar: calendar, into: try store(), change)
  }

  @discardableResult
  func importing(
    _ bytes: [UInt8], as name: String, calendar: String, color: String? = nil,
    hasExplicitName: Bool = false, into store: @autoclosure () throws -> Store,
    _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> SourceReport {
    var options = ImportOptions(storePath: path, zones: zones, now: now)
    change(&options)
    now = now.adding(seconds: 60)
    var readerOptions = CalendarReader.Options()
    readerOptions.calendar = calendar
    let file = try CalendarReader(zones: zones, options: readerOptions)
      .read(SourceBytes(bytes), name: calendar)
    let document = ReadSource.Document(
      name: "", fingerprint: nil, digest: nil, content: .file(file))
    let store = try store()
    let source = ImportedSource(
      kind: .file, location: name, calendar: calendar, hasExplicitName: hasExplicitName,
      color: color)
    let importing = StoreImport(
      reader: StoreReader(store, zones: zones), options: options,
      command: StoreCommand("import", at: options.now), encoding: nil)
    do {
      let outcome = try importing.run(
        source,
        ReadSource(name: calendar, color: color, documents: [document], isMail: false),
        root: nil, subscription: nil, severalUIDs: SeveralUIDs(store), progress: { _, _ in })
      let reporting = ImportReporting(storePath: path)
      return reporting.report(outcome, source: name, at: name)
    } catch let refusal as SourceRefusal {
      try store.note(error: "\(refusal)", location: name)
      return SourceReport(source: name, calendar: calendar, error: "\(refusal)")
    }
  }
}

extension SourceReport {
  var hasChanges: Bool { added + updated + removed > 0 || previousCalendar != nil }
}

/// A VEVENT of a UID and further lines.
func event(_ uid: String, _ lines: String...) -> String {
  (["BEGIN:VEVENT", "UID:\(uid)"] + lines + ["END:VEVENT"]).joined(separator: "\n")
}

/// A calendar of components.
func calendarText(_ components: [String]) -> String {
  calendar(components.joined(separator: "\n"))
}

extension StoreSession {
  /// Everything that the store shows of its components, as texts in an order that does not hang on
  /// its history.
  func summary(withStamps: Bool = true) throws -> [String] {
    let events = try self.events()
    return try store().allEvents().map { event in
      var details = events.details(of: event.reference)
      if !withStamps { details.stamp = nil }
      return Self.line(event, details) {
        events.attachmentBytes(of: event.reference, number: $0)
      }
    }.sorted()
  }

  func reader() throws -> StoreReader { StoreReader(try store(), zones: zones) }

  func calendars() throws -> [CalendarSummary] { try reader().countedCalendars() }

  func changes(since moment: Instant? = nil) throws -> [Change] {
    try reader().changes(since: moment, viewer: .utc)
  }

  func sourceChanges(since moment: Instant? = nil) throws -> [SourceChange] {
    try reader().sourceChanges(since: moment)
  }

  /// Takes back the last command.
  @discardableResult
  func undo() throws -> [CommandEffect] {
    let reader = try reader()
    guard let last = try reader.store.generations(atMost: 1).first else {
      throw StoreError.nothingToUndo
    }
    let undone = try reader.effects(ofLast: last.id)
    try reader.store.undo(generation: last.id)
    return undone
  }

  func events() throws -> StoreEvents {
    StoreEvents(try store(), zones: zones, reportFailure: { _ in })
  }

  static func line(
    _ event: Event, _ details: EventDetails, _ bytes: (Int) -> [UInt8]?
  ) -> String {
    let version =
      details.lastModified == nil ? "" : "\(String(describing: event.version.modified))"
    return """
      \(event.calendar)|\(event.identity.uid)|\(String(describing: event.identity.recurrenceID))\
      |\(event.identity.includesFollowing)|\(event.kind)|\(String(describing: event.start))\
      |\(event.extent)|\(String(describing: event.due))|\(String(describing: event.recurrence))\
      |\(event.title)|\(String(describing: event.location))|\(String(describing: event.status))\
      |\(event.categories)|\(event.isTransparent)|\(String(describing: event.color))\
      |\(event.version.sequence)|\(version)|\(details)\
      |\(details.attachments.map { bytes($0.number)?.count ?? -1 })
      """
  }
}

extension CalendarFile {
  /// The same of what was read.
  func stored() -> [String] {
    let files = CalendarFiles([self])
    return files.assembly.series.flatMap { [$0.master] + $0.overrides }.map { event in
      StoreSession.line(event, files.details(of: event.reference)) {
        files.attachmentBytes(of: event.reference, number: $0)
      }
    }.sorted()
  }
}

extension Store {
  private var zones: ZoneDatabase { .system(TZDIR: nil) }

  private func series(
    _ scope: SeriesQuery.Scope, in span: Range<Instant>? = nil, viewer: Zone = .utc
  ) throws -> [Series] {
    var selection = Selection(includesCancelled: true, includesTasks: true)
    selection.includesJournals = true
    return try StoreEvents(self, zones: zones, reportFailure: { _ in }).series(
      SeriesQuery(scope, in: span, viewer: viewer, of: selection))
  }

  /// Everything, without the index of times.
  func allSeries() throws -> [Series] { try series(.complete) }

  /// The versions of all events that are shown.
  func allEvents() throws -> [Event] {
    try allSeries().flatMap { [$0.master] + $0.overrides }
  }

  func series(touching window: Range<Instant>, viewer: Zone) throws -> [Series] {
    try series(.complete, in: window, viewer: viewer)
  }

  func series(ringing window: Range<Instant>, viewer: Zone) throws -> [Series] {
    try series(.alarms, in: window, viewer: viewer)
  }

  /// The events of what can touch a window.
  func events(touching window: Range<Instant>, viewer: Zone) throws -> [Event] {
    try series(touching: window, viewer: viewer).flatMap { [$0.master] + $0.overrides }
  }

  /// The events of what has each of the words somewhere.
  func events(withWords words: [String]) throws -> [Event] {
    try series(.words(words)).flatMap { [$0.master] + $0.overrides }
  }

  func health() throws -> StoreHealth { try StoreIndex(self, zones: zones).health() }
}
