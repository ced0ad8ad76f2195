internal import AgendaCore
internal import CommandLineOptions
internal import Platform

/// The whole program: finds the command, runs it, and decides how the process ends.
package struct AgendaProgram {
  private let environment: Environment

  package init(environment: Environment) { self.environment = environment }

  /// Runs once. This is the only place that decides the exit status.
  package func run() -> ExitStatus {
    let messages = Messages(environment)
    defer { messages.end() }
    do {
      try perform(messages)
    } catch let error as CommandLineError {
      messages.complain("\(error)")
      return .wrongCommandLine
    } catch let error as CommandError {
      switch error {
      case .wrongUsage, .wrongValue:
        messages.complain("\(error)")
        return .wrongCommandLine
      case .failed, .unknownEntry, .cannotWrite:
        messages.complain("\(error)")
        return .failed
      case .endedBySignal(let status): return ExitStatus(rawValue: status)
      case .readerHasGone:
        return messages.hasRejections ? .failed : .done
      }
    } catch {
      messages.complain(ErrorWording.text(of: error))
      return .failed
    }
    return messages.hasRejections ? .failed : .done
  }

  private func perform(_ messages: Messages) throws {
    let program = Program.agenda
    let request = try request(of: program)
    switch request {
    case .version:
      try environment.print("\(program.name) \(program.version)\n")
    case .help(let command, let isShort):
      try paging { try $0.print(helpText(on: command, isShort: isShort, of: program)) }
    case .run(var line):
      guard
        let command = AgendaCommand.all.first(where: { $0.declaration.name == line.command.name })
      else { return }
      if command.reportsConfiguration {
        return try runReporting(command, line, of: program, messages)
      }
      let configuration = command.readsConfiguration ? try Configuration.read(by: environment) : nil
      try configuration?.apply(to: &line, program: program, environment: environment)
      do {
        if command.isPaged, line.isForReading {
          try paging {
            try command.run(Invocation(line: line, environment: $0, messages: messages))
          }
        } else {
          try command.run(Invocation(line: line, environment: environment, messages: messages))
        }
      } catch let error as CommandError {
        throw line.placing(error) ?? error
      }
    }
  }

  /// Runs a command that looks for problems. Those of the configuration are among them, and the command
  /// then runs without it.
  private func runReporting(
    _ command: AgendaCommand, _ typed: ParsedCommandLine, of program: Program,
    _ messages: Messages
  ) throws {
    var invocation = Invocation(line: typed, environment: environment, messages: messages)
    do {
      let configuration = try Configuration.read(by: environment)
      var line = typed
      try configuration?.apply(to: &line, program: program, environment: environment)
      invocation = Invocation(line: line, environment: environment, messages: messages)
    } catch {
      guard error.isAboutUsage else { throw error }
      invocation.configurationProblem = "\(error)"
    }
    do {
      try command.run(invocation)
    } catch let error as CommandError {
      guard let placed = invocation.line.placing(error) else { throw error }
      invocation = Invocation(line: typed, environment: environment, messages: messages)
      invocation.configurationProblem = "\(placed)"
      try command.run(invocation)
    }
  }

  private func request(of program: Program) throws -> CommandLineParser.Request {
    let parser = CommandLineParser(program)
    guard let number = environment.undecodedArgument else {
      return try parser.parse(environment.arguments)
    }
    do {
      let request = try parser.parse(environment.arguments)
      throw CommandError.wrongUsage(objection(toUndecoded: number, in: request))
    } catch CommandLineError.unknownCommand {
      // A file is named without a command.
      throw CommandError.wrongUsage("argument \(number) is not UTF-8; \(Self.adviceOnFileNames)")
    }
  }

  private static let adviceOnFileNames =
    "rename the file, or use standard input: agenda show - < FILE"

  /// What is wrong with an argument that is not UTF-8. Only a file can be renamed.
  private func objection(
    toUndecoded number: Int, in request: CommandLineParser.Request
  ) -> String {
    let objection = "argument \(number) is not UTF-8"
    guard case .run(let line) = request, environment.arguments.indices.contains(number - 1),
      let (name, value) = line.declaration(ofArgument: environment.arguments[number - 1])
    else { return objection }
    switch value.kind {
    case .file where value.name == Operand.sources.value.name:
      return "\(objection); \(Self.adviceOnFileNames)"
    case .file, .folder: return "\(name): \(objection); rename the file or folder"
    case .text, .number, .choice, .listed:
      return "\(name): \(objection); agenda reads text only in UTF-8"
    }
  }

  /// On a terminal with a pager, collects the output and shows it in the pager if it is longer than
  /// the screen. Otherwise prints it at once.
  private func paging(_ body: (Environment) throws -> Void) throws {
    guard let rows = environment.outputRows(), let pager = environment.pager() else {
      return try body(environment)
    }
    let held = PagedOutput()
    var holding = environment
    holding.writeOutput = { bytes in
      held.take(bytes)
      return nil
    }
    let result = Result { try body(holding) }
    if !held.isLonger(than: rows) || !pager(held.bytes) {
      let failure = held.bytes.withUnsafeBytes { environment.writeOutput($0) }
      if let failure { throw CommandError(failure) }
    }
    try result.get()
  }

  private func helpText(on command: Command?, isShort: Bool, of program: Program) -> String {
    let help = HelpText(program, width: environment.textWidth)
    guard let command else { return isShort ? help.shortProgramText() : help.programText() }
    return isShort ? help.shortText(of: command) : help.text(of: command)
  }
}

extension ParsedCommandLine {
  /// Whether the result is text for a person, and not for a program such as `sendmail`.
  fileprivate var isForReading: Bool {
    ["text", nil].contains(value(of: Options.format)) && values(of: Options.mail).isEmpty
  }
}

extension Environment {
  /// The width for text that is not an agenda.
  var textWidth: Int { outputColumns() ?? 80 }

  /// Writes text of the program's own to standard output.
  func print(_ text: String) throws(CommandError) {
    var text = text
    let failure = text.withUTF8 { writeOutput(UnsafeRawBufferPointer($0)) }
    if let failure { throw CommandError(failure) }
  }
}

extension CommandError {
  /// Whether the command line or the configuration is wrong.
  fileprivate var isAboutUsage: Bool {
    switch self {
    case .wrongUsage, .wrongValue: true
    case .failed, .unknownEntry, .readerHasGone, .endedBySignal, .cannotWrite: false
    }
  }

  init(_ failure: FileDescriptor.WriteFailure) {
    switch failure {
    case .readerHasGone: self = .readerHasGone
    case .failed(let reason): self = .cannotWrite(reason)
    }
  }
}
