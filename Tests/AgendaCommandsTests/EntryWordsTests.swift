import Foundation
import TestSupport
import Testing

/// REF as words: `next` and `last`, several words, equal entries of two calendars.
@Suite("an entry named by words")
struct EntryWordsTests {
  private let fixture: OptionFixture

  init() throws {
    fixture = try OptionFixture()
    try fixture.importAll()
  }

  @Test("last is an occurrence before now, and next one that is not over")
  func sides() throws {
    fixture.run(["add", "mon", "10:00", "Choir"])
    fixture.run(["add", "mon", "12:00", "Last supper"])
    try fixture.write(
      "ended.ics",
      calendar(
        event(
          "ended", "DTSTART:20261001T100000Z", "DTEND:20261001T110000Z",
          "RRULE:FREQ=WEEKLY;COUNT=3", "SUMMARY:Course")))
    fixture.run(["import", fixture.path("ended.ics")], isPinned: false)
    let last = fixture.run(["event", "last choir"])
    #expect(last.status == .failed && last.output.isEmpty)
    #expect(last.errors == "agenda: no earlier occurrence of choir\n")
    let next = fixture.run(["edit", "next", "course", "--title", "New", "--all"])
    #expect(next.status == .failed && next.errors == "agenda: no later occurrence of course\n")
    #expect(fixture.run(["event", "last course"]).output.contains("15 October 2026"))
    #expect(fixture.run(["event", "next choir"]).output.hasPrefix("Choir\n"))
    // In progress.
    #expect(fixture.run(["event", "next running"]).output.hasPrefix("Running\n"))
    #expect(fixture.run(["event", "last supper"]).output.hasPrefix("Last supper\n"))
    #expect(fixture.run(["event", "last nothing"]).errors.contains("no entry has this id"))
    let help = fixture.run(["help", "event"], isPinned: false).output
    #expect(help.contains("\"next\" or \"last\""), "\(help)")
  }

  @Test(
    "the words of a title need no quotes, and sources can follow them",
    arguments: ["event", "open", "explain", "attachment"])
  func words(_ command: String) throws {
    try fixture.write(
      "travel.ics",
      calendar(
        event(
          "trip", "DTSTART:20261124T100000Z", "SUMMARY:Flight to New York",
          "URL:https://example.com/",
          "ATTACH;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:aGVsbG8=")))
    func run(_ words: String...) -> InMemoryRun {
      fixture.run([command] + words, runProgram: { _, _ in 0 })
    }
    let file = fixture.path("travel.ics")
    #expect(run("new", "york", file).status == .done, "\(run("new", "york", file))")
    fixture.run(["import", file], isPinned: false)
    #expect(run("new", "york").status == .done, "\(run("new", "york"))")
    #expect(run("york").output == run("new", "york").output)
    let missing = run("new", "york", fixture.path("gone.ics"))
    #expect(missing.status == .failed && missing.errors.contains("gone.ics: No such file"))
    #expect(run("new", "jersey").errors.contains("new jersey: no entry has"))
    #expect(run("1.1", "gone").errors.contains("gone: No such file"))
    if command == "attachment" { #expect(run("new", "york", "1").output == "hello") }
  }

  @Test("an entry of two calendars is listed with its calendar, which names it")
  func equalEntries() throws {
    let text = calendar(event("p-1", "DTSTART:20261124T100000Z", "SUMMARY:Party"))
    try fixture.write("one.ics", text)
    try fixture.write("two.ics", text)
    for name in ["one", "two two"] {
      let file = fixture.path("\(name.prefix(3)).ics")
      fixture.run(["import", file, "--calendar", name], isPinned: false)
    }
    let words = fixture.run(["event", "party"])
    #expect(words.status == .wrongCommandLine)
    let lines = words.errors.split(separator: "\n").map(String.init)
    let first = try #require(lines[0].split(separator: " ").first.map(String.init))
    #expect(first.hasPrefix("one/") && lines[1].hasPrefix("\"two two/"), "\(words.errors)")
    #expect(fixture.run(["event", first]).status == .done)
    let id = String(first.dropFirst("one/".count))
    let both = fixture.run(["event", id])
    #expect(both.status == .wrongCommandLine && both.errors.contains(first), "\(both)")
  }

  @Test("remove says that no calendar has the name only if no entry has it either")
  func remove() {
    fixture.run(["add", "mon", "10:00", "Lunch", "one"])
    fixture.run(["add", "tue", "10:00", "Lunch", "two"])
    let wrong = fixture.run(["remove", "lunch"]) { _ in "x" }
    #expect(wrong.errors.hasSuffix("nothing was chosen; write one of the numbers\n"), "\(wrong)")
    #expect(fixture.run(["remove", "dinner"]).errors.hasSuffix("; no calendar has this name\n"))
  }

  @Test("a single letter is a word of a title, not a part of one")
  func letter() {
    fixture.run(["add", "mon", "B"])
    let run = fixture.run(["edit", "b", "--title", "Plan C"])
    #expect(run.status == .done && run.output.contains("B → Plan C"), "\(run)")
    #expect(fixture.run(["event", "C"]).output.hasPrefix("Plan C\n"))
    for other in ["u", "7"] {
      #expect(fixture.run(["event", other]).errors.contains("no entry has this id"), "\(other)")
    }
  }

  @Test(
    "words outside the window change no entry, and its id does",
    arguments: [
      (["edit", "eclipse", "--title", "New"], "eclipse", "coming"),
      (["edit", "next", "eclipse", "--title", "New"], "next eclipse", "coming"),
      (["remove", "eclipse"], "eclipse", "coming"),
      (["remove", "--event", "eclipse"], "eclipse", "coming"),
      (["reply", "eclipse", "--accept"], "eclipse", "coming"),
      (["add", "--like", "eclipse", "--calendar", "local"], "eclipse", "coming"),
      (["remove", "last", "course"], "last course", "past"),
    ])
  func outside(command: [String], words: String, year: String) throws {
    try fixture.write(
      "far.ics",
      calendar(
        event("far-1", "DTSTART;VALUE=DATE:20280805", "SUMMARY:Eclipse"),
        event("far-2", "DTSTART:20241001T100000Z", "SUMMARY:Course")))
    fixture.run(["import", fixture.path("far.ics")], isPinned: false)
    let before = fixture.run(["export"]).output
    let run = fixture.run(command)
    #expect(run.status == .failed && run.output.isEmpty)
    let lines = run.errors.split(separator: "\n").map(String.init)
    let message =
      "agenda: \(words): no entry in the \(year) year has these words in its title, and agenda changes "
      + "others only by their id"
    #expect(lines.count == 2 && lines.last?.hasPrefix(message) == true, "\(run)")
    #expect(fixture.run(["export"]).output == before)
    let id = try #require(lines.first?.split(separator: " ").first.map(String.init))
    #expect(
      fixture.run(["event"] + words.split(separator: " ").map(String.init)).output.contains(id))
    // With a window, it is where to look.
    let window = ["--from", "2028-08-01"]
    #expect(fixture.run(["remove", "eclipse"] + window).output.hasPrefix("removed Eclipse"))
    if words.contains("course") {
      #expect(fixture.run(["remove", id]).output.hasPrefix("removed Course"))
    }
  }

