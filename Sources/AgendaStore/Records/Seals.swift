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

  /// The part that tells when a component was taken out. It is joined by exclusive or, so that SQL
  /// can change it without knowing the rest of the row.
  static func removal(_ generation: Int?, key: StoreKey) -> Int {
    guard let generation else { return 0 }
    var digest = ContentDigest(key: key.number)
    digest.add(generation)
    return digest.value
  }
}
