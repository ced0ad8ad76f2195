internal import AgendaCore

/// The last import of a document.
struct RevisionRow {
  var id: Int
  var document: Int
  var fingerprint: FileFingerprint?
  var digest: Int?
  var interpretation: Int
  var components: Int
  var superseded: Int
  var rejected: Int
  var journals: Int
  var freeBusy: Int

  /// For the select list.
  static let columns = """
    revision.id, document, size, modified, changed, inode, digest, interpretation, components,
    superseded, rejected, journals, free_busy
    """

  /// The index of each column, looked up once for all rows.
  struct Columns {
    fileprivate let id, document, size, modified, changed, inode: Int32
    fileprivate let digest, interpretation, components, superseded, rejected: Int32
    fileprivate let journals, freeBusy: Int32

    init(_ row: Statement) {
      id = row.column("id")
      document = row.column("document")
      size = row.column("size")
      modified = row.column("modified")
      changed = row.column("changed")
      inode = row.column("inode")
      digest = row.column("digest")
      interpretation = row.column("interpretation")
      components = row.column("components")
      superseded = row.column("superseded")
      rejected = row.column("rejected")
      journals = row.column("journals")
      freeBusy = row.column("free_busy")
    }
  }

  init(_ row: Statement, _ columns: Columns) {
    id = row.integer(columns.id)
    document = row.integer(columns.document)
    fingerprint = row.optionalInteger(columns.size).map {
      FileFingerprint(
        size: $0, modified: row.integer(columns.modified), changed: row.integer(columns.changed),
        inode: row.integer(columns.inode))
    }
    digest = row.optionalInteger(columns.digest)
    interpretation = row.integer(columns.interpretation)
    components = row.integer(columns.components)
    superseded = row.integer(columns.superseded)
    rejected = row.integer(columns.rejected)
    journals = row.integer(columns.journals)
    freeBusy = row.integer(columns.freeBusy)
  }
}

/// Documents and their revisions.
extension Store {
  func document(source: Int, name: String) throws(StoreError) -> Int {
    let known = try connection.integer(
      "SELECT id FROM document WHERE source = ?1 AND name = ?2", source, name)
    if let known { return known }
    let id = try connection.nextID(in: Schema.document)
    var row = Row(columns: 2, key: key)
    row.add("source", source)
    row.add("name", name)
    try connection.insert(row, id: id, into: Schema.document)
    return id
  }

  /// The present documents of a source.
  func liveDocuments(source: Int) throws(StoreError) -> Set<Int> {
    Set(
      try connection.integers(
        """
        SELECT document.id FROM document JOIN revision ON revision.document = document.id
        WHERE document.source = ?1 AND revision.removed IS NULL
        """, source))
  }

  func revision(source: Int, document name: String) throws(StoreError) -> RevisionRow? {
    let row = try connection.statement(
      """
      SELECT \(RevisionRow.columns)
      FROM document JOIN revision ON revision.document = document.id AND revision.removed IS NULL
      WHERE document.source = ?1 AND document.name = ?2
      """, source, name)
    guard try row.step() else { return nil }
    defer { row.reset() }
    return RevisionRow(row, RevisionRow.Columns(row))
  }

  /// The documents of a source with components that newer versions replace, and that the store
  /// therefore lacks.
  package func documentsWithOlderVersions(location: String) throws(StoreError) -> [String] {
    let rows = try connection.statement(
      """
      SELECT document.name FROM document
      JOIN revision ON revision.document = document.id AND revision.removed IS NULL
      JOIN source ON source.id = document.source AND source.removed IS NULL
      WHERE source.location = ?1 AND revision.superseded > 0 ORDER BY document.name
      """, location)
    var names: [String] = []
    while try rows.step() { names.append(rows.text("name")) }
    return names
  }

  func update(
    revision: Int, fingerprint: FileFingerprint?, digest: Int?
  ) throws(StoreError) {
    try connection.update(
      Schema.revision,
      set: [
        "size": fingerprint?.size, "modified": fingerprint?.modified,
        "changed": fingerprint?.changed, "inode": fingerprint?.inode, "digest": digest,
      ], where: "id = ?", revision)
  }

  /// Writes the content of a document without its events. It replaces the previous revision. If the
  /// import changed something, the previous revision stays, so that `undo` can restore it.
  func write(
    revision document: ImportedDocument, superseded: Int, lines: [LineNumbers.Entry] = [],
    document id: Int, previous: Int?, generation: Int, isChange: Bool
  ) throws(StoreError) {
    var added = generation
    if let previous {
      if isChange {
        try remove(revisions: [previous], generation: generation)
      } else {
        added =
          try connection.integer("SELECT added FROM revision WHERE id = ?1", previous) ?? added
        try erase(revisions: [previous])
      }
    }
    let revision = try connection.nextID(in: Schema.revision)
    // A truncated document is read again even if it looks the same.
    let fingerprint = document.isTruncated ? nil : document.fingerprint
    var row = Row(
      columns: 16, bytes: document.calendarProperties.reduce(0) { $0 + $1.count }, key: key)
    row.add("document", id)
    row.add("added", added)
    row.add("removed", Int?.none)
    row.add("size", fingerprint?.size)
    row.add("modified", fingerprint?.modified)
    row.add("changed", fingerprint?.changed)
    row.add("inode", fingerprint?.inode)
    row.add("digest", document.isTruncated ? nil : document.digest)
    row.add("interpretation", document.interpretation)
    row.add("components", document.components)
    row.add("superseded", superseded)
    row.add("rejected", document.rejected)
    row.add("journals", document.journals)
    row.add("free_busy", document.freeBusy)
    row.add("properties", blob: StoredList.bytes(ofLists: document.calendarProperties))
    row.add("line_numbers", blob: LineNumbers.bytes(lines))
    try connection.insert(row, id: revision, into: Schema.revision)
    try write(document.parts, revision: revision)
    try write(document.findings, revision: revision)
  }

