import Foundation
import TestSupport
import Testing

@testable import AgendaCommands

/// What a person sees on a terminal, and a pipe does not.
@Suite("on a terminal")
struct TerminalTests {
  private let fixture: OptionFixture

  init() throws { fixture = try OptionFixture() }

  /// The lines of an output without control sequences.
  private func lines(_ run: InMemoryRun) -> [String] {
    var text = ""
    var isSequence = false
    for scalar in run.output.unicodeScalars {
      if scalar == "\u{1b}" { isSequence = true }
      if !isSequence { text.unicodeScalars.append(scalar) }
      if isSequence, scalar == "m" { isSequence = false }
    }
    return text.split(separator: "\n").map(String.init)
  }

  private func write(_ events: [String], name: String = "own.ics") throws -> String {
    try fixture.write(
      name, calendar(events, ["X-WR-CALNAME:\(name.dropLast(4))"]))
    return fixture.path(name)
  }

  @Test("today: the past is dimmed, what runs, comes next or overlaps is marked, and counted")
  func today() throws {
    let today = ["today"] + fixture.sources
    let late = ["--now", "2026-11-21T16:40:00+01:00"]
    let plain = lines(fixture.run(today + late, columns: 80, variables: ["NO_COLOR": "1"]))
    #expect(plain[0] == "Saturday, 21 November 2026 · today")
    #expect(plain[1] == "5 entries, next in 3 h 20 min")
    #expect(plain[3].hasPrefix("  08:30–09:30  Running · Park · Work · "))
    #expect(plain[4].hasPrefix("  16:00–17:00  Later (now, overlaps) · Work · "))
    #expect(plain[5].hasPrefix("  16:30–17:30  Dentist (now, overlaps) · Work · "))
    #expect(plain[6].hasPrefix("  20:00–21:00  Cake (in 3 h 20 min) · Home · "))
    let colored = fixture.run(today + late, columns: 80)
      .output.split(separator: "\n").map(String.init)
    #expect(colored[3].contains("\u{1b}[2mRunning\u{1b}[0m"))
    #expect(colored[4].contains("\u{1b}[1mLater\u{1b}[0m"))
    #expect(colored[4].contains("\u{1b}[32mnow\u{1b}[0m") && colored[4].contains("\u{1b}[33m"))
    #expect(colored.dropFirst(2).allSatisfy { $0.contains("▌\u{1b}[0m ") })
    let evening = lines(
      fixture.run(today + ["--now", "2026-11-21T22:00:00+01:00"], columns: 80))
    #expect(evening[1] == "5 entries, nothing more")
    // Other days are neither counted nor dimmed, and a pipe has nothing of this.
    #expect(!lines(fixture.run(["today", "sun"] + late, columns: 80)).contains("2 entries"))
    let piped = fixture.run(today + late).output
    #expect(!piped.contains("now") && !piped.contains("5 entries") && !piped.contains(" in "))
    #expect(piped.contains("  16:00–17:00  Later · Work\n"))
  }

  @Test("a calendar is named only if there are several, and ids are dimmed where there is room")
  func names() throws {
    let one = ["show", fixture.path("home.ics"), "--days", "1"]
    let wide = fixture.run(one, columns: 80).output
    #expect(!wide.contains("Home") && wide.contains(/\e\[2m · \e\[0m\e\[2m[0-9a-f]{8}\e\[0m\n/))
    #expect(!fixture.run(one, columns: 40).output.contains(/[0-9a-f]{8}/))
    #expect(fixture.run(one).output.contains("Cake · Home\n"))
    #expect(fixture.run(one + ["--color", "always"]).output.contains("Home"))
    for columns in [40, 80, 120] {
      for line in lines(fixture.run(["show"] + fixture.sources, columns: columns)) {
        #expect(line.count <= columns, "\(line)")
      }
    }
  }

  @Test("overdue tasks are red, on their day and on today")
  func overdue() throws {
    let source = try write([
      component(
        "VTODO", "old", ["DUE:20261119T100000Z", "SUMMARY:Old", "PRIORITY:1"]),
      component("VTODO", "early", ["DUE:20261121T070000Z", "SUMMARY:Early"]),
      component("VTODO", "late", ["DUE:20261121T170000Z", "SUMMARY:Late"]),
    ])
    let run = fixture.run(["today", "--tasks", source], columns: 80)
    #expect(run.output.contains("\u{1b}[31moverdue: Thu, 19 Nov 2026, 11:00\u{1b}[0m"))
    #expect(run.output.contains("\u{1b}[31moverdue\u{1b}[0m"))
    let page = lines(run).joined(separator: "\n")
    #expect(page.contains("Early (overdue)") && page.contains("Late · "))
  }

