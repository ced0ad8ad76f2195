internal import AgendaCore
internal import AgendaKit
internal import AgendaRendering
internal import CivilTime
internal import CommandLineOptions
internal import Phrases
internal import Platform

extension AgendaCommand {
  static let notify = AgendaCommand(
    Command(
      "notify", summary: "show alarms as desktop notifications",
      discussion: [
        "It runs until it is stopped, and shows each alarm of the store once with notify-send. If the computer slept, or agenda notify did not run, the alarm is shown later. Between alarms it uses no processor time.",
        "--command runs a command of yours instead. It gets the title, the time and the place as arguments. Its standard input is the alarm as agenda alarms --format jsonl prints it. If its first line of output is snooze or snooze 10m, the alarm is shown again later. If it fails, agenda tries again after a minute.",
        "What was shown is recorded in $XDG_STATE_HOME/agenda.",
      ],
      options: [
        Options.alarmCommand, Options.defaultAlarm, Options.snooze, Options.dueOnce,
        Options.store, Options.locale,
      ] + Options.momentOptions + Options.alarmSelectionOptions,
      examples: [
        Command.Example(
          "agenda notify --default 10m", "show alarms, and every event 10 minutes before"),
        Command.Example(
          "agenda notify --once --command ~/bin/remind", "run a program for each alarm that is due"),
      ], group: "Time"),
    isPaged: false,
    arguments: NotifyArguments.init
  ) { arguments, run in
    let store = try run.filledStore(arguments.store, for: arguments.viewer)
    guard let path = run.environment.alarmRecordPath(ofStore: store.configuration.path) else {
      throw CommandError.failed("neither XDG_STATE_HOME nor HOME is set; nothing was shown")
    }
    guard let record = try AlarmRecord(at: path) else {
      throw CommandError.failed(
        "another agenda notify shows the alarms of \(store.configuration.path)")
    }
    let notifier = Notifier(arguments, record)
    if arguments.isOnce {
      try notifier.showDue(of: store, at: arguments.viewer.now, run)
    } else {
      try notifier.follow(store, run)
    }
  }
}

extension Environment {
  /// `$XDG_STATE_HOME/agenda/alarms-…`, otherwise the same below `~/.local/state`. Each store has one.
  fileprivate func alarmRecordPath(ofStore store: String) -> String? {
    var digest = StableDigest()
    digest.add(resolvedPath(ofMissing: store) ?? store)
    return statePath("alarms-" + String(digest.value, radix: 16))
  }
}

private struct NotifyArguments {
  let viewer: Viewer
  let words: TimeWords
  let store: StoreArgument
  let selection: Selection
  let program: AlarmProgram
  let isOnce: Bool
  /// In seconds.
  let defaultAlarm: Int?

  init(_ invocation: Invocation) throws(CommandError) {
    let line = invocation.line
    let request = try AgendaRequest(ofAlarms: invocation, sources: [])
    viewer = request.viewer
    selection = request.selection
    store = request.input.store
    words = TimeWords(wording: request.presentation.wording, zone: viewer.zone)
    isOnce = line.has(Options.dueOnce)
    if !isOnce, line.value(of: Options.now) != nil {
      throw .wrongUsage("--now needs --once: agenda notify follows the clock")
    }
    func seconds(_ option: Option, allowsZero: Bool = false) throws(CommandError) -> Int? {
      guard let text = line.value(of: option) else { return nil }
      guard let length = LengthText(text, allowsZero: allowsZero) else {
        throw .wrongValue(
          option, "expected a length such as 10m or 1h, got \"\(text)\"")
      }
      return length.days * TimeOfDay.secondsPerCivilDay + length.seconds
    }
    defaultAlarm = try seconds(Options.defaultAlarm, allowsZero: true)
    let snooze = try seconds(Options.snooze) ?? AlarmProgram.usualSnooze
    program = AlarmProgram(
      command: line.value(of: Options.alarmCommand), snooze: snooze,
      snoozeLabel: words.words.entries.inTime(words.wording.duration(seconds: snooze)))
  }
}

/// Shows the alarms of a store when they are due.
private struct Notifier {
  private let arguments: NotifyArguments
  private let record: AlarmRecord
  private let failures = NoticeFailures()

  /// How far ahead alarms are looked for. The store is asked again then, and when it has changed.
  private static let lookAhead = 60 * 60
  /// When an alarm is shown again that could not be shown.
  private static let retry = 60

  init(_ arguments: NotifyArguments, _ record: AlarmRecord) {
    self.arguments = arguments
    self.record = record
  }

