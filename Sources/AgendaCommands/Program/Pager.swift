internal import Platform

/// The program that shows long output page by page: `PAGER`, otherwise `less` if it is installed.
package struct Pager {
  /// A line of the shell.
  private let command: String
  /// The options of less for this text, and then those of the user.
  private let lessOptions: String

  /// `nil` if no pager is wanted: `PAGER` is empty or `cat`, or the terminal is dumb.
  package init?(_ variable: (String) -> String?) {
    let usual = Self.isInstalled("less", path: variable("PATH") ?? "") ? "less" : ""
    var command = variable("PAGER") ?? usual
    guard !command.isEmpty, command != "cat", let terminal = variable("TERM"), terminal != "dumb",
      !terminal.isEmpty
    else { return nil }
    // On the command line it counts, whatever LESS says.
    if command == "less" { command = "less -R" }
    self.command = command
    // Colours, and no clearing of the screen. With -F less ends at once if the text fits on one screen.
    lessOptions = (["-FRX"] + [variable("LESS") ?? ""]).filter { !$0.isEmpty }.joined(
      separator: " ")
  }

  private static func isInstalled(_ program: String, path: String) -> Bool {
    path.split(separator: ":").contains { FileAccess.canRun("\($0)/\(program)") }
  }

  /// Shows the text until the user quits. Returns whether it could be shown: the shell's status is
  /// 126 or 127 if it cannot run the command.
  package func show(_ text: [UInt8]) -> Bool {
    RunningProgram.setVariable("LESS", to: lessOptions)
    RunningProgram.setVariable("LV", unlessSet: "-c")
    // The text is always UTF-8. In another locale less would show its bytes.
    RunningProgram.setVariable("LESSCHARSET", unlessSet: "utf-8")
    let signals = TerminalSignals.ignore()
    defer { signals.restore() }
    let shell = ProgramCall("/bin/sh", ["-c", command], isRead: false, usesTerminal: true)
    let input = Hyperlinks.areIn(text) && !showsHyperlinks ? Hyperlinks.removed(from: text) : text
    guard case .ended(let status, _, _) = shell.run(input: input) else { return false }
    return status != 126 && status != 127
  }

  /// Whether it is a less that passes hyperlinks on to the terminal, as versions from 581 on do.
  private var showsHyperlinks: Bool {
    guard let program = command.split(separator: " ").first,
      program.split(separator: "/").last == "less",
      case .ended(_, let output, _) = ProgramCall(String(program), ["--version"], isRead: true)
        .run(input: [], limit: .seconds(1))
    else { return false }
    let words = String(decoding: output.prefix(100), as: UTF8.self).split(separator: " ")
    return words.first == "less" && words.dropFirst().first.flatMap { Int($0) } ?? 0 >= 581
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

/// The control sequences that make hyperlinks (OSC 8) in text of agenda, which has no others of their kind.
enum Hyperlinks {
  private static let start = Array("\u{1b}]8;".utf8)
  private static let end = Array("\u{1b}\\".utf8)

  static func areIn(_ text: [UInt8]) -> Bool { text.firstRange(of: start) != nil }

  static func removed(from text: [UInt8]) -> [UInt8] {
    var rest = text[...]
    var result: [UInt8] = []
    while let link = rest.firstRange(of: start) {
      result += rest[..<link.lowerBound]
      rest = rest[link.upperBound...]
      rest = rest[(rest.firstRange(of: end)?.upperBound ?? rest.endIndex)...]
    }
    return result + rest
  }
}
