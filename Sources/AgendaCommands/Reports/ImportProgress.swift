internal import AgendaKit

/// Shows the progress of an import on standard error, if that is a terminal and the import takes
/// longer than a second.
final class ImportProgress {
  private let messages: Messages
  private let isShown: Bool
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var last: ContinuousClock.Instant
  private var hasWritten = false

  private static let delay = Duration.seconds(1)
  private static let pause = Duration.milliseconds(100)

  init(_ run: CommandRun, isQuiet: Bool) {
    messages = run.messages
    isShown = !isQuiet && run.environment.errorIsTerminal()
    start = clock.now
    last = start
  }

  func show(_ progress: SourceProgress) {
    guard isShown, clock.now - start > Self.delay, clock.now - last > Self.pause else { return }
    last = clock.now
    hasWritten = true
    switch progress {
    case .importing(let source, let done, let count):
      messages.showProgress("\(source): \(done) of \(count)")
    case .fetching(let done, let count, let pending):
      let waiting = pending.map { ", waiting for \($0)" } ?? ""
      messages.showProgress("\(done) of \(count) fetched\(waiting)")
    }
  }

  /// Leaves the line empty.
  func end() {
    if hasWritten { messages.showProgress("") }
  }
}
