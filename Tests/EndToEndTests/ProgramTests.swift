import Foundation
import TestSupport
import Testing

/// What holds for every command: exit statuses, streams, pipes and an environment with nothing in it.
@Suite("program")
struct ProgramTests {
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
    try folder.write(".config/agenda/config", "not a configuration\n")
    for arguments in [["--version"], ["--help"], ["show", "--help"], ["help", "alarms"]] {
      let run = try AgendaRun(arguments, environment: ["HOME": home])
      #expect(run.status == 0)
      #expect(run.errors == "")
      #expect(!run.output.isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: home + "/.local"))
    try AgendaRun(show, environment: ["HOME": home]).expect(
      2, output: "",
      errors:
        "agenda: \(home)/.config/agenda/config:1: expected option = value, such as timezone = Europe/Berlin\n"
    )
  }

  @Test("a reader that closes the pipe ends it quietly")
  func closedPipe() throws {
    let run = try AgendaRun(
      shell:
        "(agenda show '\(file)' --years 50 --format json; echo status $? >&2) | head -c 10")
    #expect(run.output.utf8.count == 10)
    #expect(run.errors == "status 0\n")
  }

  @Test("a full disk is reported with status 1")
  func fullDisk() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    for arguments in ["--version", "show '\(file)'", "help"] {
      try AgendaRun(shell: "agenda \(arguments) > /dev/full").expect(
        1, output: "",
        errors: "agenda: cannot write to standard output: No space left on device\n")
    }
  }

  @Test("closed descriptors are not used for anything else")
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
    for format in ["json", "jsonl", "tsv", "markdown", "html", "text"] {
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
      (["show", "--timzone", "UTC"], "unknown option --timzone; did you mean --timezone?"),
      (["shwo"], "unknown command \"shwo\"; did you mean show?"),
      (["work.ics"], "unknown command \"work.ics\"; to show a file, run agenda show work.ics"),
      (["show", "--days", "0"], "--days: expected a number from 1 to 3652059, got 0"),
      (["show", "--days", "1", "--to", "today"], "--days and --to cannot be used together"),
      (
        ["show", "--format", "jsno"],
        "--format: expected one of text, markdown, html, json, jsonl, tsv, csv, got \"jsno\"; did you mean json?"
      ),
      (
        ["show", "--from", "someday"],
        "--from: expected a date such as 2026-11-21, today, monday, 24 dec, 24.12., next week or +3d, got \"someday\""
      ),
      (
        ["show", "--from", "2026-02-30"], "--from: 2026-02-30: expected a day from 1 to 28, got 30"
      ),
      (
        ["show", "--from", "2026-12-01", "--to", "2026-11-30"],
        "--to: the window would end before it starts (2026-12-01 to 2026-11-30)"
      ),
      (
        ["show", "--from", "9999-12-31", "--years", "1"],
        "the window must be within the years 1 to 9999; see --from and --to"
      ),
      (
        ["show", "--from", "9999-12-31", "--days", "2"],
        "the window must be within the years 1 to 9999; see --from and --to"
      ),
      (
        ["show", "--timezone", "W. Europa Standard Time"],
        "--timezone: \"W. Europa Standard Time\" is not a zone name; time zones have names like Europe/Berlin"
      ),
      (
        ["show", "--timezone", "Europe/Berln"],
        "--timezone: no time zone \"Europe/Berln\" in /usr/share/zoneinfo; did you mean Europe/Berlin?"
      ),
      (
        ["show", "--timezone", "../../etc/passwd"],
        "--timezone: \"../../etc/passwd\" is not a zone name; time zones have names like Europe/Berlin"
      ),
      (
        ["show", "--now", "noon"],
        "--now: expected a time such as 2026-11-21T09:00:00+01:00, got \"noon\""
      ),
      (
        ["show", "--locale", "klingon!"],
        "--locale: no locale is called \"klingon!\" (try en_GB, de, fr_CA, ja …)"
      ),
      (["next", "0"], "N: expected a number from 1 to 1000000, got 0"),
    ])
  func wrongCommandLines(arguments: [String], message: String) throws {
    try AgendaRun(arguments).expect(2, output: "", errors: "agenda: \(message)\n")
  }

  @Test("a zone in TZ that does not exist is a wrong command line")
  func wrongZone() throws {
    try AgendaRun(["show", file], environment: ["TZ": "Europe/Berln"]).expect(
      2, output: "",
      errors:
        "agenda: TZ: no time zone \"Europe/Berln\" in /usr/share/zoneinfo; did you mean Europe/Berlin?\n"
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
        "agenda: \(folder.url.path)/agenda/config:2: unknown option timzone; did you mean timezone?\n"
    )
    try folder.write("agenda/config", "days = many\n")
    try AgendaRun(show, environment: home).expect(
      2, output: "",
      errors:
        "agenda: \(folder.url.path)/agenda/config:1: --days: expected a number from 1 to 3652059, got \"many\"\n"
    )
  }

  @Test(
    "errors in the configuration name the file, the line and a way out",
    arguments: [
      ("\nnow", "2: expected option = value, such as timezone = Europe/Berlin"),
      ("colour = never", "1: unknown option colour; did you mean color?"),
      ("xyzzy = 1", "1: unknown option xyzzy; agenda help show lists options"),
      ("# mine\nonce = maybe", "2: --once: expected yes or no, got \"maybe\""),
      (
        "format = jsno",
        "1: --format: expected one of text, markdown, html, json, jsonl, tsv, csv, got \"jsno\"; did you mean json?"
      ),
      (
        "\ntimezone = Europe/Berln",
        "2: --timezone: no time zone \"Europe/Berln\" in /usr/share/zoneinfo; did you mean Europe/Berlin?"
      ),
      (
        "locale = klingon!",
        "1: --locale: no locale is called \"klingon!\" (try en_GB, de, fr_CA, ja …)"
      ),
      (
        "days = 3\nweeks = 2", "2: --days and --weeks cannot be used together"
      ),
      (
        "now = noon", "1: --now: expected a time such as 2026-11-21T09:00:00+01:00, got \"noon\""
      ),
    ])
  func wrongConfiguration(text: String, message: String) throws {
    try folder.write("agenda/config", text + "\n")
    // TZ would beat the line with a zone.
    let home = [
      "XDG_CONFIG_HOME": folder.url.path, "AGENDA_STORE": folder.url.path + "/s", "TZ": "",
    ]
    let path = "\(folder.url.path)/agenda/config"
    try AgendaRun(["show", file], environment: home).expect(
      2, output: "", errors: "agenda: \(path):\(message)\n")
    // What is typed is not the configuration's fault.
    if message.contains("--timezone") {
      try AgendaRun(["show", file, "--timezone", "Nowhere"], environment: home).expect(
        2, output: "",
        errors:
          "agenda: --timezone: no time zone \"Nowhere\" in /usr/share/zoneinfo; time zones have names like Europe/Berlin\n"
      )
    }
  }

  @Test("an unreadable configuration is an error, a missing one is not")
  func unreadableConfiguration() throws {
    let home = ["XDG_CONFIG_HOME": folder.url.path]
    let path = "\(folder.url.path)/agenda/config"
    func expect(_ reason: String) throws {
      try AgendaRun(show, environment: home).expect(
        2, output: "", errors: "agenda: \(path): \(reason)\n")
    }
    #expect(try AgendaRun(show, environment: home).status == 0)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try expect("not a regular file")
    try FileManager.default.removeItem(atPath: path)
    try Data([0x66, 0xFF, 0x0A]).write(to: URL(fileURLWithPath: path))
    try expect("not UTF-8")
    try Data(repeating: 0x0A, count: 2 << 20).write(to: URL(fileURLWithPath: path))
    try expect("larger than 1048576 bytes")
    if getuid() != 0 {
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
      try expect("Permission denied")
    }
    // Commands that say what the program is work with any.
    for arguments in [["help"], ["completions", "bash"], ["--version"]] {
      #expect(try AgendaRun(arguments, environment: home).status == 0)
    }
  }

  @Test("the line that says where a listing ends comes after the listing")
  func endOfListing() throws {
    let series = (1...12).map {
      event("s\($0)", "SUMMARY:Tick", "DTSTART:19700101T000000Z", "RRULE:FREQ=SECONDLY")
    }
    try folder.write("ticks.ics", calendar(series))
    let pinned = AgendaRun.pinned.joined(separator: " ")
    let run = try AgendaRun(
      shell: "agenda show ticks.ics \(pinned) --days 2 --template x 2>&1 | tail -n 1",
      in: folder.url)
    #expect(
      run.output == "agenda: error: more than 1000000 entries in the window; "
        + "the listing ends during its first day, 2026-11-21\n")
  }

  @Test(
    "the message about an argument that is not UTF-8 names its option or operand",
    arguments: [
      ("show --search caf", "--search: argument 3 is not UTF-8; agenda reads text only in UTF-8"),
      ("show --search=caf", "--search: argument 2 is not UTF-8; agenda reads text only in UTF-8"),
      ("search caf", "WORDS: argument 2 is not UTF-8; agenda reads text only in UTF-8"),
      ("add mon caf", "TITLE: argument 3 is not UTF-8; agenda reads text only in UTF-8"),
      ("show --media caf", "--media: argument 3 is not UTF-8; rename the file or folder"),
      (
        "caf",
        "argument 1 is not UTF-8; rename the file, or use standard input: agenda show - < FILE"
      ),
    ])
  func undecodedTexts(_ arguments: String, _ message: String) throws {
    try AgendaRun(shell: "agenda \(arguments)$(printf '\\351')", in: folder.url)
      .expect(2, output: "", errors: "agenda: \(message)\n")
  }

  @Test("a file whose name is not UTF-8 is refused by name, and read from its folder or as input")
  func undecodedNames() throws {
    let name = "$(printf 'caf\\351.ics')"
    let pinned = AgendaRun.pinned.joined(separator: " ") + " --days 1 -f tsv"
    let message =
      "agenda: argument 2 is not UTF-8; rename the file, or use standard input: agenda show - < FILE\n"
    try AgendaRun(
      shell: "mkdir vdir && cp '\(file)' \"vdir/\(name)\" && agenda show \"vdir/\(name)\"",
      in: folder.url
    ).expect(2, output: "", errors: message)
    let input = try AgendaRun(
      shell: "agenda show - \(pinned) < \"vdir/\(name)\"", in: folder.url)
    #expect(input.status == 0)
    #expect(input.rows.count == 4)
    let whole = try AgendaRun(shell: "agenda show vdir \(pinned)", in: folder.url)
    #expect(whole.status == 0)
    #expect(whole.rows.count == 4)
    let store = ["AGENDA_STORE": folder.url.path + "/store"]
    for _ in 0..<2 {
      let imported = try AgendaRun(
        shell: "agenda import vdir", environment: store, in: folder.url)
      #expect(imported.status == 0)
      #expect(imported.output.hasPrefix("vdir: 8 components"))
    }
  }

  @Test("mandoc reports no problem in the manual pages of all commands", .requires("mandoc"))
  func manualPages() throws {
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
