import AgendaCore
import AgendaReader
import AgendaSources
import AgendaStore
import CivilTime
import Foundation
import TestSupport

/// A store in a temporary folder, and imports of texts into it.
final class StoreSession {
  let folder: URL
  let zones = ZoneDatabase.system(TZDIR: nil)
  var now = Instant(secondsSinceEpoch: 1_795_000_000)

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("agenda-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var path: String { folder.appendingPathComponent("agenda.sqlite").path }

  func store() throws -> Store { try Store.open(writing: path, zones: zones) }

  /// The export of all calendars.
  func export() throws -> [UInt8] {
    var bytes: [UInt8] = []
    try CalendarExport(store(), zones: zones).write(calendars: []) { bytes += $0 }
    return bytes
  }

  /// Puts an event into the local calendar, as `agenda add` does.
  func add(_ record: ComponentRecord, uid: String, to store: Store) throws {
    var document = WrittenChange.Document("")
    document.uids = [uid]
    document.components = [(record, 0)]
    try store.write(
      [WrittenChange(location: Store.localLocation, documents: [document])], action: .added,
      run: try store.nextRun(), now: now)
  }

  /// Hides an event, as `agenda remove --event` does.
  func hide(_ event: Event, in store: Store) throws {
    try store.adjust(
      Adjustment(
        kind: event.kind, uid: event.identity.uid, recurrence: nil, change: .hidden(.all)),
      [], of: event.reference, run: try store.nextRun(), now: now)
  }

  /// Imports a calendar's text under a name, as `agenda import NAME` would.
  @discardableResult
  func importing(
    _ text: String, as name: String = "/calendars/work.ics", calendar: String = "work",
    _ change: (inout SourceImport.Options) -> Void = { _ in }
  ) throws -> ImportReport {
    try importing(Array(text.utf8), as: name, calendar: calendar, into: try store(), change)
  }

  @discardableResult
  func importing(
    _ bytes: [UInt8], as name: String, calendar: String, color: String? = nil,
    hasExplicitName: Bool = false, into store: @autoclosure () throws -> Store,
    _ change: (inout SourceImport.Options) -> Void = { _ in }
  ) throws -> ImportReport {
    var reader = CalendarReader(zones: zones)
    reader.options.calendar = calendar
    let file = try reader.read(SourceBytes(bytes), name: calendar)
    var options = SourceImport.Options(now: now)
    change(&options)
    now = now.adding(seconds: 60)
    let store = try store()
    let session = try store.beginImport(
      of: ImportedSource(
        kind: .file, location: name, calendar: calendar, hasExplicitName: hasExplicitName,
        color: color),
      run: try store.nextRun(), options)
    let digest = bytes.withUnsafeBytes { session.digest(of: $0) }
    if try session.keepsUnchanged(fingerprint: nil, digest: digest, interpretation: 1) {
      return try session.finish()
    }
    let known = try session.begin(
      file.importedDocument(fingerprint: nil, digest: digest, interpretation: 1))
    try session.takeAll(file.eventCount, of: known) { file.importedComponents($0, known: $1) }
    return try session.finish()
  }
}

/// A VEVENT of a UID and further lines.
func event(_ uid: String, _ lines: String...) -> String {
  (["BEGIN:VEVENT", "UID:\(uid)"] + lines + ["END:VEVENT"]).joined(separator: "\n")
}

extension StoreSession {
  /// Everything that the store has of its components, as texts in an order that does not hang on
  /// its history.
  func summary(withStamps: Bool = true) throws -> [String] {
    let store = try store()
    return try store.allEvents().map { event in
      var details = try store.details(of: event.reference)
      if !withStamps { details.stamp = nil }
      return try Self.line(event, details) {
        try store.attachmentBytes(of: event.reference, number: $0)
      }
    }.sorted()
  }

  static func line(
    _ event: Event, _ details: EventDetails, _ bytes: (Int) throws -> [UInt8]?
  ) throws -> String {
    let version =
      details.lastModified == nil ? "" : "\(String(describing: event.version.modified))"
    return """
      \(event.calendar)|\(event.identity.uid)|\(String(describing: event.identity.recurrenceID))\
      |\(event.identity.includesFollowing)|\(event.kind)|\(String(describing: event.start))\
      |\(event.extent)|\(String(describing: event.due))|\(String(describing: event.recurrence))\
      |\(event.title)|\(String(describing: event.location))|\(String(describing: event.status))\
      |\(event.categories)|\(event.isTransparent)|\(String(describing: event.color))\
      |\(event.version.sequence)|\(version)|\(details)\
      |\(try details.attachments.map { try bytes($0.number)?.count ?? -1 })
      """
  }
}

extension CalendarFile {
  /// The same of what was read, without what later versions replace.
  func stored(in session: StoreSession) throws -> [String] {
    let events = allEvents
    let superseded = SeriesAssembly(events) { content(of: $0) }.superseded
    return try events.filter { !superseded.contains($0.reference) }.map { event in
      try StoreSession.line(event, details(of: event.reference)) {
        attachmentBytes(of: event.reference, number: $0)
      }
    }.sorted()
  }
}

extension StoreSession {
  /// A component as `agenda add` makes it.
  func record(_ component: String, _ store: Store) throws -> ComponentRecord {
    let file = try CalendarReader(zones: zones).read(
      SourceBytes(calendar(component)), name: "local")
    var found: ComponentRecord?
    file.forEachEvent { event, bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      found = ComponentRecord(
        event: event, details: file.details(of: event.reference), text: bytes,
        digest: ComponentDigest(of: bytes, key: store.key), key: store.key)
    }
    guard let found else { throw StoreError.unknown(what: "event", name: component) }
    return found
  }
}

extension Store {
  /// The events of what can touch a window.
  func events(touching window: Range<Instant>, viewer: Zone) throws -> [Event] {
    try series(touching: window, viewer: viewer).flatMap { [$0.master] + $0.overrides }
  }

  /// The events of what has each of the words somewhere.
  func events(withWords words: [String]) throws -> [Event] {
    try series(withWords: words).flatMap { [$0.master] + $0.overrides }
  }
}
