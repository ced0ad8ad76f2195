/// An account of a CalDAV server.
package struct AccountRow: Hashable, Sendable {
  package var id = 0
  /// The address that the user named. Together with the user it identifies the account.
  package var address: String
  package var user: String?
  package var passwordCommand: String?
  package var tokenCommand: String?
  package var timeout: Int?
  package var maxSize: Int?
  package var certificates: String?
  /// Other origins that get the credentials.
  package var trustedOrigins: [String] = []
  /// The names of the calendars that the user wants; `nil` for all.
  package var chosen: [String]?
  /// The addresses of the calendar homes.
  package var homes: [String] = []
  /// The user's own addresses.
  package var addresses: [String] = []
  /// The addresses of the calendars that the user has been told about.
  package var knownCalendars: [String] = []
  /// Whether the server delivers invitations and answers.
  package var sendsInvitations = false

  package init(address: String) { self.address = address }
}

/// A calendar of a CalDAV server; its source has the address.
package struct ServerCalendarRow: Hashable, Sendable {
  package var account: Int
  /// What the server has told last about the state of the calendar: its token (RFC 6578), and its tag on
  /// servers without tokens. Without them, all objects are compared.
  package var syncToken: String?
  package var collectionTag: String?
  package var usesTokens = true
  package var isWritable = true
  /// The components that it accepts, separated by blanks; empty for all.
  package var components = ""
  /// The place among the calendars of the account.
  package var place: Int?
  /// The name on the server, which can differ from the name of the calendar in the store.
  package var title: String?

  package init(account: Int) { self.account = account }
}

/// What a server has of a document.
package struct ServerObjectRow: Hashable, Sendable {
  package var name: String
  package var entityTag: String?
  /// The revision that is equal to the server's object; `nil` if none is.
  package var revision: Int?
  /// The text of the server's object, if it is needed to merge changes.
  package var base: [UInt8]?
  /// The text of a request without a known answer; empty if it removed the object.
  package var sent: [UInt8]?
  /// Why the server refused the last request.
  package var failure: String?

  package init(name: String) { self.name = name }

  /// Whether the server is known to have an object.
  package var isOnServer: Bool { revision != nil || base != nil }
}

/// A document that differs from the server's object.
package struct WaitingDocument: Hashable, Sendable {
  package var name: String
  /// `nil` if it was removed.
  package var revision: Int?
  /// `nil` if the server does not have it.
  package var object: ServerObjectRow?

  package var isRemoved: Bool { revision == nil }
  /// Whether the server does not have any version of it.
  package var isNew: Bool { revision != nil && object?.isOnServer != true }
}

/// The user's own version of a document that the server has in another one.
package struct ConflictRow: Hashable, Sendable {
  package var id: Int
  package var source: Int
  package var name: String
  /// What both sides began with.
  package var base: [UInt8]?
  /// `nil` if the user removed it.
  package var mine: [UInt8]?
}

// MARK: Accounts and calendars

extension Store {
  package func accounts() throws(StoreError) -> [AccountRow] {
    let rows = try connection.statement(
      "SELECT id, \(Schema.account.columnList) FROM account ORDER BY id")
    var accounts: [AccountRow] = []
    while try rows.step() {
      var account = AccountRow(address: rows.text("address"))
      account.id = rows.integer("id")
      account.user = rows.optionalText("user")
      account.passwordCommand = rows.optionalText("password_command")
      account.tokenCommand = rows.optionalText("token_command")
      account.timeout = rows.optionalInteger("timeout")
      account.maxSize = rows.optionalInteger("max_size")
      account.certificates = rows.optionalText("certificates")
      account.trustedOrigins = StoredList.texts(rows.bytes("trusted_origins"))
      account.chosen = rows.optionalBytes("chosen").map(StoredList.texts)
      account.homes = StoredList.texts(rows.bytes("homes"))
      account.addresses = StoredList.texts(rows.bytes("addresses"))
      account.knownCalendars = StoredList.texts(rows.bytes("known_calendars"))
      account.sendsInvitations = rows.bool("sends_invitations")
      accounts.append(account)
    }
    return accounts
  }

