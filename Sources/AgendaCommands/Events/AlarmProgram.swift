internal import AgendaCore
internal import AgendaRendering
internal import CivilTime
internal import Phrases
internal import Platform
internal import Synchronization

/// An alarm that goes off, in the words that are shown.
struct AlarmNotice: Sendable {
  let key: AlarmHistory.Key
  let now: Instant
  let title: String
  let time: String
  let place: String
  let json: [UInt8]

  init(_ alarm: DueAlarm, _ words: TimeWords, at now: Instant) {
    let text = AlarmText(words, today: words.zone.civil(at: now).date)
    key = AlarmHistory.Key(alarm)
    self.now = now
    title = text.title(alarm)
    time = text.time(alarm)
    place = text.place(alarm)
    json = ByteSink.bytes(of: { sink in
      text.list.writeObject(alarm, to: &sink)
      sink.write("\n")
    })
  }
}

/// The program that shows alarms: notify-send, or a command of the user.
struct AlarmProgram: Sendable {
  enum Outcome: Sendable {
    case shown
    /// The user wants to see it again after so many seconds.
    case snoozed(Int)
    case failed(String)
  }

  let command: String?
  /// In seconds.
  let snooze: Int
  /// The text of the button.
  let snoozeLabel: String

  static let usualSnooze = 5 * 60
  private static let notifySend = "notify-send"

  /// Shows an alarm. With `waits`, a notification has a button, and this waits for the user.
  func show(_ notice: AlarmNotice, waits: Bool) -> Outcome {
    // No program can take the title for an option.
    let texts = [notice.title, notice.time, notice.place].map { $0.hasPrefix("-") ? " \($0)" : $0 }
    if let command {
      // The texts are arguments of the shell, never part of its program.
      let call = ProgramCall(
        "/bin/sh", ["-c", "\(command) \"$@\"", "agenda"] + texts, isRead: true, ownGroup: true)
      return outcome(of: call.run(input: notice.json), named: "--command")
    }
    let body = texts.dropFirst().filter { !$0.isEmpty }.joined(separator: " · ")
    let plain = ["--app-name=agenda", "--", texts[0], body]
    if waits {
      // Before 0.8, libnotify's program has no buttons.
      let call = ProgramCall(
        Self.notifySend, ["--wait", "--action=snooze=\(snoozeLabel)"] + plain, isRead: true)
      if case .ended(status: 0, let output, _) = call.run(input: []) { return answer(output) }
    }
    let call = ProgramCall(Self.notifySend, plain, isRead: true)
    return outcome(of: call.run(input: []), named: Self.notifySend)
  }

  private func outcome(of call: ProgramCall.Outcome, named name: String) -> Outcome {
    switch call {
    case .ended(status: 0, let output, _): return answer(output)
    case .ended(let status, _, let errors):
      let reason = errors.split(whereSeparator: \.isNewline).first.map { ": \($0)" } ?? ""
      return .failed("\(name) ended with status \(status)\(reason)")
    case .notStarted(let reason):
      return .failed(
        "\(name) cannot be started (\(reason)); install it, or set --command to another program")
    case .timedOut: return .failed("\(name) did not end")
    }
  }

  /// `snooze`, or `snooze 10m`.
  private func answer(_ output: [UInt8]) -> Outcome {
    let line = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline).first
    guard let line, line == "snooze" || line.hasPrefix("snooze ") else { return .shown }
    guard let length = LengthText(String(line.dropFirst("snooze ".count))) else {
      return .snoozed(snooze)
    }
    return .snoozed(length.days * TimeOfDay.secondsPerCivilDay + length.seconds)
  }
}

/// Why alarms could not be shown. The same reason is reported once, until an alarm is shown again.
final class NoticeFailures: Sendable {
  private struct State {
    var known: Set<String> = []
    var unreported: [String] = []
  }

  private let state = Mutex(State())

  func add(_ reason: String) {
    state.withLock { state in
      if state.known.insert(reason).inserted { state.unreported.append(reason) }
    }
  }

  func forget() { state.withLock { $0.known = [] } }

  func unreported() -> [String] {
    state.withLock { state in
      defer { state.unreported = [] }
      return state.unreported
    }
  }
}
