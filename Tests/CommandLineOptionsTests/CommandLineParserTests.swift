import CommandLineOptions
import Testing

@Suite("parser")
struct CommandLineParserTests {
  @Test(
    "options are read by the habits of GNU",
    arguments: [
      ("", "show"),
      ("show", "show"),
      ("show a.ics", "show <a.ics>"),
      ("show --format json a.ics", "show format=json <a.ics>"),
      ("show --format=json a.ics", "show format=json <a.ics>"),
      ("show -f json", "show format=json"),
      ("show -fjson", "show format=json"),
      ("show a.ics --days 3 b.ics", "show days=3 <a.ics> <b.ics>"),
      ("show -q1", "show quiet= once="),
      ("show -q1fjson", "show format=json quiet= once="),
      ("show -q1f json", "show format=json quiet= once="),
      ("show -", "show <->"),
      ("show -- --format -q", "show <--format> <-q>"),
      ("show -q -- -", "show quiet= <->"),
      ("show --format text --format json", "show format=json"),
      ("show -c a --calendar b --calendar=c", "show calendar=a,b,c"),
      ("show --timezone=", "show timezone="),
      ("show --timezone=a=b", "show timezone=a=b"),
      ("show --timezone -1w", "show timezone=-1w"),
      ("show --once --no-once", "show"),
      ("show --no-once --once", "show once="),
      ("show --secret x", "show secret=x"),
      ("--days 3", "show days=3"),
      ("--days 3 show", "show days=3"),
      ("--days=3 event 1.2", nil),
      ("-q", "show quiet="),
      ("-f json event 3.2", "event format=json <3.2>"),
      ("-fjson event 3.2", "event format=json <3.2>"),
      ("--format json event 3.2", "event format=json <3.2>"),
      ("event 3.2 a b", "event <3.2> <a> <b>"),
      ("shells bash", "shells <bash>"),
      ("--help", "help "),
      ("-h", "help "),
      ("show --help", "help show"),
      ("--help event", "help event"),
      ("event -h", "help event"),
      ("show -qh", "help show"),
      ("--version", "version"),
      ("show --version", "version"),
      ("-- ", "show"),
    ] as [(String, String?)])
  func reads(line: String, meaning: String?) throws {
    let arguments = line.split(separator: " ").map(String.init)
    if let meaning {
      #expect(try Sample.reading(arguments) == meaning)
    } else {
      #expect(throws: CommandLineError.self) { try Sample.reading(arguments) }
    }
  }

  @Test(
    "errors name the wrong part and the nearest known name",
    arguments: [
      ("show --timzone UTC", "unknown option --timzone; did you mean --timezone?"),
      ("show --calender x", "unknown option --calender; did you mean --calendar?"),
      ("show --fromat=json", "unknown option --fromat; did you mean --format?"),
      ("show --xyzzy", "unknown option --xyzzy; sample show --help lists all options"),
      ("show --secr x", "unknown option --secr; sample show --help lists all options"),
      ("show --form json", "unknown option --form; did you mean --format?"),
      ("show --vers", "unknown option --vers; did you mean --version?"),
      ("show -x", "unknown option -x; sample show --help lists all options"),
      ("show -format json", "unknown option -format; did you mean --format?"),
      ("show --=x", "unknown option --; sample show --help lists all options"),
      ("event --days 3 1.2", "sample event does not have the option --days; sample show has it"),
      ("event --secret x", "unknown option --secret; sample event --help lists all options"),
      ("show --t 1", "unknown option --t; did you mean --to?"),
      ("event --to today 1.2", "sample event does not have the option --to; sample show has it"),
      ("show --format", "--format: missing value; write --format FORMAT"),
      ("show -f", "-f: missing value; write -f FORMAT"),
      ("show --quiet=yes", "--quiet: this option does not take a value"),
      ("show --no-quiet=yes", "--no-quiet: this option does not take a value"),
      ("show --no-days", "unknown option --no-days; sample show --help lists all options"),
      ("--t event 1.2", "unknown option --t; sample event --help lists all options"),
      ("show --no-xyzzy", "unknown option --no-xyzzy; sample show --help lists all options"),
      (
        "show --format jsno",
        "--format: expected one of text, json, jsonl, got \"jsno\"; did you mean json?"
      ),
      ("show --format=x", "--format: expected one of text, json, jsonl, got \"x\""),
      ("show --days 0", "--days: expected a number from 1 to 366, got 0"),
      ("show --days 367", "--days: expected a number from 1 to 366, got 367"),
      ("show --days 3.5", "--days: expected a number from 1 to 366, got \"3.5\""),
      (
        "show --days 99999999999999999999999",
        "--days: expected a number from 1 to 366, got \"99999999999999999999999\""
      ),
      ("show --days -3", "--days: expected a number from 1 to 366, got -3"),
      ("show --days 3 --to 2026-11-21", "--days and --to cannot be used together"),
      ("shwo", "unknown command \"shwo\"; did you mean show?"),
      ("zzz", "unknown command \"zzz\"; sample help lists all commands"),
      ("a.ics", "unknown command \"a.ics\"; to show a file, run sample show a.ics"),
      ("-", "unknown command \"-\"; to show a file, run sample show -"),
      ("event", "missing REF; see sample event --help"),
      ("shells", "missing SHELL; see sample shells --help"),
      ("shells bash zsh", "unexpected argument \"zsh\"; see sample shells --help"),
      ("shells bsh", "SHELL: expected one of bash, zsh, got \"bsh\"; did you mean bash?"),
    ])
  func refuses(line: String, message: String) {
    do {
      let reading = try Sample.reading(line.split(separator: " ").map(String.init))
      Issue.record("\(line) was read as \(reading)")
    } catch {
      #expect("\(error)" == message)
    }
  }