  /// Shows what is due, one after the other.
  func showDue(of store: CalendarStore, at now: Instant, _ run: CommandRun) throws {
    var quota = AlarmQuota()
    for alarm in try quota.admitted(due(of: store, at: now).due, of: store, at: now, run) {
      let notice = AlarmNotice(alarm, arguments.words, at: now)
      take(arguments.program.show(notice, waits: false), of: notice, at: now)
    }
    report(to: run)
  }

  /// Shows alarms until the process is asked to end.
  func follow(_ store: CalendarStore, _ run: CommandRun) throws {
    // A thread that the user answers writes the record, which ends the wait.
    let watch = try FileWatch(files: [record.path], databases: [store.configuration.path])
    watch.stopOnTermination()
    var quota = AlarmQuota()
    while true {
      let now = Instant(secondsSinceEpoch: SystemClock.secondsSinceEpoch)
      let (due, all) = try due(of: store, at: now)
      for alarm in try quota.admitted(due, of: store, at: now, run) {
        start(AlarmNotice(alarm, arguments.words, at: now))
      }
      report(to: run)
      let later = now.adding(seconds: Self.lookAhead)
      let next = min(record.next(among: all, after: now) ?? later, later)
      if try watch.wait(until: next.secondsSinceEpoch) == .stopped { return }
    }
  }

  private func due(
    of store: CalendarStore, at now: Instant
  ) throws -> (due: [DueAlarm], all: [DueAlarm]) {
    let span = record.span(at: now, lookingAhead: Self.lookAhead)
    let alarms = try store.read {
      try $0.alarms(
        in: span, of: arguments.selection, zone: arguments.viewer.zone,
        defaultBefore: arguments.defaultAlarm)
    }
    return (try record.change { $0.due(among: alarms, at: now) }, alarms)
  }

  /// Shows one on a separate thread, because the user may answer much later.
  private func start(_ notice: AlarmNotice) {
    let program = arguments.program
    let isStarted = WorkerThread.start {
      let outcome = program.show(notice, waits: true)
      take(outcome, of: notice, at: Instant(secondsSinceEpoch: SystemClock.secondsSinceEpoch))
    }
    if !isStarted { take(program.show(notice, waits: false), of: notice, at: notice.now) }
  }

  private func take(_ outcome: AlarmProgram.Outcome, of notice: AlarmNotice, at now: Instant) {
    let delay: Int
    switch outcome {
    case .shown:
      failures.forget()
      return
    case .snoozed(let seconds): delay = seconds
    case .failed(let reason):
      failures.add(reason)
      delay = Self.retry
    }
    do throws(CommandError) {
      try record.change { $0.snooze(notice.key, until: now.adding(seconds: delay)) }
    } catch {
      failures.add("\(error)")
    }
  }

  private func report(to run: CommandRun) {
    for reason in failures.unreported() { run.messages.reject(reason) }
  }
}

/// How many alarms of a source are shown. A calendar of a stranger can have thousands at one moment, and each
/// starts a program.
private struct AlarmQuota {
  private static let mostPerMinute = 20
  private static let minute = 60
  /// When alarms of each source were shown in the last minute.
  private var moments: [String: [Instant]] = [:]

  /// The alarms to show now, and a message for each source about the others.
  mutating func admitted(
    _ due: [DueAlarm], of store: CalendarStore, at now: Instant, _ run: CommandRun
  ) throws -> [DueAlarm] {
    guard !due.isEmpty else { return [] }
    let sources = try store.read { calendars in
      var sources: [EventReference: String] = [:]
      for alarm in due where sources[alarm.occurrence.event.reference] == nil {
        let event = alarm.occurrence.event
        sources[event.reference] = calendars.nameOfSource(of: event) ?? event.calendar
      }
      return sources
    }
    let lastMinute = now.adding(seconds: -Self.minute)
    for (source, shown) in moments {
      // A clock that was set back has left moments that are to come.
      moments[source] = shown.filter { lastMinute < $0 && $0 <= now }
    }
    var admitted: [DueAlarm] = []
    var leftOut: [String: Int] = [:]
    for alarm in due {
      let source = sources[alarm.occurrence.event.reference] ?? ""
      if moments[source, default: []].count < Self.mostPerMinute {
        moments[source, default: []].append(now)
        admitted.append(alarm)
      } else {
        leftOut[source, default: 0] += 1
      }
    }
    for (source, count) in leftOut.sorted(by: { $0.key < $1.key }) {
      run.messages.reject(
        "\(source): \(count) more alarms are due; agenda shows at most \(Self.mostPerMinute) a minute "
          + "of one source, and left these out; agenda alarms lists alarms")
    }
    return admitted
  }
}
