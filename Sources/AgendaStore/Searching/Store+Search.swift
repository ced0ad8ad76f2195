package import AgendaCore
internal import CivilTime

extension Store {
  private static let definition = """
    CREATE VIRTUAL TABLE search
    USING fts5 (words, content = '', columnsize = 0, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'")
    """

  /// How many components are added to the index at once, so that other processes do not wait long
  /// for the lock.
  private static let componentsAtOnce = 20_000
  /// The memory of the index before it writes a segment, which it merges with others later. It is
  /// usually enough for all components that are added at once.
  private static let bytesAtOnce = 32 * 1024 * 1024

  /// Every series with an event that contains each of the words, also within longer words, and maybe
  /// others. It searches the title, location, categories, description and the names of the people, in any
  /// letter case and with or without accents.
  ///
  /// The index is updated first. If the store cannot be written, every component is read.
  package func series(
    withWords words: [String], of selection: Selection? = nil
  ) throws(StoreError) -> [Series] {
    guard try updateSearchIndex() else { return try allSeries(of: selection) }
    return try connection.reading { () throws(StoreError) in
      let query = try SearchText.query(words) { part throws(StoreError) in
        try indexedWords(containing: part)
      }
      guard let query else { return try allSeries(of: selection) }
      var rows = SeriesRows(in: nil)
      try select(selection, for: &rows)
      let found = try connection.statement(
        """
        SELECT \(SeriesRows.columns) FROM search
        JOIN component ON component.id = search.rowid AND component.removed IS NULL
        WHERE search MATCH ?1
        """, query)
      try take(found, into: &rows)
      return try series(of: rows)
    }
  }

