import Foundation
import TestSupport
import Testing

/// What people type first: words of a title, a date in words, a step back.
@Suite("everyday words")
struct EverydayWordsTests {
  private let fixture: OptionFixture

  init() throws {
    fixture = try OptionFixture()
    try fixture.importAll()
  }

  @discardableResult
  private func add(_ words: String...) -> InMemoryRun { fixture.run(["add"] + words) }

  @Test("REF can be words of a title: the next occurrence of the only event, or the last one")
  func titles() throws {
    #expect(fixture.run(["event", "weekly"]).output.contains("Thursday, 26 November 2026"))
    #expect(fixture.run(["event", "next weekly"]).output.contains("Thursday, 26 November 2026"))
    #expect(fixture.run(["event", "last WEEKLY"]).output.contains("Thursday, 19 November 2026"))
    // Running is in progress.
    #expect(fixture.run(["event", "runn"]).output.hasPrefix("Running\n"))
    add("--task", "Pay the rent", "--due", "1 dec")
    let done = fixture.run(["done", "rent"])
    #expect(done.output.hasPrefix("done: ") && done.output.contains("Pay the rent"), "\(done)")
    // The words of a description are no title.
    let none = fixture.run(["event", "kin"])
    #expect(none.status == .failed)
    #expect(none.errors.contains("no entry has this id or UID, or these words in its title"))
  }

  @Test("done takes the overdue date of a task that repeats, and then the next one that is open")
  func doneOfSeries() {
    add("--task", "Rent", "--due", "2026-11-20", "--repeat", "monthly")
    for day in ["20 November 2026", "20 December 2026", "20 January 2027"] {
      let done = fixture.run(["done", "rent"])
      #expect(done.output.hasPrefix("done: ") && done.output.contains(day), "\(done)")
    }
  }

  @Test("what repeats within a day needs a time (RFC 5545 3.3.10)")
  func withinDay() {
    for words in [
      ["every 6 hours Pills"], ["Pills", "--at", "2026-11-30", "--repeat", "FREQ=DAILY;BYHOUR=9"],
    ] {
      let run = fixture.run(["add"] + words)
      #expect(run.status == .wrongCommandLine, "\(run)")
      #expect(run.errors.contains("cannot repeat within a day: set its first time with --at"))
    }
    let run = add("tomorrow", "8:00", "every", "6", "hours", "Pills")
    #expect(run.status == .done, "\(run)")
    let whole = fixture.run(["edit", "pills", "--all", "--at", "2026-12-01", "--for", "1d"])
    #expect(whole.status == .wrongCommandLine, "\(whole)")
    #expect(whole.errors.contains("cannot repeat within a day"), "\(whole)")
  }

  @Test("if several events have the words, a pipe gets their ids, and a terminal is asked")
  func severalTitles() throws {
    add("mon", "10:00", "Choir", "one")
    add("tue", "10:00", "Choir", "two")
    let edit = ["edit", "choir", "--location", "Hall"]
    let piped = fixture.run(edit)
    #expect(piped.status == .wrongCommandLine)
    let lines = piped.errors.split(separator: "\n")
    #expect(lines.count == 3, "\(piped.errors)")
    #expect(lines[0].hasSuffix("Monday, 23 November 2026, 10:00–11:00 (1 h) Choir one (local)"))
    let id = try #require(lines[1].split(separator: " ").first.map(String.init))
    #expect(fixture.run(["event", id]).output.hasPrefix("Choir two\n"))
    var questions: [String] = []
    let asked = fixture.run(edit) { question in
      questions.append(question)
      return "2"
    }
    #expect(asked.status == .done && asked.output.contains("Choir two"), "\(asked)")
    #expect(questions == ["which one? [1-2] "])
    for answer in ["", "0", "3", "x", "\(Int.min)", nil] {
      #expect(fixture.run(edit) { _ in answer }.status == .failed)
    }
    #expect(fixture.run(["event", "choir two"]).output.contains("Hall"))
    #expect(!fixture.run(["event", "choir one"]).output.contains("Hall"))
  }

