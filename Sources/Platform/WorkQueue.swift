internal import Synchronization

/// A queue from which one thread takes pieces of work, waiting for the next one without using
/// processor time.
package final class WorkQueue<Work: Sendable>: Sendable {
  private struct State {
    var pieces: [Work] = []
    var isClosed = false
    var isFinishing = false
  }

  private let state = Mutex(State())
  private let signal: Pipe
  /// Gets a byte when the thread has taken its last piece and done it.
  private let end: Pipe

  /// `nil` if the system has no more pipes.
  package init?() {
    guard let signal = Pipe() else { return nil }
    guard let end = Pipe() else {
      signal.close()
      return nil
    }
    (self.signal, self.end) = (signal, end)
  }

  deinit {
    signal.close()
    end.close()
  }

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

  /// Lets the thread do all pieces that wait, and returns when it has done them.
  package func finish() {
    state.withLock { $0.isFinishing = true }
    wake()
    var byte: UInt8 = 0
    // A signal can end the wait.
    while readDescriptor(end.reading, &byte, 1) < 0 {}
  }

  /// Waits for the next piece; `nil` when the queue is closed, or finished.
  package func next() -> Work? {
    while true {
      let (work, isOver) = state.withLock { state in
        let work = state.pieces.isEmpty || state.isClosed ? nil : state.pieces.removeFirst()
        return (work, state.isClosed || state.isFinishing)
      }
      if let work { return work }
      var byte: UInt8 = 0
      if isOver {
        _ = writeDescriptor(end.writing, &byte, 1)
        return nil
      }
      _ = readDescriptor(signal.reading, &byte, 1)
    }
  }

  private func wake() {
    var byte: UInt8 = 0
    _ = writeDescriptor(signal.writing, &byte, 1)
  }
}
