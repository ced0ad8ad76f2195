package import AgendaCore
internal import CivilTime
internal import ICalendar

/// Single components.
extension Store {
  /// The event of a component, whether it is present or was removed; `nil` if the id is unknown.
  func event(component id: Int) throws(StoreError) -> Event? {
    let row = try connection.statement(
      """
      SELECT \(EventReader.columns), calendar.name AS calendar FROM component
      JOIN source ON source.id = component.source JOIN calendar ON calendar.id = source.calendar
      WHERE component.id = ?1
      """, id)
    guard try row.step() else { return nil }
    defer { row.reset() }
    return try event(EventReader(row, context), calendar: row.text("calendar"))
  }

  func content(component id: Int) throws(StoreError) -> Int {
    try connection.integer("SELECT content FROM component WHERE id = ?1", id) ?? 0
  }

  /// A digest of the content of a component, which is the same in every store; see
  /// `ComponentContent`.
  package func contentDigest(of reference: EventReference) throws(StoreError) -> UInt64 {
    ComponentContent.digest(of: try text(of: reference) ?? [])
  }

  /// What the component of an event says.
  package func content(of event: Event) throws(StoreError) -> EventContent {
    let meaning = ComponentMeaning(try text(of: event.reference) ?? [])
    return EventContent(
      event, meaning: meaning.all, lasting: meaning.lasting, text: meaning.text)
  }

  func damaged(_ id: Int) -> StoreError {
    .damaged(
      path: path,
      what: "component \(id) is damaged; see agenda doctor")
  }

  func details(component id: Int) throws(StoreError) -> EventDetails? {
    let row = try connection.statement(
      "SELECT \(Schema.detail.columnList) FROM detail WHERE id = ?1", id)
    guard try row.step() else {
      guard let answered = try answeredOverride(id) else { return nil }
      var details = try details(component: answered.template.component)
      details?.take(answers: answered.difference.answers)
      return details
    }
    let read = EventDetails(row)
    row.reset()
    guard var details = read else { throw damaged(id) }
    details.attachments = try attachments(component: id)
    return details
  }

  private func attachments(component id: Int) throws(StoreError) -> [Attachment] {
    let row = try connection.statement(
      """
      SELECT number, media_type, byte_count, uri, name, is_image FROM attachment
      WHERE component = ?1 ORDER BY number
      """, id)
    var attachments: [Attachment] = []
    while try row.step() { attachments.append(Attachment(row)) }
    return attachments
  }

  /// The details of an event; empty if it is not in the store.
  package func details(of reference: EventReference) throws(StoreError) -> EventDetails {
    try connection.reading { () throws(StoreError) in
      try details(component: reference.component) ?? EventDetails()
    }
  }

  /// The bytes of an inline attachment, counted from 1; `nil` if it is only an address.
  package func attachmentBytes(
    of reference: EventReference, number: Int
  ) throws(StoreError) -> [UInt8]? {
    let row = try connection.statement(
      "SELECT bytes FROM attachment WHERE component = ?1 AND number = ?2", reference.component,
      number)
    defer { row.reset() }
    if try row.step() { return row.optionalBytes("bytes") }
    guard let answered = try answeredOverride(reference.component) else { return nil }
    return try attachmentBytes(of: answered.template, number: number)
  }

  /// How an override that answers made differs from its template, which is referred to like a
  /// component; `nil` for all other components.
  func answeredOverride(
    _ id: Int
  ) throws(StoreError) -> (template: EventReference, difference: OverrideDifference)? {
    let row = try connection.statement(
      "SELECT template, lines, answers FROM answered_override WHERE id = ?1", id)
    guard try row.step() else { return nil }
    defer { row.reset() }
    guard
      let difference = OverrideDifference(
        lines: row.bytes("lines"), answers: row.bytes("answers"))
    else { throw damaged(id) }
    return (EventReference(source: 0, component: row.integer("template")), difference)
  }

  /// The text of the component, as its source wrote it.
  package func text(of reference: EventReference) throws(StoreError) -> [UInt8]? {
    let row = try connection.statement(
      "SELECT bytes FROM text WHERE id = ?1", reference.component)
    defer { row.reset() }
    if try row.step() { return row.bytes("bytes") }
    guard let (template, difference) = try answeredOverride(reference.component),
      let series = try text(of: template)
    else { return nil }
    let text = OverrideText.bytes(difference.lines, series: series)
    return ComponentText(text).answered(difference.answers)
  }
}

extension Attachment {
  init(_ row: Statement) {
    self.init(
      number: row.integer("number"), mediaType: row.optionalText("media_type"),
      byteCount: row.optionalInteger("byte_count"), uri: row.optionalText("uri"),
      name: row.optionalText("name"), isImage: row.bool("is_image"))
  }
}
