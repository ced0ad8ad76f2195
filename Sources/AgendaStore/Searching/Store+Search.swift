package import AgendaCore
internal import CivilTime

extension Store {
  private static func table(_ name: String) -> String {
    """
    CREATE VIRTUAL TABLE IF NOT EXISTS \(name)
    USING fts5 (words, content = '', tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'")
    """
  }

  /// So many components are added to the index at once, so that nobody waits long for the lock.
  private static let componentsAtOnce = 20_000
  /// What the index holds in memory before it writes a part of itself, which is merged with others
  /// later: all of so many components, as a rule.
  private static let bytesAtOnce = 32 * 1024 * 1024

  /// The series in whose events each of the words is found, or a word that begins with it: in the title,
  /// location, categories, description or the names of the people, in any letter case and with or
  /// without accents.
  ///
  /// The index is brought up to date first. Where the store cannot be written, everything is
  /// looked through.
  package func series(
    withWords words: [String], of selection: Selection? = nil
  ) throws(StoreError) -> [Series] {
    guard let query = SearchText.query(words), try updateSearchIndex() else {
      return try allSeries(of: selection)
    }
    return try connection.reading { () throws(StoreError) in
      var rows = SeriesRows(in: nil)
      try select(selection, for: &rows)
      let found = try connection.statement(
        """
        SELECT \(SeriesRows.columns) FROM search
        JOIN component ON component.id = search.rowid AND component.removed IS NULL
        \(SeriesRows.join) WHERE search MATCH ?1
        """)
      found.bind(1, query)
      while try found.step() { try take(found, into: &rows) }
      return try series(of: rows)
    }
  }

  private func allSeries(of selection: Selection?) throws(StoreError) -> [Series] {
    SeriesAssembly(
      try allEvents().filter {
        (selection?.admitsKind($0.kind) ?? true)
          && (selection?.admitsCalendar(named: $0.calendar) ?? true)
      }
    ).series
  }

  /// Every event, task and journal of the store.
  package func allEvents() throws(StoreError) -> [Event] {
    try connection.reading { () throws(StoreError) in
      let names = try calendarNames()
      let rows = try connection.statement(
        "SELECT \(EventColumns.list) FROM component WHERE removed IS NULL ORDER BY id")
      var events: [Event] = []
      while try rows.step() {
        events.append(try event(rows, calendar: names[rows.integer(1)] ?? ""))
      }
      return events
    }
  }

  /// Answers whether the index has all components.
  private func updateSearchIndex() throws(StoreError) -> Bool {
    let end = try nextComponent()
    var next = try connection.integer("SELECT next_component FROM searched WHERE id = 1") ?? 1
    let hasTable =
      try connection.integer("SELECT 1 FROM sqlite_schema WHERE name = 'search'") != nil
    if hasTable, next >= end { return true }
    guard !connection.isReadOnly else { return false }
    try connection.run("PRAGMA query_only = OFF")
    defer { if access == .reading { try? connection.run("PRAGMA query_only = ON") } }
    do throws(StoreError) {
      while !hasTable || next < end {
        next = try addToSearchIndex()
        if next >= end { break }
      }
      return true
    } catch {
      // Somebody else may be importing, or there is no room: searching does not depend on it.
      if case .damaged = error { throw error }
      return false
    }
  }

  private func addToSearchIndex() throws(StoreError) -> Int {
    try connection.writing { () throws(StoreError) in
      try connection.run(Self.table("search"))
      try connection.run(
        "INSERT INTO search (search, rank) VALUES ('hashsize', \(Self.bytesAtOnce))")
      let first = try connection.integer("SELECT next_component FROM searched WHERE id = 1") ?? 1
      let end = min(first + Self.componentsAtOnce, try nextComponent())
      try insertWords(ofComponents: first..<max(first, end), into: "search")
      try run("UPDATE searched SET next_component = ?1 WHERE id = 1", end)
      return end
    }
  }