  /// Writes an account, which is new without a number, and returns its number.
  @discardableResult
  package func write(_ account: AccountRow) throws(StoreError) -> Int {
    try connection.writing { () throws(StoreError) in
      let columns: KeyValuePairs<String, (any Bindable)?> = [
        "address": account.address, "user": account.user,
        "password_command": account.passwordCommand,
        "token_command": account.tokenCommand, "timeout": account.timeout,
        "max_size": account.maxSize, "certificates": account.certificates,
        "trusted_origins": StoredList.bytes(account.trustedOrigins),
        "chosen": account.chosen.map(StoredList.bytes), "homes": StoredList.bytes(account.homes),
        "addresses": StoredList.bytes(account.addresses),
        "known_calendars": StoredList.bytes(account.knownCalendars),
        "sends_invitations": account.sendsInvitations ? 1 : 0,
      ]
      if account.id != 0 {
        try connection.update(Schema.account, set: columns, where: "id = ?", account.id)
        return account.id
      }
      var row = Row(columns: 13, key: key)
      row.add("address", account.address)
      row.add("user", account.user)
      row.add("password_command", account.passwordCommand)
      row.add("token_command", account.tokenCommand)
      row.add("timeout", account.timeout)
      row.add("max_size", account.maxSize)
      row.add("certificates", account.certificates)
      row.add("trusted_origins", blob: StoredList.bytes(account.trustedOrigins))
      row.add("chosen", blob: account.chosen.map(StoredList.bytes))
      row.add("homes", blob: StoredList.bytes(account.homes))
      row.add("addresses", blob: StoredList.bytes(account.addresses))
      row.add("known_calendars", blob: StoredList.bytes(account.knownCalendars))
      row.add("sends_invitations", account.sendsInvitations ? 1 : 0)
      return try connection.insert(row, into: Schema.account)
    }
  }

  /// The calendars of servers, by source.
  package func serverCalendars() throws(StoreError) -> [Int: ServerCalendarRow] {
    let rows = try connection.statement(
      """
      SELECT server_calendar.id, \(Schema.serverCalendar.columnList)
      FROM server_calendar JOIN source ON source.id = server_calendar.id
      WHERE source.removed IS NULL
      """)
    var calendars: [Int: ServerCalendarRow] = [:]
    while try rows.step() {
      var calendar = ServerCalendarRow(account: rows.integer("account"))
      calendar.syncToken = rows.optionalText("sync_token")
      calendar.collectionTag = rows.optionalText("collection_tag")
      calendar.usesTokens = rows.bool("uses_tokens")
      calendar.isWritable = rows.bool("is_writable")
      calendar.components = rows.text("components")
      calendar.place = rows.optionalInteger("place")
      calendar.title = rows.optionalText("title")
      calendars[rows.integer(0)] = calendar
    }
    return calendars
  }

  /// Writes what is known of the calendar of a source.
  package func update(
    _ calendar: ServerCalendarRow, source: Int
  ) throws(StoreError) {
    try connection.writing { () throws(StoreError) in try write(calendar, source: source) }
  }

  fileprivate func write(_ calendar: ServerCalendarRow, source: Int) throws(StoreError) {
    let known = try connection.integer("SELECT id FROM server_calendar WHERE id = ?1", source)
    if known != nil {
      return try connection.update(
        Schema.serverCalendar,
        set: [
          "account": calendar.account, "sync_token": calendar.syncToken,
          "collection_tag": calendar.collectionTag, "uses_tokens": calendar.usesTokens ? 1 : 0,
          "is_writable": calendar.isWritable ? 1 : 0, "components": calendar.components,
          "place": calendar.place, "title": calendar.title,
        ], where: "id = ?", source)
    }
    var row = Row(columns: 8, key: key)
    row.add("account", calendar.account)
    row.add("sync_token", calendar.syncToken)
    row.add("collection_tag", calendar.collectionTag)
    row.add("uses_tokens", calendar.usesTokens ? 1 : 0)
    row.add("is_writable", calendar.isWritable ? 1 : 0)
    row.add("components", calendar.components)
    row.add("place", calendar.place)
    row.add("title", calendar.title)
    try connection.insert(row, id: source, into: Schema.serverCalendar)
  }
}

