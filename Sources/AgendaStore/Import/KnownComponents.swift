/// The components that a store has of a source, by the digests of their bytes. It never changes,
/// so any thread may ask it.
package final class KnownComponents: Sendable {
  /// Of every live component, ordered by `uids`.
  let ids: [Int]
  let uids: [Int]
  let digests: [Int?]
  let documents: [Int]
  /// Positions in the arrays by digest: open addressing, -1 where nothing is.
  private let places: [Int32]
  private let mask: Int

  init(ids: [Int], uids: [Int], digests: [Int?], documents: [Int]) {
    self.ids = ids
    self.uids = uids
    self.digests = digests
    self.documents = documents
    var capacity = 16
    while capacity < ids.count * 2 { capacity *= 2 }
    var places = [Int32](repeating: -1, count: capacity)
    let mask = capacity - 1
    for (position, digest) in digests.enumerated() {
      guard let digest else { continue }
      var place = digest & mask
      while places[place] >= 0 { place = (place + 1) & mask }
      places[place] = Int32(truncatingIfNeeded: position)
    }
    self.places = places
    self.mask = mask
  }

  /// Where the component of these bytes in that document stands in the arrays.
  func position(of digest: Int, document: Int) -> Int? {
    var place = digest & mask
    while places[place] >= 0 {
      let position = Int(places[place])
      if digests[position] == digest, documents[position] == document { return position }
      place = (place + 1) & mask
    }
    return nil
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

/// What a document had at its last import, for the threads that read it.
package struct KnownDocument: Sendable {
  let components: KnownComponents?
  let document: Int
  package let key: StoreKey

  /// Whether the store has nothing of the source yet.
  package var isEmpty: Bool { components == nil }

  /// Whether the store has this component as it is, so that it need not be read.
  package func contains(_ digest: ComponentDigest) -> Bool {
    components?.position(of: digest.value, document: document) != nil
  }
}
