internal import AgendaCore
internal import CivilTime

/// The small tables: sources, documents, editions, generations.
extension Store {
  struct SourceRow {
    var id: Int
    /// The id of its calendar.
    var calendar: Int
    var calendarName: String
    var color: String?
    var isNamed: Bool
  }

  func sourceRow(location: String) throws(StoreError) -> SourceRow? {
    let row = try connection.statement(
      """
      SELECT source.id, calendar.id, calendar.name, calendar.color, is_named
      FROM source JOIN calendar ON calendar.id = source.calendar
      WHERE location = ?1 AND removed IS NULL
      """)
    row.bind(1, location)
    defer { row.reset() }
    guard try row.step() else { return nil }
    return SourceRow(
      id: row.integer(0), calendar: row.integer(1), calendarName: row.text(2),
      color: row.textIfAny(3), isNamed: row.integer(4) == 1)
  }

  func nextComponent() throws(StoreError) -> Int {
    try connection.integer("SELECT next_component FROM store WHERE id = 1") ?? 1
  }

  /// A number for all imports of one command.
  package func nextRun() throws(StoreError) -> Int {
    try connection.integer("SELECT next_run FROM store WHERE id = 1") ?? 1
  }

  func update(nextComponent: Int, run: Int) throws(StoreError) {
    let row = try connection.statement(
      "UPDATE store SET next_component = ?1, next_run = max(next_run, ?2) WHERE id = 1")
    row.bind(1, nextComponent)
    row.bind(2, run + 1)
    try row.run()
    try SealedTable.store.reseal(id: 1, in: connection, key: key)
  }

  /// The calendar of that name, made where there is none.
  func calendar(named name: String, color: String?) throws(StoreError) -> Int {
    let known = try connection.statement("SELECT id, color FROM calendar WHERE name = ?1")
    known.bind(1, name)
    if try known.step() {
      let id = known.integer(0)
      let oldColor = known.textIfAny(1)
      known.reset()
      if let color, color != oldColor { try setColor(of: id, to: color) }
      return id
    }
    let id = try SealedTable.calendar.nextID(in: connection)
    var row = Row(columns: 2)
    row.add(name)
    row.add(color)
    try SealedTable.calendar.insert(row, id: id, into: connection, key: key)
    return id
  }

  func setColor(of calendar: Int, to color: String?) throws(StoreError) {
    let update = try connection.statement("UPDATE calendar SET color = ?2 WHERE id = ?1")
    update.bind(1, calendar)
    update.bind(2, color)
    try update.run()
    try SealedTable.calendar.reseal(id: calendar, in: connection, key: key)
  }

  /// The colour of the calendar of that name.
  func color(ofCalendar name: String) throws(StoreError) -> String? {
    let row = try connection.statement("SELECT color FROM calendar WHERE name = ?1")
    row.bind(1, name)
    defer { row.reset() }
    return try row.step() ? row.textIfAny(0) : nil
  }

  func removeCalendarIfEmpty(_ id: Int) throws(StoreError) {
    let deletion = try connection.statement(
      "DELETE FROM calendar WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM source WHERE calendar = ?1)"
    )
    deletion.bind(1, id)
    try deletion.run()
  }

  func write(
    source: ImportedSource, id: Int, isNew: Bool, calendar: Int, generation: Int, now: Instant
  ) throws(StoreError) {
    guard isNew else {
      let update = try connection.statement(
        """
        UPDATE source SET calendar = ?2, encoding = ?3, is_named = ?4, last_import = ?5,
          last_error = NULL
        WHERE id = ?1
        """)
      update.bind(1, id)
      update.bind(2, calendar)
      update.bind(3, source.encoding)
      update.bind(4, source.isNamed ? 1 : 0)
      update.bind(5, now.secondsSinceEpoch)
      try update.run()
      return try SealedTable.source.reseal(id: id, in: connection, key: key)
    }
    var row = Row(columns: 9)
    row.add(calendar)
    row.add(source.kind.rawValue)
    row.add(source.location)
    row.add(source.encoding)
    row.add(source.isNamed ? 1 : 0)
    row.add(generation)
    row.add(Int?.none)
    row.add(now.secondsSinceEpoch)
    row.add(String?.none)
    try SealedTable.source.insert(row, id: id, into: connection, key: key)
  }

  /// Keeps the reason why a known source could not be read.
  package func note(error: String, location: String) throws(StoreError) {
    guard let source = try sourceRow(location: location) else { return }
    try note(error: error, source: source.id)
  }

