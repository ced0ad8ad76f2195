#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Does several pieces of work at once, each on a thread of its own but the first, which is done on
/// the caller's.
enum Workers {
  private static let most = 4

  /// How many pieces the system can do at once, as far as it helps.
  static var usefulCount: Int {
    max(1, min(most, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
  }

  /// The results of `body` for 0 to before `count`, in that order.
  static func results<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) -> Result
  ) -> [Result] {
    let pieces = (0..<max(count, 0)).map { Piece($0, body) }
    for piece in pieces.dropFirst() { piece.start() }
    pieces.first?.run()
    for piece in pieces.dropFirst() { piece.join() }
    return pieces.compactMap(\.result)
  }
}

/// One piece of work.
///
/// Unchecked because `result` is written by its thread alone and read only after that was joined.
private final class Piece<Result: Sendable>: Work, @unchecked Sendable {
  private let number: Int
  private let body: @Sendable (Int) -> Result
  private(set) var result: Result?

  init(_ number: Int, _ body: @escaping @Sendable (Int) -> Result) {
    self.number = number
    self.body = body
  }

  override func run() {
    result = body(number)
  }
}

/// A thread without its type of result, as the system's call wants it.
///
/// Unchecked because `thread` is used by the thread that made it alone.
private class Work: @unchecked Sendable {
  private var thread: pthread_t?

  func run() {}

  /// Runs on a thread of its own, or at once where the system gives none.
  func start() {
    let argument = Unmanaged.passRetained(self)
    #if canImport(Darwin)
      var identifier: pthread_t?
      let status = pthread_create(
        &identifier, nil,
        { pointer in
          Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().run()
          return nil
        }, argument.toOpaque())
    #else
      var identifier = pthread_t()
      let status = pthread_create(
        &identifier, nil,
        { pointer in
          if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().run() }
          return nil
        }, argument.toOpaque())
    #endif
    if status == 0 {
      thread = identifier
    } else {
      argument.release()
      run()
    }
  }

  func join() {
    if let thread { pthread_join(thread, nil) }
  }
}
