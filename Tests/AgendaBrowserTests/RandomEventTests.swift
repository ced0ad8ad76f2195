import AgendaCore
import AgendaKit
import AgendaRendering
import CivilTime
import TestSupport
import Testing

@testable import AgendaBrowser

/// A browser that gets what a person, a terminal and other programs can do, in any order, and whose
/// answers come late.
@Suite("random events of a browser")
struct RandomEventTests {
  @Test("nothing crashes, and the selected entry is one of its day", arguments: 0..<4)
  func random(part: Int) throws {
    let count = 2_500 * TestSettings.rounds
    var browser = try RandomBrowser(seed: UInt64(part + 1))
    for number in 0..<count {
      browser.step()
      if number % 25 == 0 {
        browser.answerAll()
        browser.check()
      }
    }
    #expect(browser.pictures > count / 50)
  }
}

private struct RandomBrowser {
  private var dice: SeededGenerator
  private var state: BrowserState
  private var terminal = TestTerminal()
  private var writer = ScreenWriter(depth: .basic)
  private let versions: [Calendars]
  private var version = 0
  /// What was asked for, and not answered yet.
  private var pending: [BrowserRequest] = []
  private(set) var pictures = 0
  private let seed: UInt64

  private static let keys = [
    "k", "j", "h", "l", "1", "2", "3", "4", "5", "6", "t", "g", "Enter", "Esc", "/", "n", "N", "c",
    "a", "e", "E", "x", "y", "+", "-", ">", "<", "Space", "r", "i", "o", "u", "U", "R", "C", "?",
    "f", "m", "d", "Up", "Down", "PageUp", "PageDown", "Home", "End", "Tab", "Shift-Tab",
    "Backspace", "Delete", "Ctrl-U", "Ctrl-S", "Ctrl-W", "Ctrl-L", "Ctrl-Z", "Left", "Right", "é",
  ].compactMap { Key($0) }