  /// Keeps the reason why a source was refused, in a transaction of its own.
  func note(error: String?, source: Int) throws(StoreError) {
    try connection.writing { () throws(StoreError) in
      let update = try connection.statement("UPDATE source SET last_error = ?2 WHERE id = ?1")
      update.bind(1, source)
      update.bind(2, error)
      try update.run()
      try SealedTable.source.reseal(id: source, in: connection, key: key)
    }
  }

  func document(source: Int, name: String) throws(StoreError) -> Int {
    let known = try connection.statement(
      "SELECT id FROM document WHERE source = ?1 AND name = ?2")
    known.bind(1, source)
    known.bind(2, name)
    if try known.step() {
      defer { known.reset() }
      return known.integer(0)
    }
    let id = try SealedTable.document.nextID(in: connection)
    var row = Row(columns: 2)
    row.add(source)
    row.add(name)
    try SealedTable.document.insert(row, id: id, into: connection, key: key)
    return id
  }

  /// About how many components a source has, without a look at them.
  func liveComponents(source: Int) throws(StoreError) -> Int {
    let counts = try integers(
      """
      SELECT sum(components) FROM edition JOIN document ON document.id = edition.document
      WHERE document.source = ?1 AND edition.removed IS NULL
      """, source)
    // A number that a disk has changed reserves nothing absurd.
    return min(max(0, counts.first ?? 0), 1_000_000)
  }

  /// The documents of a source that are in the store now.
  func liveDocuments(source: Int) throws(StoreError) -> Set<Int> {
    let rows = try connection.statement(
      """
      SELECT document.id FROM document JOIN edition ON edition.document = document.id
      WHERE document.source = ?1 AND edition.removed IS NULL
      """)
    rows.bind(1, source)
    var ids: Set<Int> = []
    while try rows.step() { ids.insert(rows.integer(0)) }
    return ids
  }
}

// MARK: Editions

/// The last import of a document.
struct EditionRow {
  var id: Int
  var document: Int
  var fingerprint: FileFingerprint?
  var digest: Int?
  var interpretation: Int?
  var components: Int
  var superseded: Int
  var rejected: Int
}

extension Store {
  func edition(source: Int, document name: String) throws(StoreError) -> EditionRow? {
    let row = try connection.statement(
      """
      SELECT edition.id, edition.document, size, modified, changed, inode, digest, interpretation,
        components, superseded, rejected
      FROM document JOIN edition ON edition.document = document.id AND edition.removed IS NULL
      WHERE document.source = ?1 AND document.name = ?2
      """)
    row.bind(1, source)
    row.bind(2, name)
    guard try row.step() else { return nil }
    defer { row.reset() }
    let fingerprint =
      row.isNull(2)
      ? nil
      : FileFingerprint(
        size: row.integer(2), modified: row.integer(3), changed: row.integer(4),
        inode: row.integer(5))
    return EditionRow(
      id: row.integer(0), document: row.integer(1), fingerprint: fingerprint,
      digest: row.integerIfAny(6), interpretation: row.integerIfAny(7),
      components: row.integer(8), superseded: row.integer(9), rejected: row.integer(10))
  }

  func update(
    edition: Int, fingerprint: FileFingerprint?, digest: Int?
  ) throws(StoreError) {
    let update = try connection.statement(
      """
      UPDATE edition SET size = ?2, modified = ?3, changed = ?4, inode = ?5, digest = ?6
      WHERE id = ?1
      """)
    update.bind(1, edition)
    update.bind(2, fingerprint?.size)
    update.bind(3, fingerprint?.modified)
    update.bind(4, fingerprint?.changed)
    update.bind(5, fingerprint?.inode)
    update.bind(6, digest)
    try update.run()
  }

  func countSuperseded(edition: Int) throws(StoreError) {
    let update = try connection.statement(
      "UPDATE edition SET superseded = superseded + 1 WHERE id = ?1")
    update.bind(1, edition)
    try update.run()
  }

