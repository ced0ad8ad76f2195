/// The text of components.
extension Store {
  /// A moment in the history of the store.
  package enum Moment: Hashable, Sendable {
    case present
    /// The state before a command.
    case before(generation: Int)
  }

  private static let columns =
    "component.id, source, document, context, kind, uid, omits_rules, text"

  private func component(_ row: Statement) throws(StoreError) -> StoredComponent {
    guard let kind = ComponentKind(rawValue: row.integer(4)) else { throw damaged(row.integer(0)) }
    return StoredComponent(
      id: row.integer(0), source: row.integer(1), document: row.integer(2), context: row.integer(3),
      kind: kind, uid: row.integer(5), omitsCostlyRules: !row.isNull(6), text: row.bytes(7))
  }

  /// All components with some UIDs, in the order of their files: by source, the name of the file, and
  /// the position there. With `source`, only those of that source.
  package func components(
    ofUIDs uids: some Collection<Int>, ofSource source: Int? = nil, at moment: Moment = .present
  ) throws(StoreError) -> [StoredComponent] {
    try connection.reading { () throws(StoreError) in
      let ofSource = source.map { " AND source = \($0)" } ?? ""
      let present = "removed IS NULL" + ofSource
      // In the order of the index, whose pages are then read once each.
      let uids = Self.sorted(Array(uids))
      var ids: [Int] = []
      switch moment {
      case .present: ids = try self.ids(ofUIDs: uids, where: present)
      case .before(let generation):
        for condition in [present, "removed IS NOT NULL AND removed >= ?2" + ofSource] {
          ids += try self.ids(ofUIDs: uids, where: condition + " AND added < ?2", generation)
        }
      }
      // In the order of the pages of components.
      return try inFileOrder(try components(ids: Self.sorted(ids)))
    }
  }

  /// In a generic function, a sort would call the comparison of integers through a pointer.
  private static func sorted(_ numbers: [Int]) -> [Int] { numbers.sorted() }

  private func ids(
    ofUIDs uids: [Int], where condition: String, _ generation: Int? = nil
  ) throws(StoreError) -> [Int] {
    let rows = try connection.statement(
      "SELECT id FROM component WHERE uid = ?1 AND \(condition)")
    var ids: [Int] = []
    for uid in uids {
      rows.reset()
      rows.bind(1, uid)
      if let generation { rows.bind(2, generation) }
      while try rows.step() { ids.append(rows.integer(0)) }
    }
    return ids
  }