  @Test("last changes what has begun in the past year")
  func lastYear() throws {
    try fixture.write(
      "ended.ics",
      calendar(
        event("ended", "DTSTART:20261001T100000Z", "RRULE:FREQ=WEEKLY;COUNT=3", "SUMMARY:Course"),
        event("today", "DTSTART:20261121T060000Z", "SUMMARY:Breakfast")))
    fixture.run(["import", fixture.path("ended.ics")], isPinned: false)
    let run = fixture.run(["remove", "last", "course", "--only", "--dry-run"])
    #expect(run.output.contains("15 October 2026"), "\(run)")
    #expect(fixture.run(["remove", "last", "breakfast"]).output.hasPrefix("removed Breakfast"))
  }

  /// Words, and the titles that are found for them.
  private static let matches: [(String, [String], [String])] = [
    ("call", ["Call", "Call Bo", "Recall"], ["Call"]),
    ("CALL", ["call", "Call Bo"], ["call"]),
    ("call", ["Call Bo", "Recall", "Callback"], ["Call Bo"]),
    ("bo call", ["Call Bo", "Call Bob"], ["Call Bo"]),
    ("call", ["Callback", "Recall"], ["Callback"]),
    ("call", ["Recall", "Miscalled"], ["Recall", "Miscalled"]),
    ("call", ["Call Bo", "Call Ana"], ["Call Bo", "Call Ana"]),
    ("last call", ["Last call", "Call"], ["Last call"]),
    ("next call", ["Next call", "Call"], ["Next call"]),
    ("cafe", ["Café", "Café Central"], ["Café"]),
    ("stand-up", ["Stand-up", "Stand-up comedy"], ["Stand-up"]),
    ("c++", ["C++", "C++ club"], ["C++"]),
  ]

  @Test(
    "an exact title wins over whole words, these over beginnings, these over the rest",
    arguments: matches)
  func ranks(words: String, titles: [String], found: [String]) throws {
    let events = titles.enumerated().map { number, title in
      event("r\(number)", "DTSTART:202611\(24 + number)T100000Z", "SUMMARY:\(title)")
    }
    try fixture.write("ranks.ics", calendar(events))
    let run = fixture.run(["event", words, fixture.path("ranks.ics")])
    if found.count == 1 {
      #expect(run.status == .done && run.output.hasPrefix(found[0] + "\n"), "\(run)")
    } else {
      #expect(run.status == .wrongCommandLine)
      for title in titles { #expect(run.errors.contains(" \(title) (") == found.contains(title)) }
    }
  }

  @Test("a message repeats several words in quotes")
  func quotes() {
    let run = fixture.run(["edit", "not", "for", "me", "--at", "+1h"])
    #expect(
      run.errors.contains("agenda add --like \"not for me\" --calendar NAME"), "\(run)")
  }
}
