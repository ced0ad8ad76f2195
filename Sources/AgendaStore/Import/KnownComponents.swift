/// The components of a source in the store, by the digests of their bytes, without those that
/// messages made. It never changes, so any thread can use it.
package final class KnownComponents: Sendable {
  /// Of every live component, ordered by `uids`.
  let ids: [Int]
  let uids: [Int]
  let digests: [Int?]
  let documents: [Int]
  let kinds: [Int]
  /// Positions in the arrays.
  private let positions: [Key: Int32]

  private struct Key: Hashable {
    var digest: Int
    var document: Int
  }

  init(_ connection: Connection, source: Int) throws(StoreError) {
    let count =
      try connection.integer(
        "SELECT events + tasks + journals FROM source WHERE id = ?1", source) ?? 0
    let rows = try connection.statement(
      """
      SELECT id, uid_digest, digest, document, kind FROM component
      WHERE source = ?1 AND removed IS NULL AND id NOT IN (SELECT id FROM message_override)
      ORDER BY uid_digest, digest, document
      """, source)
    let columns = (
      id: rows.column("id"), uid: rows.column("uid_digest"), digest: rows.column("digest"),
      document: rows.column("document"), kind: rows.column("kind")
    )
    var (ids, uids, digests, documents, kinds) = ([Int](), [Int](), [Int?](), [Int](), [Int]())
    var positions: [Key: Int32] = [:]
    // Limits the memory for a damaged number.
    let capacity = min(max(0, count), 1_000_000)
    ids.reserveCapacity(capacity)
    uids.reserveCapacity(capacity)
    digests.reserveCapacity(capacity)
    documents.reserveCapacity(capacity)
    kinds.reserveCapacity(capacity)
    positions.reserveCapacity(capacity)
    while try rows.step() {
      let digest = rows.optionalInteger(columns.digest)
      let document = rows.integer(columns.document)
      if let digest {
        positions[Key(digest: digest, document: document)] = Int32(truncatingIfNeeded: ids.count)
      }
      ids.append(rows.integer(columns.id))
      uids.append(rows.integer(columns.uid))
      digests.append(digest)
      documents.append(document)
      kinds.append(rows.integer(columns.kind))
    }
    (self.ids, self.uids, self.digests) = (ids, uids, digests)
    (self.documents, self.kinds, self.positions) = (documents, kinds, positions)
  }

  /// The position of the component with these bytes in that document.
  func position(of digest: Int, document: Int) -> Int? {
    positions[Key(digest: digest, document: document)].map { Int($0) }
  }

  /// The positions of the components with that UID.
  func positions(uid: Int) -> Range<Int> {
    func first(_ isAtOrAfter: (Int) -> Bool) -> Int {
      var (low, high) = (0, uids.count)
      while low < high {
        let middle = (low + high) / 2
        if isAtOrAfter(uids[middle]) { high = middle } else { low = middle + 1 }
      }
      return low
    }
    return first { $0 >= uid }..<first { $0 > uid }
  }
}

/// A document's components at its last import, for the threads that read it.
package struct KnownDocument: Sendable {
  let components: KnownComponents?
  let document: Int
  package let key: StoreKey

  /// Whether the source has no components in the store yet.
  package var isEmpty: Bool { components == nil }

  /// Whether the store has this component unchanged, so that it need not be read.
  package func contains(_ digest: ComponentDigest) -> Bool {
    components?.position(of: digest.value, document: document) != nil
  }
}
