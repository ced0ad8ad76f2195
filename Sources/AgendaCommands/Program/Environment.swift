internal import AgendaCore
package import CivilTime
package import Platform

/// Everything that a command uses from the process around it. Only `main` and tests make one.
package struct Environment {
  /// Without the program's name.
  package var arguments: [String]
  /// The number of the first argument that is not UTF-8, if any: a Swift string cannot name its
  /// file.
  package var undecodedArgument: Int?
  /// A variable of the environment, `nil` if it is not set.
  package var variable: (String) -> String?
  /// The current time, read at most once in a run.
  package var clock: () -> Instant
  /// The width of the terminal; `nil` if standard output is not a terminal.
  package var outputColumns: () -> Int?
  /// Its height.
  package var outputRows: () -> Int?
  package var errorIsTerminal: () -> Bool
  /// Shows a text through the pager of the environment, and returns whether that was possible.
  /// `nil` without a pager.
  package var pager: () -> (([UInt8]) -> Bool)?
  /// Writes to standard output, and returns the reason if that fails.
  package var writeOutput: (UnsafeRawBufferPointer) -> FileDescriptor.WriteFailure?
  /// The same for standard error.
  package var writeError: (UnsafeRawBufferPointer) -> FileDescriptor.WriteFailure?
  /// Asks a question on the terminal and returns the answer; `nil` without a terminal.
  package var ask: ((String) -> String?)?
  /// Asks for a password, which is not shown; `nil` without a terminal.
  package var askSecret: ((String) -> String?)?
  /// The lines that a person types, also if standard input is something else; `nil` without a terminal.
  package var typedLines: () -> (() -> String?)? = { nil }
  /// Runs a program on the terminal until it ends, and returns its exit status; `nil` if it cannot be
  /// started. No shell is involved.
  package var runProgram: (_ program: String, _ arguments: [String]) -> Int32? = { _, _ in nil }
  /// The most entries of a listing.
  package var mostEntries = Selection.mostEntries
  /// Is called with an entry that a command has added or changed.
  var noteWritten: (Occurrence) -> Void = { _ in }
  /// Is called with what an import or a refresh has done.
  var noteReports: ([SourceReport]) -> Void = { _ in }
  /// Whether messages are for the full screen: they name no identifier, and times are in the zone of the
  /// viewer.
  var isOnScreen = false
  /// The path of the program that decodes pictures; `nil` if it is missing.
  package var pictureDecoder: String?

  package init(
    arguments: [String], variable: @escaping (String) -> String?,
    clock: @escaping () -> Instant, outputColumns: @escaping () -> Int?,
    outputRows: @escaping () -> Int? = { nil }, errorIsTerminal: @escaping () -> Bool,
    pager: @escaping () -> (([UInt8]) -> Bool)? = { nil },
    writeOutput: @escaping (UnsafeRawBufferPointer) -> FileDescriptor.WriteFailure?,
    writeError: @escaping (UnsafeRawBufferPointer) -> FileDescriptor.WriteFailure?
  ) {
    self.arguments = arguments
    self.variable = variable
    self.clock = clock
    self.outputColumns = outputColumns
    self.outputRows = outputRows
    self.pager = pager
    self.errorIsTerminal = errorIsTerminal
    self.writeOutput = writeOutput
    self.writeError = writeError
  }

  /// The environment of this process.
  package static func process() -> Environment {
    let arguments = CommandLine.arguments
    let variable = RunningProgram.variable
    var environment = Environment(
      arguments: Array(arguments.dropFirst()), variable: variable,
      clock: { Instant(secondsSinceEpoch: SystemClock.secondsSinceEpoch) },
      outputColumns: {
        FileDescriptor.standardOutput.isTerminal
          ? FileDescriptor.standardOutput.columns ?? usualColumns : nil
      },
      outputRows: {
        FileDescriptor.standardOutput.isTerminal ? FileDescriptor.standardOutput.rows : nil
      },
      errorIsTerminal: { FileDescriptor.standardError.isTerminal },
      pager: { Pager(variable).map { pager in { pager.show($0) } } },
      writeOutput: FileDescriptor.standardOutput.write,
      writeError: FileDescriptor.standardError.write)
    environment.pictureDecoder = RunningProgram.path
    environment.runProgram = { program, arguments in
      let signals = TerminalSignals.ignore()
      defer { signals.restore() }
      return try? ChildProcess(program, arguments, usesTerminal: true).wait()
    }
    if FileDescriptor.standardInput.isTerminal, FileDescriptor.standardError.isTerminal {
      environment.ask = { question in
        _ = Array(question.utf8).withUnsafeBytes(FileDescriptor.standardError.write)
        return readLine()
      }
      environment.askSecret = { question in
        _ = Array(question.utf8).withUnsafeBytes(FileDescriptor.standardError.write)
        return SecretInput.readLine()
      }
    }
    environment.typedLines = {
      guard let lines = try? TerminalLines() else { return nil }
      TerminalLines.endOnInterrupt()
      return lines.next
    }
    environment.undecodedArgument = (1..<max(1, arguments.count)).first { number in
      guard let bytes = CommandLine.unsafeArgv[number] else { return false }
      return String(validatingCString: bytes) == nil
    }
    return environment
  }

  /// A variable that is set and not empty; most variables count only then.
  package func filled(_ name: String) -> String? {
    guard let value = variable(name), !value.isEmpty else { return nil }
    return value
  }

  /// The width of a terminal that does not report it.
  private static let usualColumns = 80
}

extension Environment {
  /// `$XDG_CONFIG_HOME/agenda/config`, or the same below `~/.config`; `nil` if neither
  /// `XDG_CONFIG_HOME` nor `HOME` says where that is. The XDG base directory specification has
  /// relative paths ignored.
  package var configurationPath: String? { path(in: "XDG_CONFIG_HOME", or: ".config", "config") }

  /// `AGENDA_STORE`, otherwise `$XDG_DATA_HOME/agenda/agenda.sqlite`, otherwise the same below
  /// `~/.local/share`.
  package var storePath: String? {
    filled("AGENDA_STORE") ?? path(in: "XDG_DATA_HOME", or: ".local/share", "agenda.sqlite")
  }

  /// A file of a program's own state: `$XDG_STATE_HOME/agenda/NAME`, otherwise the same below
  /// `~/.local/state`.
  package func statePath(_ name: String) -> String? {
    path(in: "XDG_STATE_HOME", or: ".local/state", name)
  }

  private func path(in variable: String, or folder: String, _ file: String) -> String? {
    if let base = filled(variable), base.hasPrefix("/") { return "\(base)/agenda/\(file)" }
    guard let home = filled("HOME"), home.hasPrefix("/") else { return nil }
    return "\(home)/\(folder)/agenda/\(file)"
  }

  /// The language variables in their order of POSIX: `LC_ALL`, `LC_TIME`, `LANG`.
  package var localeName: String? { filled("LC_ALL") ?? filled("LC_TIME") ?? filled("LANG") }
}