  /// Ids ascend within a file, and usually from file to file.
  private func inFileOrder(
    _ components: [StoredComponent]
  ) throws(StoreError) -> [StoredComponent] {
    var components = components
    let isSorted = zip(components, components.dropFirst()).allSatisfy { $0.id < $1.id }
    if !isSorted { components.sort { $0.id < $1.id } }
    guard let first = components.first,
      components.contains(where: { $0.document != first.document })
    else { return components }
    let names = try documentNames(of: Set(components.map(\.document)))
    return components.enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      if one.source != other.source { return one.source < other.source }
      guard one.document != other.document else { return left.offset < right.offset }
      return (names[one.document] ?? "", one.document) < (
        names[other.document] ?? "", other.document
      )
    }.map(\.element)
  }

  private func documentNames(of documents: Set<Int>) throws(StoreError) -> [Int: String] {
    let row = try connection.statement("SELECT name FROM document WHERE id = ?1")
    var names: [Int: String] = [:]
    for document in documents {
      row.reset()
      row.bind(1, document)
      if try row.step() { names[document] = row.text(0) }
    }
    row.reset()
    return names
  }

  /// Components by their ids, present or not.
  package func components(ids: [Int]) throws(StoreError) -> [StoredComponent] {
    try connection.reading { () throws(StoreError) in
      let rows = try connection.statement("SELECT \(Self.columns) FROM component WHERE id = ?1")
      var found: [StoredComponent] = []
      for id in ids {
        rows.reset()
        rows.bind(1, id)
        while try rows.step() { found.append(try component(rows)) }
      }
      return found
    }
  }

  /// The present components of a document, in their order.
  package func components(ofDocument document: Int) throws(StoreError) -> [StoredComponent] {
    let rows = try connection.statement(
      "SELECT \(Self.columns) FROM component WHERE document = ?1 AND removed IS NULL ORDER BY id",
      document)
    var found: [StoredComponent] = []
    while try rows.step() { found.append(try component(rows)) }
    return found
  }

  /// The present components of a document without their text, in their order; with `uids`, only those
  /// that have one of them.
  package func knownComponents(
    ofDocument document: Int, uids: Set<Int>? = nil
  ) throws(StoreError) -> [KnownComponent] {
    let rows = try connection.statement(
      """
      SELECT id, digest, context, uid, kind FROM component
      WHERE document = ?1 AND removed IS NULL ORDER BY id
      """, document)
    var known: [KnownComponent] = []
    while try rows.step() {
      guard uids?.contains(rows.integer(3)) ?? true else { continue }
      guard let kind = ComponentKind(rawValue: rows.integer(4)) else {
        throw damaged(rows.integer(0))
      }
      known.append(
        KnownComponent(
          id: rows.integer(0), digest: rows.integer(1), context: rows.integer(2),
          uid: rows.integer(3), kind: kind))
    }
    return known
  }

  /// All components from an id on, in pieces, for what is derived from them. `body` returns `false` to
  /// end.
  package func forEachPiece(
    from first: Int = 0, count: Int = 1000, includingRemoved: Bool = true,
    _ body: ([StoredComponent]) throws(StoreError) -> Bool
  ) throws(StoreError) {
    var next = first
    while true {
      let rows = try connection.statement(
        """
        SELECT \(Self.columns) FROM component
        WHERE component.id >= ?1 AND (?2 OR removed IS NULL) ORDER BY component.id LIMIT ?3
        """, next, includingRemoved ? 1 : 0, count)
      var piece: [StoredComponent] = []
      while try rows.step() { piece.append(try component(rows)) }
      guard let last = piece.last else { return }
      next = last.id + 1
      guard try body(piece) else { return }
    }
  }

  package func contexts(
    _ ids: some Sequence<Int>
  ) throws(StoreError) -> [Int: StoredContext] {
    let row = try connection.statement(
      "SELECT calendar_name, is_calendar, text FROM context WHERE id = ?1")
    var contexts: [Int: StoredContext] = [:]
    for id in ids where contexts[id] == nil {
      row.reset()
      row.bind(1, id)
      guard try row.step() else {
        throw .damagedContent(
          path: path, what: "the lines around components are missing")
      }
      contexts[id] = StoredContext(
        calendarName: row.optionalText(0), isCalendar: row.integer(1) != 0, text: row.bytes(2))
    }
    row.reset()
    return contexts
  }

  /// How many components of each kind each source has, by source.
  package func componentCounts() throws(StoreError) -> [Int: [ComponentKind: Int]] {
    let rows = try connection.statement(
      "SELECT source, kind, count(*) FROM component WHERE removed IS NULL GROUP BY source, kind")
    var counts: [Int: [ComponentKind: Int]] = [:]
    while try rows.step() {
      guard let kind = ComponentKind(rawValue: rows.integer(1)) else { continue }
      counts[rows.integer(0), default: [:]][kind] = rows.integer(2)
    }
    return counts
  }

  /// The number of components of a source, calendar and kind.
  package struct ComponentCount: Sendable {
    package var source: Int
    /// `nil` for that of the source.
    package var calendar: String?
    package var kind: ComponentKind
    package var count: Int
  }

  /// The same, with the calendars of single VCALENDARs. Without `byCalendar`, an index has the answer.
  package func componentCounts(
    byCalendar: Bool
  ) throws(StoreError) -> [ComponentCount] {
    guard byCalendar else {
      return try componentCounts().flatMap { source, counts in
        counts.map { ComponentCount(source: source, calendar: nil, kind: $0, count: $1) }
      }
    }
    let rows = try connection.statement(
      """
      SELECT source, calendar_name, kind, count(*)
      FROM component JOIN context ON context.id = component.context
      WHERE removed IS NULL GROUP BY source, calendar_name, kind
      """)
    var counts: [ComponentCount] = []
    while try rows.step() {
      guard let kind = ComponentKind(rawValue: rows.integer(2)) else { continue }
      counts.append(
        ComponentCount(
          source: rows.integer(0), calendar: rows.optionalText(1), kind: kind,
          count: rows.integer(3)))
    }
    return counts
  }

  /// The id that the next component gets.
  package func nextComponent() throws(StoreError) -> Int {
    try connection.nextID(in: Schema.component)
  }
}
