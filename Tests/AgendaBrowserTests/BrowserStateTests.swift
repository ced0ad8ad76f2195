import AgendaBrowser
import AgendaCore
import AgendaRendering
import CivilTime
import Testing

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
      sample.answer(BrowserAnswer(text: "remove Lunch"))
      #expect(sample.lines.last?.hasPrefix("remove Lunch? y") == true)
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
    for key in ["a", "e", "E", "x", "+", "-", "<", ">", "Space", "r", "u", "U", "R"] {
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
