internal import SystemLibrary

/// A line that is typed without being shown.
package enum SecretInput {
  /// Reads a line from the terminal of standard input; `nil` at its end. The terminal shows typed
  /// characters again afterwards.
  package static func readLine() -> String? {
    var shown = termios()
    let isTerminal = tcgetattr(0, &shown) == 0
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO)
    hidden.c_lflag |= tcflag_t(ECHONL)
    if isTerminal { tcsetattr(0, TCSAFLUSH, &hidden) }
    defer { if isTerminal { tcsetattr(0, TCSAFLUSH, &shown) } }
    return Swift.readLine()
  }
}
