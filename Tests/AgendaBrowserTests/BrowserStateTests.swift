import AgendaCore
import AgendaRendering
import CivilTime
import Foundation
import Testing

@testable import AgendaBrowser

@Suite("browser state")
struct BrowserStateTests {
  @Test("it begins with the entry that goes on or comes next")
  func start() throws {
    let sample = try BrowserSample()
    #expect(sample.title == "Lunch")
    #expect(sample.state.date.description == "2026-11-21")
  }

  @Test("arrows go from entry to entry, over days without entries")
  func entries() throws {
    var sample = try BrowserSample()
    sample.press("j")
    #expect(sample.title == "Dentist")
    sample.press("Down")
    #expect(sample.title == "Choir")
    #expect(sample.state.date.description == "2026-12-02")
    sample.press("k", "k", "Up", "Up")
    #expect(sample.title == "Market day")
    sample.press("k")
    #expect(sample.title == "Breakfast" || sample.state.message == "nothing earlier")
  }

  @Test("entries are found years away, and their end is said")
  func farEntries() throws {
    var sample = try BrowserSample()
    sample.press("j", "j", "j", "j", "j")
    #expect(sample.title == "Eclipse")
    sample.press("j")
    #expect(sample.title == "Eclipse")
    #expect(sample.state.message == "nothing later")
    // Windows grow: a few reads are enough for centuries.
    #expect(sample.loads < 40)
  }

  @Test("days, weeks, months and years are pages of their views")
  func pages() throws {
    for (view, expected) in [
      ("2", "2026-11-22"), ("3", "2026-11-28"), ("4", "2026-12-21"), ("5", "2027-11-21"),
    ] {
      var sample = try BrowserSample()
      sample.press(view, "PageDown")
      #expect(sample.state.date.description == expected, "view \(view)")
      sample.press("PageUp")
      #expect(sample.state.date.description == "2026-11-21", "view \(view)")
    }
    var year = try BrowserSample(view: .year)
    year.press("l")
    #expect(year.state.date.description == "2026-12-21")
  }

  @Test("a date in words is gone to, and a mistake stays in the input")
  func dates() throws {
    var sample = try BrowserSample()
    sample.press("g")
    sample.receive(.input(.paste("24 dec")))
    sample.press("Enter")
    #expect(sample.state.date.description == "2026-12-24")
    #expect(sample.state.target == nil)
    sample.press("g")
    sample.receive(.input(.paste("32 dec")))
    sample.press("Enter")
    guard case .line(let line) = sample.state.prompt else {
      Issue.record("the input is closed")
      return
    }
    #expect(line.preview != nil)
    sample.press("Esc", "t")
    #expect(sample.title == "Lunch")
  }

  @Test("a paste is never taken for keys")
  func paste() throws {
    var sample = try BrowserSample()
    sample.receive(.input(.paste("xyq")))
    #expect(sample.commands.isEmpty)
    #expect(sample.state.prompt == nil)
    sample.press("a")
    sample.receive(.input(.paste("tomorrow\nq\u{1b}")))
    guard case .line(let line) = sample.state.prompt else {
      Issue.record("the input is closed")
      return
    }
    #expect(line.editor.text == "tomorrow q")
  }

  @Test("a removal says what goes, and only y removes")
  func removal() throws {
    for key in ["n", "Enter", "Esc", "x", "Space", "Y"] {
      var sample = try BrowserSample()
      sample.press("x")
      guard case .remove(_, nil, isTrial: true) = sample.commands.last else {
        Issue.record("no trial")
        return
      }
      sample.answer(BrowserAnswer(text: "Lunch, team"))
      #expect(sample.lines.last == "Remove? y yes, any other key no · Lunch, team")
      sample.press(key)
      #expect(sample.commands.count == 1, "\(key) removes")
    }
    var sample = try BrowserSample()
    sample.press("x")
    sample.answer(BrowserAnswer(text: "remove Lunch"))
    sample.press("y")
    guard case .remove(let target, nil, isTrial: false) = sample.commands.last else {
      Issue.record("nothing is removed")
      return
    }
    #expect(target.title == "Lunch")
  }

