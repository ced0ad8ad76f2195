public import AgendaCore

/// One key that results are sorted by, in one direction.
///
///     [.ascending(\.calendar), .descending { $0.duration }]
public struct EntryOrder: Sendable {
  /// The rank of each entry: equal keys have equal ranks. A key is asked for once per entry.
  let ranks: @Sendable ([Entry]) -> [Int32]

  /// The smallest key first.
  public static func ascending<Key: Comparable & Sendable>(
    _ key: @escaping @Sendable (Entry) -> Key
  ) -> EntryOrder {
    EntryOrder { ranks(of: $0.map(key)) }
  }

  /// The largest key first.
  public static func descending<Key: Comparable & Sendable>(
    _ key: @escaping @Sendable (Entry) -> Key
  ) -> EntryOrder {
    EntryOrder { ranks(of: $0.map(key)).map { -$0 } }
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
}
