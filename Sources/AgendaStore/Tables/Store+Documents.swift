/// A document: a file of a folder, or the only one of another source.
package struct StoredDocument: Hashable, Sendable {
  package var id: Int
  package var source: Int
  /// The name of a file within a folder; empty for the only document of a source.
  package var name: String
  package var revision: Int
  package var fingerprint: FileFingerprint?
  /// The digest of its bytes; `nil` if it must be read again.
  package var digest: Int?
  /// Identifies how it was read.
  package var interpretation: Int
  package var counts: DocumentCounts
  /// Whether it is a mail: its messages are about the events of all calendars.
  package var isMail: Bool
}

/// What a document has that does not become a component of the store.
package struct DocumentCounts: Hashable, Sendable {
  /// VEVENTs and VTODOs that begin in it.
  package var components = 0
  /// The number of those that could not be read.
  package var rejected = 0
  /// VJOURNALs that begin in it, and those that could not be read.
  package var journals = 0
  package var rejectedJournals = 0
  package var freeBusy = 0

  package init() {}
}

/// A VCALENDAR of a document.
package struct StoredCalendarObject: Hashable, Sendable {
  package var context: Int
  /// Its own lines, as the source wrote them.
  package var lines: [UInt8]
  /// Its VFREEBUSYs and unknown components, as the source wrote them.
  package var parts: [[UInt8]]

  package init(context: Int, lines: [UInt8], parts: [[UInt8]]) {
    self.context = context
    self.lines = lines
    self.parts = parts
  }
}

/// A problem of a document.
package struct StoredFinding: Hashable, Sendable {
  package var severity: String
  package var line: Int?
  package var range: Range<Int>?
  package var component: String?
  package var uid: String?
  package var property: String?
  package var code: String
  package var message: String
  /// The pieces of the message that differ between problems of one kind.
  package var messageMarks: [Int]
  package var action: String
  package var actionMarks: [Int]
  package var count: Int
  package var laterLines: [Int]
  /// Other values of this kind in the document, and whether there are more.
  package var otherValues: [String]
  package var hasMoreValues: Bool

  package init(
    severity: String, line: Int?, range: Range<Int>?, component: String?, uid: String?,
    property: String?, code: String, message: String, messageMarks: [Int], action: String,
    actionMarks: [Int], count: Int, laterLines: [Int], otherValues: [String], hasMoreValues: Bool
  ) {
    self.severity = severity
    self.line = line
    self.range = range
    self.component = component
    self.uid = uid
    self.property = property
    self.code = code
    self.message = message
    self.messageMarks = messageMarks
    self.action = action
    self.actionMarks = actionMarks
    self.count = count
    self.laterLines = laterLines
    self.otherValues = otherValues
    self.hasMoreValues = hasMoreValues
  }
}

extension Store {
  private static let documentColumns = """
    document.id, document.source, document.name, revision.id AS revision, size, modified, changed,
    inode, digest, interpretation, components, rejected, journals, rejected_journals, free_busy,
    is_mail
    """

  private func document(_ row: Statement) -> StoredDocument {
    var counts = DocumentCounts()
    counts.components = row.integer(10)
    counts.rejected = row.integer(11)
    counts.journals = row.integer(12)
    counts.rejectedJournals = row.integer(13)
    counts.freeBusy = row.integer(14)
    return StoredDocument(
      id: row.integer(0), source: row.integer(1), name: row.text(2), revision: row.integer(3),
      fingerprint: row.optionalInteger(4).map {
        FileFingerprint(
          size: $0, modified: row.integer(5), changed: row.integer(6), inode: row.integer(7))
      },
      digest: row.optionalInteger(8), interpretation: row.integer(9), counts: counts,
      isMail: row.integer(15) != 0)
  }

  /// The present documents of a source, in the order of their names.
  package func documents(ofSource source: Int) throws(StoreError) -> [StoredDocument] {
    let rows = try connection.statement(
      """
      SELECT \(Self.documentColumns)
      FROM document JOIN revision ON revision.document = document.id AND revision.removed IS NULL
      WHERE document.source = ?1 ORDER BY document.name
      """, source)
    var documents: [StoredDocument] = []
    while try rows.step() { documents.append(document(rows)) }
    return documents
  }

