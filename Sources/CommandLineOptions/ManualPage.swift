/// Manual pages in mdoc, one for the program and one for each command.
package struct ManualPage: Sendable {
  package let program: Program

  package init(_ program: Program) { self.program = program }

  /// `agenda(1)`.
  package func programPage() -> String {
    var page = head(program.name, summary: program.summary)
    page += ".Sh SYNOPSIS\n"
    page += ".Nm\n.Op Ar COMMAND\n.Op Ar OPTION ...\n.Op Ar ARGUMENT ...\n"
    page += ".Sh DESCRIPTION\n" + paragraphs(program.discussion)
    for group in inOrder(program.commands.map(\.group)) {
      page += ".Ss \(text(group))\n"
      page += ".Bl -tag -width Ds\n"
      for command in program.commands where command.group == group {
        page += ".It Xr \(name(of: command)) 1\n" + sentence(command.summary)
      }
      page += ".El\n"
    }
    page += sections
    page += examples(program.examples)
    page += seeAlso(program.commands.map { name(of: $0) } + program.relatedPages)
    return page
  }

  /// `agenda-show(1)`.
  package func page(of command: Command) -> String {
    var page = head(name(of: command), summary: command.summary)
    page += ".Sh SYNOPSIS\n.Nm \(program.call(of: command))\n"
    if !command.visibleOptions.isEmpty { page += ".Op Ar OPTION ...\n" }
    for operand in command.operands {
      let dots = operand.isRepeatable ? " ..." : ""
      page += "\(operand.isOptional ? ".Op Ar" : ".Ar") \(text(operand.value.name))\(dots)\n"
    }
    page += ".Sh DESCRIPTION\n" + sentence(capitalized(command.summary))
    if !command.discussion.isEmpty { page += ".Pp\n" + paragraphs(command.discussion) }
    if !command.operands.isEmpty {
      page += ".Bl -tag -width Ds\n"
      for operand in command.operands {
        page += ".It Ar \(text(operand.value.name))\n" + sentence(capitalized(operand.help))
      }
      page += ".El\n"
    }
    page += ".Sh OPTIONS\n"
    let options = command.visibleOptions + Program.universalOptions
    for group in inOrder(options.map(\.group)) {
      page += ".Ss \(text(group))\n.Bl -tag -width Ds\n"
      for option in options where option.group == group { page += entry(option) }
      page += ".El\n"
    }
    if program.onlyCommand != nil { page += sections }
    page += examples(command.examples)
    return page + seeAlso(program.onlyCommand == nil ? [program.name] : program.relatedPages)
  }

  /// The name under which a command's page is installed: `agenda-show`.
  package func name(of command: Command) -> String {
    program.onlyCommand == nil ? "\(program.name)-\(command.name)" : program.name
  }

  // MARK: Parts

  private func head(_ name: String, summary: String) -> String {
    """
    .Dd \(program.date)
    .Dt \(name.uppercased()) 1
    .Os
    .Sh NAME
    .Nm \(name)
    .Nd \(text(summary))

    """
  }

  /// `ENVIRONMENT`, `FILES` and the other sections of the program.
  private var sections: String {
    program.sections.map { section in
      ".Sh \(text(section.title))\n.Bl -tag -width Ds\n"
        + section.entries.map { ".It \(quoted($0.term))\n" + sentence($0.meaning) }.joined()
        + ".El\n"
    }.joined()
  }

  private func examples(_ examples: [Command.Example]) -> String {
    if examples.isEmpty { return "" }
    var page = ".Sh EXAMPLES\n"
    for (index, example) in examples.enumerated() {
      if index > 0 { page += ".Pp\n" }
      page += sentence(capitalized(example.meaning))
      page += ".Dl \(text(example.line))\n"
    }
    return page
  }

  private func entry(_ option: Option) -> String {
    let value = option.value.map { " Ar \(text($0.name))" } ?? ""
    var term = ".It"
    if let shortName = option.shortName { term += " Fl \(shortName)\(value) ," }
    return "\(term) Fl Fl \(text(option.name))\(value)\n"
      + sentence(capitalized(HelpText.meaning(of: option)))
  }

  private func seeAlso(_ pages: [String]) -> String {
    let names = pages.sorted()
    return ".Sh SEE ALSO\n"
      + names.enumerated().map { index, name in
        ".Xr \(name) 1\(index == names.count - 1 ? "" : " ,")\n"
      }.joined()
  }

  // MARK: Text

  private func paragraphs(_ paragraphs: [String]) -> String {
    paragraphs.map { sentence($0) }.joined(separator: ".Pp\n")
  }

  /// Text as separate lines, one sentence per line as mdoc requires.
  private func sentence(_ words: String) -> String {
    var ended = words
    if let last = words.last, !".!?:".contains(last) { ended += "." }
    var lines: [String] = []
    var line = ""
    for word in ended.split(separator: " ").map({ text(String($0), isFirst: false) }) {
      if !line.isEmpty, line.utf8.count + 1 + word.utf8.count > Self.longestLine {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? word : " " + word
      if let last = word.last, ".!?".contains(last), word.count > 2 {
        lines.append(line)
        line = ""
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines.map { protected($0) + "\n" }.joined()
  }

  /// In bytes, as mdoc has it.
  private static let longestLine = 78

  private func capitalized(_ words: String) -> String {
    words.prefix(1).uppercased() + words.dropFirst()
  }

  /// One argument of a macro, spaces and all.
  private func quoted(_ words: String) -> String { "\"\(text(words))\"" }

  /// Nothing in it is a request, an escape or a typographic dash.
  private func text(_ words: String, isFirst: Bool = true) -> String {
    var escaped = ""
    for character in words {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "\"": escaped += "\\(dq"
      case "…": escaped += "..."
      case "\n": escaped += " "
      default: escaped.append(character)
      }
    }
    return isFirst ? protected(escaped) : escaped
  }

  /// A line that begins with a dot or an apostrophe is text all the same.
  private func protected(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }
}
