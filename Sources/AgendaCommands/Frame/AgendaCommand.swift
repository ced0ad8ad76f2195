internal import CommandLineOptions

/// A command of `agenda`: how it is typed, and what it does.
struct AgendaCommand: Sendable {
  let declaration: Command
  /// Whether options may come from the configuration file.
  let readsConfiguration: Bool
  /// Whether what it prints is for leafing through, where that is longer than the terminal.
  let isPaged: Bool
  let run: @Sendable (Invocation) throws -> Void

  init(
    _ declaration: Command, readsConfiguration: Bool = true, isPaged: Bool = true,
    run: @escaping @Sendable (Invocation) throws -> Void
  ) {
    self.declaration = declaration
    self.readsConfiguration = readsConfiguration
    self.isPaged = isPaged
    self.run = run
  }
}

/// One use of a command: what was typed and the process around it.
struct Invocation {
  let line: ParsedCommandLine
  let environment: Environment
  let messages: Messages
}