  /// The numbers of the revisions of a source's documents, by name.
  package func revisions(ofSource source: Int) throws(StoreError) -> [String: Int] {
    let rows = try connection.statement(
      """
      SELECT document.name, revision.id
      FROM document JOIN revision ON revision.document = document.id AND revision.removed IS NULL
      WHERE document.source = ?1
      """, source)
    var revisions: [String: Int] = [:]
    while try rows.step() { revisions[rows.text(0)] = rows.integer(1) }
    return revisions
  }

  package func document(source: Int, name: String) throws(StoreError) -> StoredDocument? {
    let row = try connection.statement(
      """
      SELECT \(Self.documentColumns)
      FROM document JOIN revision ON revision.document = document.id AND revision.removed IS NULL
      WHERE document.source = ?1 AND document.name = ?2
      """, source, name)
    defer { row.reset() }
    return try row.step() ? document(row) : nil
  }

  /// The VCALENDARs of a revision, in their order.
  package func calendarObjects(
    ofRevision revision: Int
  ) throws(StoreError) -> [StoredCalendarObject] {
    let rows = try connection.statement(
      "SELECT context, lines, parts FROM calendar_object WHERE revision = ?1 ORDER BY id", revision)
    var objects: [StoredCalendarObject] = []
    while try rows.step() {
      objects.append(
        StoredCalendarObject(
          context: rows.integer(0), lines: rows.bytes(1),
          parts: StoredList.lists(rows.optionalBytes(2) ?? [])))
    }
    return objects
  }

  /// The VFREEBUSYs and unknown components of all sources, with the source and the context of each.
  package func otherParts() throws(StoreError) -> [(source: Int, context: Int, bytes: [UInt8])] {
    let rows = try connection.statement(
      """
      SELECT document.source, context, parts
      FROM calendar_object JOIN revision ON revision.id = calendar_object.revision
      JOIN document ON document.id = revision.document
      JOIN source ON source.id = document.source
      WHERE parts IS NOT NULL AND revision.removed IS NULL AND source.removed IS NULL
      ORDER BY calendar_object.id
      """)
    var parts: [(source: Int, context: Int, bytes: [UInt8])] = []
    while try rows.step() {
      for bytes in StoredList.lists(rows.bytes(2)) {
        parts.append((rows.integer(0), rows.integer(1), bytes))
      }
    }
    return parts
  }

  package func findings(ofRevision revision: Int) throws(StoreError) -> [StoredFinding] {
    let rows = try connection.statement(
      "SELECT \(Schema.finding.columnList) FROM finding WHERE revision = ?1 ORDER BY id", revision)
    var findings: [StoredFinding] = []
    while try rows.step() {
      var range: Range<Int>?
      if let from = rows.optionalInteger("range_start"),
        let to = rows.optionalInteger("range_end"), from <= to
      {
        range = from..<to
      }
      findings.append(
        StoredFinding(
          severity: rows.text("severity"), line: rows.optionalInteger("line"), range: range,
          component: rows.optionalText("component"), uid: rows.optionalText("uid"),
          property: rows.optionalText("property"), code: rows.text("code"),
          message: rows.text("message"),
          messageMarks: StoredList.numbers(rows.optionalText("message_marks")),
          action: rows.text("action"),
          actionMarks: StoredList.numbers(rows.optionalText("action_marks")),
          count: rows.integer("count"),
          laterLines: StoredList.numbers(rows.optionalText("later_lines")),
          otherValues: StoredList.texts(rows.optionalBytes("other_values") ?? []),
          hasMoreValues: rows.bool("has_more_values")))
    }
    return findings
  }

