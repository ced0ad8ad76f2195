import Foundation
import TestSupport
import Testing

/// An edit that is killed, or finds the disk full, at every single call that changes a file.
@Suite("edits survive kill -9 and a full disk")
struct WritingFaultTests {
  private static let event = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:x
    BEGIN:VEVENT
    UID:a
    DTSTAMP:20260101T000000Z
    DTSTART:20261124T093000Z
    SUMMARY:Old
    X-LONG:\(String(repeating: "x", count: 20_000))
    END:VEVENT
    END:VCALENDAR

    """

  /// One red pixel.
  private static let picture =
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
    ) ?? Data()

  static let preload: URL? = {
    let preload = Repository.build.appendingPathComponent("oracles/kill-at-call.so")
    let source = Repository.oracles.appendingPathComponent("kill-at-call.c")
    try? FileManager.default.createDirectory(
      at: preload.deletingLastPathComponent(), withIntermediateDirectories: true)
    guard let compiler = try? Tool("cc"),
      let run = try? compiler.run([
        "-shared", "-fPIC", "-w", "-o", preload.path, source.path, "-ldl",
      ]), run.status == 0
    else { return nil }
    return preload
  }()

  static var canPreload: Bool {
    #if os(Linux)
      preload != nil
    #else
      false
    #endif
  }

  @Test(
    "the old file or the new one, and store and folder agree after a refresh",
    .enabled("no C compiler, or no LD_PRELOAD") { canPreload }, arguments: ["kill", "full"],
    [false, true])
  func everyCall(kind: String, withPhoto: Bool) throws {
    let preload = try #require(Self.preload)
    let template = try ScratchFolder()
    try template.write("home/a.ics", Self.event)
    try Self.picture.write(to: template.url.appendingPathComponent("photo.png"))
    let options = withPhoto ? ["--photo", "photo.png"] : []
    let base = ["AGENDA_STORE": "agenda.sqlite"]
    let imported = try AgendaRun(["import", "home", "-q"], environment: base, in: template.url)
    #expect(imported.status == 0)
    let listing = try AgendaRun(
      ["show", "-f", "jsonl"] + AgendaRun.pinned, environment: base, in: template.url)
    let entry = try #require(
      try JSONSerialization.jsonObject(with: Data(listing.output.utf8)) as? [String: Any])
    let id = try #require(entry["id"] as? String)
    var isOver = false
    var number = 0
    var outcomes: Set<String> = []
    repeat {
      // Each of some hundred calls takes six runs of the program.
      number += TestSettings.includesLongTests ? 1 : withPhoto ? 23 : 11
      let scratch = try ScratchFolder()
      let folder = scratch.url.appendingPathComponent("x")
      try FileManager.default.copyItem(at: template.url, to: folder)
      // The source is known by its path.
      _ = try AgendaRun(["remove", "--calendar", "home", "-q"], environment: base, in: folder)
      _ = try AgendaRun(["import", "home", "-q"], environment: base, in: folder)
      var environment = base
      environment["LD_PRELOAD"] = preload.path
      environment["FAULT_KIND"] = kind
      environment["FAULT_AT"] = "\(number)"
      environment["FAULT_COUNT"] = folder.appendingPathComponent("count").path
      let run = try AgendaRun(
        ["edit", id, "--title", "New"] + options + AgendaRun.pinned, environment: environment,
        in: folder)
      // A program that was killed has written no number.
      let calls = try? String(
        contentsOf: folder.appendingPathComponent("count"), encoding: .utf8)
      isOver = run.status == 0 && number > calls.flatMap { Int($0.filter(\.isNumber)) } ?? .max
      let file = try String(
        contentsOf: folder.appendingPathComponent("home/a.ics"), encoding: .utf8)
      let isNew = file.contains("SUMMARY:New")
      outcomes.insert("\(run.status == 0) \(isNew)")
      #expect(isNew || file == Self.event, "\(kind) \(number)")
      #expect(file.hasSuffix("END:VCALENDAR\n"), "\(kind) \(number)")
      // Never the title without the picture, or half of the picture.
      let lines = file.replacing("\r\n", with: "\n").replacing("\n ", with: "")
      let hasPicture = lines.contains(":\(Self.picture.base64EncodedString())\n")
      #expect(hasPicture == (isNew && withPhoto), "\(kind) \(number)")
      if run.status == 0 { #expect(isNew, "\(kind) \(number)") }
      if kind == "full", run.status != 0, isNew {
        #expect(run.errors.contains("run agenda refresh"), "\(number): \(run.errors)")
      }
      // The next command, whatever it is, finds store and folder in the same state.
      let stored = try AgendaRun(
        ["show", "-f", "jsonl"] + AgendaRun.pinned, environment: base, in: folder)
      #expect(
        stored.output.contains(isNew ? "\"title\":\"New\"" : "\"title\":\"Old\""),
        "\(kind) \(number)")
      let refresh = try AgendaRun(["refresh", "-f", "json"], environment: base, in: folder)
      #expect(refresh.status == 0, "\(refresh.errors)")
      #expect(refresh.output.contains("\"updated\":0,"), "\(kind) \(number): \(refresh.output)")
      let names = try FileManager.default.contentsOfDirectory(
        atPath: folder.appendingPathComponent("home").path)
      #expect(names == ["a.ics"], "\(kind) \(number): \(names)")
    } while !isOver && number < 400
    #expect(number > 20 && number < 400)
    #expect(outcomes.contains("false false") && outcomes.contains("true true"), "\(outcomes)")
  }

  /// Imports an event in New York again and again, each time with the next call failing. The first run
  /// has no fault, and counts the calls. `check` gets the import, and runs other commands on its store. A
  /// refresh finds an event that was at another time before.
  private func importWithFaults(
    _ fault: [String: String], isRefresh: Bool = false,
    check: (_ number: Int, _ run: AgendaRun, _ agenda: ([String]) throws -> AgendaRun) throws ->
      Void
  ) throws {
    let preload = try #require(Self.preload)
    // libical decodes what has escapes.
    let event = Self.event.replacing(
      "DTSTART:20261124T093000Z",
      with: """
        DTSTART;TZID=America/New_York:20261124T093000
        LOCATION:Room 2\\, left
        CATEGORIES:a\\;b,c\\;d
        DESCRIPTION:one\\ntwo
        STATUS:confirmed
        TRANSP:opaque
        """
    ).replacing("SUMMARY:Old", with: "SUMMARY:Old\\, older").replacing("UID:a", with: "UID:a\\,b")
    var number = -1
    var calls = 0
    repeat {
      number += 1
      let folder = try ScratchFolder()
      let base = ["AGENDA_STORE": "agenda.sqlite"]
      if isRefresh {
        try folder.write("home/a.ics", event.replacing("T093000", with: "T113000"))
        _ = try AgendaRun(["import", "home", "-q"], environment: base, in: folder.url)
      }
      try folder.write("home/a.ics", event)
      let count = folder.url.appendingPathComponent("count")
      let faulty = base.merging(fault) { $1 }.merging([
        "LD_PRELOAD": preload.path, "FAULT_AT": "\(number)", "FAULT_COUNT": count.path,
      ]) { $1 }
      let command = isRefresh ? ["refresh", "-q"] : ["import", "home", "-q"]
      let run = try AgendaRun(command, environment: faulty, in: folder.url)
      if number == 0 {
        calls = Int(try String(contentsOf: count, encoding: .utf8).filter(\.isNumber)) ?? 0
      }
      try check(number, run) { try AgendaRun($0, environment: base, in: folder.url) }
    } while number < calls && number < 400
    #expect(number > 5 && number < 400)
  }

  /// Without its zone, an event is somewhere else. The index of the store must not keep that.
  @Test(
    "an import that cannot read the file of a zone is put right by the next command",
    .enabled("no C compiler, or no LD_PRELOAD") { canPreload },
    arguments: [("descriptors", false), ("unreadable", false), ("descriptors", true)])
  func unreadableZone(kind: String, isRefresh: Bool) throws {
    var succeeded = 0
    try importWithFaults(["FAULT_KIND": kind], isRefresh: isRefresh) { number, run, agenda in
      // A file of a folder that could not be read is reported, and comes with the next refresh.
      guard run.status == 0 else { return }
      succeeded += 1
      let shown = try agenda(["show", "--template", "{start:%d %H:%M %z}"] + AgendaRun.pinned)
      #expect(shown.output == "24 15:30 +0100\n", "\(kind) \(number)")
      let doctor = try agenda(["doctor"])
      #expect(doctor.status == 0, "\(kind) \(number): \(doctor.output)")
      let refresh = try agenda(["refresh", "-f", "json"])
      #expect(refresh.output.contains("\"problems\":[]"), "\(kind) \(number): \(refresh.output)")
    }
    #expect(succeeded > 3)
  }

  /// A text that libical could not decode would be empty.
  @Test(
    "an import without memory stores nothing or everything",
    .enabled("no C compiler, or no LD_PRELOAD") { canPreload })
  func withoutMemory() throws {
    var statuses: Set<Int32> = []
    let fault = ["FAULT_KIND": "memory", "FAULT_LIBRARY": "libical.so"]
    try importWithFaults(fault) { number, run, agenda in
      statuses.insert(run.status)
      #expect(run.status == 0 || run.errors.contains("out of memory"), "\(run.errors)")
      let shown = try agenda(
        ["show", "--template", "{start:%d %H:%M %z} {location}"] + AgendaRun.pinned)
      #expect(
        shown.output == (run.status == 0 ? "24 15:30 +0100 Room 2, left\n" : ""), "\(number)")
      let doctor = try agenda(["doctor"])
      #expect(doctor.status == 0, "\(number): \(doctor.output)")
    }
    #expect(statuses == [0, 1])
  }

  private static let series = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:x
    BEGIN:VEVENT
    UID:series
    DTSTAMP:20260101T000000Z
    DTSTART:20261123T093000Z
    RRULE:FREQ=DAILY;COUNT=6
    SUMMARY:Old
    END:VEVENT
    END:VCALENDAR

    """

