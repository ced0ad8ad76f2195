import CivilTime
import Foundation
import TestSupport
import Testing

/// Two calendars, one in Windows-1252, and a store of the first two, in a folder that is removed
/// after the test. It is Saturday, 21 November 2026, 09:00 in Berlin.
final class OptionFixture {
  private let scratch: ScratchFolder
  var folder: URL { scratch.url }
  private static let pinned = [
    "--now", "2026-11-21T09:00:00+01:00", "--timezone", "Europe/Berlin",
  ]

  /// The pins in a command that a message proposes.
  static let keptPins = "--timezone Europe/Berlin --now 2026-11-21T09:00:00+01:00"

  init() throws {
    scratch = try ScratchFolder()
    try write("work.ics", Self.work)
    try write("home.ics", Self.home)
    try Data(Self.work.replacing("Running", with: "Caf\u{1}").utf8.map { $0 == 1 ? 0xE9 : $0 })
      .write(to: folder.appendingPathComponent("latin.ics"))
  }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func write(_ name: String, _ text: String) throws {
    try scratch.write(name, text)
  }

  /// The sources that most cases look at.
  var sources: [String] { [path("work.ics"), path("home.ics")] }

  var store: String { path("agenda.sqlite") }

  /// Runs a command; what it is given after the pins counts more than they do.
  @discardableResult
  func run(
    _ arguments: [String], columns: Int? = nil, isPinned: Bool = true, mostEntries: Int? = nil,
    variables: [String: String] = [:], typedLines: [String]? = nil,
    ask: ((String) -> String?)? = nil,
    runProgram: @escaping (String, [String]) -> Int32? = { _, _ in nil }
  ) -> InMemoryRun {
    let usual = [
      "AGENDA_STORE": store, "TZ": "Europe/Berlin", "TERM": "xterm",
      "XDG_STATE_HOME": path("state"),
    ]
    return InMemoryRun(
      arguments.prefix(1) + (isPinned ? Self.pinned : []) + arguments.dropFirst(),
      variables: usual.merging(variables) { $1 }, columns: columns,
      mostEntries: mostEntries, typedLines: typedLines, ask: ask, runProgram: runProgram)
  }

  /// Imports the sources into the store.
  func importAll() throws {
    let imported = run(["import"] + sources, isPinned: false)
    try #require(imported.status == .done, "\(imported.errors)")
  }

  /// The arguments that import a file into the calendar that it names, also after another file with
  /// that name, which would have its name alone otherwise. A mail, which has only messages, is about
  /// all calendars.
  func importing(_ file: String) -> [String] {
    let arguments = ["import", file]
    guard let data = FileManager.default.contents(atPath: file) else { return arguments }
    let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
    let methods = lines.reduce(into: [Substring]()) { methods, line in
      if line == "BEGIN:VCALENDAR" { methods.append("") }
      if line.hasPrefix("METHOD:") { methods[methods.count - 1] = line.dropFirst(7) }
    }
    let hasEvents = methods.contains { ["", "PUBLISH", "REQUEST"].contains($0) }
    guard hasEvents, let name = lines.first(where: { $0.hasPrefix("X-WR-CALNAME:") }) else {
      return arguments
    }
    return arguments + ["--calendar", String(name.dropFirst("X-WR-CALNAME:".count))]
  }

  /// The table that a listing prints, by its columns.
  func rows(_ arguments: [String]) -> [[String: String]] {
    let lines = run(arguments + ["--format", "tsv"]).output.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let header = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
  }

  /// A meeting in the JSON of December 2026, with the answers of the invited people.
  struct Meeting {
    let day: Int
    let status: String
    let answers: [(person: String, answer: String)]
  }

  /// The entries in the JSON of `show`, cancelled ones included.
  func entries(_ arguments: [String]) throws -> [[String: Any]] {
    let run = run(["show", "--include-cancelled", "-f", "json"] + arguments)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let sections = document["sections"] as? [[String: Any]] ?? []
    return sections.flatMap { $0["entries"] as? [[String: Any]] ?? [] }
  }

  func meetings(_ arguments: [String]) throws -> [Meeting] {
    try entries(["--from", "2026-12-01", "--months", "1"] + arguments).map { entry in
      let attendees = entry["attendees"] as? [[String: Any]] ?? []
      return Meeting(
        day: Int((entry["start"] as? String ?? "").dropFirst(8).prefix(2)) ?? 0,
        status: entry["status"] as? String ?? "-",
        answers: attendees.map {
          (
            "\(($0["email"] as? String ?? "").split(separator: "@").first ?? "")",
            $0["status"] as? String ?? ""
          )
        })
    }
  }

  func titles(_ arguments: [String]) -> [String] {
    rows(arguments).map { "\($0["section"]?.suffix(2) ?? "") \($0["title"] ?? "")" }
  }

  static let work = calendar(
    [
      event(
        "running", "DTSTART;TZID=Europe/Berlin:20261121T083000",
        "DTEND;TZID=Europe/Berlin:20261121T093000", "SUMMARY:Running", "DESCRIPTION:kin",
        "LOCATION:Park"),
      event(
        "later", "DTSTART;TZID=America/New_York:20261121T100000",
        "DTEND;TZID=America/New_York:20261121T110000", "SUMMARY:Later", "DESCRIPTION:kin"),
      event(
        "dentist", "DTSTART;TZID=Europe/Berlin:20261121T163000",
        "DTEND;TZID=Europe/Berlin:20261121T173000", "SUMMARY:Dentist", "DESCRIPTION:kin",
        "ATTACH;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:aGVsbG8=", "BEGIN:VALARM",
        "ACTION:DISPLAY", "TRIGGER:-PT15M", "END:VALARM"),
      event(
        "trip", "DTSTART;VALUE=DATE:20261120", "DTEND;VALUE=DATE:20261123", "SUMMARY:Trip",
        "DESCRIPTION:kin"),
      event(
        "off", "DTSTART;TZID=Europe/Berlin:20261122T100000", "SUMMARY:Called off",
        "DESCRIPTION:kin", "STATUS:CANCELLED", "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT0S",
        "END:VALARM"),
      event(
        "declined", "DTSTART;TZID=Europe/Berlin:20261122T120000",
        "DTEND;TZID=Europe/Berlin:20261122T130000", "SUMMARY:Not for me", "DESCRIPTION:kin",
        "ATTENDEE;PARTSTAT=DECLINED;CN=Me:mailto:me@example.com", "BEGIN:VALARM", "ACTION:DISPLAY",
        "TRIGGER:PT0S", "END:VALARM"),
      component(
        "VTODO", "task",
        [
          "DUE;TZID=Europe/Berlin:20261122T180000", "SUMMARY:Plants", "DESCRIPTION:kin",
          "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:PT0S", "END:VALARM",
        ]),
      component(
        "VJOURNAL", "journal", ["DTSTART;VALUE=DATE:20261122", "SUMMARY:Diary", "DESCRIPTION:kin"]),
      event(
        "weekly", "DTSTART;TZID=Europe/Berlin:20261105T140000",
        "DTEND;TZID=Europe/Berlin:20261105T150000", "RRULE:FREQ=WEEKLY", "SUMMARY:Weekly",
        "DESCRIPTION:kin"),
    ],
    ["X-WR-CALNAME:Work"])

  static let home = calendar(
    [
      event(
        "cake", "DTSTART;TZID=Europe/Berlin:20261121T200000",
        "DTEND;TZID=Europe/Berlin:20261121T210000", "SUMMARY:Cake", "DESCRIPTION:kin")
    ],
    ["X-WR-CALNAME:Home"])
}
