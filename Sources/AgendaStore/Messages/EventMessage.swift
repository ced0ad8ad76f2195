package import AgendaCore
internal import CivilTime

/// A component of a mail that cancels an event or answers an invitation (RFC 5546). It is not an
/// event.
package struct EventMessage: Sendable {
  package enum Method: Int, Sendable {
    case cancel, reply
  }

  package var method: Method
  package var event: Event
  package var details: EventDetails
  /// The line on which it begins.
  package var line: Int?
  /// From its BEGIN to its END line.
  package var text: [UInt8]

  package init(
    _ method: Method, event: Event, details: EventDetails, line: Int?, text: [UInt8]
  ) {
    self.method = method
    self.event = event
    self.details = details
    // Attachments of a message are not kept.
    self.details.attachments = []
    self.line = line
    self.text = text
  }
}

/// A message in the store.
struct StoredMessage {
  var id: Int
  /// The calendar of its events; `nil` for all calendars.
  var calendar: String?
  var content: EventMessage
}

extension Store {
  /// Adds a message unless the store already has it. Returns its id, and whether it is new.
  func keep(
    _ message: EventMessage, in calendar: String?, generation: Int, by writer: ComponentWriter
  ) throws(StoreError) -> (id: Int, isNew: Bool) {
    let record = message.text.withUnsafeBytes { text in
      ComponentRecord(
        event: message.event, details: message.details, text: text,
        digest: ComponentDigest(of: text, key: key), key: key)
    }
    let known = try connection.integer(
      """
      SELECT id FROM message
      WHERE uid_digest = ?1 AND digest = ?2 AND method = ?3 AND calendar_name IS ?4
        AND modified IS ?5
      """, record.identity.uid, record.digest.value, message.method.rawValue, calendar,
      record.version.modified?.secondsSinceEpoch)
    if let known { return (known, false) }
    try writer.writeZones(of: record)
    let id = try connection.nextID(in: Schema.message)
    var row = record.columns
    row.add("source", 0)
    row.add("generation", generation)
    row.add("method", message.method.rawValue)
    row.add("calendar_name", calendar)
    row.add("digest", record.digest.value)
    row.add("text", blob: message.text)
    try connection.insert(row, id: id, into: Schema.message)
    if case .own(let body) = record.body {
      try connection.insert(body.detail, id: id, into: Schema.messageDetail)
    }
    return (id, true)
  }

  /// The messages with the digest of a UID.
  func messages(uid: Int) throws(StoreError) -> [StoredMessage] {
    let rows = try connection.statement(
      """
      SELECT \(EventReader.columns), method, calendar_name, text FROM message AS component
      WHERE uid_digest = ?1 ORDER BY id
      """, uid)
    let reader = EventReader(rows, context)
    var found: [StoredMessage] = []
    while try rows.step() {
      guard let event = reader.event(calendar: ""),
        let method = EventMessage.Method(rawValue: rows.integer("method"))
      else { throw .damaged(path: path, what: "message \(reader.id) is damaged") }
      found.append(
        StoredMessage(
          id: reader.id, calendar: rows.optionalText("calendar_name"),
          content: EventMessage(
            method, event: event, details: EventDetails(), line: nil, text: rows.bytes("text"))))
    }
    for index in found.indices {
      found[index].content.details = try messageDetails(found[index].id)
    }
    return found
  }

  private func messageDetails(_ id: Int) throws(StoreError) -> EventDetails {
    let row = try connection.statement(
      "SELECT \(Schema.detail.columnList) FROM message_detail AS detail WHERE id = ?1", id)
    defer { row.reset() }
    guard try row.step(), let details = EventDetails(row) else {
      throw .damaged(path: path, what: "message \(id) is damaged")
    }
    return details
  }

  /// The digests of UIDs with messages, if the sources have components with them or had some before
  /// this run.
  func uidsWithMessages(of sources: [Int], run: Int) throws(StoreError) -> [Int] {
    guard try connection.integer("SELECT 1 FROM message LIMIT 1") != nil else { return [] }
    var uids: Set<Int> = []
    for source in sources {
      uids.formUnion(
        try connection.integers(
          """
          SELECT DISTINCT uid_digest FROM message
          WHERE EXISTS (
            SELECT 1 FROM component
            WHERE source = ?1 AND component.uid_digest = message.uid_digest AND removed IS NULL)
          UNION
          SELECT uid_digest FROM component
          WHERE removed >= (SELECT min(id) FROM generation WHERE run = ?2) AND source = ?1
            AND uid_digest IN (SELECT uid_digest FROM message)
          """, source, run))
    }
    return uids.sorted()
  }
}
