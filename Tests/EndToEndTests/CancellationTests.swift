import Foundation
import TestSupport
import Testing

/// Files with METHOD:CANCEL next to those of which they cancel something, on the built program. The
/// oracle is the same calendar with STATUS:CANCELLED written by hand.
@Suite("cancellations among files")
struct CancellationTests {
  private let folder: ScratchFolder
  private let store: String

  init() throws {
    folder = try ScratchFolder()
    store = folder.url.appendingPathComponent("data/agenda.sqlite").path
  }

  private func agenda(_ arguments: String...) throws -> AgendaRun {
    try AgendaRun(
      arguments + AgendaRun.pinned, environment: ["AGENDA_STORE": store], in: folder.url)
  }

  private func imported(_ source: String, _ options: String...) throws -> AgendaRun {
    try AgendaRun(
      ["import", source] + options + ["--now", "2026-11-21T09:00:00+01:00"],
      environment: ["AGENDA_STORE": store], in: folder.url)
  }

  /// What the invitations of a folder hold, with the status of each that is to be cancelled.
  private func invitations(_ cancelled: String...) -> [String] {
    [
      event(
        "daily", "DTSTART;TZID=Europe/Berlin:20261123T090000", "RRULE:FREQ=DAILY;COUNT=5",
        "SUMMARY:Daily", "SEQUENCE:1"),
      event(
        "daily", "RECURRENCE-ID;TZID=Europe/Berlin:20261125T090000",
        "DTSTART;TZID=Europe/Berlin:20261125T140000", "SUMMARY:Daily\\, later", "SEQUENCE:1"),
      event(
        "once", "DTSTART;TZID=Europe/Berlin:20261124T100000", "SUMMARY:Once", "SEQUENCE:3",
        "STATUS:CONFIRMED"),
      event(
        "gone", "DTSTART;TZID=Europe/Berlin:20261124T110000", "SUMMARY:Gone", "SEQUENCE:1"),
      event("whole", "DTSTART;VALUE=DATE:20261126", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Whole"),
    ].map { component in
      guard cancelled.contains(where: { component.contains($0) }) else { return component }
      return component.replacingOccurrences(of: "END:VEVENT", with: "STATUS:CANCELLED\nEND:VEVENT")
    }
  }

  private var cancellations: [String] {
    [
      // The occurrence that has an override, by its moment in UTC; one that has none, by time.
      event("daily", "RECURRENCE-ID:20261125T080000Z", "SEQUENCE:2"),
      event(
        "daily", "RECURRENCE-ID;TZID=Europe/Berlin:20261126T090000",
        "DTSTART;TZID=Europe/Berlin:20261126T090000", "SEQUENCE:2"),
      // An older version than there is.
      event("once", "DTSTART;TZID=Europe/Berlin:20261124T100000", "SEQUENCE:2"),
      event("gone", "SEQUENCE:1"),
      event("whole", "RECURRENCE-ID;VALUE=DATE:20261127", "SEQUENCE:1"),
      event("other", "SEQUENCE:1"),
    ]
  }

  /// The same written by hand, as one calendar.
  private var byHand: String {
    calendar(
      invitations("SUMMARY:Daily\\, later", "SUMMARY:Gone") + [
        event(
          "daily", "RECURRENCE-ID;TZID=Europe/Berlin:20261126T090000",
          "DTSTART;TZID=Europe/Berlin:20261126T090000", "SUMMARY:Daily", "SEQUENCE:2",
          "STATUS:CANCELLED"),
        event(
          "whole", "RECURRENCE-ID;VALUE=DATE:20261127", "DTSTART;VALUE=DATE:20261127",
          "SUMMARY:Whole", "SEQUENCE:1", "STATUS:CANCELLED"),
      ])
  }

  /// The output, without the values that depend on the name of the calendar.
  private func shown(_ sources: [String], _ options: String...) throws -> [[String]] {
    try AgendaRun(
      ["show", "--days", "30", "-f", "tsv"] + options + sources + AgendaRun.pinned,
      environment: ["AGENDA_STORE": store], in: folder.url
    ).rows.map { row in
      ["title", "start", "end", "status", "uid", "id", "recurrenceId"].map { row[$0] ?? "" }
    }
  }

  private func writeFolder() throws {
    for (number, component) in invitations().enumerated() {
      try folder.write("mail/invite\(number).ics", calendar([component], ["METHOD:REQUEST"]))
    }
    try folder.write("mail/a-cancel.ics", calendar(cancellations, ["METHOD:CANCEL"]))
    try folder.write("hand.ics", byHand)
  }

  /// What is said of the two cancellations that cancel nothing.
  private static let nothing = [
    "once: METHOD: cancels an event that has a later version; nothing cancelled",
    "other: METHOD: cancels an event that is missing; nothing cancelled",
  ]

  // Checks Decisions: Messages/5
  @Test("a cancellation in a folder cancels events of its other files, and is not an event itself")
  func folders() throws {
    try writeFolder()
    let expected = try shown(["hand.ics"], "--include-cancelled")
    #expect(expected.filter { $0[3] == "cancelled" }.count == 4)
    #expect(try shown(["mail"], "--include-cancelled") == expected)
    #expect(try shown(["mail"]) == expected.filter { $0[3] != "cancelled" })
    let run = try imported("mail")
    #expect(run.status == 0)
    #expect(
      run.output == "mail: 11 components, calendar mail: 5 added, 2 unchanged, 4 superseded\n")
    let errors = run.errors.split(separator: "\n")
    #expect(errors.count == 2)
    for (error, nothing) in zip(errors, Self.nothing) { #expect(error.hasSuffix(nothing)) }
    #expect(try shown([], "--include-cancelled") == expected)
    #expect(try agenda("doctor").status == 0)
    let path = folder.url.resolvingSymlinksInPath().appendingPathComponent("mail").path
    // As JSON, with all that is known of each, the store and the folder say the same.
    for format in ["json", "text", "markdown"] {
      let options = ["--days", "30", "--include-cancelled", "-f", format]
      let fromStore = try AgendaRun(
        ["show", "--store", store] + options + AgendaRun.pinned, in: folder.url)
      let fromFiles = try AgendaRun(["show", path] + options + AgendaRun.pinned, in: folder.url)
      #expect(fromStore.output == fromFiles.output, "\(format)")
      #expect(fromFiles.status == 0)
    }
    #expect(
      try imported("mail").output
        == "mail: 11 components, calendar mail: 7 unchanged, 4 superseded\n")
    // What it exports says so itself.
    try folder.write("again.ics", try agenda("export").output)
    #expect(try shown(["again.ics"], "--include-cancelled") == expected)
    let check = try agenda("check", "mail")
    #expect(
      check.output.contains(
        "mail: 11 components, calendar mail: 5 to add, 2 unchanged, 4 superseded\n"))
    for nothing in Self.nothing { #expect(check.output.contains(nothing)) }
  }

