internal import AgendaCore
internal import AgendaRendering
package import CivilTime
internal import Platform
internal import Synchronization

/// Reads calendars and changes them for a browser. Each belongs to one thread.
package protocol BrowserWorker: AnyObject {
  /// The calendars may be others now.
  func forget()
  func calendars() throws -> [BrowserCalendar]
  /// If there is a limit, only the first entries of each day.
  func days(in window: DateWindow, hidden: Set<String>, atMost: Int?) throws -> DaysPart
  func busyTimes(in window: DateWindow, hidden: Set<String>) throws -> BusyPart
  func tasks(hidden: Set<String>) throws -> [BrowserTask]
  /// Whether the calendars are damaged, so that the browser ends.
  func isLoss(_ error: any Error) -> Bool
  /// Does what a person asked for. `progress` is called with lines about work that takes long.
  func answer(_ command: BrowserCommand, progress: @escaping (String) -> Void) -> BrowserAnswer
}

/// A browser on the terminal of the process. The loop takes keys and draws; three threads read, write and
/// refresh calendars, so that keys work at all times.
package final class BrowserSession {
  private var state: BrowserState
  private var writer: ScreenWriter
  private var parser = InputParser()
  private let terminal: RawTerminal
  private let clock: (() -> Instant)?
  /// Does what uses the terminal.
  private let foreground: any BrowserWorker
  private let reading: Thread
  private let writing: Thread
  /// A server can be slow, and changes do not wait for it.
  private let refreshing: Thread
  /// What went wrong with changes that were made after the screen was given back.
  package private(set) var lateFailures: [String] = []
  /// Why it ended although nobody asked for it.
  package private(set) var loss: String?
  private let mailbox: Mailbox
  private var exitStatus: Int32?
  /// The changes whose answers are waited for.
  private var changes: Set<Int> = []

  /// What other threads have found.
  private final class Mailbox: Sendable {
    private let events = Mutex<[BrowserEvent]>([])
    private let waker: RawTerminal.Waker

    init(_ waker: RawTerminal.Waker) { self.waker = waker }

    func put(_ event: BrowserEvent) {
      events.withLock { $0.append(event) }
      waker.wake()
    }

    func take() -> [BrowserEvent] {
      events.withLock { events in
        defer { events = [] }
        return events
      }
    }
  }

  private enum Work: Sendable {
    case calendars
    case forget
    case request(BrowserRequest)
  }

  /// A thread with its own worker.
  private struct Thread: Sendable {
    let queue = WorkQueue<Work>()

    init?(_ makeWorker: @escaping @Sendable () -> any BrowserWorker, _ mailbox: Mailbox) {
      let isStarted = WorkerThread.start { [queue] in
        let worker = makeWorker()
        while let work = queue.next() { Self.run(work, worker, mailbox) }
      }
      guard isStarted else { return nil }
    }

    private static func run(_ work: Work, _ worker: any BrowserWorker, _ mailbox: Mailbox) {
      do {
        switch work {
        case .calendars: mailbox.put(.calendars(try worker.calendars()))
        case .forget: worker.forget()
        case .request(.load(let window, let hidden, let generation, let most)):
          let part = try worker.days(in: window, hidden: hidden, atMost: most)
          mailbox.put(.loaded(part, generation: generation))
        case .request(.loadBusy(let window, let hidden, let generation)):
          let part = try worker.busyTimes(in: window, hidden: hidden)
          mailbox.put(.loadedBusy(part, generation: generation))
        case .request(.loadTasks(let hidden, let generation)):
          mailbox.put(.tasks(try worker.tasks(hidden: hidden), generation: generation))
        case .request(.run(let command, let number)):
          let answer = worker.answer(command) { mailbox.put(.progress($0)) }
          if command.takesLong { mailbox.put(.progress(nil)) }
          mailbox.put(.answered(answer, to: number))
        case .request: break
        }
      } catch {
        mailbox.put(worker.isLoss(error) ? .lost("\(error)") : .failed("\(error)"))
      }
    }
  }

  /// Why the screen cannot be used.
  package struct Obstacle: Error { package let reason: String }

  /// `clock` is `nil` if the time stands still. `keyboard` is whether the terminal has kitty's keyboard
  /// protocol.
  package init(
    _ settings: BrowserSettings, now: Instant, clock: (() -> Instant)?, keyboard: Bool,
    worker makeWorker: @escaping @Sendable () -> any BrowserWorker
  ) throws(Obstacle) {
    do throws(SystemError) {
      // The alternate screen, no cursor, no wrapping of lines, mouse reports while a button is pressed,
      // bracketed paste.
      terminal = try RawTerminal(
        start: "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[?1002h\u{1b}[?1006h\u{1b}[?2004h"
          + (keyboard ? "\u{1b}[>1u" : ""),
        end: (keyboard ? "\u{1b}[<u" : "")
          + "\u{1b}[?2004l\u{1b}[?1006l\u{1b}[?1002l\u{1b}[?7h\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l")
    } catch {
      throw Obstacle(reason: "\(error)")
    }
    mailbox = Mailbox(terminal.waker)
    guard let reading = Thread(makeWorker, mailbox), let writing = Thread(makeWorker, mailbox),
      let refreshing = Thread(makeWorker, mailbox)
    else {
      throw Obstacle(reason: "\(SystemError.last)")
    }
    (self.reading, self.writing, self.refreshing) = (reading, writing, refreshing)
    foreground = makeWorker()
    let size = terminal.size
    state = BrowserState(settings, now: now, columns: size.columns, rows: size.rows)
    writer = ScreenWriter(depth: settings.color)
    self.clock = clock
  }

  /// Reports that calendars have changed, from any thread.
  package var reportChange: @Sendable () -> Void {
    let mailbox = mailbox
    return { mailbox.put(.changed) }
  }

  /// How long a picture waits for days that are being read, so that it needs not be drawn twice.
  private static let patience = Duration.milliseconds(8)
  private static let firstPatience = Duration.milliseconds(28)
  /// After an escape without more, it is the key.
  private static let escapeMilliseconds = 30

  /// Shows the browser until it ends. The result is the exit status.
  package func run() -> Int32 {
    terminal.enter()
    defer {
      terminal.leave()
      reading.queue.close()
      refreshing.queue.close()
      // What a person has asked for is done, also if the answer is not seen.
      writing.queue.finish()
      for case .answered(let answer, _) in mailbox.take() where answer.hasFailed {
        lateFailures.append(answer.text)
      }
    }
    reading.queue.add(.calendars)
    handle(.resized(columns: state.columns, rows: state.rows))
    var deadline: ContinuousClock.Instant? = .now + Self.firstPatience
    while true {
      if let exitStatus { return exitStatus }
      let isPatient = deadline.map { $0 > .now } ?? false
      if !state.awaitsDays || !isPatient {
        draw()
        deadline = nil
        if state.hasUnseenPrompt {
          // These keys were typed before the question was on the screen.
          if terminal.hasInput {
            receive([.input])
            continue
          }
          handle(.drawn)
        }
      }
      receive(terminal.wait(milliseconds: pause(until: deadline)))
      // Keys that were typed at once are one picture.
      var count = 0
      while terminal.hasInput, count < 64, exitStatus == nil {
        receive([.input])
        count += 1
      }
      if state.awaitsDays, deadline == nil { deadline = .now + Self.patience }
    }
  }

  private func pause(until deadline: ContinuousClock.Instant?) -> Int {
    if parser.isWaiting { return Self.escapeMilliseconds }
    if let deadline {
      let rest = deadline - .now
      let parts = rest.components
      return max(0, Int(parts.seconds) * 1000 + Int(parts.attoseconds / 1_000_000_000_000_000) + 1)
    }
    guard let clock else { return -1 }
    let minute = 60
    return (minute - clock().secondsSinceEpoch % minute) * 1000
  }

  private func receive(_ events: [RawTerminal.Event]) {
    for event in events {
      switch event {
      case .input:
        guard let bytes = terminal.read() else {
          exitStatus = 128 + RawTerminal.hangUp
          return
        }
        for input in parser.read(bytes) { handle(.input(input)) }
      case .time:
        if parser.isWaiting { for input in parser.finish() { handle(.input(input)) } }
      case .resized:
        let size = terminal.size
        handle(.resized(columns: size.columns, rows: size.rows))
      case .suspended: suspend()
      case .continued:
        // Another program may have changed the terminal.
        terminal.leave()
        terminal.enter()
        resume()
      case .woken: for event in mailbox.take() { receive(event) }
      case .ended(let signal): exitStatus = 128 + signal
      }
    }
    if let clock {
      let now = clock()
      if now.secondsSinceEpoch / 60 != state.now.secondsSinceEpoch / 60 { handle(.time(now)) }
    }
  }

  private func receive(_ event: BrowserEvent) {
    switch event {
    case .changed: forget()
    case .lost(let reason):
      loss = reason
      exitStatus = 1
      // What is being typed is not lost with the screen.
      if case .line(let line) = state.prompt, !line.editor.text.isEmpty {
        lateFailures.append("\(line.label): \(line.editor.text)")
      }
    // The other threads need not wait until the change is noticed.
    case .answered(_, let number) where changes.remove(number) != nil: forget()
    default: break
    }
    handle(event)
  }

  private func forget() {
    foreground.forget()
    for thread in [reading, writing, refreshing] { thread.queue.add(.forget) }
    reading.queue.add(.calendars)
  }

  private func suspend() {
    terminal.suspend()
    resume()
  }

  private func resume() {
    writer.forget()
    let size = terminal.size
    handle(.resized(columns: size.columns, rows: size.rows))
  }

  private func handle(_ event: BrowserEvent) {
    for request in state.handle(event) { perform(request) }
  }

  private func perform(_ request: BrowserRequest) {
    switch request {
    case .load, .loadBusy, .loadTasks: reading.queue.add(.request(request))
    case .run(let command, let number):
      if command.usesTerminal {
        terminal.leave()
        let answer = foreground.answer(command) { _ in }
        terminal.enter()
        resume()
        receive(.changed)
        handle(.answered(answer, to: number))
      } else if command.writes {
        changes.insert(number)
        if command.takesLong { handle(.progress(state.texts.refresh)) }
        (command.takesLong ? refreshing : writing).queue.add(.request(request))
      } else {
        reading.queue.add(.request(request)) { waiting in
          if case .request(.run(let other, _)) = waiting { command.replaces(other) } else { false }
        }
      }
    case .suspend: suspend()
    case .redraw: writer.forget()
    case .quit: exitStatus = 0
    }
  }

  private func draw() {
    let bytes = writer.bytes(for: BrowserFrame(state))
    if !bytes.isEmpty { terminal.write(bytes) }
  }
}

extension BrowserCommand {
  /// Whether it runs a program that a person uses on the terminal.
  var usesTerminal: Bool {
    switch self {
    case .editText, .launch: true
    default: false
    }
  }

  /// Whether it changes calendars.
  var writes: Bool {
    switch self {
    case .details, .explanation, .link, .launch, .preview, .check, .invitation, .fields, .find,
      .conflict, .editText:
      false
    case .remove(_, _, let isTrial): !isTrial
    case .add, .edit, .move, .complete, .reply, .undo, .redo, .refresh, .resolve: true
    }
  }

  var takesLong: Bool { self == .refresh }

  /// Whether the answer to an earlier command is of no interest any more.
  func replaces(_ other: BrowserCommand) -> Bool {
    switch (self, other) {
    case (.preview, .preview), (.find, .find): true
    default: false
    }
  }
}