// MARK: Objects

extension Store {
  /// A source that could be read again has no error.
  package func clearError(location: String) throws(StoreError) {
    try connection.writing { () throws(StoreError) in
      try connection.update(
        Schema.source, set: ["last_error": String?.none],
        where: "location = ? AND removed IS NULL", location)
    }
  }

  /// The tags of the objects of a calendar, by name. Objects without one have an empty tag.
  package func objectTags(ofSource source: Int) throws(StoreError) -> [String: String] {
    let rows = try connection.statement(
      """
      SELECT name, entity_tag FROM server_object
      WHERE source = ?1 AND removed IS NULL AND (revision IS NOT NULL OR base IS NOT NULL)
      """, source)
    var tags: [String: String] = [:]
    while try rows.step() { tags[rows.text(0)] = rows.optionalText(1) ?? "" }
    return tags
  }

  package func serverObject(
    source: Int, name: String
  ) throws(StoreError) -> ServerObjectRow? {
    let row = try connection.statement(
      """
      SELECT \(Schema.serverObject.columnList) FROM server_object
      WHERE source = ?1 AND name = ?2 AND removed IS NULL
      """, source, name)
    defer { row.reset() }
    return try row.step() ? serverObject(row) : nil
  }

  private func serverObject(_ row: Statement) -> ServerObjectRow {
    var object = ServerObjectRow(name: row.text("name"))
    object.entityTag = row.optionalText("entity_tag")
    object.revision = row.optionalInteger("revision")
    object.base = row.optionalBytes("base")
    object.sent = row.optionalBytes("sent")
    object.failure = row.optionalText("failure")
    return object
  }

  /// The documents of a calendar that differ from the server's objects: changed and new ones in the order
  /// of their changes, then removed ones.
  package func waitingDocuments(ofSource source: Int) throws(StoreError) -> [WaitingDocument] {
    var waiting: [WaitingDocument] = []
    for (name, revision) in try waitingNames(ofSource: source) {
      waiting.append(
        WaitingDocument(
          name: name, revision: revision,
          object: try serverObject(source: source, name: name)))
    }
    return waiting
  }

  /// Every document has a row in `server_object` as soon as it is written. Only rows with the text of the
  /// server's object, and those without an object, can be about a document that differs.
  private func waitingNames(
    ofSource source: Int
  ) throws(StoreError) -> [(name: String, revision: Int?)] {
    let rows = try connection.statement(
      """
      SELECT server_object.name, revision.id
      FROM server_object
      LEFT JOIN document ON document.source = server_object.source
        AND document.name = server_object.name
      LEFT JOIN revision ON revision.document = document.id AND revision.removed IS NULL
      WHERE server_object.source = ?1 AND server_object.removed IS NULL
        AND (base IS NOT NULL OR server_object.revision IS NULL)
        AND revision.id IS NOT server_object.revision
      UNION ALL
      SELECT server_object.name, NULL FROM server_object
      WHERE source = ?1 AND removed IS NULL AND (base IS NOT NULL OR revision IS NULL)
        AND base IS NOT NULL AND revision IS NULL
        AND NOT EXISTS (
          SELECT 1 FROM document JOIN revision
            ON revision.document = document.id AND revision.removed IS NULL
          WHERE document.source = ?1 AND document.name = server_object.name)
      """, source)
    var names: [(name: String, revision: Int?)] = []
    while try rows.step() { names.append((rows.text(0), rows.optionalInteger(1))) }
    return names.sorted { ($0.revision ?? .max, $0.name) < ($1.revision ?? .max, $1.name) }
  }

