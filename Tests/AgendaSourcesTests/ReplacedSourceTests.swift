import AgendaCore
import AgendaReader
import AgendaStore
import CivilTime
import TestSupport
import Testing

@testable import AgendaSources

/// A place that is of another kind at the next import: an address of a file that is the one of a calendar on
/// a server, or a path that is a folder now.
@Suite("A place of another kind")
struct ReplacedSourceTests {
  private let session: ImportSession

  init() throws { session = try ImportSession() }

  private static let address = "https://example.com/ana/team/"
  private static let events = calendar(
    event("a", "DTSTART:20261124T100000Z", "SUMMARY:A"),
    event("b", "DTSTART:20261124T110000Z", "SUMMARY:B"))

  private func put(_ kind: ImportedSource.Kind, document name: String) throws {
    let reader = try session.reader()
    let file = try CalendarReader(zones: session.zones).read(
      SourceBytes(Array(Self.events.utf8)), name: "Team")
    let document = ReadSource.Document(
      name: name, fingerprint: nil, digest: nil, content: .file(file))
    let moment = session.next()
    _ = try StoreImport(
      reader: reader,
      options: ImportOptions(storePath: session.path, zones: session.zones, now: moment),
      command: StoreCommand("import", at: moment), encoding: nil
    ).run(
      ImportedSource(kind: kind, location: Self.address, calendar: "Team"),
      ReadSource(name: "Team", color: nil, documents: [document], isMail: false), root: nil,
      subscription: nil, severalUIDs: SeveralUIDs(reader.store), progress: { _, _ in })
  }

  private func shown() throws -> [String] {
    let reader = try session.reader()
    return try reader.excerpt(ofUIDs: reader.store.uids(.ofSeveral)).assembly.series.map(
      \.master.title)
  }

  private func kinds() throws -> [ImportedSource.Kind] {
    try session.reader().presentSources().map(\.source.kind).filter { $0 != .decisions }
  }

  @Test("a calendar of a server takes the place of its file, and what was decided stays")
  func server() throws {
    try put(.url, document: "")
    try session.hide(["UID:a", "DTSTART:20261124T100000Z"], at: Self.address)
    let counts = ["Team: 1 events, 0 tasks, 0 journals, 1 hidden"]
    #expect(try session.counts() == counts && kinds() == [.url])
    try put(.server, document: "a.ics")
    #expect(try session.counts() == counts && kinds() == [.server] && shown().isEmpty)
    try session.undo()
    #expect(try session.counts() == counts && kinds() == [.url] && shown().isEmpty)
    var history = WritingHistory(try session.reader().store, zones: session.zones)
    _ = try history.redo()
    #expect(try session.counts() == counts && kinds() == [.server] && shown().isEmpty)
    #expect(try StoreIndex(session.reader().store, zones: session.zones).health().problems == [])
  }
}
