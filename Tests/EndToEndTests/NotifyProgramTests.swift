import Foundation
import TestSupport
import Testing

/// `agenda notify` on the built program, which waits for alarms while other processes change the store.
@Suite("notify")
struct NotifyProgramTests {
  private let folder: ScratchFolder
  private let store: String

  init() throws {
    folder = try ScratchFolder()
    store = folder.url.appendingPathComponent("agenda.sqlite").path
  }

  private var environment: [String: String] {
    ["AGENDA_STORE": store, "XDG_STATE_HOME": folder.url.appendingPathComponent("state").path]
  }

  private func addEvent(_ title: String, alarmIn seconds: Int) throws {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
    let moment = formatter.string(from: Date().addingTimeInterval(Double(seconds)))
    try folder.write(
      "\(title).ics",
      calendar(
        event(
          title, "DTSTART:\(moment)", "DURATION:PT1H", "SUMMARY:\(title)", "BEGIN:VALARM",
          "ACTION:DISPLAY", "TRIGGER:PT0S", "END:VALARM")))
    try AgendaRun(["import", "-q", "\(title).ics"], environment: environment, in: folder.url)
      .expect(0)
  }

  private func start(_ command: String) throws -> Process {
    let process = Process()
    process.executableURL = AgendaRun.program
    process.arguments = ["notify", "--command", command, "--timezone", "Europe/Berlin"]
    process.environment = AgendaRun.bareEnvironment.merging(environment) { $1 }
    process.currentDirectoryURL = folder.url
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private var shown: [String] {
    let file = folder.url.appendingPathComponent("shown")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// Waits up to two minutes.
  private func wait(until isTrue: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<12_000 {
      if try isTrue() { return true }
      usleep(10_000)
    }
    return false
  }

  @Test("shows what comes, also from another process, puts off, and never twice after a restart")
  func running() throws {
    try addEvent("First", alarmIn: 2)
    // The first time, it is put off for a second.
    let command =
      "cat > /dev/null; test -e snoozed || echo snooze 1s; touch snoozed; "
      + "show() { echo \"$1\" >> shown; }; show"
    var process = try start(command)
    defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    #expect(wait { shown == ["First", "First"] }, "\(shown)")
    try addEvent("Second", alarmIn: 2)
    #expect(wait { shown == ["First", "First", "Second"] }, "\(shown)")
    // A second one would show everything twice.
    let other = try AgendaRun(["notify", "--once"], environment: environment, in: folder.url)
    #expect(other.status == 1 && other.errors.contains("another agenda notify"), "\(other)")
    process.terminate()
    #expect(wait { !process.isRunning })
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)

    // What goes off meanwhile is shown by the next one; what was shown is not.
    try addEvent("Third", alarmIn: 1)
    sleep(2)
    process = try start(command)
    #expect(wait { shown.last == "Third" }, "\(shown)")
    try addEvent("Fourth", alarmIn: 1)
    #expect(wait { shown == ["First", "First", "Second", "Third", "Fourth"] }, "\(shown)")
    process.terminate()
    #expect(wait { !process.isRunning })
  }
}
