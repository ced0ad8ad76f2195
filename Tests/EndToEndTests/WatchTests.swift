import Foundation
import TestSupport
import Testing

/// `agenda watch` on the built program, which waits while other processes change the store.
@Suite("watch")
struct WatchTests {
  private let folder: ScratchFolder
  private let store: String

  init() throws {
    folder = try ScratchFolder()
    store = folder.url.appendingPathComponent("data/agenda.sqlite").path
  }

  private func agenda(_ arguments: String...) throws -> AgendaRun {
    try AgendaRun(
      arguments, environment: ["AGENDA_STORE": store], in: folder.url)
  }

  private func importCalendar(_ titles: [String]) throws {
    let events = titles.map { event($0, "DTSTART:20261123T090000Z", "SUMMARY:\($0)") }
    try folder.write("x.ics", calendar(events))
    let run = try agenda("import", "x.ics", "--calendar", "C", "--allow-shrink")
    try #require(run.status == 0, "\(run.errors)")
  }

  /// Lines of a running `agenda watch`, as they come.
  private final class Watch {
    let process = Process()
    private let pipe = Pipe()
    private var rest = Data()

    init(_ arguments: [String], store: String, folder: URL) throws {
      process.executableURL = AgendaRun.program
      process.arguments = ["watch"] + arguments + ["--timezone", "Europe/Berlin"]
      process.environment = AgendaRun.bareEnvironment.merging(["AGENDA_STORE": store]) { $1 }
      process.currentDirectoryURL = folder
      process.standardOutput = pipe
      try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Waits for the next line, at most two minutes.
    func line() -> String? {
      while true {
        if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          defer { rest = Data(rest[rest.index(after: end)...]) }
          return String(decoding: rest[..<end], as: UTF8.self)
        }
        var waiting = pollfd(
          fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 120_000) == 1 else { return nil }
        let more = pipe.fileHandleForReading.availableData
        if more.isEmpty { return nil }
        rest += more
      }
    }

    /// Waits until the process has its notifications and sleeps.
    func waitUntilAsleep() throws {
      var sightings = 0
      for _ in 0..<3_000 where sightings < 5 {
        sightings = try isWatching() ? sightings + 1 : 0
        usleep(10_000)
      }
      #expect(sightings == 5, "agenda watch does not wait")
    }

    private func isWatching() throws -> Bool {
      let folder = "/proc/\(process.processIdentifier)"
      let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fdinfo"))
      let hasNotifications = (descriptors ?? []).contains { number in
        let text = try? String(contentsOfFile: "\(folder)/fdinfo/\(number)", encoding: .utf8)
        return text?.contains("inotify wd:") ?? false
      }
      let fields = try String(contentsOfFile: folder + "/stat", encoding: .utf8)
        .split(separator: " ")
      return hasNotifications && fields[2] == "S"
    }

    func processorTicks() throws -> Int {
      let path = "/proc/\(process.processIdentifier)/stat"
      let fields = try String(contentsOfFile: path, encoding: .utf8).split(separator: " ")
      return (Int(fields[13]) ?? 0) + (Int(fields[14]) ?? 0)
    }
  }

  private static var canSeeSleep: Bool {
    FileManager.default.isReadableFile(atPath: "/proc/self/fdinfo/0")
  }

  @Test(
    "prints the lines of changes for an import, an undo and a removal, and ends with 0",
    .enabled("no /proc/PID/fdinfo") { canSeeSleep })
  func changesAsTheyHappen() throws {
    let watch = try Watch([], store: store, folder: folder.url)
    try watch.waitUntilAsleep()
    try importCalendar(["Choir"])
    let added = try #require(watch.line())
    #expect(added + "\n" == (try agenda("changes", "-f", "jsonl").output))
    #expect(added.hasPrefix(#"{"change":"added","calendar":"C","uid":"Choir""#), "\(added)")

    try importCalendar(["Choir", "Dentist"])
    #expect(try #require(watch.line()) + "\n" == (try agenda("changes", "-f", "jsonl").output))

    #expect(try agenda("undo").status == 0)
    let undone = try #require(watch.line())
    #expect(undone.hasPrefix(#"{"change":"removed","calendar":"C","uid":"Dentist""#), "\(undone)")
    #expect(try agenda("undo").status == 0)
    let first = try #require(watch.line())
    #expect(first.hasPrefix(#"{"change":"removed","calendar":"C","uid":"Choir""#), "\(first)")

    try importCalendar(["Lunch"])
    #expect(try #require(watch.line()).contains("Lunch"))
    #expect(try agenda("remove", "--calendar", "C").status == 0)
    let removed = try #require(watch.line())
    #expect(removed.hasPrefix(#"{"change":"removed","calendar":"C","uid":"Lunch""#), "\(removed)")

    try watch.waitUntilAsleep()
    watch.process.terminate()
    for _ in 0..<12_000 where watch.process.isRunning { usleep(10_000) }
    try #require(!watch.process.isRunning)
    #expect(watch.process.terminationReason == .exit)
    #expect(watch.process.terminationStatus == 0)
  }

  @Test(
    "uses no processor time while nothing changes",
    .enabled("no /proc/PID/fdinfo") { canSeeSleep })
  func sleeps() throws {
    try importCalendar(["Choir"])
    let watch = try Watch(["--calendar", "C"], store: store, folder: folder.url)
    try watch.waitUntilAsleep()
    let before = try watch.processorTicks()
    // Reading does not count as a change.
    for _ in 0..<5 { #expect(try agenda("today").status == 0) }
    sleep(1)
    // A tick is a hundredth of a second; opening and closing the store may wake it.
    #expect(try watch.processorTicks() - before <= 2)
    try importCalendar(["Choir", "Lunch"])
    #expect(try #require(watch.line()).contains("Lunch"))
  }

  @Test(
    "several undos between two looks are all printed, the last command first",
    .enabled("no /proc/PID/fdinfo") { canSeeSleep })
  func severalUndos() throws {
    let watch = try Watch([], store: store, folder: folder.url)
    try watch.waitUntilAsleep()
    try importCalendar(["Choir"])
    try #require(watch.line() != nil)
    try importCalendar(["Choir", "Dentist"])
    #expect(try #require(watch.line()).contains("Dentist"))
    try importCalendar(["Choir", "Dentist", "Lunch"])
    #expect(try #require(watch.line()).contains("Lunch"))
    try watch.waitUntilAsleep()
    kill(watch.process.processIdentifier, SIGSTOP)
    for _ in 0..<3 { #expect(try agenda("undo").status == 0) }
    try importCalendar(["Party"])
    kill(watch.process.processIdentifier, SIGCONT)
    for (change, title) in [
      ("removed", "Lunch"), ("removed", "Dentist"), ("removed", "Choir"), ("added", "Party"),
    ] {
      let line = try #require(watch.line())
      #expect(
        line.hasPrefix(#"{"change":"\#(change)","calendar":"C","uid":"\#(title)""#), "\(line)")
    }
  }
}
