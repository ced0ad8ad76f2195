import AgendaCore
import AgendaReader
import AgendaStore
import CivilTime
import TestSupport
import Testing

@testable import AgendaSources

/// New entries for a calendar on a server that accepts only some of them.
@Suite struct ServerCalendarTests {
  private let session: ImportSession
  private let store: Store

  /// A store with the calendar "Team" of a server.
  init() throws {
    session = try ImportSession()
    let reader = try session.reader()
    store = reader.store
    let account = try store.write(AccountRow(address: "https://example.com/"))
    let text = calendar(event("a", "DTSTART:20261124T100000Z"))
    let file = try CalendarReader(zones: session.zones).read(
      SourceBytes(Array(text.utf8)), name: "Team")
    let document = ReadSource.Document(
      name: "a.ics", fingerprint: nil, digest: nil, content: .file(file))
    let moment = session.next()
    let address = "https://example.com/team/"
    _ = try StoreImport(
      reader: reader,
      options: ImportOptions(storePath: session.path, zones: session.zones, now: moment),
      command: StoreCommand("import", at: moment), encoding: nil
    ).run(
      ImportedSource(kind: .server, location: address, calendar: "Team"),
      ReadSource(name: "Team", color: nil, documents: [document], isMail: false), root: nil,
      subscription: nil, severalUIDs: SeveralUIDs(store), progress: { _, _ in })
    let source = try #require(try store.sourceID(at: address))
    try store.update(ServerCalendarRow(account: account), source: source)
  }

  private func set(_ change: (inout ServerCalendarRow) -> Void) throws {
    for (source, row) in try store.serverCalendars() {
      var row = row
      change(&row)
      try store.update(row, source: source)
    }
  }

  private func add(_ kind: Event.Kind) throws {
    var edit = EventEdit()
    edit.title = "New"
    edit.start = .date(try #require(CivilDate(year: 2026, month: 12, day: 1)))
    let session = EditSession(
      EditSession.Options(zones: session.zones, now: self.session.next(), viewer: .utc),
      store: store)
    _ = try session.add(edit, kind: kind, to: "team")
  }

  private func count() throws -> Int {
    try store.sources().map { try store.documents(ofSource: $0.id).count }.reduce(0, +)
  }

  @Test("the server accepts all kinds, or those that it lists")
  func kinds() throws {
    try add(.event)
    try add(.task)
    #expect(try count() == 3)
    for (accepted, kind, other) in [
      ("VEVENT", Event.Kind.event, Event.Kind.task), ("VTODO VJOURNAL", .task, .event),
    ] {
      try set { $0.components = accepted }
      let before = try count()
      let error = WritingError.invalid(because: .kindNotOnServer(other, calendar: "Team"))
      #expect(throws: error) { try add(other) }
      #expect("\(error)".contains("the server accepts no \(other.rawValue)s in calendar Team"))
      #expect(try count() == before)
      try add(kind)
      #expect(try count() == before + 1)
    }
  }

  @Test("a calendar that the user may only read gets no new entries")
  func readOnly() throws {
    try set { $0.isWritable = false }
    #expect(throws: WritingError.readOnly(calendar: "Team")) { try add(.event) }
    #expect(try count() == 1)
  }

  @Test("what the user decides about a calendar that he may only read is kept in the store")
  func decisions() throws {
    try set { $0.isWritable = false }
    let reader = StoreReader(store, zones: session.zones)
    func shown() throws -> [Event] {
      try reader.excerpt(ofUIDs: store.uids(ofSource: store.serverCalendars().keys.first ?? 0))
        .assembly.series.map(\.master)
    }
    let event = try #require(try shown().first)
    let start = try #require(event.start)
    let moment = start.instant(for: .utc)
    let occurrence = Occurrence(
      event: event, start: start, begin: moment, finish: moment, allDay: nil, recurrenceID: nil)
    let session = EditSession(
      EditSession.Options(zones: session.zones, now: self.session.next(), viewer: .utc),
      store: store)
    #expect(throws: WritingError.readOnly(calendar: "Team")) {
      try session.change(occurrence) { try $0.edit(EventEdit(), nil) }
    }
    _ = try session.remove(occurrence, nil)
    #expect(try shown().isEmpty)
    // Nothing waits for the server.
    for source in try store.serverCalendars().keys {
      #expect(try store.waitingDocuments(ofSource: source).allSatisfy(\.isNew))
    }
  }
}
