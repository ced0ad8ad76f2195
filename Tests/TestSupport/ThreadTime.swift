import Platform

/// The processor time of the calling thread in seconds: what other programs do meanwhile does not
/// count.
enum ThreadTime {
  static var now: Double {
    SystemClock.processorTimeOfThread / .seconds(1)
  }
}
