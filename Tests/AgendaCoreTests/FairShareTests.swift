import TestSupport
import Testing

@testable import AgendaCore

/// The division of the entries of an agenda among its events.
@Suite("a fair share")
struct FairShareTests {
  private func limit(_ amount: Int, _ demands: [Int]) -> Int {
    FairShare.limit(of: amount, among: demands.count, mostRounds: .max) { index, limit in
      min(demands[index], limit + 1)
    }
  }

  @Test("the largest limit with which everything fits, in any order")
  func bruteForce() {
    var random = SeededGenerator(seed: 17)
    for _ in 0..<2_000 {
      let amount = Int.random(in: 1...60, using: &random)
      let demands = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        Int.random(in: 0...40, using: &random)
      }
      // Brute force: each limit from above.
      let expected = (0...amount).reversed().first { limit in
        demands.reduce(0) { $0 + min($1, limit) } <= amount
      }
      let found = limit(amount, demands)
      let given = { (limit: Int) in demands.map { min($0, limit) } }
      #expect(given(found) == given(expected ?? 0), "\(amount): \(demands)")
      #expect(given(limit(amount, demands.shuffled(using: &random))) == given(found))
      let early = FairShare.limit(of: amount, among: demands.count, mostRounds: 1) { index, _ in
        demands[index]
      }
      #expect(given(early).reduce(0, +) <= amount || early == amount)
    }
  }
}
