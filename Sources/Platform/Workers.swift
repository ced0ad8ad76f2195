internal import SystemLibrary

/// Runs several pieces of work at once: the first on the caller's thread, each of the others on a
/// new thread.
package enum Workers {
  /// A command should not keep all processors of a large computer busy.
  private static let mostThreads = 4

  /// How many threads to use: one per processor, at most four.
  package static var usefulCount: Int {
    max(1, min(mostThreads, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
  }

  /// The results of `body(0)` to `body(count - 1)`, in that order.
  package static func results<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) -> Result
  ) -> [Result] {
    let pieces = (0..<max(count, 0)).map { number in Piece { body(number) } }
    let threads = pieces.dropFirst().map { piece in
      let thread = WorkerThread { piece.run() }
      if thread == nil { piece.run() }
      return thread
    }
    pieces.first?.run()
    for thread in threads { thread?.join() }
    return pieces.compactMap(\.result)
  }
}

/// One piece of work.
///
/// Unchecked because only its own thread writes `result`, which is read after that thread ended.
private final class Piece<Result: Sendable>: @unchecked Sendable {
  private let body: @Sendable () -> Result
  private(set) var result: Result?

  init(_ body: @escaping @Sendable () -> Result) { self.body = body }

  func run() { result = body() }
}