  @Test("next: on a terminal, timed entries come before the all-day ones of their day")
  func next() {
    let next = ["next"] + fixture.sources
    let page = lines(fixture.run(next, columns: 80))
    #expect(page.count == 2 && page[1].contains("Running (now)"))
    #expect(lines(fixture.run(["next", "5"] + fixture.sources, columns: 80))[5].contains("Trip"))
    #expect(fixture.run(next).output.contains("Trip"))
    let template = ["--template", "{title}"]
    #expect(fixture.run(next + template, columns: 80).output == "Trip\n")
    for format in ["json", "jsonl", "tsv", "markdown", "html"] {
      let piped = fixture.run(next + ["-f", format])
      #expect(piped.output.contains("Trip"))
      #expect(fixture.run(next + ["-f", format], columns: 80).output == piped.output)
    }
  }

  @Test("a link is a hyperlink where the terminal knows them, a word elsewhere, nothing in a pipe")
  func links() throws {
    let source = try write([
      event(
        "a", "DTSTART:20261121T100000Z", "SUMMARY:Call\u{1b}]8;;https://evil.example\u{7}",
        "CONFERENCE;VALUE=URI:https://meet.example.com/a?b=1;c"),
      event(
        "b", "DTSTART:20261121T110000Z", "SUMMARY:Page", "URL:http://example.com/ü \u{1b}\\x"),
      event(
        "c", "DTSTART:20261121T120000Z", "SUMMARY:Script", "URL:javascript:alert(1)",
        "LOCATION:file:///etc/passwd"),
    ])
    let today = ["today", source]
    let known = fixture.run(today, columns: 80, variables: ["VTE_VERSION": "7200"]).output
    #expect(
      known.contains(
        "\u{1b}]8;id=1;https://meet.example.com/a?b=1;c\u{1b}\\Call�]8;;https://evil.example�"
          + "\u{1b}]8;;\u{1b}\\"))
    #expect(known.contains("\u{1b}]8;id=2;http://example.com/%C3%BC%20%EF%BF%BD%5Cx\u{1b}\\Page"))
    #expect(known.components(separatedBy: "\u{1b}]8;").count == 5)
    #expect(!known.contains("\u{7}") && !known.contains("link)"))
    for variables in [
      [:], ["VTE_VERSION": "7200", "TMUX": "/tmp/x,1,0"], ["TERM": "screen-256color"],
      ["VTE_VERSION": "5000"], ["VTE_VERSION": "x"], ["TERM_PROGRAM": "Apple_Terminal"],
    ] {
      let unknown = fixture.run(today, columns: 80, variables: variables)
      #expect(!unknown.output.contains("\u{1b}]"), "\(variables)")
      let page = lines(unknown).joined()
      #expect(page.contains("join)") && page.contains("link)"))
    }
    for variables in [["TERM": "xterm-kitty"], ["TERM_PROGRAM": "iTerm.app"], ["WT_SESSION": "1"]] {
      #expect(fixture.run(today, columns: 80, variables: variables).output.contains("\u{1b}]8;"))
      #expect(!fixture.run(today, variables: variables).output.contains("\u{1b}"))
    }
    #expect(!fixture.run(today).output.contains("join"))
  }

  @Test("open: the host is printed, and the address goes to the browser without a shell")
  func open() throws {
    let source = try write([
      event(
        "a", "DTSTART:20261121T100000Z", "SUMMARY:Call", "URL:https://example.com/other",
        "CONFERENCE;VALUE=URI:https://bank.example@meet.example.com/a?b=1&c='$(reboot)'"),
      event(
        "b", "DTSTART:20261121T110000Z", "SUMMARY:Place", "URL:ftp://example.com/",
        "LOCATION:Room 2\\, <HTTPS://Example.com/room_(2)>."),
      event(
        "c", "DTSTART:20261121T120000Z", "SUMMARY:Text", "DESCRIPTION:See (http://example.com/x)."),
      event(
        "d", "DTSTART:20261121T130000Z", "SUMMARY:Nothing", "URL:file:///etc/passwd",
        "DESCRIPTION:http:// ://x xhttp:/ javascript:alert(1)"),
    ])
    func open(
      _ reference: String, _ browser: String?, status: Int32? = 0
    ) -> (run: InMemoryRun, calls: [[String]]) {
      var calls: [[String]] = []
      let run = fixture.run(
        ["open", reference, source], variables: browser.map { ["BROWSER": $0] } ?? [:],
        runProgram: { program, arguments in
          calls.append([program] + arguments)
          return status
        })
      return (run, calls)
    }
    let call = open("call", nil)
    #expect(call.run.output == "meet.example.com\n" && call.run.status == .done)
    #expect(
      call.calls == [
        ["xdg-open", "https://bank.example@meet.example.com/a?b=1&c='$(reboot)'"]
      ])
    #expect(
      open("1.2", "w3m -N %s x").calls == [["w3m", "-N", "HTTPS://Example.com/room_(2)", "x"]])
    #expect(open("text", "firefox").calls == [["firefox", "http://example.com/x"]])
    let nothing = open("nothing", nil)
    #expect(nothing.run.status == .failed && nothing.calls.isEmpty)
    #expect(
      nothing.run.errors
        == "agenda: nothing: this entry has no http or https address to open\n")
    let failing = open("text", "a: b:", status: nil)
    #expect(failing.calls.map(\.first) == ["a", "b"] && failing.run.status == .failed)
    #expect(
      failing.run.errors
        == "agenda: a, b: cannot open http://example.com/x; set BROWSER to the command of a browser\n"
    )
    #expect(open("unknown", nil).run.status == .failed)
  }

  @Test("changes has the colours of a diff, and on a terminal a series is at its next time")
  func changes() throws {
    try fixture.importAll()
    let changed = OptionFixture.work
      .replacing("SUMMARY:Weekly", with: "SUMMARY:Weekly talk")
      .replacing("UID:dentist", with: "UID:doctor")
    try fixture.write("work.ics", changed)
    #expect(fixture.run(["refresh"], isPinned: false).status == .done)
    let piped = fixture.run(["changes"]).output
    #expect(piped.contains("  changed    Weekly talk: Thu, 5 Nov 2026, 14:00: title: "))
    let colored = fixture.run(["changes"], columns: 100).output
    #expect(colored.contains("\u{1b}[33mchanged\u{1b}[0m    Weekly talk: Thu, 26 Nov 2026, 14:00:"))
    #expect(colored.contains("\u{1b}[32madded\u{1b}[0m      Dentist"))
    #expect(colored.contains("\u{1b}[31mremoved\u{1b}[0m    Dentist"))
    #expect(fixture.run(["changes", "--color", "always"]).output.contains("\u{1b}[32madded"))
    let json = fixture.run(["changes", "-f", "json"]).output
    #expect(fixture.run(["changes", "-f", "json"], columns: 100).output == json)
  }

  @Test("calendars has colours, and says which are yours")
  func calendars() throws {
    try fixture.importAll()
    #expect(fixture.run(["add", "mon", "10:00", "Choir"]).status == .done)
    let page = fixture.run(["calendars"], columns: 80).output
    #expect(
      page.contains(
        "▌\u{1b}[0m \u{1b}[1mWork\u{1b}[0m: 7 events, 1 task, 1 journal, \u{1b}[2mbelong")
    )
    #expect(page.contains("\u{1b}[1mlocal\u{1b}[0m: 1 event, \u{1b}[32myours\u{1b}[0m\n"))
    let piped = fixture.run(["calendars"]).output
    #expect(piped.hasPrefix("Home: 1 event\n  "))
    #expect(fixture.run(["calendars", "--color", "always"]).output.contains("▌"))
    for line in lines(fixture.run(["calendars"], columns: 60)) { #expect(line.count <= 60) }
  }

  @Test("without any calendar, messages name import and add")
  func nothingImported() {
    for (command, stream) in [("show", \InMemoryRun.errors), ("calendars", \InMemoryRun.output)] {
      let text = fixture.run([command])[keyPath: stream]
      #expect(text.contains("agenda import FILE") && text.contains("agenda add TITLE"), "\(text)")
    }
  }

  @Test("hyperlinks are taken out of text for a pager that does not know them")
  func withoutHyperlinks() {
    let text =
      "a \u{1b}]8;id=1;https://example.com/?a;b\u{1b}\\Ä\u{1b}]8;;\u{1b}\\ \u{1b}[1mb\u{1b}[0m"
    #expect(Hyperlinks.areIn(Array(text.utf8)) && !Hyperlinks.areIn(Array("a".utf8)))
    let plain = Hyperlinks.removed(from: Array(text.utf8))
    #expect(String(decoding: plain, as: UTF8.self) == "a Ä \u{1b}[1mb\u{1b}[0m")
    #expect(Hyperlinks.removed(from: Array("a\u{1b}]8;".utf8)) == Array("a".utf8))
  }
}
