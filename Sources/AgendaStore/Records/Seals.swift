/// The digests by which damage to a row is found.
///
/// A seal is made of the row's id and of a digest of the columns between the id and the seal, so
/// that the larger part can be worked out before the id is known.
enum Seals {
  static func seal(id: Int, columns: Int, key: StoreKey) -> Int {
    var digest = ContentDigest(key: key.number)
    digest.add(id)
    digest.add(columns)
    return digest.value
  }

  /// Of a row of `component`, of which `columns` are those after `removed`.
  static func component(
    id: Int, source: Int, document: Int, added: Int, removed: Int?, columns: Int, key: StoreKey
  ) -> Int {
    var digest = ContentDigest(key: key.number)
    digest.add(id)
    digest.add(source)
    digest.add(document)
    digest.add(added)
    digest.add(columns)
    return digest.value ^ removal(removed, key: key)
  }

  /// What `component` and the columns behind `removed` are read by, for `componentSeal(of:key:)`.
  static let componentColumns =
    "id, seal, source, document, added, removed, "
    + StoreSchema.componentColumns.joined(separator: ", ")

  /// The seal that a row of `componentColumns` should have.
  static func componentSeal(of row: Statement, key: StoreKey) -> Int {
    var digest = ContentDigest(key: key.number)
    RowDigest.add(6..<Int32(6 + StoreSchema.componentColumns.count), of: row, to: &digest)
    return component(
      id: row.integer(0), source: row.integer(2), document: row.integer(3), added: row.integer(4),
      removed: row.integerIfAny(5), columns: digest.value, key: key)
  }

  /// Makes the seal of a component anew after columns of it were changed on purpose.
  static func resealComponent(
    _ id: Int, in connection: Connection, key: StoreKey
  ) throws(StoreError) {
    let row = try connection.statement("SELECT \(componentColumns) FROM component WHERE id = ?1")
    row.bind(1, id)
    guard try row.step() else { return }
    let seal = componentSeal(of: row, key: key)
    row.reset()
    let update = try connection.statement("UPDATE component SET seal = ?2 WHERE id = ?1")
    update.bind(1, id)
    update.bind(2, seal)
    try update.run()
  }

  /// The part that tells when a component was taken out. It is joined by exclusive or, so that SQL
  /// can change it without knowing the rest of the row.
  static func removal(_ generation: Int?, key: StoreKey) -> Int {
    guard let generation else { return 0 }
    var digest = ContentDigest(key: key.number)
    digest.add(generation)
    return digest.value
  }
}
