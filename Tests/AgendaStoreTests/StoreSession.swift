import AgendaCommands
import AgendaCore
import AgendaReader
import AgendaStore
import CivilTime
import Foundation

/// A store in a folder of its own, which goes with it, and imports of texts into it.
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

  /// Imports a calendar's text under a name, as `agenda import NAME` would.
  @discardableResult
  func importing(
    _ text: String, as name: String = "/calendars/work.ics", calendar: String = "work",
    _ change: (inout SourceImport.Options) -> Void = { _ in }
  ) throws -> ImportReport {
    try importing(Array(text.utf8), as: name, calendar: calendar, into: store(), change)
  }

  @discardableResult
  func importing(
    _ bytes: [UInt8], as name: String, calendar: String, into store: Store,
    _ change: (inout SourceImport.Options) -> Void = { _ in }
  ) throws -> ImportReport {
    let reader = CalendarReader(zones: zones)
    let file = try reader.read(SourceBytes(bytes), name: calendar)
    var options = SourceImport.Options(now: now)
    change(&options)
    now = now.adding(seconds: 60)
    let session = try store.beginImport(
      of: ImportedSource(kind: .file, location: name, calendar: calendar),
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

/// A VCALENDAR around components given by their lines.
func calendar(_ components: String..., properties: String = "") -> String {
  (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN"]
    + (properties.isEmpty ? [] : [properties]) + components + ["END:VCALENDAR", ""])
    .joined(separator: "\n").replacingOccurrences(of: "\n", with: "\r\n")
}

/// A VEVENT of a UID and further lines.
func event(_ uid: String, _ lines: String...) -> String {
  (["BEGIN:VEVENT", "UID:\(uid)"] + lines + ["END:VEVENT"]).joined(separator: "\n")
}
