import TestSupport
import Testing

/// `add --task`, and the commands that go on with such a task.
@Suite("tasks that people add")
struct AddedTaskTests {
  private let folder: WrittenFolder

  init() throws {
    folder = try WrittenFolder()
    try folder.makeFolder("home")
  }

  /// Today is Saturday, 21 November 2026.
  @Test(
    "the words before a task's title say when it is due", arguments: ["local", "./home"],
    [
      (["tomorrow", "Rent"], "due Sunday, 22 November 2026", "Rent · Sun, 22 Nov 2026"),
      (
        ["mon", "18:00", "Call"], "due Monday, 23 November 2026, 18:00",
        "Call · Mon, 23 Nov 2026, 18:00"
      ),
      (
        ["mon", "-", "wed", "Report"],
        "start: Monday, 23 November 2026, due Wednesday, 25 November 2026",
        "Report · Wed, 25 Nov 2026"
      ),
      (
        ["mon", "Plan", "--due", "2026-12-05"],
        "start: Monday, 23 November 2026, due Saturday, 5 December 2026", "Plan · Sat, 5 Dec 2026"
      ),
      (["Plan", "--at", "mon"], "start: Monday, 23 November 2026", "Plan · Mon, 23 Nov 2026"),
      (["Learn", "Greek"], "no date", "Learn Greek · No date"),
    ])
  func due(_ calendar: String, _ task: ([String], String, String)) throws {
    let (words, understood, listed) = task
    let add = try folder.agenda(["add", "--task", "--calendar", calendar] + words)
    #expect(add.status == 0 && add.output.contains(": \(understood), "), "\(add)")
    #expect(try folder.agenda("tasks").output == listed + "\n")
    let id = String(add.output.split(separator: " ")[1])
    #expect(try folder.agenda("tasks", "--ids").output == "\(listed) · \(id)\n")
    #expect(try folder.storeAgrees)
  }

  // Checks RFC 5545: 3.6.2/4
  @Test(
    "a due date next to a length or an end is a usage error that says what to give",
    arguments: [
      (["Tax", "--at", "2026-12-01", "--due", "2026-12-05", "--for", "2d"], "--for"),
      (["Tax", "--at", "2026-12-01", "--due", "2026-12-05", "--until", "2026-12-06"], "--until"),
      (["mon", "9:00", "2h", "Tax", "--due", "wed"], nil),
    ])
  func dueAndLength(_ words: [String], _ option: String?) throws {
    let refused = try folder.agenda(["add", "--task"] + words)
    let message =
      option.map {
        "--due and \($0) cannot be used together, because both set when a task ends: "
          + "give --at with --due, or --at with \($0)"
      }
      ?? "--due cannot be used with a length or an end before the title, because both set when a "
      + "task ends: leave one of them out"
    refused.expect(2, output: "", errors: "agenda: \(message)\n")
    let add = try folder.agenda("add", "--task", "Tax", "--at", "2026-12-01")
    let id = String(add.output.split(separator: " ")[1])
    if let option {
      let edit = try folder.agenda("edit", id, "--due", "2026-12-05", option, "2026-12-06")
      edit.expect(2, output: "", errors: "agenda: \(message)\n")
    }
  }

  @Test("the due date of a task without a year is on or after its start")
  func dueAfterStart() throws {
    let add = try folder.agenda(
      "add", "--task", "Tax", "--at", "2026-11-10", "--due", "12 nov", "--calendar", "./home")
    #expect(add.output.contains("due Thursday, 12 November 2026"), "\(add)")
  }