  @Test("an empty argument is an operand, an empty value a value")
  func emptyArguments() throws {
    #expect(try Sample.reading(["show", "", "-c", ""]) == "show calendar= <>")
    #expect(throws: CommandLineError.self) { try Sample.reading([""]) }
  }

  @Test("random argument vectors are read or refused, and never trap")
  func randomVectors() {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "--", "-", "=", "f", "q", "1", "show", "event", "format", "json", "days", "no-", "once", "3",
      "é", "🙂", "\u{0}", " ", "", "help", "--format", "--days=", "-f", "-q", "timezone", "\u{301}",
    ]
    var read = 0
    for _ in 0..<20_000 {
      let arguments = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        (0..<Int.random(in: 0...4, using: &random))
          .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      }
      if (try? Sample.reading(arguments)) != nil { read += 1 }
    }
    #expect(read > 0)
  }

  @Test("command lines made from the declarations are parsed back the same")
  func roundTrip() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      var arguments = ["show"]
      var expected: [String: [String]] = [:]
      var operands: [String] = []
      var usedSets: Set<String> = []
      for option in Sample.show.options.shuffled(using: &random) where Bool.random(using: &random) {
        if let set = option.exclusiveSet, !usedSets.insert(set).inserted { continue }
        let value: String? =
          switch option.value?.kind {
          case nil: nil
          case .choice(let choices)?: choices.randomElement(using: &random)?.word
          case .number(let range)?: "\(Int.random(in: range, using: &random))"
          default: ["", "-", "--x", "a b", "=", "é"].randomElement(using: &random)
          }
        expected[option.name] = [value ?? ""]
        if let value {
          switch (option.shortName, Int.random(in: 0...2, using: &random)) {
          case (let letter?, 0): arguments += ["-\(letter)", value]
          case (let letter?, 1) where !value.isEmpty: arguments.append("-\(letter)\(value)")
          case (_, 2): arguments.append("--\(option.name)=\(value)")
          default: arguments += ["--\(option.name)", value]
          }
        } else {
          arguments.append(option.spelling)
        }
        if Int.random(in: 0...3, using: &random) == 0 {
          operands.append("o\(operands.count)")
          arguments.append(operands[operands.count - 1])
        }
      }
      if Bool.random(using: &random) {
        arguments += ["--", "--last"]
        operands.append("--last")
      }
      guard case .run(let line) = try CommandLineParser(Sample.program).parse(arguments) else {
        Issue.record("\(arguments) asks for no run")
        continue
      }
      #expect(line.operands == operands, "\(arguments)")
      for option in Sample.show.options {
        #expect(line.values(of: option) == expected[option.name] ?? [], "\(arguments)")
      }
    }
  }
}

@Suite("defaults of a configuration")
struct AdoptedDefaultsTests {
  private func adopt(
    _ line: String, _ defaults: [(Option, String)]
  ) throws -> ParsedCommandLine {
    guard case .run(var parsed) = try Sample.parse(line) else { throw Wrong.noRun }
    try parsed.adopt(
      defaults.enumerated().map { (option: $1.0, value: $1.1, origin: "config:\($0 + 1)") })
    return parsed
  }

  private enum Wrong: Error { case noRun }

  @Test("options on the command line override defaults")
  func typedWins() throws {
    let line = try adopt("show -f json", [(Sample.format, "text"), (Sample.timezone, "UTC")])
    #expect(line.value(of: Sample.format) == "json")
    #expect(line.value(of: Sample.timezone) == "UTC")
  }