  /// What asks: keys before it (the selection is Lunch, or the series Choir), the key, and the answer of the
  /// program after which it is asked.
  private static let questions: [(before: [String], key: String, answer: BrowserAnswer?)] = [
    ([], "x", BrowserAnswer(text: "Lunch")), ([], "u", BrowserAnswer(.isImport, text: "import")),
    ([], "r", BrowserAnswer(.invitation(needsFile: false))),
    ([], "C", BrowserAnswer(.conflict(OpenConflict(uid: "b", calendar: "home"), BrowserPage([])))),
    (["j", "j"], "x", nil), (["j", "j"], "+", BrowserAnswer()), (["j", "j"], ">", BrowserAnswer()),
  ]

  @Test("a key that was typed before a question was on the screen is a command")
  func lateQuestions() throws {
    for (before, asking, answer) in Self.questions {
      // Letters that answer one of the questions, and commands.
      for key in ["y", "a", "o", "f", "d", "t", "m", "Enter", "Esc", "2"] {
        let name = "\(asking) \(key)"
        // Typed after the question arrived, but before it was drawn.
        var sample = try BrowserSample()
        for key in before { sample.press(key) }
        sample.burst(asking)
        if let answer { sample.answerBeforeDrawing(answer) }
        let asked = sample.commands
        #expect(sample.state.hasUnseenPrompt, "\(name)")
        sample.burst(key)
        if case .question = sample.state.prompt { Issue.record("\(name): it still asks") }
        #expect(!sample.state.hasUnseenPrompt)
        var other = try BrowserSample()
        for key in before { other.press(key) }
        other.burst(key)
        #expect(sample.commands.count - asked.count == other.commands.count, "\(name)")
        #expect(sample.state.view == other.state.view, "\(name)")
        guard let answer else { continue }
        // Typed before the question arrived.
        sample = try BrowserSample()
        for key in before { sample.press(key) }
        sample.burst(asking)
        let request = sample.requests.last
        sample.burst(key)
        let count = sample.commands.count
        guard case .run(_, let number)? = request else {
          Issue.record("\(name): nothing is asked for")
          continue
        }
        sample.receive(.answered(answer, to: number))
        if case .question = sample.state.prompt { Issue.record("\(name): it asks late") }
        #expect(sample.commands.count == count, "\(name)")
      }
      // Typed when it was seen, the question is answered or left.
      var sample = try BrowserSample()
      for key in before { sample.press(key) }
      sample.burst(asking)
      if let answer { sample.answerBeforeDrawing(answer) }
      sample.receive(.drawn)
      sample.press("Esc")
      #expect(sample.state.prompt == nil && sample.state.message == "nothing was changed")
    }
  }