  private func insertWords(
    ofComponents ids: Range<Int>, into table: String
  ) throws(StoreError) {
    let rows = try connection.statement(
      """
      SELECT component.id, title, location, categories, description, organizer_name,
        organizer_email, attendees
      FROM component JOIN detail ON detail.id = component.id
      WHERE component.id >= ?1 AND component.id < ?2
      """)
    rows.bind(1, ids.lowerBound)
    rows.bind(2, ids.upperBound)
    let insertion = try connection.statement("INSERT INTO \(table) (rowid, words) VALUES (?1, ?2)")
    var words = SearchText()
    while try rows.step() {
      words.removeAll()
      for column in [1, 2, 4, 5, 6] as [Int32] { words.add(rows.textIfAny(column)) }
      for category in StoredList.texts(rows.bytesIfAny(3)) ?? [] { words.add(category) }
      for attendee in StoredPeople.attendees(rows.bytesIfAny(7)) ?? [] {
        words.add(attendee.person.name)
        words.add(attendee.person.email)
      }
      insertion.reset()
      insertion.bind(1, rows.integer(0))
      insertion.bind(2, utf8: words.bytes)
      try insertion.run()
    }
  }
}

// MARK: Damage

extension Store {
  /// Whether the index says of the components that it goes up to what they say themselves: it is
  /// made a second time, in a temporary file of SQLite's, and compared word by word. SQLite checks
  /// of such an index only that it can be read.
  func isSearchIndexRight() throws(StoreError) -> Bool {
    guard try connection.integer("SELECT 1 FROM sqlite_schema WHERE name = 'search'") != nil
    else { return true }
    let end = try connection.integer("SELECT next_component FROM searched WHERE id = 1") ?? 0
    guard try end <= nextComponent() else { return false }
    try connection.run("PRAGMA query_only = OFF")
    defer { if access == .reading { try? connection.run("PRAGMA query_only = ON") } }
    try connection.run(Self.table("temp.expected_search"))
    defer { try? connection.run("DROP TABLE temp.expected_search") }
    try insertWords(ofComponents: 0..<max(0, end), into: "temp.expected_search")
    guard let ours = try definition("temp.sqlite_schema", "expected_search"),
      try definition("main.sqlite_schema", "search") == ours
    else { return false }
    // Of components that were taken out for good the index may keep the words.
    let present = Set(try integers("SELECT id FROM component"))
    guard
      try wordsDigest("main", "search", of: present)
        == wordsDigest("temp", "expected_search", of: present)
    else { return false }
    return try isEveryWordFound()
  }

  /// What comes after the name of the table.
  private func definition(_ schema: String, _ table: String) throws(StoreError) -> String? {
    let row = try connection.statement("SELECT sql FROM \(schema) WHERE name = ?1")
    row.bind(1, table)
    defer { row.reset() }
    guard try row.step() else { return nil }
    let definition = row.text(0)
    let beginning = "CREATE VIRTUAL TABLE \(table)"
    return definition.hasPrefix(beginning) ? String(definition.dropFirst(beginning.count)) : nil
  }

  /// Whether each word is found as often as it stands there: a search goes other ways to a word
  /// than one after the other.
  private func isEveryWordFound() throws(StoreError) -> Bool {
    try connection.run("CREATE VIRTUAL TABLE temp.search_words USING fts5vocab (main, search, row)")
    defer { try? connection.run("DROP TABLE temp.search_words") }
    let words = try connection.statement("SELECT term, doc FROM temp.search_words")
    defer { words.reset() }
    let found = try connection.statement("SELECT count(*) FROM search WHERE search MATCH ?1")
    defer { found.reset() }
    while try words.step() {
      found.reset()
      found.bind(1, "\"\(words.text(0))\"")
      guard try found.step(), found.integer(0) == words.integer(1) else { return false }
    }
    return true
  }

  /// Of every place of every word in those components.
  private func wordsDigest(
    _ schema: String, _ table: String, of components: Set<Int>
  ) throws(StoreError) -> Int {
    let words = "temp.words_of_\(table)"
    try connection.run(
      "CREATE VIRTUAL TABLE \(words) USING fts5vocab (\(schema), \(table), instance)")
    defer { try? connection.run("DROP TABLE \(words)") }
    let rows = try connection.statement("SELECT term, doc, offset FROM \(words)")
    defer { rows.reset() }
    var sum = 0
    // Words come in their order, each with all of its places.
    var word: [UInt8] = []
    var wordDigest = ContentDigest(key: key.number)
    wordDigest.add(word)
    while try rows.step() {
      let component = rows.integer(1)
      guard components.contains(component) else { continue }
      rows.withBytes(0) { bytes in
        if bytes.elementsEqual(word) { return }
        word = Array(bytes)
        wordDigest = ContentDigest(key: key.number)
        wordDigest.add(word)
      }
      var digest = wordDigest
      digest.add(component)
      digest.add(rows.integer(2))
      sum &+= digest.value
    }
    return sum
  }
}