  @Test("a default gives way to a typed option that excludes it")
  func exclusiveSets() throws {
    let line = try adopt("show --to today", [(Sample.days, "7")])
    #expect(!line.has(Sample.days))
    #expect(try adopt("show", [(Sample.days, "7")]).number(of: Sample.days) == 7)
  }

  @Test("a flag is yes or no, and the command line can turn it off")
  func flags() throws {
    #expect(try adopt("show", [(Sample.once, "yes")]).has(Sample.once))
    #expect(try adopt("show", [(Sample.once, "true")]).has(Sample.once))
    #expect(try !adopt("show", [(Sample.once, "no")]).has(Sample.once))
    #expect(try !adopt("show --no-once", [(Sample.once, "yes")]).has(Sample.once))
    let rejected = #expect(throws: ParsedCommandLine.RejectedDefault.self) {
      try adopt("show", [(Sample.days, "7"), (Sample.once, "maybe")])
    }
    #expect(rejected?.origin == "config:2")
    #expect(
      rejected?.reason
        == .wrongValue(option: "--once", objection: "expected yes or no, got \"maybe\""))
  }

  @Test("a repeatable default may occur several times, and the command line replaces all of it")
  func repeatable() throws {
    let defaults = [(Sample.calendar, "a"), (Sample.calendar, "b")]
    #expect(try adopt("show", defaults).values(of: Sample.calendar) == ["a", "b"])
    #expect(try adopt("show -c x", defaults).values(of: Sample.calendar) == ["x"])
  }

  @Test("a value that is not allowed is refused there too")
  func wrongValues() {
    #expect(throws: ParsedCommandLine.RejectedDefault.self) {
      try adopt("show", [(Sample.days, "0")])
    }
  }
}

@Suite("nearest name")
struct NearestNameTests {
  private let names = ["timezone", "to", "format", "from", "days", "calendar", "include-cancelled"]

  @Test(
    "slips of the finger are recognised",
    arguments: [
      ("timzone", "timezone"), ("tiemzone", "timezone"), ("frmat", "format"), ("form", "from"),
      ("fron", "from"), ("dyas", "days"), ("calender", "calendar"), ("ot", "to"),
      ("include-canceled", "include-cancelled"), ("cal", "calendar"), ("xyz", nil), ("", nil),
      ("q", nil),
    ] as [(String, String?)])
  func nearest(typed: String, meant: String?) {
    #expect(nearestName(to: typed, among: names) == meant)
  }

  @Test("a very long name costs nothing noticeable")
  func long() {
    #expect(nearestName(to: String(repeating: "x", count: 1_000_000), among: names) == nil)
  }
}

@Suite("a program that does one thing")
struct OnlyCommandTests {
  private static let program = Program(
    version: "1", date: "November 21, 2026",
    sections: [Program.Section("FILES", [("~/.one", "nothing is there")])],
    command: Command(
      "one", summary: "do it", operands: [Operand(Value("WHAT"), help: "what is done")],
      options: [Sample.format, Sample.quiet]), relatedPages: ["other"])

  private static func parse(_ arguments: String...) throws -> CommandLineParser.Request {
    try CommandLineParser(program).parse(arguments)
  }

  @Test("an operand with the name of a command is not a command")
  func operands() throws {
    for word in ["one", "show", "help"] {
      guard case .run(let line) = try Self.parse(word, "-f", "json") else {
        Issue.record("\(word) is not an operand")
        continue
      }
      #expect(line.operands == [word])
      #expect(line.value(of: Sample.format) == "json")
    }
  }

  @Test("help and mistakes call it by its one name")
  func names() throws {
    guard case .help(let command?, isShort: false) = try Self.parse("--help") else {
      Issue.record("no help")
      return
    }
    #expect(
      HelpText(Self.program, width: 80).text(of: command).contains("\nUsage: one [OPTION…] WHAT\n"))
    #expect(throws: CommandLineError.missingOperand("WHAT", command: "one")) { try Self.parse() }
    #expect(throws: CommandLineError.unknownOption("--xyzzy", nearest: nil, command: "one")) {
      try Self.parse("--xyzzy")
    }
    let page = ManualPage(Self.program).page(of: command)
    #expect(page.hasPrefix(".Dd November 21, 2026\n.Dt ONE 1\n"))
    #expect(page.contains(".Sh SYNOPSIS\n.Nm one\n.Op Ar OPTION ...\n.Ar WHAT\n"))
    #expect(page.contains(".Sh FILES\n") && page.hasSuffix(".Sh SEE ALSO\n.Xr other 1\n"))
  }
}
