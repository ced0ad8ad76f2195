import Foundation
import TestSupport
import Testing

/// `agenda` with a folder of calendar folders, as vdirsyncer fills it.
@Suite("roots")
struct RootFolderTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    for name in ["office/one", "office/two", "home/three", ".hidden/four"] { try write(name) }
  }

  private func agenda(_ arguments: String...) throws -> AgendaRun {
    try AgendaRun(
      arguments + AgendaRun.pinned.prefix(2),
      environment: ["AGENDA_STORE": folder.url.appendingPathComponent("s.sqlite").path],
      in: folder.url)
  }

  /// Writes `root/FOLDER/UID.ics` with one event, whose title is its UID.
  private func write(_ name: String) throws {
    let uid = name.split(separator: "/").last ?? ""
    try folder.write(
      "root/\(name).ics",
      calendar(event(String(uid), "DTSTART:20261124T100000Z", "SUMMARY:\(uid)")))
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("root/\(name)"))
  }

  /// `calendar title` of every event, sorted.
  private func events(_ sources: String...) throws -> [String] {
    try AgendaRun(
      ["show", "-f", "tsv"] + sources + AgendaRun.pinned,
      environment: ["AGENDA_STORE": folder.url.appendingPathComponent("s.sqlite").path],
      in: folder.url
    ).rows.map { "\($0["calendar"] ?? "") \($0["title"] ?? "")" }.sorted()
  }

  private var path: String { folder.url.resolvingSymlinksInPath().path + "/root" }

  private static let all = ["home three", "office one", "office two"]

  @Test("each folder is a calendar, for import, show and check")
  func calendars() throws {
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("root/empty"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appendingPathComponent("root/loop").path, withDestinationPath: "..")
    try folder.write("root/home/color", "#ff8800\n")
    try agenda("import", "root").expect(
      0,
      output: """
        root/home: 1 component, calendar home: 1 added
        root/office: 2 components, calendar office: 2 added

        """)
    #expect(try events() == Self.all)
    #expect(try events("root") == Self.all)
    try agenda("check", "root").expect(
      0,
      output: """
        root/home: 1 component, calendar home: 1 to add
        root/office: 2 components, calendar office: 2 to add

        """)
    #expect(try agenda("calendars", "-f", "json").output.contains(##""color":"#ff8800""##))
  }

  @Test("--calendar with a root is a usage error")
  func namedCalendar() throws {
    let run = try agenda("import", "root", "--calendar", "all")
    run.expect(
      2, output: "",
      errors: "agenda: --calendar: each folder in root is a separate calendar; "
        + "name one of these folders instead\n")
    #expect(try agenda("import", "root/office", "--calendar", "all").status == 0)
    #expect(try events() == ["all one", "all two"])
  }

  @Test("displayname names a calendar; two folders of the same name stay two calendars")
  func displayNames() throws {
    try folder.write("root/home/displayname", "Family\n")
    try folder.write("root/office/displayname", "Family\n")
    _ = try agenda("import", "root")
    let expected = ["Family (office) one", "Family (office) two", "Family three"]
    #expect(try events() == expected)
    // Without the store the names are the same.
    #expect(try events("root") == expected)
    #expect(try agenda("refresh").status == 0)
    #expect(try events() == expected)
    try folder.write("root/home/displayname", "Home\n")
    #expect(try agenda("refresh").status == 0)
    #expect(try events() == ["Family (office) one", "Family (office) two", "Home three"])
  }

  @Test("refresh finds new folders, also after undo, but not calendars that were removed")
  func newFolders() throws {
    _ = try agenda("import", "root")
    try write("new/five")
    let found = try agenda("refresh")
    #expect(found.status == 0)
    #expect(found.output.hasSuffix("/root/new: 1 component, calendar new: 1 added\n"))
    _ = try agenda("refresh")
    #expect(try agenda("undo").status == 0)
    #expect(try events() == Self.all)
    _ = try agenda("refresh")
    #expect(try events() == ["home three", "new five", "office one", "office two"])
    _ = try agenda("remove", "--calendar", "new")
    _ = try agenda("refresh")
    #expect(try events() == Self.all)
    _ = try agenda("import", "root")
    #expect(try events() == ["home three", "new five", "office one", "office two"])
    #expect(try agenda("doctor").status == 0)
  }

  @Test("a folder of a root that lost its last event keeps it in the store, unless it may shrink")
  func emptiedFolders() throws {
    _ = try agenda("import", "root")
    for names in [["home/three"], ["office/one", "office/two"]] {
      for name in names { try remove("\(name).ics") }
      let refused = try agenda("import", "root")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("the source has no entries left"), "\(refused.errors)")
      #expect(refused.errors == (try agenda("refresh")).errors)
      #expect(try agenda("import", "root", "--allow-shrink").status == 0)
      #expect(try events().allSatisfy { !$0.hasPrefix(names[0].prefix(4)) })
    }
    #expect(try events() == [])
    #expect(try agenda("doctor").status == 0)
  }

  @Test("a missing folder is reported and keeps its events until it is removed")
  func missingFolders() throws {
    _ = try agenda("import", "root")
    try remove("office")
    for _ in 1...2 {
      try agenda("refresh", "--quiet").expect(
        1, output: "",
        errors: "agenda: \(path)/office: No such file or directory; "
          + "agenda remove --source '\(path)/office' removes it from the store; "
          + "keeping 2 events as of today\n")
      #expect(try events() == Self.all)
    }
    #expect(try agenda("remove", "--source", "\(path)/office").status == 0)
    try agenda("refresh", "--quiet").expect(0, output: "")
    #expect(try events() == ["home three"])
    try write("office/one")
    #expect(
      try agenda("remove", "--source", "root").output
        == "removed root: 1 entry; agenda undo brings it back\n")
    // Nothing of the root is left in the store, so refresh leaves it alone.
    try write("late/six")
    try agenda("refresh", "--quiet").expect(0, output: "")
    #expect(try events() == [])
  }

  @Test("a folder and one of its files, or a root and one of its folders, duplicate nothing")
  func overlaps() throws {
    _ = try agenda("import", "root")
    try agenda("import", "root/office/one.ics").expect(
      0, output: "root/office/one.ics: 0 components, calendar office: nothing to do\n",
      errors: "root/office/one.ics: warning: part of the folder \(path)/office, "
        + "which is the calendar office; not imported; "
        + "agenda refresh imports the whole folder\n")
    #expect(try agenda("import", "root/office/one.ics", "--calendar", "other").status == 1)
    let folder = try agenda("import", "root/home")
    folder.expect(
      0, output: "root/home: 1 component, calendar home: 1 unchanged\n",
      errors: "root/home: warning: also a calendar of the folder \(path); imported once\n")
    #expect(try events() == Self.all)
    #expect(try agenda("refresh").errors == "")
  }

  @Test("a file that was imported alone becomes a part of its folder")
  func fileFirst() throws {
    _ = try agenda("import", "root/office/one.ics")
    #expect(try events() == ["one one"])
    let run = try agenda("import", "root/office")
    #expect(run.status == 0)
    #expect(
      run.errors.contains("was imported before, calendar one; kept here only"), "\(run.errors)")
    #expect(try events() == ["office one", "office two"])
    _ = try agenda("undo")
    #expect(try events() == ["one one"])
  }
}
