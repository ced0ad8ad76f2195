internal import SystemLibrary

/// Limits that this process sets for itself. It cannot raise them again.
package enum ProcessLimits {
  package static func forbidCoreDumps() { limit(RLIMIT_CORE, to: 0) }
  package static func forbidWritingFiles() { limit(RLIMIT_FSIZE, to: 0) }
  package static func limitMemory(to bytes: UInt64) { limit(RLIMIT_AS, to: bytes) }

  /// Ends the process when it has used this much processor time.
  package static func limitProcessorTime(toSeconds seconds: UInt64) {
    limit(RLIMIT_CPU, to: seconds)
  }

  /// Ends the process when it has used this much more processor time, rounded up, and at the latest
  /// after `most` seconds in all.
  package static func limitProcessorTime(toFurtherSeconds seconds: UInt64, most: UInt64) {
    let used = SystemClock.processorTime.components.seconds
    limit(RLIMIT_CPU, to: UInt64(used) + 1 + seconds, most: most)
  }

  /// From here on no file, socket or process can be opened.
  package static func forbidOpening() {
    limit(RLIMIT_NOFILE, to: 0)
    limit(processes, to: 0)
  }

  #if canImport(Glibc)
    private typealias Resource = __rlimit_resource
    private static let processes = __RLIMIT_NPROC
  #else
    private typealias Resource = Int32
    private static let processes = RLIMIT_NPROC
  #endif

  /// Every process may lower a limit. A system that does not know this limit ignores it.
  private static func limit(_ resource: Resource, to value: UInt64, most: UInt64? = nil) {
    var limit = rlimit()
    limit.rlim_cur = rlim_t(value)
    limit.rlim_max = rlim_t(most ?? value)
    #if canImport(Glibc)
      _ = setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    #else
      _ = setrlimit(resource, &limit)
    #endif
  }
}
