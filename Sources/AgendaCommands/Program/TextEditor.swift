internal import Platform

/// The editor of `VISUAL` or `EDITOR`, and the file that it edits.
struct TextEditor {
  /// A line of the shell.
  private let command: String
  private let folder: TemporaryFolder

  /// An event with its attachments is far smaller.
  private static let largestText = 64 << 20

  init(_ environment: Environment) throws(CommandError) {
    command = environment.filled("VISUAL") ?? environment.filled("EDITOR") ?? "vi"
    do throws(SystemError) {
      folder = try TemporaryFolder(in: environment.filled("TMPDIR") ?? "/tmp")
    } catch {
      throw .failed("a temporary folder cannot be made: \(error)")
    }
  }

  var path: String { "\(folder.path)/event.ics" }

  /// Opens a text in the editor. The edited text stays in the file until `discard`.
  func edit(_ text: String) throws(CommandError) -> String {
    removeFile(path)
    let file = try OutputFile(path)
    try file.write(Array(text.utf8))
    try file.finish()
    let signals = TerminalSignals.ignore()
    defer { signals.restore() }
    let status: Int32
    do throws(ChildProcess.StartFailure) {
      // As git does it: the variable may have arguments.
      status = try ChildProcess(
        "/bin/sh", ["-c", "\(command) \"$@\"", command, path],
        usesTerminal: true
      ).wait()
    } catch {
      throw .failed("the editor cannot be started: \(error.reason)")
    }
    guard status == 0 else {
      discard()
      throw .failed("the editor \(command) ended with code \(status); nothing was changed")
    }
    switch TextFile.read(path, atMost: Self.largestText) {
    case .text(let edited): return edited
    case .absent: return ""
    case .failed(let reason):
      throw .failed(
        "the edited text cannot be read: \(reason); "
          + "nothing was changed, and your text is in \(path)")
    }
  }

  func discard() { removeFile(path) }
}
