/// Pieces of work on threads of their own, of which only one runs at a time, except while it waits for
/// something outside of this process. They can share values that are not made for several threads.
///
/// Unchecked because `pieces` is not changed while the threads run, and each closure in it runs on one
/// thread, when it is its turn.
package final class TakingTurns: @unchecked Sendable {
  private var pieces: [(TakingTurns) -> Void]
  private let isTaken = Monitor(false)

  private init(_ pieces: [(TakingTurns) -> Void]) { self.pieces = pieces }

  /// Runs all of them, and returns when the last one has ended.
  package static func run(_ pieces: [(TakingTurns) -> Void]) {
    let turns = TakingTurns(pieces)
    var threads: [WorkerThread] = []
    var left: [Int] = []
    for index in pieces.indices {
      if let thread = WorkerThread({ turns.run(index) }) {
        threads.append(thread)
      } else {
        left.append(index)
      }
    }
    for index in left { turns.run(index) }
    for thread in threads { thread.join() }
    // A piece may hold something that holds `turns`.
    turns.pieces = []
  }

  private func run(_ index: Int) {
    begin()
    defer { end() }
    pieces[index](self)
  }

  private func begin() {
    isTaken.wait { isTaken -> Void? in
      if isTaken { return nil }
      isTaken = true
      return ()
    }
  }

  private func end() { isTaken.change { $0 = false } }

  /// Lets the others run while `wait`, which may use nothing that is shared, waits.
  package func whileOthersRun<Result, Failure: Error>(
    _ wait: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    end()
    defer { begin() }
    return try wait()
  }
}
