internal import CommandLineOptions

/// A command of `agenda`: its declaration and its code.
struct AgendaCommand: Sendable {
  let declaration: Command
  /// Whether options may come from the configuration file.
  let readsConfiguration: Bool
  /// Whether it works without a configuration that is wrong, and reports what is wrong with it.
  let reportsConfiguration: Bool
  /// Whether its output goes through a pager if it is longer than the terminal.
  let isPaged: Bool
  private let perform: @Sendable (Invocation) throws -> Void

  /// - Parameters:
  ///   - declaration: the operands and options, from which the help comes too.
  ///   - readsConfiguration: whether options may come from the configuration file.
  ///   - reportsConfiguration: whether the command reports what is wrong with that file.
  ///   - isPaged: whether long output goes through a pager.
  ///   - arguments: makes typed values of everything that was typed, and refuses what is wrong.
  ///   - run: does the work. It sees the values and never the command line.
  init<Arguments>(
    _ declaration: Command, readsConfiguration: Bool = true, reportsConfiguration: Bool = false,
    isPaged: Bool = true,
    arguments: @escaping @Sendable (Invocation) throws -> Arguments,
    run: @escaping @Sendable (Arguments, CommandRun) throws -> Void
  ) {
    self.declaration = declaration
    self.readsConfiguration = readsConfiguration
    self.reportsConfiguration = reportsConfiguration
    self.isPaged = isPaged
    perform = { invocation in
      try run(
        arguments(invocation),
        CommandRun(environment: invocation.environment, messages: invocation.messages))
    }
  }

  func run(_ invocation: Invocation) throws { try perform(invocation) }
}

/// The command line, and the environment of the process. All arguments are made from them.
struct Invocation {
  let line: ParsedCommandLine
  let environment: Environment
  let messages: Messages
  /// What is wrong with the configuration; `nil` unless the command works without it.
  var configurationProblem: String?
}

/// The parts of the process that a running command uses.
struct CommandRun {
  let environment: Environment
  let messages: Messages
  /// The sources of the command, which are read and reported once.
  let sources = ReadSources()
}