  @Test("a question that comes late does not take the letters of an input")
  func questionAndInput() throws {
    var sample = try BrowserSample()
    sample.burst("x", "a")
    guard case .run(_, let number)? = sample.requests.last else {
      Issue.record("nothing is asked for")
      return
    }
    sample.receive(.answered(BrowserAnswer(text: "Lunch"), to: number))
    sample.press("y", "o", "g", "a")
    #expect(sample.lines.last?.hasSuffix("yoga") == true, "\(sample.lines)")
    #expect(
      !sample.commands.contains {
        if case .remove(_, _, isTrial: false) = $0 { true } else { false }
      })
  }

  @Test("what comes late does not take keys from what a person has gone on to")
  func lateForms() throws {
    for content in [
      BrowserAnswer.Content.form([FormField(.title, label: "title", text: "Lunch")]),
      .page(BrowserPage([.text("Lunch")])),
    ] {
      var sample = try BrowserSample()
      sample.press("e")
      if case .page = content {
        sample = try BrowserSample()
        sample.press("Enter")
      }
      guard case .run(_, let number)? = sample.requests.last else { continue }
      sample.press("j")
      sample.receive(.answered(BrowserAnswer(content), to: number))
      #expect(sample.state.prompt == nil && sample.state.panel == nil)
    }
    // What was typed stays, and a key before it was seen again is not put into it.
    var sample = try BrowserSample()
    for key in ["a", "x", "y", "Enter"] { sample.press(key) }
    sample.answerBeforeDrawing(BrowserAnswer(text: "the time is missing", hasFailed: true))
    sample.burst("j")
    sample.receive(.drawn)
    #expect(sample.lines.last?.hasSuffix("xy") == true, "\(sample.lines)")
    // A form that asks for the scope comes back with what was typed.
    sample = try BrowserSample()
    sample.press("j", "j", "e")
    sample.answer(BrowserAnswer(.form([FormField(.title, label: "title", text: "Choir")])))
    sample.receive(.input(.paste("!")))
    sample.burst("Enter", "o")
    guard case .form(let form) = sample.state.prompt else {
      Issue.record("the form is gone")
      return
    }
    #expect(form.editors.first?.text == "Choir!o")
  }

  @Test("Ctrl-C leaves an input or a question, and otherwise the browser")
  func interrupts() throws {
    for keys in [["a"], ["/"], ["g"], ["x"], ["e"]] {
      var sample = try BrowserSample()
      for key in keys { sample.press(key) }
      if keys == ["x"] { sample.answer(BrowserAnswer(text: "Lunch")) }
      if keys == ["e"] {
        sample.answer(BrowserAnswer(.form([FormField(.title, label: "title", text: "Lunch")])))
      }
      #expect(sample.state.prompt != nil)
      sample.press("Ctrl-C")
      #expect(sample.state.prompt == nil)
      #expect(!sample.requests.contains(.quit))
      sample.press("Ctrl-C")
      #expect(sample.requests.contains(.quit))
    }
  }

  @Test("changes of a series ask for the scope first")
  func scopes() throws {
    for (key, scope) in [("o", SeriesScope.only), ("f", .following), ("a", .all)] {
      var sample = try BrowserSample()
      sample.press("j", "j", ">")
      #expect(sample.title == "Choir")
      #expect(sample.state.prompt == nil)
      sample.answer(BrowserAnswer())
      #expect(sample.lines.last?.hasPrefix("This is a series") == true)
      sample.press(key)
      guard case .move(_, days: 1, minutes: 0, let chosen) = sample.commands.last else {
        Issue.record("no move")
        return
      }
      #expect(chosen == scope)
    }
    var sample = try BrowserSample()
    sample.press("j", "j", "+")
    sample.answer(BrowserAnswer())
    sample.press("q")
    #expect(sample.commands.count == 1)
    #expect(!sample.requests.contains(.quit))
  }

  @Test("named sources cannot be changed, which is said before an input opens")
  func sourcesOnly() throws {
    for key in ["a", "e", "E", "x", "+", "-", "<", ">", "Space", "r", "u", "U", "R", "C"] {
      var sample = try BrowserSample(isStore: false)
      sample.press(key)
      #expect(sample.commands.isEmpty, "\(key)")
      #expect(sample.state.prompt == nil, "\(key)")
      #expect(sample.state.message?.contains("agenda import") == true, "\(key)")
    }
  }

  @Test("an entry that cannot be changed says so before its fields open")
  func unwritable() throws {
    for keys in [["e"], ["E"], ["j", "j", "+"], ["j", "j", "<"]] {
      var sample = try BrowserSample()
      for key in keys { sample.press(key) }
      #expect(sample.state.prompt == nil)
      sample.answer(BrowserAnswer(text: "work.ics is a single file", hasFailed: true))
      #expect(sample.state.prompt == nil)
      #expect(sample.lines.last == "work.ics is a single file")
    }
  }

  @Test("what was typed is shown again if it is wrong")
  func typedAgain() throws {
    var sample = try BrowserSample()
    for key in ["a", "x", "y", "Enter"] { sample.press(key) }
    #expect(sample.state.prompt == nil)
    sample.answer(BrowserAnswer(text: "the time is missing", hasFailed: true))
    #expect(sample.lines.last?.hasSuffix("xy") == true, "\(sample.lines)")
    #expect(sample.lines.dropLast().last == "the time is missing")
    sample.press("Esc")
    sample.press("e")
    sample.answer(
      BrowserAnswer(.form([FormField(.title, label: "title", text: "Lunch")])))
    sample.receive(.input(.paste("!")))
    sample.press("Enter")
    sample.answer(BrowserAnswer(text: "an event needs a title", hasFailed: true))
    #expect(sample.lines.last == "an event needs a title")
    #expect(sample.lines.dropLast().last == "title  Lunch!")
  }

  @Test("a question or message that is longer than the line is shown whole, the question first")
  func longQuestions() throws {
    let details = "A very long title, Saturday, 21 November 2026, 12:00–13:00 (1 h), a calendar"
    for columns in [20, 40, 80] {
      var sample = try BrowserSample(columns: columns, rows: 14)
      sample.press("x")
      sample.answer(BrowserAnswer(text: details))
      let lines = sample.lines
      let first = try #require(lines.lastIndex { $0.hasPrefix("Remove? y") })
      #expect(
        lines[first...].joined(separator: " ") == "Remove? y yes, any other key no · \(details)")
      sample.press("n")
      sample.press("u")
      sample.answer(BrowserAnswer(text: details, hasFailed: true))
      let message = sample.lines
      let start = try #require(message.lastIndex { $0.hasPrefix("A very") })
      #expect(message[start...].joined(separator: " ") == details)
      // The next key gives the lines back.
      sample.press("k")
      #expect(!sample.lines.contains { $0.contains("calendar") })
    }
    // The end is missing only if the screen is too small, and a sign says so.
    var sample = try BrowserSample(columns: 12, rows: 2)
    sample.press("x")
    sample.answer(BrowserAnswer(text: details))
    #expect(sample.lines == ["Remove? y", "yes, any…"])
  }

  @Test("a new entry goes into the calendar that the input names, and Tab chooses another one")
  func calendarOfNewEntries() throws {
    var sample = try BrowserSample()
    sample.receive(
      .calendars([
        BrowserCalendar(name: "home", color: nil, isWritable: true),
        BrowserCalendar(name: "news", color: nil),
        BrowserCalendar(name: "team", color: nil, isWritable: true),
      ]))
    sample.press("a", "x")
    #expect(sample.lines.last == "add → local: x")
    #expect(sample.lines.dropLast().last == "Tab another calendar")
    var chosen: [String?] = []
    for key in ["Tab", "Tab", "Tab", "Shift-Tab"] {
      sample.press(key)
      guard case .preview(let entry) = sample.commands.last else {
        Issue.record("no preview")
        return
      }
      #expect(entry.words == "x")
      chosen.append(entry.calendar)
    }
    #expect(chosen == ["home", "team", nil, "team"])
    #expect(sample.lines.last == "add → team: x")
    sample.press("Enter")
    guard case .add(let entry) = sample.commands.last else {
      Issue.record("nothing is added")
      return
    }
    #expect(entry.calendar == "team")
    // The next entry goes there, too.
    sample.answer(BrowserAnswer())
    sample.press("a")
    #expect(sample.lines.last == "add → team:")
  }

  @Test("keys that change an entry only close the list of calendars, which hides it")
  func listOfCalendars() throws {
    for key in ["x", "e", "E", "+", ">", "r", "o", "i"] {
      var sample = try BrowserSample()
      sample.press("c", key)
      #expect(sample.commands.isEmpty && sample.state.panel == nil && sample.state.prompt == nil)
      sample.press("x")
      guard case .remove = sample.commands.last else {
        Issue.record("x does not ask")
        continue
      }
    }
    // Other keys do at once what they say.
    var sample = try BrowserSample()
    sample.press("c", "3")
    #expect(sample.state.panel == nil && sample.state.view == .week)
  }

  @Test("who is not invited learns it before anything is asked")
  func invitations() throws {
    var sample = try BrowserSample()
    sample.press("r")
    guard case .invitation = sample.commands.last else {
      Issue.record("not asked whether it is an invitation")
      return
    }
    #expect(sample.state.prompt == nil)
    sample.answer(BrowserAnswer(text: "not an invitation", hasFailed: true))
    #expect(sample.state.prompt == nil)
    #expect(sample.lines.last == "not an invitation")
    // A server that sends answers needs no file.
    for needsFile in [true, false] {
      sample.press("r")
      sample.answer(BrowserAnswer(.invitation(needsFile: needsFile)))
      sample.press("d")
      #expect((sample.state.prompt != nil) == needsFile)
      if needsFile { sample.press("Enter") }
      guard case .reply(_, .decline, nil, let file) = sample.commands.last else {
        Issue.record("no answer")
        return
      }
      #expect(file == (needsFile ? "reply.ics" : ""))
    }
  }

  @Test("an answer is for one occurrence or the series, and not for some")
  func answersOfSeries() throws {
    for (key, scope) in [("o", SeriesScope.only), ("a", .all), ("f", nil)] {
      var sample = try BrowserSample()
      sample.press("j", "j", "r")
      sample.answer(BrowserAnswer(.invitation(needsFile: false)))
      sample.press("a")
      #expect(sample.lines.last == "This is a series: o only this one, a all")
      sample.press(key)
      if case .reply(_, .accept, let chosen, _) = sample.commands.last {
        #expect(chosen == scope)
      } else {
        #expect(scope == nil)
      }
    }
  }

  @Test("after the tasks, the day and the entry from before are selected again")
  func tasksAndBack() throws {
    for view in ["1", "2", "3", "4", "5"] {
      var sample = try BrowserSample()
      sample.press("j")
      sample.press(view, "6")
      let task = sample.state.target.map {
        BrowserTask($0, heading: "", time: "", isOverdue: true)
      }
      sample.receive(.tasks(task.map { [$0] } ?? [], generation: 0))
      sample.press("j", "l", "h", "k")
      #expect(sample.state.date.description == "2026-11-24")
      sample.press(view)
      #expect(sample.state.date.description == "2026-11-24", "view \(view)")
      #expect(sample.title == "Dentist")
    }
  }

  @Test("a year keeps the busy times of its days, and the entries of the selected one")
  func busyYear() throws {
    var sample = try BrowserSample(view: .year)
    #expect(sample.loads == 1)
    #expect(sample.busyLoads >= 12)
    let text = sample.lines.joined(separator: "\n")
    #expect(text.contains("2026 · "))
    sample.press("j")
    #expect(sample.title == "Dentist")
    let count = sample.busyLoads
    sample.press("PageDown")
    #expect(sample.busyLoads > count)
    sample.receive(.changed)
    #expect(sample.lines.joined(separator: "\n").contains("2027 · "))
  }

  @Test("a very full month keeps the first entries of its days, and all of the selected one")
  func fullMonth() throws {
    var sample = try BrowserSample(
      [
        BrowserSample.event(
          "m", "DTSTART:20261101T000000Z", "RRULE:FREQ=MINUTELY;INTERVAL=2;COUNT=30000",
          "SUMMARY:Tick")
      ], columns: 90, rows: 30, view: .month)
    let days = sample.state.days
    func kept(_ day: Int) throws -> Int {
      days.entries(on: try #require(CivilDate(year: 2026, month: 11, day: day))).count
    }
    #expect(try kept(21) == 720)
    #expect(try (2...30).filter { $0 != 21 }.allSatisfy { try kept($0) <= 30 })
    #expect(days.count(on: try #require(CivilDate(year: 2026, month: 11, day: 5))) == 720)
    #expect(sample.lines.joined().components(separatedBy: "+718").count > 20)
    sample.press("l")
    #expect(sample.state.days.entries(on: sample.state.date).count == 720)
    sample.press("End", "j")
    #expect(sample.state.date.description == "2026-11-23")
    sample.press("1", "j")
    #expect(sample.state.position == 1)
  }

  @Test("both versions of a conflict are shown, and m or t takes one of them")
  func conflicts() throws {
    let conflict = OpenConflict(uid: "b", calendar: "home")
    let page = BrowserPage((0..<40).map { .text("line \($0)") })
    for (key, isMine) in [("m", true), ("t", false), ("y", nil), ("Esc", nil)] {
      var sample = try BrowserSample()
      sample.press("C")
      guard case .conflict(let target) = sample.commands.last else {
        Issue.record("nothing is asked for")
        return
      }
      #expect(target?.title == "Lunch")
      sample.answer(BrowserAnswer(.conflict(conflict, page)))
      #expect(
        sample.lines.last == "m keep mine, t take the server’s, any other key neither")
      // The page can be read to its end first.
      sample.press("PageDown", "j")
      #expect(sample.lines.first?.hasPrefix("line 18 ") == true)
      sample.press(key)
      #expect(sample.state.panel == nil && sample.state.prompt == nil)
      if case .resolve(let resolved, let chosen) = sample.commands.last {
        #expect(resolved == conflict)
        #expect(chosen == isMine)
      } else {
        #expect(isMine == nil)
      }
    }
  }

  @Test("entries and calendars say what is not settled with their server")
  func marks() throws {
    var sample = try BrowserSample(columns: 100)
    let references = try sample.references(on: sample.state.date)
    try #require(references.count == 3)
    var calendar = BrowserCalendar(name: "home", color: nil, isWritable: true)
    (calendar.waiting, calendar.waitingEvents) = (3, [references[2]])
    (calendar.conflicts, calendar.conflictingEvents) = (1, [references[1]])
    sample.receive(.calendars([calendar]))
    let lines = sample.lines
    #expect(lines.contains("* 12:00–13:00  Lunch  not sent yet"))
    #expect(lines.contains("* 09:00–09:30  Breakfast  conflict"))
    #expect(lines.contains("* all day      Market day"))
    #expect(lines.last == "Lunch · Sat 21 Nov, 12:00–13:00 · not sent yet")
    sample.press("c")
    #expect(sample.lines.first == " [x] *  home · conflict: 1 · not sent yet: 3")
  }

  @Test("only the fields that were changed are written")
  func fields() throws {
    var sample = try BrowserSample()
    sample.press("e")
    sample.answer(
      BrowserAnswer(
        .form([
          FormField(.title, label: "title", text: "Lunch"),
          FormField(.location, label: "location", text: ""),
        ])))
    sample.press("Enter")
    sample.receive(.input(.paste("Café")))
    sample.press("Enter")
    guard case .edit(let target, let changes, nil) = sample.commands.last else {
      Issue.record("nothing is written")
      return
    }
    #expect(target.title == "Lunch")
    #expect(changes == [.location: "Café"])
    sample.press("e")
    sample.answer(BrowserAnswer(.form([FormField(.title, label: "title", text: "Lunch")])))
    sample.receive(.input(.paste(" x")))
    let count = sample.commands.count
    sample.press("Esc")
    #expect(sample.commands.count == count)
    #expect(sample.state.message == "nothing was changed")
  }

  @Test("the selection stays on its entry when calendars change")
  func changes() throws {
    var sample = try BrowserSample()
    sample.press("j")
    let loads = sample.loads
    sample.receive(.changed)
    #expect(sample.loads > loads)
    #expect(sample.title == "Dentist")
  }

  @Test("a calendar that is switched off has no entries")
  func legend() throws {
    var sample = try BrowserSample()
    sample.press("c", "Space")
    #expect(sample.state.hidden == ["home"])
    sample.press("Esc")
    #expect(sample.title == nil)
    sample.press("c", "Space", "Esc")
    #expect(sample.title != nil)
  }

  @Test("a search goes on from where it began while it is typed")
  func search() throws {
    var sample = try BrowserSample()
    sample.press("/", "c", "h")
    let searches = sample.commands.compactMap {
      if case .find(let search) = $0 { search } else { nil }
    }
    #expect(searches.map(\.words) == ["c", "ch"])
    #expect(Set(searches.map(\.date.description)) == ["2026-11-21"])
    sample.press("Enter", "n")
    guard case .find(let next) = sample.commands.last else {
      Issue.record("n does not search")
      return
    }
    #expect(next.words == "ch")
    #expect(next.target?.title == "Lunch")
  }

  @Test("a click selects, and a drag asks to move")
  func mouse() throws {
    var sample = try BrowserSample(columns: 100, rows: 40, view: .month)
    let lines = sample.lines
    let row = try #require(lines.firstIndex { $0.contains("Dentist") })
    let line = lines[row]
    let column = line.distance(
      from: line.startIndex, to: try #require(line.firstRange(of: "Dentist")?.lowerBound))
    sample.receive(.input(.mouse(MouseEvent(.press, column: column, row: row))))
    #expect(sample.title == "Dentist")
    sample.receive(.input(.mouse(MouseEvent(.drag, column: column + 14, row: row))))
    sample.receive(.input(.mouse(MouseEvent(.release, column: column + 14, row: row))))
    guard case .move(let target, days: 1, minutes: 0, nil) = sample.commands.last else {
      Issue.record("a drag does not move: \(sample.commands)")
      return
    }
    #expect(target.title == "Dentist")
  }

  @Test("keys of the configuration replace others, and mistakes are named")
  func bindings() throws {
    var keys = KeyBindings.usual
    try keys.bind("done = D, F2")
    try keys.bind("quit=j")
    #expect(keys.action(of: Key(.character("D"))) == .done)
    #expect(keys.action(of: Key(.function(2))) == .done)
    #expect(keys.action(of: Key(.character("j"))) == .quit)
    #expect(keys.keys(of: .nextEntry) == [Key(.down)])
    #expect(throws: KeyBindings.Mistake.self) { try keys.bind("done") }
    #expect(throws: KeyBindings.Mistake.self) { try keys.bind("dance = d") }
    #expect(throws: KeyBindings.Mistake.self) { try keys.bind("done = Hyper-x") }
    for action in BrowserAction.allCases {
      #expect(!KeyBindings.usual.keys(of: action).isEmpty, "\(action)")
    }
  }
}