  /// The documents with findings, in the order in which reading the sources would report them: files of
  /// a folder that could not be read come last.
  package func documentsWithFindings() throws(StoreError) -> [StoredDocument] {
    let rows = try connection.statement(
      """
      SELECT \(Self.documentColumns)
      FROM source JOIN document ON document.source = source.id
      JOIN revision ON revision.document = document.id AND revision.removed IS NULL
      WHERE source.removed IS NULL
        AND EXISTS (SELECT 1 FROM finding WHERE finding.revision = revision.id)
      ORDER BY source.id,
        NOT EXISTS (SELECT 1 FROM calendar_object WHERE calendar_object.revision = revision.id),
        document.name
      """)
    var documents: [StoredDocument] = []
    while try rows.step() { documents.append(document(rows)) }
    return documents
  }

  /// The lines on which the components of a document began at its last import.
  package func lines(
    ofDocument id: Int
  ) throws(StoreError) -> [(component: Int, line: Int)] {
    let row = try connection.statement(
      "SELECT line_numbers FROM revision WHERE document = ?1 AND removed IS NULL", id)
    defer { row.reset() }
    return try row.step() ? LineNumbers.entries(in: row.bytes(0)) : []
  }

  /// The name of a document, and whether it is a mail: its messages are about the events of all
  /// calendars.
  package func nameAndMail(ofDocument id: Int) throws(StoreError) -> (name: String, isMail: Bool) {
    let row = try connection.statement(
      """
      SELECT document.name, is_mail FROM document
      LEFT JOIN revision ON revision.document = document.id
      WHERE document.id = ?1 ORDER BY revision.id DESC LIMIT 1
      """, id)
    defer { row.reset() }
    guard try row.step() else { return ("", false) }
    return (row.text(0), row.integer(1) != 0)
  }

  /// The source of a component, its document, and the line on which it begins there.
  package func origin(
    ofComponent id: Int
  ) throws(StoreError) -> (source: Int, document: String, line: Int?)? {
    let row = try connection.statement(
      """
      SELECT component.source, document.name, revision.id AS revision,
        revision.checksum AS checksum
      FROM component JOIN document ON document.id = component.document
      LEFT JOIN revision ON revision.document = document.id AND revision.removed IS NULL
      WHERE component.id = ?1
      """, id)
    guard try row.step() else { return nil }
    let (source, document) = (row.integer("source"), row.text("name"))
    let revision = row.optionalInteger("revision")
    let checksum = row.optionalInteger("checksum")
    row.reset()
    guard let revision, let checksum else { return (source, document, nil) }
    if lineNumbers?.checksum != checksum || lineNumbers?.revision != revision {
      let bytes = try connection.statement(
        "SELECT line_numbers FROM revision WHERE id = ?1", revision)
      defer { bytes.reset() }
      guard try bytes.step() else { return (source, document, nil) }
      lineNumbers = (revision, checksum, LineNumbers.entries(in: bytes.bytes(0)))
    }
    let line = lineNumbers.flatMap { LineNumbers.line(of: id, in: $0.entries) }
    return (source, document, line)
  }
}

/// A list in one column.
enum StoredList {
  static func bytes(ofLists lists: [[UInt8]]) -> [UInt8] {
    var writer = PackedBytesWriter()
    for list in lists { writer.add(list) }
    return writer.bytes
  }

  static func lists(_ bytes: [UInt8]) -> [[UInt8]] {
    var reader = PackedBytesReader(bytes)
    var lists: [[UInt8]] = []
    while !reader.isAtEnd, let list = reader.list() { lists.append(list) }
    return lists
  }

  /// Numbers as text; none as `nil`.
  static func text(_ numbers: [Int]) -> String? {
    numbers.isEmpty ? nil : numbers.map(String.init).joined(separator: " ")
  }

  static func numbers(_ text: String?) -> [Int] {
    (text ?? "").split(separator: " ").compactMap { Int($0) }
  }

  static func bytes(_ texts: [String]) -> [UInt8] {
    var writer = PackedBytesWriter()
    for text in texts { writer.add(text) }
    return writer.bytes
  }

  static func texts(_ bytes: [UInt8]) -> [String] {
    var reader = PackedBytesReader(bytes)
    var texts: [String] = []
    while !reader.isAtEnd, let text = reader.text() { texts.append(text) }
    return texts
  }
}
