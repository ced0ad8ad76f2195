import Foundation
import Testing

/// What holds for every command: exit statuses, streams, pipes and an environment with nothing in it.
@Suite("frame of the program")
struct ProgramFrameTests {
  private let folder: ScratchFolder
  private let file: String
  private let show: [String]

  init() throws {
    folder = try ScratchFolder()
    file = try folder.write("work.ics", ShowCommandTests.calendar)
    show = ["show", file] + AgendaRun.pinned
  }

  @Test("--version and --help touch neither store nor configuration")
  func helpTouchesNothing() throws {
    let home = folder.url.path
    try folder.write(".config/agenda/config", "this is no configuration\n")
    for arguments in [["--version"], ["--help"], ["show", "--help"], ["help", "alarms"]] {
      let run = try AgendaRun(arguments, environment: ["HOME": home])
      #expect(run.status == 0)
      #expect(run.errors == "")
      #expect(!run.output.isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: home + "/.local"))
    try AgendaRun(show, environment: ["HOME": home]).expect(
      2, output: "", errors: "agenda: \(home)/.config/agenda/config:1: expected option = value\n")
  }

  @Test("a reader that closes the pipe ends it quietly")
  func closedPipe() throws {
    let run = try AgendaRun(
      shell:
        "(agenda show '\(file)' --years 50 --format json; echo status $? >&2) | head -c 10")
    #expect(run.output.utf8.count == 10)
    #expect(run.errors == "status 0\n")
  }

  @Test("a full disk is said, and is status 1")
  func fullDisk() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    for arguments in ["--version", "show '\(file)'", "help"] {
      try AgendaRun(shell: "agenda \(arguments) > /dev/full").expect(
        1, output: "",
        errors: "agenda: cannot write to standard output: No space left on device\n")
    }
  }

  @Test("closed descriptors are no place for anything else")
  func closedDescriptors() throws {
    let line = show.map { "'\($0)'" }.joined(separator: " ")
    let normal = try AgendaRun(show)
    try AgendaRun(shell: "agenda \(line) <&-").expect(0, output: normal.output)
    try AgendaRun(shell: "agenda \(line) 2>&-").expect(0, output: normal.output)
    try AgendaRun(shell: "agenda \(line) >&-").expect(
      1, output: "", errors: "agenda: cannot write to standard output: Bad file descriptor\n")
    try AgendaRun(shell: "agenda show - <&-").expect(
      1, errors: "agenda: standard input: Bad file descriptor\n")
  }

