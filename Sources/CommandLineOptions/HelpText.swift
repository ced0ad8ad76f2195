/// `--help` as plain text, wrapped to a width.
package struct HelpText: Sendable {
  package let program: Program
  /// In columns; held to what can be read.
  package let width: Int

  package init(_ program: Program, width: Int) {
    self.program = program
    self.width = min(max(width, 30), 100)
  }

  /// The help of the program: its purpose, its commands by their groups, and where to read on.
  package func programText() -> String {
    var text = ""
    text += wrapped("\(program.name) - \(program.summary)", indent: 0)
    text += "\nUsage: \(program.name) [COMMAND] [OPTION…] [ARGUMENT…]\n"
    for paragraph in program.discussion { text += "\n" + wrapped(paragraph, indent: 0) }
    let column = (program.commands.map(\.name.count).max() ?? 0) + 4
    for group in inOrder(program.commands.map(\.group)) {
      text += "\n\(group):\n"
      for command in program.commands where command.group == group {
        text += entry(command.name, command.summary, column: column)
      }
    }
    text += "\n"
    text += wrapped(
      "\(program.name) help COMMAND explains one command. "
        + "\(program.name) --version prints the version.", indent: 0)
    return text
  }

  /// The help of one command: usage, description, operands, options by their groups, examples.
  package func text(of command: Command) -> String {
    let name = program.call(of: command)
    var text = wrapped("\(name) - \(command.summary)", indent: 0)
    let operands = command.operands.map { " \($0.usage)" }.joined()
    text += "\nUsage: \(name)\(command.visibleOptions.isEmpty ? "" : " [OPTION…]")\(operands)\n"
    for paragraph in command.discussion { text += "\n" + wrapped(paragraph, indent: 0) }
    if !command.operands.isEmpty {
      text += "\nArguments:\n"
      let column = (command.operands.map(\.value.name.count).max() ?? 0) + 4
      for operand in command.operands {
        text += entry(operand.value.name, operand.help, column: column)
      }
    }
    let options = command.visibleOptions + Program.universalOptions
    let longest = options.map { Self.spelling(of: $0).count }.max() ?? 0
    let column = min(longest + 4, 28)
    for group in inOrder(options.map(\.group)) {
      text += "\n\(group):\n"
      for option in options where option.group == group {
        text += entry(Self.spelling(of: option), Self.meaning(of: option), column: column)
      }
    }
    if !command.examples.isEmpty {
      text += "\nExamples:\n"
      for example in command.examples {
        text += "  \(example.line)\n" + wrapped(example.meaning, indent: 6)
      }
    }
    return text
  }

  /// `-f, --format FORMAT`, and without a short form aligned with those that have one.
  static func spelling(of option: Option) -> String {
    let short = option.shortName.map { "-\($0), " } ?? "    "
    return short + option.spelling + (option.value.map { " \($0.name)" } ?? "")
  }

  /// The help with the words allowed and the default.
  static func meaning(of option: Option) -> String {
    var meaning = option.help
    if case .choice(let choices)? = option.value?.kind {
      meaning += ": " + choices.map(\.word).joined(separator: ", ")
    }
    var notes: [String] = []
    if option.isRepeatable { notes.append("repeatable") }
    if let defaultText = option.defaultText { notes.append("default: \(defaultText)") }
    return notes.isEmpty ? meaning : "\(meaning) (\(notes.joined(separator: "; ")))"
  }

  // MARK: Layout

  /// A term with its meaning in the next column, or below it if the term is too long.
  private func entry(_ term: String, _ meaning: String, column: Int) -> String {
    let head = "  " + term
    let column = width < 60 ? 8 : column
    let body = wrapped(meaning, indent: column)
    if head.count + 2 > column { return head + "\n" + body }
    return head + body.dropFirst(head.count)
  }

  /// Words on lines of at most `width` columns, each behind `indent` spaces, with a line end.
  private func wrapped(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines = ""
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines += margin + line + "\n"
        line = ""
      }
      line += line.isEmpty ? word : " " + word
    }
    return lines + margin + line + "\n"
  }
}

/// Each name once, in the order of first occurrence.
package func inOrder(_ names: [String]) -> [String] {
  var seen: [String] = []
  for name in names where !seen.contains(name) { seen.append(name) }
  return seen
}
