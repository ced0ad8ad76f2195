/// How far an import is, on standard error if that is a terminal, and only where it takes longer
/// than a second.
final class ImportProgress {
  private let messages: Messages
  private let isShown: Bool
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var last: ContinuousClock.Instant
  private var source = ""
  private var count = 0
  private var hasWritten = false

  private static let delay = Duration.seconds(1)
  private static let pause = Duration.milliseconds(100)

  init(_ invocation: Invocation, isQuiet: Bool) {
    messages = invocation.messages
    isShown = !isQuiet && invocation.environment.errorIsTerminal()
    start = clock.now
    last = start
  }

  func begin(_ source: String, count: Int) {
    self.source = source
    self.count = count
  }

  func tell(_ done: Int) {
    guard isShown, clock.now - start > Self.delay, clock.now - last > Self.pause else { return }
    last = clock.now
    hasWritten = true
    messages.showProgress("\(source): \(done) of \(count)")
  }

  /// Leaves the line empty.
  func end() {
    if hasWritten { messages.showProgress("") }
  }
}
