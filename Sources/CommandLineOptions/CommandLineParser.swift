/// Reads an argument vector by the habits of GNU: `--option=value` and `--option value`, `-f json`
/// and `-fjson`, flags in a cluster, options after operands, `--`, and `-` as an operand.
/// `--no-FLAG` takes a flag back.
///
/// Long options are never shortened. In a command without `--to`, `--to DATE` would mean `--toc`,
/// and a new option could give the short form in a script another meaning.
package struct CommandLineParser: Sendable {
  package let program: Program

  package init(_ program: Program) { self.program = program }

  /// What a command line asks for.
  package enum Request: Sendable {
    case run(ParsedCommandLine)
    /// Help on a command, or on the program. `-h` asks for short help.
    case help(Command?, isShort: Bool)
    case version
  }

  /// Reads what follows the program's name.
  package func parse(_ arguments: [String]) throws(CommandLineError) -> Request {
    let (command, rest, isTyped) = try commandAndRest(arguments)
    var parsed = ParsedCommandLine(command: command)
    var index = 0
    while index < rest.count {
      let argument = rest[index]
      index += 1
      if argument == "--" {
        parsed.operands += rest[index...]
        break
      }
      guard argument.utf8.first == dash, argument != "-" else {
        parsed.operands.append(argument)
        continue
      }
      let found: Option?
      if argument.hasPrefix("--") {
        found = try readLong(argument, rest, &index, into: &parsed)
      } else {
        found = try readShort(argument, rest, &index, into: &parsed)
      }
      if found == Program.helpOption {
        return .help(isTyped ? command : nil, isShort: !argument.hasPrefix("--"))
      }
      if found == Program.versionOption { return .version }
    }
    try parsed.checkOperands(call: program.call(of: command))
    return .run(parsed)
  }

  private let dash = UInt8(ascii: "-")

  // MARK: The command

  /// The command is the first operand, also after options: `agenda --days 3 show` is
  /// `agenda show --days 3`. Without one it is the default command.
  private func commandAndRest(
    _ arguments: [String]
  ) throws(CommandLineError) -> (command: Command, rest: [String], isTyped: Bool) {
    if let only = program.onlyCommand { return (only, arguments, true) }
    guard let place = placeOfFirstOperand(arguments) else {
      guard let command = program.defaultCommand else {
        throw .missingOperand("COMMAND", command: program.name)
      }
      return (command, arguments, false)
    }
    guard let command = program.command(named: arguments[place]) else {
      try checkOptions(Array(arguments[..<place]))
      let nearest =
        Program.universalOptions.first { $0.name == arguments[place] }?.spelling
        ?? program.command(meantBy: arguments[place])
      throw .unknownCommand(
        arguments[place], nearest: nearest, program: program.name,
        defaultCommand: program.defaultCommandName)
    }
    var rest = arguments
    rest.remove(at: place)
    return (command, rest, true)
  }

  /// Reports options before a word that is not a command, if no command accepts them: in
  /// `agenda -d 3` the option is unknown, and `3` is not meant as a command.
  private func checkOptions(_ arguments: [String]) throws(CommandLineError) {
    guard let command = program.defaultCommand else { return }
    for other in program.commands where other.name != command.name {
      if (try? readOptions(arguments, of: other)) != nil { return }
    }
    try readOptions(arguments, of: command)
  }

  /// Throws if an option or its value is not one of the command's.
  private func readOptions(
    _ arguments: [String], of command: Command
  ) throws(CommandLineError) {
    var parsed = ParsedCommandLine(command: command)
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      index += 1
      if argument.hasPrefix("--") {
        _ = try readLong(argument, arguments, &index, into: &parsed)
      } else if argument.utf8.first == dash {
        _ = try readShort(argument, arguments, &index, into: &parsed)
      }
    }
  }

  /// Skips options and their values before it, by the declarations of the default command first,
  /// then of any other.
  private func placeOfFirstOperand(_ arguments: [String]) -> Int? {
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      if argument == "--" { return nil }
      guard argument.utf8.first == dash, argument != "-" else { return index }
      index += takesNextArgument(argument) ? 2 : 1
    }
    return nil
  }

  private func takesNextArgument(_ argument: String) -> Bool {
    if argument.hasPrefix("--") {
      if argument.contains("=") { return false }
      let name = String(argument.dropFirst(2))
      for command in [program.defaultCommand].compactMap({ $0 }) + program.commands {
        if let option = command.option(named: name) { return option.value != nil }
      }
      return false
    }
    for (offset, letter) in argument.dropFirst().enumerated() {
      let option = program.defaultCommand?.options.first { $0.shortName == letter }
      if option?.value != nil { return offset == argument.count - 2 }
    }
    return false
  }

  // MARK: Options

  private func readLong(
    _ argument: String, _ arguments: [String], _ index: inout Int,
    into parsed: inout ParsedCommandLine
  ) throws(CommandLineError) -> Option {
    let body = argument.dropFirst(2)
    let equals = body.firstIndex(of: "=")
    let name = String(body[..<(equals ?? body.endIndex)])
    let attached = equals.map { String(body[body.index(after: $0)...]) }
    let known = parsed.command.options + Program.universalOptions

    let refusable = parsed.command.options
    if let flag = refusable.first(where: { $0.value == nil && "no-\($0.name)" == name }) {
      guard attached == nil else { throw .unexpectedValue(option: "--\(name)") }
      parsed.refuse(flag)
      return flag
    }
    let option = try option(named: name, among: known, of: parsed.command)
    guard let value = option.value else {
      guard attached == nil else { throw .unexpectedValue(option: option.spelling) }
      try parsed.add("", for: option)
      return option
    }
    if let attached {
      try parsed.add(attached, for: option)
    } else if index < arguments.count {
      try parsed.add(arguments[index], for: option)
      index += 1
    } else {
      throw .missingValue(option: option.spelling, valueName: value.name)
    }
    return option
  }

  private func option(
    named name: String, among known: [Option], of command: Command
  ) throws(CommandLineError) -> Option {
    if let exact = known.first(where: { $0.name == name }) { return exact }
    let call = program.call(of: command)
    let others = [program.defaultCommand].compactMap { $0 } + program.commands
    let other = others.first { $0.options.contains { $0.name == name && !$0.isHidden } }
    if let other {
      throw .optionOfOtherCommand("--\(name)", command: call, other: program.call(of: other))
    }
    let visible = known.filter { !$0.isHidden }.map(\.name)
    throw .unknownOption(
      "--\(name)", nearest: nearestName(to: name, among: visible).map { "--\($0)" },
      command: call)
  }

  private func readShort(
    _ argument: String, _ arguments: [String], _ index: inout Int,
    into parsed: inout ParsedCommandLine
  ) throws(CommandLineError) -> Option? {
    var letters = argument.dropFirst()
    let known = parsed.command.options + Program.universalOptions
    let commandName = program.call(of: parsed.command)
    if letters.count > 1, let meant = known.first(where: { $0.name == letters }) {
      throw .unknownOption(argument, nearest: meant.spelling, command: commandName)
    }
    var last: Option?
    while let letter = letters.popFirst() {
      guard let option = known.first(where: { $0.shortName == letter }) else {
        let begun = known.filter { !$0.isHidden && $0.name.first == letter.lowercased().first }
        throw .unknownOption(
          "-\(letter)", nearest: begun.count == 1 ? begun.first?.spelling : nil,
          command: commandName)
      }
      last = option
      guard let value = option.value else {
        try parsed.add("", for: option)
        if option == Program.helpOption { return option }
        continue
      }
      if !letters.isEmpty {
        try parsed.add(String(letters), for: option)
      } else if index < arguments.count {
        try parsed.add(arguments[index], for: option)
        index += 1
      } else {
        throw .missingValue(option: "-\(letter)", valueName: value.name)
      }
      break
    }
    return last
  }
}
