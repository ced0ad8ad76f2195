/// One key that results are sorted by, in one direction.
///
///     [.ascending(\.calendar), .descending { $0.duration }]
public struct EntryOrder: Sendable {
  /// The rank of each entry: equal keys have equal ranks. A key is computed once per entry.
  let ranks: @Sendable ([Entry]) -> [Int32]
  /// Whether the first entry has the smaller rank; `nil` if both have the same.
  let precedes: @Sendable (Entry, Entry) -> Bool?

  /// Sorts by a key, the smallest first.
  public static func ascending<Key: Comparable & Sendable>(
    _ key: @escaping @Sendable (Entry) -> Key
  ) -> EntryOrder {
    EntryOrder(
      ranks: { ranks(of: $0.map(key)) }, precedes: { isSmaller(key($0), key($1)) })
  }

  /// Sorts by a key, the largest first.
  public static func descending<Key: Comparable & Sendable>(
    _ key: @escaping @Sendable (Entry) -> Key
  ) -> EntryOrder {
    EntryOrder(
      ranks: { ranks(of: $0.map(key)).map { -$0 } }, precedes: { isSmaller(key($1), key($0)) })
  }

  private static func isSmaller<Key: Comparable>(_ left: Key, _ right: Key) -> Bool? {
    left < right ? true : right < left ? false : nil
  }

  private static func ranks<Key: Comparable & Sendable>(of keys: [Key]) -> [Int32] {
    let order = keys.indices.sorted { keys[$0] < keys[$1] }
    var ranks = [Int32](repeating: 0, count: keys.count)
    var rank: Int32 = 0
    for (place, index) in order.enumerated() {
      if place > 0, keys[order[place - 1]] < keys[index] { rank += 1 }
      ranks[index] = rank
    }
    return ranks
  }
}

extension [EntryOrder] {
  /// The entries by the first key, then by the next; ties stay in the order of the agenda.
  func sorted(_ entries: [Entry]) -> [Entry] {
    if isEmpty { return entries }
    let ranks = map { $0.ranks(entries) }
    let order = entries.indices.sorted { left, right in
      for rank in ranks where rank[left] != rank[right] { return rank[left] < rank[right] }
      return left < right
    }
    return order.map { entries[$0] }
  }

  /// Whether an entry comes before another one, by the keys and then as in an agenda.
  func precedes(_ left: Entry, _ right: Entry) -> Bool {
    for order in self {
      if let isFirst = order.precedes(left, right) { return isFirst }
    }
    return left.precedes(right)
  }
}
