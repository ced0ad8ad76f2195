package import AgendaCore
internal import CivilTime

/// Single components.
extension Store {
  /// The event of a row, live or taken out; `nil` where there is none.
  func event(component id: Int) throws(StoreError) -> Event? {
    let row = try connection.statement(
      """
      SELECT \(EventColumns.list), calendar.name FROM component
      JOIN source ON source.id = component.source JOIN calendar ON calendar.id = source.calendar
      WHERE component.id = ?1
      """)
    row.bind(1, id)
    guard try row.step() else { return nil }
    defer { row.reset() }
    guard
      let event = EventColumns.event(
        row, calendar: row.text(EventColumns.count), context: context)
    else { throw damaged(id) }
    return event
  }

  func content(component id: Int) throws(StoreError) -> Int {
    let row = try connection.statement("SELECT content FROM component WHERE id = ?1")
    row.bind(1, id)
    defer { row.reset() }
    return try row.step() ? row.integer(0) : 0
  }

  func damaged(_ id: Int) -> StoreError {
    .damaged(path: path, what: "component \(id) holds what agenda never wrote; see agenda doctor")
  }

  func details(component id: Int) throws(StoreError) -> EventDetails? {
    let row = try connection.statement(
      "SELECT \(SealedTable.detail.sealed.joined(separator: ", ")) FROM detail WHERE id = ?1")
    row.bind(1, id)
    guard try row.step() else { return nil }
    guard var details = EventDetails(row, from: 0) else {
      row.reset()
      throw damaged(id)
    }
    row.reset()
    details.attachments = try attachments(component: id)
    return details
  }

  private func attachments(component id: Int) throws(StoreError) -> [Attachment] {
    let row = try connection.statement(
      """
      SELECT number, media_type, byte_count, uri, name, is_image FROM attachment
      WHERE component = ?1 ORDER BY number
      """)
    row.bind(1, id)
    var attachments: [Attachment] = []
    while try row.step() {
      attachments.append(
        Attachment(
          number: row.integer(0), mediaType: row.textIfAny(1), byteCount: row.integerIfAny(2),
          uri: row.textIfAny(3), name: row.textIfAny(4), isImage: row.integer(5) == 1))
    }
    return attachments
  }

  /// Everything about an event beside its place in the agenda; empty where it is not in the store.
  package func details(of reference: EventReference) throws(StoreError) -> EventDetails {
    try connection.reading { () throws(StoreError) in
      try details(component: reference.component) ?? EventDetails()
    }
  }

  /// The bytes of an inline attachment, counted from 1; `nil` for a referenced one.
  package func attachmentBytes(
    of reference: EventReference, number: Int
  ) throws(StoreError) -> [UInt8]? {
    let row = try connection.statement(
      "SELECT bytes FROM attachment WHERE component = ?1 AND number = ?2")
    row.bind(1, reference.component)
    row.bind(2, number)
    defer { row.reset() }
    return try row.step() ? row.bytesIfAny(0) : nil
  }

  /// The component as its source wrote it.
  package func text(of reference: EventReference) throws(StoreError) -> [UInt8]? {
    let row = try connection.statement("SELECT bytes FROM text WHERE id = ?1")
    row.bind(1, reference.component)
    defer { row.reset() }
    return try row.step() ? row.bytes(0) : nil
  }
}
