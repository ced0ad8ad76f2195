internal import AgendaCore
internal import CivilTime

/// Writes components and the rows that belong to them.
final class ComponentWriter {
  private let connection: Connection
  private let source: Int
  private let generation: Int
  private(set) var nextID: Int
  private var nextAttachment: Int?
  private var writtenZones: Set<Zone> = []
  private let component, detail, text, attachment: Statement
  /// The ids of the templates that were met, by their contents.
  private var templates: [Int: Int] = [:]

  init(
    _ connection: Connection, source: Int, generation: Int, nextID: Int
  ) throws(StoreError) {
    self.connection = connection
    self.source = source
    self.generation = generation
    self.nextID = nextID
    component = try connection.statement(Schema.component.insertion)
    detail = try connection.statement(Schema.detail.insertion)
    text = try connection.statement(Schema.text.insertion)
    attachment = try connection.statement(Schema.attachment.insertion)
  }

  /// `nil` for a component that must be read again at each import.
  func setDigest(of id: Int, to digest: Int?) throws(StoreError) {
    try connection.update(Schema.component, set: ["digest": digest], where: "id = ?", id)
  }

  /// Returns the id of the new row.
  func write(_ record: ComponentRecord, document: Int) throws(StoreError) -> Int {
    let id = nextID
    nextID += 1
    try writeZones(of: record)
    let rest: KeyValuePairs<String, Int?> = [
      "source": source, "document": document, "added": generation, "removed": nil,
      "digest": record.digest.value,
    ]
    assert(record.columns.names + rest.map(\.key) == Schema.component.columns.map(\.name))
    try record.columns.insert(id: id, by: component, followedBy: rest.map(\.value))
    switch record.body {
    case .own(let body): try write(body, id: id, makingThumbnails: true)
    case .ofSeries(let template, let difference):
      var row = Row(columns: 3, key: connection.key)
      row.add("template", try self.id(of: template))
      row.add("lines", blob: difference.lineBytes)
      row.add("answers", blob: difference.answerBytes)
      try connection.insert(row, id: id, into: Schema.answeredOverride)
    }
    return id
  }

  private func write(
    _ body: ComponentRecord.OwnBody, id: Int, makingThumbnails: Bool
  ) throws(StoreError) {
    assert(body.detail.names == Schema.detail.columns.map(\.name))
    try body.detail.insert(id: id, by: detail)
    try body.text.insert(id: id, by: text)
    for record in body.attachments {
      try write(record, component: id, makingThumbnails: makingThumbnails)
    }
  }

  /// The id of a template, which is written if the store doesn't have it.
  private func id(of template: OverrideTemplate) throws(StoreError) -> Int {
    let content = template.record.content
    if let known = templates[content] { return known }
    var id = try connection.integer(
      "SELECT id FROM override_template WHERE content = ?1", content)
    if id == nil, case .own(let body) = template.record.body {
      id = nextID
      try write(body, id: nextID, makingThumbnails: false)
      var row = Row(columns: 1, key: connection.key)
      row.add("content", content)
      try connection.insert(row, id: nextID, into: Schema.overrideTemplate)
      nextID += 1
    }
    templates[content] = id
    return id ?? 0
  }

  /// The zones of its times.
  func writeZones(of record: ComponentRecord) throws(StoreError) {
    for zone in record.zones {
      if writtenZones.insert(zone).inserted { try write(zone) }
    }
  }

  private func write(
    _ record: AttachmentRecord, component: Int, makingThumbnails: Bool
  ) throws(StoreError) {
    if nextAttachment == nil { nextAttachment = try connection.nextID(in: Schema.attachment) }
    let id = nextAttachment ?? 1
    nextAttachment = id + 1
    try record.row(ofComponent: component, key: connection.key).insert(id: id, by: attachment)
    if makingThumbnails, record.isPicture {
      // Thumbnails are made after the import, so that the import does not wait for a picture
      // decoder.
      try connection.insert(
        Row(columns: 0, key: connection.key), id: id, into: Schema.pendingThumbnail)
    }
  }

  /// Deletes a row that this import has written.
  func erase(_ id: Int) throws(StoreError) {
    for sql in Schema.componentErasures(where: "id = ?1") {
      try connection.statement(sql, id).run()
    }
  }

  private func write(_ zone: Zone) throws(StoreError) {
    guard zone.origin != .utc else { return }
    let id = StoredZone.id(of: zone)
    guard try connection.integer("SELECT 1 FROM zone WHERE id = ?1", id) == nil else { return }
    var row = Row(columns: 3, key: connection.key)
    row.add("name", zone.name)
    row.add("origin", StoredOrigin(zone.origin).rawValue)
    row.add("definition", blob: StoredZone.definition(of: zone))
    try connection.insert(row, id: id, into: Schema.zone)
  }
}