  /// The words of the index that contain a part of a word; `nil` if they are too many for a query.
  private func indexedWords(containing part: String) throws(StoreError) -> [String]? {
    // A table in memory: the store does not change.
    try connection.allowingWrites { () throws(StoreError) in
      try connection.run(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_word USING fts5vocab (main, search, row)")
    }
    let rows = try connection.statement(
      "SELECT term FROM search_word WHERE instr(term, ?1) LIMIT \(Self.mostWords + 1)", part)
    var words: [String] = []
    while try rows.step() { words.append(rows.text(0)) }
    return words.count > Self.mostWords ? nil : words
  }

  /// FTS5 compares the rows of all words of a query. With more of them, most rows are found anyway.
  private static let mostWords = 1_000

  private func allSeries(of selection: Selection?) throws(StoreError) -> [Series] {
    try SeriesAssembly(
      try allEvents().filter {
        (selection?.admitsKind($0.kind) ?? true)
          && (selection?.admitsCalendar(named: $0.calendar) ?? true)
      }, content: { event throws(StoreError) in try content(of: event) }
    ).series
  }

  /// Every event, task and journal of the store.
  package func allEvents() throws(StoreError) -> [Event] {
    try connection.reading { () throws(StoreError) in
      let names = try calendarNames()
      let rows = try connection.statement(
        "SELECT \(EventReader.columns) FROM component WHERE removed IS NULL ORDER BY id")
      let reader = EventReader(rows, context)
      var events: [Event] = []
      while try rows.step() {
        events.append(try event(reader, calendar: names[reader.source] ?? ""))
      }
      return events
    }
  }

  /// Returns whether the index has all components.
  private func updateSearchIndex() throws(StoreError) -> Bool {
    let end = try nextComponent()
    if try hasSearchIndex(), try nextSearched() >= end { return true }
    guard connection.access != .immutable, !connection.isReadOnly else { return false }
    do throws(StoreError) {
      try connection.allowingWrites { () throws(StoreError) in
        while try addToSearchIndex() < end {}
      }
      return true
    } catch {
      // Another process may be importing, or the disk is full. The search works without the index.
      if case .damaged = error { throw error }
      return false
    }
  }

  private func hasSearchIndex() throws(StoreError) -> Bool {
    try connection.integer("SELECT 1 FROM sqlite_schema WHERE name = 'search'") != nil
  }

  private func nextSearched() throws(StoreError) -> Int {
    try connection.integer("SELECT next_component FROM searched WHERE id = 1") ?? 1
  }

  /// Adds some components. Returns the first one that the index still lacks.
  private func addToSearchIndex() throws(StoreError) -> Int {
    try connection.writing { () throws(StoreError) in
      if try !hasSearchIndex() { try connection.run(Self.definition) }
      try connection.run(
        "INSERT INTO search (search, rank) VALUES ('hashsize', \(Self.bytesAtOnce))")
      let first = try nextSearched()
      let end = min(first + Self.componentsAtOnce, try nextComponent())
      try insertWords(ofComponents: first..<max(first, end))
      // A savepoint makes FTS5 write what it holds in memory, so that the digest covers it.
      try connection.run("SAVEPOINT written")
      try connection.run("RELEASE written")
      // Reading the whole index after each batch would cost more with every batch.
      let digest = try end < nextComponent() ? Self.unfinished : searchIndexDigest()
      try connection.update(
        Schema.searched, set: ["next_component": end, "index_digest": digest], where: "id = 1")
      return end
    }
  }

  private func insertWords(ofComponents ids: Range<Int>) throws(StoreError) {
    let rows = try connection.statement(
      """
      SELECT component.id, title, location, categories, description, organizer_name,
        organizer_email, attendees
      FROM component JOIN detail ON detail.id = component.id
      WHERE component.id >= ?1 AND component.id < ?2
      """, ids.lowerBound, ids.upperBound)
    let texts = ["title", "location", "description", "organizer_name", "organizer_email"].map(
      rows.column)
    let insertion = try connection.statement("INSERT INTO search (rowid, words) VALUES (?1, ?2)")
    var words = SearchText()
    while try rows.step() {
      words.removeAll()
      for column in texts { words.add(rows.optionalText(column)) }
      for category in StoredList.texts(rows.optionalBytes("categories")) ?? [] {
        words.add(category)
      }
      for attendee in StoredPeople.attendees(rows.optionalBytes("attendees")) ?? [] {
        words.add(attendee.person.name)
        words.add(attendee.person.email)
      }
      insertion.reset()
      insertion.bind(1, rows.integer("id"))
      words.bytes.withUnsafeBytes { insertion.bindText(2, $0) }
      try insertion.run()
    }
  }
}

// MARK: Damage

extension Store {
  /// Whether the index is unchanged since agenda wrote it. SQLite only checks whether such an index
  /// can be read.
  func isSearchIndexIntact() throws(StoreError) -> Bool {
    guard try hasSearchIndex() else { return try nextSearched() == 1 }
    let row = try connection.statement(
      """
      SELECT index_digest, next_component,
        (SELECT sql FROM sqlite_schema WHERE name = 'search') AS definition
      FROM searched WHERE id = 1
      """)
    guard try row.step() else { return false }
    let (digest, next) = (row.integer("index_digest"), row.integer("next_component"))
    let definition = row.text("definition")
    row.reset()
    let end = try nextComponent()
    guard next <= end, definition == Self.definition else { return false }
    if digest == Self.unfinished, next < end { return true }
    return try digest == searchIndexDigest()
  }

  /// The stored digest of an index that still lacks components: the next search completes it.
  private static let unfinished = 0

  /// A digest of the tables in which FTS5 keeps the index.
  private func searchIndexDigest() throws(StoreError) -> Int {
    var digest = ContentDigest(key: key.number)
    for sql in [
      "SELECT id AS number, block AS bytes FROM search_data ORDER BY id",
      "SELECT segid * 0x100000000 + pgno AS number, term AS bytes FROM search_idx ORDER BY 1, 2",
      "SELECT v AS number, k AS bytes FROM search_config ORDER BY k",
    ] {
      let rows = try connection.statement(sql)
      while try rows.step() {
        digest.add(rows.integer(0))
        rows.withBytes(1) { digest.add($0) }
      }
    }
    return digest.value
  }
}
