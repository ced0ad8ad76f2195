import AgendaKit
import Foundation
import TestSupport
import Testing

/// A dry run computes what a change would do, and changes neither the store nor a file.
@Suite("A dry run writes nothing")
struct DryRunTests {
  private let folder: ScratchFolder
  private var path: String { folder.url.appendingPathComponent("agenda.sqlite").path }

  private static let series = event(
    "series", "DTSTART:20261124T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=4",
    "SUMMARY:Team")
  private static let invitation = event(
    "invitation", "DTSTART:20261124T120000Z", "SUMMARY:Lunch", "SEQUENCE:3",
    "ORGANIZER:mailto:boss@example.com", "ATTENDEE:mailto:ana@example.com")
  private static let task = component("VTODO", "task", ["DUE:20261124T150000Z", "SUMMARY:Pay"])

  init() throws {
    folder = try ScratchFolder()
    try folder.write("home/a.ics", calendar(Self.series, Self.invitation, Self.task))
    try folder.write("file.ics", calendar(event("away", "DTSTART:20261125", "SUMMARY:Holiday")))
    try folder.write("new.ics", calendar(event("new", "DTSTART:20261126", "SUMMARY:New")))
  }

  private func file(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

  /// A store with a folder and a file, two changes that can be undone, and one that was.
  private func fill() throws {
    let store = CalendarStore(at: path)
    try store.write { writer in
      try writer.importSources([file("home"), file("file.ics")])
      for title in ["One", "Two", "Three"] {
        var edit = EventEdit(title: title)
        edit.start = .date(try #require(CivilDate(year: 2026, month: 12, day: 1)))
        try writer.add(edit, to: "home")
      }
      try writer.undo()
    }
  }

  private func occurrence(_ title: String, in writer: StoreWriter) throws -> Occurrence {
    let day = try #require(CivilDate(year: 2026, month: 11, day: 24))
    var all = Selection(includesTasks: true)
    all.words = [title]
    let window = DateWindow.window(.days(30), from: day, in: .utc)
    return try #require(try writer.calendars().occurrences(in: window, of: all).first)
  }

  /// The bytes of the store and of all calendars, by path.
  private func contents() throws -> [String: Data] {
    let names = try #require(FileManager.default.subpaths(atPath: folder.url.path))
    var contents: [String: Data] = [:]
    for name in names {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: file(name), isDirectory: &isFolder)
      contents[name] = isFolder.boolValue ? Data() : try Data(contentsOf: URL(filePath: file(name)))
    }
    return contents
  }

  private typealias Change = (
    name: String, run: @Sendable (DryRunTests, StoreWriter) throws -> Bool
  )

  /// The functions of `StoreWriter` that write, by their names in the interface. Each returns whether it
  /// has computed something.
  private static let changes: [Change] = [
    (
      "add(_:kind:to:)",
      { _, writer in
        var edit = EventEdit(title: "Swim")
        edit.start = .date(try #require(CivilDate(year: 2026, month: 12, day: 2)))
        let added = try writer.add(edit, to: "home")
        return try !added.changedLines.isEmpty && !writer.add(edit).changedLines.isEmpty
      }
    ),
    (
      "add(like:_:to:)",
      { test, writer in
        let copy = try writer.add(like: test.occurrence("Holiday", in: writer), to: "home")
        return !copy.changedLines.isEmpty
      }
    ),
    (
      "edit(_:_:scope:to:)",
      { test, writer in
        let edited = try writer.edit(
          test.occurrence("Team", in: writer), EventEdit(title: "Group"), scope: .following)
        let moved = try writer.edit(
          test.occurrence("Lunch", in: writer), EventEdit(title: "Dinner"), to: "local")
        return !edited.changedLines.isEmpty && !moved.changedLines.isEmpty
      }
    ),
    (
      "edit(_:text:replacing:scope:)",
      { test, writer in
        let occurrence = try test.occurrence("Lunch", in: writer)
        let text = try writer.editableText(of: occurrence)
        let edited = try writer.edit(
          occurrence, text: text.replacing("Lunch", with: "Dinner"), replacing: text)
        return !edited.changedLines.isEmpty
      }
    ),
    (
      "complete(_:)",
      { test, writer in
        try !writer.complete(test.occurrence("Pay", in: writer)).changedLines.isEmpty
      }
    ),
    (
      "remove(_:scope:)",
      { test, writer in
        let removed = try writer.remove(test.occurrence("Team", in: writer), scope: .only)
        let hidden = try writer.remove(test.occurrence("Holiday", in: writer))
        return !removed.changedLines.isEmpty && hidden.unchangedSource != nil
      }
    ),
    (
      "begin(calendar:)", { _, writer in try writer.begin(calendar: "club") == "club" }
    ),
    (
      "rename(calendar:to:)",
      { _, writer in try writer.rename(calendar: "Home", to: "house") == "home" }
    ),
    (
      "remove(calendar:)", { _, writer in try writer.remove(calendar: "home") == 5 }
    ),
    (
      "remove(source:user:)",
      { test, writer in try writer.remove(source: test.file("file.ics")) == 1 }
    ),
    (
      "reply(_:to:as:only:comment:requiresMailAddress:)",
      { test, writer in
        try !writer.reply(.accepted, to: test.occurrence("Lunch", in: writer)).message.isEmpty
      }
    ),
    (
      "importSources(_:_:progress:)",
      { test, writer in
        try writer.importSources([test.file("new.ics")]).map(\.added) == [1]
      }
    ),
    (
      "refresh(calendars:_:progress:)",
      { test, writer in
        try test.folder.write("file.ics", calendar(event("b", "DTSTART:20261125", "SUMMARY:B")))
        defer {
          _ = try? test.folder.write(
            "file.ics", calendar(event("away", "DTSTART:20261125", "SUMMARY:Holiday")))
        }
        var options = StoreWriter.ImportOptions()
        options.allowsShrinking = true
        return try writer.refresh(options).map(\.added).max() == 1
      }
    ),
    ("undo()", { _, writer in try writer.undo().flatMap(\.effects).map(\.added) == [1] }),
    (
      "undo(_:)",
      { test, writer in
        let steps = try CalendarStore(at: test.path).undoSteps(atMost: 2)
        return try writer.undo(steps).map(\.number) == [1, 2] && steps.count == 2
      }
    ),
    ("redo()", { _, writer in try writer.redo().flatMap(\.effects).map(\.added) == [1] }),
    (
      "rebuildIndex()",
      { _, writer in
        try writer.rebuildIndex()
        return true
      }
    ),
  ]

  @Test("of any function of the writer", arguments: changes.indices)
  func writesNothing(index: Int) throws {
    let change = Self.changes[index]
    try fill()
    let before = try contents()
    let hasEffect = try CalendarStore(at: path).write(isDryRun: true) { writer in
      // What the first call has computed is nothing that the second one meets.
      try change.run(self, writer) && change.run(self, writer)
    }
    #expect(hasEffect, "\(change.name)")
    #expect(try contents() == before, "\(change.name)")
    // The same call without a dry run does write, so that the comparison can fail.
    if change.name == "rebuildIndex()" { return }
    try CalendarStore(at: path).write { _ = try change.run(self, $0) }
    #expect(try contents() != before, "\(change.name)")
  }

  @Test("and each function that writes is among them")
  func allFunctions() throws {
    let file = Repository.fixtures.appendingPathComponent("interface/AgendaKit.txt")
    let interface = try String(contentsOf: file, encoding: .utf8)
    let prefix = "AgendaKit StoreWriter."
    let functions = interface.split(separator: "\n").filter {
      $0.hasPrefix(prefix) && $0.contains("func ")
    }.compactMap { $0.dropFirst(prefix.count).prefix { $0 != " " }.dropLast() }.map(String.init)
    let reading: Set = [
      "calendars()", "editableText(of:scope:)", "editableText(of:)", "Reply.mail(now:zone:)",
    ]
    // They need a server: `CalDAVTests` runs them.
    let ofServers: Set = ["exchange(calendars:)", "resolve(_:_:)"]
    let writing = Set(functions).subtracting(reading).subtracting(ofServers)
    #expect(writing.count > 10 && writing.isSubset(of: Self.changes.map(\.name)))
  }

  @Test("of several changes that are undone and brought back, with their files")
  func severalSteps() throws {
    try fill()
    let store = CalendarStore(at: path)
    let steps = try store.undoSteps(atMost: 2)
    try store.write { try $0.undo(steps) }
    let before = try contents()
    let again = try CalendarStore(at: path).write(isDryRun: true) { try $0.redo() }
    #expect(again.map(\.command) == ["add", "add"])
    #expect(try contents() == before)
  }

  @Test("without a store creates none")
  func missingStore() throws {
    let before = try contents()
    try CalendarStore(at: path).write(isDryRun: true) { writer in
      var edit = EventEdit(title: "Swim")
      edit.start = .date(try #require(CivilDate(year: 2026, month: 12, day: 2)))
      #expect(try !writer.add(edit).changedLines.isEmpty)
      #expect(try writer.importSources([file("new.ics")]).map(\.added) == [1])
      #expect(throws: CalendarError.self) { try writer.remove(calendar: "home") }
      #expect(throws: CalendarError.self) { try writer.undo() }
      #expect(throws: CalendarError.self) { try writer.redo() }
      #expect(throws: CalendarError.self) { try writer.rebuildIndex() }
    }
    #expect(try contents() == before)
  }
}
