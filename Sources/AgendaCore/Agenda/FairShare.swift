/// Divides an amount fairly: everyone gets the demand, or as much as any other gets at most.
///
/// Three demands of 10, 100 and 1,000 share 150 as 10, 70 and 70. The result does not depend on the
/// order of the demands.
struct FairShare {
  private let amount: Int
  private var demands: [Int] = []
  private var sum = 0
  /// Nobody gets more. It falls while demands are added, so that a demand need not be worked out
  /// beyond it.
  private(set) var limit: Int

  init(of amount: Int) {
    self.amount = amount
    limit = amount
  }

  /// A demand above `limit` counts as one above `limit`, however large it is.
  mutating func add(_ demand: Int) {
    let counted = min(demand, limit)
    demands.append(counted)
    sum += counted
    // Sorting all demands each time would cost more than the demands.
    if sum > amount + amount / 4 { divide() }
  }

  /// Lowers the limit until everything fits into the amount.
  mutating func divide() {
    guard sum > amount else { return }
    demands.sort()
    var left = amount
    for (index, demand) in demands.enumerated() {
      let share = left / (demands.count - index)
      guard demand <= share else {
        limit = share
        sum = amount - left + share * (demands.count - index)
        for later in index..<demands.count { demands[later] = share }
        return
      }
      left -= demand
    }
  }
}
