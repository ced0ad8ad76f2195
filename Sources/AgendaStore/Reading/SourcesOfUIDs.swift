/// Which sources of a calendar have components with a UID.
///
/// A UID is looked up in every source. Where a question needs so many lookups that reading all UIDs of
/// the calendar once costs less, they are read once.
struct SourcesOfUIDs {
  let sources: [Int]
  private let componentCount: Int
  private var lookups = 0
  /// The only source of each UID, or `several`; `nil` until all are read.
  private var sourceOfUID: [Int: Int]?

  private static let several = -1
  /// See `SharedUIDs`.
  private static let lookupCost = 5

  init(of sources: [Int], in store: Store) throws(StoreError) {
    self.sources = sources
    componentCount = sources.count > 1 ? try store.componentCount(of: sources) : 0
  }

  /// Whether a source other than this one has components with the UID.
  mutating func isElsewhere(
    _ uid: Int, than source: Int, in store: Store
  ) throws(StoreError) -> Bool {
    guard sources.count > 1 else { return false }
    lookups += sources.count
    if sourceOfUID == nil, lookups * Self.lookupCost > componentCount {
      sourceOfUID = try readAll(store)
    }
    if let sourceOfUID { return sourceOfUID[uid].map { $0 != source } ?? false }
    let row = try store.connection.statement(
      "SELECT 1 FROM component WHERE source = ?1 AND uid_digest = ?2 AND removed IS NULL")
    defer { row.reset() }
    for other in sources where other != source {
      row.reset()
      row.bind(1, other)
      row.bind(2, uid)
      if try row.step() { return true }
    }
    return false
  }

  /// All UIDs that several sources have.
  mutating func uidsOfSeveral(in store: Store) throws(StoreError) -> [Int] {
    guard sources.count > 1 else { return [] }
    let all: [Int: Int]
    if let sourceOfUID { all = sourceOfUID } else { all = try readAll(store) }
    sourceOfUID = all
    return all.filter { $0.value == Self.several }.keys.sorted()
  }

  private func readAll(_ store: Store) throws(StoreError) -> [Int: Int] {
    var found = [Int: Int](minimumCapacity: componentCount)
    for source in sources {
      let rows = try store.connection.statement(
        "SELECT uid_digest FROM component WHERE source = ?1 AND removed IS NULL", source)
      let column = rows.column("uid_digest")
      while try rows.step() {
        let uid = rows.integer(column)
        if let other = found.updateValue(source, forKey: uid), other != source {
          found[uid] = Self.several
        }
      }
    }
    return found
  }
}
