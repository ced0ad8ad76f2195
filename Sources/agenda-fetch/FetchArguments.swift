internal import CommandLineOptions
internal import FetchProtocol

/// The task on the command line.
struct FetchArguments {
  var address = ""
  /// A file whose first line is the address; `-` is standard input.
  var addressPath: String?
  /// `nil` or `-` for standard output.
  var file: String?
  var limits = FetchLimits()
  var certificates: String?
  var mostRedirects = 5
  var takesAnything = false

  enum Task {
    case fetch(FetchArguments)
    /// Answer the requests on standard input.
    case batch(jobs: Int, mostRedirects: Int)
    /// Answer requests about the calendars of a server.
    case server
    /// Print this.
    case text(String)
    case version
  }

  /// Reads the arguments after the program's name; help is wrapped to `width` columns.
  static func parse(_ arguments: [String], width: Int) throws(FetchError) -> Task {
    let program = Program.fetch
    do throws(CommandLineError) {
      switch try CommandLineParser(program).parse(arguments) {
      case .version: return .version
      case .help(let command, let isShort):
        let help = HelpText(program, width: width)
        return .text(command.map(isShort ? help.shortText(of:) : help.text(of:)) ?? "")
      case .run(let line):
        if line.has(FetchOptions.manual) {
          return .text(ManualPage(program).page(of: line.command))
        }
        if let shell = line.value(of: FetchOptions.completions) {
          return .text(completion(shell, program))
        }
        let isForAgenda = line.has(FetchOptions.batch) || line.has(FetchOptions.server)
        if isForAgenda, let operand = line.operands.first {
          throw .unexpectedOperand(operand, command: program.call(of: line.command))
        }
        if line.has(FetchOptions.server) { return .server }
        if line.has(FetchOptions.batch) {
          return .batch(
            jobs: line.number(of: FetchOptions.jobs) ?? 16,
            mostRedirects: line.number(of: FetchOptions.redirects) ?? 5)
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
    limits.seconds = line.number(of: FetchOptions.timeout) ?? limits.seconds
    mostRedirects = line.number(of: FetchOptions.redirects) ?? mostRedirects
    certificates = line.value(of: FetchOptions.certificates)
    if let size = line.value(of: FetchOptions.size) {
      guard let bytes = Value.byteCount(size) else {
        throw .wrongValue(
          option: FetchOptions.size.spelling,
          objection: "expected a size from 1 to 1G, such as 64M, got \"\(size)\"")
      }
      limits.bytes = bytes
    }
  }
}
