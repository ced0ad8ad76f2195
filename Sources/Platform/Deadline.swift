extension ContinuousClock.Instant {
  /// How long `poll` may wait until this deadline; `nil` if it has passed. It is rounded up, so that
  /// the last wait does not end just before the deadline.
  var millisecondsLeft: Int32? {
    let now = ContinuousClock.now
    return self > now ? Int32(clamping: Int((self - now) / .milliseconds(1)) + 1) : nil
  }
}