  /// Writes what a document brings beside its events: in place of what it brought before, or, where
  /// the import changed something, beside it, so that `undo` finds it again.
  func write(
    edition document: ImportedDocument, superseded: Int, lines: [ComponentLine] = [],
    document id: Int, old: Int?, generation: Int?, newGeneration: Int
  ) throws(StoreError) {
    var added = newGeneration
    if let old {
      if let generation {
        try remove(edition: old, generation: generation)
      } else {
        let row = try connection.statement("SELECT added FROM edition WHERE id = ?1")
        row.bind(1, old)
        if try row.step() { added = row.integer(0) }
        row.reset()
        try erase(edition: old)
      }
    }
    let edition = try SealedTable.edition.nextID(in: connection)
    var row = Row(columns: 13, bytes: document.frames.reduce(0) { $0 + $1.count })
    row.add(id)
    row.add(added)
    row.add(Int?.none)
    row.add(blob: StoredList.bytes(ofLists: document.frames))
    var loose = Row(columns: 9)
    // What is cut off is read again, however it looks.
    let fingerprint = document.isTruncated ? nil : document.fingerprint
    loose.add(fingerprint?.size)
    loose.add(fingerprint?.modified)
    loose.add(fingerprint?.changed)
    loose.add(fingerprint?.inode)
    loose.add(document.isTruncated ? nil : document.digest)
    loose.add(document.interpretation)
    loose.add(document.components)
    loose.add(superseded)
    loose.add(document.rejected)
    try SealedTable.edition.insert(row, loose: loose, id: edition, into: connection, key: key)
    if !lines.isEmpty {
      let packed = ComponentLine.bytes(lines)
      var row = Row(columns: 1, bytes: packed.count)
      row.add(blob: packed)
      try SealedTable.place.insert(row, id: edition, into: connection, key: key)
    }
    var part = try SealedTable.part.nextID(in: connection)
    for content in document.parts {
      var row = Row(columns: 4, bytes: content.bytes.count)
      row.add(edition)
      row.add(content.frame)
      row.add(content.kind)
      row.add(blob: content.bytes)
      try SealedTable.part.insert(row, id: part, into: connection, key: key)
      part += 1
    }
    var finding = try SealedTable.finding.nextID(in: connection)
    for content in document.findings {
      try SealedTable.finding.insert(
        Row(content, edition: edition), id: finding, into: connection, key: key)
      finding += 1
    }
  }

  func remove(edition: Int, generation: Int) throws(StoreError) {
    let update = try connection.statement("UPDATE edition SET removed = ?2 WHERE id = ?1")
    update.bind(1, edition)
    update.bind(2, generation)
    try update.run()
    try SealedTable.edition.reseal(id: edition, in: connection, key: key)
  }

  func remove(document: Int, generation: Int) throws(StoreError) {
    let rows = try connection.statement(
      "SELECT id FROM edition WHERE document = ?1 AND removed IS NULL")
    rows.bind(1, document)
    var editions: [Int] = []
    while try rows.step() { editions.append(rows.integer(0)) }
    for edition in editions { try remove(edition: edition, generation: generation) }
  }

  func erase(edition: Int) throws(StoreError) {
    for table in ["part", "finding"] {
      let deletion = try connection.statement("DELETE FROM \(table) WHERE edition = ?1")
      deletion.bind(1, edition)
      try deletion.run()
    }
    for table in ["place", "edition"] {
      let deletion = try connection.statement("DELETE FROM \(table) WHERE id = ?1")
      deletion.bind(1, edition)
      try deletion.run()
    }
  }

  func findings(edition: Int) throws(StoreError) -> [Finding] {
    let rows = try connection.statement(
      """
      SELECT severity, line, place_from, place_to, component, uid, property, message, action
      FROM finding WHERE edition = ?1 ORDER BY id
      """)
    rows.bind(1, edition)
    var findings: [Finding] = []
    while try rows.step() {
      var place: Range<Int>?
      if let from = rows.integerIfAny(2), let to = rows.integerIfAny(3), from <= to {
        place = from..<to
      }
      findings.append(
        Finding(
          severity: rows.integer(0) == 0 ? .error : .warning, line: rows.integerIfAny(1),
          place: place, component: rows.textIfAny(4), uid: rows.textIfAny(5),
          property: rows.textIfAny(6), message: rows.text(7), action: rows.text(8)))
    }
    return findings
  }
}

extension Row {
  init(_ finding: Finding, edition: Int) {
    self.init(columns: 10, bytes: finding.message.utf8.count + finding.action.utf8.count + 32)
    add(edition)
    add(finding.severity == .error ? 0 : 1)
    add(finding.line)
    add(finding.place?.lowerBound)
    add(finding.place?.upperBound)
    add(finding.component)
    add(finding.uid)
    add(finding.property)
    add(finding.message)
    add(finding.action)
  }
}