  /// A command that was killed between two files is finished, although another program has changed the
  /// first one since.
  @Test(
    "a change is finished if another program has changed a file of it",
    .enabled("no C compiler, or no LD_PRELOAD") { canPreload })
  func changedSince() throws {
    let preload = try #require(Self.preload)
    let base = ["AGENDA_STORE": "agenda.sqlite"]
    var number = 0
    var found = 0
    while found == 0, number < 400 {
      number += 1
      let folder = try ScratchFolder()
      try folder.write("home/series.ics", Self.series)
      func agenda(_ arguments: [String], _ environment: [String: String] = [:]) throws -> AgendaRun
      {
        try AgendaRun(
          arguments, environment: base.merging(environment) { $1 }, in: folder.url)
      }
      #expect(try agenda(["import", "home", "-q"]).status == 0)
      let edit =
        ["edit", "3.1", "--following", "--title", "New", "--from", "2026-11-23"] + AgendaRun.pinned
      let killed = try agenda(
        edit,
        [
          "LD_PRELOAD": preload.path, "FAULT_KIND": "kill", "FAULT_AT": "\(number)",
          "FAULT_COUNT": folder.url.appendingPathComponent("count").path,
        ])
      if killed.status == 0 { break }
      let home = folder.url.appendingPathComponent("home")
      let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
        .filter { $0.hasSuffix(".ics") && !$0.hasPrefix(".") }
      let old = try String(contentsOf: home.appendingPathComponent("series.ics"), encoding: .utf8)
      guard names.count == 2, old == Self.series,
        let new = names.first(where: { $0 != "series.ics" })
      else { continue }
      found += 1
      let file = home.appendingPathComponent(new)
      let text = try String(contentsOf: file, encoding: .utf8)
      try text.replacing("SUMMARY:New", with: "SUMMARY:Newer")
        .write(to: file, atomically: true, encoding: .utf8)
      #expect(try agenda(["show"] + AgendaRun.pinned).status == 0)
      #expect(try agenda(["refresh"]).status == 0)
      let titles = try agenda(["show", "--template", "{start:%d} {title}"] + AgendaRun.pinned)
        .output
        .split(separator: "\n").map(String.init)
      #expect(titles == (23...28).map { "\($0) \($0 < 25 ? "Old" : "Newer")" })
    }
    #expect(found == 1)
  }