  @Test(
    "a repetition can be in the words, before the title or after it",
    arguments: [
      "every tuesday and thursday at 9:30 for 45 minutes until june Stand up",
      "Stand up every tuesday and thursday at 9:30 for 45 minutes until june",
      "at 9:30 for 45 minutes Stand up every tuesday and thursday until june",
      "every tuesday and thursday Stand up at 9:30 for 45 minutes until the end of june",
    ])
  func repetition(_ words: String) {
    let added = fixture.run(["add"] + words.split(separator: " ").map(String.init))
    #expect(
      added.output.hasSuffix(
        " Stand up: Tuesday, 24 November 2026, 09:30–10:15 (45 min), Europe/Berlin, "
          + "every Tuesday and Thursday until 30 June 2027, local\n"), "\(added)")
    #expect(added.errors.isEmpty)
  }

  @Test(
    "a repetition has the time, the end and the exceptions that are next to it",
    arguments: [
      ("yoga every tuesday until june 9:30", ", every Tuesday until 30 June 2027, local"),
      ("yoga tuesdays 9:30", ", every Tuesday, local"),
      ("9:30 yoga tuesdays", ", every Tuesday, local"),
      ("tue 9:30 yoga weekly", ", every Tuesday, local"),
      ("tue 9:30 yoga weekly until june", ", every Tuesday until 30 June 2027, local"),
      ("every tuesday at 9:30 10 times yoga", ", every Tuesday, 10 times, local"),
      ("every tuesday at 9:30 yoga 10 times", ", every Tuesday, 10 times, local"),
      (
        "every tue at 9:30 except 22 dec yoga until june",
        ", every Tuesday until 30 June 2027, except Tue, 22 Dec 2026, 09:30, local"
      ),
      (
        "every tuesday 9:30 yoga except 22 dec",
        ", every Tuesday, except Tue, 22 Dec 2026, 09:30, local"
      ),
      (
        "yoga every tuesday 9:30-10:30 until end of june except 22 dec",
        ", every Tuesday until 30 June 2027, except Tue, 22 Dec 2026, 09:30, local"
      ),
    ])
  func repetitionAround(_ words: String, _ rule: String) {
    let run = add(words)
    #expect(
      run.output.hasSuffix(
        " yoga: Tuesday, 24 November 2026, 09:30–10:30 (1 h), Europe/Berlin\(rule)\n"), "\(run)")
    #expect(run.errors.isEmpty)
  }

  @Test(
    "words that would make a wrong event are an error that shows the right command",
    arguments: [
      (
        "tue and thu 9:30 yoga weekly until june",
        "agenda add every tue and thu 9:30 yoga until june"
      ),
      ("yoga tue and thu 9:30", "agenda add yoga every tue and thu 9:30"),
      ("tue, thu 9:30 yoga", "agenda add every tue, thu 9:30 yoga"),
      ("gym mon/wed/fri 7:00", "agenda add gym every mon/wed/fri 7:00"),
      ("every second monday 8:00 bins", "agenda add every other monday 8:00 bins"),
      ("bins every second monday", "agenda add bins every other monday"),
      ("dinner tonight", "agenda add dinner tonight at 8"),
      ("12/9 dentist", "agenda add 12 sep dentist"),
      ("mon-fri 8-9 coffee", "agenda add every mon-fri 8-9 coffee;"),
      ("buy milk due friday", "agenda add --task buy milk friday"),
      ("task buy milk due friday", "agenda add --task buy milk friday"),
      ("pay rent by friday", "agenda add --task pay rent friday"),
    ])
  func mistakes(_ words: String, _ command: String) {
    let run = add(words)
    #expect(run.status == .wrongCommandLine)
    let end = command.hasSuffix(";") ? "" : ", "
    #expect(
      run.errors.replacing(" " + OptionFixture.keptPins, with: "").contains(command + end), "\(run)"
    )
    // What is proposed is understood.
    let typed = command.filter { $0 != ";" }.split(separator: " ").dropFirst().map(String.init)
    let proposed = fixture.run(typed)
    #expect(proposed.status == .done && proposed.errors.isEmpty, "\(proposed)")
  }

  @Test(
    "a command that would be misunderstood is not proposed",
    arguments: [
      "yoga tuesdays", "yoga every tue 9:30 starting 8 dec", "every second dinner",
      "holiday until friday",
      "yoga every mon 18:00 until 20 dec and not 14 dec", "tue 9:30 and thu 10:00 yoga",
      "until friday",
      "Lunch 12:30 with Ana", "tomorrow Lunch 12:30 with Ana",
      "dinner tomorrow at half nine", "call tomorrow 10am PST", "dentist wendesday 9:00",
    ])
  func withoutProposal(_ words: String) {
    let run = add(words)
    #expect(run.status == .wrongCommandLine, "\(run)")
    #expect(!run.errors.contains("agenda add"), "\(run)")
  }

  @Test("words of a title after which the time comes get a warning if they look like a time")
  func lateWarnings() {
    for (words, text) in [
      ("Prepare friday meeting tomorrow 9:00", "friday"),
      ("task buy milk friday", "task"), ("Team weekly mon 9:00", "weekly"),
      ("every monday 18:00 choir but not 14 dec", "14 dec"),
    ] {
      let run = add(words)
      #expect(run.status == .done)
      #expect(
        run.errors.hasPrefix("agenda: warning: \"\(text)\" is part of the title; "), "\(run)")
    }
    #expect(
      add("mon 9:00 weekly Yoga").errors.hasSuffix(
        "; if it is a part of the time, write all of the time before the title\n"))
    #expect(
      add("task buy milk friday").errors.hasSuffix(
        "write: agenda add --task buy milk friday \(OptionFixture.keptPins)\n"))
  }

  @Test("the words due and by before the date of a task are not part of its title")
  func dueTask() {
    for word in ["due", "by"] {
      let run = add("--task", "buy milk \(word) friday")
      #expect(run.output.contains(" buy milk: due Friday, 27 November 2026"), "\(run)")
    }
  }

  @Test("a repetition that ends before its first date is an error in plain words")
  func earlyEnd() {
    for words in [
      ["every tuesday until monday Choir"], ["every tuesday until 23 nov 9:30 Choir"],
      ["Choir", "--at", "today", "--repeat", "every tuesday until 23 nov"],
    ] {
      let run = fixture.run(["add"] + words)
      #expect(run.status != .done && run.output.isEmpty)
      #expect(
        run.errors
          == "agenda: the repetition ends before its first date, 2026-11-24: choose a later end\n",
        "\(run)")
    }
  }

  @Test("a flight that begins and ends on different days can come after its title")
  func flight() {
    let run = add("flight 8 dec 22:15 - 9 dec 6:40")
    #expect(
      run.output.contains(
        " flight: Tuesday, 8 December 2026, 22:15 – Wednesday, 9 December 2026, 06:40 "), "\(run)")
  }

  @Test("for words in the middle of a title the message says where the time belongs")
  func rightOrder() {
    for words in ["tomorrow 12:30 Lunch 1h with Ana", "tomorrow 12:30 Ana's lunch 1h in town"] {
      let run = fixture.run(["add", words])
      #expect(
        run.errors == "agenda: warning: \"1h\" is part of the title; if it is a part of the time, "
          + "write all of the time before the title\n")
    }
    let twice = add("every", "monday", "9:00", "Yoga", "--repeat", "daily")
    #expect(twice.status == .wrongCommandLine && twice.errors.contains("--repeat"))
    #expect(add("Yoga", "every", "day", "with", "Ana").errors.contains("\"every day\" is part of"))
  }

  @Test("weekly is a repetition after a title and a time")
  func adverb() {
    #expect(add("Yoga", "mon", "9:00", "weekly").output.contains(" Yoga: Monday, 23 Nov"))
    #expect(add("mon", "9:00", "weekly", "Yoga").output.contains(" weekly Yoga: Monday, 23 Nov"))
    #expect(add("Team", "weekly", "mon", "9:00").output.contains(" Team weekly: Monday, 23 Nov"))
  }

  @Test("options read the same words for lengths, times and dates as add does")
  func sameWords() throws {
    let added = add("mon", "9:00", "Dentist", "--for", "half an hour", "--alarm", "an hour")
    #expect(added.output.contains("09:00–09:30 (30 min)"), "\(added)")
    #expect(add("Trip", "--at", "24 dec", "--until", "january").output.contains("31 January 2027"))
    let free = fixture.run(["free", "--days", "1", "--between", "10am to 11:30"])
    #expect(free.output.contains("10:00–11:30"), "\(free)")
    #expect(fixture.run(["alarms", "--within", "two hours"]).status == .done)
    for (since, isKnown) in [
      ("2 hours ago", true), ("saturday", true), ("november", true), ("yesterday 18:00", true),
      ("20 nov", true), ("tomorrow", false), ("sometime", false),
    ] {
      let run = fixture.run(["changes", "--since", since])
      #expect((run.status == .done) == isKnown, "\(since): \(run)")
    }
    #expect(
      fixture.titles(["show", "--from", "december", "--to", "december"]).allSatisfy {
        $0.hasSuffix("Weekly") || $0.hasSuffix("Trip")
      })
    let tomorrow = fixture.titles(["show", "--where", "start < tomorrow and title = Cake"])
    #expect(tomorrow == ["21 Cake"])
    let late = ["show", "--where", "start >= \"mon 9:00\" and title = Cake"]
    #expect(fixture.titles(late) == [])
  }

  @Test("edit --at with a sign moves the entry from its start")
  func shift() {
    add("mon", "9:00", "Lunch")
    add("sat", "Trip")
    add("mon", "9:00", "Call", "--in-zone", "America/New_York")
    for (title, shift, time) in [
      ("lunch", "+1h", "Mon, 23 Nov 2026, 09:00 → Mon, 23 Nov 2026, 10:00"),
      ("lunch", "-30m", "Mon, 23 Nov 2026, 10:00 → Mon, 23 Nov 2026, 09:30"),
      ("lunch", "+1 day", "Mon, 23 Nov 2026, 09:30 → Tue, 24 Nov 2026, 09:30"),
      ("call", "+1h30m", "Mon, 23 Nov 2026, 15:00 → Mon, 23 Nov 2026, 16:30"),
    ] {
      let run = fixture.run(["edit", title, "--at", shift])
      #expect(run.output.hasSuffix("\n  \(time)\n"), "\(run)")
    }
    let trip = fixture.run(["edit", "local/Trip", "--at", "+1w"])
    #expect(trip.output.hasSuffix("\n  Sat, 21 Nov 2026 → Sat, 28 Nov 2026\n"), "\(trip)")
    for (shift, message) in [
      ("+1h", "an all-day entry can only move by days"), ("+x", "expected a length after +"),
    ] {
      let wrong = fixture.run(["edit", "local/Trip", "--at", shift])
      #expect(wrong.status == .wrongCommandLine && wrong.errors.contains(message), "\(wrong)")
    }
    #expect(add("Later", "--at", "+1h").status == .wrongCommandLine)
  }

  @Test("edit says which occurrences it changed, and asks for them on a terminal")
  func scopeOfEdit() {
    add("every", "monday", "9:00", "Yoga", "until", "june")
    let later = ["edit", "yoga", "--at", "+6h"]
    #expect(fixture.run(later).errors.contains("choose --only, --following or --all"))
    #expect(fixture.run(later) { _ in "x" }.status == .failed)
    let times = "Mon, 23 Nov 2026, 09:00 → Mon, 23 Nov 2026, 15:00"
    for (answer, scope) in [
      ("o", "only this occurrence"), ("f", "all occurrences"), ("a", "all occurrences"),
    ] {
      var questions: [String] = []
      let run = fixture.run(later) { question in
        questions.append(question)
        return answer
      }
      #expect(run.output.contains("\n  \(scope): \(times)"), "\(run)")
      #expect(questions.count == 1 && questions[0].hasSuffix("all (a)? "))
      fixture.run(["undo"], isPinned: false)
    }
    let dry = fixture.run(later + ["--all", "--dry-run"])
    #expect(
      dry.output.hasPrefix("would change ")
        && dry.output.contains("\n  all occurrences: \(times)\nlocal\n-DTSTART;"), "\(dry)")
    // The day of the end stays.
    #expect(!dry.output.contains("RRULE") && !dry.output.contains("VTIMEZONE"))
    let night = fixture.run(["edit", "yoga", "--at", "mon 23:59:59", "--all", "--dry-run"]).output
    #expect(!night.contains("RRULE"), "\(night)")
    let day = fixture.run(["edit", "yoga", "--at", "+1d", "--all"])
    #expect(
      day.errors == "agenda: warning: --all: the weekdays of the series change too: every Monday "
        + "until 30 June 2027 → every Tuesday until 1 July 2027; --only moves one occurrence\n")
    fixture.run(["edit", "yoga", "--at", "+1h", "--only"])
    let following = fixture.run(["edit", "yoga", "--title", "Pilates", "--following"])
    #expect(following.output.hasSuffix(": title: Yoga → Pilates\n"), "\(following)")
    #expect(!following.output.contains("rule"))
    let removal = fixture.run(["remove", "pilates", "--dry-run"]) { _ in "all" }
    #expect(
      removal.output.hasPrefix("would remove Pilates, the whole series\nlocal\n-BEGIN:VEVENT"))
  }

  @Test("a title next to --at stays as it was typed")
  func typedTitle() {
    add("Friday  prayers", "--at", "fri 13:00")
    #expect(fixture.titles(["show", "--search", "prayers"]) == ["27 Friday  prayers"])
  }

  @Test("remove: a calendar if one has the name, otherwise an entry")
  func remove() throws {
    #expect(fixture.run(["remove", "cake"]).output.hasPrefix("removed Cake; "))
    #expect(fixture.run(["remove", "weekly"]).status == .wrongCommandLine)
    #expect(fixture.run(["remove", "weekly", "--all"]).output.hasPrefix("removed Weekly"))
    add("mon", "10:00", "Work", "out")
    let both = fixture.run(["remove", "work"])
    #expect(both.status == .wrongCommandLine && both.output == "")
    #expect(
      both.errors
        == "agenda: work is a calendar and an entry; choose agenda remove --calendar Work "
        + "or agenda remove --event work\n")
    #expect(
      fixture.run(["remove", "work", "out"]).output
        == "removed Work out; agenda undo brings it back\n")
    #expect(fixture.run(["remove", "Work", "--all"]).status == .wrongCommandLine)
    #expect(fixture.run(["calendars"]).output.contains("Work: "))
  }

  @Test("remove: a calendar with entries goes after a question, or if it is named as one")
  func removeCalendar() throws {
    let sentence = fixture.run(["remove", "Work", "--dry-run"]).output
    #expect(sentence.hasPrefix("would remove Work: ") && !sentence.contains("undo"))
    let unasked = fixture.run(["remove", "work"])
    #expect(unasked.status == .wrongCommandLine)
    #expect(unasked.errors.contains("; agenda remove --calendar Work does it"), "\(unasked)")
    var asked: [String] = []
    let refused = fixture.run(["remove", "work"]) { question in
      asked.append(question)
      return "n"
    }
    #expect(refused.status == .failed && refused.errors.contains("nothing was removed"))
    #expect(asked.count == 1 && asked[0].hasPrefix("remove calendar Work with "), "\(asked)")
    #expect(fixture.run(["calendars"]).output.contains("Work: "))
    for (line, answer) in [
      (["remove", "--calendar", "work"], nil), (["remove", "Work", "--yes"], nil),
      (["remove", "work"], "y"), (["remove", "--calendar", "Work"], "yes"),
    ] {
      let removed = fixture.run(line, ask: answer.map { word in { _ in word } })
      #expect(removed.output.hasSuffix("; agenda undo brings it back\n"), "\(line) \(removed)")
      #expect(!fixture.run(["calendars"]).output.contains("Work: "))
      fixture.run(["undo"])
    }
    // Next to a word, --calendar says where to look for it.
    #expect(fixture.run(["remove", "cake", "--calendar", "Work"]).status == .failed)
    #expect(fixture.run(["remove", "cake", "--calendar", "Home", "--dry-run"]).status == .done)
    fixture.run(["calendars", "new", "Empty"])
    #expect(fixture.run(["remove", "Empty"]) { _ in "n" }.status == .done)
    #expect(fixture.run(["remove", "--calendar", "Nowhere"]).status == .failed)
    #expect(fixture.run(["remove"]).status == .wrongCommandLine)
  }

  @Test("what other programs call a command leads to ours")
  func synonyms() {
    for (word, command) in [
      ("cancel", "remove"), ("delete", "remove"), ("rm", "remove"), ("ls", "show"),
      ("new", "add"), ("sync", "refresh"), ("tomorow", "tomorrow"),
    ] {
      let run = fixture.run([word], isPinned: false)
      #expect(run.status == .wrongCommandLine)
      #expect(run.errors == "agenda: unknown command \"\(word)\"; did you mean \(command)?\n")
      #expect(
        fixture.run(["help", word], isPinned: false).errors.contains("did you mean \(command)?"))
    }
  }

  @Test("a date in words in place of the sources is the first day; a file is a source")
  func dates() throws {
    func window(_ words: String...) throws -> String {
      let run = fixture.run(words + ["-f", "json"])
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any], "\(run)")
      let window = try #require(document["window"] as? [String: Any])
      return "\(window["start"] ?? "") \(window["end"] ?? "")"
    }
    #expect(try window("today", "mon").hasPrefix("2026-11-23T"))
    #expect(try window("week", "next", "week").hasPrefix("2026-11-23T"))
    #expect(try window("month", "december").hasPrefix("2026-12-01T"))
    #expect(try window("month", "november").hasPrefix("2026-11-01T"))
    #expect(try window("month", "feb 2028").hasPrefix("2028-02-01T"))
    #expect(try window("show", "24 dec", "--days", "2").hasPrefix("2026-12-24T"))
    #expect(try window("week", "this", "week").hasPrefix("2026-11-16T"))
    #expect(try window("free", "this week").hasPrefix("2026-11-16T"))
    #expect(try window("free", "next", "week").hasPrefix("2026-11-23T"))
    #expect(try window("month", "this month").hasPrefix("2026-11-01T"))
    #expect(try window("show", "--to", "this week").contains(" 2026-11-23T"))
    let grid = fixture.run(["calendar", "december"]).output
    #expect(grid.hasPrefix("December 2026") || grid.contains("December 2026"), "\(grid)")
    #expect(fixture.run(["free", "mon", "--from", "tue"]).status == .wrongCommandLine)
    #expect(fixture.run(["calendar", "nextt"]).errors.contains("did you mean agenda next?"))
    // In the title of an event, it is no date.
    #expect(
      add("mon", "9:00", "This", "week", "Report").output.contains(" This week Report: Monday"))
    #expect(fixture.run(["week", "mon", "--from", "tue"]).status == .wrongCommandLine)
    #expect(fixture.run(["week", "nextt"]).errors.contains("did you mean agenda next?"))
    #expect(fixture.titles(["show", fixture.path("home.ics")]) == ["21 Cake"])
  }

  @Test("undo says what it undoes, lists the steps, takes several, and asks before an import")
  func undo() throws {
    add("mon", "10:00", "Choir")
    fixture.run(["edit", "choir", "--title", "Song"])
    let list = fixture.run(["undo", "--list"], isPinned: false).output.split(separator: "\n")
    #expect(list.count == 3, "\(list)")
    #expect(list[0].hasPrefix("1 ") && list[0].hasSuffix(" (local)"))
    #expect(list[0].contains("edit of ") && list[1].contains("add of "))
    #expect(list[2].contains("import of ") && list[2].contains(" (work.ics, home.ics): \""))
    let json = fixture.run(["undo", "--list", "-f", "json"], isPinned: false).output
    struct Steps: Decodable {
      struct Step: Decodable {
        let number: Int
        let time: String
        let command: String
        let calendars: [String]
      }
      let version: Int
      let steps: [Step]
    }
    let steps = try JSONDecoder().decode(Steps.self, from: Data(json.utf8)).steps
    #expect(steps.map(\.number) == [1, 2, 3])
    #expect(steps.map(\.command) == ["edit", "add", "import"])
    #expect(steps.map(\.calendars) == [["local"], ["local"], ["Home", "Work"]])
    for words in [["0"], ["x"], ["5"], ["1", "--list"]] {
      #expect(fixture.run(["undo"] + words, isPinned: false).status == .wrongCommandLine)
    }
    let both = fixture.run(["undo", "2"], isPinned: false).output.split(separator: "\n")
    #expect(both.count == 4 && both[0].hasPrefix("undid: edit of "), "\(both)")
    #expect(both[1] == "local: 1 entry changed back" && both[3] == "local: 1 entry removed")
    var questions: [String] = []
    let kept = fixture.run(["undo"], isPinned: false) { question in
      questions.append(question)
      return "n"
    }
    #expect(
      kept.status == .failed
        && kept.errors == "agenda: nothing was undone; --yes answers the question\n")
    #expect(questions.count == 1 && questions[0].hasPrefix("undo the import of "))
    #expect(fixture.titles(["show"]).contains("21 Cake"))
    #expect(fixture.run(["undo"], isPinned: false) { _ in "y" }.status == .done)
    #expect(!fixture.titles(["show"]).contains("21 Cake"))
    try fixture.importAll()
    #expect(fixture.run(["undo", "--yes"], isPinned: false) { _ in "n" }.status == .done)
    #expect(fixture.run(["undo"], isPinned: false).errors == "agenda: nothing to undo\n")
    #expect(
      fixture.run(["undo", "--list"], isPinned: false).output.hasPrefix("no change can be undone"))
  }

  @Test("free lists nothing if it could not look at everything")
  func free() throws {
    #expect(fixture.run(["free"]).status == .done)
    let missing = fixture.run(["free", fixture.path("home.ics"), fixture.path("gone.ics")])
    #expect(missing.status == .failed && missing.output == "", "\(missing)")
    for options in [["-f", "json"], ["--conflicts"], []] {
      let unknown = fixture.run(["free", "--calendar", "Works"] + options)
      #expect(unknown.status == .wrongCommandLine && unknown.output == "", "\(unknown)")
    }
  }

  @Test("a backup restores each calendar, from one file and from a file for each")
  func backup() throws {
    add("mon", "10:00", "Choir")
    add("tue", "10:00", "Dinner")
    fixture.run(["remove", "cake"])
    let shown = fixture.run(["show"]).output
    #expect(fixture.run(["export", "-o", fixture.path("all.ics")]).status == .done)
    let folder = fixture.path("backup")
    for _ in 0..<2 { #expect(fixture.run(["export", "--into", folder]).status == .done) }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names == ["Home.ics", "Work.ics", "local.ics"])
    for (number, sources) in [[fixture.path("all.ics")], names.map { "\(folder)/\($0)" }]
      .enumerated()
    {
      let store = ["--store", fixture.path("restored\(number).sqlite")]
      let restored = fixture.run(["import"] + sources + store, isPinned: false)
      #expect(restored.status == .done && restored.errors == "", "\(restored)")
      if number == 0 {
        #expect(
          restored.output.contains(", calendars Home, Work, local: ")
            || restored.output.contains(", calendars local, Home, Work: "), "\(restored.output)")
      }
      #expect(fixture.run(["show"] + store).output == shown)
      #expect(
        fixture.run(["completions", "--words", "calendars"] + store, isPinned: false).output
          .contains("Work\nlocal\n"))
    }
    #expect(fixture.run(["export", "--into", folder, "-o", "x.ics"]).status == .wrongCommandLine)
    #expect(
      fixture.run(["export", "--into", fixture.path("work.ics") + "/x"]).status == .failed)
  }

  @Test("the name of a calendar never leaves the folder of an export")
  func namesOfFiles() throws {
    for (number, name) in ["../up", ".hidden", "a/b", "A", "a"].enumerated() {
      try fixture.write(
        "\(number).ics",
        calendar([event("\(number)", "DTSTART:20261124T090000Z", "SUMMARY:x")]))
      let run = fixture.run(
        ["import", fixture.path("\(number).ics"), "--calendar", name], isPinned: false)
      #expect(run.status == .done, "\(run)")
    }
    let folder = fixture.path("backup")
    #expect(fixture.run(["export", "--into", folder]).status == .done)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names.count == 7, "\(names)")
    #expect(names.contains("_.._up.ics") && names.contains("_.hidden.ics"), "\(names)")
    #expect(names.contains("a_b.ics"), "\(names)")
  }

  @Test("remove --source takes any path of a file, also if the file is gone")
  func removedSources() throws {
    for source in [
      fixture.path("home.ics"), fixture.path("./../\(fixture.folder.lastPathComponent)/home.ics"),
    ] {
      try FileManager.default.removeItem(atPath: fixture.path("home.ics"))
      let removed = fixture.run(["remove", "--source", source])
      #expect(removed.status == .done && removed.output.contains(": 1 entry; "), "\(removed)")
      fixture.run(["undo"], isPinned: false)
      try fixture.write("home.ics", OptionFixture.home)
    }
    let listed = fixture.run(["calendars", "-f", "tsv"]).output
    #expect(listed.contains("\t\(fixture.path("home.ics"))\t"))
    #expect(fixture.run(["remove", "--source", fixture.path("nothing.ics")]).status == .failed)
    #expect(fixture.titles(["show"]).contains("21 Cake"))
  }

  @Test("a limit of nothing, and another day than tomorrow, are refused")
  func contradictions() {
    let none = fixture.run(["today", "--limit", "0"])
    #expect(none.status == .wrongCommandLine && none.errors.hasPrefix("agenda: --limit"), "\(none)")
    let named = fixture.run(["tomorrow", "tomorrow"])
    #expect(named.status == .done && named.output == fixture.run(["tomorrow"]).output, "\(named)")
    let day = fixture.run(["tomorrow", "2020-05-05"])
    #expect(day.status == .wrongCommandLine, "\(day)")
    #expect(day.errors.hasSuffix("; agenda today 2020-05-05 shows that day\n"), "\(day)")
  }
}
