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

  /// The UIDs of the present components that a query of FTS5 finds.
  package func uids(matching query: String) throws(StoreError) -> [Int] {
    let uids = try connection.integers(
      """
      SELECT uid FROM search JOIN component ON component.id = search.rowid
      WHERE search MATCH ?1 AND component.removed IS NULL
      """, query)
    var known: Set<Int> = []
    return uids.filter { known.insert($0).inserted }
  }

  /// The words of the index that contain a part of a word; `nil` if they are too many for a query.
  package func indexedWords(containing part: String) throws(StoreError) -> [String]? {
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

  /// Adds the components that the index lacks. `words` returns the text that is searched in each of
  /// them. Returns whether the index has all components: if the store cannot be written, it may lack
  /// some.
  package func updateSearchIndex(
    words: ([StoredComponent]) throws(StoreError) -> [(component: Int, words: [UInt8])]
  ) throws(StoreError) -> Bool {
    let end = try nextComponent()
    if try hasSearchIndex(), try nextSearched() >= end { return true }
    guard connection.access != .immutable, !connection.isReadOnly else { return false }
    do throws(StoreError) {
      try connection.allowingWrites { () throws(StoreError) in
        while try addToSearchIndex(words) < end {}
      }
      return true
    } catch {
      // Another process may be importing, or the disk is full. The search works without the index.
      if case .damaged = error { throw error }
      return false
    }
  }

  func hasSearchIndex() throws(StoreError) -> Bool {
    try connection.integer("SELECT 1 FROM sqlite_schema WHERE name = 'search'") != nil
  }

  private func nextSearched() throws(StoreError) -> Int {
    try connection.integer("SELECT next_component FROM search_state WHERE id = 1") ?? 1
  }

  /// Adds some components. Returns the first one that the index still lacks.
  private func addToSearchIndex(
    _ words: ([StoredComponent]) throws(StoreError) -> [(component: Int, words: [UInt8])]
  ) throws(StoreError) -> Int {
    try connection.writing { () throws(StoreError) in
      if try !hasSearchIndex() { try connection.run(Self.definition) }
      try connection.run(
        "INSERT INTO search (search, rank) VALUES ('hashsize', \(Self.bytesAtOnce))")
      let first = try nextSearched()
      let end = min(first + Self.componentsAtOnce, try nextComponent())
      let insertion = try connection.statement("INSERT INTO search (rowid, words) VALUES (?1, ?2)")
      try forEachPiece(from: first) { piece throws(StoreError) in
        let wanted = piece.filter { $0.id < end }
        for (component, words) in try words(wanted) {
          insertion.reset()
          insertion.bind(1, component)
          words.withUnsafeBytes { insertion.bindText(2, $0) }
          try insertion.run()
        }
        return wanted.count == piece.count
      }
      // A savepoint makes FTS5 write what it holds in memory, so that the digest covers it.
      try connection.run("SAVEPOINT written")
      try connection.run("RELEASE written")
      // Reading the whole index after each batch would cost more with every batch.
      let digest = try end < nextComponent() ? Self.unfinished : searchIndexDigest()
      try connection.update(
        Schema.searchState, set: ["next_component": end, "index_digest": digest], where: "id = 1")
      return end
    }
  }

  /// Deletes the index if it goes beyond a component.
  func dropSearchIndex(ifSearchedFrom first: Int) throws(StoreError) {
    if try nextSearched() > first { try dropSearchIndex() }
  }

  /// Deletes the index. The next search makes it again.
  func dropSearchIndex() throws(StoreError) {
    try connection.run("DROP TABLE IF EXISTS search")
    try connection.update(
      Schema.searchState, set: ["next_component": 1, "index_digest": 0], where: "id = 1")
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
      FROM search_state WHERE id = 1
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
