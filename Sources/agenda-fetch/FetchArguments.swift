internal import CommandLineOptions

/// What the command line asks for.
struct FetchArguments {
  var address = ""
  /// A file whose first line is the address; `-` is standard input.
  var addressPath: String?
  /// `nil` or `-` for standard output.
  var file: String?
  var limits = Transfer.Limits()
  var takesAnything = false

  enum Request {
    case fetch(FetchArguments)
    /// Text of the program's own, to be printed.
    case text(String)
    case version
  }

  /// Reads what follows the program's name; `width` is that of the text for people.
  static func parse(_ arguments: [String], width: Int) throws(FetchError) -> Request {
    let program = Program.fetch
    do throws(CommandLineError) {
      switch try CommandLineParser(program).parse(arguments) {
      case .version: return .version
      case .help(let command):
        return .text(command.map(HelpText(program, width: width).text(of:)) ?? "")
      case .run(let line):
        if line.has(FetchOptions.manual) {
          return .text(ManualPage(program).page(of: line.command))
        }
        if let shell = line.value(of: FetchOptions.completions) {
          return .text(completion(shell, program))
        }
        return .fetch(try FetchArguments(line, program: program))
      }
    } catch {
      throw .wrongUsage("\(error)")
    }
  }

  private static func completion(_ shell: String, _ program: Program) -> String {
    switch shell {
    case "bash": BashCompletion(program).script()
    case "zsh": ZshCompletion(program).script()
    default: FishCompletion(program).script()
    }
  }

  private init(_ line: ParsedCommandLine, program: Program) throws(CommandLineError) {
    let call = program.call(of: line.command)
    var operands = line.operands[...]
    addressPath = line.value(of: FetchOptions.addressFrom)
    if addressPath == nil {
      guard let first = operands.popFirst() else {
        throw .missingOperand(line.command.operands[0].value.name, command: call)
      }
      address = first
    }
    file = operands.popFirst()
    if let more = operands.first { throw .unexpectedOperand(more, command: call) }
    takesAnything = line.has(FetchOptions.any)
    limits.timeout = line.number(of: FetchOptions.timeout) ?? limits.timeout
    limits.redirects = line.number(of: FetchOptions.redirects) ?? limits.redirects
    if let size = line.value(of: FetchOptions.size) {
      limits.size = try Self.bytes(size)
    }
  }

  /// `64M`, `10k`, `1000`.
  private static func bytes(_ text: String) throws(CommandLineError) -> Int {
    let units: [Character: Int] = ["k": 10, "m": 20, "g": 30]
    let shift = text.lowercased().last.flatMap { units[$0] }
    let digits = shift == nil ? text : String(text.dropLast())
    guard let number = Value.number(digits), (1...mostBytes >> (shift ?? 0)).contains(number) else {
      throw .wrongValue(
        option: FetchOptions.size.spelling,
        objection: "\"\(text)\" is no size from 1 to 1G, such as 64M")
    }
    return number << (shift ?? 0)
  }

  private static let mostBytes = 1 << 30
}
