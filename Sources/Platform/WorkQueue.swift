/// A queue from which one thread takes pieces of work, waiting for the next one without using
/// processor time.
package final class WorkQueue<Work: Sendable>: Sendable {
  private struct State {
    var pieces: [Work] = []
    /// Whether the thread ends once it has done its present piece.
    var isClosed = false
    /// Whether it ends once it has done all pieces that wait.
    var isFinishing = false
    /// Whether it has ended.
    var isOver = false
  }

  private let state = Monitor(State())

  package init() {}

  /// Adds a piece of work, in place of those that it makes pointless.
  package func add(_ work: Work, replacing isPointless: (Work) -> Bool = { _ in false }) {
    state.change {
      $0.pieces.removeAll(where: isPointless)
      $0.pieces.append(work)
    }
  }

  /// Ends the wait of the thread once it has done its present piece.
  package func close() {
    state.change {
      $0.isClosed = true
      $0.pieces = []
    }
  }

  /// Lets the thread do all pieces that wait, and returns when it has done them.
  package func finish() {
    state.change { $0.isFinishing = true }
    state.wait { $0.isOver ? () : nil }
  }

  /// Waits for the next piece; `nil` when the queue is closed, or finished.
  package func next() -> Work? {
    state.wait { state -> Work?? in
      if !state.pieces.isEmpty, !state.isClosed { return .some(state.pieces.removeFirst()) }
      guard state.isClosed || state.isFinishing else { return nil }
      state.isOver = true
      return .some(nil)
    }
  }
}