  private func write(
    _ parts: [ImportedDocument.Part], revision: Int
  ) throws(StoreError) {
    guard !parts.isEmpty else { return }
    var id = try connection.nextID(in: Schema.part)
    for part in parts {
      var row = Row(columns: 4, bytes: part.bytes.count, key: key)
      row.add("revision", revision)
      row.add("calendar_object", part.calendarObject)
      row.add("kind", part.kind)
      row.add("bytes", blob: part.bytes)
      try connection.insert(row, id: id, into: Schema.part)
      id += 1
    }
  }

  private func write(_ findings: [Finding], revision: Int) throws(StoreError) {
    guard !findings.isEmpty else { return }
    var id = try connection.nextID(in: Schema.finding)
    for finding in findings {
      let kind = TextList(
        [finding.kind.code, String(finding.hasMoreValues)] + finding.otherValues
      ).text
      let values = TextList(finding.kind.values).text
      var row = Row(columns: 12, bytes: kind.utf8.count + values.utf8.count + 32, key: key)
      row.add("revision", revision)
      row.add("severity", finding.severity.rawValue)
      row.add("line", finding.line)
      row.add("range_start", finding.place?.lowerBound)
      row.add("range_end", finding.place?.upperBound)
      row.add("component", finding.component)
      row.add("uid", finding.uid)
      row.add("property", finding.property)
      row.add("message", kind)
      row.add("action", values)
      row.add("count", finding.count)
      row.add(
        "later_lines",
        finding.laterLines.isEmpty
          ? nil : finding.laterLines.map(String.init).joined(separator: " "))
      try connection.insert(row, id: id, into: Schema.finding)
      id += 1
    }
  }

  func findings(revision: Int) throws(StoreError) -> [Finding] {
    let rows = try connection.statement(
      "SELECT \(Schema.finding.columnList) FROM finding WHERE revision = ?1 ORDER BY id", revision)
    var findings: [Finding] = []
    while try rows.step() {
      var place: Range<Int>?
      if let from = rows.optionalInteger("range_start"),
        let to = rows.optionalInteger("range_end"), from <= to
      {
        place = from..<to
      }
      let (message, action) = (rows.text("message"), rows.text("action"))
      let head = TextList(text: message)?.texts ?? []
      let kind = Finding.Kind(
        code: head.first ?? "", values: TextList(text: action)?.texts ?? [])
      var finding = Finding(
        Finding.Severity(rawValue: rows.text("severity")) ?? .error,
        kind ?? .words(message: message, action: action),
        line: rows.optionalInteger("line"), place: place,
        component: rows.optionalText("component"), uid: rows.optionalText("uid"),
        property: rows.optionalText("property"))
      if kind != nil {
        finding.otherValues = Array(head.dropFirst(2))
        finding.hasMoreValues = head.dropFirst().first == "true"
      }
      finding.count = rows.integer("count")
      finding.laterLines = (rows.optionalText("later_lines") ?? "").split(separator: " ")
        .compactMap { Int($0) }
      findings.append(finding)
    }
    return findings
  }

  func remove(revisions: [Int], generation: Int) throws(StoreError) {
    for id in revisions {
      try connection.update(Schema.revision, set: ["removed": generation], where: "id = ?", id)
    }
  }

  /// The present revisions of a source.
  func liveRevisions(source: Int) throws(StoreError) -> [Int] {
    try connection.integers(
      """
      SELECT revision.id FROM revision JOIN document ON document.id = revision.document
      WHERE document.source = ?1 AND revision.removed IS NULL
      """, source)
  }

  func erase(revisions: [Int]) throws(StoreError) {
    for id in revisions {
      try connection.run("DELETE FROM part WHERE revision = ?1", id)
      try connection.run("DELETE FROM finding WHERE revision = ?1", id)
      try connection.run("DELETE FROM revision WHERE id = ?1", id)
    }
  }

  /// Makes the next import of a source read it completely.
  func forgetFingerprints(source: Int) throws(StoreError) {
    try connection.update(
      Schema.revision, set: ["size": nil, "digest": nil],
      where: "removed IS NULL AND document IN (SELECT id FROM document WHERE source = ?)", source)
  }
}

/// Texts as one text, each after its number of bytes: `3:one3:two`.
private struct TextList {
  var texts: [String]

  init(_ texts: [String]) { self.texts = texts }

  var text: String { texts.map { "\($0.utf8.count):\($0)" }.joined() }

  init?(text: String) {
    texts = []
    var rest = text.utf8[...]
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      guard let count = Int(Substring(rest[..<colon])), count >= 0 else { return nil }
      rest = rest[rest.index(after: colon)...]
      guard rest.count >= count else { return nil }
      texts.append(String(decoding: rest.prefix(count), as: UTF8.self))
      rest = rest.dropFirst(count)
    }
    guard rest.isEmpty else { return nil }
  }
}
