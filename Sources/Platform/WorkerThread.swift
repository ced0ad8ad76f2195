internal import SystemLibrary

/// A thread that runs one closure.
package struct WorkerThread {
  private let thread: pthread_t

  /// Starts the thread; `nil` if the system cannot start one. Then `body` is not run.
  init?(_ body: @escaping @Sendable () -> Void) {
    let argument = Unmanaged.passRetained(Body(body))
    #if canImport(Darwin)
      var identifier: pthread_t?
    #else
      var identifier = pthread_t()
    #endif
    let status = pthread_create(
      &identifier, nil,
      { argument in
        #if canImport(Darwin)
          let pointer = argument
        #else
          guard let pointer = argument else { return nil }
        #endif
        Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    #if canImport(Darwin)
      guard status == 0, let identifier else {
        argument.release()
        return nil
      }
    #else
      guard status == 0 else {
        argument.release()
        return nil
      }
    #endif
    thread = identifier
  }

  /// Runs a closure on a new detached thread. Returns whether the system could start one.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let worker = WorkerThread(body) else { return false }
    pthread_detach(worker.thread)
    return true
  }

  /// Waits until the closure has returned.
  func join() { pthread_join(thread, nil) }

  /// A C function takes a pointer to an object, not a closure.
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
