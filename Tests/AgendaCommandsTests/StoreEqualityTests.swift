import CivilTime
import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// The agenda of the store against the agenda of the files, byte for byte.
@Suite("the store shows what the files show")
struct StoreEqualityTests {
  private static let fixtures = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  private static let formats = ["text", "markdown", "json", "jsonl", "tsv"]

  /// Windows of every length, now and long ago, from here and from far away.
  private static let windows: [[String]] = [
    ["--from", "2026-11-21"],
    ["--from", "2026-11-21", "--days", "1", "--timezone", "Pacific/Kiritimati"],
    [
      "--from", "2026-03-28", "--days", "3", "--timezone", "America/New_York", "--tasks",
      "--journal",
    ],
    ["--from", "2015-01-01", "--years", "15", "--tasks", "--include-cancelled"],
    ["--from", "2024-02-28", "--months", "4", "--group-by", "calendar", "--include-cancelled"],
  ]

  private static func run(_ arguments: [String], store: URL) -> InMemoryRun {
    InMemoryRun(
      arguments,
      variables: ["AGENDA_STORE": store.path, "TZ": "Europe/Berlin", "LC_ALL": "en_GB.UTF-8"],
      columns: 100)
  }

  private static func temporaryFolder() throws -> URL {
    let folder = ScratchFolder.parent
      .appendingPathComponent("agenda-equality-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// What differs between the store and its sources: the options of each difference.
  private static func differences(_ sources: [String], store: URL) -> [String] {
    var found: [String] = []
    for (index, window) in windows.enumerated() {
      // Each format with each window is tried on some source; all formats with the widest.
      for format in formats where index == 3 || (index + sources[0].utf8.count) % 5 < 2 {
        let options = window + ["-f", format] + (format == "text" ? ["--color", "always"] : [])
        let fromFiles = run(["show"] + sources + options, store: store)
        let fromStore = run(["show"] + options, store: store)
        if fromFiles.output != fromStore.output {
          found.append(
            "\(sources.map { $0.split(separator: "/").last ?? "" }) \(options)\n"
              + firstDifference(fromFiles.output, fromStore.output))
        }
      }
    }
    return found
  }

  private static func firstDifference(_ left: String, _ right: String) -> String {
    let lines = zip(
      left.split(separator: "\n", omittingEmptySubsequences: false),
      right.split(separator: "\n", omittingEmptySubsequences: false))
    for (file, store) in lines where file != store { return "file:  \(file)\nstore: \(store)" }
    return "file has \(left.utf8.count) bytes, store \(right.utf8.count)"
  }

  @Test("every fixture, in every window and format")
  func fixtures() throws {
    let enumerator = FileManager.default.enumerator(
      at: Self.fixtures, includingPropertiesForKeys: nil)
    let files = (enumerator?.compactMap { $0 as? URL } ?? [])
      .filter { $0.pathExtension == "ics" }.map(\.path).sorted()
    #expect(files.count > 100)
    var compared = 0
    for file in files {
      let folder = try Self.temporaryFolder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let store = folder.appendingPathComponent("agenda.sqlite")
      _ = Self.run(["import", file, "--quiet"], store: store)
      // A file that is not a calendar makes no store, and a mail makes no calendar.
      guard FileManager.default.fileExists(atPath: store.path),
        case let listed = Self.run(["calendars"], store: store).output,
        listed.contains(file), !listed.hasPrefix("mail")
      else { continue }
      let differences = Self.differences([file], store: store)
      #expect(differences == [], "\(file)")
      compared += 1
    }
    Tally.report("the store against files", ["files": compared])
  }

  @Test("several sources at once, and folders with foreign files")
  func several() throws {
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appendingPathComponent("agenda.sqlite")
    let calendars = folder.appendingPathComponent("calendars").path
    try FileManager.default.createDirectory(
      atPath: calendars, withIntermediateDirectories: true)
    let quirks = try FileManager.default.contentsOfDirectory(
      atPath: Self.fixtures.appendingPathComponent("quirks").path
    ).filter { $0.hasSuffix(".ics") && !$0.contains("method_cancel") }.sorted()
    for name in quirks.prefix(30) {
      try FileManager.default.copyItem(
        atPath: Self.fixtures.appendingPathComponent("quirks/\(name)").path,
        toPath: calendars + "/\(name)")
    }
    try Data("<html></html>".utf8).write(to: URL(fileURLWithPath: calendars + "/login.ics"))
    let others = quirks.dropFirst(30).prefix(12).map {
      Self.fixtures.appendingPathComponent("quirks/\($0)").path
    }
    let sources = [calendars] + others
    _ = Self.run(["import", "--quiet"] + sources, store: store)
    #expect(Self.differences(sources, store: store) == [])
  }

  @Test("many sources in one calendar, of which some have the same events")
  func manySources() throws {
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appendingPathComponent("agenda.sqlite")
    let calendars = folder.appendingPathComponent("calendars").path
    try FileManager.default.createDirectory(
      atPath: calendars, withIntermediateDirectories: true)
    var files: [String] = []
    for number in 0..<40 {
      let events = (0..<5).map { event in
        // Every seventh source has an event of the one before it in a later version, or an override.
        let isShared = number % 7 == 3 && event < 2
        let uid = "\(isShared ? number - 1 : number)-\(event)"
        let day = 20 + (number + event) % 8
        let rule =
          isShared && event == 1
          ? "RECURRENCE-ID:202611\(day - 1)T090000Z" : "RRULE:FREQ=WEEKLY;COUNT=\(event + 1)"
        return TestSupport.event(
          uid, "SEQUENCE:\(isShared ? 1 : 0)", "DTSTART:202611\(day)T090000Z", rule,
          "SUMMARY:Entry \(event) of source \(number)")
      }
      let file = calendars + "/\(number).ics"
      try Data(calendar(events).utf8).write(to: URL(fileURLWithPath: file))
      files.append(file)
    }
    _ = Self.run(["import", "--quiet", "--calendar", "calendars"] + files, store: store)
    for days in [["--days", "1"], ["--days", "60"]] {
      for format in ["text", "tsv"] {
        let options = ["--from", "2026-11-23", "-f", format] + days
        let fromFolder = Self.run(["show", calendars] + options, store: store)
        let fromStore = Self.run(["show"] + options, store: store)
        #expect(fromFolder.output == fromStore.output)
        #expect(fromStore.output.contains("of source 3"))
      }
    }
  }

  @Test("one entry with its source and line in event and explain")
  func entries() throws {
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appendingPathComponent("agenda.sqlite")
    let file = folder.appendingPathComponent("work.ics").path
    func write(_ titles: [String]) throws {
      let events = titles.enumerated().map { number, title in
        event(
          "\(title)@example.com", "DTSTART;TZID=Europe/Berlin:2026112\(number + 1)T100000",
          "RRULE:FREQ=WEEKLY;COUNT=3", "SUMMARY:\(title)")
      }
      try Data(calendar(events).utf8).write(to: URL(fileURLWithPath: file))
    }
    try write(["one", "two", "three"])
    _ = Self.run(["import", file, "--quiet"], store: store)
    for titles in [["one", "two", "three"], ["new", "one", "two", "three"]] {
      try write(titles)
      // What did not change in it moved down by the lines of what is new.
      _ = Self.run(["import", file, "--quiet"], store: store)
      for command in ["event", "explain"] {
        for place in ["1.1", "2.1", "3.1"] {
          for format in ["text", "json"] {
            let options = ["--days", "30", "-f", format]
            let fromFile = Self.run([command, place, file] + options, store: store)
            let fromStore = Self.run([command, place] + options, store: store)
            #expect(fromFile.status == .done)
            #expect(fromFile.output == fromStore.output, "\(command) \(place) \(format)")
            #expect(fromStore.output.contains(file + ":"))
          }
        }
      }
    }
  }
}
