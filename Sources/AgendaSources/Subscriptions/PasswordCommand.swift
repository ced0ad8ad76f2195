internal import Platform

/// The output of a command that prints a password, such as `pass show calendar`: the password is its
/// first line; a later line `login: NAME` (or `user:`, `username:`) has the user name.
struct PasswordCommand {
  let user: String?
  let password: String

  /// Runs the command in a shell, without standard input, for at most `seconds`.
  init(
    _ command: String, seconds: Int, name: String = "password command"
  ) throws(SourceError) {
    // On a terminal it may ask for a passphrase, which a separate process group could not read.
    let call = ProgramCall(
      "/bin/sh", ["-c", command], isRead: true,
      ownGroup: !FileDescriptor.hasControllingTerminal)
    switch call.run(input: [], limit: .seconds(seconds)) {
    case .ended(status: 0, let output, _):
      let lines = String(decoding: output, as: UTF8.self).split(
        omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      guard let first = lines.first, !first.isEmpty else {
        throw .notFetched("the \(name) printed nothing")
      }
      password = String(first)
      user = lines.dropFirst().lazy.compactMap(Self.user).first
    case .ended(let status, _, _):
      throw .notFetched("the \(name) failed with status \(status)")
    case .timedOut:
      throw .notFetched("the \(name) did not end within \(seconds) s")
    case .notStarted(let reason):
      throw .notFetched("the \(name) cannot be started: \(reason)")
    }
  }

  private static func user(_ line: Substring) -> String? {
    guard let colon = line.firstIndex(of: ":"),
      ["login", "user", "username"].contains(line[..<colon].lowercased())
    else { return nil }
    let name = line[line.index(after: colon)...].drop(while: \.isWhitespace)
    return name.isEmpty ? nil : String(name)
  }
}

/// Runs each command once.
struct PasswordCommands {
  private var outputs: [String: Result<PasswordCommand, SourceError>] = [:]

  mutating func output(
    of command: String, seconds: Int
  ) throws(SourceError) -> PasswordCommand {
    if let known = outputs[command] { return try known.get() }
    do throws(SourceError) {
      let output = try PasswordCommand(command, seconds: seconds)
      outputs[command] = .success(output)
      return output
    } catch {
      outputs[command] = .failure(error)
      throw error
    }
  }
}