  @Test("a cancellation that comes into a folder, and goes again, is an update each time")
  func coming() throws {
    try writeFolder()
    let whole = calendar(invitations())
    try FileManager.default.removeItem(
      at: folder.url.appendingPathComponent("mail/a-cancel.ics"))
    _ = try imported("mail")
    try folder.write("whole.ics", whole)
    #expect(try shown([]) == shown(["whole.ics"]))
    try folder.write("mail/a-cancel.ics", calendar(cancellations, ["METHOD:CANCEL"]))
    #expect(
      try imported("mail").output
        == "mail: 11 components, calendar mail: 2 updated, 5 unchanged, 4 superseded\n")
    #expect(try shown([], "--include-cancelled") == shown(["hand.ics"], "--include-cancelled"))
    let listed = try agenda("changes", "-f", "tsv").rows.map {
      "\($0["change"] ?? "") \($0["title"] ?? "")"
    }
    #expect(
      listed.sorted() == [
        "cancelled Daily", "cancelled Daily, later", "cancelled Gone", "cancelled Whole",
      ])
    try FileManager.default.removeItem(
      at: folder.url.appendingPathComponent("mail/a-cancel.ics"))
    #expect(
      try imported("mail").output
        == "mail: 5 components, calendar mail: 2 updated, 3 unchanged\n")
    #expect(try shown([], "--include-cancelled") == shown(["whole.ics"], "--include-cancelled"))
    #expect(try agenda("doctor").status == 0)
  }

  @Test("files that are named together, in any order, and VCALENDARs of one file")
  func severalFiles() throws {
    try folder.write("invite.ics", calendar(invitations(), ["METHOD:REQUEST"]))
    try folder.write("cancel.ics", calendar(cancellations, ["METHOD:CANCEL"]))
    try folder.write("hand.ics", byHand)
    try folder.write(
      "both.ics",
      calendar(cancellations, ["METHOD:CANCEL"]) + calendar(invitations(), ["METHOD:REQUEST"]))
    let expected = try shown(["hand.ics"], "--include-cancelled")
    for sources in [["invite.ics", "cancel.ics"], ["cancel.ics", "invite.ics"], ["both.ics"]] {
      #expect(try shown(sources, "--include-cancelled") == expected, "\(sources)")
    }
    let run = try agenda("show", "cancel.ics", "invite.ics", "--days", "1")
    #expect(run.status == 0)
    #expect(
      run.errors.hasPrefix("cancel.ics:18: warning: VEVENT \(Self.nothing[0])\n"))
    let alone = try agenda("show", "cancel.ics", "--include-cancelled", "-f", "json")
    #expect(alone.output.contains(#""sections":[\#n]"#))
    #expect(alone.output.contains("cancels an event that is missing"))
    let id = expected.first { $0[3] == "cancelled" && $0[0] == "Daily" }?[5] ?? ""
    let details = try agenda("event", id, "invite.ics", "cancel.ics", "--include-cancelled")
    #expect(details.status == 0)
    #expect(details.output.contains("cancel.ics:"))
    #expect(
      try imported("both.ics").output
        == "both.ics: 11 components, calendar both: 5 added, 2 unchanged, 4 superseded\n")
    #expect(try shown([], "--include-cancelled") == expected)
    #expect(
      try imported("both.ics").output
        == "both.ics: 11 components, calendar both: 7 unchanged, 4 superseded\n")
  }
}
