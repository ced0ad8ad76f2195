import AgendaCore
import AgendaReader
import AgendaStore
import CivilTime
import TestSupport

@testable import AgendaSources

/// Files in a temporary folder that are imported into a store there, one command per minute.
final class ImportSession {
  let scratch: ScratchFolder
  let path: String
  let zones = ZoneDatabase.system(TZDIR: nil)
  private var now = Instant(secondsSinceEpoch: 1_795_000_000)

  init() throws {
    scratch = try ScratchFolder()
    path = scratch.url.appendingPathComponent("agenda.sqlite").path
  }

  func reader() throws -> StoreReader { StoreReader(try Store.open(writing: path), zones: zones) }

  func location(_ name: String) throws -> String {
    try SourceOrigin(Source(scratch.url.appendingPathComponent(name).path), calendar: nil).location
  }

  /// Writes a file and imports it.
  @discardableResult
  func importing(
    _ name: String, _ text: String, calendar: String? = nil
  ) throws -> SourceReport {
    let file = try scratch.write(name, text)
    return try importing(path: file, calendar: calendar)
  }

  @discardableResult
  func importing(path file: String, calendar: String? = nil) throws -> SourceReport {
    var options = ImportOptions(storePath: path, zones: zones, now: next())
    options.allowsShrinking = true
    var importer = try SourceImporter(options, command: "import")
    try importer.run(
      [Source(file)], calendar: calendar, encoding: nil, fetching: FetchSettings())
    return importer.reports[0]
  }

  func next() -> Instant {
    now = now.adding(seconds: 60)
    return now
  }

  /// Hides an event of a source, or one of its occurrences, as `agenda remove` does.
  func hide(_ lines: String..., of name: String) throws {
    try hide(lines, at: try location(name))
  }

  /// The same for a source at any location.
  func hide(_ lines: [String], at location: String) throws {
    let text = calendar(
      [component("VEVENT", "hidden", lines + ["STATUS:CANCELLED", "X-AGENDA-HIDDEN:TRUE"])],
      ["METHOD:CANCEL"]
    ).replacing("UID:hidden\r\n", with: "")
    let reader = try reader()
    let file = try CalendarReader(zones: zones).read(SourceBytes(Array(text.utf8)), name: "")
    let document = ReadSource.Document(
      name: location, fingerprint: nil, digest: nil, content: .file(file))
    _ = try StoreImport(
      reader: reader, options: ImportOptions(storePath: path, zones: zones, now: now),
      command: StoreCommand("remove", at: next()), encoding: nil
    ).run(
      ImportedSource(kind: .decisions, location: "decisions:", calendar: ""),
      ReadSource(name: "", color: nil, documents: [document], isMail: false), root: nil,
      subscription: nil, severalUIDs: SeveralUIDs(reader.store), progress: { _, _ in })
  }

  /// `changed New title`, for each change of the last command.
  func changes() throws -> [String] {
    try reader().changes(since: nil, viewer: .utc).map { change in
      "\(change.kind.rawValue) \((change.after ?? change.before)?.title ?? "")"
    }
  }

  /// `Work: 2 events, 1 task, 0 journals, 0 hidden` for each source of each calendar.
  func counts() throws -> [String] {
    try reader().countedCalendars().flatMap { calendar in
      calendar.sources.map {
        "\(calendar.name): \($0.events) events, \($0.tasks) tasks, \($0.journals) journals, "
          + "\($0.hidden) hidden"
      }
    }
  }

  /// `Work: +1 ~2 -3` for each source that an undo of the last command changes.
  func undone() throws -> [String] {
    let reader = try reader()
    guard let last = try reader.store.generations(atMost: 1).first else { return [] }
    return try reader.effects(ofLast: last.id).map {
      "\($0.calendar): +\($0.added) ~\($0.updated) -\($0.removed)"
        + ($0.previousCalendar.map { " from \($0)" } ?? "")
    }
  }

  func undo() throws {
    let store = try reader().store
    try store.undo(generation: try store.generations(atMost: 1).first?.id ?? 0)
  }

  func export(_ calendars: String...) throws -> String {
    var bytes: [UInt8] = []
    try CalendarExport(reader()).write(calendars: calendars) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
