import AgendaSources
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaStore

/// `redo` makes the store and the files as they were before `undo`.
@Suite struct RedoTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  /// Every row that a command can change, and every file of the folder.
  private func state() throws -> [String] {
    guard let store = try Store.open(reading: fixture.store) else { return [] }
    var rows: [String] = []
    for table in Schema.history {
      let statement = try store.connection.statement(
        "SELECT id, checksum, \(table.columnList) FROM \(table.name) ORDER BY id")
      while try statement.step() {
        let values = (0..<Int32(table.columns.count + 2)).map { column in
          statement.isNull(column) ? "NULL" : "\(statement.bytes(column))"
        }
        rows.append("\(table.name) \(values.joined(separator: " "))")
      }
    }
    let folder = fixture.folder.appendingPathComponent("vdir")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      rows.append("\(name) \([UInt8](try Data(contentsOf: folder.appendingPathComponent(name))))")
    }
    return rows
  }

  private static func event(_ number: Int, _ version: Int) -> String {
    TestSupport.event(
      "uid-\(number)", "DTSTAMP:20260101T000000Z",
      "DTSTART;TZID=Europe/Berlin:202611\(22 + number)T100000",
      "RRULE:FREQ=DAILY;COUNT=\(number + 1)", "SUMMARY:Event \(number)x\(version)")
  }

  private func writeFiles() throws {
    let folder = fixture.folder.appendingPathComponent("vdir")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for number in 0..<4 {
      try fixture.write("vdir/\(number).ics", calendar(Self.event(number, 0)))
    }
  }

  /// A command that changes something, chosen by a number.
  private func command(_ choice: Int, _ random: inout SeededGenerator) throws -> [String] {
    let number = Int.random(in: 0..<4, using: &random)
    let scope = ["--only", "--following", "--all"].randomElement(using: &random) ?? "--all"
    switch choice {
    case 0: return ["import"] + fixture.sources
    case 1:
      let version = Int.random(in: 1..<1000, using: &random)
      try fixture.write(
        "feed.ics",
        calendar(
          Self.event(number, version), Self.event(number + 4, version),
          properties: "X-WR-CALNAME:Feed\nCOLOR:#\(100_000 + version)"))
      return ["import", "--allow-shrink", fixture.path("feed.ics")]
    case 2: return ["import", fixture.path("feed.ics"), "--calendar", "Feed \(number)"]
    case 3: return ["import", fixture.path("vdir")]
    case 4: return ["add", "mon", "10:00", "Choir \(number)", "--calendar", "vdir"]
    case 5: return ["edit", "uid-\(number)", "--title", "Song \(number)", scope]
    case 6: return ["remove", "--event", "uid-\(number)", scope]
    case 7: return ["remove", "--calendar", "feed"]
    case 8: return ["add", "tue", "11:00", "Dinner \(number)"]
    default: return ["remove", "--source", fixture.path("vdir")]
    }
  }

  @Test(
    "redo brings back every row and file of random commands",
    arguments: 0..<UInt64(2 * TestSettings.rounds))
  func randomCommands(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try writeFiles()
    try fixture.importAll()
    fixture.run(["import", fixture.path("vdir")], isPinned: false)
    var commands = 0
    for _ in 0..<12 {
      let before = fixture.run(["undo", "--list"], isPinned: false).output
      fixture.run(try command(Int.random(in: 0..<10, using: &random), &random), isPinned: false)
      if fixture.run(["undo", "--list"], isPinned: false).output != before { commands += 1 }
    }
    try #require(commands > 2)
    var states: [[String]] = []
    for number in 0..<commands {
      states.append(try state())
      let undone = fixture.run(["undo"], isPinned: false)
      #expect(undone.status == .done, "\(undone.errors)")
      let next = try state()
      #expect(next != states[number])
    }
    // Reading changes nothing that matters. The search passes over what is not there.
    #expect(fixture.run(["search", "event"]).status == .done)
    for state in states.reversed() {
      let redone = fixture.run(["redo"], isPinned: false)
      #expect(redone.status == .done && redone.output.hasPrefix("redid: "), "\(redone)")
      let present = try self.state()
      let difference = Set(present).symmetricDifference(state).sorted().prefix(3)
      #expect(present == state, "\(difference)")
    }
    #expect(fixture.run(["redo"], isPinned: false).status == .failed)
    let health = fixture.run(["doctor"], isPinned: false)
    #expect(health.status == .done, "\(health.output)")
    // What came back is found.
    func titles(_ arguments: String...) -> Set<Substring> {
      let titles = fixture.titles(arguments).map { $0.dropFirst(3) }
      return Set(titles.filter { $0.hasPrefix("Event") })
    }
    #expect(titles("search", "event") == titles("show"))
  }

  @Test("redo brings back all that one undo took back, until the next change")
  func several() throws {
    try writeFiles()
    try fixture.importAll()
    fixture.run(["add", "mon", "10:00", "Choir"])
    fixture.run(["edit", "choir", "--title", "Song"])
    fixture.run(["edit", "song", "--location", "Hall"])
    fixture.run(["undo"], isPinned: false)
    fixture.run(["undo", "2"], isPinned: false)
    let both = fixture.run(["redo"], isPinned: false).output.split(separator: "\n")
    #expect(both.count == 4 && both[0].hasPrefix("redid: add of "), "\(both)")
    #expect(both[1] == "local: 1 entry added" && both[2].hasPrefix("redid: edit of "))
    #expect(both[3] == "local: 1 entry changed")
    #expect(fixture.titles(["show"]).contains("23 Song"))
    #expect(!fixture.run(["event", "song"]).output.contains("Hall"))
    #expect(fixture.run(["redo", "--quiet"], isPinned: false).output == "")
    #expect(fixture.run(["event", "song"]).output.contains("Hall"))
    let steps = fixture.run(["undo", "--list"], isPinned: false).output.split(separator: "\n")
    #expect(steps.count == 4)

    fixture.run(["undo"], isPinned: false)
    // An import without changes is not a change, although it writes when it ran.
    try fixture.importAll()
    fixture.run(["add", "tue", "10:00", "Dinner"])
    let late = fixture.run(["redo"], isPinned: false)
    #expect(late.status == .failed && late.output == "")
    #expect(late.errors.hasPrefix("agenda: nothing to redo"), "\(late.errors)")
    #expect(fixture.titles(["show"]).contains("24 Dinner"))
  }

  @Test("an import without changes between undo and redo does no harm")
  func unchangedImport() throws {
    try writeFiles()
    fixture.run(["import", fixture.path("vdir")], isPinned: false)
    fixture.run(["edit", "uid-1", "--title", "Song", "--all"], isPinned: false)
    let edited = try String(contentsOfFile: fixture.path("vdir/1.ics"), encoding: .utf8)
    fixture.run(["undo"], isPinned: false)
    #expect(fixture.run(["refresh"], isPinned: false).status == .done)
    let redone = fixture.run(["redo"], isPinned: false)
    #expect(redone.status == .done, "\(redone.errors)")
    #expect(fixture.titles(["show"]).contains("23 Song"))
    #expect(try String(contentsOfFile: fixture.path("vdir/1.ics"), encoding: .utf8) == edited)
    #expect(fixture.run(["doctor"], isPinned: false).status == .done)
    #expect(
      fixture.run(["refresh", "-f", "json"], isPinned: false).output.contains("\"updated\":0"))

    // A removed calendar comes back, is read again, and goes.
    fixture.run(["remove", "--calendar", "vdir"], isPinned: false)
    fixture.run(["undo"], isPinned: false)
    fixture.run(["refresh"], isPinned: false)
    #expect(fixture.run(["redo"], isPinned: false).status == .done)
    #expect(fixture.run(["calendars"], isPinned: false).output.contains("No calendars"))
    #expect(fixture.run(["doctor"], isPinned: false).status == .done)
  }

  @Test("an import that finds the old file between undo and redo does no harm")
  func confirmedImport() throws {
    func write(_ version: Int) throws {
      try fixture.write("feed.ics", calendar(Self.event(1, version)))
    }
    let importing = ["import", fixture.path("feed.ics")]
    for version in [1, 2] {
      try write(version)
      fixture.run(importing, isPinned: false)
    }
    fixture.run(["undo"], isPinned: false)
    // It notes that it has read this file, which `undo` had made the store forget.
    try write(1)
    #expect(fixture.run(importing, isPinned: false).output.contains("1 unchanged"))
    let redone = fixture.run(["redo"], isPinned: false)
    #expect(redone.status == .done, "\(redone.errors)")
    #expect(fixture.titles(["show"]).contains("23 Event 1x2"))
    let health = fixture.run(["doctor"], isPinned: false)
    #expect(health.status == .done, "\(health.output)")
    // The file has still the first version.
    #expect(
      fixture.run(["refresh", "-f", "json"], isPinned: false).output.contains("\"updated\":1"))
    #expect(fixture.titles(["show"]).contains("23 Event 1x1"))
  }

  @Test("nothing is brought back if another program has changed the file")
  func changedFile() throws {
    try writeFiles()
    fixture.run(["import", fixture.path("vdir")], isPinned: false)
    fixture.run(["edit", "uid-1", "--title", "Song", "--all"], isPinned: false)
    fixture.run(["undo"], isPinned: false)
    try fixture.write("vdir/1.ics", calendar(Self.event(1, 9)))
    let redone = fixture.run(["redo"], isPinned: false)
    #expect(redone.status == .failed)
    #expect(redone.errors.contains("1.ics"), "\(redone.errors)")
    #expect(redone.errors.contains("nothing was brought back"))
    #expect(!fixture.titles(["show"]).contains("23 Song"))
    #expect(
      try String(contentsOfFile: fixture.path("vdir/1.ics"), encoding: .utf8).contains("1x9"))
  }

  @Test("a change of another process between the question and the answer is not undone instead")
  func changedMeanwhile() throws {
    try fixture.importAll()
    let run = fixture.run(["undo"], isPinned: false) { _ in
      fixture.run(["add", "mon", "10:00", "Choir"])
      return "y"
    }
    #expect(run.status == .failed, "\(run.output)")
    #expect(run.errors.contains("another command changed the store meanwhile"))
    #expect(fixture.titles(["show"]).contains("23 Choir"))
  }
}