  /// The number of documents that wait, by source.
  package func waitingCounts() throws(StoreError) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for source in try serverCalendars().keys {
      counts[source] = try waitingNames(ofSource: source).count
    }
    return counts
  }

  /// The sources on servers that the user may only read, and for which `change`, which is tried out,
  /// would leave more to send than before.
  func readOnlySources(
    leftToSendBy change: () throws(StoreError) -> Void
  ) throws(StoreError) -> [Int] {
    let readOnly = try serverCalendars().filter { !$0.value.isWritable }.keys.sorted()
    guard !readOnly.isEmpty else { return [] }
    var before: [Int: Set<String>] = [:]
    for source in readOnly { before[source] = Set(try waitingNames(ofSource: source).map(\.name)) }
    return try connection.tryingOut { () throws(StoreError) in
      try change()
      var found: [Int] = []
      for source in readOnly {
        let after = Set(try waitingNames(ofSource: source).map(\.name))
        if !after.isSubset(of: before[source] ?? []) { found.append(source) }
      }
      return found
    }
  }

  /// Whether the server or the store has a document of this name.
  package func hasKnown(document name: String, source: Int) throws(StoreError) -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM document JOIN revision
        ON revision.document = document.id AND revision.removed IS NULL
      WHERE source = ?1 AND name = ?2
      UNION
      SELECT 1 FROM server_object WHERE source = ?1 AND name = ?2 AND removed IS NULL
        AND (revision IS NOT NULL OR base IS NOT NULL OR sent IS NOT NULL)
      """, source, name) != nil
  }

  /// Writes rows about objects after requests, all in one transaction. It is not a step of `undo`.
  package func update(
    objects: [ServerObjectRow], forgetting gone: [String] = [], source: Int
  ) throws(StoreError) {
    guard !objects.isEmpty || !gone.isEmpty else { return }
    try connection.writing { () throws(StoreError) in
      for object in objects { try write(object, source: source, isLasting: true) }
      // The rows stay, so that an event that comes back by `undo` is sent again.
      for name in gone { try write(ServerObjectRow(name: name), source: source) }
    }
  }

  /// Gives a document the name that the server chose, unless another one ever had it.
  package func rename(
    document name: String, to new: String, source: Int
  ) throws(StoreError) {
    try connection.writing { () throws(StoreError) in
      guard try !hasKnown(document: new, source: source),
        try connection.integer(
          "SELECT 1 FROM document WHERE source = ?1 AND name = ?2", source, new) == nil
      else { return }
      try connection.run(
        "DELETE FROM server_object WHERE source = ?1 AND name = ?2 AND removed IS NULL", source, new
      )
      try connection.update(
        Schema.document, set: ["name": new], where: "source = ? AND name = ?", source, name)
      try connection.update(
        Schema.serverObject, set: ["name": new],
        where: "source = ? AND name = ? AND removed IS NULL", source, name)
    }
  }

  /// Writes a row. One that `isLasting` is not taken back by `undo`.
  fileprivate func write(
    _ object: ServerObjectRow, source: Int, added: Int? = nil, isLasting: Bool = false
  ) throws(StoreError) {
    let known = try connection.integer(
      "SELECT id FROM server_object WHERE source = ?1 AND name = ?2 AND removed IS NULL", source,
      object.name)
    if let known {
      // What the server is known to have stays known after an `undo`.
      return try connection.update(
        Schema.serverObject,
        set: [
          "entity_tag": object.entityTag, "revision": object.revision, "base": object.base,
          "sent": object.sent, "failure": object.failure,
          "added": isLasting ? nil : try addition(ofObject: known),
        ], where: "id = ?", known)
    }
    try insert(object, source: source, added: added)
  }

  private func addition(ofObject id: Int) throws(StoreError) -> Int? {
    try connection.integer("SELECT added FROM server_object WHERE id = ?1", id)
  }

  fileprivate func insert(
    _ object: ServerObjectRow, source: Int, added: Int?
  ) throws(StoreError) {
    let size = (object.base?.count ?? 0) + (object.sent?.count ?? 0)
    var row = Row(columns: 9, bytes: size, key: key)
    row.add("source", source)
    row.add("name", object.name)
    row.add("entity_tag", object.entityTag)
    row.add("revision", object.revision)
    row.add("base", blob: object.base)
    row.add("sent", blob: object.sent)
    row.add("failure", object.failure)
    row.add("added", added)
    row.add("removed", Int?.none)
    try connection.insert(row, into: Schema.serverObject)
  }

  /// Takes back what a command received. The objects have to be compared with the server again.
  func undoServerObjects(_ generation: Int) throws(StoreError) {
    let sources = try connection.integers(
      "SELECT DISTINCT source FROM server_object WHERE added = ?1 OR removed = ?1", generation)
    try connection.run("DELETE FROM server_object WHERE added = ?1", generation)
    try connection.run("DELETE FROM conflict WHERE added = ?1", generation)
    // What was sent after the command received an object is newer than what was known before.
    try connection.run(
      """
      DELETE FROM server_object AS former WHERE removed = ?1 AND EXISTS (
        SELECT 1 FROM server_object
        WHERE source = former.source AND name = former.name AND removed IS NULL)
      """, generation)
    for table in [Schema.serverObject, Schema.conflict] {
      try connection.update(table, set: ["removed": nil], where: "removed = ?", generation)
    }
    for source in sources {
      try connection.update(
        Schema.serverCalendar, set: ["sync_token": String?.none, "collection_tag": String?.none],
        where: "id = ?", source)
    }
  }
}

extension StoreChange {
  package func write(_ calendar: ServerCalendarRow, source: Int) throws(StoreError) {
    try store.write(calendar, source: source)
  }

  /// Records what is known of an object whose document stays as it is.
  package func update(_ object: ServerObjectRow, source: Int) throws(StoreError) {
    try store.write(object, source: source)
  }

  /// Records an object that was received. `undo` brings back what was known before. With `isNew`, the
  /// store does not know any object of this name.
  package func receive(
    _ object: ServerObjectRow, source: Int, isNew: Bool
  ) throws(StoreError) {
    if !isNew { try forget(object: object.name, source: source) }
    try store.insert(object, source: source, added: try generation())
  }

  /// Records that the server does not have an object any more.
  package func forget(object name: String, source: Int) throws(StoreError) {
    try store.connection.update(
      Schema.serverObject, set: ["removed": try generation()],
      where: "source = ? AND name = ? AND removed IS NULL", source, name)
  }

  /// Keeps the text that the server has, before its document is changed; `nil` for a new document, which
  /// the server may not have.
  package func keepBase(_ text: [UInt8]?, of name: String, source: Int) throws(StoreError) {
    guard let text else {
      let known = try store.serverObject(source: source, name: name)
      if known == nil {
        try store.insert(ServerObjectRow(name: name), source: source, added: try generation())
      }
      return
    }
    try store.connection.update(
      Schema.serverObject, set: ["base": text],
      where: """
        source = ? AND name = ? AND removed IS NULL AND base IS NULL AND revision IS NOT NULL
        """, source, name)
  }

  // MARK: Conflicts

  package func add(
    conflictAbout name: String, source: Int, base: [UInt8]?, mine: [UInt8]?
  ) throws(StoreError) {
    var row = Row(columns: 6, bytes: (base?.count ?? 0) + (mine?.count ?? 0), key: key)
    row.add("source", source)
    row.add("name", name)
    row.add("base", blob: base)
    row.add("mine", blob: mine)
    row.add("added", try generation())
    row.add("removed", Int?.none)
    try store.connection.insert(row, into: Schema.conflict)
  }

  package func settle(conflict id: Int) throws(StoreError) {
    try store.connection.update(
      Schema.conflict, set: ["removed": try generation()], where: "id = ?", id)
  }
}

extension Store {
  /// The conflicts that are not settled, the oldest first.
  package func conflicts() throws(StoreError) -> [ConflictRow] {
    let rows = try connection.statement(
      """
      SELECT conflict.id, conflict.source, name, base, mine
      FROM conflict JOIN source ON source.id = conflict.source
      WHERE conflict.removed IS NULL AND source.removed IS NULL ORDER BY conflict.id
      """)
    var conflicts: [ConflictRow] = []
    while try rows.step() {
      conflicts.append(
        ConflictRow(
          id: rows.integer(0), source: rows.integer(1), name: rows.text(2),
          base: rows.optionalBytes(3), mine: rows.optionalBytes(4)))
    }
    return conflicts
  }
}
