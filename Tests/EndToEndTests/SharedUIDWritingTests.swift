import TestSupport
import Testing

/// Changes to one of several different events with the same UID, on the built program.
@Suite("writing events that share a UID")
struct SharedUIDWritingTests {
  private let written: WrittenFolder

  init() throws { written = try WrittenFolder() }

  private static func talk(_ title: String, _ lines: String..., kind: String = "VEVENT") -> String {
    component(kind, "talks", ["DTSTART:20261201T090000Z", "SUMMARY:\(title)"] + lines)
  }

  private func titles() throws -> [String] { try written.rows("t").map { $0["title"] ?? "" } }

  private func id(of title: String) throws -> String {
    try #require(try written.rows(title).first?["id"])
  }

  @Test("in a file, remove and reply change only that event, also after later imports")
  func file() throws {
    let invited = Self.talk(
      "Talk C", "ORGANIZER:mailto:boss@example.com",
      "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ana@example.com")
    let text = calendar(Self.talk("Talk A"), Self.talk("Talk B"), invited)
    try written.scratch.write("talks.ics", text)
    _ = try written.agenda("import", "talks.ics")
    let c = try id(of: "Talk C")
    #expect(try written.agenda("remove", "--event", id(of: "Talk A")).status == 0)
    #expect(try titles() == ["Talk B", "Talk C"])
    #expect(try written.agenda("reply", c, "--accept", "--as", "ana@example.com").status == 0)
    #expect(try titles() == ["Talk B", "Talk C"])
    try written.scratch.write(
      "talks.ics", text.replacing("SUMMARY:Talk A", with: "LOCATION:Hall\r\nSUMMARY:Talk A"))
    _ = try written.agenda("refresh")
    #expect(try titles() == ["Talk B", "Talk C"])
    #expect(try written.agenda("event", c).output.contains("ana@example.com: accepted"))
    // Another event with the UID isn't the one that was removed.
    try written.scratch.write("talks.ics", text.replacing("Talk A", with: "Talk D"))
    _ = try written.agenda("refresh")
    #expect(try titles() == ["Talk B", "Talk C", "Talk D"])
    #expect(try written.agenda("doctor").status == 0)
  }

  @Test("in a file, removing one lesson of a series keeps the other events")
  func series() throws {
    try written.scratch.write(
      "talks.ics",
      calendar(
        Self.talk("Talk A", "RRULE:FREQ=DAILY;COUNT=3"), Self.talk("Talk B"),
        Self.talk("Talk C", "RRULE:FREQ=WEEKLY;COUNT=2")))
    _ = try written.agenda("import", "talks.ics")
    let second = try #require(
      try written.rows("Talk A").first { $0["start"]?.hasPrefix("2026-12-02") == true }?["id"])
    #expect(try written.agenda("remove", "--event", second, "--only").status == 0)
    let expected = ["Talk A", "Talk B", "Talk C", "Talk A", "Talk C"]
    #expect(try titles() == expected)
    _ = try written.agenda("import", "talks.ics")
    #expect(try titles() == expected)
  }

  @Test("in a folder, one event can be removed; a change that would hide the others is refused")
  func folder() throws {
    let talks = calendar(
      Self.talk("Talk A"),
      Self.talk(
        "Talk B", "ORGANIZER:mailto:boss@example.com", "ATTENDEE:mailto:ana@example.com"))
    try written.scratch.write("work/talks.ics", talks)
    let tasks = calendar(Self.talk("Task A", kind: "VTODO"), Self.talk("Task B", kind: "VTODO"))
    try written.scratch.write("work/tasks.ics", tasks)
    _ = try written.agenda("import", "work")
    let a = try id(of: "Talk A")
    for arguments in [
      ["edit", a, "--location", "X"], ["done", try id(of: "Task A")],
      ["reply", try id(of: "Talk B"), "--accept", "--as", "ana@example.com"],
    ] {
      let run = try written.agenda(arguments)
      #expect(run.status == 2)
      #expect(run.errors.contains("give each event a UID that no other has"), "\(run.errors)")
    }
    #expect(try written.contents("work/talks.ics") == talks)
    #expect(try written.contents("work/tasks.ics") == tasks)
    #expect(try written.agenda("remove", "--event", a).status == 0)
    #expect(try titles() == ["Talk B", "Task A", "Task B"])
    // It is the only event with its UID.
    #expect(try written.agenda("edit", id(of: "Talk B"), "--location", "X").status == 0)
    #expect(try written.storeAgrees)
  }
}
