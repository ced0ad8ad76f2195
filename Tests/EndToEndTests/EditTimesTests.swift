import TestSupport
import Testing

/// `edit --at`, `--until` and `--due` with only a part of a time.
@Suite("a part of a time leaves the other part as it is")
struct EditTimesTests {
  private let folder: WrittenFolder

  init() throws { folder = try WrittenFolder() }

  private func id(_ arguments: String...) throws -> String {
    let run = try folder.agenda(["add"] + arguments)
    #expect(run.status == 0, "\(run.errors)")
    return String(run.output.split(separator: " ")[1])
  }

  @Test(
    "one event",
    arguments: [
      (["--at", "10:00"], "2026-12-03T10:00", "2026-12-03T11:30"),
      (["--at", "2026-12-05"], "2026-12-05T14:00", "2026-12-05T15:30"),
      (["--at", "5 dec 10:00"], "2026-12-05T10:00", "2026-12-05T11:30"),
      (["--until", "16:00"], "2026-12-03T14:00", "2026-12-03T16:00"),
      (["--until", "1:00"], "2026-12-03T14:00", "2026-12-04T01:00"),
      (["--at", "23:00", "--until", "1:00"], "2026-12-03T23:00", "2026-12-04T01:00"),
      (["--at", "2026-12-05", "--until", "2026-12-06"], "2026-12-05", "2026-12-07"),
      (["--at", "2026-12-05", "--for", "1d"], "2026-12-05", "2026-12-06"),
      // The event is seen in Berlin, and stays in its zone.
      (["--at", "8:00", "--in-zone", "America/New_York"], "2026-12-03T14:00", "2026-12-03T15:30"),
    ])
  func timed(_ options: [String], _ start: String, _ end: String) throws {
    let id = try id("Talk", "--at", "2026-12-03T14:00", "--for", "90m")
    let run = try folder.agenda(["edit", id] + options)
    #expect(run.status == 0, "\(run.errors)")
    let row = try #require(try folder.rows("talk").first)
    #expect(row["start"]?.hasPrefix(start) == true && row["end"]?.hasPrefix(end) == true, "\(row)")
  }

  @Test(
    "an end before the start needs its date, unless it is in the night after",
    arguments: [
      ("10:00", "9:00", nil), ("9:00", "5:00", nil), ("14:00", "13:00", nil), ("9:00", "9:00", nil),
      ("22:00", "2:00", "2026-12-04T02:00"), ("18:00", "8:00", "2026-12-04T08:00"),
      ("9:00", "0:00", "2026-12-04T00:00"), ("9:00", "4 dec 5:00", "2026-12-04T05:00"),
    ])
  func untilNight(_ start: String, _ end: String, _ expected: String?) throws {
    let error = "agenda: --until: the end is before the start; "
    let add = ["add", "Talk", "--at", "2026-12-03 \(start)", "--until", end]
    // Of an event that lasts an hour.
    let id = try id("Walk", "--at", "2026-12-03 \(start)")
    for (title, arguments) in [("talk", add), ("walk", ["edit", id, "--until", end])] {
      let run = try folder.agenda(arguments)
      if let expected {
        #expect(try folder.rows(title).first?["end"]?.hasPrefix(expected) == true, "\(run)")
      } else {
        #expect(run.status == 2 && run.errors.hasPrefix(error), "\(run)")
      }
    }
  }

  @Test("an event at a time lasts to the end of the day that --until names")
  func untilDay() throws {
    let id = try id("4 dec", "18:00", "Trip", "--until", "sun")
    let end = { try folder.rows("trip").first?["end"] }
    #expect(try end() == "2026-12-07T00:00:00+01:00")
    #expect(try folder.agenda("edit", id, "--until", "2026-12-04").status == 0)
    #expect(try end() == "2026-12-05T00:00:00+01:00")
    let early = try folder.agenda("edit", id, "--until", "2026-12-03")
    early.expect(
      2, output: "", errors: "agenda: --until: the event ends before it begins\n")
    // The day has 25 hours.
    #expect(try folder.agenda("edit", id, "--at", "2027-10-31T00:00").status == 0)
    #expect(try folder.agenda("edit", id, "--until", "2027-10-31").status == 0)
    #expect(try end() == "2027-11-01T00:00:00+01:00")
  }

