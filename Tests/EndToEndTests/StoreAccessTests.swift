import Foundation
import TestSupport
import Testing

/// A store on a full disk, and one that the user may only read: readers work as always, and writers say
/// why they cannot write and change nothing.
@Suite("stores that cannot be written")
struct StoreAccessTests {
  private let folder: ScratchFolder
  private let id: String

  private var store: URL { folder.url.appendingPathComponent("data/agenda.sqlite") }

  init() throws {
    folder = try ScratchFolder()
    try folder.write(
      "a.ics",
      calendar(
        event("choir", "SUMMARY:Choir", "DTSTART:20261123T190000Z", "RRULE:FREQ=WEEKLY;COUNT=3"),
        event("lunch", "SUMMARY:Lunch", "DTSTART:20261122T120000Z", "DURATION:PT1H")))
    let environment = ["AGENDA_STORE": "data/agenda.sqlite"]
    for arguments in [["import", "a.ics"], ["add", "mon", "Own"] + AgendaRun.pinned] {
      let run = try AgendaRun(arguments, environment: environment, in: folder.url)
      #expect(run.status == 0, "\(run)")
    }
    let rows = try AgendaRun(
      ["show", "-f", "tsv"] + AgendaRun.pinned, environment: environment, in: folder.url
    ).rows
    id = try #require(rows.first { $0["title"] == "Choir" }?["id"])
    // Commands that only read must not find a log that somebody else left.
    #expect(!FileManager.default.fileExists(atPath: store.path + "-wal"))
  }

  private var readers: [[String]] {
    let pinned = [
      ["today"], ["show"], ["show", "--tasks", "-f", "json"], ["next"], ["event", id],
      ["explain", id], ["search", "choir"], ["free"], ["tasks"], ["calendar"],
      ["alarms", "--within", "1d"],
    ].map { $0 + AgendaRun.pinned }
    return pinned + [["calendars"], ["changes"], ["export"], ["check", "a.ics"]]
  }

  private var writers: [[String]] {
    [
      ["add", "tue", "New"] + AgendaRun.pinned,
      ["edit", id, "--all", "--title", "New"] + AgendaRun.pinned,
      ["remove", "--event", "lunch"] + AgendaRun.pinned, ["remove", "--calendar", "a"],
      ["import", "a.ics"],
      ["refresh", "--force"], ["undo"], ["doctor", "--rebuild"],
    ]
  }

  /// `run` runs the program where it cannot write.
  private func expectReaders(
    _ reason: String, _ environment: [String: String] = [:],
    _ run: ([String], [String: String]) throws -> AgendaRun
  ) throws {
    let environment = environment.merging(["AGENDA_STORE": "data/agenda.sqlite"]) { $1 }
    // A writable copy says what is right.
    try FileManager.default.copyItem(
      at: store, to: folder.url.appendingPathComponent("copy.sqlite"))
    let before = try Data(contentsOf: store)
    for command in readers {
      let found = try run(command, environment)
      let right = try AgendaRun(
        command, environment: environment.merging(["AGENDA_STORE": "copy.sqlite"]) { $1 },
        in: folder.url)
      #expect(right.status == 0 && found.status == 0, "\(command): \(found)")
      #expect(found.output == right.output && found.errors == right.errors, "\(command)")
    }
    let doctor = try run(["doctor"], environment)
    #expect(doctor.status == 1 && (doctor.output + doctor.errors).contains(reason), "\(doctor)")
    // A changed source, so that an import has something to write.
    try folder.write("a.ics", calendar(event("new", "SUMMARY:New", "DTSTART:20261122T120000Z")))
    for command in writers {
      let refused = try run(command, environment)
      #expect(refused.status == 1 && refused.errors.contains(reason), "\(command): \(refused)")
      #expect(refused.output == "", "\(command)")
    }
    #expect(try Data(contentsOf: store) == before)
  }

  /// Zone rules that the store's index was not derived with.
  private func otherZones() throws -> [String: String] {
    for name in ["Europe/Berlin", "UTC"] {
      let file = URL(fileURLWithPath: "/usr/share/zoneinfo/\(name)")
      let copy = folder.url.appendingPathComponent("zones/\(name)")
      try FileManager.default.createDirectory(
        at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(contentsOf: file.resolvingSymlinksInPath()).write(to: copy)
    }
    return ["TZDIR": folder.url.appendingPathComponent("zones").path]
  }

  // Checks Decisions: Small decisions/18
  @Test(
    "a full disk", .enabled("no C compiler, or no LD_PRELOAD") { WritingFaultTests.canPreload },
    arguments: [false, true])
  func fullDisk(withOtherZones: Bool) throws {
    let preload = try #require(WritingFaultTests.preload)
    try expectReaders("the disk is full", withOtherZones ? try otherZones() : [:]) {
      let faulty = ["LD_PRELOAD": preload.path, "FAULT_KIND": "full", "FAULT_AT": "1"]
      return try AgendaRun(
        $0, environment: $1.merging(faulty) { $1 }, in: folder.url)
    }
  }

  private static let mounting = "mount --bind data data && mount -o remount,ro,bind data"

  private static var canMount: Bool {
    let folder = try? ScratchFolder()
    _ = try? folder?.write("data/x", "")
    let run = try? AgendaRun(shell: "unshare -m sh -c '\(mounting)'", in: folder?.url)
    return run?.status == 0
  }

  @Test("a store on a read-only mount", .enabled("nothing can be mounted") { canMount })
  func readOnlyMount() throws {
    try expectReaders("cannot be written: you have no permission, or it is on read-only media") {
      arguments, environment in
      let line = arguments.map { "\\\"\($0)\\\"" }.joined(separator: " ")
      return try AgendaRun(
        shell: "unshare -m sh -c \"\(Self.mounting) && exec agenda \(line)\"",
        environment: environment, in: folder.url)
    }
  }

  /// Modes do not hinder the superuser, so the program runs as somebody else then.
  private static let prefix = getuid() == 0 ? "setpriv --reuid=65534 --clear-groups " : ""

  private static var canRunAsOther: Bool {
    let version = try? AgendaRun(shell: "\(prefix)agenda --version", in: URL(fileURLWithPath: "/"))
    return version?.status == 0
  }

  // Checks Decisions: Small decisions/18
  @Test(
    "a store in a folder that the user may only read",
    .enabled("no other user can run the program") { canRunAsOther }, arguments: [false, true])
  func readOnly(withOtherZones: Bool) throws {
    let environment = withOtherZones ? try otherZones() : [:]
    func set(_ mode: Int, _ path: URL) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path.path)
    }
    let data = store.deletingLastPathComponent()
    try set(0o755, folder.url)
    try set(0o444, store)
    try set(0o555, data)
    defer { try? set(0o755, data) }
    try expectReaders("cannot be written: you have no permission", environment) {
      arguments, environment in
      let line = arguments.map { "'\($0)'" }.joined(separator: " ")
      return try AgendaRun(
        shell: "\(Self.prefix)agenda \(line)", environment: environment, in: folder.url)
    }
  }
}
