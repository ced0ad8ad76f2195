import CommandLineOptions

/// A program of the tests' own.
enum Sample {
  static let format = Option(
    "format", short: "f",
    value: Value("FORMAT", .choice(["text", "json", "jsonl"].map { Value.Choice($0) })),
    help: "how it is written", group: "Output", default: "text")
  static let days = Option(
    "days", value: Value("N", .number(1...366)), help: "how many days", exclusiveSet: "length")
  static let to = Option("to", value: Value("DATE"), help: "the last day", exclusiveSet: "length")
  static let calendar = Option(
    "calendar", short: "c", value: Value("NAME", .listed("calendars")), help: "only this one",
    isRepeatable: true)
  static let quiet = Option("quiet", short: "q", help: "say nothing")
  static let once = Option("once", short: "1", help: "only once")
  static let timezone = Option("timezone", value: Value("ZONE"), help: "it's a \"zone\" [IANA]: \\")
  static let secret = Option("secret", value: Value("X"), help: "hidden", isHidden: true)
  static let folder = Option("media", value: Value("FOLDER", .folder), help: "a folder")

  static let show = Command(
    "show", summary: "print what happens",
    discussion: ["It prints. Then it ends.", "'And a line that begins with a quote."],
    operands: [
      Operand(
        Value("SOURCE", .file(endings: [".ics"])), help: "a file or folder", isOptional: true,
        isRepeatable: true)
    ],
    options: [format, days, to, calendar, quiet, once, timezone, folder, secret],
    examples: [Command.Example("sample show -f json", "for programs")])
  static let event = Command(
    "event", summary: "say all of one",
    operands: [
      Operand(Value("REF"), help: "which one"),
      Operand(Value("SOURCE"), help: "where", isOptional: true, isRepeatable: true),
    ], options: [format])
  static let shells = Command(
    "shells", summary: "print a script",
    operands: [
      Operand(Value("SHELL", .choice(["bash", "zsh"].map { Value.Choice($0) })), help: "which")
    ])

  static let program = Program(
    name: "sample", version: "1.2.3", date: "November 21, 2026", summary: "a sample",
    discussion: ["It does nothing."],
    sections: [Program.Section("FILES", [("~/.sample", "nothing is there")])],
    commands: [show, event, shells], defaultCommandName: "show")

  static func parse(_ line: String) throws -> CommandLineParser.Request {
    try CommandLineParser(program).parse(line.split(separator: " ").map(String.init))
  }

  /// What was typed, written out in one order: the command, its options by name, its operands.
  static func reading(_ arguments: [String]) throws -> String {
    switch try CommandLineParser(program).parse(arguments) {
    case .version: return "version"
    case .help(let command, _): return "help \(command?.name ?? "")"
    case .run(let line):
      var words = [line.command.name]
      for option in line.command.options where line.has(option) {
        words.append("\(option.name)=\(line.values(of: option).joined(separator: ","))")
      }
      return (words + line.operands.map { "<\($0)>" }).joined(separator: " ")
    }
  }
}
