internal import SystemLibrary

/// Pieces of work that other threads do ahead of the caller, which takes the results in order. They
/// are never more than a few pieces ahead. A caller that would have to wait does a piece itself.
///
/// Unchecked because `results`, `spent`, `next`, `taken` and `isStopped` are used only under the
/// mutex, and `threads` only by the caller.
package final class OrderedWork<Result: Sendable>: @unchecked Sendable {
  private let count: Int
  private let ahead: Int
  private let work: @Sendable (Int) -> Result
  private var results: [Int: Result] = [:]
  /// Results that the caller has used.
  private var spent: [Result] = []
  private var next = 0
  private var taken = 0
  private var isStopped = false
  private var threads: [WorkerThread] = []
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(
    pieces count: Int, threads: Int, ahead: Int, work: @escaping @Sendable (Int) -> Result
  ) {
    self.count = count
    self.ahead = max(1, ahead)
    self.work = work
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
    for _ in 0..<min(threads, count) {
      if let thread = WorkerThread({ self.runPieces() }) { self.threads.append(thread) }
    }
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(changed)
    mutex.deallocate()
    changed.deallocate()
  }

  /// The result of the next piece; `nil` after the last one.
  package func take() -> Result? {
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

  /// Hands a result back, so that a thread which makes results frees it: memory that one thread
  /// allocates and another frees makes both wait for each other.
  package func giveBack(_ result: consuming Result) {
    guard !threads.isEmpty else { return }
    pthread_mutex_lock(mutex)
    spent.append(result)
    pthread_mutex_unlock(mutex)
  }

  /// Ends the threads after the pieces that they are doing.
  package func stop() {
    pthread_mutex_lock(mutex)
    isStopped = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
    for thread in threads { thread.join() }
    threads = []
  }

  private func runPieces() {
    pthread_mutex_lock(mutex)
    while !isStopped, next < count {
      if spent.isEmpty {
        if !doNextPiece() { pthread_cond_wait(changed, mutex) }
      } else {
        // Others had the mutex meanwhile: the condition of the loop is checked again.
        freeSpent()
      }
    }
    pthread_mutex_unlock(mutex)
  }

  /// Called under the mutex, which is unlocked meanwhile.
  private func freeSpent() {
    var results: [Result] = []
    swap(&results, &spent)
    pthread_mutex_unlock(mutex)
    results.removeAll()
    pthread_mutex_lock(mutex)
  }

  /// Called under the mutex, which is unlocked during the work. Returns `false` if no piece may be done
  /// yet.
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
}
