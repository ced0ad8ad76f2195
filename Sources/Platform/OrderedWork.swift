/// Pieces of work that other threads do ahead of the caller, which takes the results in order. They
/// are never more than a few pieces ahead. A caller that would have to wait does a piece itself.
///
/// One thread takes the results.
package final class OrderedWork<Result: Sendable> {
  private struct State {
    var results: [Int: Result] = [:]
    /// Results that the caller has used.
    var spent: [Result] = []
    var next = 0
    var taken = 0
    var isStopped = false
  }

  private enum Step {
    case take(Result)
    case run(Int)
    case free([Result])
    case end
  }

  /// What the threads share.
  private struct Shared: Sendable {
    let count: Int
    let ahead: Int
    let work: @Sendable (Int) -> Result
    let state = Monitor(State())

    /// The next piece; `nil` if none may be done yet.
    func nextPiece(_ state: inout State) -> Step? {
      guard state.next < count, state.next < state.taken + ahead else { return nil }
      state.next += 1
      return .run(state.next - 1)
    }

    func run(_ piece: Int) {
      let result = work(piece)
      state.change { $0.results[piece] = result }
    }

    /// What a thread does until there is no more to do.
    func runPieces() {
      while true {
        let step = state.wait { state -> Step? in
          if state.isStopped || state.next == count { return .end }
          if state.spent.isEmpty { return nextPiece(&state) }
          defer { state.spent = [] }
          return .free(state.spent)
        }
        switch step {
        case .run(let piece): run(piece)
        // Those whom `step` keeps are freed with it, while others use the state.
        case .free, .take: break
        case .end: return
        }
      }
    }
  }

  private let shared: Shared
  private var taken = 0
  private var threads: [WorkerThread] = []

  package init(
    pieces count: Int, threads: Int, ahead: Int, work: @escaping @Sendable (Int) -> Result
  ) {
    shared = Shared(count: count, ahead: max(1, ahead), work: work)
    for _ in 0..<min(threads, count) {
      if let thread = WorkerThread({ [shared] in shared.runPieces() }) {
        self.threads.append(thread)
      }
    }
  }

  /// The result of the next piece; `nil` after the last one.
  package func take() -> Result? {
    guard taken < shared.count else { return nil }
    while true {
      let step = shared.state.wait { state -> Step? in
        guard let result = state.results.removeValue(forKey: taken) else {
          return shared.nextPiece(&state)
        }
        state.taken += 1
        return .take(result)
      }
      switch step {
      case .take(let result):
        taken += 1
        return result
      case .run(let piece): shared.run(piece)
      case .free, .end: return nil
      }
    }
  }

  /// Hands a result back, so that a thread which makes results frees it: memory that one thread
  /// allocates and another frees makes both wait for each other.
  package func giveBack(_ result: consuming Result) {
    guard !threads.isEmpty else { return }
    var results = [consume result]
    // No reference stays here.
    shared.state.change {
      $0.spent += results
      results = []
    }
  }

  /// Ends the threads after the pieces that they are doing.
  package func stop() {
    shared.state.change { $0.isStopped = true }
    for thread in threads { thread.join() }
    threads = []
  }
}
