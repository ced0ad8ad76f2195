internal import SystemLibrary

/// The clock of the system, and the processor time that this process and thread have used.
package enum SystemClock {
  package static var secondsSinceEpoch: Int { Int(time(nil)) }

  /// User and system time of this process.
  package static var processorTime: Duration { reading(CLOCK_PROCESS_CPUTIME_ID) }

  /// User and system time of the calling thread.
  package static var processorTimeOfThread: Duration { reading(CLOCK_THREAD_CPUTIME_ID) }

  private static func reading(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
  }
}
