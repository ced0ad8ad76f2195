internal import AgendaCore
internal import CivilTime

/// Writes components and what belongs to them.
final class ComponentWriter {
  private let connection: Connection
  private let key: StoreKey
  private let source: Int
  private let generation: Int
  private(set) var nextID: Int
  private var nextAttachment: Int?
  private var writtenZones: Set<Zone> = []
  private let component: Statement
  private let detail: Statement
  private let text: Statement

  init(
    _ connection: Connection, key: StoreKey, source: Int, generation: Int, nextID: Int
  ) throws(StoreError) {
    self.connection = connection
    self.key = key
    self.source = source
    self.generation = generation
    self.nextID = nextID
    component = try connection.statement(StoreSchema.componentInsertion)
    detail = try connection.statement(SealedTable.detail.insertion)
    text = try connection.statement(SealedTable.text.insertion)
  }

  /// Gives the id of the new row.
  func write(_ record: ComponentRecord, document: Int) throws(StoreError) -> Int {
    let id = nextID
    nextID += 1
    for zone in record.zones {
      if writtenZones.insert(zone).inserted { try write(zone) }
    }
    component.bind(1, id)
    component.bind(
      2,
      Seals.component(
        id: id, source: source, document: document, added: generation, removed: nil,
        columns: record.columnsDigest, key: key))
    component.bind(3, record.digest.value)
    component.bind(4, source)
    component.bind(5, document)
    component.bind(6, generation)
    try record.columns.run(component, from: 7)
    detail.bind(1, id)
    detail.bind(2, Seals.seal(id: id, columns: record.detailDigest, key: key))
    try record.detail.run(detail, from: 3)
    text.bind(1, id)
    text.bind(2, Seals.seal(id: id, columns: record.textDigest, key: key))
    try record.text.run(text, from: 3)
    for attachment in record.attachments {
      if nextAttachment == nil {
        nextAttachment = try SealedTable.attachment.nextID(in: connection)
      }
      let number = nextAttachment ?? 1
      nextAttachment = number + 1
      var row = Row(columns: 8)
      row.add(id)
      try SealedTable.attachment.insert(
        row.followed(by: attachment), id: number, into: connection, key: key)
    }
    return id
  }

  /// Takes a row out again that this import has written.
  func erase(_ id: Int) throws(StoreError) {
    for sql in StoreSchema.componentErasures {
      let statement = try connection.statement(sql)
      statement.bind(1, id)
      try statement.run()
    }
  }

  private func write(_ zone: Zone) throws(StoreError) {
    guard zone.origin != .utc else { return }
    let id = StoredZone.id(of: zone)
    let known = try connection.statement("SELECT 1 FROM zone WHERE id = ?1")
    known.bind(1, id)
    if try known.step() { return known.reset() }
    var row = Row(columns: 3)
    row.add(zone.name)
    row.add(StoredOrigin(zone.origin).rawValue)
    row.add(blob: StoredZone.definition(of: zone))
    try SealedTable.zone.insert(row, id: id, into: connection, key: key)
  }
}
