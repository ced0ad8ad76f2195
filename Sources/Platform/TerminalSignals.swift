internal import SystemLibrary

/// Control-C and Control-\ while another program uses the terminal: they are meant for that program,
/// and this one would lose the terminal to the shell.
package struct TerminalSignals {
  private let interrupt: (@convention(c) (Int32) -> Void)?
  private let quit: (@convention(c) (Int32) -> Void)?

  /// Ignores both from this moment on.
  package static func ignore() -> TerminalSignals {
    TerminalSignals(interrupt: signal(SIGINT, SIG_IGN), quit: signal(SIGQUIT, SIG_IGN))
  }

  /// Handles them as before.
  package func restore() {
    _ = signal(SIGINT, interrupt)
    _ = signal(SIGQUIT, quit)
  }
}
