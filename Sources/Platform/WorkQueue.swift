internal import Synchronization

/// A queue from which one thread takes pieces of work, waiting for the next one without using
/// processor time.
package final class WorkQueue<Work: Sendable>: Sendable {
  private struct State {
    var pieces: [Work] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let signal: Pipe

  /// `nil` if the system has no more pipes.
  package init?() {
    guard let pipe = Pipe() else { return nil }
    signal = pipe
  }

  deinit { signal.close() }

  /// Adds a piece of work, in place of those that it makes pointless.
  package func add(_ work: Work, replacing isPointless: (Work) -> Bool = { _ in false }) {
    state.withLock {
      $0.pieces.removeAll(where: isPointless)
      $0.pieces.append(work)
    }
    wake()
  }

  /// Ends the wait of the thread once it has done its present piece.
  package func close() {
    state.withLock {
      $0.isClosed = true
      $0.pieces = []
    }
    wake()
  }

  /// Waits for the next piece; `nil` when the queue is closed.
  package func next() -> Work? {
    while true {
      let (work, isClosed) = state.withLock { state in
        (state.pieces.isEmpty ? nil : state.pieces.removeFirst(), state.isClosed)
      }
      if isClosed { return nil }
      if let work { return work }
      var byte: UInt8 = 0
      _ = readDescriptor(signal.reading, &byte, 1)
    }
  }

  private func wake() {
    var byte: UInt8 = 0
    _ = writeDescriptor(signal.writing, &byte, 1)
  }
}
