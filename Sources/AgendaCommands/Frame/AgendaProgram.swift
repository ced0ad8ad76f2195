internal import AgendaCore
internal import CommandLineOptions

/// The whole program: finds the command, runs it, and decides how the process ends.
package struct AgendaProgram {
  private let environment: Environment

  package init(environment: Environment) { self.environment = environment }

  /// Runs once. This is the only place that decides the exit status.
  package func run() -> ExitStatus {
    let messages = Messages(environment)
    do {
      try perform(messages)
    } catch let error as CommandLineError {
      messages.complain("\(error)")
      return .wrongCommandLine
    } catch let error as CommandError {
      switch error {
      case .wrongUsage:
        messages.complain("\(error)")
        return .wrongCommandLine
      case .failed, .cannotWrite:
        messages.complain("\(error)")
        return .failed
      case .readerHasGone:
        return messages.hasRejections ? .failed : .done
      }
    } catch {
      messages.complain("\(error)")
      return .failed
    }
    return messages.hasRejections ? .failed : .done
  }

  private func perform(_ messages: Messages) throws {
    let program = Program.agenda
    switch try CommandLineParser(program).parse(environment.arguments) {
    case .version:
      try environment.print("\(program.name) \(program.version)\n")
    case .help(let command):
      try environment.print(helpText(on: command, of: program))
    case .run(var line):
      guard
        let command = AgendaCommand.all.first(where: { $0.declaration.name == line.command.name })
      else { return }
      if command.readsConfiguration {
        try Configuration.read(by: environment)?.apply(to: &line, program: program)
      }
      try command.run(Invocation(line: line, environment: environment, messages: messages))
    }
  }

  private func helpText(on command: Command?, of program: Program) -> String {
    let help = HelpText(program, width: environment.textWidth)
    return command.map(help.text(of:)) ?? help.programText()
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
  init(_ failure: FileDescriptor.WriteFailure) {
    switch failure {
    case .readerHasGone: self = .readerHasGone
    case .failed(let reason): self = .cannotWrite(reason)
    }
  }
}
