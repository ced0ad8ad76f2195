import Platform

/// The processor time of the calling thread in seconds: what other programs do meanwhile does not
/// count.
enum ThreadTime {
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