  init(seed: UInt64) throws {
    self.seed = seed
    dice = SeededGenerator(seed: seed)
    let database = ZoneDatabase.system(TZDIR: nil)
    let zone = try #require(database.zone(named: "Europe/Berlin"))
    let many = (0..<40).map {
      BrowserSample.event(
        "m\($0)", "DTSTART:202611\(20 + $0 % 5)T\(10 + $0 % 9)0000Z", "DURATION:PT\(1 + $0)H",
        "SUMMARY:東京 \($0) 👩‍👩‍👧")
    }
    // Another program adds and removes entries.
    versions = try [BrowserSample.usual, [], BrowserSample.usual + many].map { events in
      let text = (["BEGIN:VCALENDAR", "VERSION:2.0"] + events + ["END:VCALENDAR"])
      return try Calendars(text: text.joined(separator: "\r\n"), name: "home", zones: database)
    }
    let settings = BrowserSettings(
      zone: zone, wording: DateWording(try LocaleData("en-GB")), color: .basic, isStore: true)
    state = BrowserState(settings, now: BrowserSample.now, columns: 80, rows: 24)
    handle(.calendars([BrowserCalendar(name: "home", color: nil, isWritable: true)]))
  }

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &dice) }

  private mutating func handle(_ event: BrowserEvent) { pending += state.handle(event) }

  mutating func step() {
    switch number(0..<100) {
    case 0..<62:
      if let key = Self.keys.randomElement(using: &dice) { handle(.input(.key(key))) }
    case 62..<76: handle(.input(.mouse(mouse())))
    case 76..<79:
      let texts = ["tomorrow", "24 dec\n\u{1b}", "9:00 x", "", String(repeating: "東", count: 300)]
      handle(.input(.paste(texts[number(0..<texts.count)])))
    case 79..<82:
      let isLarge = number(0..<20) == 0
      handle(
        .resized(
          columns: number(0..<(isLarge ? 401 : 130)), rows: number(0..<(isLarge ? 201 : 50))))
    case 82: handle(.time(BrowserSample.now.adding(seconds: number(-100_000..<100_000))))
    case 83:
      version = number(0..<versions.count)
      handle(.changed)
    case 84: handle(.progress(number(0..<2) == 0 ? nil : "refreshing 3 of 7"))
    case 85: handle(.failed("the store is locked"))
    case 86..<90: handle(.drawn)
    default: answerOne()
    }
    if number(0..<20) == 0 { draw() }
  }

  private mutating func mouse() -> MouseEvent {
    let kinds: [MouseEvent.Kind] = [.press, .press, .drag, .release, .scrollUp, .scrollDown]
    return MouseEvent(
      kinds[number(0..<kinds.count)], column: number(0..<(state.columns + 2)),
      row: number(0..<(state.rows + 2)))
  }

  private mutating func answerOne() {
    guard !pending.isEmpty else { return }
    let request = pending.remove(at: number(0..<pending.count))
    switch request {
    case .load(let window, let hidden, let generation, let most):
      if let agenda = agenda(window, hidden) {
        handle(
          .loaded(DaysPart(agenda, window: window, atMost: most), generation: generation))
      }
    case .loadBusy(let window, let hidden, let generation):
      if let agenda = agenda(window, hidden) {
        handle(.loadedBusy(BusyPart(agenda, window: window), generation: generation))
      }
    case .loadTasks(_, let generation): handle(.tasks([], generation: generation))
    case .run(let command, let number): handle(.answered(answer(to: command), to: number))
    case .suspend, .redraw, .quit: break
    }
  }

  private func agenda(_ window: DateWindow, _ hidden: Set<String>) -> Agenda? {
    var selection = Selection()
    selection.excludedCalendars = Array(hidden)
    return try? versions[version].agenda(
      in: window, of: selection, options: .init(today: state.today))
  }

  private mutating func answer(to command: BrowserCommand) -> BrowserAnswer {
    if number(0..<5) == 0 {
      return BrowserAnswer(
        text: String(repeating: "no way ", count: number(1..<60)), hasFailed: true)
    }
    let page = BrowserPage((0..<number(0..<90)).map { .text("line \($0)") })
    switch command {
    case .details, .explanation: return BrowserAnswer(.page(page))
    case .fields:
      return BrowserAnswer(
        .form(FormField.Name.allCases.map { FormField($0, label: $0.rawValue, text: "x") }))
    case .invitation: return BrowserAnswer(.invitation(needsFile: number(0..<2) == 0))
    case .conflict:
      return BrowserAnswer(.conflict(OpenConflict(uid: "a", calendar: "home"), page))
    case .link: return BrowserAnswer(.link("https://example.com"), text: "example.com")
    case .find:
      guard let target = state.target else { return BrowserAnswer(.foundNothing) }
      return BrowserAnswer(.found(target, on: target.date ?? state.date))
    default:
      var answer = BrowserAnswer(text: "done")
      if number(0..<2) == 0 { answer.target = state.target }
      return answer
    }
  }

  /// Answers everything, also what is asked for then.
  mutating func answerAll() {
    var count = 0
    while !pending.isEmpty, count < 5_000 {
      answerOne()
      count += 1
    }
    #expect(count < 5_000, "it asks for more and more: seed \(seed)")
  }

  private mutating func draw() {
    let frame = BrowserFrame(state)
    #expect(frame.canvas.lines.count == state.rows)
    #expect(frame.canvas.lines.allSatisfy { $0.count == state.columns })
    if let cursor = frame.cursor {
      #expect(cursor.column < state.columns && cursor.row < state.rows && cursor.row >= 0)
    }
    terminal.resize(columns: state.columns, rows: state.rows)
    terminal.feed(writer.bytes(for: frame))
    for (row, line) in frame.canvas.lines.enumerated() {
      // The second half of a wide letter is written with its first.
      let isSame = zip(line, terminal.cells[row]).allSatisfy {
        $0.text == $1 || $0.text.isEmpty
      }
      let shown = terminal.cells[row].joined()
      #expect(isSame, "row \(row): \(shown) instead of \(line.map(\.text).joined()): seed \(seed)")
    }
    pictures += 1
  }

  mutating func check() {
    draw()
    if state.view == .tasks {
      #expect(state.target == nil || state.taskPosition != nil || state.tasks?.isEmpty != false)
    } else if state.days.knows(state.date), state.prompt == nil {
      #expect(
        state.entries.isEmpty ? state.target == nil : state.position != nil,
        "\(state.view) \(state.date) \(String(describing: state.target?.title)): seed \(seed)")
    }
  }
}
