import CSQLite
import Foundation
import TestSupport
import Testing

@testable import AgendaSources
@testable import AgendaStore

/// What `doctor` finds in a store that somebody has changed without agenda, and what `--rebuild` repairs.
@Suite struct HealthTests {
  private let session: StoreSession

  init() throws {
    session = try StoreSession()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: session.folder.path)
    try session.importing(
      calendar(
        event("a", "DTSTART:20261124T100000Z", "SUMMARY:Choir"),
        event("b", "DTSTART:20261125T100000Z", "SUMMARY:Lunch")))
    _ = try session.store().events(withWords: ["choir"])
  }

  /// Runs SQL as another program would.
  private func change(_ sql: String) throws {
    var handle: OpaquePointer?
    try #require(sqlite3_open(session.path, &handle) == SQLITE_OK)
    defer { sqlite3_close(handle) }
    #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
  }

  private func problems() throws -> [String] { try session.store().health().problems }

  @Test(
    "each change by another program is named",
    arguments: [
      ("DELETE FROM calendar", "source 1 refers to a missing row"),
      (
        "UPDATE calendar SET name = 'other'", "calendar 1 is damaged or was modified outside agenda"
      ),
      ("DROP INDEX component_uid", "the definition of component_uid was modified"),
      (
        "DROP INDEX component_uid; CREATE INDEX component_uid ON component (uid)",
        "the definition of component_uid was modified"
      ),
      ("CREATE VIEW mine AS SELECT 1", "the view mine was added outside agenda"),
      (
        "DELETE FROM search_idx", "the search index is damaged or was modified outside agenda"
      ),
      ("DROP TABLE search", "the search index is damaged or was modified outside agenda"),
      ("DELETE FROM component WHERE id = 2", "component 2 of revision 1 is missing"),
      (
        "DELETE FROM calendar_object WHERE id = 1",
        "revision 1 has 1 of 2 findings and calendar objects"
      ),
    ])
  func changes(sql: String, problem: String) throws {
    #expect(try problems() == [])
    try change(sql)
    #expect(try problems() == [problem])
    #expect(try session.store().health().isDamaged)
  }

  @Test("a finding that another program deleted is missed")
  func deletedFinding() throws {
    try session.importing(
      calendar(event("z", "DTSTART;TZID=Nowhere:20261124T100000")), as: "/calendars/z.ics")
    #expect(try problems() == [])
    try change("DELETE FROM finding")
    #expect(try problems() == ["revision 2 has 2 of 3 findings and calendar objects"])
  }

  @Test("others who may read the file or write to its folder are no damage, but a problem")
  func permissions() throws {
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: session.path)
    try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: session.folder.path)
    let health = try session.store().health()
    #expect(
      health.problems == [
        "others may read the file (chmod 600 \(session.path))",
        "others may write to its folder (chmod 700 \(session.folder.path))",
      ])
    #expect(!health.isDamaged)
  }

  @Test(
    "what another program wrote into the columns that are derived is found, and made again",
    arguments: [
      "alarm_begin = 5", "alarm_class = 1", "alarm_end = 5", "span_class = 9", "span_end = NULL",
      "touched_days = 1", "version_rank = 77", "alarm_begin = 5, alarm_end = 6",
    ])
  func derivedColumns(assignment: String) throws {
    try change("UPDATE component SET \(assignment)")
    #expect(try session.store().health().isDamaged)
    try StoreIndex(session.store(), zones: session.zones).rebuild()
    #expect(try problems() == [])
  }

  @Test("times that differ from the text are found, and made again")
  func times() throws {
    let store = try session.store()
    let before = try store.connection.integer("SELECT span_begin FROM component WHERE id = 2")
    // The checksum fits, as if an agenda with other zone rules had written the row.
    try store.connection.update(Schema.component, set: ["span_begin": 60], where: "id = ?", 2)
    #expect(try problems() == ["the times of component 2 differ from its text"])
    try StoreIndex(store, zones: session.zones).rebuild()
    #expect(try problems() == [])
    #expect(
      try store.connection.integer("SELECT span_begin FROM component WHERE id = 2") == before)
  }

  @Test("a component of a kind that this agenda does not know is damage, and nothing is left out")
  func unknownKind() throws {
    let store = try session.store()
    try store.connection.update(Schema.component, set: ["kind": 99], where: "id = ?", 2)
    let damage = StoreError.damagedContent(path: session.path, what: "component 2 is damaged")
    #expect(throws: damage) { try store.components(ids: [2]) }
    #expect(throws: damage) { try store.knownComponents(ofDocument: 1) }
    #expect(throws: damage) { try store.forEachPiece { _ in true } }
    #expect(try store.components(ids: [1]).count == 1)
  }

  @Test("a component without the lines of its calendar is damage")
  func missingContext() throws {
    let store = try session.store()
    let context = try #require(try store.components(ids: [1]).first?.context)
    #expect(try store.contexts([context]).count == 1)
    try change("DELETE FROM context")
    #expect(
      throws: StoreError.damagedContent(
        path: session.path, what: "the lines around components are missing")
    ) { try store.contexts([context]) }
  }

  @Test("a store without its key is no store that can be read")
  func missingKey() throws {
    try change("DELETE FROM store")
    #expect(throws: StoreError.self) { try session.store() }
    #expect(throws: StoreError.self) { try Store.open(reading: session.path) }
  }

  @Test("a part of more than 1,000 words of the index is no query")
  func mostWords() throws {
    for (count, part) in [(1000, "xa"), (1001, "xb")] {
      let words = (0..<count).map { "\($0)\(part)" }.joined(separator: " ")
      try session.importing(
        calendar(event(part, "DTSTART:20261124T100000Z", "DESCRIPTION:\(words)")),
        as: "/calendars/\(part).ics")
    }
    let store = try session.store()
    _ = try store.events(withWords: ["choir"])
    #expect(try store.indexedWords(containing: "xa")?.count == 1000)
    #expect(try store.indexedWords(containing: "xb") == nil)
  }
}
