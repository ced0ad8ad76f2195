import AgendaCore
import CivilTime
import TestSupport
import Testing

@testable import AgendaStore

/// What the store keeps about addresses, accounts and calendars of servers: every column comes back, of a
/// new row and of a changed one.
@Suite struct ServerRowTests {
  private let session: StoreSession
  private let store: Store
  private let source: Int

  init() throws {
    session = try StoreSession()
    let address = "https://example.com/a.ics"
    try session.importing(
      calendar(event("a", "DTSTART:20261124T100000Z")), as: address)
    store = try session.store()
    source = try #require(try store.sourceID(at: address))
  }

  @Test("an address")
  func subscription() throws {
    var row = SubscriptionRow()
    for number in 1...3 {
      let moments = (1...4).map { Instant(secondsSinceEpoch: 1_795_000_000 + 1000 * $0 + number) }
      row.timeout = number
      row.maxSize = 100 + number
      row.certificates = "/certificates/\(number)"
      row.passwordCommand = "pass \(number)"
      row.entityTag = "\"tag\(number)\""
      row.lastModified = "Sat, 21 Nov 2026 08:00:0\(number) GMT"
      row.movedTo = "https://example.com/\(number)"
      row.lastAttempt = moments[0]
      row.lastSuccess = moments[1]
      row.pauseReason = 200 + number
      row.pauseEnd = moments[2]
      row.failure = "failure \(number)"
      row.failureCount = 300 + number
      row.lastReport = moments[3]
      row.size = 400 + number
      row.refreshInterval = 500 + number
      if number == 3 { row = SubscriptionRow() }
      try store.update(subscriptions: [("https://example.com/a.ics", row)])
      #expect(try store.subscriptions() == ["https://example.com/a.ics": row])
    }
    try store.update(subscriptions: [("https://example.com/unknown.ics", row)])
    #expect(try store.subscriptions().count == 1)
    #expect(try store.health().problems == [])
  }

  @Test("an account")
  func account() throws {
    var account = AccountRow(address: "https://example.com/")
    for number in 1...3 {
      account.user = "user\(number)"
      account.passwordCommand = "pass \(number)"
      account.tokenCommand = "token \(number)"
      account.timeout = number
      account.maxSize = 100 + number
      account.certificates = "/certificates/\(number)"
      account.trustedOrigins = ["https://\(number).example.com", "https://other.example.com"]
      account.chosen = ["Work \(number)", "Home, and more"]
      account.homes = ["/home/\(number)/"]
      account.addresses = ["mailto:\(number)@example.com"]
      account.knownCalendars = ["/calendars/\(number)"]
      account.sendsInvitations = number == 2
      if number == 3 {
        let id = account.id
        account = AccountRow(address: account.address)
        account.id = id
      }
      account.id = try store.write(account)
      #expect(try store.accounts() == [account])
    }
    // Another user of the same server has an account of their own.
    var other = AccountRow(address: account.address)
    other.user = "bo"
    other.sendsInvitations = true
    other.id = try store.write(other)
    #expect(try store.accounts() == [account, other])
    #expect(try store.health().problems == [])
  }

  @Test("a calendar")
  func serverCalendar() throws {
    let accounts = try ["https://example.com/", "https://example.org/"].map {
      try store.write(AccountRow(address: $0))
    }
    var row = ServerCalendarRow(account: accounts[0])
    for number in 1...4 {
      row.account = accounts[number % 2]
      row.syncToken = "token\(number)"
      row.collectionTag = "tag\(number)"
      row.usesTokens = number % 2 == 0
      row.isWritable = number < 3
      row.components = "VEVENT VTODO \(number)"
      row.place = number
      row.title = "Title \(number)"
      if number == 4 { row = ServerCalendarRow(account: accounts[0]) }
      try store.update(row, source: source)
      #expect(try store.serverCalendars() == [source: row])
    }
    #expect(try store.health().problems == [])
  }

  @Test("an object, under its own name and the one that the server chose")
  func object() throws {
    var row = ServerObjectRow(name: "a.ics")
    for number in 1...3 {
      row.entityTag = "tag\(number)"
      row.base = Array("base\(number)".utf8)
      row.sent = number == 2 ? [] : Array("sent\(number)".utf8)
      row.failure = "failure\(number)"
      if number == 3 { row = ServerObjectRow(name: row.name) }
      try store.update(objects: [row], source: source)
      #expect(try store.serverObject(source: source, name: "a.ics") == row)
    }
    row.base = [1]
    try store.update(objects: [row], source: source)
    #expect(try store.objectTags(ofSource: source) == ["a.ics": ""])
    try store.rename(document: "a.ics", to: "b.ics", source: source)
    row.name = "b.ics"
    #expect(try store.serverObject(source: source, name: "b.ics") == row)
    #expect(try store.serverObject(source: source, name: "a.ics") == nil)
    // The row of an object that the server no longer has stays, without what it had.
    try store.update(objects: [], forgetting: ["b.ics"], source: source)
    #expect(
      try store.serverObject(source: source, name: "b.ics") == ServerObjectRow(name: "b.ics"))
    #expect(try store.objectTags(ofSource: source).isEmpty)
    #expect(try store.health().problems == [])
  }

  @Test("what is known of a document")
  func document() throws {
    let revision = try #require(try store.documents(ofSource: source).first?.revision)
    let columns: KeyValuePairs<String, (any Bindable)?> = [
      "size": 1, "modified": 2, "changed": 3, "inode": 4, "digest": 5, "interpretation": 6,
      "components": 7, "rejected": 8, "journals": 9, "rejected_journals": 10, "free_busy": 11,
      "is_mail": 1,
    ]
    try store.connection.update(Schema.revision, set: columns, where: "id = ?", revision)
    let document = try #require(try store.document(source: source, name: ""))
    let fingerprint = try #require(document.fingerprint)
    #expect(
      [fingerprint.size, fingerprint.modified, fingerprint.changed, fingerprint.inode]
        == [1, 2, 3, 4])
    #expect(document.digest == 5 && document.interpretation == 6 && document.isMail)
    let counts = document.counts
    #expect(
      [
        counts.components, counts.rejected, counts.journals, counts.rejectedJournals,
        counts.freeBusy,
      ] == [7, 8, 9, 10, 11])
    #expect(document.source == source && document.revision == revision)
    #expect(try store.documents(ofSource: source) == [document])
  }

  @Test("UIDs of removed components are not present")
  func presentUIDs() throws {
    try session.importing(
      calendar(
        event("b", "DTSTART:20261124T100000Z"), event("c", "DTSTART:20261125T100000Z"),
        component("VTODO", "b", ["SUMMARY:Task"])))
    try session.importing(
      calendar(
        event("c", "DTSTART:20261125T100000Z"), component("VTODO", "b", ["SUMMARY:Task"])))
    let uids = [("a", ComponentKind.event), ("b", .event), ("c", .event), ("b", .task)].map {
      store.uidDigest(of: $0.0, $0.1)
    }
    #expect(try store.presentUIDs(among: uids) == [uids[0], uids[2], uids[3]])
    #expect(try store.presentUIDs(among: [uids[1]]).isEmpty)
  }
}