  @Test(
    "a weekday is in the week of the occurrence that changes, and a date in the closest year",
    arguments: [
      // Thursday, 3 December 2026; today is Saturday, 21 November.
      ("2026-12-03T14:00", "--at", "wed", "2026-12-02T14:00"),
      ("2026-12-03T14:00", "--at", "fri 15:00", "2026-12-04T15:00"),
      ("2026-12-03T14:00", "--at", "sun", "2026-12-06T14:00"),
      ("2026-12-03T14:00", "--at", "tomorrow", "2026-11-22T14:00"),
      ("2026-12-03T14:00", "--at", "next wed", "2026-11-25T14:00"),
      ("2026-12-03T14:00", "--at", "1 dec", "2026-12-01T14:00"),
      ("2027-12-20", "--at", "24 dec", "2027-12-24"),
      ("2027-12-20", "--at", "6 jan", "2028-01-06"),
      ("2027-01-03", "--at", "31 dec", "2026-12-31"),
      // Wednesday of this week has passed.
      ("2026-11-22", "--at", "wed", "2026-11-25"), ("2026-11-22", "--at", "sat", "2026-11-21"),
      ("2026-11-22", "--at", "20 nov", "2027-11-20"),
    ])
  func nearOccurrence(
    _ at: String, _ option: String, _ typed: String, _ start: String
  ) throws {
    let id = try id("Talk", "--at", at)
    let run = try folder.agenda("edit", id, option, typed)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.starts("talk") == [start])
  }

  @Test("in a series the week is that of the occurrence; an overdue task moves to a coming day")
  func nearOccurrenceOfSeries() throws {
    _ = try id("Run", "--at", "2026-12-03T07:00", "--repeat", "weekly, 3 times")
    let runs = try folder.rows("run").compactMap { $0["id"] }
    let edit = try folder.agenda("edit", runs[1], "--only", "--at", "wed 8:00")
    #expect(edit.output.contains("Wednesday, 9 December 2026, 08:00"), "\(edit)")
    #expect(
      try folder.starts("run") == ["2026-12-03T07:00", "2026-12-09T08:00", "2026-12-17T07:00"])
    // An end is the next such day from the start on.
    #expect(try folder.agenda("edit", runs[2], "--only", "--until", "mon 9:00").status == 0)
    #expect(
      try folder.rows("run").compactMap { $0["end"] }.last?.hasPrefix("2026-12-21T09:00") == true)
    let late = try id("--task", "Rent", "--due", "2026-11-16")
    #expect(try folder.agenda("edit", late, "--due", "wed").status == 0)
    #expect(try folder.agenda("tasks").output == "Rent · Wed, 25 Nov 2026\n")
  }

  @Test("an event in another zone keeps the date that the person sees")
  func otherZone() throws {
    // 4 December, 3:00 in Berlin.
    let id = try id("Talk", "--at", "2026-12-03T21:00", "--in-zone", "America/New_York")
    #expect(try folder.starts("talk") == ["2026-12-04T03:00"])
    #expect(try folder.agenda("edit", id, "--at", "10:00").status == 0)
    #expect(try folder.starts("talk") == ["2026-12-04T10:00"])
    let dry = try folder.agenda("edit", id, "--at", "9:00", "--dry-run")
    #expect(dry.output.contains("+DTSTART;TZID=America/New_York:20261204T030000\n"), "\(dry)")
  }

  @Test("all-day events, occurrences of a series, and tasks")
  func others() throws {
    let trip = try id("Trip", "--at", "2026-12-03", "--until", "2026-12-05")
    #expect(try folder.agenda("edit", trip, "--at", "2026-12-10").status == 0)
    #expect(try folder.rows("trip").compactMap { $0["end"] }.first == "2026-12-13")
    #expect(try folder.agenda("edit", trip, "--at", "10:00").status == 0)
    #expect(try folder.starts("trip") == ["2026-12-10T10:00"])

    _ = try id("Run", "--at", "2026-12-01T07:00", "--repeat", "daily, 3 times")
    let runs = try folder.rows("run").compactMap { $0["id"] }
    #expect(try folder.agenda("edit", runs[1], "--only", "--at", "8:00").status == 0)
    #expect(
      try folder.starts("run") == ["2026-12-01T07:00", "2026-12-02T08:00", "2026-12-03T07:00"])
    #expect(try folder.agenda("edit", runs[2], "--all", "--at", "6:00").status == 0)
    #expect(
      try folder.starts("run") == ["2026-12-01T06:00", "2026-12-02T08:00", "2026-12-03T06:00"])

    let milk = try id("--task", "Milk", "--due", "2026-12-03T18:00")
    #expect(try folder.agenda("edit", milk, "--due", "19:30").status == 0)
    #expect(try folder.starts("milk") == ["2026-12-03T19:30"])
    #expect(try folder.agenda("edit", milk, "--due", "").status == 0)
    #expect(try folder.agenda("tasks").output == "Milk · No date\n")
    let event = try folder.agenda("edit", trip, "--due", "2026-12-12")
    event.expect(
      2, output: "",
      errors: "agenda: --due: an event has no due date; --until sets its end\n")
  }

  // Checks RFC 5545: 3.6.6/17, 3.8.6.3/8
  @Test(
    "a task loses its due date only with the alarms that count from it",
    arguments: [
      ("DTSTART:20261201T080000Z", "TRIGGER;RELATED=END:-PT15M", true),
      ("DTSTART:20261201T080000Z", "TRIGGER:-PT15M", false),
      ("DTSTART:20261201T080000Z", "TRIGGER;VALUE=DATE-TIME:20261201T080000Z", false),
      ("PRIORITY:1", "TRIGGER:-PT15M", true),
    ])
  func dueWithAlarm(_ start: String, _ trigger: String, _ isRefused: Bool) throws {
    let task = component(
      "VTODO", "milk",
      [
        start, "DUE:20261203T170000Z", "SUMMARY:Milk", "BEGIN:VALARM", "ACTION:DISPLAY",
        "DESCRIPTION:x", trigger, "END:VALARM",
      ])
    try folder.scratch.write("home/milk.ics", TestSupport.calendar(task))
    #expect(try folder.agenda("import", "home").status == 0)
    let before = try folder.contents("home/milk.ics")
    let run = try folder.agenda("edit", "milk", "--due", "")
    #expect(run.status == (isRefused ? 2 : 0), "\(run)")
    #expect(run.errors.contains("add --alarm \"\" to remove the alarms") == isRefused)
    guard isRefused else { return }
    #expect(try folder.contents("home/milk.ics") == before)
    #expect(try folder.agenda("edit", "milk", "--due", "", "--alarm", "10m").status == 2)
    #expect(try folder.agenda("edit", "milk", "--due", "", "--alarm", "").status == 0)
    let after = try folder.contents("home/milk.ics")
    #expect(!after.contains("VALARM") && !after.contains("DUE"))
  }

  @Test("an entry decades away is found by its id", arguments: ["1950", "2100"])
  func farAway(_ year: String) throws {
    let added = try folder.agenda("add", "Voyage", "--at", "\(year)-05-05T10:00")
    let id = try #require(added.output.split(separator: " ").dropFirst().first.map(String.init))
    let edited = try folder.agenda("edit", id, "--title", "Journey")
    #expect(edited.status == 0 && edited.output.contains("\(id) Journey"), "\(edited)")
    #expect(
      try folder.agenda("remove", "--event", id).output
        == "removed Journey; agenda undo brings it back\n")
  }

  @Test("an all-day event that gets a time lasts an hour, also if it had no end")
  func allDayGetsTime() throws {
    try folder.makeFolder("home")
    for (name, end) in [
      ("none", "X-A:1"), ("end", "DTEND;VALUE=DATE:20261203"), ("two", "DURATION:P2D"),
    ] {
      try folder.scratch.write(
        "home/\(name).ics",
        calendar(event(name, "DTSTART;VALUE=DATE:20261201", end, "SUMMARY:\(name)")))
    }
    #expect(try folder.agenda("import", "home").status == 0)
    for name in ["none", "end", "two"] {
      let edit = try folder.agenda("edit", name, "--at", "2026-12-02 10:00")
      #expect(
        edit.output.contains(": Wednesday, 2 December 2026, 10:00–11:00 (1 h), Europe/Berlin"),
        "\(edit)")
      #expect(try folder.agenda("edit", name, "--at", "2026-12-03", "--for", "").status == 0)
    }
    #expect(try folder.storeAgrees)
  }

  @Test("an event keeps its length where the clocks go back")
  func fold() throws {
    // 31 October 2027: Berlin has 2:00 to 3:00 twice, and an hour begins at the first 2:30.
    let rows = { try folder.rows("night").map { [$0["start"], $0["end"]] } }
    let id = try id("Night", "--at", "2027-10-31T02:30", "--for", "1h")
    let hour = [["2027-10-31T02:30:00+02:00", "2027-10-31T02:30:00+01:00"]]
    #expect(try rows() == hour)
    #expect(try folder.agenda("edit", id, "--at", "2027-10-31T01:30", "--for", "2h").status == 0)
    #expect(try rows() == [["2027-10-31T01:30:00+02:00", "2027-10-31T02:30:00+01:00"]])
    #expect(try folder.agenda("edit", id, "--at", "2027-11-01T10:00").status == 0)
    #expect(try rows() == [["2027-11-01T10:00:00+01:00", "2027-11-01T12:00:00+01:00"]])
    #expect(try folder.agenda("edit", id, "--for", "1h").status == 0)
    #expect(try folder.agenda("edit", id, "--at", "2027-10-31T02:30").status == 0)
    #expect(try rows() == hour)
  }
}
