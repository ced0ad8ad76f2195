internal import CommandLineOptions

extension AgendaCommand {
  static let help = AgendaCommand(
    Command(
      "help", summary: "say how agenda, or one of its commands, is used",
      operands: [Operand(Value("COMMAND"), help: "the command", isOptional: true)],
      options: [Options.manual], group: "About agenda"),
    readsConfiguration: false
  ) { invocation in
    let program = Program.agenda
    let environment = invocation.environment
    let name = invocation.line.operands.first
    guard let name else {
      return try environment.print(
        invocation.line.has(Options.manual)
          ? ManualPage(program).programPage()
          : HelpText(program, width: environment.textWidth).programText())
    }
    guard let command = program.command(named: name) else {
      let nearest = nearestName(to: name, among: program.commands.map(\.name))
      throw CommandError.wrongUsage(
        "unknown command \"\(name)\"" + (nearest.map { ": did you mean \($0)?" } ?? ""))
    }
    try environment.print(
      invocation.line.has(Options.manual)
        ? ManualPage(program).page(of: command)
        : HelpText(program, width: environment.textWidth).text(of: command))
  }
}
