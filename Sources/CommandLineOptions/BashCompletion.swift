/// A completion script for bash. It needs no other package.
package struct BashCompletion: Sendable {
  package let program: Program

  package init(_ program: Program) { self.program = program }

  package func script() -> String {
    let name = program.name
    let function = "_\(name)"
    var script = """
      # bash completion for \(name)

      """
    if program.listsWords {
      script += """
        # Names come from calendars: compgen -W would run what they hold.
        \(function)_listed() {
          local name
          while IFS= read -r name; do
            [[ $name == "$2"* ]] && COMPREPLY+=("$name")
          done < <(\(name) completions --words "$1" 2>/dev/null)
        }

        """
    }
    script += """
      \(function)() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
        local command=\(program.onlyCommand?.name ?? "") place=0 index skip=
        # bash cuts --option=value at the equals sign
        if [[ $word == "=" ]]; then word=; elif [[ $before == "=" ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
        for ((index = 1; index < COMP_CWORD; index++)); do
          case ${COMP_WORDS[index]} in
            \(valueOptionPattern())) ((index++)); [[ ${COMP_WORDS[index]} == "=" ]] && ((index++)) ;;
            -*|=) ;;
            # and an address at its colon
            :) ((index++)) ;;
            *) if [[ -z $command ]]; then command=${COMP_WORDS[index]}; else ((place++)); fi ;;
          esac
        done
        COMPREPLY=()
        local IFS=$'\\n'

      """
    if program.onlyCommand == nil { script += commandNames() }
    script += """
        case "${command:-\(program.defaultCommandName)} $before" in

      """
    for command in program.commands { script += optionCases(command, indent: 4) }
    script += """
        esac
        if [[ $word == -* ]]; then
          case ${command:-\(program.defaultCommandName)} in

      """
    for command in program.commands {
      let options = (command.visibleOptions + Program.universalOptions).map(\.spelling)
      script +=
        "      \(command.name)) COMPREPLY=($(compgen -W $'\(options.joined(separator: "\\n"))' -- \"$word\")) ;;\n"
    }
    script += """
          esac
          return
        fi
        case "$command $place" in

      """
    for command in program.commands {
      for (place, operand) in command.operands.enumerated() {
        guard let reply = reply(for: operand.value, program: program) else { continue }
        let pattern = operand.isRepeatable ? "*" : "\(place)"
        script += "    \"\(command.name) \"\(pattern)) \(reply) ;;\n"
      }
    }
    script += """
        esac
      }
      complete -o filenames -F \(function) \(name)

      """
    return script
  }

  /// Where no command is typed yet: their names, or the value of an option of the one that is meant.
  private func commandNames() -> String {
    var script = """
        if [[ -z $command && $word != -* ]]; then
          case "\(program.defaultCommandName) $before" in

      """
    if let command = program.defaultCommand { script += optionCases(command, indent: 6) }
    return script + """
          esac
          COMPREPLY=($(compgen -W $'\(program.commands.map(\.name).joined(separator: "\\n"))' -- "$word"))
          return
        fi

      """
  }

  /// Every option that takes the next word as its value.
  private func valueOptionPattern() -> String {
    var patterns: [String] = []
    for command in program.commands {
      for option in command.visibleOptions where option.value != nil {
        patterns.append(option.spelling)
        if let letter = option.shortName { patterns.append("-\(letter)") }
      }
    }
    return inOrder(patterns).joined(separator: "|")
  }

  private func optionCases(_ command: Command, indent: Int) -> String {
    var cases = ""
    for option in command.visibleOptions {
      guard let value = option.value else { continue }
      let action = reply(for: value, program: program) ?? ":"
      var patterns = ["\"\(command.name) \(option.spelling)\""]
      if let letter = option.shortName { patterns.append("\"\(command.name) -\(letter)\"") }
      cases +=
        String(repeating: " ", count: indent)
        + "\(patterns.joined(separator: "|"))) \(action); return ;;\n"
    }
    return cases
  }

  private func reply(for value: Value, program: Program) -> String? {
    switch value.kind {
    case .text, .number: nil
    case .choice(let choices):
      "COMPREPLY=($(compgen -W $'\(choices.map(\.word).joined(separator: "\\n"))' -- \"$word\"))"
    case .file: "COMPREPLY=($(compgen -f -- \"$word\"))"
    case .folder: "COMPREPLY=($(compgen -d -- \"$word\"))"
    case .listed(let list):
      "_\(program.name)_listed \(list) \"$word\""
    }
  }
}
