#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Pieces of work done ahead on threads of their own while the caller takes the results in order,
/// never more than a few ahead of it. A caller that would have to wait does a piece itself.
///
/// Unchecked because `results`, `spent`, `next`, `taken` and `isStopped` are only touched under the
/// mutex.
final class OrderedWork<Result: Sendable>: @unchecked Sendable {
  private let count: Int
  private let ahead: Int
  private let work: @Sendable (Int) -> Result
  private var results: [Int: Result] = [:]
  /// What the caller is done with.
  private var spent: [Result] = []
  private var next = 0
  private var taken = 0
  private var isStopped = false
  private var threads: [pthread_t] = []
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(
    pieces count: Int, threads: Int, ahead: Int, work: @escaping @Sendable (Int) -> Result
  ) {
    self.count = count
    self.ahead = max(1, ahead)
    self.work = work
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
    for _ in 0..<min(threads, count) {
      if let thread = start() { self.threads.append(thread) }
    }
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(changed)
    mutex.deallocate()
    changed.deallocate()
  }

  /// The result of the next piece; `nil` after the last one.
  func take() -> Result? {
    guard taken < count else { return nil }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = results.removeValue(forKey: taken) {
        taken += 1
        pthread_cond_broadcast(changed)
        return result
      }
      if !doNextPiece() { pthread_cond_wait(changed, mutex) }
    }
  }

  /// Takes a result back. It is let go by a thread that makes such: memory that one thread takes and
  /// another one gives back makes both wait for each other.
  func giveBack(_ result: consuming Result) {
    guard !threads.isEmpty else { return }
    pthread_mutex_lock(mutex)
    spent.append(result)
    pthread_mutex_unlock(mutex)
  }

  /// Ends the threads, whatever they have done.
  func stop() {
    pthread_mutex_lock(mutex)
    isStopped = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
    for thread in threads { pthread_join(thread, nil) }
    threads = []
  }

  private func runPieces() {
    pthread_mutex_lock(mutex)
    while !isStopped, next < count {
      if spent.isEmpty {
        if !doNextPiece() { pthread_cond_wait(changed, mutex) }
      } else {
        // The mutex was let go: whether to go on is asked anew.
        letSpentGo()
      }
    }
    pthread_mutex_unlock(mutex)
  }

  /// Under the mutex, which is let go meanwhile.
  private func letSpentGo() {
    var results: [Result] = []
    swap(&results, &spent)
    pthread_mutex_unlock(mutex)
    results.removeAll()
    pthread_mutex_lock(mutex)
  }

  /// Under the mutex, which is let go while the work is done. Answers whether there was a piece that
  /// may be done already.
  private func doNextPiece() -> Bool {
    guard next < count, next < taken + ahead else { return false }
    let piece = next
    next += 1
    pthread_mutex_unlock(mutex)
    let result = work(piece)
    pthread_mutex_lock(mutex)
    results[piece] = result
    pthread_cond_broadcast(changed)
    return true
  }

  private func start() -> pthread_t? {
    let argument = Unmanaged.passRetained(self as AnyObject)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = pthread_create(
      &thread, nil,
      { argument in
        #if canImport(Darwin)
          let pointer = argument
        #else
          guard let pointer = argument else { return nil }
        #endif
        (Unmanaged<AnyObject>.fromOpaque(pointer).takeRetainedValue() as? any PieceRunning)?.run()
        return nil
      }, argument.toOpaque())
    guard status == 0 else {
      argument.release()
      return nil
    }
    return thread
  }
}

/// What a thread runs, whatever the type of its results: a C function can know no generic type.
private protocol PieceRunning: AnyObject {
  func run()
}

extension OrderedWork: PieceRunning {
  fileprivate func run() { runPieces() }
}
