/// A completion script for fish.
package struct FishCompletion: Sendable {
  package let program: Program

  package init(_ program: Program) { self.program = program }

  package func script() -> String {
    let name = program.name
    var script = """
      # fish completion for \(name)
      complete -c \(name) -f

      """
    if let only = program.onlyCommand {
      for option in only.visibleOptions { script += line(option, condition: nil) }
      for operand in only.operands {
        if let words = arguments(for: operand.value) { script += "complete -c \(name)\(words)\n" }
      }
    } else {
      script += commandLines()
    }
    for option in Program.universalOptions { script += line(option, condition: nil) }
    return script
  }

  /// The commands, and what fits each of them.
  private func commandLines() -> String {
    let name = program.name
    var script = """
      function __\(name)_names_no_command
        not __fish_seen_subcommand_from \(program.commands.map(\.name).joined(separator: " "))
      end

      """
    for command in program.commands {
      script +=
        "complete -c \(name) -n __\(name)_names_no_command -a \(command.name) -d \(quoted(command.summary))\n"
    }
    for command in program.commands {
      var conditions = ["__fish_seen_subcommand_from \(command.name)"]
      if command.name == program.defaultCommandName {
        conditions.append("__\(program.name)_names_no_command")
      }
      let condition = quoted(conditions.joined(separator: "; or "))
      for option in command.visibleOptions {
        script += line(option, condition: condition)
      }
      let seen = quoted("__fish_seen_subcommand_from \(command.name)")
      for operand in command.operands {
        if let words = arguments(for: operand.value) {
          script += "complete -c \(name) -n \(seen)\(words)\n"
        }
      }
    }
    return script
  }

  private func line(_ option: Option, condition: String?) -> String {
    var line = "complete -c \(program.name)"
    if let condition { line += " -n \(condition)" }
    line += " -l \(option.name)"
    if let letter = option.shortName { line += " -s \(letter)" }
    if let value = option.value { line += arguments(for: value) ?? " -x" }
    return line + " -d \(quoted(option.help))\n"
  }

  /// What the value may be: ` -x -a …`, or ` -r -F` for files.
  private func arguments(for value: Value) -> String? {
    switch value.kind {
    case .text, .number: nil
    case .choice(let choices):
      " -x -a \(quoted(choices.map(\.word).joined(separator: " ")))"
    case .file: " -r -F"
    case .folder: " -x -a '(__fish_complete_directories)'"
    case .listed(let list): " -x -a '(\(program.name) completions --words \(list) 2>/dev/null)'"
    }
  }

  /// In single quotes; within them fish knows `\\` and `\'`.
  private func quoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
