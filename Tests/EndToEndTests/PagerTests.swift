import Foundation
import TestSupport
import Testing

/// Long output on a terminal goes through the pager, and nothing else ever does.
@Suite("pager", .requiresPython)
struct PagerTests {
  private let folder: ScratchFolder
  /// 52 Thursdays: longer than any screen here.
  private let year: String
  private let day: String

  init() throws {
    folder = try ScratchFolder()
    try folder.write("work.ics", ShowCommandTests.calendar)
    let pinned = AgendaRun.pinned.joined(separator: " ")
    year = "agenda show work.ics \(pinned)"
    day = "agenda today work.ics \(pinned)"
  }

  private func terminal(
    _ line: String, rows: Int = 24, keys: [(after: String, typed: String)] = [],
    _ environment: [String: String] = [:]
  ) throws -> TerminalRun {
    try TerminalRun(line, rows: rows, keys: keys, environment: environment, in: folder)
  }

  @Test("more lines than the terminal has go through PAGER, fewer do not")
  func longerThanTheScreen() throws {
    let mark = ["PAGER": "sed 's/^/> /'"]
    let long = try terminal(year, mark)
    #expect(long.status == 0)
    #expect(long.screen.split(separator: "\n").allSatisfy { $0.hasPrefix(">") })
    #expect(long.screen.contains("14:00–15:00  Weekly"))
    let short = try terminal(day, mark)
    #expect(short.status == 0)
    #expect(!short.screen.contains(">"))
    #expect(short.screen.contains("Running"))
    // Six lines of text need a seventh for the prompt.
    #expect(try terminal(day, rows: 7, mark).screen.contains(">") == false)
    #expect(try terminal(day, rows: 6, mark).screen.contains(">") == true)
    let help = try terminal("agenda help show", mark)
    #expect(help.screen.contains("> agenda show - "))
    #expect(try terminal("agenda show --help", mark).screen == help.screen)
  }

  @Test("formats for programs, pipes and files never do")
  func neverForPrograms() throws {
    let broken = ["PAGER": "false"]
    for line in [
      "\(year) -f json", "\(year) -f jsonl", "\(year) -f tsv", "\(year) -f markdown",
      "\(year) | cat", "\(year) > out; cat out", "agenda completions zsh",
    ] {
      let run = try terminal(line, broken)
      #expect(run.status == 0, "\(line)")
      #expect(run.screen.utf8.count > 1_000, "\(line)")
    }
  }

  @Test("no pager is wanted where PAGER is empty or cat, or the terminal can do nothing")
  func notWanted() throws {
    for environment in [["PAGER": ""], ["PAGER": "cat"], ["PAGER": "false", "TERM": "dumb"]] {
      let run = try terminal(year, environment)
      #expect(run.status == 0)
      #expect(run.screen.contains("Weekly"))
    }
  }

  @Test("text is printed if the pager cannot be run")
  func brokenPager() throws {
    for pager in ["no-such-pager", "/etc/passwd", "/"] {
      let run = try terminal(year, ["PAGER": pager])
      #expect(run.status == 0, "\(pager)")
      #expect(run.screen.components(separatedBy: "Early bird").count == 2, "\(pager)")
      #expect(run.screen.contains("18 November 2027"))
    }
  }

  @Test("without less, text is printed without a message")
  func noLess() throws {
    let programs = AgendaRun.program.deletingLastPathComponent().path
    let run = try terminal("PATH='\(programs)' \(year)")
    #expect(run.status == 0)
    #expect(!run.screen.contains("not found"))
    #expect(run.screen.contains("18 November 2027"))
  }

  @Test("a pager that is left early ends it quietly, and the exit status is that of the command")
  func leftEarly() throws {
    let run = try terminal("\(year) --years 40; echo status $?", ["PAGER": "head -n 1"])
    #expect(run.screen.hasPrefix("\u{1b}") || run.screen.hasPrefix("Saturday, 21 November"))
    #expect(run.screen.split(separator: "\n").count == 2)
    #expect(run.screen.hasSuffix("status 0\n"))
    try folder.write(
      "bad.ics",
      ShowCommandTests.calendar.replacing(
        "DTSTART;TZID=Europe/Berlin:20261121T080000", with: "DTSTART:20261131T080000"))
    let failed = try terminal(
      year.replacing("work.ics", with: "bad.ics") + "; echo status $?", ["PAGER": "tail -n 1"])
    #expect(
      failed.screen.contains("invalid DTSTART \"20261131T080000\": no such date; event rejected")
        == true)
    #expect(failed.screen.hasSuffix("status 1\n") == true)
    // The exit status of the pager is not that of the command.
    #expect(try terminal("\(year); echo status $?", ["PAGER": "false"]).screen == "status 0\n")
  }

  @Test("LESS begins with FRX, and then has the options of the user")
  func habits() throws {
    let say = ["PAGER": "echo LESS=$LESS; true"]
    let run = try terminal(year, say)
    #expect(run.screen == "LESS=-FRX\n")
    #expect(try terminal(year, say.merging(["LESS": "-i"]) { $1 }).screen == "LESS=-FRX -i\n")
  }

  @Test("a pager other than less gets no hyperlinks")
  func hyperlinks() throws {
    try folder.write(
      "work.ics",
      ShowCommandTests.calendar.replacing(
        "SUMMARY:Weekly", with: "URL:https://example.com/\r\nSUMMARY:Weekly"))
    let known = ["TERM": "xterm-kitty"]
    let direct = try terminal(year, known.merging(["PAGER": ""]) { $1 })
    #expect(
      direct.screen.contains("\u{1b}]8;id=1;https://example.com/\u{1b}\\Weekly\u{1b}]8;;\u{1b}\\"))
    let paged = try terminal(year, known.merging(["PAGER": "cat | cat"]) { $1 })
    #expect(paged.screen.contains("Weekly") && !paged.screen.contains("\u{1b}]"))
  }

  @Test("control-C is for the pager while it runs")
  func interrupt() throws {
    let pager = "trap 'echo caught' INT; cat > /dev/null; echo waiting; sleep 1; echo end"
    let run = try terminal(
      "exec \(year)", keys: [("waiting", "\u{3}")], ["PAGER": pager])
    #expect(run.screen.contains("caught\n"))
    #expect(run.screen.hasSuffix("end\n"), "\(run.screen)")
    #expect(run.status == 0)
  }

  @Test(
    "less itself: colours are shown whatever LESS is, q ends it", .requires("less"),
    arguments: [
      [:], ["LESS": ""], ["LESS": "-i"], ["LESS": "-+R"], ["PAGER": "less", "LESS": "M"],
    ])
  func less(environment: [String: String]) throws {
    let run = try terminal("\(year); echo status $?", keys: [(":", "q")], environment)
    #expect(run.screen.contains("\u{1b}["))
    #expect(!run.screen.contains("ESC"))
    #expect(run.screen.hasSuffix("status 0\n"), "\(run.screen.suffix(200))")
    #expect(!run.screen.contains("18 November 2027"))
  }
}
