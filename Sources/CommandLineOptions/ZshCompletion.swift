/// A completion script for zsh, to be put into a folder of `fpath` as `_agenda`.
package struct ZshCompletion: Sendable {
  package let program: Program

  package init(_ program: Program) { self.program = program }

  package func script() -> String {
    let name = program.name
    var script = """
      #compdef \(name)
      # zsh completion for \(name)

      """
    if program.listsWords {
      script += """
        _\(name)_listed() {
          local -a offered=(${(f)"$(\(name) completions --words ${@[-1]} 2>/dev/null)"})
          compadd "${@[1,-2]}" -a offered
        }

        """
    }
    if let only = program.onlyCommand {
      script += function("_\(name)", of: only)
    } else {
      for command in program.commands {
        script += function("_\(name)_\(command.name)", of: command)
      }
      script += choosingFunctions()
    }
    return script + """
      if [[ $funcstack[1] == _\(name) ]]; then _\(name) "$@"; else compdef _\(name) \(name); fi

      """
  }

  /// What offers the options and operands of a command.
  private func function(_ name: String, of command: Command) -> String {
    "\(name)() {\n  _arguments -s -S \\\n"
      + arguments(of: command).map { "    \($0)" }.joined(separator: " \\\n") + "\n}\n"
  }

  /// What finds the command on the line, or offers them all.
  private func choosingFunctions() -> String {
    let name = program.name
    var script = """
      _\(name)_commands() {
        local -a commands=(

      """
    for command in program.commands {
      script += "    \(quoted("\(escaped(command.name, ":")):\(command.summary)"))\n"
    }
    return script + """
        )
        _describe -t commands command commands
      }
      _\(name)() {
        local index command=
        for ((index = 2; index < CURRENT; index++)); do
          case $words[index] in
            \(names())) command=$words[index]; words[index]=(); ((CURRENT--)); break ;;
          esac
        done
        if [[ -n $command ]]; then
          _\(name)_$command
        elif [[ $words[CURRENT] == -* || $words[CURRENT-1] == (\(valueOptions())) ]]; then
          _\(name)_\(program.defaultCommandName)
        else
          _\(name)_commands
        fi
      }

      """
  }

  /// The options of the default command that take a value.
  private func valueOptions() -> String {
    let options = program.defaultCommand?.visibleOptions.filter { $0.value != nil } ?? []
    return options.flatMap { option in
      [option.spelling] + (option.shortName.map { ["-\($0)"] } ?? [])
    }.joined(separator: "|")
  }

  private func names() -> String { program.commands.map(\.name).joined(separator: "|") }

  private func arguments(of command: Command) -> [String] {
    var specifications: [String] = []
    for option in command.visibleOptions + Program.universalOptions {
      let help = "[\(escaped(option.help, "[]:"))]"
      let action =
        option.value.map { ":\(escaped($0.name, ":")):\(self.action(for: $0))" } ?? ""
      let mark = option.isRepeatable ? "*" : ""
      let equals = option.value == nil ? "" : "="
      specifications.append(quoted("\(mark)\(option.spelling)\(equals)\(help)\(action)"))
      if let letter = option.shortName {
        let plus = option.value == nil ? "" : "+"
        specifications.append(quoted("\(mark)-\(letter)\(plus)\(help)\(action)"))
      }
    }
    for operand in command.operands {
      let prefix = operand.isRepeatable ? "*" : (operand.isOptional ? ":" : "")
      let name = escaped(operand.value.name, ":")
      specifications.append(quoted("\(prefix):\(name):\(action(for: operand.value))"))
    }
    return specifications
  }

  private func action(for value: Value) -> String {
    switch value.kind {
    case .text, .number: " "
    case .choice(let choices): "(\(choices.map(\.word).joined(separator: " ")))"
    case .file(let endings):
      switch endings.count {
      case 0: "_files"
      case 1: "_files -g \"*\(endings[0])\""
      default: "_files -g \"(\(endings.map { "*\($0)" }.joined(separator: "|")))\""
      }
    case .folder: "_files -/"
    case .listed(let list): "_\(program.name)_listed \(list)"
    }
  }

  /// With a backslash before each of those characters. A backslash of the text itself is left out:
  /// `_arguments` has no way to write one before a bracket.
  private func escaped(_ text: String, _ special: String) -> String {
    text.reduce(into: "") { result, character in
      if character == "\\" { return }
      if special.contains(character) { result.append("\\") }
      result.append(character)
    }
  }

  private func quoted(_ text: String) -> String { shellQuoted(text) }
}

/// In single quotes, for bash and zsh.
func shellQuoted(_ text: String) -> String {
  "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
}
