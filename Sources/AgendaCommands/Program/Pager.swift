internal import Platform

/// The program that shows long output page by page: `PAGER`, otherwise `less` if it is installed.
package struct Pager {
  /// A line of the shell.
  private let command: String

  /// `nil` if no pager is wanted: `PAGER` is empty or `cat`, or the terminal is dumb.
  package init?(_ variable: (String) -> String?) {
    let usual = Self.isInstalled("less", path: variable("PATH") ?? "") ? "less" : ""
    let command = variable("PAGER") ?? usual
    guard !command.isEmpty, command != "cat", let terminal = variable("TERM"), terminal != "dumb",
      !terminal.isEmpty
    else { return nil }
    self.command = command
  }

  private static func isInstalled(_ program: String, path: String) -> Bool {
    path.split(separator: ":").contains { FileAccess.canRun("\($0)/\(program)") }
  }

  /// Shows the text until the user quits. Returns whether it could be shown: the shell's status is
  /// 126 or 127 if it cannot run the command.
  package func show(_ text: [UInt8]) -> Bool {
    // The options of less for this text: colours, and no clearing of the screen. With -F it quits
    // at once if the text fits on one screen.
    RunningProgram.setVariable("LESS", unlessSet: "FRX")
    RunningProgram.setVariable("LV", unlessSet: "-c")
    // The text is always UTF-8. In another locale less would show its bytes.
    RunningProgram.setVariable("LESSCHARSET", unlessSet: "utf-8")
    let signals = TerminalSignals.ignore()
    defer { signals.restore() }
    let shell = ProgramCall("/bin/sh", ["-c", command], isRead: false, usesTerminal: true)
    guard case .ended(let status, _, _) = shell.run(input: text) else { return false }
    return status != 126 && status != 127
  }
}

/// Output that is collected to find out whether it fits on the terminal.
final class PagedOutput {
  private(set) var bytes: [UInt8] = []

  func take(_ more: UnsafeRawBufferPointer) { bytes += more }

  /// More lines than a terminal of so many rows shows at once; one is for the prompt.
  func isLonger(than rows: Int) -> Bool {
    var lines = 0
    for byte in bytes where byte == UInt8(ascii: "\n") {
      lines += 1
      if lines >= rows { return true }
    }
    return false
  }
}
