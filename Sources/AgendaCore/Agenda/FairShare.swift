/// Divides an amount fairly: everyone gets the demand, or as much as the largest share of any
/// other.
///
/// Three demands of 10, 100 and 1,000 share 150 as 10, 70 and 70. The result does not depend on the
/// order of the demands.
package enum FairShare {
  /// How much each may get at most. `demand` returns any number above its limit for a demand that
  /// exceeds it, so that a large demand need not be computed completely.
  ///
  /// Each round divides the amount that the fitting demands leave. After `mostRounds` the limit can
  /// be lower than possible, but it is never too high.
  package static func limit(
    of amount: Int, among count: Int, mostRounds: Int = 6,
    demand: (_ index: Int, _ limit: Int) -> Int
  ) -> Int {
    var left = amount
    var larger = Array(0..<count)
    var limit: Int?
    for _ in 0..<mostRounds {
      guard !larger.isEmpty else { return amount }
      let share = left / larger.count
      // Demands above one limit stay above it.
      if share == limit { break }
      limit = share
      let before = larger.count
      larger = larger.filter { index in
        let wanted = demand(index, share)
        if wanted > share { return true }
        left -= wanted
        return false
      }
      if larger.count == before { break }
    }
    return limit ?? 0
  }
}