  @Test("nothing of the environment is needed")
  func emptyEnvironment() throws {
    let line = show.map { "'\($0)'" }.joined(separator: " ")
    let run = try AgendaRun(
      shell: "exec env -i \"$(command -v agenda)\" \(line)", environment: [:])
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output == (try AgendaRun(show)).output)
  }

  @Test("the result is the same bytes in every run, language and place")
  func reproducible() throws {
    for format in ["json", "jsonl", "tsv", "markdown", "text"] {
      let first = try AgendaRun(show + ["-f", format, "--locale", "de"])
      let second = try AgendaRun(
        show + ["-f", format, "--locale", "de"],
        environment: ["LANG": "ja_JP.UTF-8", "TZ": "America/New_York", "COLUMNS": "20"])
      #expect(first.status == 0)
      #expect(first.output == second.output)
    }
  }

  @Test(
    "a wrong command line does nothing and is status 2",
    arguments: [
      (["show", "--timzone", "UTC"], "unknown option --timzone: did you mean --timezone?"),
      (["shwo"], "unknown command \"shwo\": did you mean show?"),
      (["work.ics"], "unknown command \"work.ics\": to read it, say agenda show work.ics"),
      (["show", "--days", "0"], "--days: \"0\" is no number from 1 to 3652059"),
      (["show", "--days", "1", "--to", "today"], "--days and --to cannot be given together"),
      (
        ["show", "--format", "jsno"],
        "--format: \"jsno\" is none of text, markdown, json, jsonl, tsv: did you mean json?"
      ),
      (
        ["show", "--from", "someday"],
        "--from: \"someday\" is not a date such as 2026-11-21, today, monday, +3d or -1w"
      ),
      (["show", "--from", "2026-02-30"], "--from: 2026-02-30: day 30 is not in 1…28"),
      (
        ["show", "--from", "2026-12-01", "--to", "2026-11-30"],
        "the window ends before it begins: 2026-12-01 to 2026-11-30"
      ),
      (["show", "--from", "9999-12-31", "--years", "1"], "the window leaves the years 1 to 9999"),
      (
        ["show", "--timezone", "Europe/Berln"],
        "--timezone: no time zone \"Europe/Berln\" in /usr/share/zoneinfo: did you mean Europe/Berlin?"
      ),
      (
        ["show", "--timezone", "../../etc/passwd"],
        "--timezone: \"../../etc/passwd\" is not a zone name"
      ),
      (
        ["show", "--now", "noon"],
        "--now: \"noon\" is no RFC 3339 instant, such as 2026-11-21T09:00:00+01:00"
      ),
      (
        ["show", "--locale", "klingon!"],
        "--locale: no locale is called \"klingon!\" (try en_GB, de, fr_CA, ja …)"
      ),
      (["next", "0"], "N: \"0\" is no number from 1 to 1000000"),
    ])
  func wrongCommandLines(arguments: [String], message: String) throws {
    try AgendaRun(arguments).expect(2, output: "", errors: "agenda: \(message)\n")
  }

  @Test("a zone in TZ that does not exist is a wrong command line")
  func wrongZone() throws {
    try AgendaRun(["show", file], environment: ["TZ": "Europe/Berln"]).expect(
      2, output: "",
      errors:
        "agenda: TZ: no time zone \"Europe/Berln\" in /usr/share/zoneinfo: did you mean Europe/Berlin?\n"
    )
  }

  @Test("nothing of an argument or a file name reaches the terminal as a control sequence")
  func hostileNames() throws {
    let name = "\u{1b}]0;owned\u{7}\u{202e}.ics"
    try folder.write(name, "<html>\u{1b}[2J</html>")
    for arguments in [
      ["show", name], ["show", "no\(name)"], ["\u{1b}[2J"], ["show", "--\u{1b}[2J"],
    ] {
      let run = try AgendaRun(arguments, in: folder.url)
      #expect(run.status != 0)
      let text = (run.output + run.errors).unicodeScalars.filter { $0 != "\n" }
      #expect(!text.contains { $0.value < 32 || (127...159).contains($0.value) })
      #expect(!text.contains("\u{202e}"))
    }
  }

  @Test("the configuration gives defaults, and the command line wins")
  func configuration() throws {
    let home = ["XDG_CONFIG_HOME": folder.url.path]
    try folder.write("agenda/config", "# mine\nformat = jsonl\ndays = 3\nwithin = 2h\n")
    let byConfiguration = try AgendaRun(show, environment: home)
    let byOptions = try AgendaRun(show + ["--format", "jsonl", "--days", "3"])
    #expect(byConfiguration.status == 0)
    #expect(byConfiguration.output == byOptions.output)
    let typed = ["--format", "tsv", "--to", "+1w"]
    let wins = try AgendaRun(show + typed, environment: home)
    #expect(wins.output == (try AgendaRun(show + typed)).output)
    #expect(wins.status == 0)

    try folder.write("agenda/config", "format = jsonl\ntimzone = UTC\n")
    try AgendaRun(show, environment: home).expect(
      2, output: "",
      errors:
        "agenda: \(folder.url.path)/agenda/config:2: unknown option timzone: did you mean timezone?\n"
    )
    try folder.write("agenda/config", "days = many\n")
    try AgendaRun(show, environment: home).expect(
      2, output: "",
      errors:
        "agenda: \(folder.url.path)/agenda/config: --days: \"many\" is no number from 1 to 3652059\n"
    )
  }

  @Test("the manual pages of all commands are clean")
  func manualPages() throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc") else {
      print("skipped: mandoc is not installed")
      return
    }
    let names = try AgendaRun(shell: "agenda help | sed -n 's/^  \\([a-z]*\\) .*/\\1/p'").output
      .split(separator: "\n").map(String.init)
    #expect(names.contains("show"))
    for name in [""] + names {
      let run = try AgendaRun(shell: "agenda help --man \(name) | mandoc -T lint -W style")
      let complaints = run.output.split(separator: "\n").filter {
        !$0.contains("referenced manual not found")
      }
      #expect(complaints.isEmpty, "\(name): \(complaints)")
      #expect(run.errors == "")
    }
  }
}
