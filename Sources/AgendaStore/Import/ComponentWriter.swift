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
  private var insertions: Insertions
  /// How much it has written, more or less.
  private(set) var writtenBytes = 0
  private(set) var isAside = false

  private struct Insertions {
    let component: Statement
    let detail: Statement
    let text: Statement
    let attachment: Statement

    /// Into the tables of the store, or beside them.
    init(_ connection: Connection, isAside: Bool) throws(StoreError) {
      func statement(_ table: AsideTables.Table) throws(StoreError) -> Statement {
        try connection.statement(
          StoreSchema.insertion(
            into: isAside ? "temp." + table.asideName : table.name, table.columns))
      }
      component = try statement(AsideTables.component)
      detail = try statement(AsideTables.detail)
      text = try statement(AsideTables.text)
      attachment = try statement(AsideTables.attachment)
    }
  }

  init(
    _ connection: Connection, key: StoreKey, source: Int, generation: Int, nextID: Int
  ) throws(StoreError) {
    self.connection = connection
    self.key = key
    self.source = source
    self.generation = generation
    self.nextID = nextID
    insertions = try Insertions(connection, isAside: false)
  }

  /// Puts what follows beside the tables of the store, until `takeIn()`.
  func setAside() throws(StoreError) {
    guard !isAside else { return }
    try AsideTables.make(in: connection)
    insertions = try Insertions(connection, isAside: true)
    isAside = true
  }

  /// Puts all of it into the tables of the store.
  func takeIn() throws(StoreError) {
    guard isAside else { return }
    try AsideTables.empty(into: connection)
    insertions = try Insertions(connection, isAside: false)
    isAside = false
  }

  /// `nil` for a component that must be read anew each time.
  func setDigest(of id: Int, to digest: Int?) throws(StoreError) {
    let updates = ["UPDATE component SET digest = ?2 WHERE id = ?1"]
    for sql in isAside ? updates + [AsideTables.digestUpdate] : updates {
      let update = try connection.statement(sql)
      update.bind(1, id)
      update.bind(2, digest)
      try update.run()
    }
  }

  /// Gives the id of the new row.
  func write(_ record: ComponentRecord, document: Int) throws(StoreError) -> Int {
    let id = nextID
    nextID += 1
    for zone in record.zones {
      if writtenZones.insert(zone).inserted { try write(zone) }
    }
    insertions.component.bind(1, id)
    insertions.component.bind(
      2,
      Seals.component(
        id: id, source: source, document: document, added: generation, removed: nil,
        columns: record.columnsDigest, key: key))
    insertions.component.bind(3, record.digest.value)
    insertions.component.bind(4, source)
    insertions.component.bind(5, document)
    insertions.component.bind(6, generation)
    try record.columns.run(insertions.component, from: 7)
    insertions.detail.bind(1, id)
    insertions.detail.bind(2, Seals.seal(id: id, columns: record.detailDigest, key: key))
    try record.detail.run(insertions.detail, from: 3)
    insertions.text.bind(1, id)
    insertions.text.bind(2, Seals.seal(id: id, columns: record.textDigest, key: key))
    try record.text.run(insertions.text, from: 3)
    for attachment in record.attachments {
      if nextAttachment == nil {
        nextAttachment = try SealedTable.attachment.nextID(in: connection)
      }
      let number = nextAttachment ?? 1
      nextAttachment = number + 1
      var row = Row(columns: 8)
      row.add(id)
      insertions.attachment.reset()
      try SealedTable.attachment.insert(
        row.followed(by: attachment.row), id: number, by: insertions.attachment, key: key)
      if attachment.isPicture { try awaitThumbnail(of: number) }
      writtenBytes += attachment.row.bytes.count
    }
    writtenBytes +=
      record.columns.bytes.count + record.detail.bytes.count + record.text.bytes.count
      + Self.bytesBesideTexts
    return id
  }

  /// What the numbers of a component and its places in the indexes take.
  private static let bytesBesideTexts = 300

  /// It is made when the import is done, so that nobody who waits for that waits for a decoder.
  private func awaitThumbnail(of attachment: Int) throws(StoreError) {
    let statement = try connection.statement("INSERT INTO awaited_thumbnail (id) VALUES (?1)")
    statement.bind(1, attachment)
    try statement.run()
  }

  /// Takes a row out again that this import has written.
  func erase(_ id: Int) throws(StoreError) {
    let erasures = StoreSchema.componentErasures
    for sql in isAside ? erasures + AsideTables.componentErasures : erasures {
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