  // Checks RFC 5545: 3.8.2.3/1, 3.8.2.3/3
  @Test("a task that is due at a time begins at a time too", arguments: ["local", "./home"])
  func dueAtTime(_ calendar: String) throws {
    let wall = ["add", "--task", "Wall", "--at", "2026-11-27", "--calendar", calendar]
    let start = "start: Friday, 27 November 2026"
    let add = try folder.agenda(wall + ["--due", "2026-11-29 18:00"])
    #expect(
      add.output.contains(": \(start), 00:00, due Sunday, 29 November 2026, 18:00, "), "\(add)")
    #expect(try folder.agenda("undo").status == 0)
    let dates = try folder.agenda(wall + ["--due", "2026-11-29", "--repeat", "weekly, 3 times"])
    let id = String(dates.output.split(separator: " ")[1])
    // The second occurrence; the dates of the series follow.
    let rows = try folder.rows("wall").compactMap { $0["id"] }
    #expect(rows.count == 3 && rows[0] == id)
    #expect(try folder.agenda("remove", "--event", rows[2], "--only").status == 0)
    let edit = try folder.agenda("edit", rows[1], "--all", "--due", "2026-12-06 18:00")
    #expect(
      edit.output.contains(
        ": start: Friday, 4 December 2026, 00:00, due Sunday, 6 December 2026, 18:00, "), "\(edit)")
    let text = try folder.agenda("export").output
    for line in [
      "DTSTART;TZID=Europe/Berlin:20261127T000000", "DUE;TZID=Europe/Berlin:20261129T180000",
      "EXDATE;TZID=Europe/Berlin:20261211T000000",
    ] { #expect(text.contains("\(line)\r\n"), "\(text)") }
    #expect(try folder.rows("wall").count == 2)
    let next = String(edit.output.split(separator: " ")[1])
    #expect(try folder.agenda("edit", next, "--all", "--at", "2026-12-05").status == 0)
    #expect(try folder.storeAgrees)
  }

  @Test("a task that begins when it is due stays so, whatever form the time has")
  func dueAtStart() throws {
    let add = try folder.agenda("add", "--task", "Bins", "--due", "mon", "--repeat", "weekly")
    let id = String(add.output.split(separator: " ")[1])
    let timed = try folder.agenda("edit", id, "--all", "--due", "18:00")
    #expect(timed.output.contains("Bins: due Monday, 23 November 2026, 18:00, "), "\(timed)")
    // The time of an all-day task: it is due on the same day as before.
    let paint = try folder.agenda("add", "--task", "mon - wed", "Paint")
    let painted = String(paint.output.split(separator: " ")[1])
    #expect(
      try folder.agenda("edit", painted, "--at", "10:00").output.contains(
        "start: Monday, 23 November 2026, 10:00, due Wednesday, 25 November 2026, 10:00, "))
  }

  // Checks RFC 5545: 3.6.2/5
  @Test("a task without a start has no length", arguments: ["local", "./home"])
  func length(_ calendar: String) throws {
    let task = ["add", "--task", "Lost", "--calendar", calendar]
    for (arguments, advice) in [
      (task + ["--for", "2h"], "--for: a task without a start has no length; set its start"),
      (task + ["--until", "fri"], "--until: a task without a start has no length; set its start"),
      (task + ["--due", "fri", "--for", "2h"], "--due and --for cannot be used together"),
    ] {
      let run = try folder.agenda(arguments)
      #expect(run.status == 2 && run.errors.hasPrefix("agenda: \(advice)"), "\(run)")
    }
    #expect(try folder.agenda("tasks", "--if-any").output.isEmpty)
    // An edit that adds the start can add the length, too.
    let id = String(try folder.agenda(task).output.split(separator: " ")[1])
    #expect(try folder.agenda("edit", id, "--for", "2h").status == 2)
    let edit = try folder.agenda("edit", id, "--at", "mon 9:00", "--for", "2h")
    #expect(
      edit.output.contains(
        "start: Monday, 23 November 2026, 09:00, due Monday, 23 November 2026, 11:00, "), "\(edit)")
    let rent = try folder.agenda("add", "--task", "fri", "Rent").output.split(separator: " ")
    let longer = try folder.agenda("edit", String(rent[1]), "--for", "2d")
    #expect(longer.status == 2 && longer.errors.contains("set when it is due with --due"))
    #expect(try folder.storeAgrees)
  }

  @Test("a task without a date has an id for every command", arguments: ["local", "./home"])
  func undated(_ calendar: String) throws {
    let add = try folder.agenda("add", "--task", "Milk", "--calendar", calendar)
    let id = String(add.output.split(separator: " ")[1])
    #expect(try folder.agenda("event", id).output.contains("Milk"))
    #expect(try folder.agenda("edit", id, "--priority", "1").output.hasPrefix("changed \(id) "))
    #expect(try folder.agenda("tasks").output == "Milk · No date · priority 1\n")
    // A due date alone: the task has no start.
    let due = try folder.agenda("edit", id, "--due", "mon 8:00", "--dry-run").output
    #expect(due.contains("\n+DUE;") && !due.contains("\n+DTSTART;"), "\(due)")
    let edit = try folder.agenda("edit", id, "--due", "mon 8:00")
    #expect(edit.output.contains("Milk: due Monday, 23 November 2026, 08:00, "), "\(edit)")
    let dated = String(edit.output.split(separator: " ")[1])
    let back = try folder.agenda("edit", dated, "--due", "").output
    #expect(back.hasPrefix("changed \(id) Milk: no date"), "\(back)")
    #expect(try folder.agenda("done", id).output.hasPrefix("done: \(id) Milk"))
    #expect(try folder.agenda("tasks", "--if-any").output.isEmpty)
    // A mistake can be corrected.
    let undone = try folder.agenda("edit", id, "--status", "needs-action", "--dry-run").output
    #expect(undone.contains("\n-COMPLETED:") && undone.contains("\n-PERCENT-COMPLETE:100\n"))
    #expect(try folder.agenda("edit", id, "--status", "needs-action").status == 0)
    #expect(try folder.agenda("tasks").output == "Milk · No date · priority 1\n")
    #expect(try folder.agenda("done", id).status == 0)
    #expect(try folder.agenda("remove", "--event", id).status == 0)
    #expect(try folder.rows("milk").isEmpty)
    #expect(try folder.storeAgrees)
  }
}
