import Foundation
import TestSupport
import Testing

/// Changes to events that the files of a calendar have several times: in another source of the calendar,
/// as an older version, or as another event with the same UID.
@Suite("changes to events that a calendar has several times")
struct EventCopiesTests {
  private let folder: WrittenFolder

  init() throws { folder = try WrittenFolder() }

  private func put(_ files: [String: [String]]) throws {
    for (path, components) in files {
      try folder.scratch.write("\(path).ics", calendar(components))
    }
  }

  private func shown() throws -> [String] {
    try folder.rows("run").map { "\(($0["start"] ?? "").prefix(16)) \($0["title"] ?? "")" }
  }

  /// The id of the first entry with this title, or of one that starts then.
  private func id(_ title: String = "Run", at start: String = "") throws -> String {
    try #require(
      try folder.rows("run").first {
        start.isEmpty ? $0["title"] == title : $0["start"]?.hasPrefix(start) == true
      }?["id"])
  }

  private static let run = event("run", "DTSTART:20261201T090000Z", "SUMMARY:Run")

  // MARK: Other sources of the calendar

  @Test(
    "an event of two folders has its new time once, and undo restores both files",
    arguments: ["--at", "--for", "--repeat"])
  func editedCopy(_ option: String) throws {
    try put(["a/one": [Self.run], "b/one": [Self.run]])
    _ = try folder.agenda("import", "--calendar", "c", "a", "b")
    let before = try folder.contents("a/one.ics")
    let value = ["--at": "2026-12-05 11:00", "--for": "2h", "--repeat": "daily, 2 times"]
    let run = try folder.agenda("edit", id(), option, value[option] ?? "")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
    let expected = [
      "--at": ["2026-12-05T11:00 Run"], "--for": ["2026-12-01T10:00 Run"],
      "--repeat": ["2026-12-01T10:00 Run", "2026-12-02T10:00 Run"],
    ]
    #expect(try shown() == expected[option])
    #expect(try folder.storeAgrees)
    #expect(try shown() == expected[option])
    #expect(try folder.agenda("undo").status == 0)
    #expect(try folder.contents("a/one.ics") == before)
    #expect(try shown() == ["2026-12-01T10:00 Run"])
  }

  @Test("an event that another source has is still shown, and remove says how to remove it there")
  func removedCopy() throws {
    try put(["a/one": [Self.run], "b/one": [Self.run], "single": [Self.run]])
    _ = try folder.agenda("import", "--calendar", "c", "a", "b", "single.ics")
    let id = try id()
    let places = ["a", "b", "single.ics"].map { "\(folder.path)/\($0)" }
    var rest = Set(places)
    for count in 1...3 {
      let run = try folder.agenda("remove", "--event", count == 1 ? id : "c/run")
      #expect(run.status == 0 && run.output.hasPrefix("removed Run"), "\(run)")
      #expect(try shown().count == (count < 3 ? 1 : 0))
      let named = rest.filter { run.errors.contains("\($0),") || run.errors.contains("\($0) ") }
      #expect(named.count == 3 - count, "\(run.errors)")
      let way = "agenda remove --event c/run removes it there too"
      #expect(run.errors.contains(way) == (count < 3))
      rest = named
    }
    for _ in 0..<3 { #expect(try folder.agenda("undo").status == 0) }
    #expect(try folder.names(in: "a") == ["one.ics"] && folder.names(in: "b") == ["one.ics"])
    let moved = try folder.agenda("edit", "c/run", "--calendar", "local")
    #expect(moved.errors.contains("Run is also in"), "\(moved)")
    #expect(try shown().count == 2)
  }

  // MARK: Older versions

  /// A series with two versions of an override, the older one in the same file or in another one.
  private func putVersions(_ place: String, of uid: String = "run") throws {
    let series = event(
      uid, "DTSTART:20261201T090000Z", "RRULE:FREQ=DAILY;COUNT=4", "SUMMARY:Run")
    let versions = (1...2).map {
      event(
        uid, "RECURRENCE-ID:20261202T090000Z", "DTSTART:20261202T1\($0)0000Z", "SEQUENCE:\($0)",
        "SUMMARY:Run \($0)")
    }
    let isSame = place == "same"
    try put(["a/run": isSame ? [series] + versions : [series, versions[1]]])
    if !isSame { try put(["a/old": [versions[0]]]) }
    _ = try folder.agenda("import", "a")
  }

  @Test(
    "an older version of an override goes with the newest one", arguments: ["same", "other"],
    [
      ["remove", "--event", "ID", "--only"], ["remove", "--event", "ID", "--following"],
      ["edit", "ID", "--following", "--title", "Run more"],
      ["edit", "ID", "--all", "--at", "20:00"],
      ["edit", "ID", "--all", "--repeat", ""], ["edit", "ID", "--all", "--calendar", "local"],
    ])
  func olderOverride(_ place: String, _ command: [String]) throws {
    try putVersions(place)
    let names = try folder.names(in: "a")
    let texts = try names.map { try folder.contents("a/\($0)") }
    #expect(
      try shown() == [
        "2026-12-01T10:00 Run", "2026-12-02T13:00 Run 2", "2026-12-03T10:00 Run",
        "2026-12-04T10:00 Run",
      ])
    let id = try id(at: "2026-12-02")
    let run = try folder.agenda(command.map { $0 == "ID" ? id : $0 })
    #expect(run.status == 0, "\(run)")
    let after = try shown()
    #expect(!after.contains { $0.contains("Run 1") }, "\(after)")
    #expect(try folder.storeAgrees)
    #expect(try shown() == after)
    let left = try folder.names(in: "a").map { try folder.contents("a/\($0)") }
    #expect(!left.contains { $0.contains("Run 1") })
    #expect(try folder.agenda("undo").status == 0)
    #expect(try folder.names(in: "a") == names)
    #expect(try names.map { try folder.contents("a/\($0)") } == texts)
  }

  @Test("an older version in the file of another event stays away when its event moves")
  func movedVersion() throws {
    let newer = event("run", "DTSTART:20261202T090000Z", "SEQUENCE:1", "SUMMARY:Run 1")
    let swim = event("swim", "DTSTART:20261203T090000Z", "SUMMARY:Run and swim")
    try put(["a/run": [Self.run, newer, swim]])
    _ = try folder.agenda("import", "a")
    #expect(try folder.agenda("edit", id("Run 1"), "--calendar", "local").status == 0)
    #expect(try shown() == ["2026-12-02T10:00 Run 1", "2026-12-03T10:00 Run and swim"])
    #expect(try folder.storeAgrees)
    #expect(try shown().count == 2)
  }

  // MARK: Changes by another program

  @Test(
    "undo keeps what another program wrote to the file before the change",
    arguments: [
      ["edit", "run", "--at", "12:00"], ["remove", "--event", "run"],
      ["edit", "run", "--calendar", "local"], ["edit", "run", "--title", "Run more"],
    ])
  func otherProgram(_ command: [String]) throws {
    let (swim, row) = ("DTSTART:20261203T090000Z", "DTSTART:20261204T090000Z")
    try put(["a/run": [Self.run, event("swim", swim, "SUMMARY:Run, swim")]])
    _ = try folder.agenda("import", "a")
    // The other program changes one event and adds another.
    try put([
      "a/run": [
        Self.run, event("swim", swim, "SUMMARY:Run, dive"), event("row", row, "SUMMARY:Run, row"),
      ]
    ])
    let theirs = try folder.contents("a/run.ics")
    #expect(try folder.agenda(command + ["--dry-run"]).status == 0)
    #expect(try shown().contains { $0.hasSuffix("Run, swim") })
    let run = try folder.agenda(command)
    #expect(run.status == 0, "\(run)")
    let others = ["2026-12-03T10:00 Run, dive", "2026-12-04T10:00 Run, row"]
    #expect(try shown().suffix(2) == others)
    #expect(try !folder.agenda("changes").output.contains("row"))
    #expect(try folder.agenda("undo").status == 0)
    #expect(try folder.contents("a/run.ics") == theirs)
    #expect(try shown() == ["2026-12-01T10:00 Run"] + others)
    #expect(try folder.storeAgrees)
    #expect(try shown() == ["2026-12-01T10:00 Run"] + others)
  }

  // MARK: Different events with one UID

  private func putShared() throws {
    try put([
      "a/one": [Self.run],
      "a/two": [
        event(
          "run", "DTSTART:20261202T090000Z", "SUMMARY:Run B", "ATTENDEE:mailto:ana@example.com")
      ],
      "a/three": [
        event("run", "DTSTART:20261203T090000Z", "RRULE:FREQ=DAILY;COUNT=2", "SUMMARY:Run C")
      ],
    ])
    _ = try folder.agenda("import", "a")
  }

  @Test("one of several events with a UID in different files changes, if the others stay")
  func shared() throws {
    try putShared()
    let before = try shown()
    let first = try id(at: "2026-12-01")
    let edited = try folder.agenda("edit", first, "--title", "Run A", "--for", "30m")
    #expect(edited.status == 0 && edited.output.contains(" Run A: Tuesday, 1 Dec"), "\(edited)")
    #expect(try shown() == ["2026-12-01T10:00 Run A"] + before.dropFirst())
    #expect(try folder.storeAgrees)
    // With a higher SEQUENCE, or at the time of another one, it would replace others.
    let files = try ["one", "two", "three"].map { try folder.contents("a/\($0).ics") }
    for arguments in [
      [try id("Run B"), "--at", "12:00"], [first, "--at", "2026-12-02 10:00"],
    ] {
      let run = try folder.agenda(["edit"] + arguments)
      #expect(run.status == 2)
      #expect(run.errors.contains("\(folder.path)/a have the same UID"), "\(run.errors)")
    }
    #expect(try ["one", "two", "three"].map { try folder.contents("a/\($0).ics") } == files)
    // A scope is for the series only.
    let scope = try folder.agenda("edit", id("Run C"), "--title", "Run D")
    #expect(scope.status == 2 && scope.errors.contains("--only, --following or --all"))
    #expect(try folder.agenda("edit", id("Run C"), "--all", "--title", "Run D").status == 0)
    #expect(try folder.agenda("remove", "--event", id("Run D"), "--only").status == 0)
    #expect(try folder.agenda("remove", "--event", first).status == 0)
    #expect(try folder.agenda("remove", "--event", id("Run B")).status == 0)
    #expect(try shown() == ["2026-12-04T10:00 Run D"])
    #expect(try folder.names(in: "a") == ["three.ics"])
    #expect(try folder.storeAgrees)
    for _ in 0..<5 { #expect(try folder.agenda("undo").status == 0) }
    #expect(try shown() == before)
  }

  @Test("a copy of one of several events with a UID has only that event")
  func copyOfShared() throws {
    try put(["a/t": [Self.run, event("run", "DTSTART:20261202T090000Z", "SUMMARY:Run B")]])
    _ = try folder.agenda("import", "a")
    let copy = try folder.agenda("add", "--like", id("Run B"), "--title", "Run copy")
    #expect(copy.status == 0, "\(copy)")
    #expect(try folder.starts("copy") == ["2026-12-02T10:00"])
  }
}
