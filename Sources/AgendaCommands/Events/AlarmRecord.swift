internal import AgendaCore
internal import CivilTime
internal import Platform
internal import Synchronization

/// The history of shown alarms in a file, so that the next run knows it. One process at a time has it.
final class AlarmRecord: Sendable {
  /// Each alarm of the last day has a line.
  private static let mostBytes = 64 << 20

  let path: String
  private let history: Mutex<AlarmHistory>
  private let lock: LockFile

  /// `nil` if another process shows the alarms of this store.
  init?(at path: String) throws(CommandError) {
    self.path = path
    do throws(SystemError) {
      if let slash = path.lastIndex(of: "/") {
        try FileAccess.createFolders(String(path[..<slash]))
      }
      guard let lock = try LockFile(path: path + ".lock") else { return nil }
      self.lock = lock
    } catch {
      throw .failed("\(path).lock: \(error)")
    }
    switch TextFile.read(path, atMost: Self.mostBytes) {
    case .text(let text): history = Mutex(AlarmHistory(text: text))
    case .absent: history = Mutex(AlarmHistory())
    case .failed(let reason): throw .failed("\(path): \(reason)")
    }
  }

  /// Changes the history, and writes it if it differs.
  func change<Answer: Sendable>(
    _ change: (inout AlarmHistory) -> sending Answer
  ) throws(CommandError) -> Answer {
    // A thread that the user answers may write at the same time.
    try history.withLock { history throws(CommandError) in
      let before = history
      let answer = change(&history)
      if history.differs(from: before) { try write(history.text) }
      return answer
    }
  }

  func next(among alarms: [DueAlarm], after now: Instant) -> Instant? {
    history.withLock { $0.next(among: alarms, after: now) }
  }

  func span(at now: Instant, lookingAhead seconds: Int) -> Range<Instant> {
    history.withLock { $0.span(at: now, lookingAhead: seconds) }
  }

  private func write(_ text: String) throws(CommandError) {
    let temporary = path + ".new"
    // A run that was killed can have left one.
    removeFile(temporary)
    do throws(SystemError) {
      let file = try NewFile(temporaryPath: temporary, permissions: 0o600)
      try file.write(Array(text.utf8))
      try file.finish(as: path)
    } catch {
      throw .failed("\(path): \(error)")
    }
  }
}

extension AlarmHistory {
  /// Whether it must be written. A few minutes more since the last check are not enough: `agenda notify`
  /// would write each time it checks, and wake itself by that.
  fileprivate func differs(from other: AlarmHistory) -> Bool {
    guard let lastCheck, let before = other.lastCheck else { return true }
    return shown != other.shown || snoozed != other.snoozed
      || abs(lastCheck.secondsSinceEpoch - before.secondsSinceEpoch) >= 10 * 60
  }

  /// One line for each fact: `shown 3f9a2c71 2026-11-21T09:20:00Z`.
  var text: String {
    func time(_ moment: Instant) -> String { moment.rfc3339(in: .utc) }
    var lines = shown.map { "shown \($0.occurrence) \(time($0.moment))" }
    lines += snoozed.map { "snoozed \($0.occurrence) \(time($0.moment)) \(time($1))" }
    let checked = lastCheck.map { ["checked \(time($0))"] } ?? []
    return (checked + lines.sorted()).map { $0 + "\n" }.joined()
  }

  /// Lines that are damaged are ignored: at worst an alarm is shown twice.
  init(text: String) {
    var lastCheck: Instant?
    var shown: Set<Key> = []
    var snoozed: [Key: Instant] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      let times = words.compactMap { Instant(rfc3339: $0) }
      switch (words.first, times.count) {
      case ("checked", 1): lastCheck = times[0]
      case ("shown", 1): shown.insert(Key(occurrence: words[1], moment: times[0]))
      case ("snoozed", 2): snoozed[Key(occurrence: words[1], moment: times[0])] = times[1]
      default: continue
      }
    }
    self.init(lastCheck: lastCheck, shown: shown, snoozed: snoozed)
  }
}