  /// A series that is split writes two files. A command that is killed between them leaves an
  /// occurrence twice, until the next command finishes the change; `undo` and `redo` in the same way. If the
  /// folder cannot be written to the disk (`sync`), the command restores what it has written.
  @Test(
    "two files are written both or not at all",
    .enabled("no C compiler, or no LD_PRELOAD") { canPreload },
    arguments: ["edit", "undo", "redo"], ["kill", "sync"])
  func twoFiles(command: String, kind: String) throws {
    let preload = try #require(Self.preload)
    let base = ["AGENDA_STORE": "agenda.sqlite"]
    let isForward = command != "undo"
    var outcomes: Set<String> = []
    var isOver = false
    var number = 0
    repeat {
      number += kind == "sync" || TestSettings.includesLongTests ? 1 : 7
      let folder = try ScratchFolder()
      try folder.write("home/series.ics", Self.series)
      func agenda(_ arguments: [String], _ environment: [String: String] = [:]) throws -> AgendaRun
      {
        try AgendaRun(
          arguments, environment: base.merging(environment) { $1 }, in: folder.url)
      }
      func listing() throws -> [String] {
        try agenda(["show", "--template", "{start:%d} {title}"] + AgendaRun.pinned).output
          .split(separator: "\n").map(String.init)
      }
      #expect(try agenda(["import", "home", "-q"]).status == 0)
      let edit =
        ["edit", "3.1", "--following", "--title", "New", "--from", "2026-11-23"] + AgendaRun.pinned
      if command != "edit" { #expect(try agenda(edit).status == 0) }
      if command == "redo" { #expect(try agenda(["undo"]).status == 0) }
      let faulty = [
        "LD_PRELOAD": preload.path, "FAULT_KIND": kind, "FAULT_AT": "\(number)",
        "FAULT_COUNT": folder.url.appendingPathComponent("count").path,
      ]
      let run = try agenda(command == "edit" ? edit : [command], faulty)
      let calls = try? String(
        contentsOf: folder.url.appendingPathComponent("count"), encoding: .utf8)
      isOver = run.status == 0 && number > calls.flatMap { Int($0.filter(\.isNumber)) } ?? .max
      let place = "\(command) \(kind) \(number)"
      let old = (23...28).map { "\($0) Old" }
      let new = (23...28).map { "\($0) \($0 < 25 ? "Old" : "New")" }
      let shown = try listing()
      #expect(shown == old || shown == new, "\(place): \(shown)")
      let names = try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appendingPathComponent("home").path)
      #expect(names.count == (shown == old ? 1 : 2), "\(place): \(names)")
      let refresh = try agenda(["refresh", "-f", "json"])
      #expect(
        refresh.status == 0 && refresh.output.contains("\"added\":0,\"updated\":0,\"removed\":0"))
      #expect(try listing() == shown, "\(place)")
      // What was finished can be undone, to the byte.
      if isForward, shown == new {
        #expect(try agenda(["undo"]).status == 0, "\(place)")
        let file = try String(
          contentsOf: folder.url.appendingPathComponent("home/series.ics"), encoding: .utf8)
        #expect(file == Self.series, "\(place)")
        #expect(try listing() == old, "\(place)")
      }
      outcomes.insert("\(run.status == 0) \(shown == new)")
    } while !isOver && number < 400
    if kind == "sync" {
      #expect(number > 2 && number < 400)
      #expect(outcomes == ["false \(!isForward)", "true \(isForward)"])
      return
    }
    #expect(number > 20 && number < 400)
    // Some were killed before the first file, some after it, and the last one not at all.
    #expect(outcomes == ["false false", "false true", "true \(isForward)"], "\(outcomes)")
  }
}
