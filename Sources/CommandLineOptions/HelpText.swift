/// `--help` and `-h` as plain text, wrapped to a width.
package struct HelpText: Sendable {
  package let program: Program
  /// In columns; held to what can be read.
  package let width: Int

  package init(_ program: Program, width: Int) {
    self.program = program
    self.width = min(max(width, 30), 100)
  }

  /// The help of the program: its purpose, examples, its commands by their groups, and where to read on.
  package func programText() -> String {
    var text = wrapped("\(program.name) - \(program.summary)", indent: 0)
    text += examples(program.examples, indent: 4)
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
    if let reading = program.furtherReading { text += wrapped(reading, indent: 0) }
    return text
  }

  /// The help of one command: examples, usage, description, operands, options by their groups.
  package func text(of command: Command) -> String {
    var text = head(of: command) + examples(command.examples)
    text += "\n" + usage(of: command)
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
    return text
  }

  // MARK: Short help

  /// The lines of a usual terminal, without the one for the next prompt.
  private static let linesOfScreen = 23

  /// The help of the program on one screen: examples, and the names of its commands.
  package func shortProgramText() -> String {
    fitting(program.examples) { shown in
      var text = wrapped("\(program.name) - \(program.summary)", indent: 0)
      text += examples(shown, indent: 4) + "\n"
      for group in inOrder(program.commands.map(\.group)) {
        let names = program.commands.filter { $0.group == group }.map(\.name)
        text += list(group, names)
      }
      text += "\n"
      text += wrapped(
        "\(program.name) COMMAND -h explains one command, \(program.name) --help all of them.",
        indent: 0)
      if let reading = program.furtherReading { text += wrapped(reading, indent: 0) }
      return text
    }
  }

  /// The help of one command on one screen: examples, and the names of its options.
  package func shortText(of command: Command) -> String {
    fitting(command.examples) { shown in
      var text = head(of: command) + examples(shown) + "\n" + usage(of: command)
      let options = command.visibleOptions.filter { $0.group != Option.rareGroup }
      if !options.isEmpty { text += "\n" }
      for group in inOrder(options.map(\.group)) {
        let names = options.filter { $0.group == group }.map { option in
          option.spelling + (option.value.map { " \($0.name)" } ?? "")
        }
        text += list(group, names)
      }
      return text + "\n"
        + wrapped("\(program.call(of: command)) --help explains all options.", indent: 0)
    }
  }

  /// The text with as many examples as fit on a screen. An example cannot be wrapped.
  private func fitting(
    _ examples: [Command.Example], _ text: ([Command.Example]) -> String
  ) -> String {
    let narrow = examples.filter { $0.line.count + 2 <= width }
    for count in stride(from: narrow.count, to: 0, by: -1) {
      let text = text(Array(narrow.prefix(count)))
      if text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) <= Self.linesOfScreen { return text }
    }
    return text([])
  }

  /// `Window: --from DATE, --to DATE`, and further lines under the first name.
  private func list(_ heading: String, _ names: [String]) -> String {
    var lines: [String] = []
    var line = heading + ":"
    for (index, name) in names.enumerated() {
      let item = name + (index == names.count - 1 ? "" : ",")
      if line.count + 1 + item.count > width {
        lines.append(line)
        line = " "
      }
      line += " " + item
    }
    return (lines + [line]).joined(separator: "\n") + "\n"
  }

  // MARK: Parts

  private func head(of command: Command) -> String {
    wrapped("\(program.call(of: command)) - \(command.summary)", indent: 0)
  }

  private func usage(of command: Command) -> String {
    let operands = command.operands.map { " \($0.usage)" }.joined()
    let options = command.visibleOptions.isEmpty ? "" : " [OPTION…]"
    return "Usage: \(program.call(of: command))\(options)\(operands)\n"
  }

  /// Those of the program are indented further than the names of its commands.
  private func examples(_ examples: [Command.Example], indent: Int = 2) -> String {
    if examples.isEmpty { return "" }
    let margin = String(repeating: " ", count: indent)
    return "\nExamples:\n"
      + examples.map { margin + $0.line + "\n" + wrapped($0.meaning, indent: indent + 4) }.joined()
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
